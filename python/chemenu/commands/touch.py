"""Says that pages were changed."""

from __future__ import annotations

from chemenu import _chemenu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike


def touch(
    root: str | PathLike[str] | None, pages: list[str], date: str | None = None, dry_run: bool = False
) -> tuple[bytes, int, bool]:
    """Sets `modified` in the front matter of `pages` to `date` (`2026-09-02`; today if `None`) and leaves every other byte alone.

    With `dry_run` it only tells the plan. Gives `(json, exit status, is_error)`, as the questions do.
    """
    return _chemenu.touch(root, pages, date, dry_run)
