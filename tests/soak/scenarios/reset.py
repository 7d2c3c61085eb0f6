"""`git reset --hard` between ten commits as fast as it goes, under a hundred clients; no answer mixes two of them."""

import threading
import time

from asking import Server, Truth, cached, stamp
from crowd import Crowd
from texts import SEARCHES
from wiki import Wiki

CHECKS = ("answers", "commits met")
CACHE_CHECKS = ()
CLIENTS = 100
COMMITS = 10
ASKED = [("search", SEARCHES[0]), ("search", SEARCHES[1]), ("page", {"name": "4-ref"}), ("types", {}), ("lint", {"limit": 5})]


def run(soak):
    wiki = Wiki(soak.folder / "wiki", soak.random, 200)
    for _ in range(COMMITS - 1):
        wiki.touch(50)
        wiki.add()
        # Every commit answers a name otherwise.
        wiki.files["concepts/four.md"] = f'---\ntitle: "4-ref"\n---\n# 4-ref\n\nRevision{len(wiki.heads)}\n'.encode()
        wiki.commit(checkout=False)
    truth = Truth(soak, wiki.root)
    expected = {
        (commit, question, str(arguments)): truth(commit, question, arguments) for commit in wiki.heads for question, arguments in ASKED
    }
    lock, met, resets = threading.Lock(), {}, 0

    def client(server):
        ask = server.client()

        def work(number):
            question, arguments = ASKED[number % len(ASKED)]
            text = ask(question, arguments)
            commit = stamp(text)
            with lock:
                met[commit] = met.get(commit, 0) + 1
                soak.same("answers", expected.get((commit, question, str(arguments)), b""), text, f"{question} {arguments} at {commit}")

        return work

    with Server(wiki.root, soak.folder / "server.log", "--dirty", "ignore", *cached(soak.folder / "cache")) as server:
        with Crowd([client(server) for _ in range(CLIENTS)]) as crowd:
            end = time.monotonic() + max(5, 120 * soak.scale)
            while time.monotonic() < end:
                wiki.git("reset", "--quiet", "--hard", soak.random.choice(wiki.heads))
                resets += 1
    for problem in crowd.lost:
        soak.check("answers", False, problem)
    met.pop(None, None)
    enough = len(met) >= (COMMITS // 2) and not soak.broken
    soak.check("commits met", enough, f"answers only at {len(met)} of {COMMITS} commits")
    return f"{resets} resets, {sum(met.values())} answers at {len(met)} commits by {CLIENTS} clients"
