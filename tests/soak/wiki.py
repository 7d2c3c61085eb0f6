"""Wikis that change: made of random pages, committed without git, which is too slow for thousands of commits."""

import hashlib
import os
import zlib
from pathlib import Path

import golden
from texts import CONFIG, TYPES, page

FILE, LINK = "100644", "120000"


class Repository:
    """Writes git's objects and branches itself, each as git does: complete before it is named."""

    def __init__(self, folder, bare=False):
        folder.mkdir(parents=True)
        golden.init(folder)
        if bare:
            golden.git(folder, "config", "core.bare", "true")
        self.folder = folder
        self.git = folder / ".git"
        self._written = set()

    def object(self, kind, content):
        """Writes an object and gives its id."""
        content = f"{kind} {len(content)}\0".encode() + content
        name = hashlib.sha1(content).hexdigest()
        if name not in self._written:
            _replace(self.git / "objects" / name[:2] / name[2:], zlib.compress(content, 1))
            self._written.add(name)
        return name

    def tree(self, files, modes):
        """Writes a folder's tree; `files` are bytes by path."""
        folders, entries = {}, []
        for path, content in files.items():
            name, _, rest = path.partition("/")
            if rest:
                folders.setdefault(name, {})[rest] = (path, content)
        for path, content in files.items():
            if "/" not in path:
                entries.append((path, modes.get(path, FILE), self.object("blob", content)))
        for name, below in folders.items():
            inner = {rest: modes[path] for rest, (path, _) in below.items() if path in modes}
            entries.append((name, "40000", self.tree({rest: content for rest, (_, content) in below.items()}, inner)))
        # Git sorts a folder as if its name ended in a slash.
        entries.sort(key=lambda entry: (entry[0] + "/" * (entry[1] == "40000")).encode())
        return self.object("tree", b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(id) for name, mode, id in entries))

    def commit(self, files, modes, parents, when):
        """Writes a commit; no branch has it yet."""
        who = f"Soak <soak@example.org> {when} +0000"
        lines = [f"tree {self.tree(files, modes)}", *(f"parent {parent}" for parent in parents), f"author {who}", f"committer {who}"]
        return self.object("commit", ("\n".join(lines) + "\n\nChange\n").encode())

    def move(self, branch, commit):
        """Lets a branch name a commit."""
        _replace(self.git / "refs" / "heads" / branch, f"{commit}\n".encode(), ".lock")


class Wiki:
    """A repository of pages, what is in it now, and all commits that it had."""

    def __init__(self, folder, random, pages, bare=False):
        self.random = random
        self.repository = Repository(folder, bare)
        self.root = self.repository.git if bare else folder
        self.bare = bare
        self.branch = "main"
        self.files = {"chemenu.toml": CONFIG, **TYPES}
        self.modes = {}
        self.heads = []
        # How many of `heads` a reader may have seen; the last may be on its way.
        self.seen = 0
        self._branches = {}
        self._number = 0
        for _ in range(pages):
            self.add()
        self.commit()
        golden.git(folder, "repack", "--quiet", "-a", "-d")
        golden.git(folder, "fsck", "--strict")

    @property
    def head(self):
        return self.heads[-1]

    def pages(self):
        """The pages' paths, types apart."""
        return [path for path in self.files if path.lower().endswith(".md") and not path.startswith("types/")]

    def add(self):
        """Adds a page and gives its path."""
        self._number += 1
        path, text = page(self.random, self._number)
        self.files[path] = text
        return path

    def touch(self, pages=1):
        """Changes some pages: each says a word that the commits before did not have, and links anew. None grows."""
        for path in self.random.sample(self.pages(), pages):
            text = f"\nRevision revision{len(self.heads) % 97} der Größe, siehe [[{self.random.randrange(1, self._number + 1)}-ref]].\n"
            self.files[path] = self.files[path].partition(b"\nRevision revision")[0] + text.encode()

    def commit(self, checkout=True, when=None, other_parents=()):
        """Commits what is there now, on the present branch, and gives the commit's id."""
        parents = ([self._tip] if self.heads else []) + list(other_parents)
        commit = self.repository.commit(self.files, self.modes, parents, when or 1_788_000_000 + 60 * len(self.heads))
        self.heads.append(commit)
        self.repository.move(self.branch, commit)
        self._tip = commit
        self.seen = len(self.heads)
        if checkout and not self.bare:
            self.git("reset", "--quiet", "--hard")
        return commit

    def switch(self, branch):
        """Goes to another branch, a new one if need be."""
        if branch not in self._branches:
            self.repository.move(branch, self._tip)
            self._branches[branch] = (dict(self.files), dict(self.modes), self._tip)
        self._branches[self.branch] = (self.files, self.modes, self._tip)
        self.branch = branch
        self.files, self.modes, self._tip = self._branches[branch]
        self.git("checkout", "--quiet", "--force", branch)
        self.heads.append(self._tip)
        self.seen = len(self.heads)

    def tip(self, branch):
        """The commit of a branch that is not the present one."""
        return self._branches[branch][2]

    def git(self, *arguments):
        return golden.git(self.repository.folder, *arguments)


def _replace(path, content, suffix=".new"):
    path.parent.mkdir(exist_ok=True)
    new = Path(f"{path}{suffix}")
    new.write_bytes(content)
    os.replace(new, path)
