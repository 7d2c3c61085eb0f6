"""What each client does with a server: a tour, told as JSON on standard output.

Runs in an environment that has nothing but one client's package. Everything is told as the client understood it, not as it
came over the wire: a client that drops or refuses something is what this is about.
"""

import argparse
import asyncio
import json

URIS = ("wiki://page/concepts/mass-update-gate.md", "wiki://page/concepts/Gr%C3%B6%C3%9Fe.md", "wiki://status")


def start(tour):
    """Reads the command line and runs `tour(target, mode)`; the target is a URL or a command with its arguments."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode")
    parser.add_argument("target", nargs="+")
    told = parser.parse_args()
    target = told.target[0] if told.target[0].startswith("http") else told.target
    print(json.dumps(asyncio.run(asyncio.wait_for(tour(target, told.mode), 60))))


async def tell(client, errors):
    """Asks everything once. `errors` are the exceptions that stand for an error of the protocol."""

    async def refused(call):
        try:
            return {"result": plain(await call)}
        except errors as error:
            # The first SDK gives the exception no more than its arguments.
            problem = getattr(error, "error", error.args[0])
            return {"code": problem.code, "message": problem.message}

    told = {name: plain(await getattr(client, f"list_{name}")()) for name in ("tools", "prompts", "resources")}
    told["templates"] = plain(await client.list_resource_templates())
    first = plain(await client.call_tool("search", {"query": "gate", "limit": 2}))
    cursor = json.loads(first["content"][0]["text"])["next_cursor"]
    told["search"] = [first, plain(await client.call_tool("search", {"query": "gate", "limit": 2, "cursor": cursor}))]
    told["page"] = plain(await client.call_tool("page", {"name": "Größe"}))
    told["error"] = plain(await client.call_tool("page", {"name": "no such page"}))
    told["wrong"] = plain(await client.call_tool("search", {"quarry": "gate"}))
    told["unknown"] = await refused(client.call_tool("no_such_tool", {}))
    told["read"] = {uri: plain(await client.read_resource(uri)) for uri in URIS}
    told["not_found"] = await refused(client.read_resource("wiki://page/no/such/page.md"))
    told["prompt"] = plain(await client.get_prompt("review_page", {"page": "concepts/mass-update-gate.md"}))
    told["not_prompt"] = await refused(client.get_prompt("no_such_prompt", {}))
    told["completion"] = plain(await client.complete("review_page", "page", "mass"))
    return told


def plain(result):
    """A client's own object as JSON has it."""
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)
