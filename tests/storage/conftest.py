from pathlib import Path

import apsw
import pytest

from simonides.storage.sqlite.store import SqliteStore
from simonides.storage.sqlite.text_index import add_tokenizer
from simonides.testing import FrozenClock

VERSIONS = Path(__file__).parent / "versions"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


@pytest.fixture
def open_store(path):
    """Opens stores, by default on `path`, and closes them at the end."""
    opened = []

    def open_one(where=path, **options):
        opened.append(SqliteStore(where, **({"synchronous": "NORMAL"} | options)))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store):
    return open_store()


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture
def old_store(path):
    """Makes a store as an earlier release left it, from `versions/<schema version>.sql`."""

    def make(version, where=path):
        connection = apsw.Connection(str(where))
        add_tokenizer(connection)
        connection.pragma("journal_mode", "wal")
        connection.execute((VERSIONS / f"{version}.sql").read_text("utf-8"))
        connection.close()
        return where

    return make


@pytest.fixture
def raw(path):
    """Opens the file past the store, with what its triggers and views call."""
    opened = []

    def connect(where=path):
        connection = apsw.Connection(str(where))
        connection.set_busy_timeout(1000)
        add_tokenizer(connection)
        opened.append(connection)
        return connection

    yield connect
    for connection in opened:
        connection.close()
