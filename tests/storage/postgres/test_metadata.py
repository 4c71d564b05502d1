"""JSON of any text: metadata is filtered by in a database as in a file, and nothing beside it is kept from anybody."""

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.testing import FakeEmbedder, FrozenClock
from tests.storage.postgres.server import running

#: Pieces that make up what looks like an escape, and is one or is none.
TEXTS = st.lists(
    st.sampled_from(
        ["\0", "\1", "\2", "\\", "\\u0000", "\\u0001", "\\u005c", "u0000", '"', "a", "é", "\U0001f600", "\n"]
    ),
    max_size=5,
).map("".join)
NAMES = TEXTS.filter(lambda name: name.strip() and "\0" not in name)
VALUES = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.sampled_from([0, 1, 1.0, -0.0, 0.1, 1e300, 5e-324]),
    st.floats(allow_nan=False, allow_infinity=False),
)
METADATA = st.dictionaries(
    st.one_of(st.sampled_from(["a", "b\0c"]), TEXTS),
    st.recursive(
        VALUES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2)
    ),
    max_size=3,
)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A file and a database, with one clock."""
    server = running()
    clock = FrozenClock()
    file = Memory(tmp_path_factory.mktemp("metadata") / "memory.db", embedder=FakeEmbedder(8), clock=clock)
    database = Memory(server.url, tenant=server.new_tenant(), embedder=FakeEmbedder(8), clock=clock)
    yield file, database, itertools.count()
    file.close()
    database.close()


@settings(max_examples=60)
@given(
    held=st.lists(METADATA, min_size=1, max_size=3),
    wanted=st.lists(st.tuples(st.one_of(st.just("a"), NAMES), VALUES), max_size=3),
)
@example(held=[{"a": "x\\u0000y"}, {"a": "xy"}], wanted=[("a", "x\0y"), ("a", "xy")])
@example(held=[{"a": "\0"}, {"a": "\1\2"}, {"a": "\1"}], wanted=[("a", ""), ("a", "\1\1\2")])
@example(held=[{"a\\u0000b": 1}, {"b\0c": [{"\0": "\0"}]}], wanted=[("a\\u0000b", 1), ("ab", 1)])
def test_a_filter_by_metadata_finds_the_same_whatever_it_holds(both, held, wanted):
    file, database, numbers = both
    scope = f"project:{next(numbers)}"
    named = [
        (name, value)
        for one in held
        for name, value in one.items()
        if not isinstance(value, dict | list) and "\0" not in name and name.strip()
    ]
    for memory in (file, database):
        memory.add([f"Falcon {n} is kept." for n in range(len(held))], scope=scope)
        items = memory.list(scope=scope)
        for item, one in zip(sorted(items, key=lambda item: item.content), held, strict=False):
            memory.update(item.id, metadata=one)
    for name, value in [*named, *wanted]:
        listed = [
            sorted(item.content for item in memory.list(scope=scope, metadata={name: value}))
            for memory in (file, database)
        ]
        assert listed[0] == listed[1], (name, value)
        found = [
            sorted(hit.item.content for hit in memory.search("falcon", scope=scope, metadata={name: value}))
            for memory in (file, database)
        ]
        assert found[0] == found[1], (name, value)


def test_growth_is_told_beside_what_holds_a_nul(both):
    file, database, _ = both
    told = []
    for memory in (file, database):
        memory.records.put("users/ana", "tea", {"likes": "gr\0een"})
        memory.add("Heron is noted.", metadata={"n": "a\0b", "m": "\\u0000"})
        told.append(memory.growth())
    assert told[0].periods[-1].added == told[1].periods[-1].added > 0
    assert told[0] == told[1]


@pytest.mark.parametrize("details", [{}, {"x": "a\0b"}, {"x": "\\", "z": 'says "moved_item": "y"'}])
def test_what_runs_did_stays_as_it_was_told_while_items_are_put_aside_and_come_back(server, details):
    with Memory(server.url, tenant=server.new_tenant(), embedder=FakeEmbedder(8)) as memory:
        memory.add([{"content": f"Thing {n} is here.", "expires_at": "2001-01-01"} for n in range(2)])
        run = memory.maintain(["expire"]).id
        records = list(memory.export())
    for record in records:
        if record["kind"] == "change":
            record["change"]["details"].update(details)
    with Memory(server.url, tenant=server.new_tenant(), embedder=FakeEmbedder(8)) as memory:
        assert all(verdict.outcome == "accepted" for verdict in memory.load(records, trusted=True).verdicts)
        store = memory._parts.store
        before = memory.runs.show(run).changes
        ids = [change.item_id for change in before]
        store.write(lambda tx: tx.set_aside(ids))
        assert {change.details["moved_item"] for change in memory.runs.show(run).changes} == set(ids)
        assert {change.item_id for change in memory.runs.show(run).changes} == {None}
        store.write(lambda tx: tx.bring_back(ids))
        assert memory.runs.show(run).changes == before
        for item_id in ids:
            memory.purge(item_id)
