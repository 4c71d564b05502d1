"""Long values, stores that cannot be written, cancelled calls: errors of the framework's kind, nothing half-done."""

import asyncio
import json
import re
import threading
from contextlib import suppress

import pytest
from anthropic.lib.tools import ToolError
from langchain_core.messages import AIMessage, HumanMessage
from llama_index.core.base.llms.types import ChatMessage

from simonides import Memory, SimonidesError
from simonides.adapters import mem0
from simonides.adapters.anthropic import MemoryTool
from simonides.adapters.langchain import SimonidesChatMessageHistory
from simonides.adapters.langgraph import SimonidesStore
from simonides.adapters.llama_index import SimonidesMemoryBlock
from simonides.adapters.openai_agents import memory_tools
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
