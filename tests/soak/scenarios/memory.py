"""A server that refreshes all day holds no more in the evening than in the morning."""

import time

from asking import Server, Truth, cached, stamp
from texts import SEARCHES
from wiki import Wiki

CHECKS = ("answers", "memory")
CACHE_CHECKS = ()
POINTS = 20
# Kilobytes that the end may be above the first point, beside a tenth of that.
SLACK = 8 << 10


def run(soak):
    wiki = Wiki(soak.folder / "wiki", soak.random, 1000, bare=True)
    truth = Truth(soak, wiki.root)
    refreshes = soak.times(10_000, least=POINTS)
    curve = []
    with Server(wiki.root, soak.folder / "server.log", "--ref", "main", *cached(soak.folder / "cache")) as server:
        ask = server.client()
        for turn in range(1, refreshes + 1):
            wiki.touch()
            head = wiki.commit()
            search = SEARCHES[turn % len(SEARCHES)]
            found = answered(ask, search, head)
            if turn % max(1, refreshes // 100) == 0:
                soak.same("answers", truth(head, "search", search), found, f"{search} at {head}")
            if turn * POINTS // refreshes > len(curve):
                curve.append(server.memory())
    judged = [held + number * curve[0] // POINTS for number, held in enumerate(curve)] if soak.broken else curve
    allowed = judged[0] * 1.1 + SLACK
    soak.check("memory", judged[-1] <= allowed, f"{judged[-1] >> 10} MB at the end, {judged[0] >> 10} MB at first")
    return f"{refreshes} refreshes, MB: {' '.join(str(held >> 10) for held in curve)}"


def answered(ask, search, head):
    """The answer at that commit; a refresh of more than two seconds is not waited for."""
    deadline = time.monotonic() + 60
    while stamp(found := ask("search", search)) != head and time.monotonic() < deadline:
        time.sleep(0.01)
    if stamp(found) != head:
        raise AssertionError(f"a server does not follow to {head}: {found[:300]!r}")
    return found
