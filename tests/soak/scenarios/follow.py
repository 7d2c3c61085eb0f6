"""Two work trees, two branches and an old commit share a cache: each is answered rightly, and none throws away what another stored."""

import time

import cache
from asking import Truth, cached, wikitool
from texts import SEARCHES
from wiki import Wiki

CHECKS = ("answers",)
CACHE_CHECKS = ("no thrashing", "something stored")


def run(soak):
    wiki = Wiki(soak.folder / "wiki", soak.random, 100)
    old = wiki.head
    for branch in ("other", "main"):
        wiki.switch(branch)
        for _ in range(5):
            wiki.touch(10)
            wiki.add()
            wiki.commit()
    other = soak.folder / "tree"
    wiki.git("worktree", "add", "--quiet", other, "other")
    tips = {"main": wiki.head, "other": wiki.tip("other")}
    askers = [
        (wiki.root, (), tips["main"]),
        (other, (), tips["other"]),
        (wiki.root, ("--at", old), old),
        (other, ("--at", "main"), tips["main"]),
        (wiki.root, ("--ref", "other"), tips["other"]),
        (other, ("--ref", old), old),
    ]
    truth = Truth(soak, wiki.root)
    folder = soak.folder / "cache"
    rounds, stored = soak.times(50), None
    for turn in range(rounds):
        for root, options, commit in askers:
            search = SEARCHES[turn % len(SEARCHES)]
            done = wikitool(root, "search", search, *options, *cached(folder))
            soak.same("answers", truth(commit, "search", search), done.stdout, f"{root.name} {options} {search}")
            soak.check("answers", done.stderr == b"", f"{root.name} {options} says {done.stderr!r}")
            if stored is not None:
                unmoved(soak, folder, stored, f"round {turn}, {root.name} {options}")
        if "something stored" in soak.kinds and stored is None:
            stored = cache.segments(folder)
            soak.check("something stored", stored and not soak.broken, "the first round stored no segment")
    return f"{rounds} rounds of {len(askers)}, {soak.made('answers') // 2} answers, {len(stored or ())} segments"


def unmoved(soak, folder, stored, what):
    """No segment was written, added or removed; counts only once per change."""
    if soak.broken and stored:
        time.sleep(0.01)
        (folder / next(iter(stored))).touch()
    now = cache.segments(folder)
    changed = sorted(name for name in now.keys() | stored.keys() if now.get(name) != stored.get(name))
    soak.check("no thrashing", not changed, f"{what} wrote {', '.join(changed)}")
    stored.clear()
    stored.update(now)
