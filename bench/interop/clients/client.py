"""Drives an MCP server through a list of exercises with the Python SDK.

    client.py ERA EXERCISES COMMAND [ARG...]

ERA is auto (newest revision both sides speak) or legacy. One line of JSON for each exercise.
"""

import json
import os
import sys
import warnings

import anyio
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters

MODERN = "2026-07-28"


async def sample(context, params):
    asked = "".join(m.content.text for m in params.messages)
    text = types.TextContent(type="text", text=f"You said: {asked}")
    return types.CreateMessageResult(model="parrot", role="assistant", stop_reason="endTurn", content=text)


async def elicit(context, params):
    return types.ElicitResult(action="accept", content={"name": "Ada", "username": "ada", "email": "ada@example.com"})


async def roots(context):
    return types.ListRootsResult(roots=[types.Root(uri="file:///interop", name="interop")])


def plain(value):
    """Turns SDK objects into what json can print."""
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value.model_dump(by_alias=True, mode="json", exclude_none=True) if hasattr(value, "model_dump") else value


class Driver:
    def __init__(self, era, command):
        self.logs, self.updated, self.heard = [], [], anyio.Event()
        self.client = Client(
            StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ)),
            mode=era, cache=None, client_info=types.Implementation(name="interop", version="1"),
            sampling_callback=sample, elicitation_callback=elicit, list_roots_callback=roots,
            logging_callback=self.log, message_handler=self.message,
        )  # fmt: skip

    async def log(self, params):
        self.note(self.logs, {"level": params.level, "data": params.data})

    async def message(self, message):
        if isinstance(message, types.ResourceUpdatedNotification):
            self.note(self.updated, str(message.params.uri))

    def note(self, kept, value):
        kept.append(value)
        self.heard.set()
        self.heard = anyio.Event()

    async def until(self, kept, count, about=lambda value: True):
        while len(found := [v for v in kept if about(v)]) < count:
            await self.heard.wait()
        return found

    async def run(self, exercises):
        async with self.client:
            for e in exercises:
                line = await self.attempt(e)
                print(json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":")), flush=True)

    async def attempt(self, e):
        line = {"exercise": e["exercise"]}
        try:
            with anyio.fail_after(60):
                if await self.offered(e):
                    return line | {"result": plain(await self.do(e)) or {}}
                return line | {"unsupported": True}
        except MCPError as err:
            return line | {"error": plain(err.error)}
        except Exception as err:
            return line | {"error": {"message": f"{type(err).__name__}: {err}"}}

    async def offered(self, e):
        c, do = self.client.server_capabilities, e["do"]
        if do in ("resources", "templates", "read"):
            return c.resources is not None
        if do == "subscribe":
            return bool(c.resources and c.resources.subscribe)
        if do in ("prompts", "prompt"):
            return c.prompts is not None
        if do == "complete":
            return c.completions is not None
        if do == "log":
            return c.logging is not None
        if do in ("call", "cancel", "concurrent") and not e["tool"].startswith("no_such_"):
            return any(t.name == e["tool"] for t in await self.pages(self.client.list_tools, "tools"))
        return True

    async def pages(self, list_, key):
        page = await list_()
        found = list(getattr(page, key))
        while page.next_cursor:
            page = await list_(cursor=page.next_cursor)
            found += getattr(page, key)
        return found

    async def do(self, e):
        return await getattr(self, "do_" + e["do"])(e)

    async def do_initialize(self, e):
        c = self.client
        info = {"serverInfo": c.server_info, "capabilities": c.server_capabilities, "instructions": c.instructions}
        return info | {"protocolVersion": c.protocol_version}

    async def do_ping(self, e):
        return await self.client.send_ping()

    async def do_tools(self, e):
        return await self.pages(self.client.list_tools, "tools")

    async def do_resources(self, e):
        return await self.pages(self.client.list_resources, "resources")

    async def do_templates(self, e):
        return await self.pages(self.client.list_resource_templates, "resource_templates")

    async def do_prompts(self, e):
        return await self.pages(self.client.list_prompts, "prompts")

    async def do_read(self, e):
        return await self.client.read_resource(e["uri"])

    async def do_prompt(self, e):
        return await self.client.get_prompt(e["prompt"], e["arguments"])

    async def do_complete(self, e):
        ref = types.PromptReference(type="ref/prompt", name=e["prompt"])
        return await self.client.complete(ref, {"name": e["argument"], "value": e["value"]})

    async def do_call(self, e):
        """Waits for e["progress"] notifications, then does e["then"], without which some tools don't end."""
        if not e.get("progress"):
            return await self.client.call_tool(e["tool"], e["arguments"])
        seen = []

        async def progress(n, total, message):
            self.note(seen, [n, total])

        async def then():
            await self.until(seen, e["progress"])
            if "then" in e:
                await self.do(e["then"])

        async with anyio.create_task_group() as group:
            group.start_soon(then)
            result = await self.client.call_tool(e["tool"], e["arguments"], progress_callback=progress)
        return {"progress": seen[: e["progress"]], "result": result}

    async def do_cancel(self, e):
        """Cancels a call once its first progress has come, then does e["then"]."""
        with anyio.CancelScope() as scope:

            async def progress(n, total, message):
                scope.cancel()

            await self.client.call_tool(e["tool"], e["arguments"], progress_callback=progress)
        return {"cancelled": scope.cancelled_caught, "then": await self.do(e["then"])}

    async def do_concurrent(self, e):
        """Makes e["count"] calls at once, each with its own number for $i."""
        results = [None] * e["count"]

        async def one(i):
            arguments = json.loads(json.dumps(e["arguments"]).replace("$i", str(i)))
            results[i] = await self.client.call_tool(e["tool"], arguments)

        async with anyio.create_task_group() as group:
            for i in range(e["count"]):
                group.start_soon(one, i)
        return results

    async def do_subscribe(self, e):
        if self.client.protocol_version < MODERN:
            await self.client.subscribe_resource(e["uri"])
            then = await self.do(e["then"])
            return {"then": then, "updated": (await self.until(self.updated, 1))[:1]}
        async with self.client.listen(resource_subscriptions=[e["uri"]]) as events:
            then = await self.do(e["then"])
            async for event in events:
                return {"then": then, "updated": [event.uri]}

    async def do_log(self, e):
        meta = None
        if self.client.protocol_version < MODERN:
            await self.client.set_logging_level(e["level"])
        else:
            meta = {types.LOG_LEVEL_META_KEY: e["level"]}
        result = await self.client.call_tool(e["then"]["tool"], e["then"]["arguments"], meta=meta)
        logs = await self.until(self.logs, e["logs"], lambda m: e["value"] in json.dumps(m["data"]))
        return {"logs": logs, "result": result}

    async def do_request(self, e):
        request = types.Request(method=e["method"], params=types.RequestParams())
        return await self.client.session.send_request(request, types.EmptyResult)


def main():
    warnings.simplefilter("ignore")
    era, file, *command = sys.argv[1:]
    with open(file, encoding="utf-8") as f:
        exercises = json.load(f)
    anyio.run(Driver(era, command).run, exercises)


main()
