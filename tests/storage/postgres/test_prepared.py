"""Statements that a connection keeps: planned once, whatever is asked; behind a pooler, none."""

import re
from itertools import pairwise

import pytest

from simonides.domain.link import Link, Relation
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import Conflict, StoreError
from simonides.ports.recalling import Nearing
from simonides.ports.store import NewItem, TextQuery
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.store import PostgresStore
from simonides.testing import an_item
from tests.storage.postgres.network import Network


@pytest.fixture
def network(server):
    leading = Network(f"{server.data}/.s.PGSQL.5432")
    yield leading
    leading.close()


@pytest.fixture
def opened(server, network):
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    stores = []

    def opened():
        stores.append(
            PostgresStore(PostgresAddress(url=url, tenant=server.new_tenant(), pool_size=1), compares=10)
        )
        return stores[-1]

    yield opened
    for store in stores:
        store.close()


def kept(store):
    """Number of statements that the only connection keeps."""
    with store._connections.lend() as connection:
        return connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()[0]


def filled(store, count, about="note"):
    items = [an_item(f"{about} {number}") for number in range(count)]
    store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in items], None))
    return [item.id for item in items]


def read(store, ids):
    """Rows by keys, of which there are few or many, small or large."""
    with store.read() as reader:
        reader.state()
        return len(reader.get(ids)), len(reader.sketches([*range(len(ids)), 2**40][: len(ids)]))


def test_a_statement_is_planned_once_whatever_is_asked(opened):
    store = opened()
    ids = filled(store, 40)
    assert read(store, ids[:1])[0] == 1
    before = kept(store)
    assert before > 0
    for count in (2, 40, 7):
        assert read(store, ids[:count])[0] == count
    assert kept(store) == before


def as_a_pooler(data):
    """The answer as a pooler sends it on: with a process of its own, by which it knows who wants to cancel."""
    return re.sub(rb"K\x00\x00\x00\x0c....", b"K\x00\x00\x00\x0c\x7f\x00\x00\x01", data, flags=re.DOTALL)


@pytest.mark.parametrize("pooled", [False, True])
def test_a_small_table_is_looked_up_by_its_index(opened, network, pooled):
    if pooled:
        network.answers = as_a_pooler
    store = opened()
    filled(store, 5)
    with store._connections.lend() as connection, connection.transaction():
        for setting in store._connections.settings(store.tenant):
            connection.execute(setting)
        found = connection.execute(
            "EXPLAIN SELECT 1 FROM memory_usage WHERE tenant = %s AND item = 1", (store.tenant,)
        )
        plan = "\n".join(line for (line,) in found)
        compiled = connection.execute("SHOW jit").fetchone()
    assert "Index" in plan
    assert "Seq Scan" not in plan
    assert compiled == ("off",)


def test_links_to_an_item_are_looked_up_by_what_they_lead_to(server, opened):
    """By the primary key each would take a walk through all links of the tenant, which the planner does not see."""
    store = opened()
    ids = filled(store, 40)
    store.write(
        lambda tx: [tx.link(Link(src=one, dst=two, rel=Relation.CAUSAL)) for one, two in pairwise(ids)]
    )
    with server.owner() as owner:
        owner.execute(
            "INSERT INTO memory_links (tenant, src, dst, rel, created_at) "
            "SELECT %s, number, number / 50, 'mentions', 0 FROM generate_series(1000, 2000) AS number", (store.tenant,),
        )  # fmt: skip
    asking = Nearing(
        selection=Selection(scopes=None, live_at=None), text=[1, 2, 3], wanted=5, surrounded=3, reach=2, seeds=6,
        relations=frozenset({Relation.CAUSAL, Relation.SIMILAR}), depth=2,
    )  # fmt: skip
    with store.read() as reader:
        reader.state()
        assert reader.near(asking).edges
    with store._connections.lend() as connection, connection.transaction():
        for setting in (
            *store._connections.settings(store.tenant),
            "SET LOCAL plan_cache_mode = force_generic_plan",
        ):
            connection.execute(setting)
        ((name, values),) = connection.execute(
            "SELECT name, cardinality(parameter_types) FROM pg_prepared_statements WHERE statement LIKE '%onward%'"
        ).fetchall()
        found = connection.execute(f"EXPLAIN EXECUTE {name}({', '.join(['NULL'] * values)})")
        plan = [line.strip() for (line,) in found]
    conditions = [one for one in plan if one.startswith("Index Cond") and "(dst = " in one]
    assert len(conditions) == 2
    for condition in conditions:
        assert "memory_links_by_dst" in plan[plan.index(condition) - 1]


def test_behind_a_pooler_nothing_is_kept(opened, network):
    network.answers = as_a_pooler
    store = opened()
    assert read(store, filled(store, 5)) == (5, 4)
    assert kept(store) == 0


def test_what_a_failure_left_unprepared_is_prepared_later(opened):
    store = opened()
    ids = filled(store, 5)

    def fail():
        with store.read() as reader, reader._database.together():
            reader.search_text(TextQuery(("note",)), Selection(scopes=None, live_at="never"), 5)
            reader.sketches([1, 2])

    with pytest.raises(StoreError):
        fail()
    assert read(store, ids) == (5, 4)


def test_the_statements_of_a_write_stay_prepared(opened):
    store = opened()
    filled(store, 1)
    before = kept(store)
    assert before > 5
    for about in ("river", "harbour", "falcon"):
        filled(store, 1, about)
    assert kept(store) == before


def test_what_was_taken_back_leaves_nothing_that_is_taken_for_prepared(opened):
    store = opened()

    def fail(tx):
        tx.insert([NewItem(an_item("never"), Outcome.ACCEPTED)], None)
        raise ValueError

    for about in ("river", "harbour"):
        with pytest.raises(ValueError):  # noqa: PT011 - raised above
            store.write(fail)
        assert read(store, filled(store, 2, about))[0] == 2
        with pytest.raises(Conflict):
            filled(store, 2, about)
        assert read(store, filled(store, 2, f"{about} again"))[0] == 2
