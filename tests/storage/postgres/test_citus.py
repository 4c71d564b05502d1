"""Statements and schema as Citus takes them: each table of a statement names the tenant, whose shard it is sent to."""

import re

import pytest

from simonides.storage.postgres.bulk import BULK, batch_query, table_of
from simonides.storage.postgres.statements import query, statements

#: Of the server, of the schema, and of the table that workers share, which is the coordinator's alone.
OF_ALL_TENANTS = {
    "analyze",
    "policies",
    "versions",
    "columns_of",
    "claim_due",
    "wait_until_due",
    "time_of_day",
}
#: Parts of others, which are read with them.
PARTS = ("behind_", "part_")
#: Tables and views that are spread over the shards.
SPREAD = r"(?:memory_\w+|corpora|documents)"
TABLE = re.compile(rf"\b(FROM|JOIN|UPDATE|INTO|USING)\s+({SPREAD})\b(?:\s+AS\s+(\w+))?", re.IGNORECASE)
#: The tenant of a table: the value, a figure, or that of another table.
OWN = r"\btenant = (?:%\(tenant\)s|/\*tenant\*/|\w+\.tenant\b)"


def unnamed(text):
    """Tables of a statement of which it does not name the tenant."""
    wrong = []
    for how, table, alias in TABLE.findall(text):
        if how.upper() == "INTO":
            named = re.search(rf"INTO\s+{table}(?:\s+AS\s+\w+)?\s*\(\s*tenant\b", text)
        elif alias:
            named = re.search(rf"\b{alias}\.{OWN[2:]}", text) or re.search(rf"= {alias}\.tenant\b", text)
        else:
            named = re.search(rf"(?<![\w.]){OWN[2:]}", text)
        if not named:
            wrong.append(f"{table} {alias}".strip())
    return wrong


def test_a_table_without_its_tenant_is_told():
    joined = (
        "SELECT 1 FROM memory_items AS i JOIN memory_links AS l ON l.src = i.key WHERE i.tenant = %(tenant)s"
    )
    assert unnamed(joined) == ["memory_links l"]
    assert unnamed(joined + " AND l.tenant = i.tenant") == []
    assert unnamed("DELETE FROM memory_items WHERE key = 1") == ["memory_items"]
    assert unnamed("INSERT INTO corpora (id) VALUES (1)") == ["corpora"]


NAMES = [name for name in statements() if name not in OF_ALL_TENANTS and not name.startswith(PARTS)]


@pytest.mark.parametrize("name", NAMES)
def test_each_statement_names_the_tenant_of_every_table(name):
    text = query(name).text
    assert "%(tenant)s" in text
    assert unnamed(text) == []
    # Rows are locked on one shard; nothing is numbered by all, and a setting by `set_config` does not reach the shards.
    for refused in ("SKIP LOCKED", "nextval", "set_config", "TABLESAMPLE", "WHERE CURRENT OF", "MERGE INTO"):
        assert refused not in text
    # A function that reads past the policies stands alone.
    assert not re.search(r"simonides_(search|holders)\(", text) or not TABLE.search(text)


def test_each_statement_for_many_rows_names_the_tenant(server):
    with server.owner() as owner:
        for name in sorted({*BULK, "put_words"} - {"count_mentions"}):  # That one is among the statements.
            types = tuple(owner.execute(query("columns_of").text, {"table": table_of(name)}).fetchall())
            text = batch_query(name, types)[0].text
            assert "(tenant, " in text
            assert "SELECT %(tenant)s, " in text
            assert unnamed(text) == []


@pytest.mark.parametrize("name", ["simonides_search", "simonides_holders"])
def test_a_reader_of_words_names_the_tenant_in_figures(server, name):
    """Its statements are made up in the server, where a value would not do."""
    with server.owner() as owner:
        (text,) = owner.execute("SELECT prosrc FROM pg_proc WHERE proname = %s", (name,)).fetchone()
    assert "FROM public.memory_words" in text
    for table, alias in re.findall(r"(?:FROM|JOIN) public\.(\w+)(?: AS (\w+))?", text):
        if table != "memory_tenants":
            prefix = f"{alias}\\." if alias else ""
            assert re.search(rf"{prefix}tenant = %(?:\d\$)?s", text), table


def test_no_rule_of_the_schema_leaves_out_the_tenant(server):
    with server.owner() as owner:
        wrong = owner.execute(
            """SELECT c.conrelid::regclass, c.conname FROM pg_constraint AS c
            JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attname = 'tenant'
            WHERE c.contype IN ('p', 'u', 'f') AND NOT a.attnum = ANY(c.conkey)
                AND c.conrelid <> 'memory_tenants'::regclass"""
        ).fetchall()
        assert wrong == []
        unique = owner.execute(
            """SELECT i.indexrelid::regclass FROM pg_index AS i
            JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attname = 'tenant'
            WHERE i.indisunique AND NOT a.attnum = ANY(i.indkey) AND i.indrelid <> 'memory_tenants'::regclass"""
        ).fetchall()
        assert unique == []
        triggers = owner.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal").fetchall()
        sequences = owner.execute("SELECT count(*) FROM pg_sequences WHERE schemaname = 'public'").fetchone()
        assert (triggers, sequences) == ([], (0,))


def test_an_index_of_the_schema_begins_with_the_tenant_or_holds_it_in_what_it_indexes(server):
    with server.owner() as owner:
        others = owner.execute(
            """SELECT i.indexrelid::regclass::text FROM pg_index AS i
            JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attname = 'tenant'
            JOIN pg_class AS c ON c.oid = i.indrelid AND c.relname NOT IN ('memory_tenants', 'simonides_due')
            WHERE i.indkey[0] <> a.attnum AND i.indexrelid::regclass::text NOT LIKE '%memory_embeddings_near_%'"""
        ).fetchall()
        # That of words by their items does neither: it is walked between two numbers only.
        assert sorted(others) == [("memory_items_tagged",), ("memory_words_lexemes",), ("memory_words_pkey",)]
