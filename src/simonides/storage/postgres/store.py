"""The store of one tenant on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, TypeVar

import psycopg

from simonides.domain.batches import batches
from simonides.domain.scope import Scope
from simonides.errors import StoreClosed, StoreReadOnly
from simonides.ports.store import Ahead, Problem, Writer
from simonides.storage.postgres import check as checks
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.database import PostgresDatabase
from simonides.storage.postgres.errors import in_our_words
from simonides.storage.postgres.migrate import require_schema, tenant_named
from simonides.storage.postgres.nearest import describe, lacking_index, make_indexes
from simonides.storage.postgres.past import view_of_past
from simonides.storage.postgres.pool import LazyPool
from simonides.storage.postgres.reader import LastSeen, PostgresReader
from simonides.storage.postgres.transaction import PostgresTransaction
from simonides.storage.postgres.writer import PostgresWriter
from simonides.storage.sql.commit import GroupCommit
from simonides.storage.sql.moving import drop_known, present, remove
from simonides.storage.sql.purge import purge_rows
from simonides.storage.sql.statement_reader import KnownScopes
from simonides.storage.sqlite.asof import MemoryView

#: Ids that are compared at a time; meanwhile nobody else can write.
_PAGE: Final = 200
T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")


class PostgresStore:
    """Meets `ports.store.Store`. One writer of a tenant at a time, across processes; readers wait for nobody.

    Args:
        connections: Shared with the stores of other tenants; one of its own where there is none.
        archive: It is the archive of a tenant.
        compares: It compares vectors, one by one where no more than so many are in question; None where an index of the
            process does.
        holds: An index of the process does once that goes on searching, while there are few vectors.

    Raises:
        StoreError: The server cannot be used: not reached, not prepared, a later release's, no such tenant.
    """

    def __init__(
        self,
        address: PostgresAddress,
        *,
        read_only: bool = False,
        connections: LazyPool | None = None,
        archive: bool = False,
        compares: int | None = None,
        holds: bool = False,
    ) -> None:
        self._address = address
        self._read_only = read_only
        self._compares = compares
        self._holds = holds
        self._own = connections is None
        self._connections = connections or LazyPool(
            address.url,
            size=address.pool_size,
            wait_s=address.pool_timeout_s,
            lock_s=address.lock_timeout_s,
            durable=address.durable,
        )
        self._closed = False
        self._known_scopes: KnownScopes = {}
        self._last_seen = LastSeen()
        self._archive: PostgresStore | None = None
        self._is_archive = archive
        try:
            with self._words(), self._connections.lend() as connection:
                require_schema(connection, address.url)
                number = tenant_named(connection, address.url, address.tenant)
        except BaseException:
            if self._own:
                self._connections.close()
            raise
        self.tenant = -number if archive else number
        self._transaction = PostgresTransaction(self._connections, self.tenant)
        self._commit = GroupCommit(self._transaction, self._forget)

    def _words(self) -> AbstractContextManager[None]:
        return in_our_words(self._address.url)

    def _forget(self) -> None:
        self._transaction.forget_caches()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed

    def _check_writable(self) -> None:
        self._check_open()
        if self._read_only:
            raise StoreReadOnly("the store was opened for reading; open it without read_only to write")

    @property
    def read_only(self) -> bool:
        return self._read_only

    @property
    def address(self) -> PostgresAddress:
        """Its address."""
        return self._address

    # Reading

    @contextmanager
    def read(self) -> Generator[PostgresReader]:
        with self._view() as database:
            yield self._reader(database)

    @contextmanager
    def read_all(
        self, expecting: Sequence[str] = ()
    ) -> Generator[tuple[PostgresReader, PostgresReader | None]]:
        with self._view() as database:
            here, there = self._reader(database), database.of(-self.tenant)
            with database.together(there):
                head = there.rows("head")
                here.expect(expecting)
            yield here, None if next(head, None) is None else PostgresReader(there, compares=self._compares)

    def _reader(self, database: PostgresDatabase) -> PostgresReader:
        return PostgresReader(
            database, self._known_scopes, self._last_seen, compares=self._compares, holds=self._holds
        )

    @contextmanager
    def _view(self) -> Generator[PostgresDatabase]:
        self._check_open()
        with self._words(), self._connections.lend() as connection:
            yield PostgresDatabase(connection, self.tenant, self._connections.settings(self.tenant))

    def as_of(self, at: int, scopes: tuple[Scope, ...] | None) -> MemoryView:
        with self._view() as database:
            return view_of_past(
                [database, database.of(-self.tenant)], at, None if scopes is None else frozenset(scopes)
            )

    # Writing

    def write(self, work: Callable[[PostgresWriter], T]) -> T:
        self._check_writable()
        with self._words():
            return self._commit.run(lambda: work(self._transaction.writer))

    def write_together(self, handler: Callable[[Writer, list[A]], list[R]], entry: A) -> R:
        self._check_writable()
        with self._words():
            return self._commit.run_together(_Together(handler, self._transaction), None, entry)

    def purge(
        self,
        item_ids: Sequence[str],
        at: int,
        *,
        scope: str | None = None,
        actor: str = "user",
        first: Callable[[PostgresWriter], None] | None = None,
    ) -> Mapping[str, int]:
        self._check_writable()

        def work(writer: PostgresWriter) -> Mapping[str, int]:
            head = writer.writing.of(-self.tenant).rows("head")
            writer.look_ahead(Ahead(items=item_ids))
            if first is not None:
                first(writer)
            archive = None if next(head, None) is None else writer.archive
            if archive is not None:
                # With what they were when they are here again, all that they said is found and goes.
                writer.bring_back([item_id for item_id in item_ids if writer.key(item_id) is None])
                remove(archive, sorted(present(archive.database, item_ids)), known=False)
                archive.drop_moved_links(item_ids)
            there = None if archive is None else archive.database
            counts, _ = purge_rows(writer, item_ids, at, there, scope=scope, actor=actor)
            for one in (writer, archive):
                if one is not None:
                    one.writing.drop_unheld_terms()
            return counts

        return self.write(work)

    def freeing(self) -> AbstractContextManager[None]:
        return nullcontext()

    # The archive

    @property
    def archive(self) -> PostgresStore | None:
        if self._is_archive:
            return None
        if self._archive is None:
            with self._view() as database:
                there = next(database.of(-self.tenant).rows("head"), None) is not None
            if there:
                self._archive = PostgresStore(
                    self._address,
                    read_only=self._read_only,
                    connections=self._connections,
                    archive=True,
                    compares=self._compares,
                )
        return self._archive

    @property
    def archive_problem(self) -> str | None:
        return None

    def settle_archive(self, item_ids: Sequence[str] | None = None) -> int:
        self._check_writable()
        if self.archive is None:
            return 0
        pages = self._archived() if item_ids is None else batches(item_ids, _PAGE)
        return sum(
            self.write(lambda writer, page=page: drop_known(writer.archive, writer.database, page))
            for page in pages
        )

    def _archived(self) -> Iterator[list[str]]:
        after = 0
        while True:
            with self._view() as database:
                rows = database.of(-self.tenant).rows("ids_after", after=after, limit=_PAGE).fetchall()
            if not rows:
                return
            yield [row[1] for row in rows]
            after = rows[-1][0]

    # Its state

    def check(
        self, progress: Callable[[str, float], None] | None = None, *, audit_only: bool = False
    ) -> Iterator[Problem]:
        with self._view() as database:
            if audit_only:
                yield from checks.audit(database)
                return
            yield from checks.problems(database, progress)
        if self.archive is not None:
            for problem in self.archive.check():
                yield Problem(f"archive: {problem.area}", problem.message)

    def index_vectors(self) -> str | None:
        """Make the indexes of vectors that the tenant and its archive need, and wait; what compares vectors now.

        None where the store compares none.
        """
        self._check_writable()
        if self._compares is None:
            return None
        with self._view() as database:
            lacking = lacking_index(database, self._compares)
        with self._words(), self._connections.lend() as connection:
            make_indexes(connection, self.tenant, lacking)
        if self.archive is not None:
            self.archive.index_vectors()
        return self.describe()["index"]

    def describe(self) -> Mapping[str, Any]:
        with self._view() as database:
            row = database.rows("versions").get
            unnamed = database.value("count_unnamed")
            archive = None if self._is_archive else database.of(-self.tenant)
            index = None if self._compares is None else describe(database, self._compares, archive)
        names = ("server_version", "vector_version", "schema_version", "data_checksums", "row_level_security")
        told = dict(zip(names, row, strict=True))
        return {
            "backend": "postgresql",
            "tenant": self._address.tenant,
            **told,
            "psycopg_version": psycopg.__version__,
            **({} if index is None else {"index": index}),
            **({"read_only": "nothing is written"} if self._read_only else {}),
            **({"items_without_names": unnamed} if unnamed else {}),
        }

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            if self._own:
                self._connections.close()


class _Together:
    """A handler of entries that are written together, with the writer of the transaction that they are written in."""

    def __init__(
        self, handler: Callable[[Writer, list[Any]], list[Any]], transaction: PostgresTransaction
    ) -> None:
        self._handler = handler
        self._transaction = transaction

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Together) and self._handler == other._handler

    def __hash__(self) -> int:
        return hash(self._handler)

    def __call__(self, _: object, entries: list[Any]) -> list[Any]:
        return self._handler(self._transaction.writer, entries)
