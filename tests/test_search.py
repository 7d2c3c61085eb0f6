"""`wikitool search` for people: snippets, highlights on a terminal, and where the hits go on."""

import os
import pty
import re
import subprocess

import fronts
import pytest


def on_a_terminal(wiki, *arguments, **environment):
    """What a command shows on a terminal."""
    terminal, end = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    run = subprocess.Popen([fronts.WIKITOOL, "--root", wiki, *arguments], stdout=end, env={**kept, **environment})
    os.close(end)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    assert run.wait(60) == 0
    return shown.decode()


def test_highlights_are_for_terminals_only(wiki):
    question = ["search", "title:gate gates", "--limit", "1"]
    piped = fronts.wikitool(wiki, *question).stdout.decode()
    assert "\x1b" not in piped and "Gate" in piped
    shown = on_a_terminal(wiki, *question)
    assert "\x1b[1mGate\x1b[0m" in shown
    assert "\x1b" not in on_a_terminal(wiki, *question, NO_COLOR="1")
    # Nothing else is changed.
    assert re.sub("\x1b\\[[01]m", "", shown).replace("\r\n", "\n") == piped


def test_hits_go_on_where_they_ended(wiki):
    def paths(text):
        return re.findall(r"^(\S.*?\.md)  ", text, re.MULTILINE)

    whole = paths(fronts.wikitool(wiki, "search", "gate", "--limit", "100").stdout.decode())
    assert len(whole) > 6
    seen, cursor = [], None
    while True:
        more = [f"--cursor={cursor}"] if cursor else []
        text = fronts.wikitool(wiki, "search", "gate", "--limit", "4", *more).stdout.decode()
        seen += paths(text)
        found = re.search(r"go on with `--cursor (\S+)`", text)
        if not found:
            break
        cursor = found[1]
    assert seen == whole


@pytest.mark.parametrize(
    ("query", "page", "reason"),
    [
        ("gate", "publish-remote-gate", "it is hit 1 of"),
        ("gate type:entity", "publish-remote-gate", "it does not pass `type:entity`"),
        ("xylophon", "publish-remote-gate", "it has none of the terms"),
    ],
)
def test_a_page_that_was_expected_is_explained(wiki, query, page, reason):
    text = fronts.wikitool(wiki, "search", query, f"--explain={page}").stdout.decode()
    assert f"concepts/{page}.md: {reason}" in text


def test_scores_are_explained(wiki):
    text = fronts.wikitool(wiki, "search", "gate", "--limit=1", "--explain").stdout.decode()
    assert re.search(r"^  \d\.\d{4} for gate \(\d+ pages\): title 1, ", text, re.MULTILINE), text
