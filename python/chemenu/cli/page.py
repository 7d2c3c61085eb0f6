"""`wikitool page`: one page, or a part of it."""

from chemenu.cli._ask import question
from chemenu.cli._options import ONE, READING, TEXT

HELP = "Read a page, found by its path, file stem, title or alias"
ARGUMENTS = {"name": ONE, "section": TEXT, "lines": TEXT, **READING}


def ask(values):
    return question("page", values)


def text(answer):
    from chemenu.cli._text import block, line, value

    lines = answer["lines"]
    yield f"{line(answer['path'])}  {line(answer['title'])}"
    if cited := answer.get("citation"):
        yield from _cited(answer, cited)
        return
    front = answer["frontmatter"]
    # A block that is a list, or one word, is shown as what it is.
    for key, item in front.items() if isinstance(front, dict) else [("front matter", front)]:
        yield f"{line(key)}: {value(item)}"
    for problem in answer["problems"]:
        yield f"problem: line {problem['line']}, column {problem['column']}: {line(problem['message'])}"
    if change := answer["last_change"]:
        yield f"last change: {change['as_of']}, {line(change['author'])}, {change['commit']}"
    yield f"lines {lines['first']}-{lines['last']} of {lines['total']}"
    yield ""
    yield block(answer["body"])


def _cited(answer, cited):
    """What was cited, and what it is now."""
    from chemenu.cli._text import block, line

    def where(lines):
        return f"lines {lines['first']}-{lines['last']}" if lines else "the page"

    yield f"{where(answer['lines'])} at {cited['commit']}, {cited['as_of']}:"
    yield ""
    yield block(answer["body"])
    now = cited["now"]
    place = f", now {where(now['lines'])} of {line(now['path'])}" if now and cited["status"] != "gone" else ""
    yield f"{cited['status']}{place}"
    if cited["body"] is not None:
        yield ""
        yield block(cited["body"])
