"""`wikitool lint`: what is wrong in the wiki, or in a draft for it."""

from chemenu.cli._ask import arguments, asked, corpus
from chemenu.cli._options import EACH, LIST, MAYBE, NUMBER, READING, TEXT, Usage

HELP = "Find what is wrong in the wiki, or in a page before it is saved"
ARGUMENTS = {
    "paths": EACH,
    "select": LIST,
    "ignore": LIST,
    "changed_since": TEXT,
    "draft": TEXT,
    "draft_path": TEXT,
    "limit": NUMBER,
    "cursor": TEXT,
    "format": TEXT,
    "baseline": TEXT,
    "explain": MAYBE,
    **READING,
}
# What the question does not have, or has in another form.
DESCRIPTIONS = {
    "draft": "A file whose text to check as if it were saved as `--draft-path`; `-` reads it from standard input.",
    "draft_path": "The path below the root of the page that `--draft` is for, whether there is one yet or not.",
    "format": "`text`, `json` (as `--json`), `github` (workflow commands), `sarif` or `junit`; the last three list all findings.",
    "baseline": "A file that `--json` wrote before: findings in it are marked as suppressed and do not count for the exit status.",
    "explain": "Explain a rule, all of them if none is named, and ask no wiki.",
}
FORMATS = ("text", "json", "github", "sarif", "junit")
# More findings than there are.
_ALL = 2**53


def ask(values):
    name = _format(values)
    values["json"] = name == "json"
    if "explain" in values:
        if name not in ("text", "json"):
            raise Usage(f"`--explain` does not go with `--format {name}`", "leave one of them out")
        from chemenu.cli.formats import explain

        return explain.ask(values)
    given = {key: value for key, value in values.items() if key not in ("draft_path", "baseline")}
    if "draft" in values or "draft_path" in values:
        given["draft"] = _draft(values)
    if name not in ("text", "json"):
        given.setdefault("limit", _ALL)
    if "baseline" in values:
        from chemenu.cli import _baseline

        known = _baseline.read(values, given)
        limit = given.get("limit", 100)
        # A limit that is none is left to the core to refuse.
        if isinstance(limit, int) and limit > 0:
            given["limit"] = _ALL
    # Of files that may change meanwhile all is read at once.
    wiki = corpus(values)
    state = wiki.snapshot(values.get("at"))
    answer = asked(wiki, state, "lint", arguments(given))
    if "baseline" in values:
        answer = _baseline.mark(answer, known, limit)
    if name != "json":
        values["write"] = lambda text: _write(name, text, wiki, state, given.get("draft"))
    return answer


def text(answer):
    from chemenu.cli.formats import text

    return text.lines(answer, lambda path: None)


def _write(name, answer, wiki, state, draft):
    if name == "text":
        from chemenu.cli import _text
        from chemenu.cli.formats import text

        _text.write(lambda value: text.lines(value, text.source(state, draft)), answer)
        return
    import json
    import sys
    from importlib import import_module

    from chemenu.cli import _text

    value = json.loads(answer)
    document = import_module(f"chemenu.cli.formats.{name}").document(value, wiki.folder())
    sys.stdout.buffer.write(document.encode())
    _text.cut(value)


def _format(values):
    name = values.pop("format", "json" if values.get("json") else "text")
    if name not in FORMATS:
        raise Usage(f"no format is named `{name}`", "give `text`, `json`, `github`, `sarif` or `junit`", FORMATS)
    if values.get("json") and name != "json":
        raise Usage(f"`--json` does not go with `--format {name}`", "leave one of them out")
    return name


def _draft(values):
    file, path = values.get("draft"), values.get("draft_path")
    if file is None or path is None:
        option, missing = ("--draft", "--draft-path PATH") if path is None else ("--draft-path", "--draft FILE")
        raise Usage(f"`{option}` needs `{missing}` too", "name the text's file and the page's path below the root")
    try:
        return {"path": path, "text": _read(file).decode()}
    except OSError as error:
        raise Usage(f"`{file}` could not be read: {error.strerror}", "name a file, or `-` for standard input") from None
    except UnicodeDecodeError:
        raise Usage(f"the draft `{file}` is not UTF-8", "save it as UTF-8") from None


def _read(file):
    if file == "-":
        import sys

        return sys.stdin.buffer.read()
    with open(file, "rb") as stream:
        return stream.read()
