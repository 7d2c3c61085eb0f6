"""From the values of a command line to the core's answer."""

import sys
from os import environ

from chemenu._chemenu import Corpus

# What says where the wiki is and how to answer; everything else is the question's.
_OURS = ("root", "ref", "folder", "dirty", "cache_dir", "no_cache", "json", "write")


def root(values):
    """The wiki's folder, if the user names one."""
    return values.get("root") or environ.get("CHEMENU_ROOT") or None


def corpus(values):
    """The wiki that is asked."""
    return Corpus(
        root(values),
        values.get("ref"),
        values.get("folder"),
        values.get("dirty", "serve"),
        values.get("cache_dir"),
        not values.get("no_cache", False),
    )


def arguments(values):
    """The question's arguments."""
    return {key: shown(value) for key, value in values.items() if key not in _OURS}


def question(name, values):
    """The core's answer to the question of that name."""
    wiki = corpus(values)
    return asked(wiki, wiki, name, arguments(values))


def asked(wiki, state, name, arguments):
    """The answer of a wiki, or of a state of it. What else there is to tell goes to stderr: how far it is, and warnings."""
    if sys.stderr is not None and sys.stderr.isatty():
        from chemenu.cli._progress import Bar

        with Bar(sys.stderr) as bar:
            answer = state.ask(name, arguments, bar.show)
    else:
        answer = state.ask(name, arguments)
    for warning in wiki.warnings():
        print(f"warning: {warning}", file=sys.stderr)
    return answer


def shown(value):
    """Bytes that are not UTF-8 as the core shows them in names, so that a name typed by its bytes is found."""
    if isinstance(value, list):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            stored = value.replace("\\", "\\\\").encode(errors="surrogateescape")
            return stored.decode(errors="backslashreplace")
    return value
