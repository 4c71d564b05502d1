"""Opening: what is a store, what is not, and that whatever is not is left as it is."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from simonides import Memory
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import NewerSchema, NotAStore, StoreClosed, StoreDamaged, StoreReadOnly
from simonides.ports.store import NewItem
from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import an_item

EVERYTHING = Selection(scopes=None, live_at=None)


def put(store, content):
    store.write(lambda tx: tx.insert([NewItem(an_item(content), Outcome.ACCEPTED)], None))


def contents(store):
    with store.read() as reader:
        return [item.content for item in reader.select(EVERYTHING, limit=100).values()]


def folder_of(path):
    """Names and bytes of everything in the folder of a file."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}


def test_a_missing_file_is_made_with_its_folders(tmp_path, open_store):
    path = tmp_path / "a" / "b" / "memory.db"
    put(open_store(path), "one")
    assert path.exists()


def test_an_empty_file_becomes_a_store(path, open_store):
    path.touch()
    put(open_store(), "one")


def test_what_was_written_is_there_after_reopening(open_store):
    store = open_store()
    put(store, "one")
    store.close()
    assert contents(open_store()) == ["one"]


def test_another_programs_database_is_refused_and_left_as_it_is(path):
    with closing(sqlite3.connect(path)) as other:
        other.executescript("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine');")
    before = folder_of(path)
    with pytest.raises(NotAStore, match="left as it is"):
        SqliteStore(path)
    assert folder_of(path) == before


@pytest.mark.parametrize("pragma", ["application_id = 7", "application_id = 7; PRAGMA journal_mode = wal"])
def test_a_database_that_bears_another_programs_mark_is_refused_even_if_it_is_empty(path, pragma):
    with closing(sqlite3.connect(path)) as other:
        other.executescript(f"PRAGMA {pragma};")
    before = folder_of(path)
    with pytest.raises(NotAStore):
        SqliteStore(path)
    assert folder_of(path) == before


@pytest.mark.parametrize(
    "data",
    [
        b"xy",
        b"hello, I am a diary\n",
        b"{}" * 1000,
        b"\0" * 8192,
        os.urandom(5000),
        b"SQLite format 3\0" + b"x" * 4080,
    ],
    ids=["2 bytes", "text", "json", "zeros", "random", "a false header"],
)
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(path, data):
    path.write_bytes(data)
    before = folder_of(path)
    with pytest.raises((NotAStore, StoreDamaged)):
        SqliteStore(path)
    assert folder_of(path) == before


def test_a_newer_schema_is_refused_and_left_as_it_is(path, open_store, raw):
    store = open_store()
    put(store, "one")
    store.close()
    connection = raw()
    connection.pragma("user_version", 99)
    connection.close()
    before = folder_of(path)
    with pytest.raises(NewerSchema, match="upgrade"):
        SqliteStore(path)
    assert folder_of(path) == before


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(NotAStore, match="folder"):
        SqliteStore(tmp_path)


def test_a_path_below_a_file_is_refused(path):
    path.write_text("a file")
    with pytest.raises(StoreReadOnly, match="cannot be made"):
        SqliteStore(path / "memory.db")


# Reading only


def test_a_store_opened_for_reading_is_read_and_not_changed(path, open_store):
    store = open_store()
    put(store, "one")
    store.close()
    before = path.read_bytes()
    reading = open_store(read_only=True)
    assert contents(reading) == ["one"]
    with reading.read() as reader:
        item_id = next(iter(reader.select(EVERYTHING, limit=1).values())).id
    with pytest.raises(StoreReadOnly):
        put(reading, "two")
    with pytest.raises(StoreReadOnly):
        reading.purge([item_id], 0)
    with pytest.raises(StoreReadOnly):
        reading.rebuild_fts()
    assert list(reading.check()) == []
    assert list(reading.check(audit_only=True)) == []
    assert contents(reading) == ["one"]
    reading.close()
    assert path.read_bytes() == before


def test_a_missing_file_is_not_made_for_reading(path):
    with pytest.raises(StoreReadOnly):
        SqliteStore(path, read_only=True)
    with pytest.raises(StoreReadOnly, match="does not exist"):
        SqliteStore(path.parent / "missing" / "memory.db", read_only=True)
    assert folder_of(path) == {}


def test_an_empty_file_is_not_made_a_store_for_reading(path):
    path.touch()
    with pytest.raises(NotAStore, match="nothing to read"):
        SqliteStore(path, read_only=True)
    assert path.read_bytes() == b""


@pytest.mark.parametrize("beside", ["-wal", ".reserve", ".archive"])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_that_was_emptied_is_not_replaced_by_an_empty_one(path, open_store, beside, read_only):
    store = open_store()
    put(store, "one")
    store.close()
    for file in path.parent.iterdir():
        if file != path:
            file.unlink()
    path.with_name(path.name + beside).write_bytes(b"left")
    path.write_bytes(b"")
    before = folder_of(path)
    with pytest.raises(StoreDamaged, match="is empty, but"):
        SqliteStore(path, read_only=read_only)
    assert folder_of(path) == before
    path.with_name(path.name + beside).unlink()
    put(open_store(), "another")


@contextmanager
def somebody_whom_permissions_bind():
    """The same process as another user: root is bound by no permissions."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder():
    """A folder that others can reach too."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for place in (folder, *folder.rglob("*")):
        place.chmod(0o755)
    shutil.rmtree(folder)


def test_a_folder_that_cannot_be_written_is_named(open_folder):
    closed = open_folder / "closed"
    closed.mkdir(0o555)
    with somebody_whom_permissions_bind():
        for path in (closed / "memory.db", closed / "deeper" / "memory.db"):
            with pytest.raises(StoreReadOnly):
                SqliteStore(path)
    assert list(closed.iterdir()) == []


def test_a_file_that_cannot_be_written_is_named_and_left_as_it_is(open_folder, open_store):
    closed = open_folder / "closed"
    closed.mkdir()
    store = open_store(closed / "memory.db")
    put(store, "one")
    store.close()
    (closed / "memory.db").chmod(0o444)
    closed.chmod(0o555)
    before = folder_of(closed / "memory.db")
    with somebody_whom_permissions_bind(), pytest.raises(StoreReadOnly):
        put(SqliteStore(closed / "memory.db"), "two")
    assert folder_of(closed / "memory.db") == before


# Closing


def test_a_closed_store_says_so(open_store):
    store = open_store()
    store.close()
    store.close()
    with pytest.raises(StoreClosed):
        put(store, "one")
    with pytest.raises(StoreClosed):
        contents(store)


def test_a_reader_that_is_in_use_may_finish_after_closing(open_store):
    store = open_store()
    put(store, "one")
    with store.read() as reader:
        store.close()
        assert reader.count(EVERYTHING) == 1


def test_closing_leaves_one_file_and_the_reserve(path, open_store):
    store = open_store()
    put(store, "one")
    contents(store)
    store.close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["memory.db", "memory.db.reserve"]


def test_what_was_answered_survives_a_process_that_ends_without_closing(path, open_store):
    script = """
import os, sys
from pathlib import Path
from simonides.domain.verdict import Outcome
from simonides.ports.store import NewItem
from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import an_item
store = SqliteStore(Path(sys.argv[1]))
for n in range(20):
    item = NewItem(an_item(f"falcon {n}"), Outcome.ACCEPTED)
    store.write(lambda tx: tx.insert([item], None))
def cut(tx):
    tx.insert([NewItem(an_item("never answered"), Outcome.ACCEPTED)], None)
    os._exit(9)
store.write(cut)
"""
    ended = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert ended.returncode == 9
    store = open_store()
    assert contents(store) == [f"falcon {n}" for n in range(19, -1, -1)]
    assert list(store.check()) == []


def test_a_store_made_through_a_link_is_its_owners_alone(path, open_store):
    target = path.with_name("elsewhere.db")
    path.symlink_to(target)
    put(open_store(), "one")
    assert target.stat().st_mode & 0o777 == 0o600
    assert target.with_name("elsewhere.db-wal").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("asked", [True, False])
def test_a_store_on_a_medium_that_cannot_be_written_is_read(open_folder, open_store, asked):
    closed = open_folder / "closed"
    closed.mkdir()
    store = open_store(closed / "memory.db")
    put(store, "one")
    store.close()
    (closed / "memory.db").chmod(0o444)
    closed.chmod(0o555)
    before = folder_of(closed / "memory.db")
    with somebody_whom_permissions_bind():
        reading = SqliteStore(closed / "memory.db", read_only=asked)
        assert contents(reading) == ["one"]
        assert reading.describe()["read_only"] == "the medium cannot be written"
        assert list(reading.check()) == []
        with pytest.raises(StoreReadOnly):
            put(reading, "two")
        reading.close()
    assert folder_of(closed / "memory.db") == before


@pytest.mark.parametrize("by_link", [False, True])
@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o755), (0o666, 0o555), (0o444, 0o777)])
def test_a_store_is_read_where_its_file_or_its_folder_cannot_be_written(
    open_folder, open_store, file, folder, by_link
):
    closed = open_folder / "closed"
    closed.mkdir()
    store = open_store(closed / "memory.db")
    put(store, "one")
    store.close()
    (closed / "memory.db").chmod(file)
    closed.chmod(folder)
    path = closed / "memory.db"
    if by_link:  # The folder that counts is that of the file.
        open_folder.chmod(0o777)
        (open_folder / "link.db").symlink_to(path)
        path = open_folder / "link.db"
    before = (closed / "memory.db").read_bytes()
    with somebody_whom_permissions_bind():
        reading = SqliteStore(path)
        assert contents(reading) == ["one"]
        assert "read_only" in reading.describe()
        assert list(reading.check()) == []
        with pytest.raises(StoreReadOnly):
            put(reading, "two")
        reading.close()
    assert (closed / "memory.db").read_bytes() == before


def test_a_store_that_could_be_but_read_is_written_once_it_may_be(open_folder):
    path = open_folder / "memory.db"
    open_folder.chmod(0o777)
    with somebody_whom_permissions_bind():
        store = SqliteStore(path)
        put(store, "one")
        store.close()
        path.chmod(0o444)
        reading = SqliteStore(path)
        assert contents(reading) == ["one"]
        reading.close()
        path.chmod(0o600)
        store = SqliteStore(path)
        put(store, "two")
        store.close()
        assert sorted(contents(SqliteStore(path))) == ["one", "two"]


def test_a_store_is_written_in_a_folder_that_cannot_be_where_its_log_is_there_already(
    open_folder, open_store
):
    closed = open_folder / "closed"
    closed.mkdir()
    held = open_store(closed / "memory.db")
    put(held, "one")
    for there in closed.iterdir():
        there.chmod(0o666)
    closed.chmod(0o555)
    with somebody_whom_permissions_bind():
        store = SqliteStore(closed / "memory.db")
        assert "read_only" not in store.describe()
        put(store, "two")
        store.close()
    assert sorted(contents(held)) == ["one", "two"]
    held.close()


@pytest.mark.parametrize("asked", [True, False])
def test_a_log_that_cannot_be_read_beside_a_store_on_such_a_medium_is_said(open_folder, open_store, asked):
    closed = open_folder / "closed"
    closed.mkdir()
    store = open_store(closed / "memory.db")
    put(store, "one")
    store.close()
    (closed / "memory.db-wal").write_bytes(b"what was not carried over")
    (closed / "memory.db").chmod(0o444)
    closed.chmod(0o555)
    with somebody_whom_permissions_bind():
        reading = SqliteStore(closed / "memory.db", read_only=asked)
        assert contents(reading) == ["one"]
        assert "write-ahead log" in reading.describe()["read_only"]
        reading.close()


def removed(path):
    for file in path.parent.glob("memory.db*"):
        file.unlink()


def moved(path):
    path.rename(path.with_name("moved.db"))


def replaced(path):
    with Memory(path.with_name("other.db")) as other:
        other.add("The mill has a new roof.")
    path.with_name("other.db").replace(path)


@pytest.mark.parametrize("gone", [removed, moved, replaced])
def test_nothing_is_answered_that_was_written_to_a_file_that_is_gone(path, open_memory, gone):
    memory = open_memory()
    known = memory.add("The mill is closed on Mondays.").item_id
    gone(path)
    there = sorted(path.parent.iterdir())
    for write in (
        lambda: memory.add("The ferry leaves at nine."),
        lambda: memory.add(["The ferry leaves at nine.", "The lens is in Graz."]),
        lambda: memory.update(known, tags=["mill"]),
        lambda: memory.forget(known),
        lambda: memory.purge(known),
        memory.rebuild_fts,
        memory.doctor,
    ):
        with pytest.raises(StoreDamaged, match="moved, removed or replaced"):
            write()
    assert memory.get(known).content == "The mill is closed on Mondays."
    # Nor is an empty file made where it was.
    assert sorted(path.parent.iterdir()) == there
    # What was in it can still be taken out.
    memory.backup(path.with_name("copy.db"))
    memory.close()
    assert [item.id for item in open_memory(path.with_name("copy.db")).list()] == [known]


def test_a_file_that_was_put_back_is_written_again(path, open_memory):
    memory = open_memory()
    moved(path)
    with pytest.raises(StoreDamaged, match="put it back"):
        memory.add("The ferry leaves at nine.")
    path.with_name("moved.db").rename(path)
    memory.add("The mill is closed on Mondays.")
    memory.close()
    assert [item.content for item in open_memory().list()] == ["The mill is closed on Mondays."]


def test_a_link_by_which_a_store_was_opened_may_lead_elsewhere_meanwhile(path, open_memory):
    link = path.with_name("link.db")
    link.symlink_to(path)
    memory = open_memory(link)
    link.unlink()
    memory.add("The mill is closed on Mondays.")
    memory.close()
    assert [item.content for item in open_memory().list()] == ["The mill is closed on Mondays."]


def test_a_link_that_leads_to_another_store_meanwhile_mixes_no_two(path, open_memory):
    link = path.with_name("link.db")
    link.symlink_to(path)
    memory = open_memory(link)
    with Memory(path.with_name("other.db")) as other:
        other.add("The mill has a new roof.")
    link.unlink()
    link.symlink_to(path.with_name("other.db"))
    memory.add("The mill is closed on Mondays.")
    assert [hit.item.content for hit in memory.search("the mill").hits] == ["The mill is closed on Mondays."]
    memory.close()
    assert [item.content for item in open_memory(link).list()] == ["The mill has a new roof."]
