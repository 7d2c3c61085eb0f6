"""`wikitool types`: which types of pages there are."""

from chemenu.cli._ask import question
from chemenu.cli._options import READING

HELP = "List the types of pages"
ARGUMENTS = {**READING}
# More pages than these are counted; `--json` has them all.
_LISTED = 10


def ask(values):
    return question("types", values)


def text(answer):
    from chemenu.cli._text import line, table

    yield from table([(kind["name"], str(kind["pages"]), kind.get("summary") or "") for kind in answer["types"]])
    untyped = answer["untyped"]
    if len(untyped) > _LISTED:
        yield f"{len(untyped)} pages have no type, {line(untyped[0])} among them"
    else:
        yield from (f"{line(path)} has no type" for path in untyped)
    for page in answer["unknown"]:
        yield f"{line(page['path'])} has the unknown type `{line(page['type'])}`"
