"""The wall around a caller: random calls by three who know each other's ids, in one store or as tenants."""

from __future__ import annotations

import asyncio
import json
import os
import random
from contextlib import AsyncExitStack, ExitStack

import pytest

pytest.importorskip("mcp")

from mcp import Client

from simonides import ALL, Memory
from simonides.domain.scope import Scope
from simonides.edges.mcp.caller import Caller
from simonides.edges.mcp.profiles import ToolProfile
from simonides.edges.mcp.server import server
from simonides.testing import FakeEmbedder
from tests.agent.test_tool_scope import WORDS, random_call
from tests.storage.postgres.server import running

from .conftest import called

#: Calls of each run; WALL_REQUESTS=20000 draws more.
CALLS = int(os.environ.get("WALL_REQUESTS", "300"))
#: What tools are called here, where a model of an agent calls them otherwise.
NAMES = {"memory.write": "memory_add", "memory.read": "memory_get"}
PEOPLE = ("xanthippe", "yolanda", "zebulon")


def stores(how, folder):
    """Memory of each: one that all share, or of a tenant each."""
    if how == "a file":
        one = Memory(folder / "memory.db", embedder=FakeEmbedder(8))
        return dict.fromkeys(PEOPLE, one)
    database = running()
    if how == "a tenant":
        one = Memory(database.url, tenant=database.new_tenant(), embedder=FakeEmbedder(8))
        return dict.fromkeys(PEOPLE, one)
    return {
        who: Memory(database.url, tenant=database.new_tenant(), embedder=FakeEmbedder(8)) for who in PEOPLE
    }


@pytest.mark.parametrize("how", ["a file", "a tenant", "three tenants"])
def test_no_call_shows_or_changes_anything_of_another(how, tmp_path):
    drawn = random.Random(7)
    memories = stores(how, tmp_path)
    #: Of three tenants nothing is shared, so that nobody has to be told apart by a scope.
    where = {who: "user:all" if how == "three tenants" else f"user:{who}" for who in PEOPLE}
    ids = []
    for memory in dict.fromkeys(memories.values()):
        ids += [memory.add(f"The {word} was a gift.").verdicts[0].item_id for word in WORDS]
    for who, memory in memories.items():
        added = (memory.add(f"The {word} of {who} is old.", scope=where[who]) for word in WORDS)
        ids += [one.verdicts[0].item_id for one in added]
    scopes = ["global", "ALL", *set(where.values())]

    async def calls():
        done = 0
        async with AsyncExitStack() as stack:
            clients = {}
            for who, memory in memories.items():
                caller = Caller.of(memory, Scope(where[who]))
                serving = server(lambda _, caller=caller: caller, ToolProfile.FULL)
                clients[who] = await stack.enter_async_context(Client(serving))
            for _ in range(CALLS):
                who = drawn.choice(PEOPLE)
                name, given = random_call(drawn, who, ids, scopes)
                given = {key: value for key, value in given.items() if value is not None}
                answer = await called(clients[who], NAMES.get(name) or name.replace(".", "_"), **given)
                text = json.dumps(answer)
                asked = given.get("scope", "")
                foreign = [other for other in PEOPLE if other != who and other in text and other not in asked]
                assert not foreign, (who, name, given, answer)
                done += isinstance(answer, dict) and "error" not in answer and who in text
                if isinstance(answer, dict) and answer.get("item_id"):
                    ids[drawn.randrange(len(WORDS), len(ids))] = answer["item_id"]
        return done

    with ExitStack() as stack:
        for memory in dict.fromkeys(memories.values()):
            stack.callback(memory.close)
        assert asyncio.run(asyncio.wait_for(calls(), 600)) > CALLS / 8  # Their own comes back.
        for who, memory in memories.items():
            for item in memory.list(scope=ALL, archived=True, limit=10_000):
                own = how == "three tenants" or item.scope == where[who]
                others = [other for other in PEOPLE if other != who and other in json.dumps(item.to_dict())]
                assert not own or not others, item
