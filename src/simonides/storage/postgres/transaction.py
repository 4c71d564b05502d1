"""The transaction that a tenant is written in: begun by locking its head, in as few round trips as there are reads."""

from __future__ import annotations

import secrets
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

import psycopg
from psycopg import Pipeline, errors

from simonides.errors import SimonidesError, StoreError
from simonides.storage.postgres.database import Connection, WritingDatabase
from simonides.storage.postgres.errors import conflict_of
from simonides.storage.postgres.head import Head
from simonides.storage.postgres.pool import LazyPool
from simonides.storage.postgres.statements import ours, query
from simonides.storage.postgres.writer import PostgresWriter
from simonides.storage.sql.audit import GENESIS

#: How often a writer says that there is something to be kept up.
_NOTED_EVERY_S: Final = 60.0
#: New items after which a writer sees to it that the planner knows how large the tables are, and how many times as many
#: there are the next time.
_ANALYSED_AFTER: Final = 64
_ANALYSED_AGAIN: Final = 4


class PostgresTransaction:
    """Meets `storage.sql.commit.Transaction`: one after the other, each on whichever connection is free.

    Attributes:
        writers: Of the tenant and, once anything was moved there in this transaction, of its archive.
    """

    def __init__(self, connections: LazyPool, tenant: int) -> None:
        self._connections = connections
        self._tenant = tenant
        self._connection: Connection | None = None
        self._pipeline: Pipeline | None = None
        self._stack = ExitStack()
        self._writers: dict[int, PostgresWriter] = {}
        #: Databases of this transaction.
        self._databases: dict[int, WritingDatabase] = {}
        self._parts: list[dict[int, Head | None]] = []
        #: A part was taken back: until the transaction ends nobody knows what is prepared on the connection.
        self._unsure = False
        self._due_noted_at = -_NOTED_EVERY_S
        #: Items that were added, and how many there are when the tables are next looked at.
        self._added = 0
        self._analysed_at = _ANALYSED_AFTER

    @property
    def open(self) -> bool:
        return self._connection is not None

    @property
    def connection(self) -> Connection:
        """The connection that it is on."""
        assert self._connection is not None
        return self._connection

    @property
    def writer(self) -> PostgresWriter:
        """The writer of the present transaction."""
        return self._writers[self._tenant]

    def forget_caches(self) -> None:
        """Drop what was learnt in a transaction that was taken back."""
        for writer in self._writers.values():
            writer.forget_caches()

    def begin(self) -> None:
        self._connection = self._connections.take()
        self._pipeline = self._stack.enter_context(self._connection.pipeline())
        for setting in ("BEGIN", *self._connections.settings(self._tenant, writes=True)):
            self._connection.execute(setting)
        # On its own: on Citus the head is another server's, with other numbers.
        self._numbered = self._connection.execute("SELECT pg_current_xact_id()::text")
        self._lock(self._tenant)

    def _lock(self, tenant: int) -> None:
        """Lock a tenant's head; nothing is waited for."""
        writer = self._writers.get(tenant)
        database = WritingDatabase(self, tenant) if writer is None else writer.writing
        database.begin()
        self._databases[tenant] = database
        if self._unsure:
            database.keep_nothing()
        if writer is None:
            aside = self._archive if tenant == self._tenant else None
            self._writers[tenant] = PostgresWriter(database, self.part, aside)

    def _archive(self) -> PostgresWriter:
        """The writer of the archive, which is made when it is first needed."""
        tenant = -self._tenant
        if tenant not in self._databases:
            self.connection.execute(query("make_head").text, new_head(tenant))
            self._lock(tenant)
        return self._writers[tenant]

    def hear(self) -> None:
        assert self._pipeline is not None
        try:
            self._pipeline.sync()
        except errors.IntegrityError as error:
            raise conflict_of(error) from error

    def commit(self) -> None:
        databases = list(self._databases.values())
        # It came before the head.
        (number,) = self._numbered.fetchone() or (None,)
        assert number is not None
        for database in databases:
            if database.dirty:
                database.head.commits += 1
                database.flush()
                self._note_due(database.tenant)
        try:
            self.connection.execute("COMMIT")
            self._pipeline = None
            # Its end waits for every answer.
            self._stack.close()
        except psycopg.Error as error:
            # What the server refuses was not stored. All else may come from a connection that ended behind the COMMIT,
            # also where psycopg does not know yet that it did.
            refused = error.diag.severity_nonlocalized == "ERROR"
            if refused or not self._was_committed(number, error):
                if isinstance(error, errors.IntegrityError):
                    raise conflict_of(error) from error
                raise
        self._added += sum(database.added for database in databases)
        for database in databases:
            database.end()
        self._analyse()
        self._end()

    def _analyse(self) -> None:
        """Let the planner know of tables that were filled: autovacuum comes later than the first search."""
        if self._added >= self._analysed_at and self._connection is not None:
            self._analysed_at = self._added * _ANALYSED_AGAIN
            with suppress(psycopg.Error):  # What was written stands, and is found, if slowly.
                self._connection.execute(query("analyze").text)

    def _was_committed(self, number: str, error: psycopg.Error) -> bool:
        """True if a transaction, by the server's number, was committed, though its answer was lost: the server knows.

        Raises:
            StoreError: Nobody can tell.
        """
        # The broken one first: all that the pool has may have broken off at once.
        self.connection.close()
        self._end()
        try:
            connection = self._connections.take()
            try:
                connection.execute("BEGIN")
                for setting in self._connections.settings(self._tenant, writes=True):
                    connection.execute(setting)
                # Behind the other connection, should the server still be at work for it.
                connection.execute(query("lock_head").text, {"tenant": self._tenant})
                asked = connection.execute("SELECT pg_xact_status(%s::xid8)", (number,))
                return asked.fetchone() == ("committed",)
            finally:
                self._connections.give(connection)
        except (psycopg.Error, SimonidesError) as unknown:
            raise StoreError(
                f"the server broke off while it stored something ({error}), and cannot be asked whether it did "
                f"({unknown}); look for it before you write it again"
            ) from unknown

    def _note_due(self, tenant: int) -> None:
        """Let workers look at a tenant soon; said once in a while."""
        if tenant > 0 and time.monotonic() >= self._due_noted_at + _NOTED_EVERY_S:
            self._due_noted_at = time.monotonic()
            self.connection.execute(query("note_due").text, {"tenant": tenant})

    def roll_back(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._settle()
                self._connection.execute("ROLLBACK")
                self._settle()
            self._end()

    def _end(self) -> None:
        connection, self._connection, self._pipeline = self._connection, None, None
        self._databases.clear()
        self._parts.clear()
        with suppress(psycopg.Error):
            self._stack.close()
        self._unsure = False
        if connection is not None:
            self._connections.give(connection)

    # Parts

    def save(self) -> None:
        self.connection.execute(ours(f"SAVEPOINT part_{len(self._parts)}"))
        self._parts.append({tenant: database.saved() for tenant, database in self._databases.items()})

    def take_back(self) -> None:
        """Take back what was written since the part was begun, and go on in it."""
        self._settle()
        self._unsure = True
        for database in self._databases.values():
            database.keep_nothing()
        self.connection.execute(ours(f"ROLLBACK TO SAVEPOINT part_{len(self._parts) - 1}"))
        heads = self._parts[-1]
        for tenant in [one for one in self._databases if one not in heads]:
            del self._databases[tenant]
        for tenant, head in heads.items():
            self._databases[tenant].take_back(head)

    def release(self) -> None:
        self._parts.pop()
        self.connection.execute(ours(f"RELEASE SAVEPOINT part_{len(self._parts)}"))

    @contextmanager
    def part(self) -> Generator[None]:
        """A part of the transaction: where it raises, or breaks a rule, what was written in it is taken back."""
        self.save()
        try:
            yield
            self.hear()
        except BaseException as error:
            if self.open:
                self.take_back()
                self.release()
            if isinstance(error, errors.IntegrityError):
                raise conflict_of(error) from error
            raise
        self.release()

    def _settle(self) -> None:
        """Hear all that the server has to say, errors too, so that it listens again."""
        assert self._connection is not None
        while self._pipeline is not None:
            try:
                self._pipeline.sync()
            except psycopg.Error:
                if self._connection.closed:
                    raise
            else:
                return


def new_head(tenant: int) -> dict[str, object]:
    """The values of `make_head` for a tenant that has nothing yet."""
    return {
        "tenant": tenant,
        "epoch": secrets.token_hex(8),
        "audit_key": secrets.token_bytes(32),
        "audit_head": bytes(8) + GENESIS,
    }
