"""`.mcp.json`: a client opened in a clone of this repository has the server on the golden wiki, once the package is installed."""

import json
import subprocess
import sys
from pathlib import Path

import foreign
import golden
import pytest


@pytest.mark.timeout(600)
def test_a_client_in_a_clone_has_the_server(tmp_path):
    clone = tmp_path / "clone"
    golden.git(golden.ROOT, "clone", "--quiet", "--no-hardlinks", golden.ROOT, clone)
    # What the README's first command makes.
    (clone / ".venv").mkdir()
    (clone / ".venv" / "bin").symlink_to(Path(sys.prefix) / "bin")
    [server] = json.loads((clone / ".mcp.json").read_text())["mcpServers"]
    command = [*foreign.package("@modelcontextprotocol/inspector", "inspector"), "--cli", "--format", "json", "--protocol-era", "auto"]
    command += ["--config", ".mcp.json", "--server", server, "--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=Gate"]
    home = {**foreign.clean(), "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=clone, env=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)["result"]["structuredContent"]
    assert answer["commit"] == golden.git(clone, "rev-parse", "HEAD")
    assert answer["hits"]
    assert golden.git(clone, "status", "--porcelain") == "", "nothing is written there"
