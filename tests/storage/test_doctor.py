"""The doctor: SQLite's own check misses most overwritten bytes, ours must not."""

import sqlite3
from contextlib import closing

import apsw
import pytest

from simonides import Memory
from simonides.domain.link import Link, Relation
from simonides.errors import ProviderUnavailable, StoreDamaged
from simonides.testing import FakeEmbedder


@pytest.fixture
def filled(memory):
    """A memory with a bit of everything."""
    memory.add(
        "the red falcon nests on cliffs", type="fact", tags=["bird"], metadata={"n": 1.5, "who": "Ana"}
    )
    memory.add("a grey heron", title="Herons", entities=["Ana"], scope="user:ana/project:apollo")
    memory.add([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}], session_id="s")
    memory.propose([{"content": "storks like chimneys"}])
    items = memory.list(scope="user:ana/project:apollo")
    memory.update(items[0].id, content="a red osprey")
    memory.correct(items[-1].id, "two falcons nest on cliffs")
    memory.search("falcon")
    memory.confirm(items[0].id)
    memory.reinforce(items[0].id)
    memory.context("falcon")
    memory.palace.assign(items[0].id, room="birds")
    memory.flush()
    return memory


def areas(memory):
    return [problem.area for problem in memory.doctor().problems]


def break_in(connection):
    """Lets a connection write as if there were no triggers."""
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    return connection


def test_a_healthy_store_has_no_problems(filled):
    report = filled.doctor()
    assert report.problems == ()
    assert report.healthy
    assert report.backend["sqlite_version"] == apsw.sqlite_lib_version()
    assert filled.audit.verify() == []


def test_names_of_metadata_that_are_numbers_in_quotes_raise_no_alarm(memory):
    memory.add("one", metadata={"2": "two", "10": "ten"})
    assert memory.doctor().healthy


def test_progress_is_told_area_by_area_to_the_end(filled):
    told = []
    filled.doctor(lambda area, share: told.append((area, share)))
    assert told[-1] == ("done", 1.0)
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert {"items", "revisions", "text index", "vectors", "audit"} <= {area for area, _ in told}


COLUMNS = ["content", "title", "tags", "entities", "metadata", "source_id", "type", "session_id", "id"]


@pytest.mark.parametrize("column", COLUMNS)
def test_a_changed_text_of_an_item_is_found(filled, raw, column):
    connection = break_in(raw())
    connection.execute(f"UPDATE memory_items SET {column} = coalesce({column}, '') || 'x' WHERE key = 1")
    if column == "metadata":
        connection.execute("""UPDATE memory_items SET metadata = '{"n":1.5,"who":"Bo"}' WHERE key = 1""")
    assert "items" in areas(filled)


@pytest.mark.parametrize(
    "change",
    [
        "confidence = 0.123",
        "importance = 0.123",
        "decay_rate = 7",
        "tier = 'ltm'",
        "status = 'archived'",
        "validation = 'contested'",
        "trust = 'low'",
        "origin = 'web'",
        "injectable = 1 - injectable",
        "pinned = 1 - pinned",
        "created_at = created_at + 1",
        "updated_at = updated_at + 1",
        "expires_at = 1",
        "scope_key = 2",
        "superseded_by = NULL, valid_until = 99, valid_from = 1",
        "content_hash = zeroblob(32)",
        "row_hash = zeroblob(16)",
    ],
)
def test_a_changed_field_of_an_item_is_found(filled, raw, change):
    break_in(raw()).execute(
        f"UPDATE memory_items SET {change} WHERE key = (SELECT max(key) FROM memory_items)"
    )
    assert "items" in areas(filled)


def test_a_renamed_scope_is_found(filled, raw):
    raw().execute("UPDATE memory_scopes SET path = 'user:eve' WHERE path LIKE 'user:ana%'")
    assert "items" in areas(filled)


def test_a_changed_derived_token_is_found(filled, raw):
    break_in(raw()).execute("UPDATE memory_items SET derived = 'other' WHERE key = 1")
    assert "text index" in areas(filled)


@pytest.mark.parametrize("column", ["snapshot", "row_hash"])
def test_a_changed_revision_is_found(filled, raw, column):
    raw().execute(
        "UPDATE memory_revisions SET snapshot = replace(snapshot, 'red', 'RED') WHERE key = 1"
        if column == "snapshot"
        else "UPDATE memory_revisions SET row_hash = zeroblob(16) WHERE key = 1"
    )
    assert "revisions" in areas(filled)


def test_a_missing_revision_is_found(filled, raw):
    raw().execute("DELETE FROM memory_revisions WHERE key = (SELECT max(key) FROM memory_revisions)")
    assert "items" in areas(filled)


@pytest.mark.parametrize("change", ["vector = zeroblob(length(vector))", "checksum = 0", "vector = x'00'"])
def test_a_changed_vector_is_found(filled, raw, change):
    break_in(raw()).execute(f"UPDATE memory_embeddings SET {change} WHERE key = 1")
    assert "vectors" in areas(filled)


@pytest.mark.parametrize("other", ["vector || zeroblob(4)", "vector || vector", "x'00'"])
def test_a_vector_of_another_length_is_left_out_and_the_others_answer(filled, raw, open_memory, other):
    """It may come with all the others, to a process that begins, or by itself, to one that is searching."""
    question = "the red falcon nests on cliffs"
    before = filled.search(question, min_relevance=0)
    assert sum("vec" in hit.matches for hit in before) > 1
    (damaged,) = raw().execute("SELECT content FROM memory_items WHERE key = 1").fetchone()
    raw().execute(f"UPDATE memory_embeddings SET vector = CAST({other} AS BLOB) WHERE item = 1")
    seen = {hit.item.content for hit in before if "vec" in hit.matches} - {damaged}
    for memory in (filled, open_memory()):
        result = memory.search(question, min_relevance=0)
        assert {hit.item.content for hit in result if "vec" in hit.matches} == seen
    assert "vectors" in areas(filled)


@pytest.mark.parametrize(
    "change",
    [
        "at = at + 1",
        "action = 'x'",
        "item_id = 'x'",
        "scope = 'user:eve'",
        "actor = 'eve'",
        "details = '{\"x\":1}'",
        "content_hash = x'00'",
        "hash = zeroblob(32)",
    ],
)
def test_a_changed_audit_event_is_found(filled, raw, change):
    raw().execute(f"UPDATE memory_events SET {change} WHERE number = 3")
    assert "audit" in areas(filled)
    assert "3" in filled.audit.verify()[0]


def test_a_cut_tail_of_the_audit_log_is_found(filled, raw):
    raw().execute("DELETE FROM memory_events WHERE number > 4")
    assert areas(filled) == ["audit"]
    assert "ends at event 4" in filled.audit.verify()[0]


def test_audit_events_cut_out_of_the_middle_are_found(filled, raw):
    raw().execute("DELETE FROM memory_events WHERE number IN (3, 4)")
    assert "3 to 4 are missing" in filled.audit.verify()[0]


def test_an_emptied_audit_log_is_found(filled, raw):
    raw().execute("DELETE FROM memory_events")
    assert areas(filled) == ["audit"]


def test_a_dangling_link_is_found(filled, raw):
    first, second = (item.id for item in filled.list()[:2])
    filled.link(first, second)
    assert filled.doctor().healthy
    raw().execute("UPDATE memory_links SET dst = 999 WHERE rel = 'references'")
    assert areas(filled) == ["rows", "links"]


def test_an_item_that_vanished_is_found_by_what_hangs_on_it(filled, raw):
    break_in(raw()).execute("PRAGMA foreign_keys = OFF; DELETE FROM memory_items WHERE key = 1")
    assert {"file", "text index"} <= set(areas(filled))


def test_missing_rows_of_the_text_index_are_found_and_made_anew(filled, raw):
    connection = raw()
    row = connection.execute(
        "SELECT title, content, tags, entities, derived FROM memory_items WHERE key = 1"
    ).get
    connection.execute(
        "INSERT INTO memory_items_fts (memory_items_fts, rowid, title, content, tags, entities, derived) "
        "VALUES ('delete', 1, ?, ?, ?, ?, ?)",
        row,
    )
    assert areas(filled) == ["text index"]
    filled.rebuild_fts()
    assert filled.doctor().healthy


def test_the_text_index_without_its_table_is_named(filled, raw):
    raw().execute("DROP TABLE memory_items_fts")
    found = [problem for problem in filled.doctor().problems if problem.area == "text index"]
    assert "rebuild-fts" in found[0].message


def test_the_doctor_holds_no_lock_that_keeps_writers_out(filled, open_memory):
    other = open_memory()

    def write(area, _share):
        other.add(f"written while the doctor looks at {area}")

    assert filled.doctor(write).healthy


def test_the_doctor_looks_at_a_store_that_must_not_change(filled, open_memory, raw):
    assert open_memory(read_only=True).doctor().healthy
    raw().execute("UPDATE memory_events SET at = 0 WHERE number = 1")
    assert not open_memory(read_only=True).doctor().healthy


# Bytes overwritten on the disk


@pytest.fixture
def closed(filled, path):
    """The path of a store that is closed, all of it in one file."""
    filled.close()
    return path


@pytest.mark.parametrize(
    "text", [b"the red falcon nests on cliffs", b"a red osprey", b"storks like chimneys"]
)
def test_one_flipped_byte_of_a_text_is_found_wherever_it_stands(closed, open_memory, text):
    data = closed.read_bytes()
    places = [at for at in range(len(data)) if data.startswith(text, at)]
    assert len(places) >= 2  # The row, and its revisions.
    for place in places:
        flipped = bytearray(data)
        flipped[place + 1] ^= 0x01
        closed.write_bytes(flipped)
        with closing(open_memory(closed)) as memory:
            assert not memory.doctor().healthy, place


def test_overwritten_pages_are_reported_and_nothing_is_replaced(closed, open_memory):
    data = bytearray(closed.read_bytes())
    with closing(sqlite3.connect(closed)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'memory_items'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data[(page - 1) * size : page * size] = b"\xa5" * size
    closed.write_bytes(data)
    memory = open_memory(closed)
    with pytest.raises(StoreDamaged, match="doctor"):
        memory.list()
    report = memory.doctor()
    assert {"file", "items"} <= {problem.area for problem in report.problems}
    memory.close()
    assert closed.read_bytes()[(page - 1) * size : page * size] == b"\xa5" * size


def test_a_link_made_by_the_store_is_not_dangling(filled, open_store):
    first, second = (item.id for item in filled.list()[:2])
    open_store().write(lambda tx: tx.link(Link(src=first, dst=second, rel=Relation.CAUSAL)))
    assert filled.doctor().healthy


def test_an_index_that_was_just_rebuilt_is_not_taken_for_damaged(tmp_path):
    with Memory(tmp_path / "rebuilt.db", embedder=FakeEmbedder()) as memory:
        (said,) = memory.add("the heron waits")
        memory.confirm(said.item_id)
        memory.search("heron")
        memory.rebuild_fts()
        assert memory.doctor().problems == ()


def test_a_second_look_takes_no_later_layout_of_the_index_for_damage(filled):
    for round_ in range(3):
        assert filled.doctor().healthy
        for number, item in enumerate(filled.list()):
            filled.update(item.id, content=f"another {round_} text {number}")
    assert filled.doctor().healthy


class Away(FakeEmbedder):
    """An embedder whose server does not answer, not even which model it has."""

    @property
    def identity(self):
        raise ProviderUnavailable("its server is silent; start it")


def test_a_store_is_looked_through_while_the_server_of_its_embedder_is_away(tmp_path):
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder()) as memory:
        memory.add("The mill is closed.")
    with Memory(tmp_path / "memory.db", embedder=Away()) as memory:
        report = memory.doctor()
    assert report.healthy
    assert "its server is silent" in report.backend["index"]
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder()) as memory:
        assert "not known" not in memory.doctor().backend["index"]
