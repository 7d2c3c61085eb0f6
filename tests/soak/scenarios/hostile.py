"""Whatever lies in the cache folder, the next answer is right, nobody crashes, and nobody waits for ever."""

import os
import resource
import shutil
import socket
import subprocess

import cache
from asking import Truth, cached, command
from checks import CACHE, Skipped
from texts import SEARCHES
from wiki import Wiki

CHECKS = ()
CACHE_CHECKS = ("answers", "calm", "healed")
# More than any answer needs, less than a careless reader of a sparse file would take.
MEMORY = 4 << 30
SPARSE = 64 << 30
SECONDS = 30


def run(soak):
    if not CACHE:
        raise Skipped("nothing is cached")
    wiki, stranger = (Wiki(soak.folder / name, soak.random, 100) for name in ("wiki", "stranger"))
    truth = Truth(soak, wiki.root)
    goods = []
    for number in range(3):
        # Each a cache of its own, and the last two of several segments.
        wiki.touch(number * 10)
        wiki.commit()
        good = soak.folder / f"good-{number}"
        if goods:
            shutil.copytree(goods[-1], good)
        fill(wiki, good)
        goods.append(good)
    [home] = (path.name for path in cache.wikis(goods[-1]))
    other = soak.folder / "other"
    fill(stranger, other)
    places = Places(soak.random, goods, other)
    done = []
    for turn in range(soak.times(400, least=len(DAMAGES))):
        damage = DAMAGES[turn % len(DAMAGES)]
        folder = soak.folder / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(goods[-1], folder)
        damage(places, folder)
        hurt = known(folder, home)
        done.append(damage.__name__)
        # Either the index would be current, or it would have to be refreshed.
        if moved := soak.random.random() < 0.5:
            wiki.touch(5)
            wiki.commit()
        what = f"{damage.__name__}{', then a commit' if moved else ''}, round {turn}"
        stderr = meet(soak, wiki, truth, folder, what)
        now = known(folder, home)
        good = now is not None and (now != hurt or hurt == known(goods[-1], home)) and not soak.broken
        what = f"{what}: after two calls the manifest is {'gone' if now is None else 'the hurt one'}, and no warning says so"
        soak.check("healed", stderr or good, what)
        if moved:
            fill(wiki, goods[-1])
    return f"{len(done)} damages of {len(DAMAGES)} kinds, {soak.made('answers')} answers"


def fill(wiki, folder):
    subprocess.run(command(wiki.root, "search", SEARCHES[0], *cached(folder)), stdout=subprocess.DEVNULL, check=True)


def known(folder, name):
    """What the manifest of a wiki's folder says."""
    path = folder / name / "manifest"
    return path.read_bytes() if path.is_file() and path.stat().st_size < SPARSE else None


def meet(soak, wiki, truth, folder, what):
    """The first call meets the damage, the second what the first made of it; gives what that one said."""
    for turn, search in enumerate((SEARCHES[0], soak.random.choice(SEARCHES))):
        status, stdout, stderr = limited(command(wiki.root, "search", search, *cached(folder)))
        soak.same("answers", truth(wiki.head, "search", search), stdout, f"{what}, call {turn}, {search}")
        # A warning is no harm where the folder cannot be repaired.
        lines = [line for line in stderr.splitlines() if not (line.startswith("warning:") and "nothing is cached" in line)]
        soak.check("calm", status == 0 and not lines and not soak.broken, f"{what}, call {turn}: status {status}, {stderr!r}")
    return stderr


def limited(line):
    """Runs a command that may take only so much memory and time."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # noqa: E731
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
    try:
        stdout, stderr = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        stdout, stderr = process.communicate()
        return "none: it hangs", stdout, stderr.decode(errors="replace")
    return process.returncode, stdout, stderr.decode(errors="replace")


class Places:
    """What damages are made with: random numbers, older states of the cache, and that of another wiki."""

    def __init__(self, random, goods, other):
        self.random = random
        self.goods = goods
        self.other = other

    def any(self, folder):
        """Some file that holds something."""
        return self.random.choice([path for path in cache.files(folder) if path.is_file() and path.stat().st_size] or cache.files(folder))

    def segment(self, folder):
        return self.random.choice(sorted(folder.rglob("*.segment")))


def manifest(folder):
    return cache.wikis(folder)[0] / "manifest"


def truncate(places, folder):
    path = places.any(folder)
    os.truncate(path, places.random.randrange(path.stat().st_size + 1))


def truncate_manifest(places, folder):
    path = manifest(folder)
    os.truncate(path, places.random.randrange(path.stat().st_size))


def flip(places, folder):
    """Some bits of some file, from one to many."""
    path = places.any(folder)
    content = bytearray(path.read_bytes())
    for _ in range(places.random.choice([1, 1, 1, 4, 64]) if content else 0):
        content[places.random.randrange(len(content))] ^= 1 << places.random.randrange(8)
    path.write_bytes(content)


def flip_manifest(places, folder):
    """Its beginning too, where a version may stand."""
    path = manifest(folder)
    content = bytearray(path.read_bytes())
    content[places.random.randrange(min(len(content), places.random.choice([16, 64, 1 << 20])))] ^= 1 << places.random.randrange(8)
    path.write_bytes(content)


def other_version(places, folder):
    """A manifest whose first number is another."""
    path = manifest(folder)
    content = bytearray(path.read_bytes())
    digits = [at for at, byte in enumerate(content) if chr(byte).isdigit() and byte < 128]
    if digits:
        content[digits[0]] = ord("9") if content[digits[0]] != ord("9") else ord("1")
    path.write_bytes(content)


def overwrite_a_stretch(places, folder):
    path = places.any(folder)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(places.random.randrange(max(1, size)))
        file.write(places.random.choice([b"\0", b"\xff"]) * places.random.randrange(1, 5000))


def append(places, folder):
    with places.any(folder).open("ab") as file:
        file.write(places.random.randbytes(places.random.randrange(1, 5000)))


def swap_segments(places, folder):
    """Two segments of one wiki, or one that takes the place of all others."""
    one, *others = places.random.sample(found := sorted(folder.rglob("*.segment")), len(found))
    for other in others[:1] or [manifest(folder)]:
        content = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(content)


def strange_segment(places, folder):
    shutil.copyfile(places.segment(places.other), places.segment(folder))


def strange_manifest(places, folder):
    shutil.copyfile(manifest(places.other), manifest(folder))


def strange_wiki(places, folder):
    """All that another wiki stored, under this one's name."""
    home = cache.wikis(folder)[0]
    shutil.rmtree(home)
    shutil.copytree(cache.wikis(places.other)[0], home)


def old_manifest(places, folder):
    shutil.copyfile(manifest(places.goods[0]), manifest(folder))


def old_segments(places, folder):
    """The present manifest among the segments of an older one, under the names it has."""
    home = cache.wikis(folder)[0]
    for path, old in zip(sorted(home.glob("*.segment")), sorted(places.goods[0].rglob("*.segment")) * 99):
        shutil.copyfile(old, path)


def remove_a_segment(places, folder):
    places.segment(folder).unlink()


def remove_the_manifest(places, folder):
    manifest(folder).unlink()


def garbage(places, folder):
    manifest(folder).write_bytes(places.random.randbytes(places.random.choice([1, 100, 100_000])))


def empty(places, folder):
    manifest(folder).write_bytes(b"")


def sparse(places, folder):
    """More bytes than there is memory, and none on the disk."""
    os.truncate(places.random.choice([manifest(folder), places.segment(folder)]), SPARSE)


def is_folder(places, folder):
    path = replaced(places, folder)
    (path / "inside").mkdir(parents=True)


def is_fifo(places, folder):
    os.mkfifo(replaced(places, folder))


def is_socket(places, folder):
    path = replaced(places, folder)
    # The whole path may be longer than a socket's name may be.
    with socket.socket(socket.AF_UNIX) as bound:
        parent = os.open(path.parent, os.O_RDONLY)
        bound.bind(f"/proc/self/fd/{parent}/{path.name}")
        os.close(parent)


def is_link(places, folder):
    """To nothing, to itself, to the same contents, to another wiki's, to what never ends."""
    path = places.random.choice([manifest(folder), places.segment(folder)])
    same = path.with_name("same")
    shutil.copyfile(path, same)
    path.unlink()
    path.symlink_to(places.random.choice(["nowhere", path, same, manifest(places.other), "/dev/zero", "/dev/null"]))


def home_is_link(places, folder):
    """The wiki's folder leads to another wiki's."""
    home = cache.wikis(folder)[0]
    shutil.rmtree(home)
    mine = folder / "copy"
    shutil.copytree(cache.wikis(places.other)[0], mine)
    home.symlink_to(mine)


def home_is_file(places, folder):
    home = cache.wikis(folder)[0]
    shutil.rmtree(home)
    home.write_bytes(b"a file")


def more_files(places, folder):
    home = cache.wikis(folder)[0]
    for name in ("x.segment", "manifest.new", ".tmp123", "lock", "ü\n.segment"):
        if not (home / name).exists():
            (home / name).write_bytes(places.random.randbytes(100))


def replaced(places, folder):
    """The place of some file that is removed."""
    path = places.random.choice([manifest(folder), manifest(folder), places.segment(folder), *locks(folder)])
    path.unlink()
    return path


def locks(folder):
    return [path for path in cache.files(folder) if "lock" in path.name]


DAMAGES = (
    truncate,
    flip,
    truncate_manifest,
    flip_manifest,
    other_version,
    overwrite_a_stretch,
    append,
    swap_segments,
    strange_segment,
    strange_manifest,
    strange_wiki,
    old_manifest,
    old_segments,
    remove_a_segment,
    remove_the_manifest,
    garbage,
    empty,
    sparse,
    is_folder,
    is_fifo,
    is_socket,
    is_link,
    home_is_link,
    home_is_file,
    more_files,
)
