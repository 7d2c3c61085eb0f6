"""`wikitool status`: what this wiki is, and how it is."""

from chemenu.cli._ask import question
from chemenu.cli._options import READING

HELP = "Say what this wiki is, and how it is"
ARGUMENTS = {**READING}


def ask(values):
    return question("status", values)


def text(answer):
    from chemenu.cli._text import titled

    for key, item in answer.items():
        if key not in ("commit", "as_of"):
            yield from titled(key, item)
