"""`wikitool page`: one page, or a part of it."""

from chemenu.cli._ask import question
from chemenu.cli._options import ONE, TEXT

HELP = "Read a page, found by its path, file stem, title or alias"
ARGUMENTS = {"name": ONE, "section": TEXT, "lines": TEXT}


def ask(values):
    return question("page", values)


def text(answer):
    from chemenu.cli._text import block, line, value

    yield f"{line(answer['path'])}  {line(answer['title'])}"
    for key, item in (answer.get("frontmatter") or {}).items():
        yield f"{line(key)}: {value(item)}"
    yield ""
    yield block(answer["body"])
