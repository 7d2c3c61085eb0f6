"""The protocol's inspector, in every era and over both transports: it understands all, and has nothing to remark."""

import json
import re
import subprocess
import sys

import foreign
import golden
import pytest
from fronts import SERVER
from mcp_client import HttpServer

ERAS = ("modern", "legacy", "auto")
# A request, and how many things of a kind its result must hold at least.
ASKED = (
    (("tools/list", "--strict"), "tools", 8),
    (("tools/call", "--tool-name", "search", "--tool-arg", "query=gate"), "content", 1),
    (("resources/list",), "resources", 5),
    (("resources/templates/list",), "resourceTemplates", 2),
    (("resources/read", "--uri", "wiki://guide"), "contents", 1),
    (("prompts/list",), "prompts", 3),
    (("prompts/get", "--prompt-name", "review_page", "--prompt-args", "page=concepts/mass-update-gate.md"), "messages", 1),
)


@pytest.fixture(scope="module")
def targets(wiki):
    """A server that listens, and the command of one that does not."""
    with HttpServer(wiki) as server:
        yield {"http": ["--server-url", server.url, "--transport", "http"], "stdio": ["--", SERVER, "--root", wiki]}


@pytest.fixture(scope="module")
def inspect(tmp_path_factory):
    """Runs the inspector's command line, in a home that nobody else uses; gives its exit code, its result and its remarks."""
    home = str(tmp_path_factory.mktemp("inspector"))

    def run(era, method, *options, target):
        command = [*foreign.package("@modelcontextprotocol/inspector", "inspector"), "--cli", "--format", "json"]
        command += ["--protocol-era", era, "--method", method, *options, *target]
        done = subprocess.run(command, env={**foreign.clean(), "HOME": home}, capture_output=True, text=True, timeout=60)
        # It passes on what a server that it has started logs.
        remarks = [line for line in done.stderr.splitlines() if not re.match(r"\S+Z +INFO ", line)]
        return done.returncode, done.stdout and json.loads(done.stdout)["result"], "\n".join(remarks)

    return run


@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", ("http", "stdio"))
@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_has_nothing_to_remark(era, way, targets, inspect, wiki):
    for request, kind, least in ASKED:
        code, result, remarks = inspect(era, *request, target=targets[way])
        assert (code, remarks) == (0, ""), request
        assert len(result[kind]) >= least, request
        if kind == "content":
            told = json.loads(result["content"][0]["text"])
            assert told == result["structuredContent"]
            assert told["commit"] == golden.git(wiki, "rev-parse", "HEAD")


@pytest.mark.timeout(600)
def test_the_inspector_does_remark(inspect, tmp_path):
    """A server with a schema that some clients cannot read, as small as one can be."""
    program = tmp_path / "server.py"
    program.write_text(CARELESS)
    code, _, remarks = inspect("legacy", "tools/list", "--strict", target=["--", sys.executable, program])
    assert "inputSchema.properties.limit" in remarks


CARELESS = '''
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    limit = {"type": ["integer", "null"]}
    tool = {"name": "careless", "description": "x", "inputSchema": {"type": "object", "properties": {"limit": limit}}}
    info = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "0"}}
    result = {"initialize": info, "tools/list": {"tools": [tool]}}.get(asked["method"], {})
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
'''
