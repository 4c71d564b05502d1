"""Pruning by size: what is faintest moves to the archive file, whole, and the store shrinks."""

import random
import shutil
from dataclasses import replace

import pytest

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.item import Status
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.domain.selection import Selection
from simonides.errors import Conflict, InvalidSettings
from simonides.storage.sqlite.store import archive_of
from simonides.testing import FakeEmbedder, FrozenClock
from simonides.upkeep.change import Move
from simonides.upkeep.job import Step
from simonides.upkeep.jobs.prune import EMPTY_BYTES
from simonides.upkeep.settings import UpkeepSettings, bytes_of

RNG = random.Random(5)
WORDS = ["".join(RNG.choice("abcdefghijkl") for _ in range(8)) for _ in range(2000)]


def limited(max_size):
    return replace(
        Settings(store=StoreSettings(synchronous="NORMAL")), upkeep=UpkeepSettings(max_size=max_size)
    )


def a_text(number):
    return f"{number}: {' '.join(random.Random(number).choices(WORDS, k=60))}"


@pytest.fixture(scope="module")
def facts(tmp_path_factory):
    """The file of a memory of 400 facts, ten a day, some 1.2 MB."""
    path, clock = tmp_path_factory.mktemp("facts") / "memory.db", FrozenClock("2026-03-01T12:00:00Z")
    with Memory(path, settings=limited("900KB"), clock=clock, embedder=FakeEmbedder(8)) as memory:
        for day in range(40):
            memory.add([a_text(day * 10 + n) for n in range(10)], type="fact")
            clock.advance(days=1)
    return path


@pytest.fixture
def full(facts, path, open_memory, clock):
    """A memory of 400 facts that may be 900 KB."""
    shutil.copy(facts, path)
    clock.advance(days=40)
    return open_memory(settings=limited("900KB"))


def live_bytes(memory):
    return memory.stats()["live_bytes"]


def everywhere(memory):
    return {item.id for item in memory.list(scope=ALL, archived=True, limit=10_000)}


def test_the_file_shrinks_below_its_limit_and_the_oldest_have_moved(full, path):
    ids = [item.id for item in full.list(limit=1000)][::-1]
    assert path.stat().st_size > 900_000 or live_bytes(full) > 900_000
    run = full.maintain(["prune"])
    assert run.status is RunStatus.DONE
    assert live_bytes(full) <= 900_000
    assert path.stat().st_size <= 900_000
    left = {item.id for item in full.list(limit=1000)}
    moved = [item_id for item_id in ids if item_id not in left]
    assert moved == ids[: len(moved)]
    assert run.counts["moved"] == run.counts["archived"] == len(moved) > 0
    assert full.stats()["archive"]["items"] == len(moved)
    assert full.doctor().healthy


def test_vectors_that_a_run_set_aside_go_before_any_item_does(path, open_memory):
    many = [f"fact {n}" for n in range(300)]
    settings = replace(limited("900KB"), upkeep=UpkeepSettings(max_size="2200KB"))
    open_memory(settings=settings, embedder=FakeEmbedder(512, name="old")).add(many, type="fact")
    memory = open_memory(settings=settings, embedder=FakeEmbedder(512, name="new"))
    embedded = memory.maintain(["embed"])
    assert live_bytes(memory) > 2_200_000
    memory.maintain(["prune"])
    assert live_bytes(memory) <= 2_200_000
    assert len(memory.list(limit=1000)) == 300
    assert memory.undo(embedded.id).left_alone[0].why.startswith("the vectors of old are gone")


def test_where_a_scope_is_named_only_its_items_move(full):
    full.add([a_text(1000 + n) for n in range(5)], type="fact", scope="user:ana")
    run = full.maintain(["prune"], scope="user:ana")
    assert run.counts["moved"] == 5
    assert len(full.list(limit=1000)) == 400
    assert "nothing in it may be moved" in run.degradations[0]


def test_the_next_night_nothing_moves_again(full):
    full.maintain(["prune"])
    assert full.maintain(["prune"]).counts == {}


def test_nothing_is_lost_and_what_moved_is_found_by_id_by_history_and_by_search(full):
    before = {item.id: item for item in full.list(limit=1000)}
    full.maintain(["prune"])
    assert everywhere(full) == set(before)
    moved = min(before.values(), key=lambda item: item.created_at)
    found = full.get(moved.id)
    assert (found.content, found.status) == (moved.content, Status.ARCHIVED)
    assert [revision.reason for revision in full.history(moved.id)] == ["create", "prune"]
    assert full.explain(moved.id).item.id == moved.id
    plain, archived = full.search(moved.content), full.search(moved.content, archived=True)
    assert moved.id not in [hit.item.id for hit in plain.hits]
    assert (archived.hits[0].item.id, archived.hits[0].moved) == (moved.id, True)
    assert archived.hits[0].to_dict()["moved"] is True
    assert {hit.moved for hit in plain.hits} == {False}


def test_what_moved_comes_back_whole(open_memory, clock):
    memory = open_memory(settings=limited("none"))
    one, two = (
        memory.add(text, type="fact", tags=["t"]).verdicts[0].item_id
        for text in ("Petra sings.", "Petra dances.")
    )
    memory.update(one, content="Petra Novak sings.")
    memory.link(one, two, "supports", evidence="she said so")
    memory.palace.assign(one, room="stage")
    memory.reinforce(one)
    memory.search("Petra Novak sings")

    def entities():
        return {entity.name: entity.mention_count for entity in memory.entities.list()}

    before = (memory.get(one), memory.get(one).usage, memory.explain(one).links, memory.palace.where(one))
    known = entities()
    memory._parts.store.write(lambda tx: tx.set_aside([one]))
    assert memory.list() == [memory.get(two)]
    assert memory.stats()["vectors"] == {"fake": 1}
    assert memory.explain(one).links == before[2]
    memory._parts.store.write(lambda tx: tx.bring_back([one]))
    memory._parts.store.settle_archive()
    assert (
        memory.get(one),
        memory.get(one).usage,
        memory.explain(one).links,
        memory.palace.where(one),
    ) == before
    assert [revision.item.content for revision in memory.history(one)] == [
        "Petra sings.",
        "Petra Novak sings.",
    ]
    assert memory.stats()["vectors"] == {"fake": 2}
    assert memory.stats()["archive"]["items"] == 0
    assert entities() == known
    assert known
    assert [item.id for item in memory.list()] == [two, one]
    assert memory.doctor().healthy


def test_an_undo_brings_everything_back(full, everything):
    before = everything(full)
    run = full.maintain(["prune"])
    undo = full.undo(run.id)
    assert undo.left_alone == ()
    assert everything(full) == before
    assert full.stats()["archive"]["items"] == 0
    assert full.doctor().healthy


def test_a_dry_run_moves_nothing_and_says_what_would(full, path):
    run = full.maintain(["prune"], dry_run=True)
    assert run.counts["moved"] > 10
    assert any(line.startswith("> archive file") for change in run.changes for line in change.lines)
    assert not archive_of(path).exists()
    assert len(full.list(limit=1000)) == 400


def test_what_was_superseded_goes_first_and_what_is_precious_stays(open_memory, clock):
    memory = open_memory(settings=limited("none"))

    def add(text, **fields):
        return memory.add(text, **({"type": "fact"} | fields)).verdicts[0].item_id

    pinned, verified = add(a_text(1), pinned=True), add(a_text(2))
    memory.confirm(verified)
    stays = [
        pinned, verified, add(a_text(3), type="identity"), add(a_text(4), type="decision"),
        add(a_text(5), tier="ltm"),
    ]  # fmt: skip
    clock.advance(days=500)
    faint, liked = add(a_text(6)), add(a_text(7))
    memory.reinforce(liked)
    old = add(a_text(8))
    new = memory.correct(old, a_text(9)).item_id
    forgotten = add(a_text(10))
    memory.forget(forgotten)
    with memory._parts.store.read() as reader:
        selection = Selection(scopes=None, live_at=None, statuses=frozenset(Status))
        found = reader.faintest(selection, clock.now(), clock.now(), 100)
        items = reader.load([key for key, _ in found])
        order = [items[key].id for key, _ in found]
    assert order[:2] == [old, forgotten]
    assert set(order[2:]) == {faint, liked, new}
    assert order[-1] in {liked, new}
    assert not set(order) & set(stays)


def test_turns_of_old_sessions_move_and_those_of_lively_or_unread_ones_stay(open_memory, clock):
    memory = open_memory(settings=limited("288KB"))
    talk = [{"role": "user", "content": a_text(n), "id": f"m{n}"} for n in range(60)]
    memory.add(talk, session_id="old")
    memory.extract()
    memory._parts.store.write(lambda tx: tx._connection.execute("DELETE FROM memory_buffer"))
    clock.advance(days=30)
    memory.add([{"role": "user", "content": a_text(900)}], session_id="new")
    memory.maintain(["prune"])
    left = {item.session_id for item in memory.list(types=["episode"], limit=1000)}
    assert left == {"new"}


def test_a_conversation_that_goes_on_is_whole_again_and_stores_no_turn_twice(open_memory, clock):
    memory = open_memory(settings=limited("288KB"))
    talk = [{"role": "user", "content": a_text(n)} for n in range(60)]
    memory.add(talk, session_id="old")
    memory._parts.store.write(lambda tx: tx._connection.execute("DELETE FROM memory_buffer"))
    clock.advance(days=30)
    memory.maintain(["prune"])
    assert memory.list(types=["episode"]) == []
    again = memory.add([*talk, {"role": "user", "content": "And now?"}], session_id="old")
    assert [verdict.outcome for verdict in again.verdicts] == ["merged"] * 60 + ["accepted"]
    assert len(memory.sessions.get("old")) == 61
    assert {item.status for item in memory.sessions.get("old")} == {Status.ACTIVE}


def test_a_store_that_may_lose_nothing_says_so(open_memory):
    memory = open_memory(settings=limited("288KB"))
    memory.add([a_text(n) for n in range(40)], type="fact", pinned=True)
    run = memory.maintain(["prune"])
    assert len(memory.list()) == 40
    assert "nothing in it may be moved" in run.degradations[0]


def test_without_a_limit_nothing_is_looked_at(open_memory):
    memory = open_memory(settings=limited("none"))
    memory.add([a_text(n) for n in range(40)], type="fact")
    assert memory.maintain(["prune"]).counts == {}


def test_an_item_that_changed_after_it_was_chosen_stays(full, run_job):
    item = full.list(limit=1000)[-1]
    full.update(item.id, tags=["new"])
    run = run_job([Step((Move((item,)),))], where=full)
    assert run.counts == {"skipped": 1}
    assert full.get(item.id).tags == ("new",)


def test_a_move_that_was_interrupted_between_the_files_is_finished_by_the_next_run(full, path):
    """Left by a crash after the archive's commit and before the store's: both have the items."""
    store = full._parts.store
    ids = [item.id for item in full.list(limit=1000)[-5:]]

    class Crash(Exception):
        pass

    def half(tx):
        tx.set_aside(ids)
        raise Crash

    with pytest.raises(Crash):
        store.write(half)
    with store.archive.read() as reader:
        assert set(reader.get(ids)) == set(ids)
    assert len(full.list(limit=1000)) == 400
    hits = full.search(full.get(ids[0]).content, archived=True).hits
    assert [hit.moved for hit in hits if hit.item.id == ids[0]] == [False]
    assert sorted(everywhere(full)) == sorted(item.id for item in full.list(limit=1000))
    full.maintain(["prune"])
    with store.archive.read() as there, store.read() as here:
        assert set(there.get(ids)) | set(here.get(ids)) == set(ids)
        assert set(there.get(ids)) & set(here.get(ids)) == set()
        assert len(there.get(ids)) >= 4  # One was used meanwhile.
    assert full.doctor().healthy


def test_what_was_left_in_both_files_is_dropped_from_the_archive(full):
    store = full._parts.store
    ids = [item.id for item in full.list(limit=1000)[:5]]
    with pytest.raises(ZeroDivisionError):
        store.write(lambda tx: (tx.set_aside(ids), 1 / 0))
    assert store.settle_archive() == 5
    with store.archive.read() as there:
        assert there.get(ids) == {}
    assert len(full.list(limit=1000)) == 400


def test_what_is_in_the_archive_file_has_to_come_back_before_it_is_changed(full):
    oldest = full.list(limit=1000)[-1].id
    full.maintain(["prune"])
    for change in (full.confirm, full.reinforce, full.demote, full.forget):
        with pytest.raises(Conflict, match="restore it"):
            change(oldest)
    with pytest.raises(Conflict, match="restore it"):
        full.update(oldest, tags=["x"])
    assert full.restore(oldest).outcome == "accepted"
    assert full.confirm(oldest).status is Status.ACTIVE


def test_other_processes_see_what_moved(full, open_memory):
    other = open_memory(settings=limited("900KB"), embedder=FakeEmbedder(8))
    oldest = other.list(limit=1000)[-1]
    full.maintain(["prune"])
    assert other.get(oldest.id).content == oldest.content
    assert other.search(oldest.content, archived=True).hits[0].moved
    assert oldest.id not in [hit.item.id for hit in other.search(oldest.content).hits]


@pytest.mark.parametrize(
    ("size", "count"),
    [
        ("100MB", 100_000_000),
        ("1 kb", 1000),
        ("1.5GB", 1_500_000_000),
        ("12B", 12),
        ("2TB", 2 * 10**12),
        ("none", None),
    ],
)
def test_sizes_are_read(size, count):
    assert bytes_of(size) == count


@pytest.mark.parametrize(
    "size", ["", "100", "MB", "-1MB", "0MB", "1e3MB", "100 mib", "1,5MB", "lots", 100, None]
)
def test_what_is_no_size_is_refused_with_what_one_looks_like(size):
    with pytest.raises(InvalidSettings, match="such as 100MB"):
        UpkeepSettings(max_size=size)


@pytest.mark.parametrize("size", ["1B", "100KB"])
def test_a_size_below_that_of_an_empty_store_moves_nothing_and_says_so(open_memory, clock, size):
    memory = open_memory(settings=limited(size))
    memory.add([a_text(number) for number in range(20)], type="fact")
    clock.advance(days=30)
    run = memory.maintain(["prune"])
    assert "a store without any item takes" in run.degradations[0]
    assert (len(memory.list()), memory.stats()["archive"]) == (20, None)


def test_the_size_of_an_empty_store_is_known(open_memory):
    with open_memory()._parts.store.read() as reader:
        assert EMPTY_BYTES - 10_000 < reader.statistics(None)["live_bytes"] <= EMPTY_BYTES
