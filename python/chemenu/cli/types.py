"""`wikitool types`: which types of pages there are."""

from chemenu.cli._ask import question
from chemenu.cli._options import READING

HELP = "List the types of pages"
ARGUMENTS = {**READING}


def ask(values):
    return question("types", values)


def text(answer):
    from chemenu.cli._text import line, table

    yield from table([(kind["name"], str(kind["pages"]), kind.get("summary") or "") for kind in answer["types"]])
    for path in answer["untyped"]:
        yield f"{line(path)} has no type"
    for page in answer["unknown"]:
        yield f"{line(page['path'])} has the unknown type `{line(page['type'])}`"
