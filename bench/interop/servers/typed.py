"""A server with arguments of many types, built with the SDK that is named: mcp or fastmcp."""

import sys
from datetime import date
from typing import Annotated, Literal

from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

if sys.argv[1] == "fastmcp":
    from fastmcp import FastMCP

    server = FastMCP("interop-typed", version="1")
    options = {"show_banner": False, "log_level": "ERROR"}
else:
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("interop-typed", version="1", log_level="ERROR")
    options = {}


class Area(BaseModel):
    north: float
    west: float


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def find_houses(
    street: str,
    limit: Annotated[int, Field(ge=1, le=50, description="Most houses to return")] = 10,
    tags: list[str] | None = None,
    order: Literal["newest", "cheapest"] = "newest",
    area: Area | None = None,
    built_after: date | None = None,
) -> str:
    return f"{street} {limit} {tags} {order} {area} {built_after}"


@server.tool(annotations=ToolAnnotations(readOnlyHint=False))
def add_house(street: str, rooms: Annotated[int, Field(ge=1)], tags: list[str], area: Area) -> str:
    return f"added {street} {rooms} {tags} {area}"


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def read_deed(path: str) -> str:
    with open(path) as f:
        return f.read()


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def divide(a: float, b: float) -> float:
    return a / b


server.run(**options)
