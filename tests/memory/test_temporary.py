"""`:memory:`: a store that is there as long as it is open."""

import tempfile
from pathlib import Path

import pytest

from simonides import Memory
from simonides.testing import FakeEmbedder


@pytest.mark.parametrize("name", [":memory:", Path(":memory:")])
def test_a_temporary_store_does_all_that_another_does_and_leaves_nothing(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Memory(name, embedder=FakeEmbedder(8)) as memory, Memory(name, embedder=FakeEmbedder(8)) as other:
        (said,) = memory.add("the falcon nests on cliffs")
        assert [hit.item.id for hit in memory.search("falcon").hits] == [said.item_id]
        assert other.list() == []
        assert memory.doctor().healthy
        memory.backup(tmp_path / "copy.db")
        memory.purge(said.item_id)
        assert all(file.stat().st_mode & 0o077 == 0 for file in tmp_path.iterdir())
    assert [file.name for file in tmp_path.iterdir()] == ["copy.db"]


@pytest.mark.parametrize(("address", "waits"), [(":memory:", 0), ("memory.db", 2)])
def test_only_a_store_that_stays_waits_for_the_disk(address, waits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Memory(address) as memory:
        [(synchronous,)] = memory._parts.store._connection.execute("PRAGMA synchronous").fetchall()
    assert synchronous == waits
