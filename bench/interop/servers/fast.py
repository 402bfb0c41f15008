"""A server built with FastMCP (PyPI fastmcp), offering what mcpgo and sdk.py offer."""

import anyio
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from mcp_types import Completion, SamplingMessage, TextContent
from pydantic import BaseModel

server = FastMCP("interop-fastmcp", version="1")
stopped, released = anyio.Event(), anyio.Event()


class Person(BaseModel):
    name: str


@server.tool
def echo(text: str) -> str:
    return text


@server.tool
def add(a: int, b: int) -> int:
    return a + b


@server.tool
def fail() -> str:
    raise ToolError("this tool fails")


@server.tool
def big() -> str:
    return "0123456789abcdef" * (1 << 16)


@server.tool
async def count(to: int, ctx: Context) -> str:
    for i in range(to):
        await ctx.report_progress(i + 1, to)
    with anyio.fail_after(10):
        await released.wait()
    return f"counted to {to}"


@server.tool
async def release() -> str:
    released.set()
    return "released"


@server.tool
async def slow(ctx: Context) -> str:
    await ctx.report_progress(1, 2)
    try:
        await anyio.sleep_forever()
    finally:
        stopped.set()
    return "never"


@server.tool
async def cancelled() -> str:
    with anyio.fail_after(10):
        await stopped.wait()
    return "slow was cancelled"


@server.tool
async def ask_model(text: str, ctx: Context) -> str:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    answer = await ctx.session.create_message([message], max_tokens=10, related_request_id=ctx.request_id)
    return f"the model says: {answer.content.text}"


@server.tool
async def ask_user(ctx: Context) -> str:
    answer = await ctx.elicit("Who are you?", Person)
    return f"{answer.action}: {answer.data.name}"


@server.tool
async def list_roots(ctx: Context) -> str:
    return f"root: {(await ctx.session.list_roots()).roots[0].uri}"


@server.tool
async def log(ctx: Context) -> str:
    for i in range(3):
        await ctx.info(f"line {i}")
    return "logged"


@server.resource("note://today", mime_type="text/plain")
def today() -> str:
    return "Nothing on today."


@server.resource("note://{day}", mime_type="text/plain")
def day(day: str) -> str:
    return f"Nothing on {day}."


@server.prompt
def greet(name: str) -> str:
    return f"Greet {name}."


@server.completion
async def complete(ref, argument, context):
    return Completion(values=[n for n in ("Ada", "Alan", "Grace") if n.startswith(argument.value)])


server.run(show_banner=False, log_level="ERROR")
