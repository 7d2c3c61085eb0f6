"""Real clients of every era of the protocol, over both transports: what they understand is right and carries the commit."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import foreign
import golden
import pytest
from fronts import SERVER
from mcp_client import LEGACY, MODERN, HttpServer

SCRIPTS = foreign.HERE / "clients"
PROMPTS = {"answer_with_citations", "draft_page", "review_page"}
TOOLS = ["search", "page", "links", "types", "describe_type", "lint", "status", "changes"]


@dataclass(frozen=True)
class Client:
    """A published client. The name of its environment, its script, its packages, and the protocol's version that it comes to."""

    name: str
    script: str
    requirements: tuple
    version: str
    mode: str = ""
    transports: tuple = ("http", "stdio")


_2 = ("mcp==2.3.0", "mcp-types==2.3.0", "pydantic==2.14.4")
_FAST = ("fastmcp==4.2.3", "mcp==2.3.0", "pydantic==2.14.4")
CLIENTS = (
    Client("mcp-2", "mcp_2.py", _2, MODERN, MODERN),
    Client("mcp-2", "mcp_2.py", _2, MODERN, "auto"),
    Client("mcp-2", "mcp_2.py", _2, LEGACY, "legacy"),
    Client("fastmcp", "fastmcp_4.py", _FAST, MODERN, "auto"),
    Client("fastmcp", "fastmcp_4.py", _FAST, LEGACY, "legacy"),
    Client("mcp-1.30", "mcp_1.py", ("mcp==1.30.0", "pydantic==2.14.4"), LEGACY),
    Client("mcp-1.9", "mcp_1.py", ("mcp==1.9.4", "pydantic==2.10.6"), "2025-03-26"),
    Client("mcp-1.0", "mcp_1.py", ("mcp==1.0.0", "pydantic==2.14.4"), "2024-11-05", transports=("stdio",)),
)
WAYS = [pytest.param(client, way, id=f"{client.name}-{client.mode or client.version}-{way}") for client in CLIENTS for way in client.transports]


@pytest.fixture(scope="module")
def served(wiki):
    """A server that all clients ask over HTTP, as one of them must not disturb the next."""
    with HttpServer(wiki) as server:
        yield server.url


def visit(client, way, wiki, url, folder):
    """What a client tells of its tour."""
    python = foreign.python(client.name, *client.requirements)
    target = [url] if way == "http" else ["--", SERVER, "--root", wiki]
    command = [python, SCRIPTS / client.script, f"--mode={client.mode}", *target]
    run = subprocess.run(command, cwd=folder, env=foreign.clean(), capture_output=True, text=True, timeout=90)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("client", "way"), WAYS)
def test_a_client_is_served(client, way, wiki, served, tmp_path):
    told = visit(client, way, wiki, served, tmp_path)
    commit = golden.git(wiki, "rev-parse", "HEAD")
    assert told["version"] == client.version
    lists(told)
    tools(told, commit)
    resources(told, wiki)
    prompts(told)


def lists(told):
    assert [tool["name"] for tool in told["tools"]["tools"]] == TOOLS
    assert all(tool["inputSchema"]["type"] == "object" for tool in told["tools"]["tools"])
    assert {prompt["name"] for prompt in told["prompts"]["prompts"]} == PROMPTS
    listed = {resource["uri"] for resource in told["resources"]["resources"]}
    assert {"wiki://guide", "wiki://lint", "wiki://status"} <= listed
    if told["version"] != "2024-11-05":
        templates = [template["uriTemplate"] for template in told["templates"]["resourceTemplates"]]
        assert any(template.startswith("wiki://page/") for template in templates)


def tools(told, commit):
    first, second = (answer(result, told["version"]) for result in told["search"])
    assert first["commit"] == second["commit"] == commit
    paths = [hit["path"] for hit in first["hits"] + second["hits"]]
    assert len(set(paths)) == 4, "a cursor leads on"
    page = answer(told["page"], told["version"])
    assert (page["commit"], page["path"]) == (commit, "concepts/Größe.md")
    for name, code in (("error", "page_not_found"), ("wrong", "argument_unknown")):
        assert told[name]["isError"] is True
        refused = answer(told[name], told["version"])
        assert (refused["commit"], refused["error"]["code"]) == (commit, code)
    assert told["unknown"]["code"] == -32602


def answer(result, version):
    """The object that a tool answered, the same in text and in data where the version has both."""
    [content] = result["content"]
    told = json.loads(content["text"])
    if version >= "2025-06-18":
        assert result["structuredContent"] == told
    return told


def resources(told, wiki):
    pages = [uri for uri in told["read"] if uri.startswith("wiki://page/")]
    for uri, path in zip(pages, ("concepts/mass-update-gate.md", "concepts/Größe.md"), strict=True):
        [content] = told["read"][uri]["contents"]
        assert content["mimeType"] == "text/markdown"
        assert content["text"] == (Path(wiki) / path).read_text()
    [status] = told["read"]["wiki://status"]["contents"]
    assert json.loads(status["text"])["commit"] == golden.git(wiki, "rev-parse", "HEAD")
    assert told["not_found"]["code"] == (-32602 if told["version"] == MODERN else -32002)


def prompts(told):
    messages = told["prompt"]["messages"]
    assert "concepts/mass-update-gate.md" in json.dumps(messages)
    assert told["not_prompt"]["code"] == -32602
    completion = told["completion"]["completion"]
    assert "concepts/mass-update-gate.md" in completion["values"]
    assert completion["hasMore"] is False
