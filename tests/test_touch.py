"""`wikitool touch` changes one value and nothing else."""

import json

import fronts
from tree import tree

PAGE = "concepts/git-snapshot.md"


def differing_lines(before, after):
    """The lines of two texts that differ; both have as many."""
    before, after = before.splitlines(keepends=True), after.splitlines(keepends=True)
    assert len(before) == len(after)
    return [(old, new) for old, new in zip(before, after) if old != new]


def test_one_line_of_one_page_is_changed(own_wiki):
    before = tree(own_wiki)
    run = fronts.wikitool(own_wiki, "touch", "git-snapshot", "--date", "2026-09-30", "--json")
    assert (run.returncode, run.stderr) == (0, b"")
    assert {"commit", "as_of"} <= json.loads(run.stdout).keys()
    after = tree(own_wiki)
    changed = {path for path in before.keys() | after.keys() if before.get(path, (0, 0, 0))[2] != after.get(path, (0, 0, 0))[2]}
    assert changed == {PAGE}
    [(old, new)] = differing_lines(before[PAGE][2], after[PAGE][2])
    assert old.startswith(b"modified: ") and new == b"modified: 2026-09-30\n"


def test_a_dry_run_changes_nothing(own_wiki):
    before = tree(own_wiki)
    assert fronts.wikitool(own_wiki, "touch", "git-snapshot", "--date", "2026-09-30", "--dry-run").returncode == 0
    assert tree(own_wiki) == before


def test_a_page_that_is_not_there_changes_nothing(own_wiki):
    before = tree(own_wiki)
    run = fronts.wikitool(own_wiki, "touch", "git-snapshot", "no such page", "--date", "2026-09-30", "--json")
    assert run.returncode == 1
    assert json.loads(run.stdout)["error"]["code"] == "page_not_found"
    assert tree(own_wiki) == before
