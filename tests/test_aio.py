"""AsyncMemory: the surface of Memory, awaited."""

from __future__ import annotations

import asyncio
import inspect
import threading
from contextlib import aclosing
from contextvars import ContextVar

import pytest

from simonides import Memory, NotFound, Outcome
from simonides.aio import (
    AsyncAudit,
    AsyncDocuments,
    AsyncEntities,
    AsyncMemory,
    AsyncPalace,
    AsyncReview,
    AsyncSessions,
)
from simonides.errors import NotAStore, StoreClosed
from simonides.parts.audit import Audit
from simonides.parts.documents import Documents
from simonides.parts.entities import Entities
from simonides.parts.palace import Palace
from simonides.parts.review import Review
from simonides.parts.sessions import Sessions
from simonides.testing import FakeEmbedder, FrozenClock

PAIRS = [
    (Memory, AsyncMemory),
    (Palace, AsyncPalace),
    (Entities, AsyncEntities),
    (Review, AsyncReview),
    (Sessions, AsyncSessions),
    (Audit, AsyncAudit),
    (Documents, AsyncDocuments),
]
#: What asynchronous programs have beside the surface of Memory.
OWN = {"open", "in_thread"}


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


MEMBERS = [
    pytest.param(sync, awaited, name, id=f"{sync.__name__}.{name}")
    for sync, awaited in PAIRS
    for name in sorted(public(sync))
]


class GatedEmbedder(FakeEmbedder):
    """An embedder that waits at a gate, and says when somebody has come to it."""

    def __init__(self):
        super().__init__()
        self.reached = threading.Event()
        self.gate = threading.Event()

    def embed(self, texts):
        self.reached.set()
        assert self.gate.wait(60)
        return super().embed(texts)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


def opened(path, **given):
    return AsyncMemory(path, **({"embedder": FakeEmbedder(), "clock": FrozenClock()} | given))


@pytest.mark.parametrize(("sync", "awaited", "name"), MEMBERS)
def test_every_public_member_is_there_with_the_same_signature_and_docstring(sync, awaited, name):
    ours, theirs = getattr(sync, name), getattr(awaited, name)
    assert inspect.getdoc(theirs) == inspect.getdoc(ours)
    if isinstance(ours, property):
        assert isinstance(theirs, property)
        return
    assert inspect.iscoroutinefunction(theirs) or inspect.isasyncgenfunction(theirs)
    assert inspect.signature(theirs) == inspect.signature(ours)
    assert theirs.__name__ == name


@pytest.mark.parametrize(("sync", "awaited"), PAIRS)
def test_nothing_is_there_that_the_synchronous_side_lacks(sync, awaited):
    assert public(awaited) - public(sync) <= OWN


@pytest.mark.parametrize("entrance", ["__init__", "open"])
def test_an_asynchronous_memory_takes_the_arguments_of_a_memory(entrance):
    def arguments(function):
        return [p for p in inspect.signature(function).parameters.values() if p.name not in {"self", "cls"}]

    assert arguments(getattr(AsyncMemory, entrance)) == arguments(Memory.__init__)


def test_what_is_awaited_does_what_it_does_synchronously(path):
    async def work():
        async with opened(path) as memory:
            [verdict] = await memory.add("We ship on Fridays.", type="decision", scope="project:apollo")
            result = await memory.search("when do we ship?", scope="project:apollo", k=5)
            assert [hit.item.id for hit in result] == [verdict.item_id]
            await memory.palace.assign(verdict.item_id, room="release")
            assert (await memory.palace.where(verdict.item_id)).room == "release"
            assert await memory.review.list() == []
            assert await memory.sessions.list() == []
            assert await memory.audit.verify() == []
            assert memory.path == path
            with pytest.raises(NotFound):
                await memory.get("nothing like it")

    asyncio.run(work())


def test_a_memory_opened_by_hand_is_closed_by_hand(path):
    async def work():
        memory = await AsyncMemory.open(path, embedder=FakeEmbedder())
        await memory.add("The kettle is blue.")
        await memory.close()
        await memory.close()
        with pytest.raises(StoreClosed):
            await memory.search("kettle")

    asyncio.run(work())


def test_a_memory_that_was_never_opened_says_so(path):
    async def work():
        memory = opened(path)
        with pytest.raises(StoreClosed, match="not open"):
            await memory.add("The kettle is blue.")
        with pytest.raises(StoreClosed):
            _ = memory.palace
        await memory.close()
        assert not path.exists()

    asyncio.run(work())


def test_a_file_that_is_no_store_raises_where_it_is_opened(path):
    path.write_text("shopping list\n" * 100)

    async def work():
        with pytest.raises(NotAStore):
            async with opened(path):
                pass

    asyncio.run(work())


def test_thirty_two_adds_at_once_are_all_kept_once(path):
    async def work():
        async with opened(path) as memory:
            results = await asyncio.gather(
                *(memory.add(f"Locker {n} belongs to person {n}.") for n in range(32))
            )
            assert [result.count(Outcome.ACCEPTED) for result in results] == [1] * 32
            assert len({verdict.item_id for result in results for verdict in result}) == 32
            assert len(await memory.list()) == 32
            assert (await memory.doctor()).healthy

    asyncio.run(work())


def test_exported_records_come_one_by_one_and_load_takes_them_back(path, tmp_path):
    async def work():
        async with opened(path) as memory, opened(tmp_path / "other.db") as other:
            await memory.add([f"Shelf {n} holds box {n}." for n in range(150)])
            records = [record async for record in memory.export()]
            assert len(records) == 150
            loaded = await other.load(records)
            assert loaded.count(Outcome.ACCEPTED) == 150
            assert [record async for record in other.export(scope="user:nobody")] == records

    asyncio.run(work())


def test_an_export_that_is_left_half_way_lets_go_of_the_store(path):
    async def work():
        async with opened(path) as memory:
            await memory.add([f"Shelf {n} holds box {n}." for n in range(150)])
            async with aclosing(memory.export()) as records:
                async for record in records:
                    assert record["kind"] == "item"
                    break
            await memory.purge((await memory.list(limit=1))[0].id)
            left = memory.export()
            await anext(left)
        await left.aclose()

    asyncio.run(work())


def test_a_cancelled_add_that_had_begun_is_finished_before_the_memory_closes(path):
    embedder = GatedEmbedder()

    async def work():
        async with opened(path, embedder=embedder) as memory:
            task = asyncio.create_task(memory.add("The red door leads to the cellar."))
            await asyncio.to_thread(embedder.reached.wait, 60)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            closing = asyncio.create_task(memory.close())
            await asyncio.sleep(0)
            assert not closing.done()
            embedder.gate.set()
            await closing

    asyncio.run(work())
    with Memory(path, embedder=FakeEmbedder()) as memory:
        assert [item.content for item in memory.list()] == ["The red door leads to the cellar."]
        assert memory.doctor().healthy


@pytest.mark.parametrize("at", [1, 2])
def test_a_cancelled_run_ends_before_its_next_step_and_the_next_one_does_the_rest(path, at):
    reached, gate, told = threading.Event(), threading.Event(), []

    def progress(what, done, of):
        told.append(what)
        if len(told) == at:
            reached.set()
            gate.wait(60)

    async def work():
        async with opened(path) as memory:
            said = [
                {"role": "user", "content": f"My cat Tom{number} is {number} years old."}
                for number in range(30)
            ]
            await memory.add(said, session_id="s")
            task = asyncio.create_task(memory.maintain(progress=progress))
            await asyncio.to_thread(reached.wait, 60)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            gate.set()
            while (run := (await memory.runs.list(job="maintain"))[0]).ended_at is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert run.status == "failed"
            assert "interrupted" in run.error
            assert len(told) == at
            again = await memory.maintain()
            assert again.status == "done", again.error
            assert (await memory.doctor()).healthy

    asyncio.run(work())


def test_a_memory_whose_opening_was_cancelled_can_be_opened_by_the_next_task(path):
    async def work():
        task = asyncio.create_task(AsyncMemory.open(path, embedder=FakeEmbedder()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with opened(path) as memory:
            assert (await memory.add("The kettle is blue.")).count(Outcome.ACCEPTED) == 1

    asyncio.run(work())


def test_several_calls_can_be_made_in_one_hop(path):
    async def work():
        async with opened(path) as memory:
            ids = await memory.in_thread(lambda m: m.add(["The kettle is blue.", "The cup is red."]).item_ids)
            assert len(ids) == 2

    asyncio.run(work())


def test_a_call_sees_the_context_variables_of_its_task(path):
    who = ContextVar("who", default="nobody")

    async def work():
        async with opened(path) as memory:
            who.set("ana")
            assert await memory.in_thread(lambda _: who.get()) == "ana"

    asyncio.run(work())
