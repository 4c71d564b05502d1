"""Stores of earlier releases."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from simonides.errors import NewerSchema
from simonides.storage.sqlite import connection as connections
from simonides.storage.sqlite.connection import connect
from simonides.storage.sqlite.migrate import SCHEMA_VERSION, bring_up_to_date, shipped_migrations
from simonides.storage.sqlite.store import SqliteStore

NEXT = SCHEMA_VERSION + 1
MIGRATION = {NEXT: "CREATE TABLE added (x INTEGER) STRICT; INSERT INTO added VALUES (7);"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    SqliteStore(tmp_path / "memory.db").close()
    return tmp_path / "memory.db"


def test_a_store_of_an_earlier_release_is_migrated_and_copied_first(path: Path) -> None:
    connection = connect(str(path))
    bring_up_to_date(connection, path, version=NEXT, migrations=MIGRATION)
    assert connection.execute("SELECT x FROM added").get == 7
    assert connection.pragma("user_version") == NEXT
    connection.close()
    copies = list(path.parent.glob("*.backup"))
    assert len(copies) == 1
    SqliteStore(copies[0]).close()


def test_a_migration_that_fails_leaves_the_store_as_it_was(path: Path) -> None:
    connection = connect(str(path))
    with pytest.raises(Exception, match="syntax"):
        bring_up_to_date(connection, path, version=NEXT, migrations={NEXT: "CREATE TABLE half (x); BROKEN"})
    assert connection.pragma("user_version") == SCHEMA_VERSION
    assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").get == 0
    connection.close()
    SqliteStore(path).close()


def test_migrating_twice_does_nothing_the_second_time(path: Path) -> None:
    for _ in range(2):
        connection = connect(str(path))
        bring_up_to_date(connection, path, version=NEXT, migrations=MIGRATION)
        assert connection.execute("SELECT count(*) FROM added").get == 1
        connection.close()


def test_a_migrated_store_is_refused_by_the_earlier_release(path: Path) -> None:
    connection = connect(str(path))
    bring_up_to_date(connection, path, version=NEXT, migrations=MIGRATION)
    connection.close()
    with pytest.raises(NewerSchema, match="upgrade"):
        SqliteStore(path)


def test_there_is_a_migration_to_every_version_after_the_first() -> None:
    assert sorted(shipped_migrations()) == list(range(2, SCHEMA_VERSION + 1))


def test_a_migration_that_fails_leaves_no_copy_however_often_it_is_tried(path: Path) -> None:
    connection = connect(str(path))
    before = sorted(path.parent.iterdir())
    for _ in range(3):
        with pytest.raises(Exception, match="syntax"):
            bring_up_to_date(
                connection, path, version=NEXT, migrations={NEXT: "CREATE TABLE half (x); BROKEN"}
            )
    assert sorted(path.parent.iterdir()) == before
    bring_up_to_date(connection, path, version=NEXT, migrations=MIGRATION)
    connection.close()
    assert [file.name for file in path.parent.glob("*.backup*")] == [f"memory.db.v{SCHEMA_VERSION}.backup"]


def test_of_several_that_open_an_earlier_store_at_once_one_migrates_and_copies_it(
    path: Path, old_store: Callable[[int], object]
) -> None:
    path.unlink()
    old_store(3)
    begun = threading.Barrier(4)

    def opened(_: int) -> int:
        begun.wait()
        with closing(SqliteStore(path)) as store, store.lend() as connection:
            return connection.pragma("user_version")

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(opened, range(4))) == [SCHEMA_VERSION] * 4
    assert [file.name for file in path.parent.glob("*.backup*")] == ["memory.db.v3.backup"]
    with closing(connect(str(path.with_name("memory.db.v3.backup")))) as copied:
        assert copied.pragma("user_version") == 3


def test_who_finds_a_store_being_migrated_waits_for_it_longer_than_for_a_write(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_S", 0.02)
    first, second = connect(str(path)), connect(str(path))
    first.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(bring_up_to_date, second, path, version=NEXT, migrations=MIGRATION)
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        first.execute("COMMIT")
        waiting.result(60)
    assert second.execute("SELECT x FROM added").get == 7
    first.close()
    second.close()
