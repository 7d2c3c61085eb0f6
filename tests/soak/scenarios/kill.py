"""Programs are killed while they build and refresh an index; whoever comes next is right, and nothing is left lying about."""

import statistics
import subprocess
import time

import cache
from asking import Server, Truth, cached, command, stamp, wikitool
from crowd import Crowd
from texts import SEARCHES
from wiki import Wiki

CHECKS = ("answers", "silence")
CACHE_CHECKS = ("leftovers",)
PAGES = 300


def run(soak):
    wiki = Wiki(soak.folder / "wiki", soak.random, PAGES)
    truth = Truth(soak, wiki.root)
    builds = soak.times(200)
    killed = wikitools(soak, wiki, truth, builds)
    starts = soak.times(40)
    refreshed = servers(soak, wiki, truth, starts)
    servers_killed = f"{starts} servers with {refreshed} killed under way"
    return f"{killed} of {builds} builds killed before their end, {servers_killed}, {soak.made('answers')} answers"


def wikitools(soak, wiki, truth, builds):
    """Every third kill meets a new cache, the others one that is refreshed. Every other one comes soon after something was written."""
    building, refreshing = durations(wiki, soak.folder / "timing")
    killed, folder = 0, None
    for turn in range(builds):
        if turn % 3 == 0:
            tidy(soak, wiki, truth, folder)
            folder = soak.folder / f"cache-{turn}"
        usual = building if turn % 3 == 0 else refreshing
        wiki.touch(soak.random.randrange(1, 20))
        wiki.commit()
        process = start(wiki, folder)
        if turn % 2:
            written(folder, process)
            time.sleep(soak.random.uniform(0, 0.03 * usual))
        else:
            time.sleep(soak.random.uniform(0, 1.1 * usual))
        process.kill()
        killed += process.wait() < 0
        # Sometimes nobody asks before the next is killed.
        if soak.random.random() < 0.8:
            asked(soak, wiki, truth, folder)
    tidy(soak, wiki, truth, folder)
    return killed


def start(wiki, folder):
    return subprocess.Popen(
        command(wiki.root, "search", SEARCHES[0], *cached(folder)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def durations(wiki, folder):
    """Seconds that a build and a refresh take."""
    times = []
    for _ in range(4):
        wiki.touch(10)
        wiki.commit()
        begin = time.monotonic()
        start(wiki, folder).wait()
        times.append(time.monotonic() - begin)
    return times[0], statistics.median(times[1:])


def written(folder, process):
    """Waits until something in a folder changes, or the process is at its end."""
    before = state(folder)
    while process.poll() is None and state(folder) == before:
        time.sleep(0.0005)


def state(folder):
    found = []
    for path in [folder, *sorted(folder.rglob("*"))]:
        try:
            about = path.stat()
        except FileNotFoundError:
            continue
        found.append((path, about.st_mtime_ns, about.st_size))
    return found


def asked(soak, wiki, truth, folder):
    """The next call answers what is right, and says nothing else."""
    for question, arguments in (("search", soak.random.choice(SEARCHES)), ("search", SEARCHES[0])):
        done = wikitool(wiki.root, question, arguments, *cached(folder))
        soak.same("answers", truth(wiki.head, question, arguments), done.stdout, f"{arguments} at {wiki.head}")
        stderr = done.stderr or b"an error of the control" * soak.broken
        soak.check("silence", stderr == b"" and done.returncode == 0, f"status {done.returncode}, {stderr!r}")


def tidy(soak, wiki, truth, folder):
    """After one more commit and a call that nobody kills a cache has no leftovers."""
    if folder:
        wiki.touch()
        wiki.commit()
        asked(soak, wiki, truth, folder)
        clean(soak, folder)


def clean(soak, folder):
    if "leftovers" in soak.kinds:
        [home, *_] = cache.wikis(folder)
        if soak.broken:
            (home / "0123456789abcdef.segment").write_bytes(b"nobody names this")
        left = cache.leftovers(folder)
        soak.check("leftovers", not left, f"left in {folder.name}: {', '.join(left)}")


def servers(soak, wiki, truth, starts):
    """Each start meets what a killed server left; then commits come while it answers, until it is killed as well."""
    folder = soak.folder / "servers"
    usual, refreshed = 1.0, 0
    for turn in range(starts):
        with Server(wiki.root, soak.folder / "server.log", "--dirty", "ignore", *cached(folder)) as server:
            begin = time.monotonic()
            for question, arguments in (("search", SEARCHES[0]), ("search", soak.random.choice(SEARCHES)), ("types", {})):
                found = server.client()(question, arguments)
                soak.same("answers", truth(wiki.head, question, arguments), found, f"{arguments} at {wiki.head}, server {turn}")
            usual = min(usual, time.monotonic() - begin)
            ask = server.client()
            # Keeps it refreshing, until it is gone.
            with Crowd([lambda _: ask("search", SEARCHES[0])]):
                for _ in range(soak.random.randrange(1, 4)):
                    wiki.touch(soak.random.randrange(1, 20))
                    wiki.commit()
                    time.sleep(soak.random.uniform(0, usual))
                refreshed += server.process.poll() is None
                server.kill()
    with Server(wiki.root, soak.folder / "server.log", "--dirty", "ignore", *cached(folder)) as server:
        found = server.client()("search", SEARCHES[0])
        soak.same("answers", truth(stamp(found), "search", SEARCHES[0]), found, "the last server")
    clean(soak, folder)
    return refreshed

