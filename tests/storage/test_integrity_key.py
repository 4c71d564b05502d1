"""A store under a key of its owner: whoever can write to the file, but has not the key, is found out."""

import hashlib
import json
from contextlib import closing

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from simonides import Memory
from simonides.compose import salvage_store, seal_store
from simonides.config import EncryptionSettings, IntegritySettings, Settings, StoreSettings, load
from simonides.domain.item import snapshot
from simonides.domain.scope import ALL
from simonides.domain.text import content_hash
from simonides.edges.cli.main import app
from simonides.errors import InvalidSettings, StoreDamaged, WrongKey
from simonides.storage.sql.audit import link_hash
from simonides.storage.sql.rows import item_of, row_hash
from simonides.storage.sqlite.seals import SealingConnection, sealed_tables
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.store import archive_of
from simonides.storage.sqlite.text_index import add_tokenizer
from simonides.testing import FakeEmbedder

KEY = "correct horse battery staple, and then some"
OTHER = "another key of somebody else's, as long"


def with_key(key=KEY):
    return Settings(store=StoreSettings(synchronous="NORMAL"), integrity=IntegritySettings(key))


@pytest.fixture
def keyed(open_memory):
    """A memory under the key, with a bit of everything; its archive file too."""
    memory = open_memory(settings=with_key())
    first, second, third = (
        memory.add(f"A {bird} on the roof.").item_ids[0] for bird in ("falcon", "heron", "stork")
    )
    memory.add([{"role": "user", "content": "Ana owns a boat."}], session_id="s")
    memory.link(first, second, evidence="both are birds")
    memory.update(first, content="A red falcon on the roof.")
    memory.context("falcon heron")
    memory.forget(third)
    store = memory._parts.store
    store.write(lambda tx: tx.set_aside([third]))
    memory.flush()
    return memory


class Intruder:
    """Writes to a file with all that Simonides knows but the key: it forges each hash that it can."""

    def __init__(self, path, key=None):
        self.connection = SealingConnection(str(path))
        self.connection.key = key
        self.connection.set_busy_timeout(1000)
        add_tokenizer(self.connection)
        self.connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)

    def execute(self, sql, bindings=None):
        return self.connection.execute(sql, bindings).fetchall()

    def seal(self):
        for table in sealed_tables().values():
            self.connection.execute(table.seal_rows)

    def rechain(self):
        previous = bytes(32)
        number = 0
        for *row, _ in self.execute(statement("events_in_order")):
            previous, number = link_hash(previous, row), row[0]
            self.execute("UPDATE memory_events SET hash = ? WHERE number = ?", (previous, number))
        self.execute("UPDATE meta SET value = ? WHERE name = 'audit_head'", (number.to_bytes(8) + previous,))

    def rewrite(self, old, new):
        """Change a text wherever it stands, with the hashes of items and revisions."""
        for key, text in self.execute("SELECT key, snapshot FROM memory_revisions"):
            now = text.replace(old, new)
            self.execute(
                "UPDATE memory_revisions SET snapshot = ?, row_hash = ? WHERE key = ?",
                (now, row_hash(now), key),
            )
        for (item,) in self.execute("SELECT key FROM memory_items"):
            ((text,),) = self.execute(
                "SELECT snapshot FROM memory_revisions WHERE item = ? ORDER BY number DESC LIMIT 1", (item,)
            )
            now = item_of(text)
            self.execute(
                "UPDATE memory_items SET content = ?, content_hash = ?, row_hash = ? WHERE key = ?",
                (now.content, content_hash(now.type, now.content), row_hash(snapshot(now)), item),
            )
        self.execute("INSERT INTO memory_items_fts (memory_items_fts) VALUES ('rebuild')")


def test_a_store_under_a_key_works_as_any_other(keyed, open_memory, tmp_path, clock):
    third = keyed.list(archived=True)[-1].id
    assert keyed.doctor().problems == ()
    assert keyed.audit.verify() == []
    assert keyed.doctor().backend["integrity"] == "under the owner's key"
    assert len(keyed.search("falcon")) > 0
    archived = next(item for item in keyed.list(scope=ALL, archived=True) if "stork" in item.content)
    keyed.restore(archived.id)
    clock.advance(days=2)
    run = keyed.maintain()
    keyed.undo(run.id)
    keyed.purge(third)
    keyed.rebuild_fts()
    keyed.backup(tmp_path / "copy.db")
    records = list(keyed.export())
    assert keyed.doctor().problems == ()
    with closing(open_memory(tmp_path / "copy.db", settings=with_key())) as copy:
        copy.add("a petrel")
        assert copy.doctor().problems == ()
    for settings_ in (with_key(), with_key(OTHER), None):
        name = tmp_path / f"loaded-{bool(settings_)}-{settings_ == with_key()}.db"
        with closing(open_memory(name, **({"settings": settings_} if settings_ else {}))) as loaded:
            loaded.load(records, trusted=True)
            assert loaded.doctor().problems == ()
    keyed.close()
    with closing(open_memory(settings=with_key())) as again:
        again.add("a plover")
        assert again.doctor().problems == ()
        assert again.search("falcon", as_of="2100-01-01").degradations == keyed_degradations(again)


def keyed_degradations(memory):
    return memory.search("falcon").degradations


def test_whoever_rewrites_text_and_hashes_is_found_with_the_key_alone(keyed, path, open_memory):
    """The same forgery passes in a store without a key: that is what the key is for."""
    plain = path.with_name("plain.db")
    with closing(open_memory(plain)) as memory:
        memory.add("A falcon on the roof.")
    for name, options in ((plain, {}), (path, {"settings": with_key()})):
        intruder = Intruder(name)
        intruder.rewrite("falcon", "cuckoo")
        intruder.rechain()
        intruder.seal()
        if name == plain:
            with closing(open_memory(name, **options)) as memory:
                assert memory.doctor().healthy
                assert len(memory.search("cuckoo")) == 1
    assert not keyed.doctor().healthy
    assert keyed.audit.verify() != []
    context = keyed.context("cuckoo on the roof")
    assert "cuckoo" not in context.text
    assert any("changed outside" in said for said in context.degradations)


CHANGES = {
    "a text": "UPDATE memory_items SET title = 'x'",
    "trust": "UPDATE memory_items SET trust = 'low'",
    "a link": "UPDATE memory_links SET weight = 9",
    "a context": "UPDATE memory_injections SET query = 'x'",
    "a vector": "UPDATE memory_embeddings SET vector = zeroblob(32), checksum = 420107829",
    "a session": "UPDATE memory_sessions SET turns = 9",
    "a scope": "UPDATE memory_scopes SET path = 'user:eve'",
    "when the log is under the key": "UPDATE meta SET value = 1000 WHERE name = 'keyed_from'",
    "an event": "UPDATE memory_events SET actor = 'eve'",
    "the end of the log": "DELETE FROM memory_events WHERE number > 5",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_changed_and_sealed_without_the_key_is_found(keyed, path, change):
    intruder = Intruder(path)
    intruder.execute(CHANGES[change])
    intruder.rechain()
    intruder.seal()
    assert not keyed.doctor().healthy
    assert keyed.audit.verify() != []


@given(data=st.data())
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_a_table_that_is_sealed_without_the_key_is_found(keyed, path, data):
    """Of any table, and whatever else stays as it was sealed."""
    name = data.draw(st.sampled_from(sorted(sealed_tables())))
    intruder = Intruder(path)
    kept = intruder.execute(f"SELECT {', '.join(sealed_tables()[name].key)}, seal FROM {name}")
    intruder.execute(sealed_tables()[name].seal_rows)
    assert keyed.doctor().healthy is not bool(kept)
    where = " AND ".join(f"{column} = ?" for column in sealed_tables()[name].key)
    for *key, seal in kept:
        intruder.execute(f"UPDATE {name} SET seal = ? WHERE {where}", (seal, *key))


def test_the_end_of_the_log_cannot_be_cut_off(keyed, path):
    """The head is sealed: one that fits an earlier event cannot be made."""
    intruder = Intruder(path)
    ((number, digest),) = intruder.execute("SELECT number, hash FROM memory_events WHERE number = 5")
    intruder.execute("DELETE FROM memory_events WHERE number > 5")
    intruder.execute("UPDATE meta SET value = ? WHERE name = 'audit_head'", (number.to_bytes(8) + digest,))
    assert keyed.audit.verify() != []


def test_an_older_state_that_is_put_back_is_found(keyed, path):
    """Its seals are the store's own."""
    intruder = Intruder(path)
    before = intruder.execute("SELECT * FROM memory_items WHERE content LIKE '%heron%'")[0]
    item_id = before[1]
    keyed.update(item_id, content="A grey heron in the pond.")
    assert keyed.doctor().healthy
    intruder.execute("DELETE FROM memory_revisions WHERE item = ? AND number = 2", (before[0],))
    columns = [row[1] for row in intruder.execute("PRAGMA table_info(memory_items)")]
    assignments = ", ".join(f"{column} = ?" for column in columns)
    intruder.execute(f"UPDATE memory_items SET {assignments} WHERE key = ?", (*before, before[0]))
    intruder.execute("INSERT INTO memory_items_fts (memory_items_fts) VALUES ('rebuild')")
    assert any("older" in problem.message for problem in keyed.doctor().problems)


@pytest.mark.parametrize("sealed_later", [False, True])
def test_an_item_that_was_taken_out_without_a_trace_is_found(open_memory, path, sealed_later):
    memory = open_memory(settings=None if sealed_later else with_key())
    item_id = memory.add("A falcon on the roof.").item_ids[0]
    memory.add("A heron on the roof.")
    memory.close()
    if sealed_later:
        seal_store(path, with_key())
    intruder = Intruder(path)
    intruder.execute("PRAGMA foreign_keys = ON")
    intruder.execute("DELETE FROM memory_items WHERE id = ?", (item_id,))
    intruder.execute("INSERT INTO memory_items_fts (memory_items_fts) VALUES ('rebuild')")
    problems = open_memory(settings=with_key()).doctor().problems
    assert any(item_id in problem.message and "taken out" in problem.message for problem in problems)


# Opening


def test_a_store_under_a_key_is_not_written_without_it_nor_with_another(keyed, path, open_memory):
    keyed.close()
    before = path.read_bytes()
    with pytest.raises(WrongKey, match="SIMONIDES_INTEGRITY_KEY"):
        open_memory()
    for options in ({}, {"read_only": True}):
        with pytest.raises(WrongKey, match="another"):
            open_memory(settings=with_key(OTHER), **options)
    assert path.read_bytes() == before


def test_without_the_key_it_can_be_read_and_nothing_passes_for_compared(keyed, open_memory):
    contents = {item.content for item in keyed.list(scope=ALL)}
    keyed.close()
    memory = open_memory(read_only=True)
    assert {item.content for item in memory.list(scope=ALL)} == contents
    assert len(memory.search("falcon")) > 0
    assert {"key", "audit"} <= {problem.area for problem in memory.doctor().problems}
    assert "not compared" in memory.audit.verify()[0]


def test_a_seal_that_was_stripped_is_not_put_on_anew(keyed, path, open_memory):
    keyed.close()
    for file in (path, archive_of(path)):
        intruder = Intruder(file)
        intruder.execute("DELETE FROM meta WHERE name IN ('key', 'keyed_from')")
        intruder.rewrite("falcon", "cuckoo")
        intruder.rechain()
        intruder.seal()
    for options in ({}, {"read_only": True}):
        with pytest.raises(WrongKey, match="not under the integrity key"):
            open_memory(settings=with_key(), **options)


def test_a_store_that_is_there_already_is_put_under_a_key_once(memory, path, open_memory, clock):
    memory.add("A falcon on the roof.")
    gone = memory.add("A stork on the roof.").item_ids[0]
    memory.forget(gone)
    memory._parts.store.write(lambda tx: tx.set_aside([gone]))
    with pytest.raises(WrongKey, match="audit seal"):
        open_memory(settings=with_key())
    memory.close()
    for _ in range(2):
        seal_store(path, with_key(), clock)
    with pytest.raises(WrongKey, match="another"):
        seal_store(path, with_key(OTHER), clock)
    keyed = open_memory(settings=with_key())
    assert keyed.doctor().problems == ()
    assert [event.action for event in keyed.audit.events()].count("seal") == 1
    keyed.add("A heron on the roof.")
    assert keyed.restore(gone).item_id == gone
    assert keyed.doctor().problems == ()


@pytest.mark.parametrize("version", [1, 3])
def test_a_store_of_an_earlier_release_is_put_under_a_key(old_store, open_memory, version):
    path = old_store(version)
    with pytest.raises(WrongKey):
        open_memory(settings=with_key())
    assert not list(path.parent.glob("*.backup"))  # Nothing was migrated.
    seal_store(path, with_key())
    assert open_memory(settings=with_key()).doctor().problems == ()


def test_what_is_not_sound_is_not_put_under_a_key(memory, path, raw):
    memory.add("A falcon on the roof.")
    memory.close()
    raw().execute("UPDATE memory_items SET title = 'x'")
    with pytest.raises(StoreDamaged, match="doctor"):
        seal_store(path, with_key())


def test_whoever_has_it_open_while_it_is_sealed_writes_nothing_any_more(memory, path, open_memory):
    memory.add("A falcon on the roof.")
    seal_store(path, with_key())
    with pytest.raises(WrongKey):
        memory.add("A heron on the roof.")
    keyed = open_memory(settings=with_key())
    assert [item.content for item in keyed.list()] == ["A falcon on the roof."]
    assert keyed.doctor().problems == ()


def test_what_is_salvaged_is_under_the_key_and_nothing_that_was_forged(keyed, path, open_memory, tmp_path):
    keyed.close()
    intruder = Intruder(path)
    intruder.rewrite("falcon", "cuckoo")
    saved = salvage_store(path, tmp_path / "saved.db", with_key())
    assert saved.items == 2
    memory = open_memory(tmp_path / "saved.db", settings=with_key())
    assert {item.content for item in memory.list(scope=ALL)} == {"A heron on the roof.", "Ana owns a boat."}
    assert memory.doctor().problems == ()


def test_an_archive_file_that_is_not_under_the_key_is_named(keyed, path, open_memory):
    keyed.close()
    archive_of(path).unlink()
    with closing(open_memory(archive_of(path))) as forged:
        forged.add("A cuckoo on the roof.")
    memory = open_memory(settings=with_key())
    assert any(problem.area == "archive" for problem in memory.doctor().problems)
    assert not any("cuckoo" in hit.item.content for hit in memory.search("cuckoo", archived=True))


# The key


def test_a_key_comes_from_the_environment_or_a_file(tmp_path):
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    assert load(environment={"SIMONIDES_INTEGRITY_KEY": KEY}).integrity.secret() == KEY
    assert load(environment={"SIMONIDES_INTEGRITY_KEY_FILE": str(file)}).integrity.secret() == KEY
    (tmp_path / "simonides.toml").write_text('[integrity]\nkey_file = "key"\n')
    assert load(tmp_path / "simonides.toml", {}).integrity.secret() == KEY
    assert load(environment={}).integrity.secret() is None
    assert KEY not in repr(load(environment={"SIMONIDES_INTEGRITY_KEY": KEY}))


@pytest.mark.parametrize("key", ["", "short", " " * 40])
def test_a_key_that_can_be_guessed_is_refused(tmp_path, key):
    with pytest.raises(InvalidSettings, match="32 characters"):
        load(environment={"SIMONIDES_INTEGRITY_KEY": key})
    (tmp_path / "key").write_text(key)
    with pytest.raises(InvalidSettings, match="32 characters"):
        load(environment={"SIMONIDES_INTEGRITY_KEY_FILE": str(tmp_path / "key")}).integrity.secret()


@pytest.mark.parametrize("settings", [IntegritySettings, EncryptionSettings])
@pytest.mark.parametrize("mode", [0o600, 0o400, 0o640, 0o604, 0o644, 0o660, 0o666, 0o444])
def test_of_a_key_that_others_can_read_the_log_says_what_to_do(tmp_path, caplog, settings, mode):
    file = tmp_path / "key"
    file.write_text(KEY)
    file.chmod(mode)
    assert settings(key_file=str(file)).secret() == KEY
    assert [f"chmod 600 {file}" in record.getMessage() for record in caplog.records] == [True] * bool(
        mode & 0o77
    )
    assert KEY not in caplog.text


def test_two_keys_or_a_file_that_is_not_there_are_refused(tmp_path):
    with pytest.raises(InvalidSettings, match="both"):
        IntegritySettings(KEY, "file")
    with pytest.raises(InvalidSettings, match="cannot be read"):
        IntegritySettings(key_file=str(tmp_path / "none")).secret()
    with pytest.raises(InvalidSettings, match="no integrity key"):
        seal_store(tmp_path / "memory.db", Settings())


def test_neither_the_key_nor_what_it_stands_for_is_in_the_file(keyed, path):
    from simonides.storage.sqlite.seals import key_from

    keyed.close()
    derived = key_from(KEY)
    for file in path.parent.iterdir():
        if file.is_file():
            data = file.read_bytes()
            assert KEY.encode() not in data
            assert derived not in data
            assert hashlib.sha256(KEY.encode()).digest() not in data


def test_the_command_seals_and_the_others_say_what_is_missing(path):
    with Memory(path, embedder=FakeEmbedder(8)) as memory:
        memory.add("A falcon on the roof.")

    def run(*arguments, **environment):
        return CliRunner().invoke(app, ["--db", str(path), *arguments], env=environment)

    assert "no integrity key" in run("audit", "seal").stderr
    assert "audit seal" in run("doctor", SIMONIDES_INTEGRITY_KEY=KEY).stderr
    assert run("audit", "seal", SIMONIDES_INTEGRITY_KEY=KEY).exit_code == 0
    for command, code in (
        (("doctor",), 1),
        (("audit", "verify"), 1),
        (("list",), 0),
        (("add", "A heron."), 4),
    ):
        assert run(*command, SIMONIDES_INTEGRITY_KEY=KEY).exit_code == 0
        without = run(*command)
        assert without.exit_code == code
        assert "SIMONIDES_INTEGRITY_KEY" in without.stderr
    shown = json.loads(run("settings", "--json", SIMONIDES_INTEGRITY_KEY=KEY).stdout)
    assert shown["settings"]["integrity.key"]["value"] == "***"
