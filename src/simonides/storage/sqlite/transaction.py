"""The transaction that a file is written in."""

from __future__ import annotations

from simonides.storage.sqlite.sql import Connection


class SqliteTransaction:
    """Meets `storage.sql.commit.Transaction` over the writing connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def open(self) -> bool:
        return self._connection.in_transaction

    def begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._connection.commit()

    def roll_back(self) -> None:
        self._connection.execute("ROLLBACK")

    def hear(self) -> None:
        """Nothing: each statement tells at once what went wrong with it."""

    def save(self) -> None:
        self._connection.execute("SAVEPOINT work")

    def take_back(self) -> None:
        self._connection.execute("ROLLBACK TO work")

    def release(self) -> None:
        self._connection.execute("RELEASE work")
