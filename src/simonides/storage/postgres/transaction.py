"""The transaction that a tenant is written in: begun by locking its head, in as few round trips as there are reads."""

from __future__ import annotations

import secrets
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress

import psycopg
from psycopg import Pipeline, errors

from simonides.errors import StoreError
from simonides.storage.postgres.database import Connection, WritingDatabase
from simonides.storage.postgres.errors import conflict_of
from simonides.storage.postgres.head import Head
from simonides.storage.postgres.pool import LazyPool
from simonides.storage.postgres.statements import ours, query
from simonides.storage.postgres.writer import PostgresWriter
from simonides.storage.sql.audit import GENESIS


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
        self._databases: dict[int, WritingDatabase] = {}
        #: Commits of each tenant that this process has seen.
        self._seen: dict[int, int] = {}
        self._parts: list[dict[int, Head]] = []

    @property
    def open(self) -> bool:
        return self._connection is not None

    @property
    def writer(self) -> PostgresWriter:
        """What the present transaction is written with."""
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
        self._lock(self._tenant)

    def _lock(self, tenant: int) -> WritingDatabase:
        assert self._connection is not None
        assert self._pipeline is not None
        cursor = self._connection.cursor(binary=True)
        cursor.execute(query("lock_head").text, {"tenant": tenant})
        row = cursor.fetchone()
        if row is None:
            raise StoreError(f"tenant {tenant} has no store any more; it may have been erased")
        head = Head(*row)
        known = self._writers.get(tenant)
        if known is None:
            database = WritingDatabase(self._connection, self._pipeline, tenant, head, self.part)
            aside = self._archive if tenant == self._tenant else None
            self._writers[tenant] = PostgresWriter(database, self.part, aside)
        else:
            database = known.writing
            database.renew(self._connection, self._pipeline, head)
        if self._seen.get(tenant) != head.commits:
            database.know_others(head.commits)
        self._databases[tenant] = database
        return database

    def _archive(self) -> PostgresWriter:
        """The writer of the archive, which is made when it is first needed."""
        tenant = -self._tenant
        if tenant not in self._databases:
            assert self._connection is not None
            self._connection.execute(query("make_head").text, new_head(tenant))
            self._lock(tenant)
        return self._writers[tenant]

    def commit(self) -> None:
        assert self._connection is not None
        assert self._pipeline is not None
        for database in self._databases.values():
            if database.dirty:
                database.head.commits += 1
                database.flush()
        self._connection.execute("COMMIT")
        try:
            self._pipeline.sync()
        except errors.IntegrityError as error:
            raise conflict_of(error) from error
        self._seen |= {tenant: database.head.commits for tenant, database in self._databases.items()}
        self._end()

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
        if connection is not None:
            self._connections.give(connection)

    # Parts

    def save(self) -> None:
        assert self._connection is not None
        self._connection.execute(ours(f"SAVEPOINT part_{len(self._parts)}"))
        self._parts.append({tenant: database.head.copied() for tenant, database in self._databases.items()})

    def take_back(self) -> None:
        """Take back what was written since the part was begun, and go on in it."""
        assert self._connection is not None
        self._settle()
        self._connection.execute(ours(f"ROLLBACK TO SAVEPOINT part_{len(self._parts) - 1}"))
        heads = self._parts[-1]
        for tenant in [one for one in self._databases if one not in heads]:
            del self._databases[tenant]
        for tenant, head in heads.items():
            self._databases[tenant].head = head.copied()

    def release(self) -> None:
        assert self._connection is not None
        self._parts.pop()
        self._connection.execute(ours(f"RELEASE SAVEPOINT part_{len(self._parts)}"))

    @contextmanager
    def part(self) -> Generator[None]:
        """A part of the transaction: where it raises, or breaks a rule, what was written in it is taken back."""
        self.save()
        try:
            yield
            assert self._pipeline is not None
            self._pipeline.sync()
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
        assert self._pipeline is not None
        while True:
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
