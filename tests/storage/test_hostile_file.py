"""Files that somebody has tampered with: refused by name, or read with errors of ours; never obeyed."""

import random
import runpy
import shutil
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import iso
from simonides.domain.scope import ALL
from simonides.errors import SimonidesError, StoreDamaged, StoreError
from simonides.storage.sqlite.connection import connect, in_our_words
from simonides.storage.sqlite.salvage import salvage
from simonides.storage.sqlite.store import archive_of
from simonides.testing import FakeEmbedder, FrozenClock

STRANGERS = [
    (
        "trigger",
        "spy",
        "CREATE TRIGGER spy AFTER INSERT ON memory_items BEGIN DELETE FROM memory_events; END",
    ),
    (
        "view",
        "endless",
        "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT * FROM n",
    ),
    ("table", "notes", "CREATE TABLE notes (x)"),
    ("index", "more", "CREATE INDEX more ON memory_items (title)"),
]
CHANGED = [
    """DROP TRIGGER memory_items_moved;
    CREATE TRIGGER memory_items_moved AFTER UPDATE ON memory_items BEGIN SELECT 1; END""",
    "DROP VIEW memory_item_rows; CREATE VIEW memory_item_rows AS SELECT * FROM memory_items",
    "DROP INDEX memory_items_by_scope; CREATE INDEX memory_items_by_scope ON memory_items (scope_key)",
    """DROP INDEX memory_items_by_time; CREATE INDEX memory_items_by_time
        ON memory_items (scope_key, coalesce(created_at, event_at)) WHERE status = 'active'""",
    """DROP INDEX memory_items_by_time; CREATE INDEX memory_items_by_time
        ON memory_items (scope_key, coalesce(event_at, created_at)) WHERE status = 'archived'""",
    """DROP INDEX memory_items_content; CREATE INDEX memory_items_content
        ON memory_items (scope_key, content_hash, status)
        WHERE status <> 'archived' AND type NOT IN ('episode', 'chunk')""",
    "ALTER TABLE memory_links ADD COLUMN twice REAL GENERATED ALWAYS AS (weight * 2) VIRTUAL",
    "ALTER TABLE memory_links DROP COLUMN evidence",
    "ALTER TABLE memory_links RENAME COLUMN evidence TO proof",
    """DROP TABLE memory_items_fts; CREATE VIRTUAL TABLE memory_items_fts USING fts5 (
        title, content, tags, entities, derived,
        content = 'memory_items', content_rowid = 'key', tokenize = 'trigram')""",
    """DROP TABLE memory_items_fts; CREATE VIRTUAL TABLE memory_items_fts USING fts5 (
        title, content, tags, entities, derived,
        content = 'memory_entities', content_rowid = 'key', tokenize = 'porter unicode61 remove_diacritics 2')""",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE name = 'memory_links'",
]
#: What takes the name of a table, view or index of ours.
IN_PLACE = [
    "DROP TABLE memory_leases; CREATE VIEW memory_leases AS SELECT 'x' AS name, 'y' AS holder, 1 AS taken_at",
    "DROP VIEW memory_review; CREATE TABLE memory_review (key, id, reasons, why_store, at)",
    "DROP TRIGGER memory_items_moved; CREATE VIEW memory_items_moved AS SELECT 1",
    "CREATE TABLE Memory_Items_ (x)",
]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder with a store in it that holds a bit of everything."""
    folder, clock = tmp_path_factory.mktemp("filled"), FrozenClock("2026-03-01T12:00:00Z")
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    with Memory(folder / "memory.db", settings=settings, clock=clock, embedder=FakeEmbedder(8)) as memory:
        _fill(memory, clock)
    return folder


def _fill(memory, clock):
    first, second = (memory.add(text, tags=["bird"]).verdicts[0].item_id for text in ("a falcon", "a heron"))
    memory.add([{"role": "user", "content": "hi Ana"}], session_id="s")
    memory.propose([{"content": "storks like chimneys"}])
    memory.link(first, second, evidence="both are birds")
    memory.update(first, content="a red falcon")
    memory.context("falcon heron bird")
    memory.palace.assign(first, room="birds")
    memory.add("Ana owns a boat", entities=["Ana"], expires_at=iso(clock.now() + 1))
    clock.advance(days=1)
    assert memory.maintain(["expire"]).counts["archived"] == 1


@pytest.fixture
def closed(path, clock, filled):
    """The path of a store with a bit of everything, closed."""
    shutil.copytree(filled, path.parent, dirs_exist_ok=True)
    clock.advance(days=1)
    return path


@pytest.mark.parametrize(("kind", "name", "statement"), STRANGERS)
def test_what_a_stranger_put_into_the_schema_is_refused_by_name(
    closed, raw, open_memory, kind, name, statement
):
    with closing(raw()) as connection:
        connection.execute(statement)
    before = closed.read_bytes()
    with pytest.raises(StoreDamaged, match=f"{kind} '{name}'.*DROP {kind.upper()}"):
        open_memory()
    assert closed.read_bytes() == before
    assert salvage(closed, closed.with_name("saved.db")).items == 5
    with closing(raw()) as connection:
        connection.execute(f"DROP {kind} {name}")
    assert open_memory().doctor().healthy


@pytest.mark.parametrize("statements", CHANGED)
def test_what_was_changed_in_the_schema_is_refused_by_name(closed, raw, open_memory, statements):
    with closing(raw()) as connection:
        connection.execute(statements)
    with pytest.raises(StoreDamaged, match="not as Simonides makes it"):
        open_memory()


@pytest.mark.parametrize("statements", IN_PLACE)
def test_what_takes_the_name_of_a_thing_of_ours_is_refused_by_name(closed, raw, open_memory, statements):
    name = statements.split("CREATE ")[1].split()[1]
    with closing(raw()) as connection:
        connection.execute(statements)
    with pytest.raises(StoreDamaged, match=f"'{name}'.*did not make"):
        open_memory()


#: What SQLite and its text index keep for themselves.
INNER = [
    "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'memory_items'",
    "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'memory_items'",
    "UPDATE sqlite_sequence SET seq = 4611686018427387904 WHERE name = 'memory_items'",
    "UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'memory_changes'",
    "UPDATE sqlite_sequence SET seq = seq + 1000 WHERE name = 'memory_changes'",
    "UPDATE sqlite_sequence SET seq = 'x'",
    "UPDATE sqlite_sequence SET name = 'memory_itemz' WHERE name = 'memory_items'",
    "DELETE FROM sqlite_sequence",
    "INSERT INTO memory_items_fts_config VALUES ('rank', 'bm25(0, 0, 0, 0, 9)')",
    "UPDATE memory_items_fts_config SET v = 3",
    "DELETE FROM memory_items_fts_config",
    "DELETE FROM memory_items_fts_docsize WHERE id = 1",
    "UPDATE memory_items_fts_docsize SET sz = x'0505050505'",
    "INSERT INTO memory_items_fts_docsize VALUES (77, x'0101010101')",
    "DELETE FROM memory_items_fts_data WHERE id > 10",
    "UPDATE memory_items_fts_data SET block = zeroblob(length(block)) WHERE id > 10",
    "UPDATE memory_items_fts_data SET block = x'00' WHERE id = 1",
    "DELETE FROM memory_changes WHERE change = (SELECT max(change) FROM memory_changes)",
]


@pytest.mark.parametrize("statement", INNER)
def test_what_sqlite_keeps_for_itself_is_found_where_it_was_changed(closed, raw, open_memory, statement):
    with closing(raw()) as connection:
        connection.execute(statement)
    try:
        memory = open_memory()
    except StoreError:
        return
    assert not memory.doctor().healthy
    everything(memory)
    memory.close()


@pytest.mark.parametrize(
    "thing", ["TABLE memory_links", "TRIGGER memory_items_deleted", "INDEX memory_items_turn"]
)
def test_what_is_missing_in_the_schema_is_named(closed, raw, open_memory, thing):
    with closing(raw()) as connection:
        connection.execute(f"DROP {thing}")
    with pytest.raises(StoreDamaged, match="missing"):
        open_memory()


def test_a_stranger_in_a_store_of_an_earlier_release_is_refused_before_it_is_migrated(
    old_store, open_memory, raw
):
    path = old_store(2)
    with closing(raw()) as connection:
        connection.execute(STRANGERS[0][2])
    with pytest.raises(StoreDamaged, match="trigger 'spy'"):
        open_memory()
    assert [file.name for file in path.parent.iterdir() if "backup" in file.name] == []


def test_a_store_without_its_text_index_opens_and_its_index_is_made_anew(closed, raw, open_memory):
    with closing(raw()) as connection:
        connection.execute("DROP TABLE memory_items_fts")
    memory = open_memory()
    memory.rebuild_fts()
    assert memory.doctor().healthy


def test_connections_are_on_their_guard(closed):
    with closing(connect(str(closed))) as connection:
        assert connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, -1) == 1
        assert connection.pragma("cell_size_check") == 1
        assert connection.pragma("trusted_schema") == 0
        with pytest.raises(apsw.SQLError):
            connection.execute("UPDATE memory_items_fts_data SET block = x'00'")


TAMPERED = [
    "UPDATE memory_items SET metadata = '{' ",
    "UPDATE memory_items SET source_details = '[1'",
    "UPDATE memory_items SET metadata = :deep",
    "UPDATE memory_items SET origin = 'nobody'",
    "UPDATE memory_scopes SET path = 'no scope at all'",
    "UPDATE memory_revisions SET snapshot = 'null'",
    "UPDATE memory_revisions SET snapshot = '{}'",
    "UPDATE memory_revisions SET snapshot = :deep",
    "UPDATE memory_models SET dimension = 1000000000000",
    "UPDATE memory_models SET dimension = 7",
    "UPDATE memory_embeddings SET vector = x'00'",
    "UPDATE memory_injections SET items = '{'",
    "UPDATE memory_injections SET items = '[[]]'",
    "UPDATE memory_verdicts SET reasons = '{'",
    "UPDATE memory_verdicts SET reasons = '7'",
    "UPDATE memory_links SET rel = 'nothing'",
    "UPDATE memory_runs SET notes = '{'",
    "UPDATE memory_runs SET counts = :deep",
    "UPDATE memory_run_changes SET details = '{'",
    "UPDATE memory_events SET details = '{'",
    "UPDATE memory_entities SET aliases = '{'",
    "UPDATE memory_entities SET attributes = '['",
    "DELETE FROM meta WHERE name = 'audit_head'",
    "DELETE FROM meta WHERE name = 'audit_key'",
    "DELETE FROM meta WHERE name = 'epoch'",
    "UPDATE meta SET value = x'00' WHERE name = 'audit_head'",
    "UPDATE meta SET value = 'text' WHERE name = 'audit_key'",
    "UPDATE meta SET value = 5",
    "DELETE FROM meta",
]


def everything(memory):
    """Calls that read and write all there is, each by itself. An error that is not ours ends the test."""
    for call in (
        lambda: memory.add("a petrel"),
        lambda: memory.list(scope=ALL, archived=True),
        lambda: memory.search("falcon", scope=ALL),
        lambda: memory.search("falcon", scope=ALL, as_of="2100-01-01"),
        lambda: memory.context("falcon", scope=ALL),
        lambda: list(memory.export()),
        lambda: [memory.history(item.id) for item in memory.list(scope=ALL)],
        lambda: [memory.explain(item.id) for item in memory.list(scope=ALL)],
        lambda: [memory.runs.show(run.id) for run in memory.runs.list()],
        memory.review.list,
        memory.entities.list,
        memory.injections,
        memory.audit.events,
        memory.audit.verify,
        memory.stats,
        memory.growth,
        memory.consolidate,
        memory.maintain,
        memory.backfill,
        lambda: memory.purge(*[item.id for item in memory.list(limit=1)]),
        memory.doctor,
        memory.flush,
    ):
        with suppress(SimonidesError):
            call()


@pytest.mark.parametrize("statement", TAMPERED)
def test_rows_that_cannot_be_read_are_errors_of_ours_and_found_by_the_doctor(
    closed, raw, open_memory, statement
):
    deep = "[" * 100_000 + "]" * 100_000
    with closing(raw()) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.execute(statement, {"deep": deep} if ":deep" in statement else None)
    try:
        memory = open_memory()
    except StoreError:
        return
    assert not memory.doctor().healthy
    everything(memory)
    memory.close()


def test_a_flipped_byte_anywhere_is_an_error_of_ours_or_harmless(closed, open_memory):
    data = closed.read_bytes()
    used = [at for at in range(len(data)) if data[at]]
    for place in random.Random(7).sample(used, 25):
        flipped = bytearray(data)
        flipped[place] ^= 1 << random.Random(place).randrange(8)
        closed.write_bytes(flipped)
        try:
            memory = open_memory()
        except StoreError:
            continue
        everything(memory)
        memory.close()


@pytest.mark.parametrize("of_archive", [False, True])
def test_a_flipped_byte_is_found_or_harmless(tmp_path, of_archive):
    """A sample of what `benchmarks/flipped.py` does with every byte."""
    script = Path(__file__).parents[2] / "benchmarks" / "flipped.py"
    flipped = runpy.run_path(str(script))
    store = flipped["a_store"](tmp_path)
    file = archive_of(store) if of_archive else store
    found = flipped["outcomes"](store, file, 60, 5)
    assert found["unseen"] == []
    assert found["flipped"] == 60
    assert found["found at opening"] + found["found by doctor"] > 0


def test_a_statement_that_runs_away_is_stopped(path, store, monkeypatch):
    monkeypatch.setattr("simonides.storage.sqlite.connection._LONGEST_S", 0.2)
    with pytest.raises(StoreError, match="stopped"), in_our_words(path), store.lend() as connection:
        connection.execute(
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
        ).fetchall()


def test_code_that_stumbles_over_a_damaged_file_says_that_it_is_damaged(closed, raw, store):
    def stumble(_):
        raise KeyError("an id that the index has, and the table has not")

    with pytest.raises(KeyError):
        store.write(stumble)
    with closing(raw()) as connection:
        connection.execute("UPDATE memory_revisions SET snapshot = snapshot || ' '")
    with pytest.raises(StoreDamaged, match="revisions"):
        store.write(stumble)
    with pytest.raises(StoreDamaged, match="revisions"), store.read():
        stumble(None)


def test_names_that_lead_nowhere_go_with_what_said_them(closed, raw, open_memory):
    with closing(raw()) as connection:
        connection.execute("PRAGMA foreign_keys = OFF; DELETE FROM memory_entities")
    memory = open_memory()
    memory.purge(*[item.id for item in memory.list(scope=ALL, archived=True)])
    memory.close()
    assert b"Ana owns" not in closed.read_bytes()


def test_an_audit_log_whose_pages_changed_places_is_told_to_be_broken(tmp_path):
    path = tmp_path / "whole.db"
    with Memory(path, embedder=FakeEmbedder(8)) as memory:
        for number in range(60):
            memory.add(f"Note {number} about the lighthouse.")
    whole = path.read_bytes()
    size = int.from_bytes(whole[16:18]) if whole[16:18] != b"\x00\x01" else 65536
    pages = [whole[at : at + size] for at in range(0, len(whole), size)]
    drawn = random.Random(7)
    for number in range(150):
        one, other = drawn.sample(range(1, len(pages)), 2)
        mixed = [*pages]
        mixed[one], mixed[other] = pages[other], pages[one]
        damaged = tmp_path / f"{number}.db"
        damaged.write_bytes(b"".join(mixed))
        with suppress(StoreError), Memory(damaged, embedder=FakeEmbedder(8)) as memory:
            assert isinstance(memory.audit.verify(), list)
