"""After any commits an index that was kept, a fresh one and none give the same bytes."""

import re

import golden
from asking import Server, Truth, cached, corpus, wikitool
from edits import edit
from texts import questions
from wiki import Wiki

CHECKS = ("kept", "fresh", "resident", "server", "command line", "changed files")
CACHE_CHECKS = ()


def run(soak):
    wiki = Wiki(soak.folder / "wiki", soak.random, 120)
    truth = Truth(soak, wiki.root)
    kept = soak.folder / "kept"
    resident = corpus(wiki.root, kept)
    commits, asked, done = soak.times(200), 0, []
    with Server(wiki.root, soak.folder / "server.log", *cached(soak.folder / "server")) as server:
        ask = server.client()
        for turn in range(commits):
            done.append(edit(wiki))
            # Sometimes nobody asks between two commits.
            if turn != commits - 1 and soak.random.random() < 0.3:
                continue
            asked += 1
            fresh = soak.folder / f"fresh-{turn}"
            # The first to ask a fresh folder fills it, the second reads what the first wrote.
            fronts = [
                ("kept", corpus(wiki.root, kept)),
                ("resident", resident),
                ("fresh", corpus(wiki.root, fresh)),
                ("fresh", corpus(wiki.root, fresh)),
                ("server", ask),
            ]
            asks = questions(wiki, soak.random)
            compare(soak, wiki, truth, fronts, asks, ", ".join(done[-3:]))
            by_command(soak, wiki, truth, kept, soak.random.choice(asks))
            if asked % 5 == 1:
                changed_files(soak, wiki, kept, asks)
                compare(soak, wiki, truth, fronts[:2], asks[:3], "after changed files")
    return f"{commits} commits of {len(set(done))} kinds, asked after {asked} of them, {sum(map(soak.made, CHECKS))} answers"


def compare(soak, wiki, truth, fronts, asks, after):
    for question, arguments in asks:
        expected = truth(wiki.head, question, arguments)
        for name, ask in fronts:
            soak.same(name, expected, ask(question, arguments), f"{question} {arguments} at {wiki.head}, after {after}")


def by_command(soak, wiki, truth, kept, asked):
    question, arguments = asked
    found = wikitool(wiki.root, question, arguments, *cached(kept)).stdout
    soak.same("command line", truth(wiki.head, question, arguments), golden.steady(question, found), f"{question} {arguments}")


def changed_files(soak, wiki, kept, asks):
    """A work tree with changes: read from files, and nothing of that is kept."""
    path = wiki.root / soak.random.choice(wiki.pages() or ["types/note.md"])
    if not path.is_symlink():
        path.write_bytes(path.read_bytes() + b"\nRevision revisionless.\n")
    (wiki.root / "untracked.md").write_text("# Untracked\n\nPublish gate, [[3-ref]].\n")
    for question, arguments in asks:
        expected, found = (timeless(ask(question, arguments)) for ask in (corpus(wiki.root), corpus(wiki.root, kept)))
        soak.same("changed files", expected, found + b" " * soak.broken, f"{question} {arguments} in a changed work tree")
    wiki.git("reset", "--quiet", "--hard")
    wiki.git("clean", "--quiet", "--force")


def timeless(text):
    """An answer without the time at which files were read."""
    return re.sub(rb'"as_of":"[^"]*"', b'"as_of":"then"', text, count=1)
