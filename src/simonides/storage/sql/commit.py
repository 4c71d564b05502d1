"""Group commit: concurrent small writes share a transaction, and each caller's answer waits for it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar, cast

from simonides.errors import StoreError
from simonides.tracing import span

#: Seconds after which a writer looks whether anybody leads at all.
_PATIENCE_S: Final = 1.0

_INTERRUPTED: Final = "the write was interrupted; try again"

T = TypeVar("T")
S = TypeVar("S")
A = TypeVar("A")
R = TypeVar("R")


class Transaction(Protocol):
    """The one transaction that a store writes in, over and over; used by one thread at a time."""

    @property
    def open(self) -> bool:
        """True between its beginning and its end, however it ended."""
        ...

    def begin(self) -> None: ...
    def commit(self) -> None: ...
    def roll_back(self) -> None: ...

    def hear(self) -> None:
        """Wait until everything was written; raise what went wrong with it."""
        ...

    def save(self) -> None:
        """Begin a part, which may be taken back by itself."""
        ...

    def take_back(self) -> None:
        """Take back what was written since the part was begun."""
        ...

    def release(self) -> None:
        """Let the part be one with the rest."""
        ...


class _Ticket:
    """One caller's work, and what became of it.

    Work is a function of nothing; or, where callers' work can be done in one go, a handler that they
    share, with this caller's entry.

    Attributes:
        alone: No transaction is to be open while it is done.
        leads: Its caller is the one that runs what waits.
        turn: Held until the work is done, or its caller is to lead.
    """

    __slots__ = ("alone", "done", "entry", "error", "handler", "leads", "result", "subject", "turn", "work")

    def __init__(
        self,
        work: Callable[[], object] | None,
        handler: Callable[[Any, list[Any]], list[Any]] | None = None,
        subject: object = None,
        entry: object = None,
        *,
        alone: bool = False,
    ) -> None:
        self.alone = alone
        self.leads = False
        self.turn = threading.Lock()
        self.turn.acquire()
        self.work = work
        self.handler = handler
        self.subject = subject
        self.entry = entry
        self.done = False
        self.result: object = None
        self.error: BaseException | None = None


class GroupCommit:
    """Runs work in one transaction after the other.

    Whoever comes first leads: it runs everything that waits, commits once, wakes those whose work is done, and hands
    over to the first that came meanwhile, each by a lock of its own: of one that all wait for, each would wake the
    next only after it had woken itself. A caller alone commits by itself, without a hand-over.

    An interrupt may strike anywhere, in a hand-over too. So whoever waits looks from time to time whether anybody
    works, and leads where nobody does. That two never work at once is the matter of a lock of its own.

    Args:
        taken_back: Called where something that was written is taken back, before anything else is run:
            what was learnt from it no longer holds.
        most: Works in one transaction.
        patience_s: Seconds between two looks.
    """

    def __init__(
        self,
        transaction: Transaction,
        taken_back: Callable[[], None] = lambda: None,
        *,
        most: int = 64,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._transaction = transaction
        self._taken_back = taken_back
        self._most = most
        self._waiting: deque[_Ticket] = deque()
        self._led = False
        #: Held for a moment, while the two above change together.
        self._changing = threading.Lock()
        #: Held while anybody works: of those who believe that they lead, one.
        self._working = threading.Lock()
        self._patience_s = patience_s

    def run(self, work: Callable[[], T]) -> T:
        """Run work in a transaction; return its result once that is durable, or raise its error."""
        return cast("T", self._answered(_Ticket(work)))

    def run_together(self, handler: Callable[[S, list[A]], list[R]], subject: S, entry: A) -> R:
        """Run a handler on a subject and the entries of every caller that waits with the same handler.

        It returns one result per entry. If it fails, it is run again on each entry by itself, so that
        only the caller whose entry is at fault gets the error.
        """
        return cast("R", self._answered(_Ticket(None, handler, subject, entry)))

    def _answered(self, ticket: _Ticket) -> object:
        with span("write"):
            try:
                self._wait(ticket)
                if not ticket.done:
                    with self._working:
                        if not ticket.done:
                            self._commit_waiting(ticket)
            finally:
                self._leave(ticket)
            if ticket.error is not None:
                raise ticket.error
            return ticket.result

    def alone(self, work: Callable[[], T]) -> T:
        """Run work outside of any transaction, with every writer kept out."""
        ticket = _Ticket(work, alone=True)
        try:
            self._wait(ticket)
            with self._working:
                return work()
        finally:
            self._leave(ticket)

    def _wait(self, ticket: _Ticket) -> None:
        """Return once the work is done, or its caller leads."""
        with self._changing:
            self._waiting.append(ticket)
            if not self._led:
                self._led = ticket.leads = True
        while not ticket.leads and not ticket.turn.acquire(timeout=self._patience_s):
            if self._waits_in_vain(ticket):
                return

    def _waits_in_vain(self, ticket: _Ticket) -> bool:
        """True if nobody needs to wake a caller: its work is done, or was interrupted, or it leads from now on."""
        if ticket.done or ticket.leads:
            return True
        if not self._working.acquire(blocking=False):
            return False
        try:
            with self._changing:
                if ticket in self._waiting:
                    ticket.leads = self._led = True
                elif not ticket.done:
                    ticket.error = StoreError(_INTERRUPTED)
                    ticket.done = True
            return True
        finally:
            self._working.release()

    def _leave(self, ticket: _Ticket) -> None:
        """Hand over, if the caller leads. Of one that was interrupted before its work was begun, it is not done."""
        with self._changing:
            if not ticket.done and ticket in self._waiting:
                self._waiting.remove(ticket)
            if not ticket.leads:
                return
            if self._waiting:
                self._waiting[0].leads = True
                _wake(self._waiting[0])
            else:
                self._led = False

    def _next(self, own: _Ticket) -> list[_Ticket]:
        """The works of one transaction: the leader's own, and those that came first."""
        with self._changing:
            self._waiting.remove(own)
            batch = [own]
            while self._waiting and len(batch) < self._most and not self._waiting[0].alone:
                batch.append(self._waiting.popleft())
            return batch

    def _commit_waiting(self, own: _Ticket) -> None:
        batch = self._next(own)
        try:
            if self._transaction.open:  # Whoever led before was interrupted at its end.
                self._taken_back()
                self._transaction.roll_back()
            self._transaction.begin()
            for group in _alike(batch):
                self._attempt(group, shared=len(batch) > 1)
            if any(ticket.error is None for ticket in batch):
                self._transaction.commit()
        except BaseException as error:
            self._taken_back()
            # Of an interruption only the thread that was interrupted hears as such.
            reported = error if isinstance(error, Exception) else StoreError(_INTERRUPTED)
            for ticket in batch:
                ticket.error = ticket.error or reported
            if not isinstance(error, Exception):
                raise
        finally:
            # It may have been rolled back by itself after some errors (a full disk, an I/O error).
            try:
                if self._transaction.open:
                    self._transaction.roll_back()
            finally:
                for ticket in batch:
                    ticket.done = True
                    _wake(ticket)

    def _attempt(self, group: list[_Ticket], *, shared: bool) -> None:
        """Run the work of a group; a failure takes back only what the group wrote itself."""
        if shared:
            self._transaction.save()
        failure: Exception | None = None
        try:
            _run(group)
            if shared:
                self._transaction.hear()
        except Exception as error:
            failure = group[0].error = error
            self._taken_back()
            if shared and self._transaction.open:
                self._transaction.take_back()
            if not self._transaction.open:
                raise
        if shared:
            self._transaction.release()
        if failure is not None and len(group) > 1:
            group[0].error = None
            for ticket in group:
                self._attempt([ticket], shared=True)


def _wake(ticket: _Ticket) -> None:
    with suppress(RuntimeError):  # It looked for itself, and waits no more.
        ticket.turn.release()


def _run(group: list[_Ticket]) -> None:
    first = group[0]
    if first.handler is None:
        assert first.work is not None
        first.result = first.work()
        return
    for ticket, result in zip(
        group, first.handler(first.subject, [ticket.entry for ticket in group]), strict=True
    ):
        ticket.result = result


def _alike(batch: list[_Ticket]) -> list[list[_Ticket]]:
    """The batch in its order, neighbours with the same handler together."""
    groups: list[list[_Ticket]] = []
    for ticket in batch:
        if groups and ticket.handler is not None and groups[-1][0].handler == ticket.handler:
            groups[-1].append(ticket)
        else:
            groups.append([ticket])
    return groups
