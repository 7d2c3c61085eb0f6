"""The Python SDK from 2.0 on: one client for both eras."""

from mcp import Client, MCPError, StdioServerParameters
from mcp.types import PromptReference
from tour import start, tell


class Told(Client):
    async def complete(self, prompt, argument, value):
        return await super().complete(PromptReference(type="ref/prompt", name=prompt), {"name": argument, "value": value})


async def tour(target, mode):
    server = target if isinstance(target, str) else StdioServerParameters(command=target[0], args=target[1:])
    async with Told(server, mode=mode) as client:
        return {"version": client.protocol_version, **await tell(client, MCPError)}


start(tour)
