"""What people see: exit status, stdout and stderr of command lines."""

import shlex

import fronts
import golden
import pytest

TEXTS = golden.GOLDEN / "text"
CASES = {case["name"]: fronts.command_line(case["question"], case["arguments"]) for case in golden.CASES}
LINES = {
    **{name: line for name, line in CASES.items() if line is not None},
    **{command["name"]: command["arguments"] for command in golden.COMMANDS},
}


def shown(line, run):
    """A run as a golden file holds it."""
    stdout = b"".join(
        b"source: changes with every run\n" if text.startswith(b"source:") else text for text in run.stdout.splitlines(keepends=True)
    )
    head = f"$ {shlex.join(['wikitool', *line])}\n[exit {run.returncode}]\n[stdout]\n".encode()
    return head + stdout + b"[stderr]\n" + run.stderr


@pytest.mark.parametrize("name", LINES)
def test_texts_are_golden(name, wiki):
    golden.expect(TEXTS / f"{name}.txt", shown(LINES[name], fronts.wikitool(wiki, *LINES[name])))


def test_every_golden_text_has_a_case():
    golden.expect_no_others(TEXTS, ".txt", LINES)


def test_names_are_unique():
    assert len(LINES) == len([line for line in CASES.values() if line]) + len(golden.COMMANDS)
