"""The golden wiki: its repository, its questions, its expected answers.

The wiki is plain files; `repository` commits them so that the commit's id is the same on every machine: branch `main`, one
commit, fixed names, dates and message, no executable files, no conversion of line ends, and nobody's own configuration of git.
Whoever wants the same id from another language does the same:

    git init --initial-branch main --object-format sha1 --template ''
    git config core.autocrlf false
    git config core.fileMode false
    git add --all --force
    git commit --message 'Golden wiki'   # names and dates: `ENVIRONMENT`
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "golden"
CASES = json.loads((GOLDEN / "cases.json").read_text())
COMMANDS = json.loads((GOLDEN / "commands.json").read_text())
WRITE = os.environ.get("CHEMENU_GOLDEN") == "write"
RENEW = "if that is intended, run `CHEMENU_GOLDEN=write tests/run` and read the diff"

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "CHEMENU_"))},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Golden Author",
    "GIT_AUTHOR_EMAIL": "author@example.org",
    "GIT_AUTHOR_DATE": "2026-09-02T10:00:00+00:00",
    "GIT_COMMITTER_NAME": "Golden Committer",
    "GIT_COMMITTER_EMAIL": "committer@example.org",
    "GIT_COMMITTER_DATE": "2026-09-02T12:00:00+00:00",
}


def git(folder, *arguments):
    """Runs git in `folder` and gives its output."""
    run = subprocess.run(["git", *arguments], cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, check=True)
    return run.stdout.decode().strip()


def init(folder):
    """An empty repository in `folder`."""
    git(folder, "init", "--quiet", "--initial-branch", "main", "--object-format", "sha1", "--template", "")
    git(folder, "config", "core.autocrlf", "false")
    git(folder, "config", "core.fileMode", "false")
    return folder


def commit(folder, message="Golden wiki"):
    """Commits all files in `folder` and gives the commit's id."""
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD")


def repository(folder):
    """The golden wiki, committed in the new `folder`."""
    shutil.copytree(GOLDEN / "wiki", folder, symlinks=True)
    commit(init(folder))
    return folder


def expect(path, found):
    """Compares bytes to a golden file, or rewrites it."""
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(found)
    assert path.exists(), f"no {path.relative_to(ROOT)}; {RENEW}"
    assert found == path.read_bytes(), f"{path.relative_to(ROOT)} differs; {RENEW}"


def expect_no_others(folder, suffix, names):
    """A golden file without a case is an error, or is removed."""
    orphans = sorted(path for path in folder.iterdir() if path.name not in {name + suffix for name in names})
    if WRITE:
        for path in orphans:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        orphans = []
    assert not orphans, f"no case for {', '.join(path.name for path in orphans)}; {RENEW}"


_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^"\[\]{},:]+')


def indented(text):
    """JSON as the core writes it, with line ends and indentation, for people to read a diff; nothing else is changed."""
    depth, parts, previous = 0, [], b""
    for token in _TOKEN.findall(text):
        if token in (b"]", b"}"):
            depth -= 1
        if previous in (b"[", b"{", b",") and not (previous != b"," and token in (b"]", b"}")) or (
            token in (b"]", b"}") and previous not in (b"[", b"{")
        ):
            parts.append(b"\n" + b"  " * depth)
        parts.append(token + b" " if token == b":" else token)
        if token in (b"[", b"{"):
            depth += 1
        previous = token
    return b"".join(parts) + b"\n"


def steady(question, text):
    """An answer's JSON without what is true of the moment and not of the snapshot."""
    value = json.loads(text)
    if question != "status" or "source" not in value:
        return text
    value["source"] = "changes with every run"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
