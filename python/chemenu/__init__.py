"""Reads wikis that are git repositories of Markdown pages; every answer names the commit it was read from.

`chemenu.Corpus` is a wiki that can be asked, `chemenu.CorpusError` what it raises. Both are loaded when first used, because
the command line needs neither.
"""

__all__ = ["Corpus", "CorpusError", "__version__"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from chemenu._chemenu import version as __version__
    from chemenu.api import Corpus
    from chemenu.errors import CorpusError


def __getattr__(name):
    if name == "Corpus":
        from chemenu.api import Corpus as value
    elif name == "CorpusError":
        from chemenu.errors import CorpusError as value
    elif name == "__version__":
        from chemenu._chemenu import version as value
    else:
        raise AttributeError(f"module `chemenu` has no attribute `{name}`")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
