"""Where nothing can be written, or no more: reading works all the same, and says that nothing is cached.

Each place is mounted in a namespace of its own, which ends with the program inside.
"""

import os
import shlex
import subprocess
import time
from pathlib import Path

from asking import Server, Truth, cached, wikitool
from checks import CACHE, Skipped
from texts import SEARCHES
from wiki import Wiki

# Seconds until a server's log says what went wrong beside an answer.
PATIENCE = 15
CHECKS = ("answers", "calm")
CACHE_CHECKS = ("warnings", "no needless warnings", "logged", "refused inside the wiki")


def run(soak):
    if subprocess.run(inside("true"), capture_output=True).returncode:
        raise Skipped("nothing can be mounted here")
    wiki = Wiki(soak.folder / "wiki", soak.random, 300)
    truth = Truth(soak, wiki.root)
    good, old, small, home = (soak.folder / name for name in ("good", "old", "small", "home"))
    for folder in (good, old, small, home):
        folder.mkdir()
    file = soak.folder / "file"
    file.write_text("not a folder\n")
    # Written for a commit before the present one.
    wikitool(wiki.root, "search", SEARCHES[0], *cached(old))
    wiki.touch(30)
    wiki.commit()
    wikitool(wiki.root, "search", SEARCHES[0], *cached(good))
    # Whoever finds a home without HOME shall not write there.
    own = quoted(Path.home() / ".cache")
    environment = {name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "HOME")}
    at_home, homeless = {**environment, "HOME": str(home)}, environment
    xdg = {**environment, "HOME": str(home), "XDG_CACHE_HOME": str(small)}
    # What is mounted, options, surroundings, and whether a warning is due; `None` where one may be or not.
    places = {
        "a read-only .git": (read_only(wiki.root / ".git"), cached(good), None, False),
        "a read-only wiki": (read_only(wiki.root), cached(good), None, False),
        "a read-only folder with an old index": (read_only(old), cached(old), None, True),
        "a read-only folder with the present index": (read_only(good), cached(good), None, None),
        "a read-only empty folder": (f"mount -t tmpfs -o ro none {quoted(small)}", cached(small), None, True),
        "a read-only home": (f"mount -t tmpfs -o ro none {quoted(home)}", [], at_home, True),
        "a read-only XDG_CACHE_HOME": (f"mount -t tmpfs -o ro none {quoted(small)}", [], xdg, True),
        "no home": (f"[ ! -d {own} ] || mount -t tmpfs none {own}", [], homeless, None),
        "a full disk": (f"mount -t tmpfs -o size=64k none {quoted(small)}", cached(small), None, True),
        "a full disk that has room for a little": (f"mount -t tmpfs -o size=200k none {quoted(small)}", cached(small), None, None),
        "no room for another file": (f"mount -t tmpfs -o nr_inodes=2 none {quoted(small)}", cached(small), None, True),
        "a file where a folder should be": ("true", cached(file), None, True),
        "a folder below a file": ("true", cached(file / "below"), None, True),
        "a folder that is not there": ("true", cached(soak.folder / "new" / "deep"), None, False),
    }
    for name, (mounts, options, surroundings, warns) in places.items():
        for _ in range(soak.times(5, least=2)):
            called(soak, wiki, truth, name, inside(mounts), options, surroundings, warns)
        served(soak, wiki, truth, name, inside(mounts), options, surroundings, warns)
    if CACHE:
        refused(soak, wiki)
    return f"{len(places)} places, {soak.made('answers')} answers"


def inside(mounts):
    """The beginning of a command that runs another one where something is mounted."""
    return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", f'{mounts}; exec "$@"', "sh"]


def read_only(folder):
    return f"mount --bind {quoted(folder)} {quoted(folder)} && mount -o remount,ro,bind {quoted(folder)}"


def quoted(path):
    return shlex.quote(str(path))


def called(soak, wiki, truth, name, inside, options, surroundings, warns):
    """Twice in one namespace: the second call meets what the first one left."""
    search = soak.random.choice(SEARCHES)
    expected = truth(wiki.head, "search", search)
    # The first one's answer goes to a file that is compared as well.
    first = soak.folder / "first.json"
    twice = [*inside, "sh", "-c", f'"$@" >{quoted(first)}; exec "$@"', "sh"]
    done = wikitool(wiki.root, "search", search, *options, inside=twice, env=surroundings)
    soak.same("answers", expected, first.read_bytes(), f"{name}, first call, {search}")
    soak.same("answers", expected, done.stdout, f"{name}, second call, {search}")
    lines = done.stderr.decode(errors="replace").splitlines()
    warnings = [line for line in lines if line.startswith("warning:") and "nothing is cached" in line]
    calm = len(lines) == len(warnings) <= 2 and done.returncode == 0 and not soak.broken
    soak.check("calm", calm, f"{name}: status {done.returncode}, {lines}")
    judge(soak, warns, len(warnings) == 2, bool(warnings), f"{name} says {lines}")


def judge(soak, warns, all_warned, any_warned, what):
    """A warning is due from each call, or from none; in the control it is the other way round."""
    if not CACHE or warns is None:
        return
    if soak.broken:
        all_warned, any_warned = not all_warned, not any_warned
    if warns:
        soak.check("warnings", all_warned, what)
    else:
        soak.check("no needless warnings", not any_warned, what)


def served(soak, wiki, truth, name, inside, options, surroundings, warns):
    """A server there answers as well, and its log says so."""
    with Server(wiki.root, soak.folder / "server.log", *options, inside=inside, env=surroundings) as server:
        for search in SEARCHES[:2]:
            soak.same("answers", truth(wiki.head, "search", search), server.client()("search", search), f"{name}, server, {search}")
        deadline = time.monotonic() + PATIENCE if CACHE and warns else 0
        while not warned(server) and time.monotonic() < deadline:
            time.sleep(0.1)
        lines = [str(line["fields"].get("message")) for line in server.log()]
        soak.check("calm", not any("panicked" in line for line in lines) and not soak.broken, f"{name}, server: {lines}")
    if CACHE and warns is not None:
        soak.check("logged", (warned(server) != soak.broken) == warns, f"{name}: the server logged {lines}")


def warned(server):
    return any("nothing is cached" in str(line["fields"]) for line in server.log())


def refused(soak, wiki):
    """An index inside the wiki or its repository is refused, and nothing is written there."""
    for folder in (wiki.root / "cache", wiki.root / ".git" / "cache", wiki.root / "concepts" / ".." / "cache"):
        if soak.broken:
            folder.mkdir(parents=True, exist_ok=True)
        done = wikitool(wiki.root, "search", SEARCHES[0], *cached(folder))
        what = f"{folder.relative_to(wiki.root)}: status {done.returncode}, {done.stdout[:300]!r}, {done.stderr!r}"
        soak.check("refused inside the wiki", done.returncode == 2 and not folder.exists(), what)
