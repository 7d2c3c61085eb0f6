"""`wikitool describe-type`: what a page of a type looks like, for whoever writes or looks for one."""

from chemenu.cli._ask import question
from chemenu.cli._options import ONE, READING

HELP = "Explain a type to whoever is about to write or query such a page"
ARGUMENTS = {"type": ONE, **READING}


def ask(values):
    return question("describe_type", values)


def text(answer):
    from chemenu.cli._text import line, titled

    yield f"{line(answer['name'])}  {line(answer.get('path') or '')}".rstrip()
    for key, item in answer.items():
        if key not in ("commit", "as_of", "name", "path") and item not in (None, "", [], {}):
            yield from titled(key, item)
