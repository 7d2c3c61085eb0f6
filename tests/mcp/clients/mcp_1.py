"""The Python SDK before 2.0: a session that begins with a handshake. The first one, 1.0, knows neither HTTP nor resource templates."""

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ListResourceTemplatesResult, PromptReference
from pydantic import AnyUrl
from tour import start, tell


class Told(ClientSession):
    async def read_resource(self, uri):
        return await super().read_resource(AnyUrl(uri))

    async def list_resource_templates(self):
        if hasattr(ClientSession, "list_resource_templates"):
            return await super().list_resource_templates()
        return ListResourceTemplatesResult(resourceTemplates=[])

    async def complete(self, prompt, argument, value):
        return await super().complete(PromptReference(type="ref/prompt", name=prompt), {"name": argument, "value": value})


async def tour(target, _mode):
    if isinstance(target, str):
        from mcp.client.streamable_http import streamablehttp_client

        transport = streamablehttp_client(target)
    else:
        transport = stdio_client(StdioServerParameters(command=target[0], args=target[1:]))
    async with transport as streams, Told(*streams[:2]) as session:
        started = await session.initialize()
        return {"version": started.protocolVersion, **await tell(session, McpError)}


start(tour)
