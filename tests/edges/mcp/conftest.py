"""Servers over a store of their own, and the official client that speaks to them."""

from __future__ import annotations

import asyncio
import json
import os
import sys

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

from simonides.domain.scope import Scope
from simonides.edges.mcp.caller import Caller
from simonides.edges.mcp.profiles import ToolProfile
from simonides.edges.mcp.server import server

#: How a client opens a connection of each era.
ERAS = {"2025": "legacy", "2026": "auto"}


@pytest.fixture(params=ERAS.values(), ids=ERAS)
def era(request):
    return request.param


@pytest.fixture
def served(memory):
    """Makes servers in a scope over the test's store."""

    def serve(scope="user:ana", profile="core", **options):
        caller = Caller.of(memory, Scope(scope), profile=ToolProfile(profile), **options)
        return server(lambda _: caller, ToolProfile(profile))

    return serve


class User:
    """A user whose client asks them: what they were shown, and what they do."""

    def __init__(self, action="accept"):
        self.action = action
        self.shown = []

    async def __call__(self, _, asked):
        self.shown.append(asked.message)
        return ElicitResult(action=self.action, content={} if self.action == "accept" else None)


def with_client(where, work, *, mode="auto", user=None):
    """Result of some work with a connected client."""

    async def connected():
        async with Client(where, mode=mode, elicitation_callback=user) as client:
            return await work(client)

    return asyncio.run(asyncio.wait_for(connected(), 600))


async def called(client, name, **arguments):
    """The answer of a tool as JSON; of an error what it says."""
    found = await client.call_tool(name, arguments)
    text = found.content[0].text
    answer = json.loads(text) if text.startswith("{") else text
    assert found.is_error == (isinstance(answer, dict) and "error" in answer)
    return answer


def command(path, *options):
    """Command by which a client starts `simonides mcp`."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "simonides", "mcp", "--db", str(path), *options],
        env=dict(os.environ),
    )
