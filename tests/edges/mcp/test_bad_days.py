"""Clients that leave, cancel or are killed, stores that are shared or cannot be written: nothing half-written."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("mcp")

from mcp import Client

from simonides import Memory
from simonides.config import Settings
from simonides.domain.scope import Scope
from simonides.edges.mcp.caller import Caller
from simonides.edges.mcp.profiles import ToolProfile
from simonides.edges.mcp.server import server
from simonides.governance.policy import PolicySettings
from simonides.testing import FakeEmbedder

from .conftest import User, called, command, with_client

FACT = {"type": "fact", "why_store": "needed"}


class SlowEmbedder(FakeEmbedder):
    """An embedder that says when it was asked, and answers when it may."""

    def __init__(self):
        super().__init__(8)
        self.asked = threading.Event()
        self.may_answer = threading.Event()

    def embed(self, texts, *args, **options):
        self.asked.set()
        assert self.may_answer.wait(60)
        return super().embed(texts, *args, **options)


def test_a_call_that_is_cancelled_is_done_as_a_whole_or_not_at_all(open_memory, era):
    embedder = SlowEmbedder()
    memory = open_memory(embedder=embedder)
    caller = Caller.of(memory, Scope("user:ana"))

    async def work(client):
        with anyio.CancelScope() as leaving:
            async with anyio.create_task_group() as tasks:

                async def add():
                    await client.call_tool("memory_add", {"content": "Apollo deploys from main."} | FACT)

                tasks.start_soon(add)
                await asyncio.to_thread(embedder.asked.wait, 60)
                leaving.cancel()
                embedder.may_answer.set()
        embedder.may_answer.set()
        return await called(client, "memory_search", query="deploys")

    found = with_client(server(lambda _: caller, ToolProfile.CORE), work, mode=era)
    assert {hit["content"] for hit in found["hits"]} <= {"Apollo deploys from main."}
    assert memory.doctor().healthy


def test_two_servers_share_one_file(path):
    async def both(first):
        async with Client(command(path, "--user", "ana")) as second:
            await asyncio.gather(
                *(
                    called(client, "memory_add", content=f"Harbour {n} has {n + 2} cranes.", **FACT)
                    for n, client in enumerate([first, second] * 5)
                )
            )
            return [await called(client, "memory_search", query="cranes", k=20) for client in (first, second)]

    one, other = with_client(command(path, "--user", "ana"), both)
    assert len(one["hits"]) == len(other["hits"]) == 10
    with Memory(path) as memory:
        assert memory.doctor().healthy


def servers_of(path):
    """Processes that serve a store, where the system tells."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # It has ended meanwhile.
            lines.append(file.read_bytes())
    return [line for line in lines if str(path).encode() in line and b"mcp\0--db" in line]


def test_a_client_that_is_killed_leaves_a_healthy_store_and_no_server(path):
    """The client is a process of its own, which starts the server and is killed in the middle of its calls."""
    script = f"""
import asyncio, sys
from mcp import Client
from tests.edges.mcp.conftest import command, called
async def main():
    async with Client(command({str(path)!r}, "--user", "ana")) as client:
        for n in range(10000):
            await called(client, "memory_add", content=f"Harbour {{n}} has {{n}} cranes.", type="fact", why_store="x")
            if n == 5:
                print("ready", flush=True)
asyncio.run(main())
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdout.readline() == b"ready\n"
    process.kill()
    process.wait(60)
    process.stdout.close()
    until = time.monotonic() + 120
    while (left := servers_of(path)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not left
    with Memory(path) as memory:
        assert memory.doctor().healthy
        memory.add("We ship on Fridays.")


def test_a_store_that_is_read_only_answers_and_says_why_it_cannot_write(open_memory, path, add, memory):
    add("Apollo deploys from main.", scope="user:ana")
    memory.close()
    reading = open_memory(path, read_only=True)
    caller = Caller.of(reading, Scope("user:ana"))

    async def work(client):
        found = await called(client, "memory_search", query="where does Apollo deploy from?")
        refused = await called(client, "memory_add", content="Apollo has a new door.", **FACT)
        return found, refused

    found, refused = with_client(server(lambda _: caller, ToolProfile.CORE), work, user=User())
    assert found["hits"]
    assert refused["error"]["code"] == "store_read_only"
    assert refused["error"]["message"]


# Scopes

PEOPLE = ("ana", "bob", "eve")
WORDS = ("harbour", "kettle", "garden")
CALLS = {
    "memory_search": st.fixed_dictionaries(
        {"query": st.sampled_from(WORDS), "k": st.integers(1, 50)},
        optional={"archived": st.booleans(), "session_id": st.sampled_from(["s", "mcp"])},
    ),
    "memory_context": st.fixed_dictionaries({"query": st.sampled_from(WORDS)}),
    "memory_add": st.fixed_dictionaries(
        {"content": st.builds("The {0} is {1}.".format, st.sampled_from(WORDS), st.sampled_from("abc"))},
        optional={"type": st.sampled_from(["fact", "preference"]), "why_store": st.just("it matters")},
    ),
    "memory_timeline": st.fixed_dictionaries({}, optional={"archived": st.booleans()}),
    "memory_stats": st.just({}),
    "memory_weak": st.just({"below": 1}),
    "memory_palace_list": st.just({}),
    "memory_entity": st.fixed_dictionaries({"name": st.sampled_from(WORDS)}),
}
BY_ID = ("memory_get", "memory_forget", "memory_explain", "memory_history", "memory_confirm", "memory_update")


def worlds(memory):
    """Servers of three people over one store, and what each has there."""
    servers = {}
    for name in PEOPLE:
        caller = Caller.of(memory, Scope(f"user:{name}"))
        servers[name] = server(lambda _, who=caller: who, ToolProfile.FULL)
        for word in WORDS:
            memory.add(f"{name} has a {word} of {name}'s own.", scope=f"user:{name}")
    ids = {name: [item.id for item in memory.list(scope=f"user:{name}")] for name in PEOPLE}
    return servers, ids


def foreign_rows(answers, ids, name):
    """Answers to one person that hold an id or words of another."""
    others = [other for other in PEOPLE if other != name]
    signs = [item_id for other in others for item_id in ids[other]] + [f"{other} has a" for other in others]
    return [answer for answer in answers if any(sign in answer for sign in signs)]


def drawn_calls(ids):
    every = [item_id for found in ids.values() for item_id in found]
    named = st.tuples(st.sampled_from(BY_ID), st.sampled_from(every)).map(_by_id)
    plain = st.sampled_from(sorted(CALLS)).flatmap(lambda name: CALLS[name].map(lambda given: (name, given)))
    scoped = st.tuples(plain, st.sampled_from(["user:bob", "global", "user:ana", "ALL"])).map(
        lambda pair: (pair[0][0], {**pair[0][1], "scope": pair[1]})
    )
    return st.tuples(st.sampled_from(PEOPLE), plain | named | scoped)


def _by_id(pair):
    name, item_id = pair
    if name == "memory_forget":
        return name, {"target": item_id}
    return name, {"id": item_id} | ({"content": "The harbour is ours."} if name == "memory_update" else {})


async def foreign(memory, calls):
    """Rows of others in the answers to calls that three clients make one after another."""
    servers, ids = worlds(memory)
    found = []
    async with Client(servers["ana"]) as ana, Client(servers["bob"]) as bob, Client(servers["eve"]) as eve:
        clients = dict(zip(PEOPLE, (ana, bob, eve), strict=True))
        for name, (tool, given_) in calls(ids):
            answer = (await clients[name].call_tool(tool, given_)).content[0].text
            # An id that the caller named itself tells it nothing.
            for value in given_.values():
                answer = answer.replace(str(value), "")
            found += foreign_rows([answer], ids, name)
    return found


@settings(max_examples=12)
@given(st.data())
def test_random_calls_of_three_clients_return_no_foreign_rows(data):
    free = Settings(policy=PolicySettings(calls_per_minute=60_000.0, proposals_per_hour=1_000_000))
    with Memory(":memory:", embedder=FakeEmbedder(8), settings=free) as memory:
        drawn = lambda ids: data.draw(st.lists(drawn_calls(ids), min_size=20, max_size=30))  # noqa: E731
        assert asyncio.run(foreign(memory, drawn)) == []
        assert all(
            item.scope == f"user:{name}" for name in PEOPLE for item in memory.list(scope=f"user:{name}")
        )
