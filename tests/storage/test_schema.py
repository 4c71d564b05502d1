"""The schema, every named statement against it, and the plans of the hot ones."""

import re
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import HeldOnce, Selection, Weakness, happening
from simonides.domain.taxonomy import Tier
from simonides.domain.verdict import Outcome
from simonides.ports.store import NewItem
from simonides.storage import sqlite
from simonides.storage.sql.reader import SESSION_FILTERS
from simonides.storage.sql.rows import COLUMNS
from simonides.storage.sql.runs import RUN_FILTERS
from simonides.storage.sql.statements import shared
from simonides.storage.sqlite.conditions import conditions
from simonides.storage.sqlite.connection import connect
from simonides.storage.sqlite.migrate import APPLICATION_ID, SCHEMA_VERSION, make_schema
from simonides.storage.sqlite.seals import sealed_tables
from simonides.storage.sqlite.sql import table
from simonides.storage.sqlite.statements import (
    INSERT_ITEM,
    UPDATE_ITEM,
    reworded,
    schema,
    statement,
    statements,
)
from simonides.storage.sqlite.text_index import text_index_schema
from simonides.testing import an_item

SOURCE = Path(sqlite.__file__).parent
GOLDEN = Path(__file__).parent / "golden"
TABLES = {
    "corpora",
    "documents",
    "memory_buffer",
    "memory_changes",
    "memory_embeddings",
    "memory_entities",
    "memory_entity_names",
    "memory_events",
    "memory_injections",
    "memory_items",
    "memory_judged",
    "memory_leases",
    "memory_links",
    "memory_models",
    "memory_moved_links",
    "memory_palace_locations",
    "memory_revisions",
    "memory_run_changes",
    "memory_runs",
    "memory_scopes",
    "memory_sessions",
    "memory_usage",
    "memory_uses",
    "memory_verdicts",
    "meta",
}
VIEWS = {"graph_edges", "graph_nodes", "memory_item_rows", "memory_places", "memory_review"}
EVERY_FILTER = Selection(
    scopes=(Scope("user:ana"), Scope("user:bo")),
    live_at=1,
    statuses=frozenset({Status.ACTIVE, Status.ARCHIVED}),
    tiers=frozenset(Tier),
    types=frozenset({"fact"}),
    tags=frozenset({"a"}),
    entity="Ana",
    after=1,
    before=2,
    valid_at=1,
    begun_at=1,
    lasting_at=1,
    session_id="s",
    corpus_id="c",
    pinned=True,
    injectable=True,
    task_id="t",
    metadata=(("a", "1"),),
    replaced=True,
    former=HeldOnce(1, 2),
    source_id="p",
    recorded_since=1,
    expired_at=2,
    weak=Weakness(1, 0.5),
    unprotected=True,
    mentioned=(1, 2),
    place=("d", "r", "s"),
    lacking="m",
    unnamed=True,
    held=True,
)
HOME = Selection(scopes=(Scope("user:ana"),), live_at=1)
TURNS = replace(HOME, types=frozenset({"episode"}), session_id="s")


@pytest.fixture(scope="module")
def empty():
    connection = connect(":memory:")
    with connection:
        make_schema(connection)
    yield connection
    connection.close()


def tables(connection, kind):
    return {row[1]: row for row in connection.execute("PRAGMA main.table_list") if row[2] == kind}


# Facts about the schema


def test_the_tables_and_views_are_those_that_are_expected(empty):
    assert set(tables(empty, "table")) - {"sqlite_schema", "sqlite_sequence"} == TABLES
    assert set(tables(empty, "view")) == VIEWS
    assert set(tables(empty, "virtual")) == {"memory_items_fts", "memory_items_terms"}


def test_every_table_is_strict(empty):
    loose = [name for name, row in tables(empty, "table").items() if not row[5] and "sqlite_" not in name]
    assert loose == []


def test_every_view_can_be_read_by_an_untrusting_connection(empty):
    for view in VIEWS:
        assert empty.execute(f"SELECT * FROM {view}").fetchall() == []


def test_the_key_of_an_item_is_declared_and_never_reused(empty):
    sql = empty.execute("SELECT sql FROM sqlite_schema WHERE name = 'memory_items'").get
    assert re.search(r"key\s+INTEGER PRIMARY KEY AUTOINCREMENT", sql)


def test_every_index_says_what_it_serves_or_holds():
    lines = schema().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"CREATE (UNIQUE )?INDEX", line):
            before = number - 1
            while lines[before].startswith((" ", "CREATE")):
                before -= 1
            assert lines[before].startswith("-- "), line


def test_nothing_is_ever_replaced_past_the_delete_trigger():
    everything = schema() + "".join(map(reworded, statements()))
    code = re.sub(r"--.*", "", everything)
    assert not re.search(r"\bREPLACE\s+INTO\b|\bOR\s+REPLACE\b", code, re.IGNORECASE)


def test_a_new_store_bears_its_mark_and_its_version(store, raw):
    connection = raw()
    assert connection.pragma("application_id") == APPLICATION_ID
    assert connection.pragma("user_version") == SCHEMA_VERSION
    assert connection.pragma("journal_mode") == "wal"
    assert store.describe()["schema_version"] == SCHEMA_VERSION


def test_a_connection_wipes_what_it_frees_and_trusts_no_schema(empty):
    for pragma, value in (("secure_delete", 1), ("foreign_keys", 1), ("trusted_schema", 0)):
        assert empty.pragma(pragma) == value


def test_the_text_index_can_be_made_from_the_schema_alone(empty):
    assert text_index_schema().count("CREATE VIRTUAL TABLE IF NOT EXISTS") == 2
    empty.execute(text_index_schema())


# Statements


def bindings(sql):
    """Nothing for every parameter of a statement."""
    names = re.findall(r":(\w+)", sql)
    return dict.fromkeys(names) if names else (None,) * sql.count("?")


def complete(sql):
    """A statement with every filter there is in the place of its conditions."""
    fragments, _ = conditions(EVERY_FILTER, lambda scopes: list(range(1, len(scopes) + 1)))
    if "FROM memory_runs WHERE" in sql:
        fragments = RUN_FILTERS.values()
    elif "FROM memory_sessions AS n JOIN memory_scopes AS s" in sql:
        fragments = SESSION_FILTERS.values()
    elif "FROM memory_judged" in sql:
        fragments = ["j.job = :job", "j.a IN (SELECT value FROM carray(:keys))"]
    return sql.replace("/*conditions*/", " AND ".join(fragments))


#: What is completed where it is used: for the columns of a table.
INCOMPLETE = {
    "insert_item", "update_item", "rows_of_items",
    "add_row", "last_key", "seal_row", "seal_rows", "broken_seals", "sound_items", "sound_entities",
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in statements() if name not in INCOMPLETE])
def test_each_statement_fits_the_schema(empty, name):
    text = re.sub(r"--.*", "", complete(reworded(name)))
    if name.startswith("behind_"):  # A condition on the items behind one.
        text = f"SELECT i.key FROM memory_items AS i JOIN memory_item_rows AS r ON r.key = i.key WHERE {text}"
    assert "/*" not in text
    for sql in text.split(";"):
        assert empty.execute(f"EXPLAIN {sql}", bindings(sql)).fetchall()


@pytest.mark.parametrize("name", [name for name, sql in statements().items() if "/*conditions*/" in sql])
def test_no_value_of_a_statement_has_the_name_of_one_of_its_filters(name):
    """Two values of one name overwrite each other: a filter would compare with what the statement was given."""
    _, bound = conditions(EVERY_FILTER, lambda scopes: list(range(1, len(scopes) + 1)))
    assert not set(bound) & set(re.findall(r":(\w+)", reworded(name)))


ROWS_OF_ITEMS = statement("rows_of_items").replace("/*columns*/", ", ".join(COLUMNS))


@pytest.mark.parametrize("sql", [INSERT_ITEM, UPDATE_ITEM, ROWS_OF_ITEMS])
def test_the_statements_for_items_name_every_column(empty, sql):
    assert empty.execute(f"EXPLAIN {sql}", bindings(sql)).fetchall()
    columns = {row[1] for row in empty.execute("PRAGMA table_info(memory_items)")}
    assert set(re.findall(r"\w+", sql)) >= columns - {"seal"}


@pytest.mark.parametrize("name", sealed_tables())
def test_the_statements_for_seals_name_every_column(empty, name):
    table = sealed_tables()[name]
    columns = {row[1] for row in empty.execute(f"PRAGMA table_info({name})")}
    for sql in filter(None, (table.add_row, table.seal_row, table.seal_rows, table.broken, table.sound)):
        assert empty.execute(f"EXPLAIN {sql}", bindings(sql)).fetchall()
        assert set(re.findall(r"\w+", sql)) >= columns


def test_every_table_is_sealed_but_for_those_that_are_compared_otherwise():
    """The audit log is a chain, names follow from entities; the others are of no lasting use."""
    otherwise = {"memory_changes", "memory_entity_names", "memory_events", "memory_leases"}
    assert set(sealed_tables()) == TABLES - otherwise


@pytest.mark.parametrize("room", ["sqlite", "postgres"])
def test_no_statement_is_named_twice(room):
    """A shared one neither: what a database words otherwise is not shared."""
    folders = [SOURCE.parent / name / "statements" for name in ("sql", room)]
    texts = "\n".join(file.read_text("utf-8") for folder in folders for file in folder.glob("*.sql"))
    names = re.findall(r"^-- name: (\w+)$", texts, re.MULTILINE)
    assert len(names) == len(set(names))
    assert room != "sqlite" or len(names) == len(statements())


def test_every_row_that_a_shared_statement_reads_or_writes_is_of_one_tenant():
    """A file has no tenants: a shared statement that names none passes there, and mixes them in a database."""
    whole = {name: text for name, text in shared().items() if not name.startswith("behind_")}
    assert [name for name, text in whole.items() if ":tenant" not in text] == []


def test_every_statement_is_used():
    code = "".join(file.read_text("utf-8") for file in SOURCE.parent.rglob("*.py"))
    unused = [name for name in statements() if f'"{name}"' not in code]
    assert unused == []


# Plans


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store with enough items that a plan matters."""
    from simonides.storage.sqlite.store import SqliteStore

    store = SqliteStore(tmp_path_factory.mktemp("plans") / "memory.db", synchronous="NORMAL")
    items = [an_item(f"item {n}", scope=Scope(f"user:u{n % 5}")) for n in range(200)]
    store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in items], None))
    with store.read() as reader:
        yield reader._connection
    store.close()


def selected(name, selection=HOME, **values):
    fragments, bound = conditions(selection, lambda scopes: list(range(1, len(scopes) + 1)))
    return statement(name, *fragments), bound | values


HOT = {
    "search_text": lambda: selected("search_text", match='"item"', repeated='"two"', most=1000, limit=80),
    "search_text_for_a_prompt": lambda: selected(
        "search_text_in_scopes",
        replace(HOME, injectable=True),
        match='"item"',
        repeated='"two"',
        most=1000,
        limit=80,
    ),
    "items_by_key": lambda: (statement("items_by_key"), {"keys": table([1, 2])}),
    "keys_that_pass": lambda: selected("keys_that_pass", keys=table([1, 2])),
    "keys_that_pass_into_a_prompt": lambda: selected(
        "keys_that_pass", replace(HOME, injectable=True), keys=table([1, 2])
    ),
    "items_newest_first": lambda: selected("items_newest_first", limit=100),
    "turns_newest_first": lambda: selected("items_newest_first", TURNS, limit=100),
    "turns_latest_first": lambda: selected("items_latest_first", TURNS, limit=100),
    "pinned_items": lambda: selected("pinned_items", limit=100),
    "expiring_items": lambda: selected(
        "expiring_items", replace(HOME, live_at=None, expired_at=9), limit=100
    ),
    "last_turns_of_session": lambda: (
        statement("last_turns_of_session"),
        {"session_id": "s", "scope_key": 1, "limit": 1},
    ),
    "turns_by_source": lambda: (
        statement("turns_by_source"),
        {"session_id": "s", "scope_key": 1, "source_ids": table(["a"])},
    ),
    "holders_of_content": lambda: (
        statement("holders_of_content"),
        {"scope_key": 1, "hashes": table((b"x" * 32,)), "status": "active"},
    ),
    "settled_items": lambda: (statement("settled_items"), {"paths": table(["user:ana", "global"])}),
    "changed_vectors": lambda: (statement("changed_vectors"), {"since": 1, "model": "m"}),
    "links_of_items": lambda: (statement("links_of_items"), {"keys": table([1, 2])}),
    "drop_links_of_item": lambda: (statement("drop_links_of_item"), {"key": 1}),
    "mentions_of_entity": lambda: selected("mentions_of_entity", entity=1, limit=80),
    "documents_with_terms": lambda: (
        statement("documents_with_terms"),
        {"terms": table(["falcon", "run"])},
    ),
    "mentioned_by_items": lambda: (statement("mentioned_by_items"), {"keys": table([1, 2])}),
    "items_within": lambda: selected("items_latest_first", happening(HOME, 1, 2), limit=80),
    "edges_from_items": lambda: (
        statement("edges_from_items"),
        {"keys": table([1, 2]), "relations": table(["causal"]), "limit": 100},
    ),
    "surroundings": lambda: selected(
        "surroundings", keys=table([1]), relations=table(["causal"]), limit=100, around=table([2]), reach=2
    ),
    "few_surroundings": lambda: selected(
        "few_surroundings",
        keys=table([1]),
        relations=table(["causal"]),
        limit=100,
        around=table([2]),
        reach=2,
    ),
    "living_successors": lambda: (statement("living_successors"), {"keys": table([1, 2])}),
    "entities_of_names": lambda: (
        statement("entities_of_names"),
        {"folded": table(["ana"]), "everywhere": 0, "scope_keys": table([1, 2])},
    ),
    "known_names": lambda: (
        statement("known_names"),
        {"folded": table(["ana"]), "scope_keys": table([1, 2])},
    ),
    "revisions_of_item": lambda: (statement("revisions_of_item"), {"item": 1}),
}


def plan(connection, sql, values):
    lines = []
    depth = {0: 0}
    for number, parent, _, detail in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values):
        depth[number] = depth.get(parent, 0) + 1
        lines.append("  " * (depth[number] - 1) + re.sub(r"SUBQUERY \d+", "SUBQUERY", detail))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", HOT)
def test_the_plan_of_a_hot_statement_is_the_golden_one(filled, name):
    """To accept a new plan, delete its golden file and run the test twice: the first run writes it."""
    found = plan(filled, *HOT[name]())
    golden = GOLDEN / f"{name}.txt"
    if not golden.exists():
        golden.write_text(found)
        pytest.fail(f"{golden.name} was written: look at it, and keep it if the plan is right")
    assert found == golden.read_text()


@pytest.mark.parametrize("name", sorted(set(HOT) - {"search_text", "search_text_for_a_prompt"}))
def test_no_hot_statement_walks_all_items(name):
    text = (GOLDEN / f"{name}.txt").read_text()
    assert not re.search(r"^\s*SCAN (i|memory_items|r|l|memory_links)\b", text, re.MULTILINE)


# Statements that are run again


@pytest.fixture
def prepared_anew():
    """Counts of statements that connections made from now on had to prepare anew, by connection and text."""
    counts = {}

    def watch(connection):
        def note(event):
            counts[id(connection), event["sql"]] = event["stmt_status"]["SQLITE_STMTSTATUS_REPREPARE"]

        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, note)

    apsw.connection_hooks.append(watch)
    yield counts
    apsw.connection_hooks.remove(watch)


def test_no_statement_is_prepared_anew_for_other_values(prepared_anew, open_memory):
    memory = open_memory()

    def day(number):
        memory.add(f"Ana flew falcon {number} over Berlin", tags=["bird"])
        memory.add([{"role": "user", "content": f"Heron {number} is next, says Ana"}], session_id="s")
        memory.search(f"who flew falcon {number}, and where?", agenda=False)
        memory.context(f"what about heron {number}?")

    for number in range(8):
        day(number)
    before = dict(prepared_anew)
    for number in range(8, 12):
        day(number)
    anew = {sql for (at, sql), times in prepared_anew.items() if times > before.get((at, sql), times)}
    assert anew == set()
