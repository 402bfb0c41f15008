"""A client built with the Python SDK, in one session: client.py legacy|auto COMMAND [ARG...]

Takes steps from stdin until it ends: call, many (calls at once) and list. One line of JSON for each.
"""

import json
import os
import sys
import warnings

import anyio
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters

CHANGED = (
    types.PromptListChangedNotification,
    types.ResourceListChangedNotification,
    types.ToolListChangedNotification,
)


class Driver:
    def __init__(self, era, command):
        self.changes = 0
        self.client = Client(
            StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ)),
            mode=era, cache=None, client_info=types.Implementation(name="kill", version="1"),
            message_handler=self.message,
        )  # fmt: skip

    async def message(self, message):
        self.changes += isinstance(message, CHANGED)

    def say(self, line):
        print(json.dumps(line | {"changes": self.changes}), flush=True)

    async def run(self):
        async with self.client:
            async for line in anyio.wrap_file(sys.stdin):
                await self.do(json.loads(line))

    async def do(self, step):
        if step["do"] == "list":
            listed = await self.attempt(self.client.list_tools())
            tools = [t["name"] for t in listed["result"]["tools"]] if "result" in listed else None
            self.say({"tools": tools} if tools else listed)
        elif step["do"] == "many":
            await self.many(step)
        else:
            self.say(await self.call(step))

    async def many(self, step):
        found = [None] * step["count"]

        async def one(i):
            found[i] = await self.call(step)

        async with anyio.create_task_group() as group:
            for i in range(step["count"]):
                group.start_soon(one, i)
            await anyio.lowlevel.checkpoint()
            self.say({"begun": True})
        self.say({"all": found})

    async def call(self, step):
        return await self.attempt(self.client.call_tool(step["tool"], step["arguments"]))

    async def attempt(self, request):
        try:
            return {"result": (await request).model_dump(by_alias=True, mode="json", exclude_none=True)}
        except MCPError as err:
            return {"error": err.error.model_dump(by_alias=True, mode="json", exclude_none=True)}
        except Exception as err:
            return {"error": {"message": f"{type(err).__name__}: {err}"}}


warnings.simplefilter("ignore")
anyio.run(Driver(sys.argv[1], sys.argv[2:]).run)
