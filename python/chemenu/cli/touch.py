"""`wikitool touch`: say that pages were changed."""

from chemenu.cli._ask import root, shown
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

    return touch(root(values), shown(values.get("pages", [])), shown(values.get("date")), values.get("dry_run", False))


def text(answer):
    from chemenu.cli._text import line, value

    verb = "would be set" if answer["dry_run"] else "set"
    for page in answer["changed"]:
        yield f"{line(page['path'])}: `modified` {verb} to {value(page['after'])}, was {value(page['before'])}"
    for path in answer["unchanged"]:
        yield f"{line(path)}: unchanged"
