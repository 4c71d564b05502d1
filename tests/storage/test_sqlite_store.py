"""The SQLite store meets the port's contract."""

from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import FileStoreContract, StoreContract


class TestSqliteStore(StoreContract, FileStoreContract):
    def make_store(self, folder):
        return SqliteStore(folder / "memory.db", synchronous="NORMAL")
