"""The archive file beside the store: restore, purge, backup, doctor, export, and a process killed while items move."""

import random
import signal
import subprocess
import sys

import apsw
import pytest

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import iso
from simonides.domain.item import Status
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.errors import Conflict, InvalidInput, NotFound
from simonides.storage.sqlite.store import archive_of
from simonides.storage.sqlite.text_index import add_tokenizer
from simonides.testing import FakeEmbedder, FrozenClock
from simonides.upkeep.settings import UpkeepSettings

WORDS = [f"planted{chr(97 + n % 26)}{n:02}zyx" for n in range(50)]


def found_on_disk(path, words):
    files = {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}
    return sorted({word for word in words for data in files.values() if word.encode() in data})


@pytest.fixture
def move(memory):
    """Moves items to the archive file, as pruning does."""

    def away(*items, where=memory):
        where._parts.store.write(lambda tx: tx.set_aside([item.id for item in items]))

    return away


# Restoring


def test_what_was_forgotten_comes_back_as_it_was(memory, remember):
    item = remember("Petra likes figs.", tags=["fruit"])
    memory.forget(item.id)
    assert memory.restore(item.id).outcome == "accepted"
    again = memory.get(item.id)
    assert (again.status, again.validation, again.tags) == (Status.ACTIVE, item.validation, item.tags)
    assert [hit.item.id for hit in memory.search("figs").hits] == [item.id]


def test_what_says_what_another_item_says_by_now_answers_merged(memory, remember):
    item = remember("Petra likes figs.")
    memory.forget(item.id)
    again = remember("Petra likes figs.")
    verdict = memory.restore(item.id)
    assert (verdict.outcome, verdict.item_id) == ("merged", again.id)
    assert memory.get(item.id).superseded_by == again.id


def test_what_lives_or_was_replaced_is_no_matter_for_restoring(memory, remember):
    item = remember("Petra likes figs.")
    with pytest.raises(Conflict, match="active, not archived"):
        memory.restore(item.id)
    memory.correct(item.id, "Petra likes plums.")
    with pytest.raises(Conflict, match="was replaced by"):
        memory.restore(item.id)
    with pytest.raises(NotFound):
        memory.restore("019b76da-a800-7000-8000-000000000000")


def test_what_was_replaced_by_an_item_that_is_gone_stands_again(memory, remember, run_job, merge):
    items = [remember("Petra likes figs."), remember("Petra likes figs a lot.")]
    step = merge(items, "Petra likes figs very much.")
    run_job([step])
    memory.forget(items[0].id)
    verdict = memory.restore(items[0].id)
    assert (verdict.outcome, verdict.item_id) == ("accepted", items[0].id)
    assert (memory.get(items[0].id).status, memory.get(items[0].id).superseded_by) == (Status.ACTIVE, None)
    assert memory.get(step.changes[-3].new.item.id).status is Status.ARCHIVED
    assert memory.doctor().healthy


def test_what_was_replaced_by_an_item_that_was_purged_stands_again(memory, remember):
    item = remember("Petra likes figs.")
    new = memory.correct(item.id, "Petra likes plums.").item_id
    memory.purge(new, keep_derived=True)
    assert memory.restore(item.id).outcome == "accepted"
    assert memory.get(item.id).superseded_by is None


def test_more_leftovers_than_a_page_are_cleared_from_the_archive_file(memory):
    memory.add([f"fact number {number}" for number in range(250)])
    ids = [item.id for item in memory.list(limit=1000)]

    def cut_off(tx):
        tx.set_aside(ids)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory._parts.store.write(cut_off)
    assert len(memory.list(limit=1000)) == memory.stats()["archive"]["items"] == 250
    assert memory._parts.store.settle_archive() == 250
    assert memory.stats()["archive"]["items"] == 0
    assert memory.doctor().healthy


def test_a_replaced_item_comes_back_from_the_archive_file_and_stays_replaced(memory, remember, move):
    item = remember("Petra likes figs.")
    new = memory.correct(item.id, "Petra likes plums.").item_id
    move(memory.get(item.id))
    assert [revision.item.content for revision in memory.history(new)] == ["Petra likes figs."] * 2 + [
        "Petra likes plums."
    ]
    verdict = memory.restore(item.id)
    assert (verdict.outcome, verdict.item_id) == ("merged", new)
    assert memory.stats()["archive"]["items"] == 0
    assert memory.get(item.id).superseded_by == new


def test_links_between_moved_items_come_back_when_both_are_there(memory, remember, move):
    one, two, three = remember("One fig."), remember("Two figs."), remember("Three figs.")
    memory.link(one.id, two.id, "supports", evidence="counted")
    memory.link(three.id, one.id, "refines")
    before = memory.explain(one.id).links
    move(one, two)
    assert memory.explain(one.id).links == before
    assert memory.explain(three.id).links == before[1:] or len(memory.explain(three.id).links) == 1
    memory._parts.store.write(lambda tx: tx.bring_back([one.id]))
    memory._parts.store.settle_archive()
    assert memory.explain(one.id).links == before
    assert memory.doctor().healthy
    memory._parts.store.write(lambda tx: tx.bring_back([two.id]))
    memory._parts.store.settle_archive()
    assert memory.explain(one.id).links == before
    with memory._parts.store.archive.read() as there:
        assert there.links([one.id, two.id, three.id]) == []


@pytest.mark.parametrize("gone", ["rolled back", "forgotten"])
def test_a_turn_that_waited_for_extraction_waits_again_when_it_is_back(memory, move, clock, gone):
    memory.add([{"role": "user", "content": "I live in Bergen."}], session_id="s1")
    (turn,) = memory.sessions.get("s1")
    run = None
    if gone == "forgotten":
        memory.forget(turn.id)
    else:
        run = memory.review.rollback(session_id="s1", dry_run=False)
    move(memory.get(turn.id))
    if run is None:
        memory.restore(turn.id)
    else:
        memory.undo(run.id)
    assert [one.item.id for one in memory.sessions.waiting("s1")] == [turn.id]
    clock.advance(hours=1)
    assert [found.content for found in memory.extract().found] == ["I live in Bergen."]


def test_a_session_of_which_every_turn_has_moved_is_there_without_them(memory, move):
    memory.add([{"role": "user", "content": "I live in Bergen."}], session_id="s1", user_id="ana")
    move(*memory.sessions.get("s1", scope="user:ana"))
    assert [one.session_id for one in memory.sessions.list(scope="user:ana")] == ["s1"]
    assert memory.sessions.get("s1", scope="user:ana") == []
    with pytest.raises(NotFound):
        memory.sessions.get("s1", scope="user:bob")


# Undoing what was done to items that moved since


def test_what_has_moved_is_neither_linked_nor_placed_before_it_comes_back(memory, remember, move):
    one, two = remember("Petra likes figs."), remember("Figs grow in Kos.")
    move(two)
    for act in (
        lambda: memory.link(one.id, two.id),
        lambda: memory.link(two.id, one.id),
        lambda: memory.palace.assign(two.id, room="kitchen"),
    ):
        with pytest.raises(Conflict, match="restore it first"):
            act()
    (verdict,) = memory.add("Figs are sweet.", links=[{"to": two.id}]).verdicts
    assert (verdict.outcome, "restore it first" in verdict.reasons[0]) == ("rejected", True)
    memory.restore(two.id)
    assert memory.link(one.id, two.id).dst == two.id


def test_a_merge_whose_sources_have_moved_can_still_be_taken_back(
    memory, remember, run_job, merge, everything, move
):
    items = [remember("Petra lives in Milan."), remember("Petra is in Milan.", confidence=0.7)]
    before = everything(memory)
    run = run_job([merge(items, "Petra lives in Milan, in the city.")])
    move(*(memory.get(item.id) for item in items))
    undo = memory.undo(run.id)
    assert undo.left_alone == ()
    after = everything(memory)
    assert {id_: after["items"][id_] for id_ in before["items"]} == before["items"]
    assert memory.stats()["archive"]["items"] == 0


# Purging


def test_purging_reaches_the_archive_file_and_what_moved_through_it(memory, path):
    rng = random.Random(3)
    ids = []
    for number, word in enumerate(WORDS):
        for between in range(3):
            memory.add(f"{number} {between} {' '.join(f'ordinary{rng.randrange(999)}' for _ in range(30))}")
        fields = [
            {},
            {"title": f"About {word}"},
            {"tags": [word]},
            {"entities": [word]},
            {"metadata": {"note": word}},
        ]
        (verdict,) = memory.add(f"{number} is {word} Planted{word} {rng.random()}", **fields[number % 5])
        ids.append(verdict.item_id)
        if number % 7 == 0:
            memory.palace.assign(ids[-1], room=f"room of {word}")
        if number % 4 == 0:
            memory.update(ids[-1], content=f"{number} was reworded {rng.random()}")
        if number:
            memory.link(ids[-1], ids[-2], evidence=f"evidence {word}")
    store = memory._parts.store
    others = [item.id for item in memory.list(limit=1000) if item.id not in ids]
    store.write(lambda tx: tx.set_aside([*ids[10:], *others[:60]]))
    store.write(lambda tx: tx.bring_back([*ids[30:40], *others[:20]]))
    store.settle_archive()
    store.write(lambda tx: tx.set_aside(ids[35:38]))
    assert len(found_on_disk(path, WORDS)) == 50
    counts = memory.purge(*ids)
    assert counts["items"] == 50
    assert found_on_disk(path, WORDS) == []
    assert memory.stats()["archive"]["items"] == 40
    assert memory.doctor().healthy
    for item_id in ids:
        with pytest.raises(NotFound):
            memory.get(item_id)
    memory.close()
    assert found_on_disk(path, WORDS) == []


def test_what_is_only_in_the_archive_file_leaves_a_receipt_in_the_audit_log(memory, remember, move):
    item = remember("Petra likes figs.")
    move(item)
    memory.purge(item.id)
    assert memory.audit.events()[0].action == "purge"
    assert memory.audit.verify() == []
    assert memory.stats()["archive"]["items"] == 0


# Keeping


def test_a_backup_has_both_files_and_they_open_as_a_memory(memory, remember, move, tmp_path, open_memory):
    here, there = remember("Petra likes figs."), remember("Petra likes plums.")
    move(there)
    memory.backup(tmp_path / "copy.db")
    copy = open_memory(tmp_path / "copy.db")
    assert {item.id for item in copy.list(archived=True)} == {here.id, there.id}
    assert copy.stats()["archive"]["items"] == 1
    with pytest.raises(InvalidInput, match="overwrites nothing"):
        memory.backup(tmp_path / "copy.db")


def test_a_backup_is_not_begun_where_a_copy_of_the_archive_is_in_the_way(memory, remember, move, tmp_path):
    move(remember("Petra likes figs."))
    archive_of(tmp_path / "copy.db").write_text("mine")
    with pytest.raises(InvalidInput, match="overwrites nothing"):
        memory.backup(tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
    assert archive_of(tmp_path / "copy.db").read_text() == "mine"


def test_doctor_finds_a_flipped_byte_in_the_archive_file(memory, remember, move, raw_archive):
    move(remember("Petra likes figs."))
    assert memory.doctor().healthy
    raw_archive("UPDATE memory_revisions SET snapshot = replace(snapshot, 'figs', 'pigs')")
    (problem,) = memory.doctor().problems
    assert problem.area == "archive: revisions"


@pytest.fixture
def raw_archive(path):
    """Runs a statement on the archive file, past the store."""

    def run(statement):
        connection = apsw.Connection(str(archive_of(path)))
        add_tokenizer(connection)
        connection.execute(statement)
        connection.close()

    return run


def test_an_export_holds_what_moved_and_loads_as_archived(memory, remember, move, tmp_path, open_memory):
    one, two = remember("Petra likes figs."), remember("Petra likes plums.")
    memory.link(one.id, two.id, "supports")
    memory.forget(two.id)
    move(memory.get(two.id))
    other = open_memory(tmp_path / "other.db")
    verdicts = other.load(memory.export()).verdicts
    assert {verdict.outcome for verdict in verdicts} == {"accepted"}
    assert other.get(two.id).status is Status.ARCHIVED
    assert [link.dst for link in other.explain(one.id).links] == [two.id]


def test_a_damaged_archive_file_stops_no_search(memory, remember, move, path):
    kept = remember("Petra likes figs.")
    move(remember("Petra likes plums."))
    memory.close()
    for suffix in ("-wal", "-shm"):
        archive_of(path).with_name(archive_of(path).name + suffix).unlink(missing_ok=True)
    archive_of(path).write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    with Memory(path, embedder=FakeEmbedder(8)) as again:
        result = again.search("Petra figs", archived=True)
        assert [hit.item.id for hit in result.hits] == [kept.id]
        assert any(said.startswith("archive:") for said in result.degradations)


def test_a_memory_that_only_reads_finds_what_moved(memory, remember, move, path, open_memory):
    item = remember("Petra likes plums.")
    move(item)
    memory.close()
    reading = open_memory(read_only=True)
    assert reading.get(item.id).content == item.content
    assert reading.search("plums", archived=True).hits[0].moved


# A process that is killed while items move

CHILD = """
import os, signal, sys
from dataclasses import replace
from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.testing import FakeEmbedder, FrozenClock
from simonides.upkeep.settings import UpkeepSettings
settings = replace(Settings(store=StoreSettings(synchronous="NORMAL")), upkeep=UpkeepSettings(max_size="500KB"))
clock = FrozenClock("2027-03-01T12:00:00Z")
memory = Memory(sys.argv[1], settings=settings, clock=clock, embedder=FakeEmbedder(8))
left, where = int(sys.argv[2]), sys.argv[3]
store = memory._parts.store if where == "store" else memory._parts.store._opened_archive()
def count():
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return False
store._connection.set_commit_hook(count)
run = memory.maintain(["prune"])
print(run.status.value)
"""


@pytest.mark.parametrize(("where", "commits"), [("archive", 0), ("store", 1), ("store", 2)])
def test_a_process_killed_while_items_move_loses_nothing_and_the_next_run_finishes(
    open_memory, path, where, commits
):
    memory = open_memory()
    said = [
        f"{number} " + " ".join(f"w{random.Random(number * 99 + n).randrange(10**6)}" for n in range(80))
        for number in range(150)
    ]
    added = memory.add(said, type="fact").verdicts
    texts = {verdict.item_id: text for verdict, text in zip(added, said, strict=True)}
    memory.close()
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), str(commits), where],
        check=False,
        capture_output=True,
        text=True,
    )
    assert child.returncode == -signal.SIGKILL, child.stderr
    again = open_memory()
    assert again.doctor().healthy
    items = again.list(scope=ALL, archived=True, limit=1000)
    assert {item.id: item.content for item in items} == texts
    again.close()
    small = Settings(store=StoreSettings(synchronous="NORMAL"), upkeep=UpkeepSettings(max_size="500KB"))
    last = open_memory(settings=small, clock=FrozenClock("2027-03-01T12:00:00Z"))
    assert last.maintain(["prune"]).status is RunStatus.DONE
    last.close()
    after = open_memory()
    assert after.stats()["live_bytes"] <= 500_000
    assert len(after.list(limit=1000)) + after.stats()["archive"]["items"] == 150
    assert {item.id: item.content for item in after.list(scope=ALL, archived=True, limit=1000)} == texts
    assert after.doctor().healthy
    assert path.stat().st_size <= 500_000


def test_a_rollback_reaches_what_was_merged_of_what_has_moved_since(path, clock, move):
    with Memory(path.with_name("tea.db"), clock=clock) as memory:
        page = {"provenance": {"source_id": "https://example.org/page"}}
        texts = (
            "Ana prefers green tea in the morning.",
            "In the morning, Ana prefers green tea.",
            "Ana prefers green tea.",
        )
        ids = []
        for text, fields in zip(texts, (page, {}, {}), strict=True):
            ids.append(memory.add(text, type="fact", **fields).item_id)
            clock.advance(hours=1)
        memory.consolidate()
        [merged] = memory.list()
        move(memory.get(ids[0]), memory.get(ids[1]), where=memory)
        run = memory.review.rollback(source_id="https://example.org/page", dry_run=False)
        assert [item.id for item in memory.list()] == [ids[2]]
        assert memory.get(merged.id).validation == "retracted"
        [left] = run.degradations
        assert ids[1] in left
        assert memory.restore(ids[1]).outcome == "accepted"
        memory.undo(run.id, force=True)


def test_what_was_known_then_is_answered_though_it_has_moved_since(memory, remember, move, clock):
    item = remember("Petra likes plums.")
    then = iso(clock.now())
    clock.advance(days=10)
    memory.correct(item.id, "Petra likes figs.")
    move(memory.get(item.id))
    clock.advance(days=1)
    for archived in (False, True):
        result = memory.search("what does Petra like?", as_of=then, archived=archived)
        assert [hit.item.content for hit in result.hits] == ["Petra likes plums."]
    for name, contents in (("Petra", ["Petra likes plums."]), ("Ruben", [])):
        hits = memory.search("who likes plums?", entity=name, as_of=then).hits
        assert [hit.item.content for hit in hits] == contents
