"""Long values, stores that cannot be written, cancelled calls: errors of the framework's kind, nothing half-done."""

import asyncio
import json
import re
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from anthropic.lib.tools import ToolError
from langchain_core.messages import AIMessage, HumanMessage
from llama_index.core.base.llms.types import ChatMessage

import simonides
from simonides import InvalidInput, Memory, SimonidesError
from simonides.adapters import mem0
from simonides.adapters.anthropic import AsyncMemoryTool, MemoryTool
from simonides.adapters.langchain import (
    SimonidesChatMessageHistory,
    SimonidesRetriever,
    memory_middleware,
)
from simonides.adapters.langchain import memory_tools as langchain_tools
from simonides.adapters.langgraph import SimonidesStore, memory_node
from simonides.adapters.llama_index import SimonidesMemoryBlock
from simonides.adapters.openai_agents import MemoryHooks, SimonidesSession, memory_tools, recall_filter
from simonides.adapters.pydantic_ai import MemoryCapability, memory_toolset
from simonides.agent.middleware import Middleware
from simonides.agent.tools import Tools
from simonides.testing import FakeEmbedder

HUGE = "very " * 2_000_000
PLACE = "user:ana"


def langgraph(memory, text):
    SimonidesStore(memory, scope=PLACE).batch([put("one", "The dome is green."), put("two", text)])


def put(key, text, **more):
    from langgraph.store.base import PutOp

    return PutOp(("notes",), key, {"text": text}, **more)


def langchain(memory, text):
    history = SimonidesChatMessageHistory(memory, "s", scope=PLACE)
    history.add_messages([HumanMessage("The dome is green."), AIMessage(text)])


def anthropic(memory, text):
    MemoryTool(memory, scope=PLACE).call({"command": "create", "path": "/memories/a.md", "file_text": text})


def of_mem0(memory, text):
    answer = mem0.Memory(memory, scope=PLACE).add(text, user_id="ana", infer=False)
    if "refused" in answer:
        raise ValueError(answer["refused"][0]["reasons"])


def agents(memory, text):
    tools = {tool.name: tool for tool in memory_tools(memory, scope=PLACE)}
    arguments = json.dumps({"content": text, "why_store": "x"})
    answer = asyncio.run(tools["memory_write"].on_invoke_tool(None, arguments))
    if "error" in answer:
        raise ValueError(answer)


def llama_index(memory, text):
    block = SimonidesMemoryBlock(memory, scope=PLACE)
    asyncio.run(block.aput([ChatMessage(role="user", content=text)], session_id="s"))


DOORS = {
    langgraph: SimonidesError,
    langchain: SimonidesError,
    anthropic: ToolError,
    of_mem0: (ValueError, SimonidesError),
    agents: ValueError,
}


def held(memory):
    """Everything that a store holds, turns and records included."""
    return sorted(
        (item.id, item.content, item.status) for item in memory.list(scope=PLACE, archived=True, limit=1000)
    )


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_ten_megabytes_are_refused_and_nothing_of_the_call_is_there(door, memory):
    before = held(memory)
    with pytest.raises(DOORS[door]) as raised:
        door(memory, HUGE)
    assert len(str(raised.value)) < 2000
    assert held(memory) == before


@pytest.mark.parametrize("door", [*DOORS, llama_index], ids=lambda door: door.__name__)
def test_a_store_that_cannot_be_written_says_so_or_is_left_out(door, tmp_path):
    path = tmp_path / "memory.db"
    with Memory(path, embedder=FakeEmbedder(8)) as memory:
        memory.add("The dome is green.", scope=PLACE)
        before = held(memory)
    with Memory(path, embedder=FakeEmbedder(8), read_only=True) as memory:
        if door is llama_index:
            door(memory, "The dome is red.")  # A chat goes on without memory.
        else:
            with pytest.raises(DOORS[door]) as raised:
                door(memory, "The dome is red.")
            assert re.search(r"cannot be (written|used)|store_read_only", str(raised.value))
        assert held(memory) == before


@pytest.mark.parametrize(
    "namespace", [("a.b",), ("",), ("a", ""), (), ("langgraph",), (5,), ("a" * 10_000,), ("a\0b",)]
)
def test_what_is_no_namespace_raises_and_nothing_is_there(namespace, memory):
    store = SimonidesStore(memory, scope=PLACE)
    try:
        store.put(namespace, "k", {"text": "The dome is green."})
    except (ValueError, SimonidesError):
        assert held(memory) == []
    else:
        assert store.get(namespace, "k").value == {"text": "The dome is green."}


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), float("inf"), 1e300, True, "5"])
def test_a_time_to_live_that_is_none_is_refused(ttl, memory):
    store = SimonidesStore(memory, scope=PLACE)
    with pytest.raises((ValueError, TypeError, SimonidesError)):
        store.batch([put("one", "The dome is green."), put("two", "The dome is red.", ttl=ttl)])
    assert held(memory) == []


def test_a_cancelled_call_is_done_whole_or_not_at_all(memory):
    store = SimonidesStore(memory, scope=PLACE)
    puts = [put(str(n), f"The dome number {n} is green.") for n in range(50)]

    async def cancelled():
        work = asyncio.create_task(store.abatch(puts))
        await asyncio.sleep(0.001)
        work.cancel()
        with suppress(asyncio.CancelledError):  # It may have been done by then.
            await work

    asyncio.run(cancelled())
    found = store.search(("notes",), limit=100)
    assert len(found) in {0, 50}


def test_two_programs_on_one_file_see_what_the_other_wrote(tmp_path):
    path = tmp_path / "memory.db"
    with Memory(path, embedder=FakeEmbedder(8)) as one, Memory(path, embedder=FakeEmbedder(8)) as two:
        stores = [SimonidesStore(memory, scope=PLACE) for memory in (one, two)]

        def write(number):
            for n in range(25):
                stores[number].put(("notes",), f"{number}-{n}", {"text": f"Dome {number}-{n} is green."})
                stores[number].put(("notes",), "shared", {"text": f"Dome {number}-{n} is shared."})

        threads = [threading.Thread(target=write, args=(number,)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = [{item.key for item in store.search(("notes",), limit=100)} for store in stores]
        assert found[0] == found[1]
        assert len(found[0]) == 51
        files = [MemoryTool(memory, scope=PLACE) for memory in (one, two)]
        files[0].call({"command": "create", "path": "/memories/a.md", "file_text": "green"})
        assert "green" in files[1].call({"command": "view", "path": "/memories/a.md"})
        with pytest.raises(ToolError):
            files[1].call({"command": "create", "path": "/memories/a.md", "file_text": "red"})


def _session_of_theirs(memory, **whose):
    from agents import SQLiteSession

    return SimonidesSession(memory, SQLiteSession("s"), **whose)


MADE = {
    "anthropic": MemoryTool,
    "anthropic, awaited": AsyncMemoryTool,
    "langchain's history": lambda memory, **whose: SimonidesChatMessageHistory(memory, "s", **whose),
    "langchain's retriever": SimonidesRetriever,
    "langchain's tools": langchain_tools,
    "langchain's middleware": memory_middleware,
    "langgraph's store": SimonidesStore,
    "langgraph's node": memory_node,
    "llama-index": SimonidesMemoryBlock,
    "openai's session": _session_of_theirs,
    "openai's filter": recall_filter,
    "openai's hooks": lambda memory, **whose: MemoryHooks(memory, "s", **whose),
    "openai's tools": memory_tools,
}
#: These take a scope, and no keyword for a part of it.
WHOLE = {
    "mem0": mem0.Memory,
    "pydantic-ai's tools": memory_toolset,
    "pydantic-ai's capability": MemoryCapability,
    "tools": Tools,
    "middleware": Middleware,
}


@pytest.mark.parametrize("name", [*MADE, *WHOLE])
@pytest.mark.parametrize("given", ["notes.db", Path("notes.db"), simonides.Memory, simonides.AsyncMemory, 5])
def test_what_is_no_memory_is_refused_when_an_adapter_is_made(name, given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=r"^memory takes a Memory, such as Memory\('notes.db'\), not "):
        (MADE | WHOLE)[name](given)
    assert list(tmp_path.iterdir()) == []


def used(make, memory, **whose):
    """Make an adapter and ask it once: filters of a retriever are looked at by its first search."""
    make(memory, **whose).invoke("Who is it?")


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("slip", ["userid", "project_id", "usr"])
def test_a_slip_in_a_keyword_names_no_scope_of_its_own(name, slip):
    with simonides.Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        MADE[name](memory, user_id="ana", agent_id="a", project="apollo")
        with pytest.raises(InvalidInput, match=f"^unknown keyword '{slip}'"):
            used(MADE[name], memory, **{slip: "ana"})
