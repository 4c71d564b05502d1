"""Laws that hold where callers, clocks and chats do unusual things."""

import stat
import threading

import pytest

from simonides import ALL, Memory
from simonides.errors import Conflict, InvalidScope, NotFound
from simonides.storage.sql.commit import GroupCommit
from simonides.storage.sql.expression import SMALL_STORE
from simonides.storage.sqlite.connection import connect
from simonides.storage.sqlite.transaction import SqliteTransaction
from simonides.testing import FakeEmbedder, FrozenClock


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture
def memory(fresh, clock):
    with Memory(fresh, clock=clock, embedder=FakeEmbedder()) as opened:
        yield opened


def test_everywhere_and_a_user_at_once_is_refused(memory):
    memory.add("blood type A", user_id="bob")
    with pytest.raises(InvalidScope, match="contradict"):
        memory.search("blood type", scope=ALL, user_id="ana")
    with pytest.raises(InvalidScope, match="contradict"):
        memory.list(scope=ALL, user_id="ana")


def test_a_record_with_an_unstorable_reason_leaves_nothing_behind(memory, tmp_path):
    memory.add("the lighthouse is white")
    record = next(memory.export())
    record["revisions"][0]["run_id"] = ["x"]
    with Memory(tmp_path / "other.db", embedder=FakeEmbedder()) as other:
        (verdict,) = other.load([record]).verdicts
        assert verdict.outcome == "rejected"
        assert other.list(scope=ALL) == []
        assert other.doctor().healthy


def test_a_backup_is_finished_while_somebody_writes_without_end(memory, tmp_path):
    memory.add([f"a jar on shelf {n} holds plums and {'very ' * 60}much else" for n in range(5000)])
    stop = threading.Event()

    def write():
        n = 0
        while not stop.is_set():
            memory.add(f"one more jar {n}")
            n += 1

    writer = threading.Thread(target=write)
    writer.start()
    seen = []
    try:
        memory.backup(tmp_path / "copy.db", seen.append)
    finally:
        stop.set()
        writer.join()
    assert seen == sorted(seen)
    assert len(seen) > 1
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    with Memory(tmp_path / "copy.db", embedder=FakeEmbedder()) as copy:
        assert copy.doctor().healthy
        assert copy.doctor().backend["journal_mode"] == "wal"


def test_chats_that_share_a_system_prompt_are_two_sessions(memory):
    system = {"role": "system", "content": "You are helpful."}
    first = memory.add([system, {"role": "user", "content": "hello, I am Ana"}])
    second = memory.add([system, {"role": "user", "content": "hello, I am Bo"}])
    assert first.session_id != second.session_id


def test_a_turn_that_gains_an_id_when_it_is_resent_is_known(memory):
    memory.add([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}], session_id="s")
    again = [{"role": "user", "content": "hi", "id": "u1"}, {"role": "assistant", "content": "hello"}]
    assert [verdict.outcome for verdict in memory.add(again, session_id="s")] == ["merged", "merged"]


def test_a_history_with_a_turn_that_was_refused_is_recognised(memory):
    turns = [{"role": "user", "content": text} for text in ("hello", "x " * 600_000, "bye")]
    memory.add(turns, session_id="s")
    memory.add(turns, session_id="s")
    assert [turn.content for turn in memory.sessions.get("s")] == ["hello", "bye"]


def test_expired_entries_do_not_crowd_out_the_review_queue(memory, clock):
    memory.propose([{"content": f"it is said that {n} gulls nest here"} for n in range(3)])
    clock.advance(hours=100)
    (waiting,) = memory.propose([{"content": "it is said that seals sleep here"}])
    assert [entry.item.id for entry in memory.review.list(limit=3)] == [waiting.item_id]


def test_what_waited_too_long_cannot_be_approved(memory, clock):
    (held,) = memory.propose([{"content": "it is said that seals sleep here"}])
    clock.advance(hours=100)
    with pytest.raises(Conflict, match="expired"):
        memory.review.approve(held.item_id)


def test_what_is_said_again_without_an_end_no_longer_expires(memory, clock):
    memory.add("the gate is open", expires_at="2026-01-02")
    memory.add("the gate is open", pinned=True)
    clock.advance(days=5)
    (found,) = memory.list()
    assert found.pinned
    assert found.expires_at is None


def test_one_unknown_word_does_not_silence_the_others_on_a_large_store(memory):
    memory.add([f"meeting number {n}" for n in range(SMALL_STORE + 50)])
    hits = memory.search("meeting qwxyz", min_relevance=0).hits
    assert any("lex" in hit.matches for hit in hits)


def test_an_item_is_corrected_once_and_then_its_successor(memory):
    (said,) = memory.add("Lev lives in Oslo")
    moved = memory.correct(said.item_id, "Lev lives in Bergen")
    with pytest.raises(Conflict, match=moved.item_id):
        memory.correct(said.item_id, "Lev lives in Paris")


def test_injections_of_another_process_do_not_bring_purged_words_back(memory, tmp_path, clock):
    (said,) = memory.add("the heron is called Quentin")
    with Memory(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder()) as other:
        assert other.context("the heron is called Quentin", min_relevance=0).items
        memory.purge(said.item_id)
    assert memory.injections() == []


@pytest.mark.parametrize("item_id", [None, 5, "x", "\ud800", "\0"])
def test_what_is_no_id_names_no_item(memory, item_id):
    for look in (memory.get, memory.history, memory.explain, memory.palace.where):
        with pytest.raises(NotFound):
            look(item_id)


def test_an_interruption_of_one_writer_is_no_interruption_of_the_others(tmp_path):
    Memory(tmp_path / "x.db").close()
    connection = connect(str(tmp_path / "x.db"))
    commit = GroupCommit(SqliteTransaction(connection))
    caught = []
    inside, go = threading.Event(), threading.Event()

    def first():
        inside.set()
        go.wait(60)

    def interrupted():
        raise KeyboardInterrupt

    def run(work):
        try:
            commit.run(work)
        except BaseException as error:  # noqa: BLE001 - it is looked at below
            caught.append(type(error))

    leader = threading.Thread(target=run, args=(first,))
    leader.start()
    inside.wait(60)
    others = [threading.Thread(target=run, args=(work,)) for work in (lambda: None, interrupted)]
    for thread in others:
        thread.start()
    while len(commit._waiting) < 2:
        pass
    go.set()
    for thread in (leader, *others):
        thread.join()
    assert sorted(error.__name__ for error in caught) in (
        ["KeyboardInterrupt", "StoreError"],
        ["KeyboardInterrupt"],
    )
