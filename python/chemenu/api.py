"""Asking a wiki from Python: the objects that `wikitool --json` prints, and exceptions instead of exit statuses."""

from __future__ import annotations

import os

from chemenu import _chemenu
from chemenu.errors import answer_or_raise

__all__ = ["Corpus"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Corpus:
    """A wiki that can be asked. It follows its repository: each question is answered from what is there then.

    `root` is the wiki's folder; else `CHEMENU_ROOT`, else the nearest folder upwards from the current one that holds
    `chemenu.toml`, else the work tree's top. `ref` is a revision to read instead of the work tree, `folder` the wiki's folder
    in a bare repository. `dirty` says what to do where the work tree differs from HEAD: `serve` the files with no commit,
    `ignore` the difference and read HEAD, or `refuse`. `cache_dir` is where indexes of wikis are kept, instead of the user's own
    cache folder; `cache=False` keeps none.

    Every method takes `at`, a revision to ask, and `budget`, the bytes that the answer's JSON may have. Every answer has `commit`
    and `as_of`, the revision that was read. Raises the classes of `chemenu.errors`.
    """

    def __init__(
        self,
        root: str | os.PathLike[str] | None = None,
        *,
        ref: str | None = None,
        folder: str | None = None,
        dirty: str = "serve",
        cache_dir: str | os.PathLike[str] | None = None,
        cache: bool = True,
    ):
        root = root or os.environ.get("CHEMENU_ROOT") or None
        self._corpus = _chemenu.Corpus(root, ref, folder, dirty, cache_dir, cache)
        if problem := self._corpus.problem():
            answer_or_raise(problem)

    def search(
        self,
        query: str,
        limit: int = 10,
        cursor: str | None = None,
        explain: bool | str | None = None,
        *,
        at: str | None = None,
        budget: int | None = None,
    ) -> dict[str, Any]:
        """Finds pages by their words; any text is a query.

        `cursor` is an answer's `next_cursor`. `explain` is true, for what each term adds to the scores, or a page's name, for why
        that page is among the hits or not.
        """
        return self._ask("search", query=query, limit=limit, cursor=cursor, explain=explain, at=at, budget=budget)

    def page(
        self,
        name: str,
        section: str | None = None,
        lines: str | None = None,
        *,
        at: str | None = None,
        budget: int | None = None,
    ) -> dict[str, Any]:
        """Reads one page, by path, file stem, title or alias; or one section or some lines (`"10-20"`) of it.

        A citation, `path@commit#L10-L20`, is a name too: the answer is what was cited, and what has become of it.
        """
        return self._ask("page", name=name, section=section, lines=lines, at=at, budget=budget)

    def links(self, name: str, depth: int = 1, *, at: str | None = None, budget: int | None = None) -> dict[str, Any]:
        """Tells what a page links to, and what links to it; with `depth` also which pages are further away."""
        return self._ask("links", name=name, depth=depth, at=at, budget=budget)

    def types(self, *, at: str | None = None, budget: int | None = None) -> dict[str, Any]:
        """Lists the types of pages."""
        return self._ask("types", at=at, budget=budget)

    def describe_type(self, type: str, *, at: str | None = None, budget: int | None = None) -> dict[str, Any]:
        """Explains a type to whoever is about to write or query such a page."""
        return self._ask("describe_type", type=type, at=at, budget=budget)

    def lint(
        self,
        paths: list[str] | tuple[str, ...] = (),
        select: list[str] | tuple[str, ...] = (),
        ignore: list[str] | tuple[str, ...] = (),
        changed_since: str | None = None,
        draft: dict[str, str] | None = None,
        limit: int = 100,
        cursor: str | None = None,
        *,
        at: str | None = None,
        budget: int | None = None,
    ) -> dict[str, Any]:
        """Finds what is wrong in the wiki, or in a text that is not saved yet: `draft` has `path` and `text`.

        Findings are an answer, not an exception.
        """
        return self._ask(
            "lint",
            paths=paths,
            select=select,
            ignore=ignore,
            changed_since=changed_since,
            draft=draft,
            limit=limit,
            cursor=cursor,
            at=at,
            budget=budget,
        )

    def status(self, *, at: str | None = None, budget: int | None = None) -> dict[str, Any]:
        """Says what this wiki is, and how it is."""
        return self._ask("status", at=at, budget=budget)

    def changes(
        self, since: str, limit: int = 100, cursor: str | None = None, *, at: str | None = None, budget: int | None = None
    ) -> dict[str, Any]:
        """Tells what has changed since a revision or date."""
        return self._ask("changes", since=since, limit=limit, cursor=cursor, at=at, budget=budget)

    def _ask(self, question: str, /, **arguments: object) -> dict[str, Any]:
        given = {argument: value for argument, value in arguments.items() if value is not None}
        return answer_or_raise(self._corpus.ask(question, given))
