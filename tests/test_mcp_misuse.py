"""Malformed, hostile and borderline calls (`tests/mcp/misuse.json`): each gets the answer it must get, and the server serves on.

A case sends one of

- `ask`: a request of its `era` with everything that is due, but for what the case says: `id`, `notify` (there is none), `meta` (replaces
  `_meta`; null: none), `headers` (null: left out; a list: sent several times);
- `body`: anything, with the headers of a call of `types`, or as a line over stdio;
- `raw`: bytes of a connection.

`body` and `raw` are made of parts: a text, `{"hex": …}`, `{"repeat": …, "times": …}`; in `raw` also `{"wait": seconds}`, `{"slowly": text}`
(a byte at a time), `{"close": "half"}` and `{"close": "all"}`. In `raw`, `HOST` is the server's own, and `CALL` a whole request for `types`.

What must come is in `expect`: `status` (HTTP alone; `statuses` are those of all answers on the connection, `closed` that there is none),
`code` and `says` of a JSON-RPC error, `error` and `says` of a tool's refusal, `has` in any other result, `id`, or `silent`: nothing. What differs
over one transport is in `http` or `stdio`; `any`: nothing can be said but that the server serves on. `over` names the only transport
where a case can be said.
"""

import base64
import copy
import http.client
import json
import select
import socket
import subprocess
import time
from urllib.parse import urlsplit

import foreign
import pytest
from fronts import SERVER
from mcp_client import LEGACY, MODERN, HttpServer

CASES = json.loads((foreign.HERE / "misuse.json").read_text())
WAYS = ("http", "stdio")
PREFIX = "io.modelcontextprotocol/"
PATIENCE = 10
NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri", "resources/subscribe": "uri", "tasks/get": "taskId"}


def over(case, way):
    """Whether a case can be said over a transport."""
    return case.get("over", way) == way and ("raw" not in case or way == "http")


def expectation(case, way):
    """What must come over a transport."""
    expected = case["expect"]
    return expected[way] if expected.get(way, {}).get("silent") else {**expected, **expected.get(way, {})}


def request(case):
    """The message of a case that asks, whole but for what the case changes."""
    message = {"jsonrpc": "2.0", "id": 7, **case["ask"]}
    if "id" in case:
        message["id"] = case["id"]
    if case.get("notify"):
        del message["id"]
    if case.get("era", "modern") == "modern":
        params = message.setdefault("params", {})
        if isinstance(params, dict):
            meta = case.get("meta", {"protocolVersion": MODERN, "clientCapabilities": {}})
            if meta is not None:
                params["_meta"] = {PREFIX + name: value for name, value in meta.items()}
    return message


def headers(case):
    """The headers of a case, as pairs."""
    message = case.get("ask", {"method": "tools/call", "params": {"name": "types"}})
    found = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if case.get("era", "modern") == "modern":
        found |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": message.get("method")}
        params = message.get("params")
        name = params.get(NAMES.get(message.get("method"))) if isinstance(params, dict) else None
        if isinstance(name, str):
            found["Mcp-Name"] = name if name.isascii() and name.isprintable() else encoded(name)
    else:
        found["MCP-Protocol-Version"] = LEGACY
    found |= case.get("headers", {})
    for name, values in found.items():
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, str):
                yield name, value


def encoded(name):
    """A name as a header can carry it."""
    return f"=?base64?{base64.b64encode(name.encode('utf-8', 'surrogatepass')).decode()}?="


def parts(pieces, names):
    """The bytes of parts; what is not bytes is given as it is."""
    for piece in pieces if isinstance(pieces, list) else [pieces]:
        text = piece if isinstance(piece, str) else piece.get("slowly")
        for name, value in names.items():
            text = text and text.replace(name, value)
        if isinstance(piece, str):
            yield text.encode()
        elif "slowly" in piece:
            yield from (step for byte in text.encode() for step in (bytes([byte]), {"wait": 0.002}))
        elif "hex" in piece:
            yield bytes.fromhex(piece["hex"])
        elif "repeat" in piece:
            yield piece["repeat"].encode() * piece["times"]
        else:
            yield piece


class Http:
    """A server that listens; every case gets a connection of its own."""

    def __init__(self, wiki):
        self._server = HttpServer(wiki)

    def __enter__(self):
        self._server.__enter__()
        url = urlsplit(self._server.url)
        self._address, self._path = (url.hostname, url.port), url.path
        return self

    def __exit__(self, *problem):
        self._server.__exit__(*problem)

    def answers(self, case):
        """All answers on the connection, as (status, body)."""
        host = "{}:{}".format(*self._address)
        if "raw" in case:
            sent = case["raw"]
        else:
            body = json.dumps(request(case)).encode() if "ask" in case else b"".join(parts(case["body"], {}))
            lines = [f"POST {self._path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}", "Connection: close"]
            lines += [f"{name}: {value}" for name, value in headers(case)]
            sent = [{"hex": ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1").hex()}, {"hex": body.hex()}]
        call = {"ask": {"method": "tools/call", "params": {"name": "types", "arguments": {}}}}
        body = json.dumps(request(call))
        lines = [f"POST {self._path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}"]
        whole = "\r\n".join([*lines, *(f"{name}: {value}" for name, value in headers(call)), "", body])
        with socket.create_connection(self._address, timeout=PATIENCE) as connection:
            self._send(connection, parts(sent, {"HOST": host, "CALL": whole}))
            if connection.fileno() < 0:
                return []
            wanted = len(case["expect"].get("statuses", [0]))
            return list(received(connection, wanted))

    @staticmethod
    def _send(connection, pieces):
        try:
            for piece in pieces:
                if isinstance(piece, bytes):
                    connection.sendall(piece)
                elif "wait" in piece:
                    time.sleep(piece["wait"])
                elif piece["close"] == "half":
                    connection.shutdown(socket.SHUT_WR)
                else:
                    connection.close()
        except OSError:
            # A server that refuses need not read the rest.
            pass

    def check(self, case, found):
        expected = expectation(case, "http")
        if expected.get("any"):
            return
        if expected.get("closed"):
            assert found == []
            return
        assert [status for status, _ in found] == expected.get("statuses", [expected.get("status")]), found
        body = found[-1][1]
        if expected.get("silent"):
            assert body == b""
        else:
            compare(expected, body)


def received(connection, wanted):
    """Answers as they come, at most so many; interim ones (`100 Continue`) are read over."""
    with connection.makefile("rb") as stream:
        for _ in range(wanted):
            answer = http.client.HTTPResponse(Shared(stream))
            try:
                answer.begin()
            except (http.client.BadStatusLine, ConnectionResetError):
                return
            yield answer.status, answer.read()


class Shared:
    """A connection whose buffer several answers are read from, and stays open when one has been."""

    def __init__(self, stream):
        self._stream = stream

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def makefile(self, _mode):
        return self

    def close(self):
        pass


class Stdio:
    """A server for each era, as one is bound to it by its first message."""

    def __init__(self, wiki):
        self._wiki = wiki
        self._processes = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._processes.values():
            with process:
                process.stdin.close()
                assert process.wait(timeout=10) == 0
                assert process.stdout.read() == b"", "nothing more on stdout"

    def _process(self, era):
        if era not in self._processes:
            command = [SERVER, "--root", self._wiki]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
            self._processes[era] = process
            if era == "legacy":
                hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "0"}}
                self._write(process, json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).encode())
                self._read(process)
                self._write(process, b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return self._processes[era]

    @staticmethod
    def _write(process, line):
        sent = memoryview(line + b"\n")
        while sent:
            sent = sent[process.stdin.write(sent) :]

    @staticmethod
    def _read(process):
        line = b""
        while not line.endswith(b"\n"):
            assert select.select([process.stdout], [], [], PATIENCE)[0], "no answer"
            read = process.stdout.read(1 << 16)
            assert read, "the server is gone"
            line += read
        return line

    def answers(self, case):
        """The lines that come before the answer to a request that follows."""
        process = self._process(case.get("era", "modern"))
        line = json.dumps(request(case)).encode() if "ask" in case else b"".join(parts(case["body"], {}))
        self._write(process, line)
        found = b""
        if not expectation(case, "stdio").get("silent"):
            found = self._read(process)
        probe = {"ask": {"method": "tools/list"}, "era": case.get("era", "modern"), "id": "probe"}
        self._write(process, json.dumps(request(probe)).encode())
        while b'"id":"probe"' not in found:
            found += self._read(process)
        lines = found.splitlines()
        assert len(json.loads(lines[-1])["result"]["tools"]) == 8, "the server serves on"
        return lines[:-1]

    def check(self, case, found):
        expected = expectation(case, "stdio")
        if expected.get("silent"):
            assert found == []
        else:
            [line] = found
            compare(expected, line)


def compare(expected, body):
    """An answer is what it must be."""
    if not {"code", "error", "has", "id"} & expected.keys():
        assert expected.get("says", "") in body.decode()
        return
    told = json.loads(body)
    assert told["jsonrpc"] == "2.0"
    assert told.get("id") == expected.get("id", 7), told
    if "code" in expected:
        assert told.get("error", told)["code"] == expected["code"], told
        assert expected.get("says", "") in told["error"]["message"], told
    else:
        result = told["result"]
        assert result.get("isError", False) == ("error" in expected), result
        if "error" in expected:
            refused = result["structuredContent"]["error"]
            assert refused["code"] == expected["error"], refused
            assert expected.get("says", "") in json.dumps(refused, ensure_ascii=False)
        else:
            assert expected.get("has", "") in json.dumps(result, ensure_ascii=False)


@pytest.fixture(scope="module")
def servers(wiki):
    with Http(wiki) as http, Stdio(wiki) as stdio:
        yield {"http": http, "stdio": stdio}


def test_the_table_is_whole():
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) >= 60
    for case in CASES:
        assert len({"ask", "body", "raw"} & case.keys()) == 1, case["name"]
        assert any(over(case, way) for way in WAYS), case["name"]


@pytest.mark.parametrize(("case", "way"), [pytest.param(c, w, id=f"{c['name']}-{w}") for c in CASES for w in WAYS if over(c, w)])
def test_misuse_gets_its_answer(case, way, servers):
    server = servers[way]
    server.check(case, server.answers(case))
    if way == "http":
        [(status, body)] = server.answers({"ask": {"method": "tools/list"}, "expect": {}})
        assert (status, len(json.loads(body)["result"]["tools"])) == (200, 8), "the server serves on"


OTHERS = [{"status": 400, "code": -1}, {"status": 200, "error": "page_not_found"}, {"status": 404, "has": ""}, {"silent": True}]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("expected", OTHERS)
def test_another_answer_than_the_table_says_is_noticed(expected, way, servers):
    """The control: one good request, and answers that it does not get."""
    case = {"ask": {"method": "no/such"}, "expect": {"status": 404, "code": -32601}}
    found = servers[way].answers(case)
    servers[way].check(case, found)
    with pytest.raises((AssertionError, KeyError)):
        servers[way].check({**copy.deepcopy(case), "expect": expected}, found)
