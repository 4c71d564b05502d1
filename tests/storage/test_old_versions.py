"""Files of earlier releases: they are migrated, and what they lacked is caught up with."""

import re
from pathlib import Path

import pytest

from simonides.compose import salvage_store
from simonides.domain.item import Status
from simonides.domain.scope import ALL
from simonides.domain.selection import ItemOrder, Selection
from simonides.errors import StoreReadOnly
from simonides.storage.sqlite.connection import connect
from simonides.storage.sqlite.migrate import SCHEMA_VERSION, make_schema
from simonides.storage.sqlite.store import SqliteStore

#: What the store of schema 1 mentions, and how often.
NAMES = {"Melanie": 1, "Milan": 1, "Petra": 3, "Petra Novak": 1, "Rome": 1, "Ruben": 1, "红楼梦": 1}
UNNAMED = Selection(scopes=None, live_at=None, statuses=frozenset(Status), unnamed=True)
VERSIONS = sorted(int(file.stem) for file in (Path(__file__).parent / "versions").glob("*.sql"))


def shape(connection):
    """Schema of a file, without comments, spaces and the order in which it was made."""
    return {
        (kind, name): re.sub(r"\s*([(),])\s*", r"\1", re.sub(r"\s+", " ", re.sub(r"--.*", "", sql or "")))
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema")
    }


def names(memory, **fields):
    return {entity.name: entity.mention_count for entity in memory.entities.list(scope=ALL, **fields)}


def test_there_is_a_file_of_every_version_before_this_one():
    assert list(range(1, SCHEMA_VERSION)) == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_migrations_lead_to_the_schema(version, old_store, open_store, raw):
    old_store(version)
    open_store().close()
    made = connect(":memory:")
    with made:
        make_schema(made)
    assert shape(raw()) == shape(made)
    made.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_of_an_old_store_is_lost(version, old_store, open_memory):
    old_store(version)
    memory = open_memory()
    assert memory.stats()["by_status"] == {"active": 4, "archived": 2, "quarantined": 1}
    assert memory.doctor().healthy
    assert memory.audit.verify() == []
    assert [hit.item.content for hit in memory.search("walnuts", project="apollo").hits][:1] == [
        "Petra is allergic to walnuts."
    ]


def test_names_of_an_old_store_are_found_by_backfill(old_store, open_memory):
    old_store(1)
    memory = open_memory()
    assert names(memory) == {}
    assert memory.doctor().backend["items_without_names"] == 7
    memory.backfill()
    assert names(memory) == NAMES
    report = memory.doctor()
    assert report.healthy
    assert "items_without_names" not in report.backend


def test_what_was_held_back_or_turned_down_registers_nothing(old_store, open_memory):
    old_store(1)
    memory = open_memory()
    memory.backfill(again=True)
    assert not {"Gwil", "Oslo", "Tante Agathe", "Bergen"} & set(names(memory))


def test_looking_for_names_goes_on_where_it_was_stopped(old_store, open_store):
    old_store(1)
    store = open_store()
    looked = []
    while True:
        with store.read() as reader:
            piece = reader.keys(UNNAMED, ItemOrder.OLDEST, limit=2)
        if not piece:
            break
        store.write(lambda tx, piece=piece: tx.name_items([(key, ()) for key in piece]))
        store.close()
        store = open_store()
        looked += piece
    assert looked == sorted(set(looked))
    assert len(looked) == 7


def test_items_of_after_the_migration_need_no_second_look(old_store, open_memory, open_store):
    old_store(1)
    memory = open_memory()
    memory.add("We met Gaston in Lyon.")
    assert names(memory) == {"Gaston": 1, "Lyon": 1}
    with open_store().read() as reader:
        assert len(reader.keys(UNNAMED, limit=100)) == 7


def test_an_item_that_is_restored_without_names_is_looked_through_later(old_store, open_memory, tmp_path):
    """Salvage knows no names; what it brings back waits for `backfill`."""
    source = old_store(1)
    salvage_store(source, tmp_path / "saved.db")
    memory = open_memory(tmp_path / "saved.db")
    assert names(memory) == {}
    memory.backfill()
    assert names(memory) == NAMES
    assert memory.doctor().healthy


def test_a_file_that_must_not_change_says_that_it_has_to_be_opened_for_writing_once(old_store):
    path = old_store(1)
    before = path.read_bytes()
    with pytest.raises(StoreReadOnly, match="schema 1"):
        SqliteStore(path, read_only=True)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.backup"))


def test_a_link_that_claims_to_be_a_mention_does_not_survive(old_store, open_store, raw):
    """Schema 1 let links of any relation join two items; a mention leads to an entity."""
    old_store(1)
    raw().execute("INSERT INTO memory_links (src, dst, rel, created_at) VALUES (1, 3, 'mentions', 0)")
    store = open_store()
    with store.read() as reader:
        assert reader.mentioned_by([1]) == []
    assert list(store.check()) == []
    with store.read() as reader:
        assert reader.count(Selection(scopes=None, live_at=None, statuses=frozenset(Status))) == 7
