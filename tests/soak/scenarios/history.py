"""Any commit of a real wiki's history answers as a clone that has it checked out.

The wiki lies in `../shared` beside a checkout of this project, or in the folder that SOAK_SHARED names.
"""

import os
from pathlib import Path

import golden
from asking import corpus, restamped, stamp
from checks import Skipped

CHECKS = ("answers",)
CACHE_CHECKS = ()
SHARED = Path(os.environ.get("SOAK_SHARED") or golden.ROOT.parent / "shared")
SEARCHES = [
    {"query": "knowledge system"},
    {"query": "type:note agent*", "limit": 30},
    {"query": "path:kb/notes meassure", "explain": True, "limit": 3},
]


def run(soak):
    bundle = next(SHARED.glob("corpora/*commonplace*.bundle"), None)
    if bundle is None:
        raise Skipped("no bundle of commonplace lies in ../shared")
    for name in ("served", "tree"):
        golden.git(soak.folder, "-c", "init.defaultBranch=main", "clone", "--quiet", bundle, name)
    served, tree = soak.folder / "served", soak.folder / "tree"
    commits = golden.git(served, "rev-list", "HEAD").split()
    sample = soak.random.sample(commits, min(len(commits), soak.times(200)))
    at = corpus(served, soak.folder / "cache")
    for number, commit in enumerate(sample):
        if number % 20 == 0:
            # What a new process makes of the stored index.
            at = corpus(served, soak.folder / "cache")
        for question, arguments, expected in truth(soak, tree, commit):
            soak.same("answers", expected, at(question, {**arguments, "at": commit}), f"{question} {arguments} at {commit}")
    return f"{len(sample)} of {len(commits)} commits, {soak.made('answers')} answers"


def truth(soak, tree, commit):
    """What is asked of a commit, and what a fresh work tree of it answers; in the control that of its parent."""
    shown = golden.git(tree, "rev-list", "--max-count=2", commit).split()[-1] if soak.broken else commit
    golden.git(tree, "checkout", "--quiet", "--force", "--detach", shown)
    ask = corpus(tree)
    pages = [path for path in golden.git(tree, "-c", "core.quotePath=false", "ls-files", "*.md").splitlines()]
    names = [soak.random.choice(pages or ["none"]), "index", "no such page"]
    asked = [("search", search) for search in SEARCHES] + [("page", {"name": name}) for name in names]
    for question, arguments in [*asked, ("types", {}), ("status", {}), ("lint", {"limit": 1})]:
        text = ask(question, arguments)
        assert stamp(text) == shown, f"the tree at {shown} is not clean: {text[:300]!r}"
        yield question, arguments, restamped(text, tree, commit) if soak.broken else text
