"""`wikitool doctor`: what is stored of the wiki on this machine."""

from chemenu.cli._ask import corpus
from chemenu.cli._options import FLAG, TEXT

HELP = "Tell what is stored of the wiki on this machine, and clear it"
ARGUMENTS = {"ref": TEXT, "folder": TEXT, "cache_dir": TEXT, "no_cache": FLAG, "clear": FLAG}
DESCRIPTIONS = {"clear": "Take away the stored index; the next question makes it anew."}


def ask(values):
    wiki = corpus(values)
    if problem := wiki.problem():
        return problem
    from chemenu._chemenu import version

    cache = wiki.cache(values.get("clear", False)) or "null"
    return f'{{"version":"{version}","cache":{cache}}}'.encode(), 0, False


def text(answer):
    from chemenu.cli._text import line

    yield f"chemenu {answer['version']}"
    if (cache := answer["cache"]) is None:
        yield "cache: none"
        return
    yield f"cache: {line(cache['folder'])}"
    if cache["commit"] is None:
        yield "  nothing is stored that could be used"
    else:
        yield f"  {cache['pages']} pages of commit {cache['commit']}"
    yield f"  {cache['bytes']} bytes; all wikis together are kept below {cache['limit']}"
