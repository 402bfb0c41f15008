"""A server built with the Python SDK (PyPI mcp), offering what mcpgo and fast.py offer."""

from typing import Annotated

import anyio
from mcp.server.mcpserver import Context, Elicit, ListRoots, MCPServer, Resolve, Sample
from mcp_types import Completion, CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel

NOTE = "note://today"
server = MCPServer("interop-python", version="1", log_level="ERROR")
stopped, released = anyio.Event(), anyio.Event()


class Person(BaseModel):
    name: str


@server.tool()
def echo(text: str) -> str:
    return text


@server.tool()
def add(a: int, b: int) -> int:
    return a + b


@server.tool()
def fail() -> str:
    raise ValueError("this tool fails")


@server.tool()
def big() -> str:
    return "0123456789abcdef" * (1 << 16)


@server.tool()
async def count(to: int, ctx: Context) -> str:
    for i in range(to):
        await ctx.report_progress(i + 1, to)
    with anyio.fail_after(10):
        await released.wait()
    return f"counted to {to}"


@server.tool()
async def release() -> str:
    released.set()
    return "released"


@server.tool()
async def slow(ctx: Context) -> str:
    await ctx.report_progress(1, 2)
    try:
        await anyio.sleep_forever()
    finally:
        stopped.set()
    return "never"


@server.tool()
async def cancelled() -> str:
    with anyio.fail_after(10):
        await stopped.wait()
    return "slow was cancelled"


def ask(text: str) -> Sample:
    return Sample([SamplingMessage(role="user", content=TextContent(type="text", text=text))], max_tokens=10)


@server.tool()
def ask_model(text: str, answer: Annotated[CreateMessageResult, Resolve(ask)]) -> str:
    return f"the model says: {answer.content.text}"


def who() -> Elicit[Person]:
    return Elicit("Who are you?", Person)


@server.tool()
def ask_user(person: Annotated[Person, Resolve(who)]) -> str:
    return f"accept: {person.name}"


def where() -> ListRoots:
    return ListRoots()


@server.tool()
def list_roots(roots: Annotated[ListRootsResult, Resolve(where)]) -> str:
    return f"root: {roots.roots[0].uri}"


@server.tool()
async def log(ctx: Context) -> str:
    for i in range(3):
        await ctx.info(f"line {i}")
    return "logged"


@server.tool()
async def touch(ctx: Context) -> str:
    await ctx.notify_resource_updated(NOTE)
    return "touched"


@server.resource(NOTE, mime_type="text/plain")
def today() -> str:
    return "Nothing on today."


@server.resource("note://{day}", mime_type="text/plain")
def day(day: str) -> str:
    return f"Nothing on {day}."


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}."


@server.completion()
async def complete(ref, argument, context):
    return Completion(values=[n for n in ("Ada", "Alan", "Grace") if n.startswith(argument.value)])


server.run()
