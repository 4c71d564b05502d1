"""A disk that is full: writes say so, reads go on, and purging and forgetting make room."""

import os
from contextlib import suppress

import pytest

from simonides.errors import SimonidesError, StoreFull
from simonides.reserve import RESERVE_BYTES
from tests.full_disk import DISKS, fill, filled_up, small


@pytest.fixture(params=DISKS)
def small_disk(tmp_path, request):
    with small(tmp_path / "disk", request.param) as place:
        yield place


def add_many(memory):
    for n in range(5000):
        memory.add(f"heron {n} " + "y" * 900)


def test_a_reserve_is_kept_beside_a_store_and_not_beside_one_that_is_only_read(path, open_store):
    open_store().close()
    reserve = path.with_name("memory.db.reserve")
    assert reserve.stat().st_size == RESERVE_BYTES
    assert reserve.stat().st_mode & 0o777 == 0o600
    assert reserve.stat().st_blocks * 512 >= RESERVE_BYTES
    reserve.unlink()
    open_store(read_only=True)
    assert not reserve.exists()


def test_what_was_given_of_a_reserve_is_taken_again(path, open_store):
    open_store().close()
    reserve = path.with_name("memory.db.reserve")
    os.truncate(reserve, RESERVE_BYTES // 16)
    open_store().close()
    assert reserve.stat().st_size == RESERVE_BYTES


@pytest.mark.parametrize("reopened", [False, True])
def test_a_store_on_a_full_disk_frees_itself(small_disk, open_memory, reopened):
    memory = open_memory(small_disk / "memory.db")
    ids = [memory.add(f"falcon {n} " + "x" * 900).verdicts[0].item_id for n in range(300)]
    if reopened:
        memory.close()
    with filled_up(small_disk):
        memory = open_memory(small_disk / "memory.db") if reopened else memory
        with pytest.raises(StoreFull, match="free some"):
            add_many(memory)
        held = {item.id for item in memory.list(limit=10_000)}
        assert set(ids) <= held
        assert memory.search("falcon 7").hits is not None
        assert memory.doctor().problems == ()
        memory.forget(ids[0])
        assert memory.get(ids[0]).status == "archived"
        for item_id in ids[1:9]:
            with suppress(StoreFull):  # Gone, but not wiped.
                memory.purge(item_id)
        assert not {item.id for item in memory.list(limit=10_000)} & set(ids[:9])
        memory.close()
    memory = open_memory(small_disk / "memory.db")
    memory.purge(*ids[1:9])
    assert memory.doctor().problems == ()
    assert b"falcon 8 " not in b"".join(file.read_bytes() for file in small_disk.iterdir())
    assert (small_disk / "memory.db.reserve").exists()


def test_closing_on_a_full_disk_raises_nothing(small_disk, open_memory):
    memory = open_memory(small_disk / "memory.db")
    memory.add([f"falcon {n} " + "x" * 900 for n in range(100)])
    with filled_up(small_disk):
        (small_disk / "memory.db.reserve").unlink()
        fill(small_disk / "more")
        with suppress(SimonidesError):
            add_many(memory)
        memory.search("falcon")
        memory.context("falcon")
        memory.close()
        (small_disk / "more").unlink()
    assert open_memory(small_disk / "memory.db").doctor().problems == ()


# A counted disk bounds what SQLite writes, and no files of ours.
@pytest.mark.parametrize("small_disk", ["mounted"], indirect=True)
@pytest.mark.parametrize("target", ["out.jsonl", "out.jsonl.gz", "out.csv", "notes"])
def test_an_export_to_a_full_disk_says_so_and_leaves_nothing(small_disk, open_memory, target):
    memory = open_memory()
    memory.add([f"heron {n} " + os.urandom(300).hex() for n in range(100)])
    with filled_up(small_disk):
        with pytest.raises(StoreFull, match="no space left"):
            memory.export_to(small_disk / target, form="markdown" if target == "notes" else None)
        assert [file.name for file in small_disk.iterdir()] == ["ballast"]
