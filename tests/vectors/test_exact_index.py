"""The exact index: the port's contract, brute force, and catching up with a real store."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import InvalidVector
from simonides.ports.store import NewItem
from simonides.recall.store_view import StoreView
from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import FakeEmbedder, FakeVectorSource, VectorIndexContract, an_item
from simonides.vectors.exact import ExactIndex

EMBEDDER = FakeEmbedder(8)
MODEL = EMBEDDER.identity
EVERYTHING = Selection(scopes=None, live_at=None)
VECTORS = st.integers(0, 30).map(lambda seed: EMBEDDER.embed([f"text {seed}"])[0])
thorough = settings(max_examples=30, derandomize=True)


class TestExactIndex(VectorIndexContract):
    def make_index(self, model):
        return ExactIndex(model)


@st.composite
def histories(draw):
    """A source after some changes, with refreshes of an index in between."""
    source, index = FakeVectorSource(8), ExactIndex(MODEL)
    present = set()
    for _ in range(draw(st.integers(1, 40))):
        key = draw(st.integers(1, 15))
        if key in present and draw(st.integers(0, 4)) == 0:
            source.remove(key)
            present.discard(key)
        else:
            source.put(
                key,
                draw(st.none() | VECTORS),
                scope=draw(st.integers(1, 3)),
                status=draw(st.sampled_from(Status)),
                expires_at=draw(st.none() | st.integers(0, 10)),
            )
            present.add(key)
        if draw(st.booleans()):
            index.refresh(source)
    index.refresh(source)
    return source, index


@thorough
@given(
    histories(),
    VECTORS,
    st.none() | st.lists(st.integers(1, 4), unique=True),
    st.none() | st.integers(0, 10),
    st.frozensets(st.sampled_from(Status)),
    st.integers(1, 20),
)
def test_whatever_happened_before_it_finds_what_brute_force_finds(
    history, vector, scopes, live_at, statuses, limit
):
    source, index = history
    selection = Selection(scopes=None, live_at=live_at, statuses=statuses - {Status.QUARANTINED})
    expected = source.expected(vector, selection, scopes)
    keys, cosines = index.search(vector, selection, scopes, limit)
    best = sorted(expected, key=lambda key: (-round(expected[key], 5), key))[:limit]
    assert np.allclose(cosines, [expected[key] for key in best], atol=2e-5)
    assert set(keys.tolist()) <= set(expected)
    assert len(set(keys.tolist())) == len(keys) == len(best)
    assert [(-cosine, key) for cosine, key in zip(cosines, keys, strict=True)] == sorted(
        (-cosine, key) for cosine, key in zip(cosines, keys, strict=True)
    )


@thorough
@given(histories(), VECTORS)
def test_cosines_are_those_of_the_stored_vectors(history, vector):
    source, index = history
    anything = Selection(scopes=None, live_at=None, statuses=frozenset({Status.ACTIVE, Status.ARCHIVED}))
    expected = source.expected(vector, anything, None)
    keys = np.arange(1, 16)
    found = index.cosines(vector, keys)
    assert np.allclose(found, [expected.get(key, 0.0) for key in keys.tolist()], atol=2e-5)
    assert len(index) == len(expected)


def test_a_scope_in_which_most_rows_died_is_packed_and_still_whole():
    source, index = FakeVectorSource(8), ExactIndex(MODEL)
    for number in range(1000):
        source.put(number % 20 + 1, EMBEDDER.embed([f"text {number}"])[0])
        index.refresh(source)
    assert len(index) == 20
    keys, cosines = index.search(EMBEDDER.embed(["text 999"])[0], EVERYTHING, None, 100)
    assert sorted(keys.tolist()) == list(range(1, 21))
    assert cosines[0] == 1.0


# With a real store


@pytest.fixture
def store(tmp_path):
    store = SqliteStore(tmp_path / "memory.db", synchronous="NORMAL")
    yield store
    store.close()


def put(store, *items, model=MODEL, embedder=EMBEDDER):
    news = [NewItem(item, Outcome.ACCEPTED, embedder.embed([item.text])[0]) for item in items]
    store.write(lambda tx: tx.insert(news, model))


def nearest(store, index, text, *, limit=10, **changes):
    selection = Selection(**({"scopes": None, "live_at": None} | changes))
    with store.read() as reader:
        index.refresh(StoreView(reader, reader.state()))
        keys, _ = index.search(EMBEDDER.embed([text])[0], selection, reader.scope_keys(selection), limit)
        found = reader.load(keys.tolist())
    return [found[key].content for key in keys.tolist()]


def test_it_catches_up_with_a_store_from_the_beginning_and_after_each_change(store):
    index = ExactIndex(MODEL)
    first, second = an_item("first"), an_item("second", scope=Scope("user:ana"))
    put(store, first, second)
    assert nearest(store, index, "first", limit=1) == ["first"]
    assert nearest(store, index, "first", scopes=(Scope("user:ana"),)) == ["second"]
    put(store, an_item("third"))
    assert nearest(store, index, "third", limit=1) == ["third"]
    assert len(index) == 3


def test_a_reworded_item_is_found_by_its_new_words_only(store):
    index = ExactIndex(MODEL)
    item = an_item("before")
    put(store, item)
    assert nearest(store, index, "before") == ["before"]
    reworded = an_item("after", id=item.id)
    vector = EMBEDDER.embed(["after"])[0]
    store.write(lambda tx: tx.revise(reworded, reason="r", action="update", vector=vector, model=MODEL))
    with store.read() as reader:
        index.refresh(StoreView(reader, reader.state()))
        key = reader.key(item.id)
    assert index.cosines(vector, np.array([key]))[0] == 1.0
    assert len(index) == 1


def test_a_reworded_item_without_a_new_vector_is_left_out(store):
    index = ExactIndex(MODEL)
    item = an_item("before")
    put(store, item)
    assert nearest(store, index, "before") == ["before"]
    store.write(lambda tx: tx.revise(an_item("after", id=item.id), reason="r", action="update"))
    assert nearest(store, index, "before") == []


def test_a_change_of_status_or_expiry_is_followed_without_a_new_vector(store):
    index = ExactIndex(MODEL)
    item = an_item("text")
    put(store, item)
    assert nearest(store, index, "text") == ["text"]

    def revise(**changes):
        state = an_item("text", id=item.id, **changes)
        store.write(lambda tx: tx.revise(state, reason="r", action="update"))

    revise(status=Status.ARCHIVED)
    assert nearest(store, index, "text") == []
    assert nearest(store, index, "text", statuses=frozenset(Status)) == ["text"]
    revise(expires_at=1000)
    assert nearest(store, index, "text", live_at=1000) == []
    assert nearest(store, index, "text", live_at=999) == ["text"]
    revise(status=Status.QUARANTINED)
    assert nearest(store, index, "text", statuses=frozenset(Status)) == []
    # What waits for a decision loses its vector; with the decision it has one again.
    revise()
    assert nearest(store, index, "text") == []


def test_a_purged_item_is_left_out(store):
    index = ExactIndex(MODEL)
    gone, kept = an_item("gone"), an_item("kept")
    put(store, gone, kept)
    assert set(nearest(store, index, "gone")) == {"gone", "kept"}
    store.purge([gone.id], 0)
    assert nearest(store, index, "gone") == ["kept"]
    assert len(index) == 1


def test_it_follows_the_writes_of_another_connection(store, tmp_path):
    index = ExactIndex(MODEL)
    assert nearest(store, index, "theirs") == []
    other = SqliteStore(tmp_path / "memory.db", synchronous="NORMAL")
    item = an_item("theirs")
    put(other, item)
    assert nearest(store, index, "theirs") == ["theirs"]
    other.purge([item.id], 0)
    other.close()
    assert nearest(store, index, "theirs") == []


def test_it_follows_the_writes_of_another_process(store, tmp_path):
    index = ExactIndex(MODEL)
    put(store, an_item("ours"))
    assert nearest(store, index, "ours") == ["ours"]
    script = """
import sys
from simonides import Memory
from simonides.config import Settings
from simonides.testing import FakeEmbedder
with Memory(sys.argv[1], settings=Settings(), embedder=FakeEmbedder(8)) as memory:
    memory.add([f"theirs {n}" for n in range(20)])
"""
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "memory.db")], check=True)
    assert nearest(store, index, "theirs 7", limit=1) == ["theirs 7"]
    assert len(index) == 21


def test_a_change_that_was_taken_back_is_not_seen(store):
    index = ExactIndex(MODEL)

    def fail(tx):
        tx.insert([NewItem(an_item("never"), Outcome.ACCEPTED, EMBEDDER.embed(["never"])[0])], MODEL)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.write(fail)
    assert nearest(store, index, "never") == []


def test_vectors_of_another_model_are_never_compared(store):
    other = FakeEmbedder(8, name="other")
    put(store, an_item("theirs"), model=other.identity, embedder=other)
    put(store, an_item("ours"))
    assert nearest(store, ExactIndex(MODEL), "ours") == ["ours"]
    assert nearest(store, ExactIndex(other.identity), "theirs") == ["theirs"]


def test_pieces_of_a_large_store_are_all_taken_in(store):
    items = [an_item(f"text {n}") for n in range(4200)]
    put(store, *items)
    index = ExactIndex(MODEL)
    assert nearest(store, index, "text 4199", limit=1) == ["text 4199"]
    assert len(index) == 4200


@pytest.mark.parametrize(
    "vector",
    [
        np.full(8, np.nan, np.float32),
        np.array([np.inf] + [0] * 7, np.float32),
        np.ones(7, np.float32),
        np.ones((1, 8), np.float32),
        np.ones(0, np.float32),
    ],
)
def test_a_vector_of_the_wrong_dimension_or_without_a_number_is_refused_and_nothing_is_written(store, vector):
    item = an_item("x")
    with pytest.raises(InvalidVector):
        store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED, vector)], MODEL))
    with store.read() as reader:
        assert reader.get([item.id]) == {}
        assert reader.state().change == 0
        assert reader.events() == []
    put(store, item)
    assert nearest(store, ExactIndex(MODEL), "x") == ["x"]
