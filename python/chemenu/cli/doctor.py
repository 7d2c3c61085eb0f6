"""`wikitool doctor`: what is stored of the wiki on this machine."""

from chemenu.cli._ask import corpus
from chemenu.cli._options import FLAG, TEXT

HELP = "Tell what is stored of the wiki on this machine, and clear it"
ARGUMENTS = {"ref": TEXT, "folder": TEXT, "cache_dir": TEXT, "no_cache": FLAG, "clear": FLAG}
DESCRIPTIONS = {"clear": "Take away the stored index; the next question makes it anew."}


def ask(values):
    answer = corpus(values).doctor(values.get("clear", False))
    if not answer[2]:
        # The commit is not one that was asked, but what is stored.
        values["write"] = _write
    return answer


def text(answer):
    from chemenu.cli._text import line

    yield f"chemenu {answer['version']}"
    if (cache := answer["cache"]) is None:
        yield "cache: none"
        return
    yield f"cache: {line(cache['folder'])}"
    if answer["commit"] is None:
        yield "  nothing is stored that could be used"
    else:
        yield f"  {cache['pages']} pages of commit {answer['commit']}, {answer['as_of']}"
    yield f"  {cache['bytes']} bytes; all wikis together are kept below {cache['limit']}"


def _write(answer):
    import json

    for shown in text(json.loads(answer)):
        print(shown)
