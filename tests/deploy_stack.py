"""All that stands before a wiki in production, started from the operators' files: a proxy, `chemenu-auth`, two servers."""

import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import golden
import pytest
from fronts import SCRIPTS, SERVER

DEPLOY = golden.ROOT / "tests" / "deploy"
AUTH = SCRIPTS / "chemenu-auth"
HOST = "wiki.example.org"
PROXIES = ("traefik", "caddy", "nginx")


def auth(*arguments):
    """Runs `chemenu-auth`, which must succeed, and gives what it prints."""
    return subprocess.run([AUTH, *arguments], stdout=subprocess.PIPE, text=True, check=True, timeout=30).stdout.strip()


def render(out, **values):
    """Fills in the operators' files as an operator does."""
    arguments = [f"{name}={value}" for name, value in values.items()]
    subprocess.run([sys.executable, DEPLOY / "render", out, *arguments], check=True, timeout=30)


def free_ports(count):
    """Ports of the loopback address that nobody uses."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in sockets]


def debian(program):
    """A program of Debian's package of that name; root installs it, others go without."""
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            pytest.skip(f"`{program}` is not installed, and only root of a Debian system may install it")
        # The package must not start a service of its own.
        policy = Path("/usr/sbin/policy-rc.d")
        ours = not policy.exists()
        if ours:
            policy.write_text("#!/bin/sh\nexit 101\n")
            policy.chmod(0o755)
        try:
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            for command in (["update"], ["install", "--yes", "--no-install-recommends", program]):
                subprocess.run(["apt-get", "--quiet", *command], env=environment, capture_output=True, timeout=150)
        finally:
            if ours:
                policy.unlink()
        found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
        if found is None:
            pytest.skip(f"`apt-get install {program}` did not work")
    return found


class Stack:
    """A proxy before `chemenu-auth` and two servers of one wiki. `backends` takes the place of the servers."""

    def __init__(self, folder, wiki, proxy, backends=None):
        self.folder, self.wiki, self.proxy = folder, wiki, proxy
        self.tokens, self.telemetry = folder / "tokens.toml", folder / "telemetry.jsonl"
        self.port, self.auth_port, *self.wiki_ports = free_ports(4)
        if backends:
            self.wiki_ports = backends
        self.starts_servers = not backends
        self.config = folder / "config"
        self.processes = {}

    def __enter__(self):
        run = self.folder / "run"
        run.mkdir()
        wiki_1, wiki_2 = (f"127.0.0.1:{port}" for port in self.wiki_ports)
        values = {"HOST": HOST, "PROXY_PORT": self.port, "AUTH": f"127.0.0.1:{self.auth_port}", "WIKI_1": wiki_1, "WIKI_2": wiki_2}
        render(self.config, CONFIG=self.config, RUN=run, TOKENS=self.tokens, **values)
        self.token = auth("token", "add", "ada", "--file", self.tokens)
        try:
            self.start_auth()
            if self.starts_servers:
                for number in range(2):
                    self.start_server(number)
            self.start("proxy", self.port, *self.proxy_command(), log=self.folder / "proxy.log")
            self.until(lambda: self.ask().status == 200)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in list(self.processes)[::-1]:
            self.stop(name)

    def proxy_command(self):
        if self.proxy == "traefik":
            return [SCRIPTS / "traefik", f"--configFile={self.config}/traefik/static.yml"]
        if self.proxy == "caddy":
            return [debian("caddy"), "run", "--config", self.config / "caddy" / "Caddyfile"]
        mode = "daemon off;" + (" user root;" if os.geteuid() == 0 else "")
        return [debian("nginx"), "-c", self.config / "nginx" / "nginx.conf", "-g", mode]

    def start_auth(self):
        self.start("auth", self.auth_port, AUTH, "serve", "--file", self.tokens, "--listen", f"127.0.0.1:{self.auth_port}")

    def start_server(self, number):
        port = self.wiki_ports[number]
        options = ["--transport", "streamable-http", "--listen", f"127.0.0.1:{port}", "--public-url", f"https://{HOST}"]
        options += ["--trust-auth-headers", "--telemetry", self.telemetry]
        self.start(f"server {number}", port, SERVER, "--root", self.wiki, "--dirty", "ignore", *options)

    def start(self, name, port, *command, log=None):
        """Starts a program and waits until it listens on `port`."""
        environment = {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        with open(log or os.devnull, "w") as output:
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        self.processes[name] = process

        def listens():
            assert process.poll() is None, f"{command} ended: {log and log.read_text()}"
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                return True

        self.until(listens)

    def stop(self, name, kill=False):
        process = self.processes.pop(name)
        process.kill() if kill else process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def until(self, done):
        """Waits until something is so."""
        deadline = time.monotonic() + 30
        while not done():
            assert time.monotonic() < deadline, (self.folder / "proxy.log").read_text() if (self.folder / "proxy.log").exists() else "nothing came"
            time.sleep(0.05)

    def ask(self, headers=(), token=True, port=None, body=None, path="/mcp"):
        """Calls a tool through the proxy, or at another port; `token` may be another one, or none."""
        if token is True:
            token = self.token
        sent = [("Host", HOST), ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
        sent += [("MCP-Protocol-Version", "2025-11-25"), *headers]
        if token:
            sent.append(("Authorization", f"Bearer {token}"))
        body = body or b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"gate"}}}'
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=30)
        connection.putrequest("POST", path, skip_host=True, skip_accept_encoding=True)
        for name, value in [*sent, ("Content-Length", str(len(body)))]:
            connection.putheader(name, value)
        connection.endheaders(body)
        with contextlib.closing(connection):
            response = connection.getresponse()
            response.body = response.read()
            return response


class Recorder(ThreadingHTTPServer):
    """A backend that writes down what reaches it, and is always ready."""

    def __init__(self):
        self.heads = []
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer()

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                recorder.heads.append(self.headers)
                self.answer()

            def answer(self):
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
