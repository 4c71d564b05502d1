"""Connections to one database, for all tenants of a process."""

from __future__ import annotations

import logging
import selectors
import sys
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Final, LiteralString

import psycopg
from psycopg import IsolationLevel
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGconn
from psycopg.types import TypeInfo
from psycopg.waiting import Ready, Wait
from psycopg_pool import ConnectionPool, PoolTimeout

from simonides.domain.address import shown
from simonides.errors import NotAStore, StoreClosed
from simonides.storage.postgres.database import Connection
from simonides.storage.postgres.errors import in_our_words
from simonides.storage.postgres.statements import ours
from simonides.storage.postgres.vectors import teach

#: What a statement waits for another writer, and how long one may run.
_LOCK_TIMEOUT_S: Final = 5
_STATEMENT_TIMEOUT_S: Final = 300
#: After which it is looked why there is no connection, though others may be made.
_SOON_S: Final = 1.0
#: Times after which psycopg prepares a statement by itself.
_NEVER: Final = 1 << 40
#: Windows has no poll; elsewhere, select takes no socket from number 1,024 on.
_Selector: Final = selectors.SelectSelector if sys.platform == "win32" else selectors.PollSelector


# Where nobody has set up a log, nothing is written to the terminal: what matters of it, callers are told.
logging.getLogger("psycopg").addHandler(logging.NullHandler())
#: Of every connection, whatever the environment says.
_ENCODING: Final = "UTF8"
#: How statements are written, which a role or a database may have otherwise.
AS_WRITTEN: Final[tuple[LiteralString, ...]] = (
    "standard_conforming_strings = on",
    "array_nulls = on",
    "quote_all_identifiers = off",
)
#: What else a role may have otherwise, and statements need. What is looked up for each candidate is looked up by an
#: index, however small the table is: it is read as a whole each time else, by a plan that is kept when the table has
#: grown. No plan is compiled: the plans of searches are taken for costly, and compiling one takes longer than it runs.
_NEEDED: Final[tuple[LiteralString, ...]] = (
    *AS_WRITTEN,
    "row_security = on",
    "enable_seqscan = off",
    "jit = off",
)


def connected(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection for a question or two, or for the owner; each statement is a transaction."""
    return psycopg.connect(url, autocommit=True, connect_timeout=10, client_encoding=_ENCODING)


def require_search_path(connection: psycopg.Connection[Any], url: str) -> None:
    """See that a role finds the tables, if they are where `migrate` makes them.

    Raises:
        NotAStore: It looks elsewhere.
    """
    lost, path = connection.execute(
        """SELECT to_regclass('simonides_schema') IS NULL AND to_regclass('public.simonides_schema') IS NOT NULL,
        current_setting('search_path')"""
    ).fetchone() or (False, "")
    if lost:
        raise NotAStore(
            f"the search_path of the role at {shown(url)} is {path!r:.70} and lacks `public`, where the tables are: "
            "run ALTER ROLE … RESET search_path"
        )


def _is_gone(connection: Connection) -> bool:
    """True if the server has ended a connection that nobody used; asks nobody."""
    if connection.closed:
        return True
    with _Selector() as sockets:
        sockets.register(connection.pgconn.socket, selectors.EVENT_READ)
        # It says nothing by itself but that it goes.
        return bool(sockets.select(0))


class SendingConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that sends all that it has to send before it waits for an answer alone.

    psycopg ends the sending of a pipeline once everything is handed over, though the network may have taken only a
    part of it: then client and server would wait for each other for ever.
    """

    def wait(self, gen: PQGen[Any], interval: float = 0.1, timeout: float | None = None) -> Any:
        return super().wait(_sending(gen, self.pgconn), interval, timeout)


def _sending(work: PQGen[Any], connection: PGconn) -> PQGen[Any]:
    """Some work on a connection; where it only waits for answers, the rest is sent meanwhile."""
    try:
        wanted = next(work)
        while True:
            if wanted is Wait.R and connection.flush():
                ready = yield Wait.RW
                if not ready & Ready.R:
                    continue
                ready = Ready.R
            else:
                ready = yield wanted
            wanted = work.send(ready)
    except StopIteration as end:
        return end.value


class LazyPool:
    """A pool that connects when it is first asked for a connection.

    Args:
        size: Most connections.
        wait_s: How long somebody waits for one.
        lock_s: How long a writer waits for another one of its tenant.
        durable: Whether an answered write survives a power cut.
    """

    def __init__(
        self,
        url: str,
        *,
        size: int = 10,
        wait_s: float = 30.0,
        lock_s: float = _LOCK_TIMEOUT_S,
        durable: bool = True,
    ) -> None:
        self.url = url
        self._size = size
        self._wait_s = wait_s
        self._lent = 0
        self._counting = threading.Lock()
        self._lock_s = lock_s
        self._durable = durable
        self._info: TypeInfo | None = None
        #: A pooler stands between: what holds for a session holds for nobody.
        self._pooled = False
        self._closed = False
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            min_size=0,
            max_size=size,
            timeout=wait_s,
            connection_class=SendingConnection,
            kwargs={
                "autocommit": True,
                "application_name": "simonides",
                "connect_timeout": max(2, int(wait_s)),
                "client_encoding": _ENCODING,
            },
            configure=self._configure,
            reconnect_timeout=wait_s,
            num_workers=1,
            open=False,
        )
        # Views are ended by another thread than the one that reads: whoever has what it wanted waits for nothing.
        self._ender = ThreadPoolExecutor(1, thread_name_prefix="simonides-views")
        self._opening = threading.Lock()

    def settings(self, tenant: int, *, writes: bool = False) -> tuple[LiteralString, ...]:
        """What holds for a transaction of a tenant, as statements."""
        # By SET LOCAL, not `set_config`: Citus passes on nothing else.
        lock = (ours(f"SET LOCAL lock_timeout = '{int(self._lock_s * 1000)}ms'"),) if writes else ()
        if writes and not self._durable:
            lock = (*lock, "SET LOCAL synchronous_commit = off")
        limit = ours(f"SET LOCAL statement_timeout = '{_STATEMENT_TIMEOUT_S}s'")
        needed: tuple[LiteralString, ...] = ()
        if self._pooled:
            needed = tuple(ours(f"SET LOCAL {one}") for one in _NEEDED)
        return (ours(f"SET LOCAL simonides.tenant = '{tenant}'"), limit, *lock, *needed)

    def _configure(self, connection: psycopg.Connection[Any]) -> None:
        # By itself psycopg prepares nothing. Behind a pooler, which names its own process, nobody does: the next
        # statement may reach another server's process.
        (process,) = connection.execute("SELECT pg_backend_pid()").fetchone() or (None,)
        self._pooled = process != connection.info.backend_pid
        connection.prepare_threshold = None if self._pooled else _NEVER
        if not self._pooled:
            connection.execute(ours("; ".join(f"SET {one}" for one in _NEEDED)))
        if self._info is None:
            self._info = TypeInfo.fetch(connection, "halfvec")
        if self._info is not None:
            teach(connection, self._info)

    def _opened(self) -> ConnectionPool[Connection]:
        with self._opening:
            if self._closed:
                raise StoreClosed
            if self._pool.closed:
                # One connection before the pool: it says why there is none, which a pool only tells its log.
                with (
                    in_our_words(self.url),
                    connected(self.url) as first,
                ):
                    first.isolation_level = IsolationLevel.REPEATABLE_READ
                    require_search_path(first, self.url)
                    if TypeInfo.fetch(first, "halfvec") is None:
                        raise NotAStore(
                            f"the database at {shown(self.url)} lacks the extension `vector`, or has not been "
                            "prepared; install pgvector 0.8 or later there and run `simonides migrate --db URL` "
                            "as the owner"
                        )
                self._pool.open()
        return self._pool

    def take(self) -> Connection:
        """A connection that nobody else uses."""
        pool = self._opened()
        with in_our_words(self.url):
            while _is_gone(connection := self._free(pool)):
                # The server was started anew: the pool makes another one.
                connection.close()
                pool.putconn(connection)
        self._count(1)
        return connection

    def _free(self, pool: ConnectionPool[Connection]) -> Connection:
        """A free connection of the pool.

        Raises:
            PoolTimeout: All were in use for as long as somebody waits.
            OperationalError: None is made, of which a pool tells its log alone.
        """
        soon = min(_SOON_S, self._wait_s)
        try:
            return pool.getconn(soon)
        except PoolTimeout:
            if self._lent < self._size:
                connected(self.url).close()
        try:
            return pool.getconn(self._wait_s - soon)
        except PoolTimeout as error:
            waited = f"none in {self._wait_s:g} s"
            if self._lent < self._size:
                raise psycopg.OperationalError(waited) from error
            raise PoolTimeout(waited) from error

    def _count(self, lent: int) -> None:
        with self._counting:
            self._lent += lent

    def give(self, connection: Connection, end: LiteralString = "ROLLBACK") -> None:
        """Give a connection back, whatever state it is in.

        Args:
            end: Ends a transaction that is open.
        """
        if connection.info.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN):
            with suppress(psycopg.Error):
                connection.execute(end)
            if connection.info.transaction_status is not TransactionStatus.IDLE:
                connection.close()
        self._count(-1)
        self._pool.putconn(connection)

    @contextmanager
    def lend(self) -> Generator[Connection]:
        """A connection for a view, which is ended behind the back of whoever had it."""
        connection = self.take()
        try:
            yield connection
        except psycopg.Error:
            # What was sent behind a failure was not prepared, though psycopg takes it for prepared.
            connection.close()
            raise
        finally:
            try:
                # Committed: with a transaction that is rolled back psycopg forgets all that is prepared.
                self._ender.submit(self.give, connection, "COMMIT")
            except RuntimeError:  # It was closed meanwhile.
                self.give(connection)

    def close(self) -> None:
        """Close the idle connections now, and lent ones when they come back."""
        with self._opening:
            self._closed = True
        self._ender.shutdown()
        self._pool.close()
