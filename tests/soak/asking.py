"""Asks wikis: by the command line, by servers, and in this process for what is right."""

import json
import re
import subprocess
import time

import fronts
import golden
import mcp_client
from checks import CACHE
from chemenu import api

# As much as any answer has: only servers cut by themselves.
BUDGET = {"budget": 1 << 24}
_TROUBLE = re.compile(r"error|warning|panicked|traceback|\block(ed)?\b", re.IGNORECASE)
_STAMP = re.compile(rb'\{"commit":(?:"(\w+)"|null),"as_of":"([^"]*)"')


def cached(folder):
    """The options that keep an index in a folder."""
    return ["--cache-dir", folder] if CACHE else []


def uncached():
    """The options that keep none."""
    return ["--no-cache"] if CACHE else []


def corpus(root, cache=None, **options):
    """A `Corpus` of the API with an index in the folder `cache`, or none; a function that gives an answer's bytes."""
    if CACHE:
        options |= {"cache_dir": cache} if cache else {"cache": False}
    opened = api.Corpus(root, **options)._corpus
    return lambda question, arguments: golden.steady(question, opened.ask(question, arguments)[0])


def command(root, question, arguments, *options):
    """The command line that asks a question."""
    return [fronts.WIKITOOL, "--root", root, *options, "--json", *fronts.command_line(question, arguments)]


def wikitool(root, question, arguments, *options, inside=(), **process):
    """Runs the command line. `inside` is the beginning of a command that runs another."""
    run = [*inside, *command(root, question, arguments, *options)]
    return subprocess.run(run, capture_output=True, timeout=120, **process)


def troubled(text):
    """Whether a text that programs wrote beside their answers tells of trouble."""
    return bool(_TROUBLE.search(text))


def stamp(text):
    """The commit that an answer names."""
    found = _STAMP.match(text)
    return found[1].decode() if found and found[1] else None


class Truth:
    """What a program answers that has seen nothing else and keeps nothing, asked of one commit.

    In the control it tells what the commit's parent says, with the right stamp: only the contents give it away.
    """

    def __init__(self, soak, root):
        self._broken = soak.broken
        self._root = root
        self._answers = {}
        self._opened = (None, None)

    def __call__(self, commit, question, arguments):
        key = (commit, question, json.dumps(arguments))
        if key not in self._answers:
            self._answers[key] = self._ask(commit, question, arguments)
        return self._answers[key]

    def _ask(self, commit, question, arguments):
        if self._opened[0] != commit:
            asked = golden.git(self._root, "rev-list", "--max-count=2", commit).split()[-1] if self._broken else commit
            self._opened = (commit, corpus(self._root, ref=asked))
        text = self._opened[1](question, arguments)
        return restamped(text, self._root, commit) if self._broken else text


def restamped(text, root, commit):
    """An answer as if it were that commit's."""
    found = _STAMP.match(text)
    seconds = int(golden.git(root, "show", "--no-patch", "--format=%ct", commit))
    as_of = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)).encode()
    return text.replace(found[1], commit.encode()).replace(found[2], as_of) if found and found[1] else text


class Server:
    """`chemenu-mcp` over HTTP on a free port. Its log goes to a file: nobody reads a pipe while it is soaked."""

    def __init__(self, root, log, *options, inside=(), **process):
        http = ["--transport", "streamable-http", "--listen", "127.0.0.1:0", "--log", "json"]
        run = [*inside, fronts.SERVER, "--root", root, *http, *options]
        self._log = log
        with log.open("wb") as stderr:
            self.process = subprocess.Popen(run, stderr=stderr, **process)
        deadline = time.monotonic() + 120
        while not (urls := [line["fields"]["url"] for line in self.log() if line["fields"].get("message") == "listening"]):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise AssertionError(f"the server does not listen: {log.read_text()}")
            time.sleep(0.01)
        self.url = urls[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def client(self):
        """A connection, as a function of a question; for one thread."""
        client = mcp_client.Http(self.url, mcp_client.MODERN)

        def ask(question, arguments):
            [content] = client.call(question, {**arguments, **BUDGET})["content"]
            return golden.steady(question, content["text"].encode())

        return ask

    def log(self):
        """What it logged, a line an object; the last may not be complete yet."""
        lines = []
        for line in self._log.read_text().splitlines():
            try:
                lines.append(json.loads(line))
            except ValueError:
                lines.append({"level": "ERROR" if "panicked" in line else "INFO", "fields": {"message": line}})
        return lines

    def problems(self):
        """What it logged that tells of trouble."""
        return [line for line in self.log() if line["level"] in ("WARN", "ERROR") or troubled(str(line["fields"]))]

    def memory(self):
        """What it holds, in kilobytes."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.kill()
