"""The protocol's own conformance suite, for the revisions of both eras. What may fail is listed in `tests/mcp`, and why."""

import re
import subprocess
from pathlib import Path

import foreign
import pytest
from mcp_client import LEGACY, MODERN, HttpServer

# What the suite runs without scoring it, and passes here nevertheless.
UNSCORED = {MODERN: ["http-header-validation"], LEGACY: ["server-session-lifecycle", "server-sse-polling"]}
ERAS = tuple(UNSCORED)
# The failures of a server without resources, prompts and completions.
BASELINES = Path(__file__).resolve().parents[2] / "shared" / "conformance"


@pytest.fixture(scope="module")
def url(wiki):
    with HttpServer(wiki) as server:
        yield server.url


def expected(era):
    """The list of failures that are expected."""
    return foreign.HERE / f"expected-failures-{era}.yml"


def run(url, era, failures):
    """The suite's exit code and what it printed."""
    command = [*foreign.package("@modelcontextprotocol/conformance", "conformance"), "server", "--url", url]
    command += ["--requirements", era, "--expected-failures", failures]
    done = subprocess.run(command, env=foreign.clean(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.timeout(600)
@pytest.mark.parametrize("era", ERAS)
def test_nothing_fails_but_what_is_expected(url, era):
    code, told = run(url, era, expected(era))
    assert code == 0, told[told.find("Stale baseline") :] if "Stale baseline" in told else told[told.find("Unexpected failures (") :]
    assert "Baseline check passed" in told
    assert [name for name in UNSCORED[era] if not re.search(rf"✓ {name}: \d+ passed, 0 failed", told)] == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("era", ERAS)
def test_an_entry_that_passes_and_one_that_is_missing_fail(url, era, tmp_path):
    lines = expected(era).read_text().splitlines()
    removed = next(line for line in lines if line.strip().startswith("- "))
    changed = tmp_path / "changed.yml"
    changed.write_text("\n".join([line for line in lines if line != removed] + ["  - tools-list:tools-list", ""]))
    code, told = run(url, era, changed)
    assert code == 1
    stale, unexpected = (told.partition(heading)[2].partition("\n\n")[0] for heading in ("Stale baseline", "Unexpected failures ("))
    assert "tools-list:tools-list" in stale
    assert entry(removed).partition(":")[0] in unexpected


@pytest.mark.parametrize("era", ERAS)
def test_every_expected_failure_has_a_reason(era):
    lines = [line for line in expected(era).read_text().splitlines() if not line.startswith(("#", "server:"))]
    assert [line for line in lines if not re.fullmatch(r"  - \S+:\S+ +# \S.{20,}", line)] == []
    assert lines == sorted(set(lines)), "in order, none twice"


@pytest.mark.parametrize("era", ERAS)
def test_fewer_are_expected_than_of_a_minimal_server(era):
    baseline = BASELINES / f"baseline-{era}.yml"
    if not baseline.exists():
        pytest.skip("the minimal server's failures are not beside this checkout")
    theirs, ours = ({entry(line) for line in file.read_text().splitlines() if line.strip().startswith("- ")} for file in (baseline, expected(era)))
    assert ours < theirs


def entry(line):
    """What a line of a list of failures expects to fail, without the reason."""
    return line.partition("#")[0].strip().removeprefix("- ")
