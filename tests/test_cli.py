"""The command line's manners: streams, exit statuses, options, and what it loads."""

import json
import os
import signal
import subprocess
import sys

import fronts
import golden
import pytest
from chemenu import _chemenu, cli
from chemenu.cli import _options

QUESTIONS = [name for name in cli.COMMANDS if name.replace("-", "_") in _chemenu.question_names()]
KINDS = {
    "string": {_options.ONE, _options.TEXT},
    "integer": {_options.NUMBER},
    "array": {_options.EACH, _options.LIST},
    # A draft: its text comes from a file, its path from an option of its own.
    "object": {_options.TEXT},
    # A flag, or a text: `--explain`, `--explain=PAGE`.
    None: {_options.MAYBE},
}


def words(value):
    """A command line as a test's name."""
    return " ".join(value) if isinstance(value, list) else str(value)


def test_every_question_is_a_command():
    assert [name.replace("-", "_") for name in QUESTIONS] == _chemenu.question_names()


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_commands_options_are_its_questions_arguments(name):
    properties = fronts.schema(name.replace("-", "_"))["properties"]
    table = cli.load(name).ARGUMENTS
    assert table.keys() == {*properties, "ref", "folder", "dirty", "cache_dir", "no_cache", *getattr(cli.load(name), "DESCRIPTIONS", ())}
    for argument, schema in properties.items():
        assert table[argument] in KINDS[schema.get("type")], argument


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_commands_are_of_one_shape(name):
    module = cli.load(name)
    assert module.HELP and not module.HELP.endswith(".")
    assert module.__doc__.startswith(f"`wikitool {name}`: ")
    assert callable(module.ask) and callable(module.text)
    order = [part for part in vars(module) if part in ("HELP", "ARGUMENTS", "ask", "text")]
    assert order == ["HELP", "ARGUMENTS", "ask", "text"]
    assert not module.ARGUMENTS.keys() & {*_options.COMMON, "version"}


def test_every_file_is_a_command():
    files = {path.stem for path in (golden.ROOT / "python/chemenu/cli").glob("[!_]*.py")}
    assert files == {name.replace("-", "_") for name in cli.COMMANDS}


@pytest.mark.parametrize(
    "line",
    [
        ["--json", "--budget", "2000", "search", "--limit", "2", "two", "words"],
        ["search", "two", "--limit=2", "words", "--json", "--budget=2000"],
        ["--budget=2000", "search", "--json", "--limit=2", "--", "two", "words"],
        ["--", "search", "two words", "--limit=2"],
    ],
)
def test_options_stand_anywhere(line):
    command, values = _options.parse(line, lambda name: cli.load(name).ARGUMENTS)
    assert command == "search"
    if line[0] == "--":
        assert values == {"query": "two words --limit=2"}
    else:
        assert values == {"query": "two words", "limit": 2, "budget": 2000, "json": True}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["search", "mcp", "-draft"], {"query": "mcp -draft"}),
        (["page", "-x.md"], {"name": "-x.md"}),
        (["lint", "a.md", "b", "--select", "x,y", "--select", "z"], {"paths": ["a.md", "b"], "select": ["x", "y", "z"]}),
        (["search", "--limit", "-5", ""], {"limit": -5, "query": ""}),
        (["search", "--limit=", "a"], {"limit": "", "query": "a"}),
        (["search", "--limit", "1e3"], {"limit": "1e3"}),
        (["search", "--limit", "9" * 40], {"limit": "9" * 40}),
        (["touch", "a", "--dry-run"], {"pages": ["a"], "dry_run": True}),
        (["lint", "--explain", "a"], {"explain": True, "paths": ["a"]}),
        (["lint", "--explain=a"], {"explain": "a"}),
    ],
)
def test_values_are_read(line, expected):
    assert _options.parse(line, lambda name: cli.load(name).ARGUMENTS) == (line[0], expected)


def test_json_is_the_cores_bytes(wiki):
    run = fronts.wikitool(wiki, "--json", "types")
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout == fronts.door(wiki)("types", {})


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (["search", "gate"], 0),
        (["search", "xylophon"], 0),
        (["page", "git-snapshot"], 0),
        (["page", "no such page"], 1),
        (["describe-type", "no-such-type"], 1),
        (["lint"], 1),
        (["status", "--max-age", "1h"], 2),
        (["status", "--check", "--max-age", "soon"], 2),
        (["search"], 2),
        (["search", "gate", "--at", "no-such-branch"], 2),
        (["--root", os.devnull, "status"], 2),
        (["serch"], 2),
        (["search", "--quarry", "x"], 2),
        ([], 2),
    ],
    ids=words,
)
def test_exit_statuses_and_streams(wiki, line, status):
    text, as_json = fronts.wikitool(wiki, *line), fronts.wikitool(wiki, *line, "--json")
    assert (text.returncode, as_json.returncode) == (status, status)
    value = json.loads(as_json.stdout)
    assert isinstance(value, dict) and {"commit", "as_of"} <= value.keys()
    assert as_json.stderr == b""
    if "error" in value:
        assert text.stdout == b""
        assert text.stderr.startswith(b"error: ") and b"\nhint: " in text.stderr
    else:
        assert text.stderr == b""
        assert text.stdout.startswith(f"commit {value['commit']}, {value['as_of']}\n".encode())


def test_the_root_may_come_from_the_environment(wiki, tmp_path):
    environment = {**golden.ENVIRONMENT, "CHEMENU_ROOT": str(wiki)}
    run = subprocess.run([fronts.WIKITOOL, "types", "--json"], cwd=tmp_path, env=environment, capture_output=True)
    assert run.stdout == fronts.door(wiki)("types", {})


def test_a_name_typed_by_its_bytes_is_found(tmp_path):
    golden.init(tmp_path)
    for name in (b"no\\t\xff.md", "ü.md".encode()):
        (os.fsencode(tmp_path) + b"/" + name).decode(errors="surrogateescape")
        with open(os.fsencode(tmp_path) + b"/" + name, "w") as page:
            page.write("# Title\n")
    golden.commit(tmp_path)
    for name in (b"no\\t\xff.md", "ü.md".encode()):
        run = fronts.wikitool(tmp_path, "page", name, "--json")
        assert run.returncode == 0, run.stdout
        # What the answer calls it names it too.
        shown = json.loads(run.stdout)["path"]
        assert fronts.wikitool(tmp_path, "page", shown, "--json").stdout == run.stdout


def test_pages_cannot_speak_to_the_terminal(tmp_path):
    golden.init(tmp_path)
    (tmp_path / "x.md").write_text('---\ntitle: "a\\e[31mb\\u202ec"\n---\nbody \x1b]0;owned\x07 \x9b31m\n')
    golden.commit(tmp_path)
    run = fronts.wikitool(tmp_path, "page", "x")
    assert run.returncode == 0
    assert "\\x1b[31m" in run.stdout.decode()
    assert not [char for char in run.stdout.decode() if char in "\x1b\x07\x9b\u202e"]


def test_a_terminal_without_umlauts_is_served(wiki):
    environment = {**golden.ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
    run = fronts.wikitool(wiki, "page", "Größe", env=environment)
    assert (run.returncode, run.stderr) == (0, b"")
    assert b"\\xf6" in run.stdout


@pytest.mark.parametrize("line", [["types", "--json"], ["page", "git-snapshot"]], ids=words)
def test_a_closed_pipe_is_quiet(wiki, line):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        run = subprocess.run([fronts.WIKITOOL, "--root", wiki, *line], stdout=writer, stderr=subprocess.PIPE, timeout=60)
    finally:
        os.close(writer)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize("form", ["", "--json"])
def test_a_closed_output_is_told(wiki, form):
    line = f'"{fronts.WIKITOOL}" --root "{wiki}" {form} types >&-'
    run = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60)
    assert run.returncode == 2
    assert run.stderr.startswith(b"error: ") and b"Traceback" not in run.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told(wiki, unbuffered):
    command = [fronts.WIKITOOL, "--root", wiki, "types"]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "wb") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, timeout=60)
    assert run.returncode == 2
    assert run.stderr.startswith(b"error: the answer could not be written: ") and b"ignored" not in run.stderr


SLOW = """
import signal, sys, time
from chemenu import cli
# A shell starts what runs in the background with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
def ask(values):
    print("asked", flush=True)
    time.sleep(60)
cli.load("types").ask = ask
sys.exit(cli.main(["types"]))
"""


def test_an_interrupt_is_quiet():
    run = subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout.readline() == b"asked\n"
    run.send_signal(signal.SIGINT)
    assert run.communicate(timeout=30) == (b"", b"")
    assert run.returncode == 130


LOADED = """
import sys
before = set(sys.modules)
from chemenu.cli import main
main(sys.argv[1:])
sys.stdout.flush()
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def loaded(wiki, *line):
    """The modules that a command line loads."""
    command = [sys.executable, "-c", LOADED, "--root", str(wiki), *line]
    return set(subprocess.run(command, capture_output=True, check=True).stderr.decode().split())


def test_json_loads_nothing_but_the_command(wiki):
    parts = ["", "._chemenu", ".cli", ".cli._options", ".cli._ask", ".cli.search"]
    assert loaded(wiki, "search", "gate", "--json") == {f"chemenu{part}" for part in parts}
    assert {"json", "chemenu.cli._text"} <= loaded(wiki, "search", "gate")


def test_only_the_commands_that_change_a_wiki_load_what_does(wiki):
    for name in QUESTIONS:
        assert "chemenu.commands" not in loaded(wiki, name, "x", "--json")
    assert "chemenu.commands" in loaded(wiki, "touch", "no such page", "--json")


def test_a_check_of_the_status_tells_what_is_not_as_it_should_be(tmp_path):
    def git(*arguments, at=None):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", at or folder, *identity, *arguments], check=True, capture_output=True)

    def check(*options):
        run = fronts.wikitool(folder, "status", "--check", "--json", *options)
        assert "findings" in json.loads(run.stdout)
        return run.returncode, run.stderr.decode().splitlines()

    folder = tmp_path / "wiki"
    folder.mkdir()
    git("init", "--quiet", "--initial-branch=main")
    (folder / "index.md").write_text("# Index\n\nText.\n")
    git("add", ".")
    git("commit", "--quiet", "--message=one")
    assert check() == (0, [])
    assert check("--max-age=1h") == (1, ["unhealthy: nothing has been fetched here, or the last fetch failed"])
    git("clone", "--quiet", "--bare", folder, tmp_path / "other.git", at=tmp_path)
    git("fetch", "--quiet", tmp_path / "other.git")
    assert check("--max-age=1h") == (0, [])
    noted = (folder / ".git/FETCH_HEAD").read_bytes()
    failed = subprocess.run(["git", "-C", folder, "fetch", "--quiet", tmp_path / "gone"], capture_output=True)
    assert failed.returncode and check("--max-age=1h") == (1, ["unhealthy: nothing has been fetched here, or the last fetch failed"])
    (folder / ".git/FETCH_HEAD").write_bytes(noted)
    os.utime(folder / ".git/FETCH_HEAD", (10**9, 10**9))
    assert check("--max-age=1h") == (1, ["unhealthy: the last fetch was at 2001-09-09T01:46:40Z, more than 1h ago"])
    (folder / "index.md").write_text("# Index\n\n[[nowhere]]\n")
    git("commit", "--quiet", "--all", "--message=two")
    [first, second] = check("--ref=HEAD~1")[1], check()
    assert len(first) == 1 and first[0].startswith("unhealthy: HEAD is ")
    assert second == (1, ["unhealthy: 1 finding of level error; `wikitool lint` lists them"])


def test_a_reader_who_has_seen_enough_changes_no_exit_status(own_wiki):
    """What `head` does: it reads a little, and goes."""
    text = "".join(f"[[no page {number}]]\n\n" for number in range(20_000))
    (own_wiki / "long.md").write_text(f"# Long\n\n{text}")
    for line, status in ((["lint", "--limit=100000"], 1), (["--json", "lint", "--limit=100000"], 1), (["search", "--limit=100", "a*"], 0)):
        with subprocess.Popen([fronts.WIKITOOL, "--root", own_wiki, *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.read(10)
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == status, line
