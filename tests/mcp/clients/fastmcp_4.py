"""FastMCP's client."""

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp import MCPError
from mcp.types import PromptReference
from tour import start, tell


class Told:
    """Its calls that give the protocol's own results; the others unpack them."""

    def __init__(self, client):
        for name in ("list_tools", "list_prompts", "list_resources", "list_resource_templates", "call_tool", "read_resource", "get_prompt"):
            setattr(self, name, getattr(client, f"{name}_mcp"))
        self._complete = client.complete_mcp

    async def complete(self, prompt, argument, value):
        return await self._complete(PromptReference(type="ref/prompt", name=prompt), {"name": argument, "value": value})


async def tour(target, mode):
    transport = target if isinstance(target, str) else StdioTransport(command=target[0], args=target[1:], keep_alive=False)
    async with Client(transport, mode=mode) as client:
        return {"version": client.session.protocol_version, **await tell(Told(client), MCPError)}


start(tour)
