"""An archive file that is damaged, missing or another store's: the store goes on without, and says so."""

import random
from contextlib import closing, suppress

import apsw
import pytest

from simonides.domain.instant import iso
from simonides.domain.scope import ALL
from simonides.domain.selection import Selection
from simonides.errors import NotFound, SimonidesError, StoreDamaged, StoreError, StoreLocked
from simonides.storage.sqlite.store import archive_of

SPOILED = ["noise", "zeros", "cut", "empty pages", "missing", "a folder", "another store's"]


@pytest.fixture
def moved(memory):
    """Ids of what is in the archive file."""
    ids = [memory.add(f"the falcon {n} nests").verdicts[0].item_id for n in range(9)]
    memory.add("the heron stays")
    memory._parts.store.write(lambda tx: tx.set_aside(ids))
    memory.close()
    return ids


def spoil(file, how):
    data = file.read_bytes()
    file.unlink()
    if how == "noise":
        file.write_bytes(random.Random(1).randbytes(len(data)))
    elif how == "zeros":
        file.write_bytes(bytes(len(data)))
    elif how == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif how == "empty pages":  # The first page, with the schema, is whole.
        file.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
    elif how == "a folder":
        file.mkdir()


@pytest.mark.parametrize("how", SPOILED)
@pytest.mark.usefixtures("moved")
def test_everything_that_needs_no_archive_goes_on(path, open_memory, tmp_path, how, clock):
    spoil(archive_of(path), how)
    if how == "another store's":
        other = open_memory(tmp_path / "other.db")
        (item,) = other.add("a puffin").verdicts
        other._parts.store.write(lambda tx: tx.set_aside([item.item_id]))
        other.close()
        archive_of(tmp_path / "other.db").rename(archive_of(path))
    memory = open_memory()
    (added,) = memory.add("the osprey came").verdicts
    assert memory.get(added.item_id).content == "the osprey came"
    memory.add([{"role": "user", "content": "hello"}], session_id="s")
    assert {"the heron stays", "the osprey came"} <= {item.content for item in memory.list(archived=True)}
    assert [hit.item.content for hit in memory.search("osprey came", as_of=iso(clock.now())).hits]
    assert len([record for record in memory.export() if record["kind"] == "item"]) == 3
    memory.forget(added.item_id)
    memory.backup(tmp_path / "copy.db")
    result = memory.search("the osprey came", archived=True)
    assert any(str(archive_of(path)) in said for said in result.degradations)
    assert "archive" in memory.doctor().backend
    assert any("archive" in problem.area for problem in memory.doctor().problems)
    assert memory.stats(scope=ALL)["archive"]["problem"]


@pytest.mark.parametrize("how", SPOILED[:6])
def test_nothing_is_moved_to_a_file_that_cannot_be_trusted(path, open_memory, moved, how):
    spoil(archive_of(path), how)
    memory = open_memory()
    (item,) = memory.list()
    with pytest.raises(StoreError):
        memory._parts.store.write(lambda tx: tx.set_aside([item.id]))
    assert [left.id for left in memory.list()] == [item.id]


def test_an_empty_file_in_the_place_of_a_missing_one_is_taken_for_what_is_left(path, open_memory, moved):
    archive_of(path).unlink()
    assert "put an empty file in its place" in str(open_memory().doctor().problems[0].message)
    archive_of(path).touch()
    memory = open_memory()
    assert memory.doctor().healthy
    (item,) = memory.list()
    memory._parts.store.write(lambda tx: tx.set_aside([item.id]))
    memory.close()
    assert open_memory().doctor().healthy


def test_a_purge_says_that_a_damaged_archive_file_may_hold_copies(path, open_memory, moved):
    spoil(archive_of(path), "empty pages")
    memory = open_memory()
    (item,) = memory.list()
    with pytest.raises(StoreDamaged, match="may have copies"):
        memory.purge(item.id)
    assert memory.list() == []


def test_a_flipped_byte_anywhere_in_an_archive_file_stops_nothing(path, open_memory, moved):
    data = archive_of(path).read_bytes()
    used = [at for at in range(len(data)) if data[at]]
    for place in random.Random(3).sample(used, 40):
        flipped = bytearray(data)
        flipped[place] ^= 0xFF
        archive_of(path).write_bytes(flipped)
        memory = open_memory()
        memory.add("the osprey came")
        memory.list(archived=True)
        memory.search("falcon", archived=True)
        memory.doctor()
        assert list(memory.export())
        for item_id in moved:
            with suppress(SimonidesError):  # What was moved may be gone; the error is ours.
                memory.history(item_id)
        memory.close()


def test_a_lock_says_nothing_about_the_archive_file(path, open_memory, moved):
    with closing(apsw.Connection(str(archive_of(path)))) as other:
        other.pragma("locking_mode", "exclusive")
        other.execute("BEGIN EXCLUSIVE")
        memory = open_memory()
        with pytest.raises(StoreLocked):
            memory.get(moved[0])
    assert memory.get(moved[0]).content == "the falcon 0 nests"
    assert memory.purge(moved[0])["items"] == 1


def test_a_mistake_of_ours_says_nothing_about_the_archive_file(open_memory, moved):
    memory = open_memory()
    archive = memory._parts.store.archive
    for mistake in (
        lambda reader: reader.select(Selection(scopes=None, live_at=None), limit="a"),
        lambda reader: reader.select(Selection(scopes=None, live_at=None), limit=object()),
        lambda reader: reader.select(None, limit=1),
    ):
        with (
            pytest.raises((StoreError, TypeError, AttributeError, ValueError)) as raised,
            archive.read() as reader,
        ):
            mistake(reader)
        assert not isinstance(raised.value, StoreDamaged)
        assert memory.get(moved[0]).content == "the falcon 0 nests"
    assert memory.purge(moved[0])["items"] == 1


@pytest.mark.parametrize("how", ["noise", "cut", "empty pages", "missing"])
def test_a_sound_archive_file_is_found_again_where_a_damaged_one_was(path, open_memory, moved, how):
    sound = archive_of(path).read_bytes()
    spoil(archive_of(path), how)
    memory = open_memory()
    with pytest.raises(NotFound):
        memory.get(moved[0])
    assert memory.stats()["archive"]["problem"]
    fresh = archive_of(path).with_suffix(".again")
    fresh.write_bytes(sound)
    fresh.replace(archive_of(path))
    assert memory.get(moved[0]).content == "the falcon 0 nests"
    assert "problem" not in memory.stats()["archive"]
    assert memory.purge(moved[0])["items"] == 1
    assert memory.doctor().healthy
