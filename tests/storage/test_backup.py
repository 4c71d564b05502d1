"""Copying a store while it is in use."""

import shutil
import subprocess
import sys

import apsw
import pytest

from simonides.domain.scope import ALL
from simonides.errors import InvalidInput, StoreDamaged, StoreError


@pytest.fixture
def filled(memory):
    memory.add([f"falcon number {n}" for n in range(300)], scope="user:ana")
    item = memory.list(scope="user:ana", limit=1)[0]
    memory.update(item.id, content="a falcon that was reworded")
    memory.reinforce(item.id)
    memory.link(item.id, memory.list(scope="user:ana")[1].id)
    return memory


def everything(memory):
    return list(memory.export()), memory.audit.events(limit=10_000)


def test_a_restored_copy_equals_the_store(filled, tmp_path, open_memory):
    (tmp_path / "copies").mkdir()
    copy = filled.backup(tmp_path / "copies" / "copy.db")
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]  # No log, no reserve.
    restored = open_memory(copy)
    records, events = everything(filled)
    # That it was copied, the store notes when the copy is whole.
    assert everything(restored) == (records, [event for event in events if event.action != "backup"])
    assert restored.doctor().healthy
    assert [hit.item for hit in restored.search("reworded", scope="user:ana").hits] == [
        hit.item for hit in filled.search("reworded", scope="user:ana").hits
    ]
    assert restored.search("falcon number 7", scope="user:ana").strategy.startswith("text+vectors")


def test_a_copy_goes_its_own_way(filled, tmp_path, open_memory):
    restored = open_memory(filled.backup(tmp_path / "copy.db"))
    restored.add("only in the copy")
    filled.add("only in the original")
    assert [item.content for item in restored.list()] == ["only in the copy"]
    assert [item.content for item in filled.list()] == ["only in the original"]


def test_a_copy_made_while_others_write_is_whole(filled, tmp_path, open_memory):
    other = open_memory()

    def write(_share):
        other.add(f"written meanwhile {len(told)}", scope="user:bo")
        told.append(_share)

    told = []
    restored = open_memory(filled.backup(tmp_path / "copy.db", write))
    assert told[-1] == 1.0
    assert restored.doctor().healthy
    assert len(restored.list(scope="user:ana", limit=1000)) == 300


def test_a_copy_overwrites_nothing(filled, tmp_path):
    there = tmp_path / "there.db"
    there.write_bytes(b"precious")
    with pytest.raises(InvalidInput, match="overwrites nothing"):
        filled.backup(there)
    assert there.read_bytes() == b"precious"
    with pytest.raises(InvalidInput):
        filled.backup(filled.path)


def test_a_copy_that_is_broken_off_leaves_nothing_and_can_be_made_again(filled, tmp_path):
    def stop(_share):
        raise KeyboardInterrupt

    (tmp_path / "copies").mkdir()
    with pytest.raises(KeyboardInterrupt):
        filled.backup(tmp_path / "copies" / "copy.db", stop)
    assert list((tmp_path / "copies").iterdir()) == []
    filled.backup(tmp_path / "copies" / "copy.db")
    filled.add("the store goes on")


def test_what_a_broken_off_copy_left_is_written_anew(filled, tmp_path, open_memory):
    (tmp_path / "copy.db.partial").write_bytes(b"half a copy")
    restored = open_memory(filled.backup(tmp_path / "copy.db"))
    assert not (tmp_path / "copy.db.partial").exists()
    assert len(restored.list(scope=ALL, limit=1000)) == 300


def test_a_damaged_store_gives_no_copy_that_looks_whole(filled, tmp_path, open_memory):
    path = filled.path
    filled.close()
    with apsw.Connection(str(path)) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'memory_items'").get
        size = connection.pragma("page_size")
    connection.close()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xa5" * size
    path.write_bytes(data)
    with pytest.raises(StoreError):
        open_memory(path).backup(tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy.db*"))


def killed(path, content):
    """Add something in a process that dies, and leaves the log of the store behind."""
    code = (
        "import os, sys; from simonides import Memory\n"
        "memory = Memory(sys.argv[1]); memory.add(sys.argv[2]); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, path, content], check=False).returncode == 9
    assert path.with_name(f"{path.name}-wal").stat().st_size


@pytest.mark.parametrize("read_only", [False, True])
def test_a_copy_is_not_opened_beside_the_log_of_what_it_replaced(path, open_memory, tmp_path, read_only):
    memory = open_memory()
    memory.add("The mill is closed on Mondays.")
    copy = memory.backup(tmp_path / "copy.db")
    memory.close()
    killed(path, "The mill has a new roof.")
    whole = shutil.copytree(tmp_path, tmp_path / "whole")
    shutil.copyfile(copy, path)
    before = {file.name: file.read_bytes() for file in tmp_path.glob("memory.db*")}
    with pytest.raises(StoreDamaged, match=r"move memory\.db-wal and memory\.db-shm away"):
        open_memory(read_only=read_only)
    assert {file.name: file.read_bytes() for file in tmp_path.glob("memory.db*")} == before
    for ending in ("-wal", "-shm"):
        (tmp_path / f"memory.db{ending}").unlink()
    assert [item.content for item in open_memory().list()] == ["The mill is closed on Mondays."]
    # What was there is as it was, with its log.
    assert len(open_memory(whole / "memory.db").list()) == 2


def test_a_store_or_an_opened_copy_that_was_killed_is_opened_with_its_log(path, open_memory, tmp_path):
    memory = open_memory()
    memory.add("The mill is closed on Mondays.")
    copy = memory.backup(tmp_path / "copy.db")
    memory.close()
    for file in (path, copy):
        killed(file, "The mill has a new roof.")
        assert len(open_memory(file).list()) == 2
