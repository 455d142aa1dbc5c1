# Drives a server with a client of Python, and prints a JSON object: each step with "ok" or the reason.
# python drive-python.py official|fastmcp legacy|auto REVISION COMMAND ARG...   (REVISION: that of the server; steps that it lacks are left out)
import asyncio
import json
import logging
import sys

from fastmcp import Client as FastClient
from fastmcp.client.transports import StdioTransport
from mcp import Client, StdioServerParameters, types

logging.disable(logging.CRITICAL)
which, mode, revision, command, *args = sys.argv[1:]
official = which == "official"
steps = {}


async def on_elicit(_context, params):
    fields = params.requested_schema.get("properties", {})
    return types.ElicitResult(action="accept", content={name: "7" for name in fields})


async def on_sample(*_):
    text = types.TextContent(type="text", text="Paris")
    return types.CreateMessageResult(role="assistant", content=text, model="m", stop_reason="endTurn")


async def on_roots(_context):
    return types.ListRootsResult(roots=[types.Root(uri="file:///work")])


async def on_fast_elicit(_message, _kind, params, _context):
    return {name: "7" for name in params.requested_schema.get("properties", {})}


def connected():
    if official:
        target = StdioServerParameters(command=command, args=args)
        return Client(target, mode=mode, elicitation_callback=on_elicit, sampling_callback=on_sample, list_roots_callback=on_roots)
    return FastClient(
        StdioTransport(command, args), mode=mode, elicitation_handler=on_fast_elicit, sampling_handler=on_sample, roots=["file:///work"]
    )


async def step(name, work, check, since=""):
    if revision < since:
        return
    try:
        found = await asyncio.wait_for(work, 20)
        steps[name] = "ok" if check(found) else f"wrong: {str(found)[:150]}"
    except Exception as error:
        steps[name] = f"{type(error).__name__}: {str(error)[:150]}"


def text(result):
    return result.content[0].text


async def pages(client):
    names, cursor = [], None
    while True:
        page = await (client.list_tools if official else client.list_tools_mcp)(cursor=cursor)
        names += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            return names


async def failure(work):
    try:
        return f"no error: {await work}"
    except Exception as error:
        return str(error)


async def drive(client):
    call = client.call_tool if official else client.call_tool_mcp
    progress = []

    async def on_progress(value, *_):
        progress.append(value)

    observed = {"progress_callback" if official else "progress_handler": on_progress}
    await step("lists, page by page", pages(client), lambda names: "echo" in names and len(set(names)) > 15)
    await step("call", call("echo", {"text": "hi"}), lambda result: text(result) == "hi")
    await step("structured result", call("add", {"a": 1, "b": 2}), lambda result: result.structured_content == {"sum": 3}, "2025-06-18")
    await step("image", call("image", {}), lambda result: result.content[0].type == "image")
    await step("audio", call("audio", {}), lambda result: result.content[0].type == "audio", "2025-03-26")
    await step("result with isError", call("fail", {}), lambda result: result.is_error and text(result) == "no luck")
    await step("error", failure(call("refuse", {})), lambda message: "refused" in message)
    await step("progress", call("progress", {}, **observed), lambda _: progress == [1])
    await step("form", call("form", {}), lambda result: text(result) == "accept 7", "2025-06-18")
    await step("two forms in a call", call("two-forms", {}), lambda result: text(result) == "accept accept", "2025-06-18")
    await step("sampling", call("sample", {}), lambda result: text(result) == "Paris")
    await step("roots", call("roots", {}), lambda result: "file:///work" in text(result))
    await step("prompt", client.get_prompt("greet", {"who": "Ada"}), lambda result: "Hello Ada" in str(result.messages))
    await step("resource", client.read_resource("notes://motd"), lambda result: "Be kind" in str(result))


async def main():
    async with connected() as client:
        await drive(client)


try:
    asyncio.run(asyncio.wait_for(main(), 120))
except Exception as error:
    steps["connection"] = f"{type(error).__name__}: {str(error)[:200]}"
print(json.dumps(steps))
