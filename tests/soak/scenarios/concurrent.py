"""Two servers and many command lines share a cache while commits come ten times a second; nobody is wrong, late or loud."""

import time

from asking import Server, Truth, cached, stamp, wikitool
from crowd import Crowd
from texts import SEARCHES
from wiki import Wiki

CHECKS = ("answers", "silence", "commits seen")
CACHE_CHECKS = ()
CALLERS = 20


def run(soak):
    wiki = Wiki(soak.folder / "wiki", soak.random, 300)
    cache = cached(soak.folder / "cache")
    truth = Truth(soak, wiki.root)
    asked = [("search", search) for search in SEARCHES] + [("page", {"name": "4-ref"}), ("types", {})]
    answers, loud = [], []

    def call(number):
        question, arguments = asked[number * 5 % len(asked)]
        before = wiki.seen - 1
        found = wikitool(wiki.root, question, arguments, "--dirty", "ignore", *cache)
        # What HEAD was at some moment of the call.
        possible = wiki.heads[before:] if not soak.broken else []
        answers.append((question, arguments, found.stdout, possible))
        if found.stderr or found.returncode:
            loud.append(f"wikitool: status {found.returncode}, {found.stderr!r}")

    def follow(server):
        ask = server.client()

        def work(number):
            question, arguments = asked[number * 5 % len(asked)]
            answers.append((question, arguments, ask(question, arguments), None))

        return work

    servers = [Server(wiki.root, soak.folder / f"server-{number}.log", "--dirty", "ignore", *cache) for number in range(2)]
    try:
        works = [call] * CALLERS + [follow(server) for server in servers for _ in range(2)]
        with Crowd(works) as crowd:
            end = time.monotonic() + max(5, 60 * soak.scale)
            while time.monotonic() < end:
                wiki.touch(soak.random.randrange(1, 10))
                wiki.commit()
                time.sleep(0.1)
        loud += [str(line) for server in servers for line in server.problems()]
        loud += crowd.lost + ["an error of the control"] * soak.broken
    finally:
        for server in servers:
            server.stop()
    judge(soak, truth, answers, loud)
    stamps = {stamp(text) for _, _, text, _ in answers}
    return f"{len(wiki.heads)} commits, {len(answers)} answers at {len(stamps)} of them by {CALLERS} callers and two servers"


def judge(soak, truth, answers, loud):
    """Answers are sorted by commit, so that each commit is read once."""
    for question, arguments, text, possible in sorted(answers, key=lambda answer: stamp(answer[2]) or ""):
        commit = stamp(text)
        if commit is None:
            soak.check("answers", False, f"{question} {arguments} has no stamp: {text[:300]!r}")
            continue
        soak.same("answers", truth(commit, question, arguments), text, f"{question} {arguments} at {commit}")
        if possible is not None:
            soak.check("commits seen", commit in possible, f"{commit} was not HEAD during the call")
    soak.check("silence", not loud, "; ".join(loud[:3]))
