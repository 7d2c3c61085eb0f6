"""The server as operators run it: what it writes, what it tells of calls, and what it refuses."""

import argparse
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import fronts
import mcp_client
import pytest
from tree import tree

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def call(server, tool, arguments, headers=()):
    """Calls a tool with these headers as well; gives the response and its body."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    own = [("Content-Type", "application/json"), ("MCP-Protocol-Version", mcp_client.LEGACY), ("Accept", "application/json")]
    body = json.dumps(message).encode()
    with closing(http.client.HTTPConnection(server.url.split("/")[2], timeout=60)) as connection:
        connection.putrequest("POST", "/mcp")
        for name, value in [*own, *headers, ("Content-Length", str(len(body)))]:
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        return response, json.loads(response.read())


def lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def called(server):
    """What the log tells of calls, when it has told of all."""
    return [line["fields"] for line in map(json.loads, server.log) if line["fields"].get("method") == "tools/call"]


def eventually(ask, what):
    """Something that another process is about to do."""
    for _ in range(200):
        if ask():
            return
        time.sleep(0.05)
    raise AssertionError(f"it never came: {what}")


def test_a_call_is_told_of_in_one_line(wiki, tmp_path):
    file = tmp_path / "calls.jsonl"
    with mcp_client.HttpServer(wiki, "--telemetry", file) as server:
        answer = call(server, "search", {"query": "gate"})[1]["result"]["structuredContent"]
        call(server, "search", {"query": "xylophon"}, [("X-Auth-User", "mallory")])
        call(server, "page", {"name": "no such page"})
        first, second, third = lines(file)
        assert first.keys() == {"time", "tool", "commit", "outcome", "ms", "asked", "answered", "user", "request"}
        assert first["tool"] == "search" and first["commit"] == answer["commit"] and first["outcome"] == "answered"
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first["time"])
        assert first["answered"] > 100 and first["ms"] > 0
        # Who calls is not believed, and what is looked for is nobody's business.
        assert second["user"] is None and "xylophon" not in file.read_text()
        assert third["outcome"] == "page_not_found"
        assert file.stat().st_mode & 0o777 == 0o600
        eventually(lambda: len(called(server)) == 3, "three lines in the log")
        assert "xylophon" not in str(server.log) and "mallory" not in str(server.log)


def test_queries_and_callers_are_recorded_where_the_operator_wants_it(wiki, tmp_path):
    file = tmp_path / "calls.jsonl"
    with mcp_client.HttpServer(wiki, "--telemetry", file, "--record-queries", "--trust-auth-headers") as server:
        call(server, "search", {"query": "xylophon"}, [("X-Auth-User", "ada")])
        call(server, "search", {"query": "gate"}, [("X-Auth-User", "ada"), ("X-Auth-User", "mallory")])
        call(server, "search", {"query": "gate"}, [("X-Auth-User", "a b")])
        first, second, third = lines(file)
        # Only what found nothing.
        assert first["query"] == "xylophon" and "query" not in second
        assert (first["user"], second["user"], third["user"]) == ("ada", None, None)
        # Whoever rotates the file moves it away.
        file.rename(tmp_path / "calls.1")
        call(server, "status", {})
        assert [line["tool"] for line in lines(file)] == ["status"]
        assert len(lines(tmp_path / "calls.1")) == 3


def test_nothing_in_the_files_place_keeps_a_call_waiting(wiki, tmp_path):
    file = tmp_path / "calls.jsonl"
    with mcp_client.HttpServer(wiki, "--telemetry", file) as server:
        call(server, "types", {})
        for replace in (os.mkfifo, os.mkdir, lambda path: os.symlink(tmp_path / "elsewhere", path)):
            file.unlink() if not file.is_dir() else file.rmdir()
            replace(file)
            assert call(server, "types", {})[0].status == 200
        eventually(lambda: any(b"telemetry is lost" in line for line in server.log), "a warning")
        assert not (tmp_path / "elsewhere").exists()
        file.unlink()
        call(server, "status", {})
        assert [line["tool"] for line in lines(file)] == ["status"]


def test_history_that_is_fetched_later_is_known(own_wiki, tmp_path):
    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        return subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    (own_wiki / "new.md").write_text("# New\n")
    git("-C", own_wiki, "add", ".")
    git("-C", own_wiki, "commit", "--quiet", "--message=two")
    clone = tmp_path / "clone"
    git("clone", "--quiet", "--depth=1", f"file://{own_wiki}", clone)
    with mcp_client.HttpServer(clone, "--dirty", "ignore") as server:

        def ask(tool, arguments):
            return call(server, tool, arguments)[1]["result"]["structuredContent"]

        assert ask("page", {"name": "guide"})["last_change"] is None
        git("-C", clone, "fetch", "--quiet", "--unshallow")
        first = git("-C", own_wiki, "rev-parse", "HEAD~1")
        assert ask("page", {"name": "guide"})["last_change"]["commit"] == first
        assert ask("changes", {"since": "HEAD~1"})["total"]["added"] == 1
        assert ask("search", {"query": "gate", "at": first})["commit"] == first


def test_a_request_has_an_id_and_its_trace(wiki):
    with mcp_client.HttpServer(wiki) as server:
        response, _ = call(server, "status", {}, [("X-Request-Id", "r-1"), ("traceparent", TRACE)])
        assert response.headers["X-Request-Id"] == "r-1"
        response, _ = call(server, "status", {}, [("X-Request-Id", "a b"), ("traceparent", "no trace")])
        own = response.headers["X-Request-Id"]
        assert re.fullmatch(r"[0-9a-f]+-[0-9a-f]+", own)
        assert call(server, "status", {})[0].headers["X-Request-Id"] != own
        eventually(lambda: len(called(server)) == 3, "three lines in the log")
        first, second, _ = called(server)
        assert (first["request"], first["traceparent"]) == ("r-1", TRACE)
        assert second["request"] == own and "traceparent" not in second


def test_a_log_that_nobody_reads_keeps_nobody_waiting(wiki):
    command = [fronts.SERVER, "--root", wiki, "--transport", "streamable-http", "--listen", "127.0.0.1:0", "--log", "json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            lines = (json.loads(line)["fields"] for line in process.stderr)
            server = argparse.Namespace(url=next(line["url"] for line in lines if "url" in line))
            # Some hundreds of lines fill the pipe.
            for _ in range(1000):
                assert call(server, "types", {}, [("X-Request-Id", "r" * 128)])[0].status == 200
        finally:
            process.terminate()
        assert process.wait(timeout=20) == 0


@pytest.mark.parametrize("option", ["--cache-dir", "--telemetry", "--listen", "--metrics"])
@pytest.mark.parametrize("place", ["plain", "git", "upwards", "link", "dangling"])
def test_nothing_is_made_in_the_wiki(own_wiki, tmp_path, option, place):
    (tmp_path / "link").symlink_to(own_wiki)
    (tmp_path / "dangling").symlink_to(own_wiki / "new")
    path = {
        "plain": own_wiki / "new",
        "git": own_wiki / ".git" / "new",
        "upwards": tmp_path / "none" / ".." / own_wiki.name / "new",
        "link": tmp_path / "link" / "new",
        "dangling": tmp_path / "dangling",
    }[place]
    before = tree(own_wiki)
    value = f"unix:{path}" if option in ("--listen", "--metrics") else path
    command = [fronts.SERVER, "--root", own_wiki, "--transport", "streamable-http", option, value]
    if option != "--listen":
        command += ["--listen", "127.0.0.1:0"]
    run = subprocess.run(command, capture_output=True, timeout=30)
    assert run.returncode == 2, run.stderr
    assert b"error: " in run.stderr and b"\nhint: " in run.stderr and b"wiki" in run.stderr
    assert tree(own_wiki) == before and not (own_wiki / "new").exists()


@pytest.mark.parametrize("options", [["--record-queries"], ["--trust-auth-headers"], ["--telemetry", "/dev/null"]], ids=" ".join)
def test_options_that_would_do_nothing_are_refused(wiki, options):
    run = subprocess.run([fronts.SERVER, "--root", wiki, *options], input=b"", capture_output=True, timeout=30)
    assert run.returncode == 2 and run.stdout == b"" and b"\nhint: " in run.stderr


def strace():
    """The program that shows system calls; root installs it where it is missing."""
    if not shutil.which("strace") and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "--yes", "--no-install-recommends", "strace"], capture_output=True, timeout=300)
    if not (found := shutil.which("strace")):
        pytest.skip("strace is not installed")
    return found


# What a call may write to: a file that is opened, made, moved, changed or removed.
_WRITES = re.compile(
    r'^(?P<call>open|openat|openat2|creat|mkdir|mkdirat|rename|renameat|renameat2|unlink|unlinkat|rmdir|link|linkat|symlink|symlinkat|truncate|'
    r'chmod|fchmodat|fchmodat2|chown|lchown|fchownat|utimensat|mknod|mknodat|bind|setxattr|lsetxattr)\((?P<arguments>.*)\)\s+= (?P<result>-?\d+)'
)


def written(trace):
    """The paths that successful calls of a trace write to, and the processes that it starts."""
    paths, started = set(), []
    for line in trace.splitlines():
        text = re.sub(r"^\d+\s+", "", line)
        if re.match(r"execve|fork|vfork", text) or re.match(r"clone3?\(", text) and "CLONE_THREAD" not in text:
            started.append(text)
        if not (match := _WRITES.match(text)) or match["result"].startswith("-"):
            continue
        arguments = match["arguments"]
        if match["call"].startswith("open") and not re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)", arguments):
            continue
        if match["call"] == "bind" and "sun_path" not in arguments:
            continue
        paths.update(re.findall(r'"((?:[^"\\]|\\.)*)"', arguments))
    return paths, started


def test_a_server_under_load_writes_to_its_own_places_only(own_wiki, tmp_path):
    own, trace = tmp_path / "own", tmp_path / "trace"
    own.mkdir()
    calls = "trace=%file,%process,bind,openat2"
    command = [strace(), "-f", "-qq", "-s", "4096", "-e", calls, "-o", trace, fronts.SERVER, "--root", own_wiki]
    command += ["--transport", "streamable-http", "--listen", f"unix:{own}/run/socket", "--telemetry", own / "calls.jsonl"]
    (own / "run").mkdir(mode=0o700)
    process = subprocess.Popen([*command, "--cache-dir", own / "cache"], stderr=subprocess.PIPE)

    def ask(number):
        body = json.dumps(
            {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "search", "arguments": {"query": f"gate {number % 7}"}}}
        ).encode()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(own / "run/socket"))
            head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: {mcp_client.LEGACY}\r\n"
            connection.sendall(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    try:
        eventually((own / "run/socket").exists, "the socket")
        with ThreadPoolExecutor(8) as pool:
            assert all(b" 200 OK" in answer for answer in pool.map(ask, range(100)))
            (own_wiki / "new.md").write_text("# New\n\ngate\n")
            subprocess.run(["git", "-C", own_wiki, "add", "."], check=True)
            identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
            subprocess.run(["git", "-C", own_wiki, *identity, "commit", "--quiet", "--message=new"], check=True)
            assert all(b" 200 OK" in answer for answer in pool.map(ask, range(100)))
        eventually(lambda: list((own / "cache").rglob("manifest")), "the stored index")
    finally:
        # The server is strace's child, and strace ends with it.
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            os.kill(int(child), signal.SIGTERM)
        process.communicate(timeout=30)
    paths, started = written(trace.read_text())
    assert len(started) == 1 and started[0].startswith("execve("), started
    assert paths, "a trace that shows nothing shows nothing"
    elsewhere = {path for path in paths if not path.startswith(f"{own}/") and path not in ("/dev/null",)}
    assert not elsewhere


def test_a_write_is_seen_in_a_trace():
    trace = (
        '12 openat(AT_FDCWD, "/a", O_WRONLY|O_CREAT, 0666) = 3\n'
        '12 openat(AT_FDCWD, "/b", O_RDONLY|O_CLOEXEC) = 3\n'
        '12 openat(AT_FDCWD, "/c", O_WRONLY) = -1 EACCES (Permission denied)\n'
        '13 rename("/d", "/e") = 0\n'
        "13 clone3({flags=CLONE_VM|CLONE_THREAD}, 88) = 14\n"
        "13 vfork() = 15\n"
    )
    assert written(trace) == ({"/a", "/d", "/e"}, ["vfork() = 15"])
