"""Three of the server's tools on the Python SDK, for `tests/bench/http` to compare with: `http_sdk.py WIKI stdio|PORT`."""

import json
import sys

from chemenu.api import Corpus
from mcp.server import MCPServer
from mcp.types import CallToolResult, TextContent

wiki, transport = sys.argv[1:]
# As the server is started there.
corpus = Corpus(wiki, dirty="ignore")
server = MCPServer("bench", log_level="ERROR")
BUDGET = 32 << 10


def result(answer):
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[TextContent(type="text", text=text)], structuredContent=answer)


@server.tool(structured_output=False)
def search(query: str, budget: int = BUDGET) -> CallToolResult:
    return result(corpus.search(query, budget=budget))


@server.tool(structured_output=False)
def page(name: str) -> CallToolResult:
    return result(corpus.page(name, budget=BUDGET))


@server.tool(structured_output=False)
def status() -> CallToolResult:
    return result(corpus.status(budget=BUDGET))


if transport == "stdio":
    server.run("stdio")
else:
    server.run("streamable-http", port=int(transport), json_response=True, stateless_http=True)
