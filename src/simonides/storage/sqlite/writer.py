"""Writing that SQLite alone has: savepoints, and an archive file beside the store."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol, TypeVar

import apsw

from simonides.errors import Conflict, StoreReadOnly
from simonides.storage.sql import moving
from simonides.storage.sql.writer import SqlWriter
from simonides.storage.sqlite.reader import SqliteReader
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.text import TextSearch

#: The fact that names the archive file, by its epoch.
ARCHIVE: Final = "archive"
T = TypeVar("T")


class ArchiveFile(Protocol):
    """The file that items are moved to."""

    @property
    def epoch(self) -> str:
        """The name that the store knows the file by."""
        ...

    def write(self, work: Callable[[SqliteWriter], T]) -> T:
        """Run work in a transaction; return when it is durable."""
        ...


class SqliteWriter(SqliteReader, SqlWriter):
    """Meets `ports.store.Writer` over the writing connection.

    Args:
        aside: The archive file, for writing; None where there is none, as in the archive file itself.
    """

    def __init__(
        self, connection: Connection, text: TextSearch, aside: Callable[[], ArchiveFile] | None = None
    ) -> None:
        super().__init__(connection, text)
        self._aside = aside

    @property
    def connection(self) -> Connection:
        """The connection that it writes to."""
        return self._connection

    def holders_of_name(self, name: str, scope: int, limit: int) -> list[int]:
        return self._text.holders(self._connection, name, scope, limit)

    @contextmanager
    def savepoint(self) -> Generator[None]:
        self._connection.execute("SAVEPOINT record")
        try:
            yield
        except BaseException as error:
            self.forget_caches()
            # SQLite has rolled back by itself after some errors (a full disk, an I/O error).
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK TO record")
                self._connection.execute("RELEASE record")
            if isinstance(error, apsw.ConstraintError):
                raise Conflict(f"the store does not take it ({error})") from error
            raise
        self._connection.execute("RELEASE record")

    # Moving to the archive file and back

    def set_aside(self, item_ids: Sequence[str]) -> None:
        archive = self._archive()
        # So that its absence shows.
        self._do("put_fact", name=ARCHIVE, value=archive.epoch)
        archive.write(lambda there: moving.copy(self, there, item_ids, out=True))
        moving.remove(self, item_ids, known=True)

    def bring_back(self, item_ids: Sequence[str]) -> list[str]:
        def copy(there: SqliteWriter) -> list[str]:
            held = moving.present(there.database, item_ids)
            here = moving.present(self._database, item_ids)
            wanted = [item_id for item_id in dict.fromkeys(item_ids) if item_id in held - here]
            moving.copy(there, self, wanted, out=False)
            return wanted

        return self._archive().write(copy)

    def _archive(self) -> ArchiveFile:
        if self._aside is None:
            raise StoreReadOnly("there is no archive file beside this one")
        return self._aside()
