"""The official Python clients: python.py BINARY REPO [MODE]

Version 1 speaks `initialize`; version 2 in MODE `legacy`, `auto` or a revision of the protocol.
"""

import asyncio
import contextlib
import importlib.metadata
import os
import pathlib
import subprocess
import sys

BINARY, REPO = sys.argv[1], pathlib.Path(sys.argv[2])
MODE = sys.argv[3] if len(sys.argv) > 3 else None
IS_FIRST = importlib.metadata.version("mcp").startswith("1.")

if IS_FIRST:
    from mcp import ClientSession, StdioServerParameters, types
    from mcp.client.stdio import stdio_client
else:
    from mcp import Client, StdioServerParameters, types

SERVER = StdioServerParameters(command=BINARY, args=["mcp"], cwd=str(REPO), env=dict(os.environ))


@contextlib.asynccontextmanager
async def connected(answer=None):
    """A client that answers questions with `answer`, or cannot be asked."""

    async def person(*_):
        return types.ElicitResult(action=answer, content={"apply": True} if answer == "accept" else None)

    asked = {"elicitation_callback": person} if answer else {}
    if IS_FIRST:
        async with stdio_client(SERVER) as (read, write), ClientSession(read, write, **asked) as session:
            await session.initialize()
            yield session
    else:
        async with Client(SERVER, mode=MODE, **asked) as client:
            yield client


def field(answer, first, second):
    """Version 1 has the protocol's names, version 2 Python's."""
    return getattr(answer, first, None) if hasattr(answer, first) else getattr(answer, second)


def said(answer):
    return "\n".join(part.text for part in answer.content if part.type == "text")


def text(name):
    return (REPO / name).read_text()


async def done(client, name, **arguments):
    answer = await client.call_tool(name, arguments)
    assert not field(answer, "isError", "is_error"), (name, said(answer))
    assert isinstance(field(answer, "structuredContent", "structured_content")["text"], str)
    return said(answer)


async def main():
    (REPO / "a.txt").write_text("one\ntwo\nthree\n")
    (REPO / "secret.txt").write_text("key\n")
    subprocess.run("git add . && git commit -qm start --allow-empty", shell=True, check=True, cwd=REPO)
    secret = {"path": "secret.txt", "old_string": "key", "new_string": "KEY"}
    async with connected() as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        assert tools == ["edit", "read", "undo", "redo", "log", "diff", "blame", "status"], tools
        edit = {"path": "a.txt", "old_string": "two", "new_string": "TWO"}
        assert "edited a.txt" in await done(client, "edit", **edit)
        assert await done(client, "read", path="a.txt") == "one\nTWO\nthree\n"
        assert "a.txt" in await done(client, "status")
        assert "edit a.txt" in await done(client, "log")
        assert "+TWO" in await done(client, "diff")
        assert "2: " in await done(client, "blame", path="a.txt")
        await done(client, "undo")
        assert text("a.txt") == "one\ntwo\nthree\n"
        await done(client, "redo")
        assert text("a.txt") == "one\nTWO\nthree\n"

        refused = await client.call_tool("edit", edit)
        assert field(refused, "isError", "is_error") and "old_string" in said(refused), said(refused)
        try:
            await client.call_tool("nothing", {})
        except Exception as error:
            assert "nothing" in str(error), error
        else:
            raise AssertionError("a tool that there is not was called")

        asked = await client.call_tool("edit", secret)
        assert field(asked, "isError", "is_error"), said(asked)
        assert text("secret.txt") == "key\n"
        digest = field(asked, "structuredContent", "structured_content")["confirm"]
        await done(client, "edit", **secret, confirm=digest)
        assert text("secret.txt") == "KEY\n"
        subprocess.run(["git", "checkout", "-q", "secret.txt"], check=True, cwd=REPO)

        resources = [str(one.uri) for one in (await client.list_resources()).resources]
        assert "redraft://log" in resources, resources
        log = await client.read_resource("redraft://log")
        assert "edit a.txt" in log.contents[0].text
    for answer, wanted in [("decline", "key\n"), ("accept", "KEY\n")]:
        async with connected(answer) as client:
            result = await client.call_tool("edit", secret)
            assert bool(field(result, "isError", "is_error")) == (answer == "decline"), said(result)
        assert text("secret.txt") == wanted


asyncio.run(main())
