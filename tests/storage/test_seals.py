"""Seals: whatever is changed in a row outside Simonides, the doctor finds it; and nothing else."""

from contextlib import closing
from enum import IntEnum

import apsw
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Name
from simonides.domain.instant import iso
from simonides.domain.link import Link, Relation
from simonides.domain.records import Session
from simonides.domain.scope import ALL
from simonides.domain.verdict import Outcome
from simonides.errors import StoreError
from simonides.ports.store import NewItem
from simonides.storage.sql.rows import to_row
from simonides.storage.sqlite.seals import ADDED, SealingConnection, broken, sealed_tables
from simonides.storage.sqlite.statements import schema
from simonides.storage.sqlite.text_index import add_tokenizer
from simonides.testing import an_item

#: Tables whose rows are compared otherwise: a chain, and the names that entities have.
ELSEWHERE = ("memory_events", "memory_entity_names")
#: No release writes them yet.
EMPTY = {"corpora", "documents", "memory_moved_links"}


@pytest.fixture
def closed(memory, path, clock):
    """The path of a store that has rows in every table, closed."""
    first, second = (memory.add(text, tags=["bird"]).item_ids[0] for text in ("a falcon", "a heron"))
    memory.add([{"role": "user", "content": "hi Ana"}], session_id="s")
    memory.propose([{"content": "storks like chimneys"}])
    memory.link(first, second, evidence="both are birds")
    memory.update(first, content="a red falcon")
    memory._parts.store.write(lambda tx: tx.use([first], "s", clock.now()))
    memory.context("falcon heron bird")
    memory.palace.assign(first, room="birds")
    memory.reinforce(first)
    memory.add("Ana owns a boat", entities=["Ana"], expires_at=iso(clock.now() + 1))
    clock.advance(days=1)
    memory.maintain(["expire", "consolidate", "causes", "profile"])
    memory.close()
    return path


def rows(connection, table):
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    return columns, connection.execute(f"SELECT * FROM {table}").fetchall()


def test_the_store_of_these_tests_has_rows_in_every_table(closed, raw):
    connection = raw()
    assert {name for name in sealed_tables() if not rows(connection, name)[1]} == EMPTY


def another(value):
    """Values of the same type, each unlike the given one."""
    if isinstance(value, str):
        return st.text(st.characters(codec="utf-8"), max_size=8).filter(lambda new: new != value)
    if isinstance(value, bytes):
        return st.binary(max_size=len(value)).filter(lambda new: new != value)
    if isinstance(value, float):
        return st.floats(allow_nan=False).filter(lambda new: new != value)
    if isinstance(value, int):
        return st.integers(-(2**62), 2**62).filter(lambda new: new != value)
    return st.one_of(st.just(0), st.just("0"), st.just(b"0"))


@pytest.mark.parametrize("table", sorted((sealed_tables().keys() | set(ELSEWHERE)) - EMPTY))
@given(data=st.data())
@settings(max_examples=5, suppress_health_check=list(HealthCheck))
def test_whatever_is_changed_in_a_row_is_found(closed, raw, open_memory, table, data):
    whole = closed.read_bytes()
    with closing(raw()) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
        columns, found = rows(connection, table)
        row = data.draw(st.sampled_from(found))
        column = data.draw(st.sampled_from(columns))
        new = data.draw(another(row[columns.index(column)]), label=f"{table}.{column}")
        where = " AND ".join(f"{name} IS ?" for name in columns)
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (new, *row))
        except apsw.ConstraintError:
            return  # Of another type, or there already: the file cannot say so.
    try:
        with closing(open_memory()) as memory:
            assert not memory.doctor().healthy
    except StoreError:
        pass
    finally:
        for name in (closed, *(closed.with_name(closed.name + end) for end in ("-wal", "-shm"))):
            name.unlink(missing_ok=True)
        closed.write_bytes(whole)


def test_what_a_store_does_itself_raises_no_alarm(closed, open_memory, tmp_path):
    with closing(open_memory()) as memory:
        assert memory.doctor().problems == ()
        found = memory.list(scope=ALL)
        memory.link(found[0].id, found[1].id)
        memory.forget(found[0].id)
        memory.purge(found[1].id)
        memory.maintain()
        memory.backup(tmp_path / "copy.db")
        assert memory.doctor().problems == ()
    with closing(open_memory(tmp_path / "copy.db")) as copy:
        assert copy.doctor().problems == ()


def test_what_is_taken_back_within_a_transaction_is_not_sealed_in_vain(store):
    def fails(tx):
        tx.insert([NewItem(an_item("gone"), Outcome.ACCEPTED)], None)
        raise KeyError

    with pytest.raises(KeyError):
        store.write(fails)
    store.write(lambda tx: tx.insert([NewItem(an_item("kept"), Outcome.ACCEPTED)], None))
    assert list(store.check()) == []


class Own(str):
    """A text that shows itself otherwise than it is."""

    __slots__ = ()

    def __repr__(self):
        return "own"

    def __str__(self):
        return "own"


class Level(IntEnum):
    HIGH = 1


NUMBERS = st.one_of(
    st.sampled_from([0, 1, -0.0, True, Level.HIGH, np.float64(0.5)]), st.floats(0, 1, allow_nan=False)
)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)


@given(
    texts=st.lists(WORDS.filter(str.strip), min_size=1, max_size=4),
    number=NUMBERS,
    own=st.booleans(),
    embeds=st.booleans(),
)
@example(texts=["a", "b"], number=-0.0, own=False, embeds=False)
@example(texts=["c", "d"], number=1, own=True, embeds=True)
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_rows_that_are_sealed_as_they_are_added_are_as_they_will_be_read(store, texts, number, own, embeds):
    """A text or number of a kind of its own, as frameworks have them, is kept as a plain one."""
    kind = Own if own else str
    identity = EmbedderIdentity("one", "one", 2)
    vector = np.ones(2, np.float32) if embeds else None
    new = [
        NewItem(
            an_item(
                kind(text),
                type="episode",
                session_id=kind("s"),
                ordinal=None,
                importance=number,
                confidence=number,
            ),
            Outcome.ACCEPTED,
            vector,
            waits=True,
            names=(Name("Ana"),),
        )
        for text in texts
    ]
    store.write(lambda tx: tx.insert(new, identity))
    ids = [entry.item.id for entry in new]
    links = [
        Link(src=src, dst=dst, rel=Relation.TEMPORAL, weight=number, confidence=number, evidence=kind(text))
        for src, dst, text in zip(ids, ids[1:], texts, strict=False)
    ]
    session = Session(kind("s"), new[0].item.scope, 1, 1, len(new))
    for _ in range(2):  # Added, and put in its own place.
        store.write(lambda tx: [tx.put_session(session), *map(tx.link, links)])
        assert list(store.check()) == []


class Share(float):
    """A number of a kind of its own."""

    __slots__ = ()

    def __repr__(self):
        return "share"


KINDS = {"number": [int, float, Share, np.float64], "text": [str, Own]}


@given(drawn=st.data())
@settings(max_examples=60)
def test_a_whole_number_is_sealed_as_its_column_keeps_it(drawn):
    """Callers write 3, 3.0 or a number of their own kind."""
    connection = SealingConnection(":memory:")
    add_tokenizer(connection)
    connection.execute(schema())
    connection.note_writes()
    item = an_item("A falcon.", event_at=5, expires_at=2**52, ordinal=3, session_id="s", confidence=1.0)
    rows = {
        "insert_item": [1, *to_row(item, 1, b"c" * 32, b"r" * 16)],
        "add_revision": [1, 1, 5, "said", None, "{}", b"r" * 16],
        "put_vector": [1, 1, 7, b"1234"],
        "add_mention": [1, 2, 5],
        "put_link": [2, 1, "causal", "so", 1.0, 0.5, None, 5, None, 6],
        "put_session": [1, "s", 5, 6, 2, None, None],
        "put_fact": ["a fact", 3],
        "await_extraction": [1, "s"],
    }
    assert rows.keys() == ADDED.keys()
    for name, row in rows.items():
        given = [
            value
            if value is None or isinstance(value, bytes)
            else drawn.draw(st.sampled_from(KINDS["text" if isinstance(value, str) else "number"]))(value)
            for value in row
        ]
        connection.add(name, [tuple(given)])
        assert list(broken(connection, ADDED[name].table)) == [], given


def test_a_vector_in_another_ones_place_is_sealed(store):
    identity = EmbedderIdentity("one", "one", 2)
    new = NewItem(an_item("a falcon"), Outcome.ACCEPTED, np.ones(2, np.float32))
    store.write(lambda tx: tx.insert([new], identity))
    with store.read() as reader:
        key = reader.key(new.item.id)
    vectors = [(key, np.array([1, 0], np.float32)), (key, np.array([0, 1], np.float32))]
    store.write(lambda tx: tx.put_vectors(identity, vectors))
    assert list(store.check()) == []


def test_a_seal_is_no_change_that_caches_follow(memory, raw):
    memory.add("a falcon")
    (before,) = raw().execute("SELECT count(*) FROM memory_changes").fetchone()
    assert before == 1


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_store_of_an_earlier_release_is_sealed_when_it_is_migrated(old_store, open_memory, raw, version):
    old_store(version)
    (before,) = raw().execute("SELECT count(*) FROM memory_changes").fetchone()
    open_memory().close()
    assert raw().execute("SELECT count(*) FROM memory_changes").get == before
    for name in sealed_tables():
        assert raw().execute(f"SELECT count(*) FROM {name} WHERE seal = zeroblob(16)").get == 0, name
    raw().execute("UPDATE memory_links SET weight = weight + 1")
    assert not open_memory().doctor().healthy
