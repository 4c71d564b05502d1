"""Tenants: what is another's is not there, whatever is asked."""

import os
import random
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from simonides import migrate_store
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import InvalidInput, StoreError
from simonides.ports.store import NewItem, TextQuery
from simonides.storage.postgres.address import PostgresAddress, postgres_address
from simonides.storage.postgres.store import PostgresStore
from simonides.testing import an_item

EVERYTHING = Selection(scopes=None, live_at=None)
#: So many operations are drawn; SIMONIDES_TEST_OPERATIONS=20000 draws more.
OPERATIONS = int(os.environ.get("SIMONIDES_TEST_OPERATIONS", "300"))
#: So many items a tenant keeps, about.
KEPT = 60


def opened(server, name=None):
    address = PostgresAddress(url=server.url, tenant=name or server.new_tenant())
    return PostgresStore(address, connections=server.connections)


def put(store, *contents):
    new = [NewItem(an_item(content), Outcome.ACCEPTED) for content in contents]
    store.write(lambda tx: tx.insert(new, None))


def test_no_operation_of_a_tenant_shows_or_changes_a_row_of_another(server):
    stores = [opened(server) for _ in range(3)]
    drawn = random.Random(7)
    held = [set(), set(), set()]
    for number in range(OPERATIONS):
        who = drawn.randrange(3)
        store = stores[who]
        with store.read() as reader:
            found = reader.select(EVERYTHING, limit=1000)
            matches = reader.search_text(TextQuery(("falcon",)), EVERYTHING, 1000)
            listed = {item.content for item in found.values()}
            assert listed == held[who]
            assert set(matches.keys.tolist()) == set(found)
            assert len(reader.events()) == reader.events(limit=1)[0].number if held[who] else True
        if number % 50 == 0:
            assert forgetting(server, store) == len(held[who])
        if held[who] and drawn.random() < max(0.3, len(held[who]) / (2 * KEPT)):
            gone = drawn.choice(sorted(found))
            store.purge([found[gone].id], number)
            held[who].discard(found[gone].content)
        else:
            put(store, f"falcon {number} of {who}")
            held[who].add(f"falcon {number} of {who}")
    for store in stores:
        assert list(store.check()) == []


def forgetting(server, store):
    """Count what a statement sees that forgets the tenant, in the tables of items, words and the log."""
    with psycopg.connect(server.url) as connection:
        be(connection, store)
        for table in ("memory_items", "memory_events", "memory_revisions"):
            foreign = f"SELECT count(*) FROM {table} WHERE tenant <> %s"
            assert connection.execute(foreign, (store.tenant,)).fetchone() == (0,)
        return connection.execute("SELECT count(*) FROM memory_items").fetchone()[0]


def be(connection, store):
    """Let a transaction be a tenant's."""
    connection.execute("SELECT set_config('simonides.tenant', %s, true)", (str(store.tenant),))


def test_tenants_do_not_wait_for_each_other(server):
    one, other = opened(server), opened(server)

    def work(tx):
        put(other, "while the other writes")
        return tx.insert([NewItem(an_item("and this"), Outcome.ACCEPTED)], None)

    one.write(work)
    with one.read() as first, other.read() as second:
        assert (first.count(EVERYTHING), second.count(EVERYTHING)) == (1, 1)


def test_many_writers_of_a_tenant_leave_a_whole_chain_and_exact_counts(server):
    name = server.new_tenant()
    stores = [opened(server, name) for _ in range(3)]

    def write(number):
        put(stores[number % 3], f"falcon number {number} of many")

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(write, range(60)))
    with stores[0].read() as reader:
        assert reader.count(EVERYTHING) == 60
        assert reader.document_counts(["falcon", "mani"]) == {"falcon": 60, "mani": 60}
        assert [event.number for event in reader.events()] == list(range(60, 0, -1))
    assert list(stores[1].check()) == []


@pytest.mark.parametrize(
    "name", ["", "Acme", "a/b", "-a", "x" * 64, "a'; DROP TABLE memory_items; --", "ü", None, 5]
)
def test_what_is_no_name_of_a_tenant_is_refused(server, name):
    with pytest.raises(InvalidInput, match="no name of a tenant"):
        PostgresStore(PostgresAddress(url=server.url, tenant=name), connections=server.connections)


def test_an_unknown_tenant_is_refused_with_what_makes_one(server):
    with pytest.raises(StoreError, match="simonides migrate --tenant nobody"):
        opened(server, "nobody")


def test_the_tenant_of_the_address_is_there_after_a_migration(server):
    assert migrate_store(f"{server.owner_url}&tenant=of-an-address", tenants=["of-a-list"])
    for name in ("default", "of-an-address", "of-a-list"):
        opened(server, name)


@pytest.mark.parametrize(
    "given",
    ["pool_size=0", "pool_size=x", "pool_timeout_s=-1", "lock_timeout_s=nan", "tenant=A"],
)
def test_parameters_of_the_address_are_checked(given):
    with pytest.raises(InvalidInput):
        postgres_address(f"postgresql://db/x?{given}")


@pytest.mark.parametrize(
    "given",
    [
        "postgresql://ana:sec%ZZret@db/x",
        "postgresql://ana:secret@[::1/x",
        "postgresql://ana:secret@db/x?tls",
        "postgresql://db/x?passwort=secret",
        "postgresql://ana:secret@db/x?pool-size=3",
    ],
)
def test_what_libpq_cannot_read_is_told_without_what_may_be_secret(given):
    with pytest.raises(InvalidInput, match=r"cannot be read|no URL") as told:
        postgres_address(given)
    assert "ret" not in str(told.value)


def test_a_parameter_that_nobody_knows_is_named():
    with pytest.raises(InvalidInput, match="no parameter 'poolsize'"):
        postgres_address("postgresql://db/x?poolsize=3")


@pytest.mark.parametrize("url", ["postgresql:///memory", "postgresql://", "postgresql://?host=/tmp/a"])
def test_an_address_without_a_host_leads_to_the_socket(url):
    found = postgres_address(f"{url}{'&' if '?' in url else '?'}tenant=acme")
    assert (found.url, found.tenant) == (url, "acme")


def test_parameters_of_postgresql_itself_stay_in_the_address():
    found = postgres_address("postgresql://app@db/x?tenant=acme&sslmode=require&pool_size=3&host=/tmp/a%20b")
    assert found.url == "postgresql://app@db/x?sslmode=require&host=/tmp/a%20b"
    assert (found.tenant, found.pool_size) == ("acme", 3)
