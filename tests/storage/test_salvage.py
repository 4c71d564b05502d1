"""Salvage: all that can be read of a damaged store is saved."""

import resource
from pathlib import Path

import apsw
import pytest

from simonides import ALL, Memory
from simonides.compose import salvage_store
from simonides.errors import InvalidInput, StoreError
from simonides.testing import FakeEmbedder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder()) as memory:
        ids = memory.add([f"The jar on shelf {n} holds plums." for n in range(300)]).item_ids
        memory.link(ids[0], ids[1], "supports")
        memory.update(ids[2], title="Plums")
    return tmp_path / "memory.db"


def test_a_whole_store_is_saved_whole(path: Path, tmp_path: Path) -> None:
    saved = salvage_store(path, tmp_path / "new.db")
    assert (saved.items, saved.shortened, saved.lost, saved.links) == (300, 0, 0, 1)
    with Memory(tmp_path / "new.db", embedder=FakeEmbedder()) as memory:
        assert memory.backfill() == 300
        assert memory.doctor().healthy
        assert len(memory.list(scope=ALL, limit=500)) == 300


def test_a_revision_that_was_changed_shortens_its_history_and_loses_nothing_else(
    path: Path, tmp_path: Path
) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(
        "UPDATE memory_revisions SET snapshot = replace(snapshot, 'plums', 'poison') WHERE number = 2"
    )
    connection.close()
    saved = salvage_store(path, tmp_path / "new.db")
    assert (saved.items, saved.shortened, saved.lost) == (300, 1, 0)


def test_overwritten_pages_cost_no_more_than_what_stood_on_them(path: Path, tmp_path: Path) -> None:
    data = bytearray(path.read_bytes())
    pages = len(data) // 4096
    for page in range(pages // 2, pages // 2 + 3):
        data[page * 4096 : (page + 1) * 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    before = path.read_bytes()
    saved = salvage_store(path, tmp_path / "new.db")
    assert saved.items > 200
    assert path.read_bytes() == before


def test_salvage_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    (tmp_path / "new.db").write_text("mine")
    with pytest.raises(InvalidInput, match="overwrites nothing"):
        salvage_store(path, tmp_path / "new.db")


@pytest.mark.parametrize("room", [0, 600_000])
def test_a_salvage_without_room_loses_no_item_leaves_nothing_and_can_be_tried_again(
    path: Path, tmp_path: Path, room: int
) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(StoreError):
            salvage_store(path, tmp_path / "new.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.glob("new.db*")) == []
    assert salvage_store(path, tmp_path / "new.db").items == 300
