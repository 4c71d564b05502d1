"""Failures: each is told in the library's words, and leaves nothing by half."""

import itertools
import select
import shutil
import signal
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from simonides import Memory, migrate_store
from simonides.domain.address import shown
from simonides.domain.scope import ALL
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import (
    Conflict,
    InvalidInput,
    NewerSchema,
    NotAStore,
    SimonidesError,
    StoreClosed,
    StoreError,
    StoreLocked,
    StoreReadOnly,
)
from simonides.ports.store import Ahead, NewItem
from simonides.storage.postgres import migrate as migrations
from simonides.storage.postgres.address import PostgresAddress, postgres_address
from simonides.storage.postgres.errors import in_our_words
from simonides.storage.postgres.migrate import SCHEMA_VERSION, migrate
from simonides.storage.postgres.pool import LazyPool
from simonides.storage.postgres.store import PostgresStore
from simonides.testing import FakeEmbedder, an_item
from tests.storage.postgres.network import Network
from tests.storage.postgres.server import ROLE, PreparedServer

EVERYTHING = Selection(scopes=None, live_at=None)


def put(store, *contents):
    new = [NewItem(an_item(content), Outcome.ACCEPTED) for content in contents]
    store.write(lambda tx: tx.insert(new, None))


def contents(store):
    with store.read() as reader:
        return {item.content for item in reader.select(EVERYTHING, limit=10_000).values()}


@pytest.fixture
def database(server):
    """An empty database of its own; its URL for the owner and for the role."""
    with server.owner() as owner:
        owner.execute("DROP DATABASE IF EXISTS other WITH (FORCE)")
        owner.execute("CREATE DATABASE other")
    return server.owner_url.replace("/postgres?", "/other?"), server.url.replace("/postgres?", "/other?")


@pytest.mark.parametrize(
    "setting", ["standard_conforming_strings = off", "array_nulls = off", "quote_all_identifiers = on"]
)
def test_a_database_with_settings_of_its_own_is_prepared_all_the_same(server, database, setting):
    owner_url, url = database
    with server.owner() as owner:
        owner.execute(f"ALTER DATABASE other SET {setting}")
    assert migrate_store(owner_url, role=ROLE, tenants=["acme"]) == SCHEMA_VERSION
    with Memory(url, tenant="acme", embedder=FakeEmbedder(8)) as memory:
        item_id = memory.add("The ferry's name is “C:\\new”.").item_id
        assert [hit.item.id for hit in memory.search("name of the ferry")] == [item_id]


def test_a_server_that_does_not_answer_is_told_without_the_password():
    with pytest.raises(StoreError, match="check that the server runs") as told:
        Memory("postgresql://ana:secret@127.0.0.1:1/x?connect_timeout=1")
    assert "secret" not in str(told.value)
    assert shown("postgresql://ana:secret@db/x") == "postgresql://db/x"


def test_a_database_that_is_not_prepared_names_the_command(database):
    owner_url, _ = database
    with pytest.raises(NotAStore, match="simonides migrate"):
        Memory(owner_url)
    assert migrate_store(owner_url) == SCHEMA_VERSION
    Memory(owner_url).close()
    assert migrate_store(owner_url, tenants=["acme"]) == SCHEMA_VERSION
    Memory(owner_url, tenant="acme").close()


def known_sizes(owner):
    """Numbers of rows that the planner takes the tables for, where it knows."""
    rows = owner.execute(
        """SELECT relname, reltuples::integer FROM pg_class
        WHERE relname IN ('memory_items', 'memory_embeddings', 'memory_words') AND reltuples >= 0"""
    )
    return dict(rows.fetchall())


def test_the_planner_knows_of_a_fill_before_the_first_search(database):
    owner_url, url = database
    migrate(owner_url, role=ROLE)
    with (
        psycopg.connect(owner_url, autocommit=True) as owner,
        Memory(url, embedder=FakeEmbedder(8)) as memory,
    ):
        memory.add([f"Ana keeps note {n}." for n in range(40)])
        assert known_sizes(owner) == {}
        memory.add([f"Bo keeps note {n}." for n in range(40)])
        assert known_sizes(owner) == dict.fromkeys(("memory_items", "memory_embeddings", "memory_words"), 80)
        memory.add([f"Cy keeps note {n}." for n in range(80)])
        assert known_sizes(owner)["memory_items"] == 80  # They have not grown by much.
        memory.add([f"Di keeps note {n}." for n in range(3000)])
        assert known_sizes(owner)["memory_items"] > 400


def test_a_write_does_not_wait_for_what_somebody_else_does_to_a_table(database):
    owner_url, url = database
    migrate(owner_url, role=ROLE)
    with psycopg.connect(owner_url) as owner, Memory(url, embedder=FakeEmbedder(8)) as memory:
        owner.execute("LOCK TABLE memory_items IN SHARE UPDATE EXCLUSIVE MODE")
        memory.add([f"Ana keeps note {n}." for n in range(600)])
        assert known_sizes(owner).keys() == {"memory_embeddings", "memory_words"}


#: Since then rows have `tallies`, without which this release writes none.
TALLIED_SINCE = 19


@contextmanager
def earlier_release(monkeypatch, url, schema, **options):
    """A database as an earlier release prepared it, which this one is taken for: it writes what that did."""
    with monkeypatch.context() as patched, psycopg.connect(url, autocommit=True) as owner:
        patched.setattr(migrations, "SCHEMA_VERSION", schema)
        migrate(url, **options)
        if schema < TALLIED_SINCE:
            owner.execute("ALTER TABLE memory_words ADD COLUMN tallies sparsevec")
        yield
        if schema < TALLIED_SINCE:
            owner.execute("ALTER TABLE memory_words DROP COLUMN tallies")


@pytest.mark.parametrize("schema", range(3, SCHEMA_VERSION))
def test_what_an_earlier_release_wrote_is_there_after_migrating(database, monkeypatch, schema):
    owner_url, url = database
    with (
        earlier_release(monkeypatch, owner_url, schema, role=ROLE),
        Memory(url, embedder=FakeEmbedder(8)) as memory,
    ):
        # Without a name: this release looks up who else has it by a function that an earlier one lacks.
        item_id = memory.add("the note is kept.").verdicts[0].item_id
    with pytest.raises(
        NotAStore, match=f"has schema {schema}; .*`simonides migrate --db URL`.* {SCHEMA_VERSION}"
    ):
        Memory(url)
    assert migrate(owner_url) == migrate(owner_url) == SCHEMA_VERSION
    with Memory(url, embedder=FakeEmbedder(8)) as memory:
        assert [hit.item.id for hit in memory.search("which note is kept")] == [item_id]
        assert not memory.doctor().problems
        memory.purge(item_id)
    with psycopg.connect(owner_url) as owner:
        owner.execute("SELECT faintness(5e-324, 0, 1)")
        owner.execute("SET enable_seqscan = off")
        plan = owner.execute("EXPLAIN DELETE FROM memory_embeddings WHERE tenant = 1 AND item = 1").fetchall()
    assert any("memory_embeddings_pkey" in line for (line,) in plan), plan


def test_the_planner_takes_every_tenant_for_a_twentieth_of_a_table(database):
    owner_url, url = database
    migrate(owner_url, role=ROLE)
    with Memory(url, embedder=FakeEmbedder(8)) as memory:
        memory.add([f"Ana keeps note {n}." for n in range(40)])
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("ANALYZE")
        rows = owner.execute(
            """SELECT tablename, n_distinct, most_common_vals IS NULL FROM pg_stats
            WHERE schemaname = 'public' AND attname = 'tenant' AND tablename <> 'simonides_due'"""
        ).fetchall()
    assert ("memory_items", 20.0, True) in rows
    assert {row[1:] for row in rows if row[0] != "memory_tenants"} == {(20.0, True)}


@pytest.fixture
def plain_owner(server, database):
    """The URL of an owner of the database who is no superuser."""
    with server.owner() as owner:
        owner.execute("CREATE ROLE plain_owner LOGIN")
        owner.execute("ALTER DATABASE other OWNER TO plain_owner")
    with psycopg.connect(database[0]) as owner:
        owner.execute("CREATE EXTENSION vector")
    yield database[0].replace("postgres@", "plain_owner@")
    with server.owner() as owner:
        owner.execute("DROP DATABASE other WITH (FORCE)")
        owner.execute("DROP ROLE plain_owner")


def test_an_owner_grants_what_is_its_own_without_a_word_about_an_extension_of_somebody_else(
    database, plain_owner, caplog
):
    migrate(plain_owner, role=ROLE)
    assert not [record for record in caplog.records if "privileges" in record.message]
    with Memory(database[1], embedder=FakeEmbedder(8)) as memory:
        memory.add("Ana keeps a note.")
        assert len(memory.search("note")) == 1


def test_an_owner_who_may_make_no_role_is_told_who_has_to(database, plain_owner):
    with pytest.raises(
        StoreReadOnly, match=r'may make no role .* CREATE ROLE "somebody" LOGIN .* then this again'
    ):
        migrate(plain_owner, role="somebody")
    migrate(plain_owner, role=ROLE)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("ALTER TABLE memory_items DISABLE ROW LEVEL SECURITY", "memory_items shows every tenant's rows"),
        ("ALTER POLICY one_tenant ON memory_links USING (true)", "policies of memory_links are not those"),
        ("DROP POLICY one_tenant ON corpora", "policies of corpora are not those of this release: none"),
        ("CREATE POLICY more ON documents USING (true)", "policies of documents are not those"),
        ("ALTER POLICY one_tenant ON memory_usage WITH CHECK (true)", "policies of memory_usage are not"),
        ("ALTER POLICY one_tenant ON memory_heads TO simonides_app", "policies of memory_heads are not"),
    ],
)
def test_doctor_tells_of_tables_that_do_not_keep_tenants_apart(database, change, told):
    owner_url, url = database
    migrate(owner_url, role=ROLE)
    with psycopg.connect(owner_url, autocommit=True) as owner, Memory(url) as memory:
        assert not memory.doctor().problems
        owner.execute(change)
        (problem,) = memory.doctor().problems
        assert problem.area == "policies"
        assert told in problem.message


@contextmanager
def as_before_18(monkeypatch):
    """Let migrations do what they do on PostgreSQL 16 and 17, where figures of the planner are the superuser's."""
    step = migrations._step
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "_step", lambda number: step(number).replace("180000", "990000"))
        yield


@pytest.mark.parametrize("superuser", [True, False])
def test_before_postgresql_18_only_a_superuser_deletes_what_the_planner_knew_and_others_are_told(
    database, plain_owner, monkeypatch, caplog, superuser
):
    url = database[0] if superuser else plain_owner
    with earlier_release(monkeypatch, url, 6), Memory(url, embedder=FakeEmbedder(8)) as memory:
        memory.add([f"the note {n} is kept." for n in range(40)])
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("ANALYZE memory_items")
        with as_before_18(monkeypatch):
            assert migrate(url) == SCHEMA_VERSION
        asked = "SELECT n_distinct FROM pg_stats WHERE tablename = 'memory_items' AND attname = 'tenant'"
        assert owner.execute(asked).fetchone() == (20 if superuser else 1,)
        said = "SELECT count(*) > 0 FROM pg_stats WHERE tablename = 'memory_items' AND attname = 'content'"
        assert owner.execute(said).fetchone() == (not superuser,)
    if superuser:
        assert caplog.messages == []
    else:
        of_tenants, of_words = (
            message.partition("only a superuser can delete it, ")[2] for message in caplog.messages
        )
        assert of_tenants == "from pg_statistic, of the column tenant of memory_items"
        assert of_words.startswith("from pg_statistic, of the columns memory_items (")
        assert "memory_items (content)" in of_words
    with Memory(url, embedder=FakeEmbedder(8)) as memory:
        memory.add("Ana keeps a note.")
        assert not memory.doctor().problems


#: What is said in a memory, in each place that takes words.
SAID = ("quixolane", "brendovar", "zyxomat", "flibberqua", "oskarwind")


def with_words(memory, *, asks=True):
    """Say `SAID` wherever something can be said, beside other things; ids of the items that say them."""
    memory.add([f"Filler number {n} is about gardens." for n in range(20)])
    for n in range(3):
        memory.add(
            f"Quixolane Brendovar {n} lives in Oskarwind and likes zyxomat flibberqua.", type="fact",
            title=f"zyxomat {n}", tags=[f"zyxomat{n}"], entities=[f"Brendovar {n}"], metadata={"k": f"flibberqua {n}"},
            provenance={"source_id": f"https://example.org/zyxomat/{n}", "source_role": "Oskarwind"},
        )  # fmt: skip
        memory.add([{"role": "user", "content": f"Quixolane is sister {n}."}], session_id="s")
        memory.records.put(f"zyxomat/{n}", "flibberqua", {"v": "Oskarwind"})
        memory.documents.put("c", f"flibberqua{n}.md", "# zyxomat\n\nOskarwind is nice.")
        if asks:  # An earlier schema searches otherwise.
            memory.context(f"does Quixolane {n} like zyxomat?")
    first, second, *_ = items = [
        item.id
        for item in memory.list(scope=ALL, limit=1000)
        if any(word in str(item.to_dict()).lower() for word in SAID)
    ]
    memory.link(first, second, "supports", evidence="because of zyxomat")
    memory.link(second, first, "supports", evidence="because of flibberqua")
    memory.palace.assign(first, room="zyxomat room")
    memory.palace.assign(second, room="flibberqua room")
    memory.flush()
    return items


def known_words(owner):
    """Columns of which the planner knows words that were said."""
    rows = owner.execute(
        """SELECT tablename, attname FROM pg_stats AS s WHERE schemaname = 'public' AND s::text ~* %s""",
        ("|".join(SAID),),
    )
    return {f"{table}.{column}" for table, column in rows}


def test_the_planner_knows_no_word_that_was_said_before_a_purge_or_behind_it(database, monkeypatch):
    owner_url, url = database
    with (
        earlier_release(monkeypatch, owner_url, 16, role=ROLE, tenants=("first", "second")),
        Memory(url, tenant="first", embedder=FakeEmbedder(8)) as memory,
    ):
        with_words(memory, asks=False)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("ANALYZE")
        known = known_words(owner)
        assert {"memory_items.content", "memory_terms.term", "memory_revisions.snapshot"} < known
        assert owner.execute("SELECT count(*) FROM pg_statistic_ext").fetchone() == (0,)
        migrate(owner_url)
        assert known_words(owner) == set()
        with Memory(url, tenant="second", embedder=FakeEmbedder(8)) as memory:
            said = with_words(memory)
            owner.execute("ANALYZE")
            assert known_words(owner) == set()
            memory.purge(said)
            assert known_words(owner) == set()


#: Text of which the planner may know: keys, addresses, and words of a list.
PLANNED = {
    "corpora": "id parent", "documents": "id corpus_id", "memory_buffer": "session_id state",
    "memory_entities": "id type", "memory_events": "action item_id scope actor",
    "memory_injections": "id scope session_id mode", "memory_items": "id tier type status validation origin trust "
    "superseded_by session_id task_id narrative_id corpus_id rule_id source_kind", "memory_judged": "job",
    "memory_leases": "name holder", "memory_links": "rel", "memory_models": "name fingerprint",
    "memory_moved_links": "src dst rel", "memory_revisions": "run_id", "memory_run_changes": "run kind undone_by",
    "memory_runs": "id job trigger scope status parent undoes", "memory_scopes": "path project",
    "memory_sessions": "session_id", "memory_tenants": "name", "memory_uses": "session_id",
    "memory_verdicts": "verdict actor", "simonides_due": "holder",
}  # fmt: skip


def test_the_planner_looks_at_no_text_but_of_a_list(server):
    with server.owner() as owner:
        rows = owner.execute(
            """SELECT c.relname, a.attname FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
                AND a.attstattarget IS DISTINCT FROM 0 AND a.atttypid NOT IN (
                    'integer'::regtype, 'bigint'::regtype, 'smallint'::regtype, 'float8'::regtype, 'boolean'::regtype,
                    'timestamptz'::regtype, 'bytea'::regtype)"""
        ).fetchall()
    assert set(rows) == {(table, column) for table, columns in PLANNED.items() for column in columns.split()}


def plan_of(connection, asked):
    return "\n".join(line for (line,) in connection.execute(f"EXPLAIN {asked}"))


@pytest.mark.parametrize("schema", [6, SCHEMA_VERSION])
def test_rows_of_a_tenant_that_came_after_the_planner_looked_are_found_by_their_keys(
    database, monkeypatch, schema
):
    owner_url, url = database
    with (
        earlier_release(monkeypatch, owner_url, schema, role=ROLE, tenants=("first", "second")),
        Memory(url, tenant="first", embedder=FakeEmbedder(8)) as memory,
    ):
        memory.add([f"the note {n} is kept." for n in range(300)])
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("ANALYZE")
        migrate(owner_url)
        with Memory(url, tenant="second", embedder=FakeEmbedder(8)) as memory:
            memory.add([f"Bo keeps note {n}." for n in range(300)])
        owner.execute("SET enable_seqscan = off")
        owner.execute("SELECT gin_clean_pending_list('memory_words_lexemes')")
        (second,) = owner.execute("SELECT simonides_tenant_named('second')").fetchone()
        words = f"SELECT item FROM memory_words WHERE tenant = {second} AND lexemes @@ '''{second}:note'''"
        assert "memory_words_lexemes" in plan_of(owner, words)
    with psycopg.connect(url) as role:
        role.execute(f"SET simonides.tenant = {second}")
        for column, index in (("key", "memory_items_pkey"), ("id", "memory_items_tenant_id_key")):
            plan = plan_of(role, f"SELECT * FROM memory_items WHERE tenant = {second} AND {column} = '5'")
            assert f"using {index} " in plan, plan


def test_a_role_of_an_earlier_release_may_let_the_planner_know(database, monkeypatch):
    """A later release is migrated to without naming the role again."""
    owner_url, url = database
    with earlier_release(monkeypatch, owner_url, 3, role=ROLE):
        pass
    migrate(owner_url)
    with psycopg.connect(url, autocommit=True) as role:
        role.execute("SELECT simonides_analyze()")
        role.execute("SELECT * FROM simonides_holders(1, '{}', 1)")


def test_a_role_without_rights_is_told_so(database):
    owner_url, url = database
    migrate(owner_url)
    with pytest.raises(StoreReadOnly, match="migrate --role"):
        Memory(url)


def test_a_database_of_a_later_release_is_left_as_it_is(database):
    owner_url, _ = database
    migrate(owner_url)
    with psycopg.connect(owner_url) as owner:
        owner.execute("INSERT INTO simonides_schema (version) VALUES (%s)", (SCHEMA_VERSION + 1,))
    for use in (lambda: Memory(owner_url), lambda: migrate(owner_url)):
        with pytest.raises(NewerSchema):
            use()


def test_what_the_server_refuses_is_no_outage(server):
    for wrong in (
        server.url.replace("/postgres?", "/nowhere?"),
        server.url.replace("simonides_app", "nobody"),
    ):
        with pytest.raises(StoreError, match="see to its database, role and password"):
            Memory(wrong)


def test_a_role_for_which_row_level_security_does_not_hold_is_not_for_the_application(database):
    owner_url, url = database
    with pytest.raises(InvalidInput, match="name another"):
        migrate(owner_url, role="postgres")
    migrate(owner_url, role=ROLE)
    told = []
    for one in (owner_url, url):
        store = PostgresStore(postgres_address(one))
        told.append(store.describe()["row_level_security"])
        store.close()
    assert told == ["does not hold for this role", "holds for this role"]


@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize(
    "setting",
    [
        "client_encoding = latin1",
        "row_security = off",
        "standard_conforming_strings = off",
        "array_nulls = off",
        "quote_all_identifiers = on",
        "DateStyle = german",
    ],
)
def test_settings_of_a_role_or_of_the_environment_change_nothing(database, monkeypatch, setting, pooled):
    owner_url, url = database
    migrate(owner_url, role=ROLE)
    if pooled:  # As a pooler is known by: it names its own process.
        monkeypatch.setattr(psycopg.ConnectionInfo, "backend_pid", 0)
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(f"ALTER ROLE {ROLE} IN DATABASE other SET {setting}")
    with Memory(url, embedder=FakeEmbedder(8)) as memory:
        item_id = memory.add("Zoë keeps 茶 and ♥ in “Łódź”.", metadata={"n": "\\u0000"}).verdicts[0].item_id
        memory.add(
            [f"Ana has {n} hens." for n in range(9)]
            + [{"content": "Bo has none.", "expires_at": "2099-01-01"}]
        )
        assert [hit.item.id for hit in memory.search("where is 茶", metadata={"n": "\\u0000"})] == [item_id]
        assert memory.get(item_id).content == "Zoë keeps 茶 and ♥ in “Łódź”."
        memory.maintain()
        assert not memory.doctor().problems


def test_a_search_path_that_does_not_lead_to_the_tables_is_told_as_such(database):
    owner_url, url = database
    migrate(owner_url, role=ROLE)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(f"ALTER ROLE {ROLE} IN DATABASE other SET search_path = elsewhere")
    with pytest.raises(NotAStore, match=r"search_path .*elsewhere.*RESET search_path"):
        Memory(url)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_in_another_encoding_is_not_prepared(server, encoding):
    with server.owner() as owner:
        owner.execute("DROP DATABASE IF EXISTS latin WITH (FORCE)")
        owner.execute(f"CREATE DATABASE latin ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(NotAStore, match=f"is in {encoding}, and text needs UTF8"):
        migrate(server.owner_url.replace("/postgres?", "/latin?"))


def test_what_is_no_address_or_role_is_refused(server):
    with pytest.raises(InvalidInput):
        migrate_store("notes.db")
    with pytest.raises(InvalidInput, match="no name of a role"):
        migrate(server.owner_url, role="a; DROP")


def test_a_writer_waits_for_another_one_no_longer_than_the_address_says(server):
    name = server.new_tenant()
    quick = PostgresStore(PostgresAddress(url=server.url, tenant=name, lock_timeout_s=0.2))
    with server.owner() as owner, owner.transaction():
        owner.execute("SELECT 1 FROM memory_heads WHERE tenant = %s FOR UPDATE", (quick.tenant,))
        with pytest.raises(StoreLocked, match="another writer"):
            put(quick, "never")
    put(quick, "after")
    assert contents(quick) == {"after"}
    quick.close()
    with pytest.raises(StoreClosed):
        contents(quick)


def test_who_finds_no_connection_in_time_is_told_so(server):
    address = PostgresAddress(url=server.url, tenant=server.new_tenant(), pool_size=1, pool_timeout_s=60.0)
    store = PostgresStore(address)
    assert contents(store) == set()
    connections = store._connections
    assert connections._wait_s == 60.0
    connections._wait_s = 0.1  # Not before it has connected, which takes its time.
    with store.read() as reader:
        reader.count(EVERYTHING)
        with pytest.raises(StoreLocked, match="pool_size"):
            contents(store)
    connections._wait_s = 60.0
    assert contents(store) == set()
    store.close()


@pytest.mark.parametrize("pool_timeout_s", [0.5, 600])
def test_an_open_store_whose_server_went_away_is_told_so_and_not_that_its_connections_are_in_use(
    server, pool_timeout_s
):
    network = Network(f"{server.data}/.s.PGSQL.5432")
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    store = PostgresStore(
        PostgresAddress(url=url, tenant=server.new_tenant(), pool_size=2, pool_timeout_s=pool_timeout_s)
    )
    with closing(network), closing(store):
        put(store, "before")
        network.break_off()
        network.lead_to("/nowhere")
        for act in (lambda: contents(store), lambda: put(store, "never")):
            with pytest.raises(StoreError, match="cannot be reached") as told:
                act()
            assert type(told.value) is StoreError
        network.lead_to(f"{server.data}/.s.PGSQL.5432")


@pytest.mark.parametrize(
    "at", [b"BEGIN", b"memory_items", b"memory_events", b"UPDATE memory_heads", b"COMMIT"]
)
def test_a_connection_that_breaks_off_while_it_writes_leaves_nothing_by_half(server, at):
    network = Network(f"{server.data}/.s.PGSQL.5432")
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    connections = LazyPool(url)
    name = server.new_tenant()
    # By another connection: on this one each statement is sent whole, as it is the first time.
    put(PostgresStore(PostgresAddress(url=server.url, tenant=name), connections=server.connections), "before")
    store = PostgresStore(PostgresAddress(url=url, tenant=name), connections=connections)
    broken = []

    def breaks(data):
        if at in data and not broken:
            broken.append(at)
            return True
        return False

    network.breaks = breaks
    try:
        put(store, "meanwhile")
    except SimonidesError:
        assert contents(store) <= {"before", "meanwhile"}
    assert broken
    put(store, "after")
    assert contents(store) - {"meanwhile"} == {"before", "after"}
    assert list(store.check()) == []
    store.close()
    connections.close()
    network.close()


@pytest.mark.parametrize("size", [10, 1])
def test_what_was_committed_is_answered_though_the_answer_was_lost(server, size):
    network = Network(f"{server.data}/.s.PGSQL.5432")
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    connections = LazyPool(url, size=size)
    store = PostgresStore(PostgresAddress(url=url, tenant=server.new_tenant()), connections=connections)
    put(store, "before")
    network.loses = lambda data: b"COMMIT" in data
    put(store, "meanwhile")
    assert network.lost == 1
    put(store, "after")
    assert contents(store) == {"before", "meanwhile", "after"}
    assert list(store.check()) == []
    store.close()
    connections.close()
    network.close()


def test_a_server_that_is_somewhere_else_by_now_is_found_again_while_work_goes_on():
    folder = Path(tempfile.mkdtemp(prefix="simonides-pg-"))
    server = PreparedServer(folder, fsync="on", synchronous_commit="on")
    network = Network(f"{server.data}/.s.PGSQL.5432")
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    connections = LazyPool(url, wait_s=2)
    store = PostgresStore(PostgresAddress(url=url, tenant=server.new_tenant()), connections=connections)
    answered, told, over = set(), [], threading.Event()

    def write(who):
        for number in itertools.count():
            if over.is_set():
                return
            try:
                put(store, f"item {number} of {who}")
                answered.add(f"item {number} of {who}")
            except SimonidesError as error:
                told.append(error)
                time.sleep(0.02)

    writers = [threading.Thread(target=write, args=(who,)) for who in range(4)]
    try:
        for one in writers:
            one.start()
        wait_for(lambda: len(answered) > 20)
        server.process.send_signal(signal.SIGQUIT)
        server.process.wait(120)
        server.settings["port"] = "5433"
        server.start("5433")
        network.lead_to(f"{server.data}/.s.PGSQL.5433")
        before = len(answered)
        wait_for(lambda: len(answered) > before + 20)
        over.set()
        for one in writers:
            one.join()
        held = contents(store)
        assert answered <= held
        with store.read() as reader:
            assert reader.count(EVERYTHING) == len(held)
        assert all(isinstance(error, StoreError) for error in told)
        assert list(store.check()) == []
    finally:
        over.set()
        store.close()
        connections.close()
        network.close()
        server.connections.close()
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(reached):
    for _ in range(6000):
        if reached():
            return
        time.sleep(0.02)
    raise AssertionError


def test_a_server_that_is_killed_loses_nothing_that_was_answered():
    folder = Path(tempfile.mkdtemp(prefix="simonides-pg-"))
    server = PreparedServer(folder, fsync="on", synchronous_commit="on")
    connections = LazyPool(server.url, wait_s=2)
    store = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()), connections=connections
    )
    answered = set()
    try:
        for number in range(20):
            put(store, f"item {number}")
            answered.add(f"item {number}")
        server.process.send_signal(signal.SIGQUIT)  # Everything at once, without a word to anybody.
        server.process.wait(120)
        with pytest.raises(StoreError):
            put(store, "while it is down")
        server.start()
        for _ in range(20):
            try:
                put(store, "after")
                break
            except StoreError:
                continue
        assert contents(store) - {"while it is down"} == answered | {"after"}
        assert list(store.check()) == []
    finally:
        connections.close()
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def test_a_connection_that_the_server_ended_is_told_as_such_whatever_the_reason(server):
    # PostgreSQL counts this reason among states of transactions, not among broken connections.
    impatient = server.url + "&options=-c%20idle_in_transaction_session_timeout%3D50ms"
    with psycopg.connect(impatient, autocommit=True) as connection:
        connection.execute("BEGIN")
        assert select.select([connection], [], [], 60)[0]  # It says why it goes.
        with pytest.raises(StoreError, match="broke off"), in_our_words(impatient):
            connection.execute("SELECT 1")


def test_what_the_network_takes_in_parts_is_sent_to_its_end(server):
    """Far more at once than a socket takes: neither side waits for the other for ever."""
    network = Network(f"{server.data}/.s.PGSQL.5432", delay_s=0.01)
    connections = LazyPool(
        f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    )
    heard = []

    def ask():
        connection = connections.take()
        for _ in range(5):
            with connection.pipeline() as pipeline:
                cursor = connection.execute("SELECT length(%s)", ["x" * 20_000_000])
                pipeline.sync()
                heard.append(cursor.fetchone()[0])
        connections.give(connection)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(300)
    assert heard == [20_000_000] * 5
    connections.close()
    network.close()


def test_the_server_of_the_tests_stands_again_whatever_ended_it():
    folder = Path(tempfile.mkdtemp(prefix="simonides-pg-"))
    server = PreparedServer(folder)
    try:
        server.stop(signal.SIGQUIT)
        with pytest.warns(UserWarning, match="the server of the tests was gone"):
            server.stand()
        server.stand()
        with server.owner() as owner:
            assert owner.execute("SELECT 1").fetchone() == (1,)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def test_conflicts_leave_no_connection_on_which_later_statements_fail(server):
    """A statement that was passed over behind a failure is taken for prepared by nobody."""
    connections = LazyPool(server.url)

    def write(store, text):
        def work(tx):
            tx.look_ahead(
                Ahead()
            )  # A broken rule is told at the end: the rest of the pipeline is passed over.
            tx.insert([NewItem(an_item(text), Outcome.ACCEPTED)], None)

        with suppress(Conflict):
            store.write(work)

    texts = ["taken" if number % 3 == 0 else f"item {number}" for number in range(24)]
    for _ in range(4):
        address = PostgresAddress(url=server.url, tenant=server.new_tenant())
        store = PostgresStore(address, connections=connections)
        put(store, "taken")
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda text, store=store: write(store, text), texts))
        assert contents(store) == set(texts)
    connections.close()
