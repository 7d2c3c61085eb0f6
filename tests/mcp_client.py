"""The smallest MCP clients: two transports, and two eras of the protocol over each."""

import http.client
import itertools
import json
import subprocess
import threading
from urllib.parse import urlsplit

from fronts import SERVER

LEGACY = "2025-11-25"
MODERN = "2026-07-28"
_INFO = {"name": "chemenu-tests", "version": "0"}


class _Client:
    """What all of them do. `era` is the protocol's version."""

    def __init__(self, era):
        self.era = era
        self._ids = itertools.count(1)

    def call(self, tool, arguments):
        """Calls a tool and gives its result."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def request(self, method, parameters):
        """Sends a request and gives its result; a protocol error fails."""
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": parameters}
        if self.era == MODERN:
            prefix = "io.modelcontextprotocol/"
            meta = {"protocolVersion": MODERN, "clientInfo": _INFO, "clientCapabilities": {}}
            parameters["_meta"] = {prefix + name: value for name, value in meta.items()}
        answer = self.send(message)
        assert answer["id"] == message["id"]
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def start(self):
        """The handshake, where the era has one."""
        if self.era == LEGACY:
            self.request("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": _INFO})
            self.notify({"jsonrpc": "2.0", "method": "notifications/initialized"})


class Stdio(_Client):
    """Starts a server of its own and talks to it through pipes."""

    def __init__(self, root, era, *options):
        super().__init__(era)
        command = [SERVER, "--root", root, *options]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        with self._process:
            self._process.stdin.close()
            assert self._process.wait(timeout=10) == 0

    def send(self, message):
        self.notify(message)
        return json.loads(self._process.stdout.readline())

    def notify(self, message):
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


class HttpServer:
    """A server on a free port. `process` is its process, `log` what it has said so far, one JSON object a line."""

    def __init__(self, root, *options):
        command = [SERVER, "--root", root, "--transport", "streamable-http", "--listen", "127.0.0.1:0", "--log", "json", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE)
        self.log = []

    def __enter__(self):
        for line in self.process.stderr:
            fields = json.loads(line)["fields"]
            if fields["message"] == "listening":
                self.url = fields["url"]
                # A pipe that nobody reads is full some time, and then the server waits.
                threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()
                return self
        raise AssertionError("the server does not listen")

    def __exit__(self, *_):
        with self.process:
            self.process.terminate()
            self.process.wait(timeout=10)


class Http(_Client):
    """Talks to an `HttpServer` over one connection."""

    def __init__(self, url, era):
        super().__init__(era)
        parts = urlsplit(url)
        self._path = parts.path
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._connection.close()

    def send(self, message):
        status, body = self._post(message)
        assert status == 200, body
        return json.loads(body)

    def notify(self, message):
        status, body = self._post(message)
        assert status == 202, body

    def _post(self, message):
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": self.era,
        }
        if self.era == MODERN:
            headers["Mcp-Method"] = message["method"]
            if "name" in message["params"]:
                headers["Mcp-Name"] = message["params"]["name"]
        self._connection.request("POST", self._path, json.dumps(message).encode(), headers)
        response = self._connection.getresponse()
        return response.status, response.read()
