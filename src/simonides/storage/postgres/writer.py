"""Writing that PostgreSQL does otherwise: parts of a transaction, and an archive in the same database."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager

from simonides.errors import StoreReadOnly
from simonides.storage.postgres.database import WritingDatabase
from simonides.storage.postgres.reader import PostgresReader
from simonides.storage.sql import moving
from simonides.storage.sql.writer import SqlWriter


class PostgresWriter(PostgresReader, SqlWriter):
    """Meets `ports.store.Writer` within a transaction.

    Args:
        aside: Gives the writer of the archive, in the same transaction; None in the archive itself.
        parts: Begins a part of the transaction.
    """

    def __init__(
        self,
        database: WritingDatabase,
        parts: Callable[[], AbstractContextManager[None]],
        aside: Callable[[], PostgresWriter] | None = None,
    ) -> None:
        super().__init__(database)
        self._writing = database
        self._aside = aside
        self._parts = parts

    @property
    def writing(self) -> WritingDatabase:
        """The database that it writes to."""
        return self._writing

    @contextmanager
    def savepoint(self) -> Generator[None]:
        try:
            with self._parts():
                yield
        except BaseException:
            self.forget_caches()
            raise

    def set_aside(self, item_ids: Sequence[str]) -> None:
        moving.copy(self, self.archive, item_ids, out=True)
        moving.remove(self, item_ids, known=True)

    def bring_back(self, item_ids: Sequence[str]) -> list[str]:
        there = self.archive
        held = moving.present(there.database, item_ids)
        here = moving.present(self.database, item_ids)
        wanted = [item_id for item_id in dict.fromkeys(item_ids) if item_id in held - here]
        with self.savepoint():
            moving.copy(there, self, wanted, out=False)
        return wanted

    @property
    def archive(self) -> PostgresWriter:
        """The writer of the archive, in the same transaction."""
        if self._aside is None:
            raise StoreReadOnly("there is no archive beside this one")
        return self._aside()
