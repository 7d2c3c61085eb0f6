"""The two real wikis beside the checkout, where they are, and what git says of any wiki."""

import functools
import subprocess
from pathlib import Path

import golden
import pytest

SHARED = golden.ROOT.parent / "shared" / "corpora"

# Larger than any answer: nothing is left out.
BUDGET = 1 << 28


def shared():
    if not SHARED.is_dir():
        pytest.skip("../shared/corpora is absent")
    return SHARED


def commonplace(folder):
    """The wiki of Markdown links, with its history."""
    golden.git(folder.parent, "-c", "init.defaultBranch=main", "clone", "--quiet", str(shared() / "commonplace.bundle"), str(folder))
    return folder


def silverbullet(folder):
    """The wiki of wikilinks, in one commit."""
    archive = shared() / "silverbullet-docs.tar.xz"
    folder.mkdir()
    subprocess.run(["tar", "xJf", archive, "-C", folder], check=True)
    golden.commit(golden.init(folder))
    return folder / "docs"


def output(wiki, *arguments):
    """What git prints, to the byte."""
    command = ["git", "-c", "core.quotepath=off", *arguments]
    return subprocess.run(command, cwd=wiki, env=golden.ENVIRONMENT, stdout=subprocess.PIPE, check=True).stdout


class History:
    """A wiki's commits, read by git alone."""

    def __init__(self, wiki):
        self.wiki = Path(wiki)
        # One process reads all texts.
        self.reader = subprocess.Popen(["git", "cat-file", "--batch"], cwd=wiki, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.commits = output(wiki, "rev-list", "--first-parent", "HEAD").decode().split()

    @functools.lru_cache(maxsize=None)
    def pages(self, commit):
        """By path: the blob of each page. Hidden files and symlinks are none."""
        found = {}
        for line in output(self.wiki, "ls-tree", "-r", "-z", commit).split(b"\0")[:-1]:
            about, path = line.split(b"\t", 1)
            mode, _, blob = about.split()
            path = path.decode()
            if mode.startswith(b"100") and path.lower().endswith(".md") and not any(p.startswith(".") for p in path.split("/")):
                found[path] = blob.decode()
        return found

    def close(self):
        self.reader.communicate()

    @functools.lru_cache(maxsize=None)
    def blob(self, name):
        self.reader.stdin.write(f"{name}\n".encode())
        self.reader.stdin.flush()
        size = int(self.reader.stdout.readline().split()[2])
        return self.reader.stdout.read(size + 1)[:-1]

    def text(self, commit, path):
        """A page's text as everybody reads it: no mark at its beginning, one kind of line ends."""
        text = self.blob(self.pages(commit)[path]).decode("utf-8", "replace")
        return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    def lines(self, commit, path):
        """A page's lines, without a last empty one."""
        lines = self.text(commit, path).split("\n")
        return lines[:-1] if lines[-1] == "" else lines

    def differences(self, before, after):
        """What `git diff -M` says of all pages: each a status, the path, and the path before where it is another."""
        hidden = [":(exclude,glob)**/.*", ":(exclude,glob)**/.*/**"]
        listed = output(self.wiki, "diff", "--raw", "--no-abbrev", "-z", "-M", before, after, "--", ":(icase)*.md", *hidden)
        fields = iter(listed.decode().split("\0")[:-1])
        for about in fields:
            old_mode, new_mode, old, new, status = about.removeprefix(":").split()
            path = next(fields)
            if status[0] == "R":
                yield "renamed", next(fields), path
            # Symlinks are no pages, and a mode says nothing of a page.
            elif status == "A" and new_mode != "120000" or status == "T" and old_mode == "120000":
                yield "added", path, None
            elif status == "D" and old_mode != "120000" or status == "T" and new_mode == "120000":
                yield "removed", path, None
            elif status == "M" and old != new and new_mode != "120000":
                yield "changed", path, None
