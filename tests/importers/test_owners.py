"""Owners: every kind reads the users and agents of its source alike, and none widens what it cannot read."""

import json
import sqlite3

import pytest

from simonides import ALL, Memory
from simonides.testing import FakeEmbedder

#: Values of a user or agent at a source, and the id that they are; None where they name nobody.
NAMED = [
    ("ana", "ana"),
    (42, "42"),
    (0, "0"),
    (-7, "-7"),
    (42.0, "42"),
    (2**120, str(2**120)),
    (None, None),
    ("", None),
]
#: Values that are no id. Whatever has one must not be left to everybody.
UNREAD = [
    *([], ["ana"], {}, {"id": 42}, True, False, 42.5, 1e300, float("inf"), float("nan"), 10**400),
    *(" ", " ana", "a/b", "\ud800"),
]  # fmt: skip
CONTENT = "Owes the bank nine thousand."


def objects(kind, value):
    owned = {"user_id": value, "agent_id": 7}
    return {
        "mem0": json.dumps({"results": [{"id": "1", "memory": CONTENT, **owned}]}),
        "jsonl": json.dumps({"content": CONTENT, **owned}),
        "jsonl turns": json.dumps({"role": "user", "content": CONTENT, **owned}),
    }[kind]


TABLES = {
    "items-db": ("memory_items", "CREATE TABLE memory_links(src, dst)"),
    "graph-db": ("nodes", "CREATE TABLE edges(src, dst)"),
    "graph-db entities": (
        "entities",
        """CREATE TABLE nodes(id, content); CREATE TABLE edges(src, dst); ALTER TABLE entities ADD COLUMN summary;
        ALTER TABLE entities ADD COLUMN name; UPDATE entities SET name = 'Bank', summary = content""",
    ),
    "tiered-db": ("memories", "CREATE TABLE daily_events(id, content)"),
    "tiered-db events": ("daily_events", "CREATE TABLE memories(id, content)"),
    "tiered-db turns": (
        "extraction_buffer", "CREATE TABLE daily_events(id, content); CREATE TABLE memories(id, content)"
    ),
    "scored-db": ("memories", "CREATE TABLE memories_archive(id, content)"),
    "scored-db archive": ("memories_archive", "CREATE TABLE memories(id, content)"),
}  # fmt: skip
COLUMNS = [("user_id", "agent_id"), ("user", "agent")]


def table(path, kind, value, columns=COLUMNS[0]):
    name, others = TABLES[kind]
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE {name}(id, content, {', '.join(columns)})")
    connection.execute(f"INSERT INTO {name} VALUES (1, ?, ?, 7)", (CONTENT, value))
    connection.executescript(others)
    connection.close()


def taken(folder, kind, path, **options):
    """Scopes of what an import brought, and what it refused."""
    with Memory(folder / "memory.db", embedder=FakeEmbedder(8)) as memory:
        told = memory.import_from(kind.split()[0], path, dry_run=True, **options)
        report = memory.import_from(kind.split()[0], path, **options)
        assert (told.counts, told.refused) == (report.counts, report.refused)
        # What was not taken has left nothing.
        assert CONTENT.encode() not in (folder / "memory.db").read_bytes() or report.count("accepted")
        return [str(item.scope) for item in memory.list(scope=ALL, archived=True)], report.refused


@pytest.mark.parametrize("kind", ["mem0", "jsonl", "jsonl turns"])
@pytest.mark.parametrize(("value", "user"), NAMED)
def test_an_owner_in_json_is_read(kind, value, user, tmp_path):
    path = tmp_path / "source.json"
    path.write_text(objects(kind, value))
    assert taken(tmp_path, kind, path) == ([f"user:{user}/agent:7" if user else "agent:7"], [])


@pytest.mark.parametrize("kind", ["mem0", "jsonl", "jsonl turns"])
@pytest.mark.parametrize("value", UNREAD, ids=lambda value: f"{value!r:.20}")
def test_an_owner_in_json_that_is_none_refuses_its_row(kind, value, tmp_path):
    path = tmp_path / "source.json"
    path.write_text(objects(kind, value))
    scopes, [refused] = taken(tmp_path, kind, path)
    assert not scopes
    assert "user" in refused.reason
    # A caller who says whose everything is leaves nothing open.
    (tmp_path / "bo").mkdir()
    assert taken(tmp_path / "bo", kind, path, user_id="bo") == (["user:bo/agent:7"], [])


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize(("value", "user"), [one for one in NAMED if one[0] != 2**120])
def test_an_owner_in_a_table_is_read(kind, columns, value, user, tmp_path):
    path = tmp_path / "theirs.db"
    table(path, kind, value, columns)
    assert taken(tmp_path, kind, path) == ([f"user:{user}/agent:7" if user else "agent:7"], [])


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("value", [b"ana", 42.5, 1e300, " ", " ana", "a/b"])
def test_an_owner_in_a_table_that_is_none_refuses_its_row(kind, value, tmp_path):
    path = tmp_path / "theirs.db"
    table(path, kind, value)
    scopes, [refused] = taken(tmp_path, kind, path)
    assert not scopes
    assert "user" in refused.reason


@pytest.mark.parametrize(("cell", "user"), [("42", "42"), ("ana", "ana"), ("", None)])
def test_an_owner_in_a_cell_is_text(cell, user, tmp_path):
    (tmp_path / "notes.csv").write_text(f"content,user_id\n{CONTENT},{cell}\n")
    assert taken(tmp_path, "csv", tmp_path / "notes.csv") == ([f"user:{user}" if user else "global"], [])


@pytest.mark.parametrize("scope", ["", "scope:\n", 'scope: ["user:ana"]\n', "scope: 42\n"])
def test_a_note_of_an_export_whose_scope_is_gone_is_not_for_everybody(scope, tmp_path):
    note = f"---\nid: 01976f2e-7f00-7000-8000-000000000000\ntype: note\n{scope}---\n{CONTENT}\n"
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "note.md").write_text(note)
    scopes, [refused] = taken(tmp_path, "markdown", tmp_path / "vault")
    assert not scopes
    assert "scope" in refused.reason
    (tmp_path / "ana").mkdir()
    assert taken(tmp_path / "ana", "markdown", tmp_path / "vault", user_id="ana") == (["user:ana"], [])


@pytest.mark.parametrize("kind", ["items-db", "graph-db"])
@pytest.mark.parametrize("value", [42, "ana", None])
def test_what_is_somebodys_keeps_its_links(kind, value, tmp_path):
    path = tmp_path / "theirs.db"
    table(path, kind, value)
    name = TABLES[kind][0]
    with sqlite3.connect(path) as connection:
        connection.execute(f"INSERT INTO {name} VALUES (2, 'Saves for a boat.', ?, NULL)", (value,))
        connection.execute(f"INSERT INTO {'edges' if kind == 'graph-db' else 'memory_links'} VALUES (2, 1)")
    connection.close()
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(8)) as memory:
        for dry_run, outcome in ((True, "accepted"), (False, "accepted"), (False, "merged")):
            report = memory.import_from(kind, path, dry_run=dry_run)
            assert report.counts == {"items": {outcome: 2}, "links": {outcome: 1}}


@pytest.mark.parametrize("run_id", ["r1", 5])
def test_numbers_name_the_memories_and_runs_of_mem0_as_well(run_id, tmp_path):
    (tmp_path / "all.json").write_text(json.dumps([{"id": 1, "memory": CONTENT, "run_id": run_id}]))
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(8)) as memory:
        memory.import_from("mem0", tmp_path / "all.json")
        [item] = memory.list()
    assert item.session_id == str(run_id)
