"""A crowd of a hundred asks for ten minutes, each through a connection of its own: no error, and memory stays flat."""

import threading
import time

import mcp_client
from asking import BUDGET, Server, Truth, cached
from crowd import Crowd
from golden import steady
from texts import SEARCHES
from wiki import Wiki

CHECKS = ("answers", "errors", "memory")
CACHE_CHECKS = ()
CLIENTS = 100
SECONDS = 600
POINTS = 20
# Kilobytes that the end may be above what was held after a quarter, beside a tenth of that.
SLACK = 8 << 10
ASKED = [
    *(("search", search) for search in SEARCHES),
    ("page", {"name": "4-ref"}),
    ("links", {"name": "4-ref"}),
    ("types", {}),
    ("lint", {"limit": 5}),
]


def run(soak):
    wiki = Wiki(soak.folder / "wiki", soak.random, 1000)
    wiki.touch(50)
    wiki.commit()
    truth = Truth(soak, wiki.root)
    expected = [truth(wiki.head, question, arguments) for question, arguments in ASKED]
    order = soak.random.choices(range(len(ASKED)), k=1009)
    lock, curve = threading.Lock(), []

    def client(server, era):
        asking = mcp_client.Http(server.url, era).__enter__()

        def work(number):
            at = order[number % len(order)]
            question, arguments = ASKED[at]
            [content] = asking.call(question, {**arguments, **BUDGET})["content"]
            with lock:
                soak.same("answers", expected[at], steady(question, content["text"].encode()), f"{question} {arguments}")

        return work

    with Server(wiki.root, soak.folder / "server.log", "--dirty", "ignore", *cached(soak.folder / "cache")) as server:
        eras = (mcp_client.MODERN, mcp_client.LEGACY)
        with Crowd([client(server, eras[number % 2]) for number in range(CLIENTS)]) as crowd:
            pause = max(10, SECONDS * soak.scale) / POINTS
            for _ in range(POINTS):
                time.sleep(pause)
                curve.append(server.memory())
        lost = ["planted"] if soak.broken else crowd.lost
        soak.check("errors", not lost and not server.problems(), f"{lost[:3]} {server.problems()[:3]}")
    judged = [held + number * curve[0] // POINTS for number, held in enumerate(curve)] if soak.broken else curve
    # After a quarter all connections, kept answers and threads are there.
    begun, ended = judged[POINTS // 4], judged[-1]
    soak.check("memory", ended <= begun * 1.1 + SLACK, f"{ended >> 10} MB at the end, {begun >> 10} MB after a quarter")
    return f"{soak.made('answers')} answers to {CLIENTS} clients, MB: {' '.join(str(held >> 10) for held in curve)}"
