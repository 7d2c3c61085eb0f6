"""The Python SDK behind a proxy: URL, name of the host, token, mode; tells what a search answered.

Runs in an environment that has nothing but the SDK.
"""

import asyncio
import sys

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


async def main(url, host, token, mode):
    headers = {"Host": host, "Authorization": f"Bearer {token}"}
    async with create_mcp_http_client(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            result = await client.call_tool("search", {"query": "gate"})
            print(result.content[0].text)


asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))
