"""The SQLite store meets the port's contract."""

from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import StoreContract


class TestSqliteStore(StoreContract):
    def make_store(self, folder):
        return SqliteStore(folder / "memory.db", synchronous="NORMAL")
