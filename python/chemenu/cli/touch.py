"""`wikitool touch`: say that pages were changed."""

from chemenu.cli._ask import root
from chemenu.cli._options import EACH, FLAG, TEXT

HELP = "Set `modified` of pages, and leave every other byte alone"
ARGUMENTS = {"pages": EACH, "date": TEXT, "dry_run": FLAG}
# The questions' options are described by their schemas; these have none.
DESCRIPTIONS = {
    "pages": "The pages: paths, file stems, titles or aliases.",
    "date": "The date to set, such as `2026-09-02`; today's if left out.",
    "dry_run": "Only tell what would be changed.",
}


def ask(values):
    from chemenu.commands.touch import touch

    return touch(root(values), values.get("pages", []), values.get("date"), values.get("dry_run", False))


def text(answer):
    from chemenu.cli._text import titled

    for key, item in answer.items():
        if key not in ("commit", "as_of"):
            yield from titled(key, item)
