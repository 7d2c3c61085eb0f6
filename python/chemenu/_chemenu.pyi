"""Carries questions in and answers out.

An answer is `(json, exit status, is_error)`: one JSON object as UTF-8, what `wikitool` exits with, and whether the object is an
error object.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any, TypeAlias, final

_Answer: TypeAlias = tuple[bytes, int, bool]

version: str

@final
class Corpus:
    def __new__(
        cls,
        root: str | PathLike[str] | None = None,
        ref: str | None = None,
        folder: str | None = None,
        dirty: str = "serve",
        cache_dir: str | PathLike[str] | None = None,
        cache: bool = True,
    ) -> Corpus: ...
    def problem(self) -> _Answer | None: ...
    def snapshot(self, at: str | None = None) -> Snapshot: ...
    def warnings(self) -> list[str]: ...
    def doctor(self, clear: bool = False) -> _Answer: ...
    def folder(self) -> str: ...
    def ask(
        self, name: str, arguments: dict[str, Any], progress: Callable[[int, int], object] | None = None
    ) -> _Answer: ...

@final
class Snapshot:
    def ask(
        self, name: str, arguments: dict[str, Any], progress: Callable[[int, int], object] | None = None
    ) -> _Answer: ...

def error_codes() -> list[tuple[str, str, int]]: ...
def question_names() -> list[str]: ...
def question_schema(name: str) -> str | None: ...
def rules() -> str: ...
def touch(
    root: str | PathLike[str] | None, pages: list[str], date: str | None = None, dry_run: bool = False
) -> _Answer: ...
