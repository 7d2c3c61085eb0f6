"""Reading changes nothing: neither the work tree nor `.git`, by content or by time."""

import os

import fronts
import golden
import mcp_client
import pytest
from chemenu import _chemenu
from tree import tree

# Besides the golden cases: values that a careless program would take for paths, patterns, revisions or options.
HOSTILE = ["", "../../x", "/etc/passwd", "%2e%2e/x", "--root", "HEAD", "*", "a\nb", "\0", "[", "$(touch x)", "`touch x`", ".git/config", "😀" * 1000]


def hostile_cases():
    for question in _chemenu.question_names():
        for name, argument in fronts.schema(question)["properties"].items():
            for value in HOSTILE:
                rest = {"query": "x", "name": "x", "type": "x", "since": "HEAD"}
                required = {key: rest[key] for key in fronts.schema(question).get("required", ())}
                yield question, {**required, name: [value] if argument.get("type") == "array" else value}


def ask_everything(client):
    count = 0
    for case in golden.CASES:
        if case["question"] in _chemenu.question_names():
            client.call(case["question"], case["arguments"])
            count += 1
    for question, arguments in hostile_cases():
        client.call(question, arguments)
        count += 1
    return count


@pytest.mark.parametrize("state", ["clean", "dirty"])
def test_the_server_leaves_the_tree_alone(own_wiki, state):
    # A file whose time differs from the index's tempts git libraries to write the index anew.
    os.utime(own_wiki / "guide.md", (1, 1))
    if state == "dirty":
        (own_wiki / "new.md").write_text("# New\n")
    before = tree(own_wiki)
    with mcp_client.Stdio(own_wiki, mcp_client.MODERN) as client:
        assert ask_everything(client) > 200
    with mcp_client.HttpServer(own_wiki) as server, mcp_client.Http(server.url, mcp_client.LEGACY) as client:
        ask_everything(client)
    assert tree(own_wiki) == before


def test_the_command_line_leaves_the_tree_alone(own_wiki):
    os.utime(own_wiki / "guide.md", (1, 1))
    before = tree(own_wiki)
    for case in golden.CASES:
        fronts.cli(own_wiki)(case["question"], case["arguments"])
    assert tree(own_wiki) == before


@pytest.mark.parametrize("change", ["content", "time", "new file", "file in .git"])
def test_a_change_is_noticed(own_wiki, change):
    before = tree(own_wiki)
    page = own_wiki / "guide.md"
    if change == "content":
        text, times = page.read_bytes(), page.stat()
        page.write_bytes(text.swapcase())
        os.utime(page, ns=(times.st_atime_ns, times.st_mtime_ns))
    elif change == "time":
        os.utime(page, (1, 1))
    elif change == "new file":
        (own_wiki / "x").touch()
    else:
        (own_wiki / ".git" / "index.lock").touch()
    assert tree(own_wiki) != before
