"""Reach of the role that reads and writes: rows of the tenant that its transaction is for, and none of others."""

import json

import psycopg
import pytest

from simonides import Memory
from simonides.storage.postgres.tallies import tally_questions
from simonides.storage.postgres.words import prefix_of
from simonides.testing import FakeEmbedder
from tests.storage.postgres.server import ROLE

#: Tables without rows of tenants, and what the role may do with them.
OF_NOBODY = {
    "simonides_schema": {"SELECT"},  # Which version the schema has: whoever opens a store asks.
    "memory_tenants": set(),  # Their names: only by the functions below.
}
#: Functions that step past the policies, and why each may.
PAST_THE_POLICIES = {
    "simonides_search": "finds words by an index that policies keep a query from; of the transaction's tenant alone",
    "simonides_holders": "the same for words of names",
    "simonides_analyze": "only the owner may let the planner look at a table; it tells and changes no row",
    "simonides_tenant_named": "a store is opened by a name; answers only where the transaction is no tenant's",
    "simonides_claim_due": "a worker takes whichever tenant is due; only where the transaction is no tenant's",
    "simonides_wait_until_due": "a worker waits for the next; seconds, only where the transaction is no tenant's",
}
_RELATIONS = """SELECT c.relname, c.relkind, EXISTS (
    SELECT FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped
) FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
ORDER BY c.relname"""
_COMMANDS = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")


@pytest.fixture
def owner(server):
    with server.owner() as connection:
        yield connection


def relations(connection, *kinds):
    """Names of relations with a tenant, of these kinds."""
    rows = connection.execute(_RELATIONS).fetchall()
    return [name for name, kind, tenant in rows if kind in kinds and tenant]


def privileges(connection, name):
    asked = ", ".join(f"has_table_privilege('{ROLE}', 'public.{name}', '{one}')" for one in _COMMANDS)
    may = connection.execute(f"SELECT {asked}").fetchone()
    return {one for one, allowed in zip(_COMMANDS, may, strict=True) if allowed}


def test_each_table_that_the_role_reaches_has_one_policy_for_reads_and_writes_or_is_listed(owner):
    seen = set()
    for name, kind, tenant in owner.execute(_RELATIONS).fetchall():
        assert kind in ("r", "v"), name
        if name in OF_NOBODY:
            assert privileges(owner, name) == OF_NOBODY[name]
            seen.add(name)
            continue
        assert tenant, name
        assert privileges(owner, name) <= {"SELECT", "INSERT", "UPDATE", "DELETE"}, name
        if kind == "v":
            options = owner.execute("SELECT reloptions FROM pg_class WHERE relname = %s", (name,)).fetchone()
            assert options == (["security_invoker=true"],), name
            continue
        # Not forced: the functions above read past it as the owner, whom nobody else may become.
        enabled = owner.execute("SELECT relrowsecurity FROM pg_class WHERE relname = %s", (name,)).fetchone()
        assert enabled == (True,), name
        policies = owner.execute(
            "SELECT permissive, roles, cmd, qual, with_check FROM pg_policies WHERE tablename = %s", (name,)
        ).fetchall()
        rule = "COALESCE((abs(tenant) = ( SELECT abs(simonides_tenant()) AS abs)), false)"
        assert policies == [("PERMISSIVE", ["public"], "ALL", rule, None)], name
    assert seen == set(OF_NOBODY)


def test_each_function_that_steps_past_the_policies_is_listed_with_a_reason(owner):
    functions = owner.execute(
        """SELECT proname, proconfig, has_function_privilege('public', p.oid, 'EXECUTE') FROM pg_proc AS p
        WHERE prosecdef AND pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)"""
    ).fetchall()
    assert {name for name, *_ in functions} == set(PAST_THE_POLICIES)
    for name, settings, public in functions:
        # For the role alone, and nothing that somebody else made stands for what it names.
        assert (settings, public) == (["search_path=pg_catalog, public, pg_temp"], False), name


def test_the_role_owns_nothing_becomes_nobody_and_makes_nothing_that_others_meet(owner):
    rights = owner.execute(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = %s", (ROLE,)
    ).fetchone()
    assert rights == (False, False, False, False)
    for told in (
        "SELECT count(*) FROM pg_class WHERE relowner = %s::regrole",
        "SELECT count(*) FROM pg_proc WHERE proowner = %s::regrole",
        "SELECT count(*) FROM pg_auth_members WHERE member = %s::regrole",
    ):
        assert owner.execute(told, (ROLE,)).fetchone() == (0,)
    made = owner.execute(
        "SELECT nspname FROM pg_namespace WHERE has_schema_privilege(%s, oid, 'CREATE')", (ROLE,)
    ).fetchall()
    assert [name for (name,) in made if not name.startswith("pg_temp")] == []


def filled(server):
    """A tenant with rows in most tables; its number and its name."""
    name = server.new_tenant()
    with Memory(server.url, tenant=name, embedder=FakeEmbedder(8)) as memory:
        (ships, tea) = memory.add(
            ["We ship on Fridays from Porto.", "Ana Silva drinks tea."], project="apollo"
        )
        memory.add([{"role": "user", "content": "When do we ship, Ana?"}], session_id="s", project="apollo")
        memory.correct(ships.item_id, "We ship on Mondays from Porto.")
        memory.forget(tea.item_id)
        memory.records.put(["users", "ana"], "tea", {"green": True}, project="apollo")
        memory.context("when do we ship?", project="apollo")
        memory.maintain()
        memory.flush()
    with server.owner() as owner:
        (number,) = owner.execute("SELECT simonides_tenant_named(%s)", (name,)).fetchone()
    return number, name


@pytest.fixture(scope="module")
def two(server):
    return filled(server), filled(server)


@pytest.fixture
def connection(server):
    with psycopg.connect(server.url) as made:
        yield made


def be(connection, tenant):
    """Let a new transaction be a tenant's."""
    connection.rollback()
    connection.execute("SELECT set_config('simonides.tenant', %s, true)", (str(tenant),))


def test_no_statement_of_a_tenant_reads_a_row_of_another(server, connection, two):
    (one, _), (other, _) = two
    full = set()
    for whose, foreign in ((one, other), (other, one)):
        for name in relations(connection, "r", "v"):
            if name in OF_NOBODY:
                continue
            be(connection, whose)
            rows = connection.execute(f"SELECT DISTINCT abs(tenant) FROM {name}").fetchall()
            assert rows in ([], [(whose,)]), name
            if rows:
                full.add(name)
            rows = connection.execute(f"SELECT * FROM {name} WHERE abs(tenant) = {foreign}").fetchall()
            assert rows == [], name
            with connection.cursor().copy(f"COPY (SELECT tenant FROM {name}) TO STDOUT") as copied:
                assert {abs(int(row[0])) for row in copied.rows()} <= {whose}, name
    assert len(full) > 20
    assert "simonides_due" in full


def test_no_statement_of_a_tenant_changes_a_row_of_another(server, connection, two):
    (one, _), (other, _) = two
    for name in relations(connection, "r"):
        if name in OF_NOBODY:
            continue
        be(connection, one)
        own = connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
        columns = ", ".join(
            column
            for (column,) in connection.execute(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND attname <> 'tenant'"
                " AND NOT attisdropped AND attgenerated = ''",
                (name,),
            )
        )
        for change in (f"DELETE FROM {name}", f"UPDATE {name} SET tenant = tenant"):
            be(connection, one)
            assert connection.execute(f"{change} WHERE abs(tenant) = {other}").rowcount == 0, name
        if own:
            for change in (
                f"UPDATE {name} SET tenant = {other}",
                f"INSERT INTO {name} (tenant, {columns}) SELECT {other}, {columns} FROM {name}",
            ):
                be(connection, one)
                with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
                    connection.execute(change)
        for change in (f"TRUNCATE {name}", f"ALTER TABLE {name} DISABLE ROW LEVEL SECURITY"):
            be(connection, one)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(change)


def test_a_transaction_of_nobody_reads_and_changes_nothing(connection, two):
    assert two
    for name in relations(connection, "r", "v"):
        if name in OF_NOBODY:
            continue
        assert connection.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,), name
    for name in relations(connection, "r"):
        if name in OF_NOBODY:
            continue
        for change in (f"DELETE FROM {name}", f"UPDATE {name} SET tenant = tenant"):
            assert connection.execute(change).rowcount == 0
            connection.rollback()


def test_the_text_search_refuses_what_an_earlier_release_asks(connection, two):
    """Words came as a list: an answer of no rows would look as if nothing were there."""
    be(connection, two[0][0])
    with pytest.raises(psycopg.errors.UndefinedFunction, match="earlier release"):
        connection.execute(
            "SELECT key FROM simonides_search(%s, '[]', false, '', 0, '{}', 9, 9, 0)", (two[0][0],)
        )
    connection.rollback()


def test_functions_past_the_policies_tell_a_tenant_nothing_of_others(server, connection, two):
    (one, name), (other, foreign) = two
    with server.owner() as owner:
        owner.execute(
            "UPDATE simonides_due SET due_at = now() - interval '1 day' WHERE tenant = %s", (other,)
        )
        before = owner.execute("SELECT * FROM simonides_due WHERE tenant = %s", (other,)).fetchone()
    be(connection, one)
    assert connection.execute("SELECT simonides_tenant_named(%s)", (foreign,)).fetchone() == (None,)
    assert connection.execute("SELECT simonides_wait_until_due()").fetchone() == (None,)
    assert connection.execute("SELECT * FROM simonides_claim_due('me', 1e6)").fetchall() == []
    connection.execute("SELECT simonides_analyze()")
    rest = "false, '', 0, '{}', 9, 9, 0"
    for whose, count in ((one, True), (other, False), (-other, False)):
        lexeme = f"'{prefix_of(whose)}ship'"
        term = {"term": "ship", "tokens": [["ship"]], "lexemes": lexeme}
        words = json.dumps({"terms": [term], **tally_questions(["ship"])})
        rows = connection.execute(
            f"SELECT key FROM simonides_search(%s, %s, {rest})", (whose, words)
        ).fetchall()
        assert bool(rows) == count
        rows = connection.execute(
            "SELECT item FROM simonides_holders(%s, %s, 9)", (whose, [lexeme])
        ).fetchall()
        assert bool(rows) == count
        # What a query names beside its own lexemes is another tenant's, and no row of that passes.
        asked = "SELECT item FROM simonides_holders(%s, %s, 9)"
        assert connection.execute(asked, (one, [f"'{prefix_of(other)}ship'"])).fetchall() == []
    connection.commit()
    with server.owner() as owner:
        assert owner.execute("SELECT * FROM simonides_due WHERE tenant = %s", (other,)).fetchone() == before
    assert connection.execute("SELECT simonides_tenant_named(%s)", (name,)).fetchone() == (one,)
