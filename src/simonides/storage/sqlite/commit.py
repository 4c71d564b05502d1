"""Group commit: concurrent small writes share a transaction, and each caller's answer waits for it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar, cast

from simonides.storage.sqlite.sql import Connection

T = TypeVar("T")


class _Ticket(Generic[T]):
    """One caller's work, and what became of it."""

    __slots__ = ("done", "error", "result", "work")

    def __init__(self, work: Callable[[], T]) -> None:
        self.work = work
        self.done = False
        self.result: T | None = None
        self.error: BaseException | None = None


class GroupCommit:
    """Runs work on one writing connection.

    Whoever gets the lock first leads: it runs everything that waits, commits once, and the others
    find their work done. A caller alone commits by itself, without a hand-over.

    Args:
        taken_back: Called where something that was written is taken back, before anything else is run:
            what was learnt from it no longer holds.
        most: Works in one transaction.
    """

    def __init__(
        self, connection: Connection, taken_back: Callable[[], None] = lambda: None, *, most: int = 64
    ) -> None:
        self._connection = connection
        self._taken_back = taken_back
        self._most = most
        self._waiting: deque[_Ticket[object]] = deque()
        self._lead = threading.Lock()

    def run(self, work: Callable[[], T]) -> T:
        """Run work in a transaction; return its result once that is durable, or raise its error."""
        ticket = _Ticket(work)
        self._waiting.append(cast("_Ticket[object]", ticket))
        while not ticket.done:
            with self._lead:
                if not ticket.done:
                    self._commit_waiting()
        if ticket.error is not None:
            raise ticket.error
        return cast("T", ticket.result)

    def alone(self, work: Callable[[Connection], T]) -> T:
        """Run work on the connection outside of any transaction, with every writer kept out."""
        with self._lead:
            return work(self._connection)

    def _commit_waiting(self) -> None:
        batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._most))]
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for ticket in batch:
                self._attempt(ticket, shared=len(batch) > 1)
            if any(ticket.error is None for ticket in batch):
                self._connection.execute("COMMIT")
        except BaseException as error:
            self._taken_back()
            for ticket in batch:
                ticket.error = ticket.error or error
            if not isinstance(error, Exception):
                raise
        finally:
            # SQLite has rolled back by itself after some errors (a full disk, an I/O error).
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            for ticket in batch:
                ticket.done = True

    def _attempt(self, ticket: _Ticket[object], *, shared: bool) -> None:
        """Run one work; its failure takes back only what it wrote itself."""
        if shared:
            self._connection.execute("SAVEPOINT work")
        try:
            ticket.result = ticket.work()
        except Exception as error:
            ticket.error = error
            self._taken_back()
            if shared and self._connection.in_transaction:
                self._connection.execute("ROLLBACK TO work")
            if not self._connection.in_transaction:
                raise
        if shared:
            self._connection.execute("RELEASE work")
