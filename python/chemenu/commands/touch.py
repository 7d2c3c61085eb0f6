"""Says that pages were changed."""

from chemenu import _chemenu


def touch(root, pages, date=None, dry_run=False):
    """Sets `modified` in the front matter of `pages` to `date` (`2026-09-02`; today if `None`) and leaves every other byte alone.

    With `dry_run` it only tells the plan. Gives `(json, exit status, is_error)`, as the questions do.
    """
    return _chemenu.touch(root, pages, date, dry_run)
