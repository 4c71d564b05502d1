"""The index of a Memory: made, saved beside the file, purged with it, and none of another history."""

import logging
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simonides.config import Settings, StoreSettings
from simonides.domain.scope import ALL
from simonides.errors import ProviderError
from simonides.testing import FakeEmbedder
from simonides.vectors.registry import IndexSettings

pytest.importorskip("faiss")
EMBEDDER = FakeEmbedder(32)
COUNT = 400


def settings(**index):
    values = {"kind": "faiss-pq", "above": 300} | index
    return Settings(store=StoreSettings(synchronous="NORMAL"), index=IndexSettings(**values))


@pytest.fixture
def open_indexed(open_memory):
    def open_one(*args, **options):
        return open_memory(*args, **({"settings": settings(), "embedder": EMBEDDER} | options))

    return open_one


@pytest.fixture
def memory(open_indexed):
    memory = open_indexed()
    memory.add([f"note {n}" for n in range(COUNT)])
    return memory


def folder_of(path):
    return path.with_name(f"{path.name}.vectors")


def on_disk(path, text):
    """Files beside a store that hold the vector of a text."""
    needle = EMBEDDER.embed([text])[0].tobytes()
    files = [file for file in path.parent.rglob("*") if file.is_file()]
    return [file.name for file in files if needle in file.read_bytes()]


def index_of(memory):
    return memory.doctor().backend["index"]


def test_it_is_made_when_asked_for_and_opened_by_the_next_process(memory, open_indexed, path):
    assert index_of(memory) == "faiss-pq for scopes of 300 vectors and more; 400 compared one by one"
    assert memory.reindex() == "faiss-pq for scopes of 300 vectors and more; 400 saved, 0 since"
    found = memory.search("note 7")
    memory.close()
    again = open_indexed()
    assert index_of(again) == "faiss-pq for scopes of 300 vectors and more; 400 saved, 0 since"
    hits = again.search("note 7")
    assert [(hit.item.id, hit.score, hit.signals) for hit in hits] == [
        (hit.item.id, hit.score, hit.signals) for hit in found
    ]
    assert hits.degradations == ()


def test_another_process_answers_the_same(memory, path):
    memory.reindex()
    script = """
import sys
from simonides import Memory
from simonides.config import Settings
from simonides.testing import FakeEmbedder, FrozenClock
from simonides.vectors.registry import IndexSettings
settings = Settings(index=IndexSettings(kind="faiss-pq", above=300))
clock = FrozenClock("2026-03-01T12:00:00Z")
with Memory(sys.argv[1], settings=settings, embedder=FakeEmbedder(32), clock=clock, read_only=True) as memory:
    print([(hit.item.id, hit.score) for hit in memory.search("note 7", k=50)])
    print(memory.doctor().backend["index"])
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    found, index = done.stdout.splitlines()
    assert found == str([(hit.item.id, hit.score) for hit in memory.search("note 7", k=50)])
    assert "400 saved" in index


def test_a_purge_leaves_no_byte_of_a_vector(memory, path):
    item = memory.search("note 77", k=1).hits[0].item
    assert item.content == "note 77"
    memory.reindex()
    assert "rows.npy" in on_disk(path, "note 77")
    memory.purge(item.id)
    assert not folder_of(path).exists()
    assert on_disk(path, "note 77") == []
    assert "note 77" not in [hit.item.content for hit in memory.search("note 77", k=COUNT)]
    assert "399 saved" in memory.reindex()
    assert on_disk(path, "note 77") == []
    assert on_disk(path, "note 78") != []


def test_a_purge_reaches_what_an_index_of_another_kind_saved(memory, open_indexed, path):
    memory.reindex()
    exact = open_indexed(settings=settings(kind="exact"))
    exact.purge(exact.search("note 77", k=1).hits[0].item.id)
    assert not folder_of(path).exists()
    assert memory.search("note 78", k=1).hits[0].item.content == "note 78"


def test_a_purge_by_another_name_of_the_file_reaches_it_too(memory, open_indexed, path, tmp_path):
    memory.reindex()
    (tmp_path / "elsewhere").mkdir()
    (link := tmp_path / "elsewhere" / "link.db").symlink_to(path)
    other = open_indexed(link)
    assert "400 saved" in index_of(other)
    other.purge(other.search("note 77", k=1).hits[0].item.id)
    assert not folder_of(path).exists()


def test_a_process_that_changes_its_folder_saves_beside_the_file(open_indexed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory = open_indexed(Path("relative.db"))
    memory.add([f"note {n}" for n in range(COUNT)])
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    memory.reindex()
    assert (tmp_path / "relative.db.vectors").is_dir()
    memory.purge(memory.list(limit=1)[0].id)
    assert not (tmp_path / "relative.db.vectors").exists()


def test_what_is_left_of_a_purge_that_was_cut_off_is_removed_by_the_next_search(memory, open_indexed, path):
    item = memory.search("note 77", k=1).hits[0].item
    memory.reindex()
    memory.close()
    kept = path.with_name("kept")
    shutil.copytree(folder_of(path), kept)
    with open_indexed() as purging:
        purging.purge(item.id)
    shutil.move(kept, folder_of(path))  # As if it had been killed before it came to this.
    again = open_indexed()
    assert "note 77" not in [hit.item.content for hit in again.search("note 77", k=COUNT)]
    assert on_disk(path, "note 77") == []


def test_an_older_copy_that_is_put_back_does_not_take_the_index_of_what_came_after_it(
    memory, open_indexed, path
):
    copy = memory.backup(path.with_name("copy.db"))
    memory.add([f"of the first future {n}" for n in range(100)])
    memory.reindex()
    memory.close()
    shutil.copy(copy, path)
    again = open_indexed()
    assert "400 compared one by one" in index_of(again)
    # It counts on from there, past the changes that the saving knows.
    again.add([f"of the second future {n}" for n in range(150)])
    again.close()
    last = open_indexed()
    assert "550 compared one by one" in index_of(last)
    found = [hit.item.content for hit in last.search("of the second future 3", k=5)]
    assert found[0] == "of the second future 3"


def test_the_past_is_searched_without_it(memory, clock, path):
    before = clock.now()
    clock.advance(days=1)
    memory.add("note of tomorrow")
    memory.reindex()
    at = "2026-03-01T12:00:00Z"
    assert before == 1_772_366_400_000_000
    found = [hit.item.content for hit in memory.search("note 7", as_of=at)]
    assert "note 7" in found
    assert "note of tomorrow" not in found
    assert "401 saved" in index_of(memory)


def test_a_folder_that_cannot_be_written_is_named_by_searches_which_go_on(memory, path, caplog):
    folder_of(path).write_bytes(b"in the way")
    with caplog.at_level(logging.CRITICAL):
        with pytest.raises(ProviderError, match="faiss-pq cannot be used"):
            memory.reindex()
        result = memory.search("note 7")
    assert result.hits[0].item.content == "note 7"
    assert any("faiss-pq cannot be used" in said for said in result.degradations)


def test_a_read_only_memory_makes_nothing(memory, open_indexed, path):
    memory.close()
    reader = open_indexed(read_only=True)
    assert "400 compared one by one" in reader.reindex()
    assert not folder_of(path).exists()


def test_a_small_store_has_no_folder_for_it(open_indexed, path):
    memory = open_indexed()
    memory.add(["one", "two"])
    assert "2 compared one by one" in memory.reindex()
    assert memory.search("one", scope=ALL)
    assert not folder_of(path).exists()
