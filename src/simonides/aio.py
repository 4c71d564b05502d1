"""AsyncMemory: the same surface over worker threads."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Final, Generic, ParamSpec, Self, TypeVar, Unpack

from simonides.compose import Options, known
from simonides.config import Settings
from simonides.domain.cancelled import cancelled_by
from simonides.errors import StoreClosed
from simonides.memory import Memory
from simonides.parts.audit import Audit
from simonides.parts.documents import Documents
from simonides.parts.entities import Entities
from simonides.parts.palace import Palace
from simonides.parts.records import Records
from simonides.parts.review import Review
from simonides.parts.runs import Runs
from simonides.parts.schedule import Schedule, SchedulerLease
from simonides.parts.sessions import Sessions

S = TypeVar("S")
R = TypeVar("R")
P = ParamSpec("P")

#: Calls that run at once. Writers that wait in threads share a commit, so more of them cost little.
_THREADS: Final = 32
#: Records that one hop to a thread brings.
_PAGE: Final = 64


class _Threaded(Generic[S]):
    """Something synchronous whose methods are called in threads."""

    def __init__(self, sync: S | None, threads: ThreadPoolExecutor) -> None:
        self._sync: S | None = sync
        self._threads = threads

    @property
    def _opened(self) -> S:
        if self._sync is None:
            raise StoreClosed("the memory is not open; use `async with` or `await AsyncMemory.open(path)`")
        return self._sync

    async def in_thread(self, work: Callable[[S], R]) -> R:
        """Several calls in one hop: the outcome of `work`, which gets the synchronous side in a thread.

        Cancelled while it runs, it runs on to its end, unheard; upkeep, which works in steps, ends before the next one.
        """
        sync, context, cancelled = self._opened, copy_context(), threading.Event()
        cancelled_by(context, cancelled.is_set)
        try:
            under_way = asyncio.get_running_loop().run_in_executor(
                self._threads, lambda: context.run(work, sync)
            )
        except RuntimeError as error:  # The threads take no work once they were shut down.
            raise StoreClosed from error
        try:
            return await under_way
        except asyncio.CancelledError:
            cancelled.set()
            raise


def _threaded(
    method: Callable[Concatenate[S, P], R],
) -> Callable[Concatenate[_Threaded[S], P], Coroutine[Any, Any, R]]:
    """The method as a coroutine, with its name, signature and docstring."""

    @functools.wraps(method)
    async def call(self: _Threaded[S], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self.in_thread(lambda sync: method(sync, *args, **kwargs))

    return call


def _streamed(
    method: Callable[Concatenate[S, P], Iterator[R]],
) -> Callable[Concatenate[_Threaded[S], P], AsyncGenerator[R, None]]:
    """The method, which gives an iterator, as an asynchronous generator."""

    @functools.wraps(method)
    async def stream(self: _Threaded[S], /, *args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[R, None]:
        records = await self.in_thread(lambda sync: method(sync, *args, **kwargs))
        # A cancelled reader leaves a thread in the midst of a page; closing has to wait for it.
        turn = threading.Lock()

        def page(_: S) -> list[R]:
            with turn:
                return list(islice(records, _PAGE))

        def close(_: S) -> None:
            with turn:
                getattr(records, "close", lambda: None)()

        try:
            while records_read := await self.in_thread(page):
                for record in records_read:
                    yield record
        finally:
            with suppress(StoreClosed):  # The store took the reader's connection back when it closed.
                await self.in_thread(close)

    return stream


class AsyncPalace(_Threaded[Palace]):
    """`Palace`, awaited."""

    list = _threaded(Palace.list)
    rooms = _threaded(Palace.rooms)
    shelves = _threaded(Palace.shelves)
    get = _threaded(Palace.get)
    assign = _threaded(Palace.assign)
    where = _threaded(Palace.where)


class AsyncEntities(_Threaded[Entities]):
    """`Entities`, awaited."""

    list = _threaded(Entities.list)
    get = _threaded(Entities.get)
    alike = _threaded(Entities.alike)
    merge = _threaded(Entities.merge)
    unmerge = _threaded(Entities.unmerge)
    alias = _threaded(Entities.alias)
    rename = _threaded(Entities.rename)
    retype = _threaded(Entities.retype)


class AsyncRecords(_Threaded[Records]):
    """`Records`, awaited."""

    put = _threaded(Records.put)
    put_many = _threaded(Records.put_many)
    redacted = _threaded(Records.redacted)
    get = _threaded(Records.get)
    list = _threaded(Records.list)
    search = _threaded(Records.search)
    delete = _threaded(Records.delete)
    history = _threaded(Records.history)
    spaces = _threaded(Records.spaces)
    sweep = _threaded(Records.sweep)
    purge = _threaded(Records.purge)


class AsyncDocuments(_Threaded[Documents]):
    """`Documents`, awaited."""

    put = _threaded(Documents.put)
    get = _threaded(Documents.get)
    chunks = _threaded(Documents.chunks)
    list = _threaded(Documents.list)
    delete = _threaded(Documents.delete)
    purge = _threaded(Documents.purge)
    history = _threaded(Documents.history)
    corpora = _threaded(Documents.corpora)
    corpus = _threaded(Documents.corpus)
    compare = _threaded(Documents.compare)
    relate = _threaded(Documents.relate)
    ingest = _threaded(Documents.ingest)


class AsyncReview(_Threaded[Review]):
    """`Review`, awaited."""

    list = _threaded(Review.list)
    show = _threaded(Review.show)
    rollback = _threaded(Review.rollback)
    contradictions = _threaded(Review.contradictions)
    ask = _threaded(Review.ask)
    approve = _threaded(Review.approve)
    reject = _threaded(Review.reject)
    reopen = _threaded(Review.reopen)


class AsyncRuns(_Threaded[Runs]):
    """`Runs`, awaited."""

    list = _threaded(Runs.list)
    show = _threaded(Runs.show)
    jobs = _threaded(Runs.jobs)


class AsyncSchedule(_Threaded[Schedule]):
    """`Schedule`, awaited; `lease` and `stop` do not wait."""

    list = _threaded(Schedule.list)
    due = _threaded(Schedule.due)
    find = _threaded(Schedule.find)
    wait_s = _threaded(Schedule.wait_s)

    def lease(self) -> SchedulerLease:
        """Lease of the scheduler; its methods block."""
        return self._opened.lease()

    def seat(self) -> SchedulerLease:
        """Former name of `lease`."""
        return self._opened.seat()

    def local(self, at: int) -> datetime:
        """An instant on the clock that the hours are read from."""
        return self._opened.local(at)

    def stop(self) -> None:
        """Let the run that is under way end after its step."""
        self._opened.stop()


class AsyncSessions(_Threaded[Sessions]):
    """`Sessions`, awaited."""

    list = _threaded(Sessions.list)
    get = _threaded(Sessions.get)
    waiting = _threaded(Sessions.waiting)
    end = _threaded(Sessions.end)
    end_silent = _threaded(Sessions.end_silent)


class AsyncAudit(_Threaded[Audit]):
    """`Audit`, awaited."""

    events = _threaded(Audit.events)
    verify = _threaded(Audit.verify)
    record = _threaded(Audit.record)


class AsyncMemory(_Threaded[Memory]):
    """`Memory` for programs that run on asyncio: every method is awaited and works in a thread.

    ::

        async with AsyncMemory("memory.db") as memory:
            await memory.add("We ship on Fridays.")
            async for record in memory.export():
                ...

    Takes the arguments of `Memory`. The file is opened, in a thread too, by `async with` or `open`.
    A `progress` is called in the thread.

    Guarantees:
        A call whose task is cancelled is either never begun or runs to its end; `close` waits for it.
    """

    def __init__(self, path: str | Path | None = None, **options: Unpack[Options]) -> None:
        super().__init__(None, ThreadPoolExecutor(_THREADS, "simonides-async"))
        self._make = functools.partial(Memory, path, **known(options))

    @classmethod
    async def open(cls, path: str | Path | None = None, **options: Unpack[Options]) -> Self:
        """Open a memory without blocking the loop; whoever opens it this way closes it.

        Raises:
            StoreError: The file cannot be used; the message says why and what helps.
            InvalidSettings: A setting is unknown or out of range.
        """
        memory = cls(path, **options)
        return await memory.__aenter__()

    # Writing

    add = _threaded(Memory.add)
    propose = _threaded(Memory.propose)
    admit = _threaded(Memory.admit)
    extract = _threaded(Memory.extract)

    # Reading

    search = _threaded(Memory.search)
    context = _threaded(Memory.context)
    core_profile = _threaded(Memory.core_profile)
    mark_used = _threaded(Memory.mark_used)
    get = _threaded(Memory.get)
    list = _threaded(Memory.list)
    page = _threaded(Memory.page)
    resolve = _threaded(Memory.resolve)
    meant = _threaded(Memory.meant)
    history = _threaded(Memory.history)
    graph = _threaded(Memory.graph)
    timeline = _threaded(Memory.timeline)
    explain = _threaded(Memory.explain)
    weak = _threaded(Memory.weak)
    why = _threaded(Memory.why)
    injections = _threaded(Memory.injections)
    stats = _threaded(Memory.stats)
    growth = _threaded(Memory.growth)

    # Changing

    update = _threaded(Memory.update)
    correct = _threaded(Memory.correct)
    forget = _threaded(Memory.forget)
    derived = _threaded(Memory.derived)
    restore = _threaded(Memory.restore)
    confirm = _threaded(Memory.confirm)
    reinforce = _threaded(Memory.reinforce)
    demote = _threaded(Memory.demote)
    link = _threaded(Memory.link)
    purge = _threaded(Memory.purge)

    # Upkeep

    maintain = _threaded(Memory.maintain)
    consolidate = _threaded(Memory.consolidate)
    undo = _threaded(Memory.undo)

    # Keeping

    backfill = _threaded(Memory.backfill)
    rebuild_fts = _threaded(Memory.rebuild_fts)
    reindex = _threaded(Memory.reindex)
    backup = _threaded(Memory.backup)
    doctor = _threaded(Memory.doctor)
    export = _streamed(Memory.export)
    export_to = _threaded(Memory.export_to)
    load = _threaded(Memory.load)
    import_from = _threaded(Memory.import_from)
    flush = _threaded(Memory.flush)

    async def close(self) -> None:
        """Finish what is under way and let go of the file. Closing twice is fine."""
        await asyncio.to_thread(self._finish)

    def _finish(self) -> None:
        self._threads.shutdown()
        if self._sync is not None:
            self._sync.close()

    async def __aenter__(self) -> Self:
        if self._sync is None:
            try:
                opening = self._threads.submit(self._make)
            except RuntimeError as error:
                raise StoreClosed from error
            try:
                self._sync = await asyncio.wrap_future(opening)
            except asyncio.CancelledError:
                opening.add_done_callback(_close_unwanted)
                raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    # Parts

    @property
    def palace(self) -> AsyncPalace:
        """The browsing hierarchy: domains, rooms, shelves, cards."""
        return AsyncPalace(self._opened.palace, self._threads)

    @property
    def entities(self) -> AsyncEntities:
        """The people, projects, places and things that items mention."""
        return AsyncEntities(self._opened.entities, self._threads)

    @property
    def records(self) -> AsyncRecords:
        """JSON values that programs keep under keys."""
        return AsyncRecords(self._opened.records, self._threads)

    @property
    def documents(self) -> AsyncDocuments:
        """Files in corpora, cut into chunks that searches find."""
        return AsyncDocuments(self._opened.documents, self._threads)

    @property
    def review(self) -> AsyncReview:
        """Quarantined items that wait for a decision."""
        return AsyncReview(self._opened.review, self._threads)

    @property
    def runs(self) -> AsyncRuns:
        """Runs of upkeep."""
        return AsyncRuns(self._opened.runs, self._threads)

    @property
    def schedule(self) -> AsyncSchedule:
        """The schedule of upkeep."""
        return AsyncSchedule(self._opened.schedule, self._threads)

    @property
    def sessions(self) -> AsyncSessions:
        """Conversations."""
        return AsyncSessions(self._opened.sessions, self._threads)

    @property
    def audit(self) -> AsyncAudit:
        """The log of every change."""
        return AsyncAudit(self._opened.audit, self._threads)

    @property
    def settings(self) -> Settings:
        """The settings that hold."""
        return self._opened.settings

    @property
    def local(self) -> bool:
        """True if no search and no write asks a server: embedder, reranker and auditor work in this process."""
        return self._opened.local

    @property
    def path(self) -> Path | None:
        """The file; None where the store is none."""
        return self._opened.path


def _close_unwanted(opening: Future[Memory]) -> None:
    """Let go of a memory that was opened for a task which is gone by now."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()
