"""From the values of a command line to the core's answer."""

from os import environ

from chemenu._chemenu import Corpus

# What says where the wiki is and how to answer; everything else is the question's.
_OURS = ("root", "ref", "folder", "dirty", "json", "write")


def root(values):
    """The wiki's folder, if the user names one."""
    return values.get("root") or environ.get("CHEMENU_ROOT") or None


def corpus(values):
    """The wiki that is asked."""
    return Corpus(root(values), values.get("ref"), values.get("folder"), values.get("dirty", "serve"))


def arguments(values):
    """The question's arguments."""
    return {key: shown(value) for key, value in values.items() if key not in _OURS}


def question(name, values):
    """The core's answer to the question of that name."""
    return corpus(values).ask(name, arguments(values))


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
