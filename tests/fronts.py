"""The ways to ask a wiki, each as a function of a question and its arguments that gives an answer's JSON bytes.

A front that cannot say a question gives `None`: a command line has no option that is not there, a server no such tool.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from chemenu import _chemenu, api
from chemenu.cli import _options, load
from chemenu.errors import CorpusError

SCRIPTS = Path(sys.executable).parent
WIKITOOL = SCRIPTS / "wikitool"
SERVER = SCRIPTS / "chemenu-mcp"


def schema(question):
    """The JSON Schema of a question's arguments; `None` for an unknown one."""
    text = _chemenu.question_schema(question)
    return text and json.loads(text)


def compact(value):
    """A value in the form of the core's JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def door(root, **options):
    """The extension module; it can be asked anything."""
    corpus = _chemenu.Corpus(root, **options)
    return lambda question, arguments: corpus.ask(question, arguments)[0]


def wikitool(root, *arguments, **options):
    """Runs the command line in a process of its own."""
    command = [WIKITOOL, "--root", root, *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, **options)


def command_line(question, arguments):
    """The command and the arguments of `wikitool` that ask a question; `None` if it cannot be said there."""
    if question not in _chemenu.question_names():
        return None
    kinds = load(question.replace("_", "-")).ARGUMENTS
    options, words = [], []
    for name, value in arguments.items():
        kind = kinds.get(name)
        if kind == _options.ONE and isinstance(value, str):
            words.append(value)
        elif kind == _options.EACH and isinstance(value, list) and all(isinstance(item, str) for item in value):
            words.extend(value)
        elif (
            kind == _options.TEXT
            and isinstance(value, str)
            or kind == _options.NUMBER
            and (isinstance(value, int) or isinstance(value, str) and _options.number(value) == value)
        ):
            options.append(f"--{name}={value}")
        elif kind == _options.MAYBE and (value is True or isinstance(value, str)):
            options.append(f"--{name}" if value is True else f"--{name}={value}")
        elif kind == _options.LIST and isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value):
            options.extend(f"--{name}={item}" for item in value)
        else:
            return None
    return [question.replace("_", "-"), *options, "--", *words]


def cli(root):
    """`wikitool --json`."""

    def ask(question, arguments):
        line = command_line(question, arguments)
        if line is None:
            return None
        run = wikitool(root, "--json", *line)
        assert run.stderr == b""
        return run.stdout

    return ask


def python(root):
    """`chemenu.api`; what it returns or raises, in the form of the core's JSON."""
    corpus = api.Corpus(root)

    def ask(question, arguments):
        known = schema(question)
        if known is None or None in arguments.values():
            return None
        if not set(known.get("required", ())) <= arguments.keys() <= known["properties"].keys():
            return None
        try:
            return compact(getattr(corpus, question)(**arguments))
        except CorpusError as error:
            return compact(error.answer)

    return ask


def mcp(client):
    """An MCP server, through one of the clients of `mcp_client`."""

    def ask(question, arguments):
        if question not in _chemenu.question_names():
            return None
        result = client.call(question, arguments)
        [content] = result["content"]
        assert content["type"] == "text"
        assert result["structuredContent"] == json.loads(content["text"])
        assert result.get("isError", False) == ("error" in result["structuredContent"])
        return content["text"].encode()

    return ask


def assert_same(question, expected, found, front):
    """Two answers are the same, byte for byte; the API's objects are the same in value and order."""
    if front == "api":
        expected = compact(json.loads(expected))
    if expected != found:
        pytest.fail(f"{question} over {front} differs:\n{found.decode()}\nexpected:\n{expected.decode()}")
