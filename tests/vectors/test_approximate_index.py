"""Indexes made in the background, kept beside the store, checked when opened, left out where they cannot be used."""

import json
import logging
import shutil
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import numpy as np
import pytest

from simonides.domain.item import Status
from simonides.domain.selection import Selection
from simonides.errors import NotInstalled
from simonides.ports.vectors import VectorChanges
from simonides.testing import FakeEmbedder, FakeVectorSource
from simonides.vectors.approximate import ApproximateIndex, SavingPlan
from simonides.vectors.engine import BuildStopped
from simonides.vectors.exact import ExactIndex
from simonides.vectors.frozen import FrozenRows
from simonides.vectors.saved import SavedVectors, write

EMBEDDER = FakeEmbedder(8)
MODEL = EMBEDDER.identity
ANYTHING = Selection(scopes=None, live_at=None)
COUNT = 600


class PlainEngine:
    """Compares everything, counts what it does, can be held or made to fail. Meets `vectors.engine.Engine`."""

    name = "plain"

    def __init__(self, *, version=1, error=None):
        self.parameters = {"version": version}
        self.asked = []
        self.builds = 0
        self.began = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()
        self._error = error

    def candidates(self, limit):
        return limit + 5

    def build(self, rows, path, stopped):
        self.builds += 1
        self.began.set()
        while not self.may_end.wait(0.01):
            if stopped():
                raise BuildStopped
        if self._error is not None:
            raise self._error
        with path.open("wb") as file:
            np.save(file, rows)

    def open(self, path, count, dimension):
        rows = np.load(path)
        if rows.shape != (count, dimension):
            raise ValueError("it holds something else")
        return _Plain(rows, self.asked)


class _Plain:
    def __init__(self, rows, asked):
        self._rows = rows
        self._asked = asked

    def nearest(self, vector, count):
        self._asked.append(count)
        return np.argsort(self._rows @ vector)[::-1][:count]


def vector_of(key):
    return EMBEDDER.embed([f"text {key}"])[0]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "memory.db.vectors"


@pytest.fixture
def source():
    source = FakeVectorSource(8, piece=100)
    for key in range(1, COUNT + 1):
        source.put(key, vector_of(key))
    return source


@pytest.fixture
def engine():
    return PlainEngine()


@pytest.fixture
def make(folder, engine):
    """Makes indexes on the folder and closes them at the end."""
    made = []

    def one(engine=engine, *, model=MODEL, **plan):
        values = {"folder": folder, "above": 100, "patience_s": 0.0} | plan
        made.append(ApproximateIndex(model, engine, SavingPlan(**values)))
        return made[-1]

    yield one
    for index in made:
        index.close()


@pytest.fixture
def saved(make, source):
    """An index with a saving."""
    index = make()
    index.build(lambda: nullcontext(source))
    return index


def answers(index, source, *, limit=5, scopes=None, selection=ANYTHING):
    index.refresh(source)
    return [
        (keys.tolist(), cosines.tolist())
        for keys, cosines in (index.search(vector_of(key), selection, scopes, limit) for key in (3, 77, 900))
    ]


def exact_answers(source, **options):
    return answers(ExactIndex(MODEL), source, **options)


def savings(folder):
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


# Making


def test_below_the_bound_nothing_is_made(make, source, folder, engine):
    index = make(above=COUNT + 1)
    assert index.build(lambda: nullcontext(source)) == COUNT
    assert answers(index, source) == exact_answers(source)
    assert not folder.exists()
    assert engine.asked == []


def test_exact_search_serves_while_it_is_made_and_the_structure_afterwards(make, source, engine):
    engine.may_end.clear()
    index = make()
    assert answers(index, source) == exact_answers(source)
    assert engine.began.wait(60)
    assert answers(index, source) == exact_answers(source)
    assert engine.asked == []
    assert "in the background" in index.describe()
    assert index.degradations == ()
    engine.may_end.set()
    index.build(lambda: nullcontext(source))
    assert answers(index, source) == exact_answers(source)
    assert engine.asked
    assert "600 saved, 0 since" in index.describe()


def test_what_changes_while_it_is_made_is_not_lost(make, source, engine):
    engine.may_end.clear()
    index = make()
    index.refresh(source)
    assert engine.began.wait(60)
    source.put(3, vector_of(901))
    source.put(77, None)
    source.put(COUNT + 1, vector_of(900))
    source.put(5, vector_of(5), status=Status.ARCHIVED)
    assert answers(index, source) == exact_answers(source)
    engine.may_end.set()
    index.build(lambda: nullcontext(source))
    assert engine.builds == 1
    assert answers(index, source) == exact_answers(source)
    assert len(index) == COUNT


def test_a_process_that_ends_soon_makes_nothing(make, source, engine):
    index = make(patience_s=3600.0)
    for _ in range(5):
        index.refresh(source)
    assert engine.builds == 0
    index.build(lambda: nullcontext(source))
    assert engine.builds == 1


def test_who_may_not_write_makes_nothing_but_opens_what_is_there(make, source, folder, engine):
    reader = make(writes=False)
    reader.build(lambda: nullcontext(source))
    assert not folder.exists()
    make().build(lambda: nullcontext(source))
    other = make(writes=False)
    assert answers(other, source) == exact_answers(source)
    assert "600 saved" in other.describe()
    assert engine.builds == 1


def test_closing_ends_a_build_and_leaves_nothing_of_it(make, source, folder, engine):
    engine.may_end.clear()
    index = make()
    index.refresh(source)
    assert engine.began.wait(60)
    index.close()
    assert savings(folder) == []
    assert not any(thread.name == "simonides-index" for thread in threading.enumerate())


def test_a_build_that_fails_is_named_and_not_tried_again_until_it_is_asked_for(make, source, folder, caplog):
    broken = PlainEngine(error=OSError(28, "No space left on device"))
    index = make(broken)
    with caplog.at_level(logging.WARNING):
        assert index.build(lambda: nullcontext(source)) == COUNT
    assert answers(index, source) == exact_answers(source)
    [said] = index.degradations
    assert "plain" in said
    assert "No space left" in said
    assert "No space left" in caplog.text
    source.put(COUNT + 1, vector_of(1))
    index.refresh(source)
    assert broken.builds == 1
    assert savings(folder) == []
    index.build(lambda: nullcontext(source))
    assert broken.builds == 2


def test_a_saving_that_would_take_the_stores_room_is_not_begun(folder, engine):
    many = 10**14
    everything = VectorChanges(
        *(np.broadcast_to(np.zeros(1, kind), many) for kind in (np.int64, np.int64, np.int8, np.int64)),
        np.broadcast_to(np.zeros(8, np.float32), (many, 8)),
    )
    with pytest.raises(OSError, match="bytes and leaves the store as many"):
        write(folder, engine, SavedVectors(MODEL, "mark", 1, [everything]), 100, lambda: False)
    assert savings(folder) == []


def test_an_engine_that_cannot_be_imported_is_named_and_exact_search_goes_on(make, source, saved):
    class Missing(PlainEngine):
        def open(self, path, count, dimension):
            raise NotInstalled.of("plain", extra="plain")

    saved.close()
    index = make(Missing())
    assert answers(index, source) == exact_answers(source)
    assert "plain is not installed" in index.degradations[0]


def test_a_few_changes_are_compared_one_by_one_and_many_make_it_anew(make, source, engine, saved):
    for key in range(1, 90):
        source.put(key, vector_of(key + 1000))
    saved.refresh(source)
    assert engine.builds == 1
    assert answers(saved, source) == exact_answers(source)
    for key in range(90, 150):
        source.put(key, vector_of(key + 1000))
    saved.build(lambda: nullcontext(source))
    assert engine.builds == 2
    assert "600 saved, 0 since" in saved.describe()
    assert answers(saved, source) == exact_answers(source)


def test_only_what_is_current_is_kept(saved, source, folder):
    [first] = savings(folder)
    for key in range(1, 200):
        source.put(key, vector_of(key + 1000))
    saved.build(lambda: nullcontext(source))
    [second] = savings(folder)
    assert first != second
    assert [path.name for path in folder.iterdir() if path.is_file()] == ["plain.json"]


def test_what_is_saved_is_for_its_owner_alone(saved, folder):
    assert folder.stat().st_mode & 0o077 == 0


def test_searches_beside_refreshes_and_builds_are_whole(make, source):
    index = make()
    index.refresh(source)
    done = threading.Event()

    def look():
        looks = 0
        while not done.is_set() or not looks:
            keys, cosines = index.search(vector_of(1), ANYTHING, None, 5)
            assert len(keys) == 5
            assert len(set(keys.tolist())) == 5
            assert keys[0] == 1
            assert cosines[0] == 1.0
            looks += 1
        return looks

    with ThreadPoolExecutor(2) as pool:
        looking = [pool.submit(look) for _ in range(2)]
        try:
            for number in range(300):
                source.put(number % 400 + 100, vector_of(number + 2000))
                index.refresh(source)
                if number % 100 == 50:
                    index.build(lambda: nullcontext(source))
        finally:
            done.set()
    assert all(future.result() for future in looking)


# Opening


def test_what_was_saved_is_opened_and_followed(make, source, engine, saved):
    source.put(3, vector_of(901))
    source.put(77, None)
    other = make()
    assert answers(other, source) == exact_answers(source)
    assert "598 saved, 1 since" in other.describe()
    assert engine.builds == 1


def opened_anew(make, source, **options):
    """An index over the folder that took nothing of it."""
    index = make(patience_s=3600.0, **options)
    assert answers(index, source) == exact_answers(source)
    assert index.describe().endswith("600 compared one by one")
    assert index.degradations == ()
    return index


def copy_of(source, **options):
    copy = FakeVectorSource(8, **options)
    for key in range(1, COUNT + 1):
        copy.put(key, vector_of(key))
    return copy


def test_a_saving_of_another_store_is_left_out(make, saved):
    opened_anew(make, copy_of(None, name="another"))


def test_a_saving_of_a_state_that_was_not_reached_is_left_out(make, source, saved):
    older = copy_of(None)
    for key in range(1, 200):
        source.put(key, vector_of(key))
    saved.build(lambda: nullcontext(source))
    opened_anew(make, older)


def test_a_saving_of_other_settings_is_left_out(make, source, saved):
    index = opened_anew(make, source, engine=PlainEngine(version=2))
    index.build(lambda: nullcontext(source))
    assert "600 saved" in index.describe()


def test_a_saving_of_another_model_is_left_out(make, source, saved):
    other = FakeEmbedder(8, name="other").identity
    index = make(model=other)
    index.refresh(source)
    assert "saved" not in index.describe()


FILES = ["rows.npy", "keys.npy", "scopes.npy", "statuses.npy", "expires_at.npy", "sums.npy", "graph-0"]


@pytest.mark.parametrize("name", FILES)
def test_a_cut_file_is_noticed_when_it_is_opened(make, source, saved, folder, name):
    path = folder / savings(folder)[0] / name
    path.write_bytes(path.read_bytes()[:-1])
    opened_anew(make, source)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_noticed_when_it_is_opened(make, source, saved, folder, name):
    (folder / savings(folder)[0] / name).unlink()
    opened_anew(make, source)


@pytest.mark.parametrize("name", [name for name in FILES if name != "rows.npy"])
def test_a_changed_byte_is_noticed_when_it_is_opened(make, source, saved, folder, name):
    path = folder / savings(folder)[0] / name
    flip(path, path.stat().st_size - 3)
    opened_anew(make, source)


def flip(path, place):
    data = bytearray(path.read_bytes())
    data[place] ^= 0x10
    copy = path.with_name("copy")
    copy.write_bytes(data)
    copy.replace(path)  # What is mapped stays as it is.


@pytest.mark.parametrize("scopes", [None, [1]])
@pytest.mark.parametrize("limit", [5, COUNT])
def test_a_changed_vector_is_noticed_when_it_is_looked_at_and_read_anew(
    make, source, saved, folder, scopes, limit
):
    path = folder / savings(folder)[0] / "rows.npy"
    flip(path, path.stat().st_size - (COUNT - 3 + 1) * 32 + 7)  # That of item 3.
    index = make(patience_s=3600.0)
    index.refresh(source)
    keys, cosines = index.search(vector_of(3), ANYTHING, scopes, limit)
    truth = dict(zip(*(column.tolist() for column in exact(source, 3)), strict=True))
    assert cosines.tolist() == [truth[key] for key in keys.tolist()]
    assert 3 not in keys
    assert "damaged" in index.degradations[0]
    assert answers(index, source) == exact_answers(source)
    assert index.degradations == ()
    assert savings(folder) == []


def exact(source, key):
    index = ExactIndex(MODEL)
    index.refresh(source)
    return index.search(vector_of(key), ANYTHING, None, COUNT)


def test_a_changed_vector_is_not_copied_into_what_is_made_anew(make, source, saved, folder):
    path = folder / savings(folder)[0] / "rows.npy"
    flip(path, path.stat().st_size - 9)
    index = make()
    for key in range(1, 150):
        source.put(key, vector_of(key + 1000))
    index.build(lambda: nullcontext(source))
    index.build(lambda: nullcontext(source))
    assert answers(index, source) == exact_answers(source)
    assert "600 saved" in index.describe()
    assert index.degradations == ()


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "no JSON", '{"format": 1, "check": 0}', "\udcff"])
def test_a_manifest_that_is_none_is_left_out_and_written_anew(make, source, saved, folder, text):
    (folder / "plain.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    index = opened_anew(make, source)
    index.build(lambda: nullcontext(source))
    assert json.loads((folder / "plain.json").read_text())["count"] == COUNT


def test_a_manifest_of_another_release_is_left_out(make, source, saved, folder):
    path = folder / "plain.json"
    path.write_text(path.read_text().replace('"format":1', '"format":2'))
    opened_anew(make, source)


def test_a_manifest_that_was_edited_is_left_out(make, source, saved, folder):
    path = folder / "plain.json"
    path.write_text(path.read_text().replace('"change":600', '"change":599'))
    opened_anew(make, source)


def test_a_build_of_a_process_that_was_killed_is_removed_a_day_later(make, source, saved, folder):
    import os
    import time

    left, fresh = folder / "0123", folder / "4567"
    for path, age_s in ((left, 90_000), (fresh, 60)):
        path.mkdir()
        (path / "rows.npy").write_bytes(b"half")
        for file in (path / "rows.npy", path):
            os.utime(file, (time.time() - age_s,) * 2)
    for key in range(1, 200):
        source.put(key, vector_of(key + 1000))
    saved.build(lambda: nullcontext(source))
    assert not left.exists()
    assert fresh.exists()


# Several at once


def test_one_takes_what_another_has_made(make, source, engine):
    first, second = make(), make(patience_s=0.0)
    engine.may_end.clear()
    first.refresh(source)
    assert engine.began.wait(60)
    engine.may_end.set()
    first.build(lambda: nullcontext(source))
    second.refresh(source)
    assert "600 saved" in second.describe()
    assert engine.builds == 1


def test_two_that_build_at_once_end_with_the_same_answers(make, source, folder, engine):
    engine.may_end.clear()
    first, second = make(), make()
    for index in (first, second):
        index.refresh(source)
    assert engine.began.wait(60)
    engine.may_end.set()
    for index in (first, second):
        index.build(lambda: nullcontext(source))
        assert answers(index, source) == exact_answers(source)
    assert len(savings(folder)) == 1
    assert answers(first, source) == answers(second, source) == answers(make(), source)


# Purging


def test_a_purged_item_is_nowhere_once_the_next_search_is_done(saved, source, folder, engine):
    needle = vector_of(77).tobytes()
    assert any(needle in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    source.remove(77)
    engine.may_end.clear()
    assert answers(saved, source) == exact_answers(source)
    assert savings(folder) == [] or not any(needle in path.read_bytes() for path in folder.rglob("*.npy"))
    engine.may_end.set()
    saved.build(lambda: nullcontext(source))
    assert answers(saved, source) == exact_answers(source)
    assert "599 saved, 0 since" in saved.describe()
    assert not any(needle in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_purge_ends_a_build_that_has_the_item_in_it(make, source, folder, engine):
    engine.may_end.clear()
    index = make()
    index.refresh(source)
    assert engine.began.wait(60)
    source.remove(77)
    engine.may_end.set()
    index.build(lambda: nullcontext(source))
    needle = vector_of(77).tobytes()
    assert not any(needle in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert answers(index, source) == exact_answers(source)


def test_a_folder_that_is_removed_meanwhile_is_no_failure(make, source, folder, engine):
    engine.may_end.clear()
    index = make()
    index.refresh(source)
    assert engine.began.wait(60)
    shutil.rmtree(folder)
    engine.may_end.set()
    index.build(lambda: nullcontext(source))
    assert index.degradations == ()
    index.build(lambda: nullcontext(source))
    assert "600 saved" in index.describe()


def test_a_saving_that_was_removed_while_it_is_open_still_serves(saved, source, folder):
    shutil.rmtree(folder)
    assert answers(saved, source) == exact_answers(source)


def test_what_is_masked_while_it_is_searched_is_not_found_afterwards(saved, source):
    """A search between any two steps of masking, as one of another thread may come, remembers nothing that is over."""
    target = vector_of(77)
    frozen, _ = saved._held

    def search_between(frame, event, argument):
        del event, argument
        if frame.f_code is not FrozenRows.mask.__code__:
            return None
        saved.search(target, ANYTHING, None, 5)
        return search_between

    traced = sys.gettrace()
    sys.settrace(search_between)
    try:
        frozen.mask(np.array([77, 77], np.int64))
    finally:
        sys.settrace(traced)
    assert frozen.masked == 1
    assert 77 not in saved.search(target, ANYTHING, None, 5)[0].tolist()
