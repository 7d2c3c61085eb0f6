"""What a scenario is given, and what it finds.

A scenario's file has `CHECKS`, the kinds of checks it makes, `CACHE_CHECKS`, those that need a stored index, and `run(soak)`, which
gives the counts to print. A kind that was never checked fails: nobody would notice else. So does, in the control, a kind that found
nothing: there each is handed something wrong.
"""

import os
import random

CACHE = os.environ.get("SOAK_CACHE") != "off"
SHOWN = 5


class Skipped(Exception):
    """What a scenario needs is not here."""


class Soak:
    """One run of one scenario: its random numbers, its folder and its findings."""

    def __init__(self, name, module, folder):
        self.seed = int(os.environ.get("SOAK_SEED") or 1)
        self.scale = float(os.environ.get("SOAK_SCALE") or 1)
        self.broken = os.environ.get("SOAK_BREAK") == "1"
        self.random = random.Random(f"{name} {self.seed}")
        self.folder = folder
        self.kinds = [*module.CHECKS, *(module.CACHE_CHECKS if CACHE else ())]
        self._made = dict.fromkeys(self.kinds, 0)
        self._failures = []

    def times(self, number, least=3):
        """How often something is done at this scale."""
        return max(least, round(number * self.scale))

    def check(self, kind, holds, what):
        """Something holds; `what` says what does not. Kinds of checks are counted, so they are known beforehand."""
        self._made[kind] += 1
        if not holds:
            self.fail(kind, what)

    def same(self, kind, expected, found, what):
        """Two answers are the same bytes."""
        self.check(kind, expected == found, expected == found or f"{what}: {difference(expected, found)}")

    def fail(self, kind, what):
        self._failures.append((kind, what))

    def made(self, kind):
        return self._made[kind]

    def _unlike(self):
        """The first failure of each sort: they differ in their kind, or before their first comma."""
        sorts = {}
        for kind, what in self._failures:
            sorts.setdefault((kind, what.partition(",")[0]), (kind, what))
        return list(sorts.values())

    def verdict(self):
        """How the scenario went, and lines that say more."""
        failed = {kind for kind, _ in self._failures}
        never = [kind for kind in self.kinds if not self._made[kind]]
        if self.broken:
            unseen = [kind for kind in self.kinds if kind not in failed] + sorted(failed - set(self.kinds))
            told = [f"{kind}: {what}" for kind, what in self._failures if kind not in self.kinds]
            return (f"FAILED control: {', '.join(unseen)}", told) if unseen else (f"ok, found {', '.join(self.kinds)}", [])
        if failed or never:
            told = [f"{kind}: {what}" for kind, what in self._unlike()[:SHOWN]] + [f"{kind}: never checked" for kind in never]
            return f"FAILED {len(self._failures) + len(never)}", told
        return "ok" if CACHE else "ok (nothing is cached)", []


def difference(expected, found, around=60):
    """Where two texts part."""
    at = next((at for at, (a, b) in enumerate(zip(expected, found)) if a != b), min(len(expected), len(found)))
    shown = slice(max(0, at - around), at + around)
    return f"from byte {at} of {len(expected)} and {len(found)} on: expected …{expected[shown]!r}…, found …{found[shown]!r}…"
