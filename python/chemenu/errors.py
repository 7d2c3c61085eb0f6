"""Exceptions, one class for each error of the core, made from the core's own table.

`BY_CODE` maps the stable codes to the classes; the classes are attributes of this module too, such as
`chemenu.errors.PageNotFound`.
"""

from __future__ import annotations

import json

from chemenu._chemenu import error_codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    def __getattr__(name: str) -> type[CorpusError]: ...


class CorpusError(Exception):
    """A question has no answer.

    `code` is stable, `message` says what is wrong, `hint` what to do next; `candidates` are near names, or all that an
    ambiguous one means. `commit` and `as_of` say what was asked, and are `None` where nothing could be. `answer` is the
    whole error object, as `wikitool --json` prints it; `exit_status` is what `wikitool` exits with.
    """

    exit_status: int = 2

    def __init__(self, answer: dict[str, Any]):
        super().__init__(answer)
        error = answer["error"]
        self.answer = answer
        self.commit: str | None = answer["commit"]
        self.as_of: str | None = answer["as_of"]
        self.code: str = error["code"]
        self.message: str = error["message"]
        self.hint: str = error["hint"]
        self.candidates: list[str] = error["candidates"]

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}"


def _class(code: str, name: str, exit_status: int) -> type[CorpusError]:
    members = {"__module__": __name__, "__doc__": f"The error `{code}`.", "exit_status": exit_status}
    return type(name, (CorpusError,), members)


BY_CODE = {code: _class(code, name, exit_status) for code, name, exit_status in error_codes()}
globals().update({cls.__name__: cls for cls in BY_CODE.values()})

__all__ = ["BY_CODE", "CorpusError", "answer_or_raise", *sorted(cls.__name__ for cls in BY_CODE.values())]


def answer_or_raise(answer: tuple[bytes, int, bool]) -> dict[str, Any]:
    """The object that an answer of the extension module holds; raises it if it is an error object."""
    text, _, is_error = answer
    value: dict[str, Any] = json.loads(text)
    if is_error:
        raise BY_CODE[value["error"]["code"]](value)
    return value
