"""The store on one SQLite file."""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import apsw

from simonides.domain.batches import batches
from simonides.domain.scope import Scope
from simonides.errors import (
    Conflict,
    NotAStore,
    SimonidesError,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreReadOnly,
    WrongKey,
)
from simonides.ports.store import Problem, Writer
from simonides.reserve import Reserve
from simonides.storage.sql.commit import GroupCommit
from simonides.storage.sql.lineage import mark
from simonides.storage.sql.moving import drop_known, present
from simonides.storage.sql.purge_words import Traces
from simonides.storage.sql.rows import ILLEGIBLE
from simonides.storage.sql.statement_reader import KnownScopes
from simonides.storage.sqlite import backup as backups
from simonides.storage.sqlite import check as checks
from simonides.storage.sqlite import purge as purges
from simonides.storage.sqlite import sealing
from simonides.storage.sqlite.asof import KeptView, MemoryView
from simonides.storage.sqlite.cipher import unreadable
from simonides.storage.sqlite.connection import Readers, connect, in_our_words, make_private
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.migrate import bring_up_to_date
from simonides.storage.sqlite.moved import LOSING, MovedReader
from simonides.storage.sqlite.reader import SqliteReader
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.text import TextSearch
from simonides.storage.sqlite.text_index import is_former, make_anew
from simonides.storage.sqlite.transaction import SqliteTransaction
from simonides.storage.sqlite.writer import ARCHIVE, SqliteWriter

_log = logging.getLogger(__name__)
#: Ids that are compared at a time; meanwhile nobody else can write.
_PAGE: Final = 200
T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")


class SqliteStore:
    """Meets `ports.store.Store`.

    One connection writes, with group commit; others read beside it, each in its own snapshot (WAL).
    Other processes may do the same at the same time.

    Args:
        path: The file; made if it does not exist, with its folder.
        synchronous: FULL makes an answered write survive a power cut; NORMAL is faster and keeps only
            the file whole; OFF is for a file that need not outlive the process.
        read_only: Open without writing anything; for files that must not change. Where the medium cannot be
            written, a file that is there is opened so by itself.
        aside: Whether it moves items to an archive file beside it, which is made when that is first done.
        reserve: Whether room on the disk is kept for purging and forgetting.
        key: The owner's key, under which the store and its archive file are, or will be if they are made now.
        cipher: The key of their pages, likewise.
        lose: Of an archive file: told why, when something in it cannot be read. It is read as empty then.

    Raises:
        NotAStore, NewerSchema, StoreReadOnly, StoreLocked, StoreDamaged, WrongKey: The file cannot be used.
    """

    def __init__(
        self,
        path: Path,
        *,
        synchronous: str = "FULL",
        read_only: bool = False,
        aside: bool = True,
        reserve: bool = True,
        key: bytes | None = None,
        cipher: str | None = None,
        lose: Callable[[StoreError], None] | None = None,
    ) -> None:
        # The process may change its folder before the next connection is opened.
        self._path = path.absolute()
        # And a link by which it is opened may lead elsewhere by then.
        self._file = path.resolve()
        self._frozen = False
        self._synchronous = synchronous
        self._read_only = read_only
        self._key = key
        self._cipher = cipher
        self._blind = False
        self._moves = aside
        # By whatever link or from whichever folder the store is opened, its archive is one file.
        self._archive_path = archive_of(self._file)
        self._archive: SqliteStore | None = None
        self._archive_error: StoreError | None = None
        self._archive_lost_as: tuple[int, ...] = ()
        self._lose = lose
        self._opening = threading.Lock()
        self._text = TextSearch()
        self._known_scopes: KnownScopes = {}
        self._past = KeptView()
        self._reserve = Reserve(self._path)
        self._closing = threading.Lock()
        self._closed = False
        with in_our_words(path):
            try:
                self._connection = self._open(synchronous)
            except apsw.NotADBError as error:
                raise unreadable(path, cipher) from error
        self._opened_as = _which(self._file)
        #: Which store this is, and which archive file it moved items to.
        self.epoch, self._known_archive = self._facts()
        self._writer = SqliteWriter(self._connection, self._text, self._opened_archive if aside else None)
        self._commit = GroupCommit(SqliteTransaction(self._connection), self._writer.forget_caches)
        self._readers = Readers(self._connect_again)
        if reserve and not self._read_only:
            self._reserve.make()

    def _open(self, synchronous: str) -> Connection:
        if self._moves:
            self._require_not_emptied()
        _require_own_log(self._file)
        if not self._read_only:
            self._read_only = _cannot_be_written(self._file)
        if not self._read_only:
            _make_folder(self._path.parent)
            make_private(self._path)
            _let_log_be_written(self._file)
        try:
            return self._opened(self._connect(synchronous))
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError, apsw.FullError):
            if not self._read_only and self._reserve.give():
                return self._opened(self._connect(synchronous))
            if not self._read_only or not self._path.is_file():
                raise
            self._frozen = True
            return self._opened(self._connect(synchronous))

    def _require_not_emptied(self) -> None:
        """Refuse a file without a byte that held a store, or is only to be read: no new one is made in its place.

        By itself such a file is what `mktemp` makes, and what SQLite takes for a database of which nothing is written.
        """
        file = self._path.resolve()
        # What stands beside a store is made after it: a file that is empty now, and was begun first, was emptied.
        log = file.with_name(f"{file.name}-wal")
        beside = [
            one
            for one in (self._reserve.path, self._archive_path, log)
            if one.is_file() and (one != log or one.stat().st_size)
        ]
        if not file.is_file() or file.stat().st_size:
            return
        if beside:
            raise StoreDamaged(
                f"{self._path} is empty, but {beside[0].name} beside it belonged to a store: restore a backup; to "
                "begin a new one, move that file away"
            )
        if self._read_only:
            raise NotAStore(f"{self._path} is empty: there is nothing to read in it")

    def _connect(self, synchronous: str = "FULL") -> Connection:
        connection = connect(
            str(self._file),
            synchronous=synchronous,
            read_only=self._read_only,
            frozen=self._frozen,
            key=self._key,
            cipher=self._cipher,
        )
        connection.blind = self._blind
        return connection

    def _connect_again(self) -> Connection:
        self._require_in_place()  # SQLite would make an empty file where it is gone.
        return self._connect()

    def _require_in_place(self) -> None:
        """See that the file is the one that was opened: what is written to one that is gone goes with it.

        Raises:
            StoreDamaged: It was moved, removed or replaced.
        """
        if _which(self._file) != self._opened_as:
            raise StoreDamaged(
                f"{self._path} was moved, removed or replaced while it was open, and nothing is written to what is "
                "gone: put it back, or close this store and open it again"
            )

    def _opened(self, connection: Connection) -> Connection:
        try:
            bring_up_to_date(connection, self._path)
            self._blind = connection.blind
            connection.note_writes()
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def read_only(self) -> bool:
        return self._read_only

    def _facts(self) -> tuple[str, str | None]:
        with in_our_words(self._path):
            facts = dict(self._connection.execute(statement("facts")).fetchall())
        if not isinstance(epoch := facts.get("epoch"), str):
            raise StoreDamaged(f"{self._path} does not say which store it is: restore a backup")
        return epoch, facts.get(ARCHIVE)

    @property
    def path(self) -> Path | None:
        return self._path

    @contextmanager
    def read_all(self, expecting: Sequence[str] = ()) -> Generator[tuple[SqliteReader, SqliteReader | None]]:
        del expecting  # What is near is asked when it is wanted.
        archive = self.archive
        with ExitStack() as stack:
            there = None if archive is None else stack.enter_context(archive.read())
            yield stack.enter_context(self.read()), there

    @property
    def archive(self) -> SqliteStore | None:
        if not self._moves or not self._archive_stands():
            return None
        try:
            there = self._archive_path.exists() or self._known_archive is not None
            return self._opened_archive() if there else None
        except LOSING as error:
            self._lost(error)
            return None

    @property
    def archive_problem(self) -> str | None:
        if self._moves and self._archive is None and self._archive_error is None:
            _ = self.archive  # Nobody has looked yet.
        return None if self._archive_error is None else str(self._archive_error)

    def _lost(self, error: StoreError) -> None:
        if self._archive_error is None:
            self._archive_lost_as = self._archive_now()
            self._archive_error = error
            _log.warning("going on without the archive file: %s", error)

    def _archive_now(self) -> tuple[int, ...]:
        """Marks that tell one archive file from another in its place; none where there is no file."""
        try:
            state = self._archive_path.stat()
        except OSError:
            return ()
        return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns

    def _archive_stands(self, *, again: bool = False) -> bool:
        """True if the archive file was not lost; one that has changed since it was is looked at again.

        Args:
            again: Look at it again in any case.
        """
        with self._opening:
            if self._archive_error is not None and (again or self._archive_now() != self._archive_lost_as):
                former, self._archive, self._archive_error = self._archive, None, None
                if former is not None:
                    former.close()
            return self._archive_error is None

    def _opened_archive(self) -> SqliteStore:
        """The archive file, made where there never was one.

        Raises:
            StoreError: It cannot be read; it is missing; or it is another store's.
        """
        self._archive_stands()
        if self._archive_error is not None:
            raise self._archive_error
        with self._opening:
            if self._archive is None:
                self._check_open()
                if self._known_archive is not None and not self._archive_path.exists():
                    raise StoreDamaged(
                        f"{self._archive_path}, to which items were moved, is missing: put it back from a backup; "
                        "if it is gone for good, put an empty file in its place"
                    )
                archive = SqliteStore(
                    self._archive_path,
                    synchronous=self._synchronous,
                    read_only=self._read_only,
                    aside=False,
                    reserve=False,
                    key=self._key,
                    cipher=self._cipher,
                    lose=self._lost,
                )
                try:
                    archive.require_known(self._known_archive)
                except BaseException:
                    archive.close()
                    raise
                self._archive = archive
            return self._archive

    def require_known(self, epoch: str | None) -> None:
        """See that this is the archive file that a store knows, or one to which nothing was ever moved.

        Raises:
            StoreDamaged: It is another one.
        """
        with in_our_words(self._path), self._readers.lend() as connection:
            items: int = connection.execute(statement("last_item_key")).get
        if epoch not in (None, self.epoch) and items:
            raise StoreDamaged(f"{self._path} is the archive file of another store: put the right one there")

    @contextmanager
    def read(self) -> Generator[SqliteReader]:
        with self._doubting(), in_our_words(self._path), self._readers.lend() as connection:
            if self._lose is not None:
                yield MovedReader(connection, self._text, self._path, self._lose)
            else:
                yield SqliteReader(connection, self._text, self._known_scopes)

    @contextmanager
    def _doubting(self) -> Generator[None]:
        """Look for damage where code fails that relies on the file: on an index and a table that agree, say."""
        try:
            yield
        except SimonidesError:
            raise
        except ILLEGIBLE as error:
            with in_our_words(self._path), self._readers.fresh() as connection:
                problem = checks.first_problem(connection)
            if problem is None:
                raise
            raise StoreDamaged(f"{self._path} is damaged ({problem.area}: {problem.message})") from error

    def lend(self) -> AbstractContextManager[Connection]:
        """A connection for reading, in a view of its own."""
        return self._readers.lend()

    def _alone(self, work: Callable[[Connection], T]) -> T:
        """Run work on the writing connection outside of any transaction, with every writer kept out."""
        return self._commit.alone(lambda: work(self._connection))

    def write(self, work: Callable[[SqliteWriter], T]) -> T:
        self._check_open()
        with self._doubting(), in_our_words(self._path):
            return self._commit.run(lambda: work(self._writer))

    def write_together(self, handler: Callable[[Writer, list[A]], list[R]], entry: A) -> R:
        self._check_open()
        with self._doubting(), in_our_words(self._path):
            return self._commit.run_together(handler, self._writer, entry)

    def as_of(self, at: int, scopes: tuple[Scope, ...] | None) -> MemoryView:
        archive = self.archive
        with (
            self._doubting(), in_our_words(self._path), self._readers.lend() as connection, _lent(archive) as other
        ):  # fmt: skip
            what = (at, scopes, mark(SqliteDatabase(connection)), self._mark_of(other))
            view = self._past.take(what) or MemoryView.of(connection, at, scopes, other, self._lost)
            return self._past.lend(what, view)

    def _mark_of(self, archive: Connection | None) -> str | None:
        try:
            with in_our_words(self._archive_path):
                return None if archive is None else mark(SqliteDatabase(archive))
        except LOSING as error:
            self._lost(error)
            return None

    def freeing(self) -> AbstractContextManager[None]:
        self._check_open()
        return self._reserve.spent()

    def purge(
        self,
        item_ids: Sequence[str],
        at: int,
        *,
        scope: str | None = None,
        actor: str = "user",
        first: Callable[[SqliteWriter], None] | None = None,
    ) -> Mapping[str, int]:
        self._check_open()
        self._archive_stands(again=True)
        archive = self.archive
        if archive is not None:
            # With what they were when they are here again, all that they said is found and goes.
            self._bring_back_each(item_ids)
            self.settle_archive(item_ids)
        self._past.drop()
        with self._doubting(), in_our_words(self._path), _lent(archive) as other:
            self._readers.drop_idle()
            self._text.forget()
            counts, traces = self._alone(
                lambda _: purges.purge(
                    self._writer, self._connection, item_ids, at, other, scope=scope, actor=actor, first=first
                )
            )
        if archive is not None:
            archive.purge_copies(item_ids, at, traces)
        elif self._archive_error is not None and self._archive_path.exists():
            raise StoreDamaged(
                f"the items are gone from {self._path}, but may have copies in {self._archive_path}, which cannot be "
                f"read ({self._archive_error}): put back a sound one and purge again, or remove it"
            )
        return counts

    def _bring_back_each(self, item_ids: Sequence[str]) -> None:
        for item_id in dict.fromkeys(item_ids):
            self.write(partial(_bring_back, item_id=item_id))

    def purge_copies(self, item_ids: Sequence[str], at: int, traces: Traces) -> None:
        """Purge what an archive file has of these items, and wipe what it had: of any it may have had copies.

        Args:
            traces: What they said, as far as the store itself had them.
        """
        with in_our_words(self._path):
            self._readers.drop_idle()
            self._text.forget()
            self._commit.run(lambda: self._writer.drop_moved_links(item_ids))
            here = self._commit.run(lambda: sorted(present(self._writer.database, item_ids)))
            if here:
                self._alone(lambda _: purges.purge(self._writer, self._connection, here, at))
            self._alone(lambda connection: purges.purge_traces(connection, traces))

    def settle_archive(self, item_ids: Sequence[str] | None = None) -> int:
        self._check_open()
        archive = self.archive
        if archive is None:
            return 0
        with in_our_words(self._path):
            pages = archive.all_ids() if item_ids is None else batches(item_ids, _PAGE)
            return sum(self._settle(archive, page) for page in pages)

    def _settle(self, archive: SqliteStore, item_ids: Sequence[str]) -> int:
        """Drop from the archive what the store has of these; how many items that were."""

        def settle(connection: Connection) -> int:
            here = SqliteDatabase(connection)
            if not present(here, item_ids):
                return 0
            # Nothing moves while it is decided by what is committed here which copies are of no use any more.
            connection.execute("BEGIN IMMEDIATE")
            try:
                return archive.write(lambda there: drop_known(there, here, item_ids))
            finally:
                connection.execute("ROLLBACK")

        return self._alone(settle)

    def all_ids(self) -> Iterator[list[str]]:
        """The ids of all items, page by page, each in a view of its own."""
        after = 0
        while True:
            with self.lend() as connection:
                rows = connection.execute(statement("ids_after"), {"after": after, "limit": _PAGE}).fetchall()
            if not rows:
                return
            yield [row[1] for row in rows]
            after = rows[-1][0]

    def compact(self) -> bool:
        self._check_open()
        with in_our_words(self._path):
            self._readers.drop_idle()
            return self._alone(purges.compact)

    def put_under_key(self, key: bytes, at: int, states: Sequence[tuple[str, bytes]]) -> None:
        """Seal all rows with a key, and go on with the audit chain under it: from now on the store needs the key.

        It is taken for sound as it stands. Whoever else has it open has to open it anew.

        Args:
            states: Ids and row hashes of all items, those of the archive file included, which the log is to know.
        """
        self._check_open()
        with in_our_words(self._path):
            self._readers.drop_idle()
            self._alone(lambda connection: sealing.put_under_key(self._writer, connection, key, at, states))
        self._key = key

    def states(self) -> list[tuple[str, bytes]]:
        """Ids and row hashes of the items of this file."""
        with in_our_words(self._path), self._readers.lend() as connection:
            return [(item_id, digest) for item_id, digest in connection.execute(statement("states_of_items"))]

    def rebuild_fts(self, *, former: bool = False) -> None:
        self._check_open()
        with in_our_words(self._path):
            if former:
                with self._readers.lend() as connection:
                    if not is_former(connection):
                        return
            self._commit.run(lambda: make_anew(self._connection))
            # A connection remembers how the index was laid out, and would take the new one for damaged.
            self._readers.drop_idle()

    def backup(self, path: Path, progress: Callable[[float], None] | None = None) -> None:
        backups.require_free(path, self._path)
        archive = self.archive
        with in_our_words(path), self._readers.lend() as connection, _lent(archive) as other:
            self._pin(connection, other)
            if other is None:
                backups.copy(connection, path, progress)
                return
            # The store's copy comes last: where it is, all of it is.
            backups.copy(other, archive_of(path), None)
            try:
                backups.copy(connection, path, progress)
            except BaseException:
                archive_of(path).unlink(missing_ok=True)
                raise

    def _pin(self, connection: Connection, other: Connection | None) -> None:
        """Let both connections see one state in which nothing is on its way from one file to the other.

        The first read pins a snapshot: without it the copy begins anew whenever somebody commits.
        """

        def pin(writing: Connection | None) -> None:
            if writing is not None:
                writing.execute("BEGIN IMMEDIATE")
            try:
                for reading in (connection, other):
                    if reading is not None:
                        reading.execute(statement("last_item_key")).fetchall()
            finally:
                if writing is not None:
                    writing.execute("ROLLBACK")

        if other is None or self._read_only:
            pin(None)
        else:
            self._alone(pin)

    def check(
        self, progress: Callable[[str, float], None] | None = None, *, audit_only: bool = False
    ) -> Iterator[Problem]:
        if audit_only:
            with in_our_words(self._path), self._readers.lend() as connection:
                yield from checks.audit(SqliteDatabase(connection))
            return
        # A connection remembers how the text index was laid out when it last looked, and takes a later
        # layout for damage: the check has one of its own.
        with in_our_words(self._path), self._readers.fresh() as connection:
            yield from checks.problems(connection, progress)
        self._archive_stands(again=True)
        archive = self.archive
        with in_our_words(self._path), self._readers.lend() as connection, _lent(archive) as other:
            yield from checks.unlike_the_log(connection, other)
        if archive is not None:
            for problem in archive.check():
                yield Problem(f"archive: {problem.area}", problem.message)
        elif self.archive_problem is not None:
            yield Problem("archive", self.archive_problem)

    def describe(self) -> Mapping[str, Any]:
        with in_our_words(self._path), self._readers.lend() as connection:
            unnamed = connection.execute(statement("count_unnamed")).get
            return {
                "backend": "sqlite",
                "sqlite_version": apsw.sqlite_lib_version(),
                "journal_mode": connection.pragma("journal_mode"),
                "schema_version": connection.pragma("user_version"),
                **({"read_only": self._why_read_only()} if self._read_only else {}),
                **({"archive": problem} if (problem := self.archive_problem) else {}),
                **({"integrity": "under the owner's key"} if self._key is not None else {}),
                **({"encryption": connection.pragma("cipher")} if self._cipher is not None else {}),
                # Of a file of an earlier release, until `backfill` has looked through it.
                **({"items_without_names": unnamed} if unnamed else {}),
            }

    def _why_read_only(self) -> str:
        if not self._frozen:
            return "nothing is written"
        log = self._path.with_name(f"{self._path.name}-wal")
        unseen = log.exists() and log.stat().st_size > 0
        return "the medium cannot be written" + (
            "; what its write-ahead log holds is not seen" if unseen else ""
        )

    def close(self) -> None:
        with self._closing:
            if self._closed:
                return
            self._closed = True
        self._readers.close()
        self._past.drop()
        try:
            self._alone(lambda connection: connection.close())
        except apsw.Error:  # What was answered is in the log, which the next opening reads.
            _log.warning("%s could not be closed as it should be", self._path, exc_info=True)
        with self._opening:
            if self._archive is not None:
                self._archive.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed
        self._require_in_place()


def archive_of(store: Path) -> Path:
    """The archive file of a store: beside it, with its name."""
    return store.with_name(f"{store.name}.archive")


def put_files_under_key(path: Path, key: bytes, at: int, cipher: str | None = None) -> None:
    """Put a store and its archive file under a key, as they stand; what is under it already is left as it is.

    Raises:
        StoreDamaged: The doctor finds something wrong; nothing was changed.
        WrongKey: One of the files is under another key.
    """
    with ExitStack() as opened:
        stores: dict[Path, SqliteStore] = {}
        states: list[tuple[str, bytes]] = []
        # The archive file comes first: where the store is under the key, it is, too.
        for file in (archive_of(path.resolve()), path):
            if file.exists():
                store, there = _as_it_is(file, key, cipher)
                opened.callback(store.close)
                states += store.states()
                if not there:
                    stores[file] = store
        for store in stores.values():
            if (problem := next(store.check(), None)) is not None:
                raise StoreDamaged(
                    f"{store.path} is not sound ({problem.area}: {problem.message}): put right what "
                    "`simonides doctor` finds, then seal it"
                )
        for file, store in stores.items():
            store.put_under_key(key, at, states if file == path else ())


def _as_it_is(file: Path, key: bytes, cipher: str | None) -> tuple[SqliteStore, bool]:
    """A file that is not under a key yet, or is under this one, and which of the two."""
    try:
        return SqliteStore(file, aside=False, reserve=False, cipher=cipher), False
    except WrongKey:
        return SqliteStore(file, aside=False, reserve=False, key=key, cipher=cipher), True


@contextmanager
def _lent(store: SqliteStore | None) -> Generator[Connection | None]:
    if store is None:
        yield None
    else:
        with store.lend() as connection:
            yield connection


def _bring_back(tx: SqliteWriter, *, item_id: str) -> None:
    # A turn that the session holds again stays where it is, and is purged there.
    with suppress(Conflict):
        tx.bring_back([item_id])


def _which(file: Path) -> tuple[int, int] | None:
    """Marks of a file that it keeps when it is renamed; None where there is none."""
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _cannot_be_written(file: Path) -> bool:
    """True if a file is there that this user, or its medium, lets nobody write; or no log beside it."""
    effective = os.access in os.supports_effective_ids

    def writable(*places: Path) -> bool:
        return all(os.access(place, os.W_OK, effective_ids=effective) for place in places)

    return file.is_file() and not (writable(file) and (writable(file.parent) or writable(*_log_of(file))))


def _let_log_be_written(file: Path) -> None:
    """Give the log the permissions of its file, as SQLite makes it: one of when the file could be but read stays so."""
    for log in _log_of(file):
        with suppress(OSError):
            if not log.stat().st_mode & stat.S_IWUSR:
                log.chmod(stat.S_IMODE(file.stat().st_mode))


def _require_own_log(file: Path) -> None:
    """Refuse a copy beside the log of what stood in its place before: SQLite would read the one into the other.

    A copy of ours says that it has no log, and says otherwise before one is begun.

    Raises:
        StoreDamaged: There is such a log.
    """
    log, index = _log_of(file)
    try:
        if not log.stat().st_size:
            return
        with file.open("rb") as opened:
            head = opened.read(20)
    except OSError:
        return
    if head.startswith(b"SQLite format 3\0") and head[18:] == b"\1\1":
        raise StoreDamaged(
            f"{file} is a copy without a log, and {log.name} beside it belongs to what stood here before: move "
            f"{log.name} and {index.name} away to open the copy, or put back what they belong to"
        )


def _log_of(file: Path) -> tuple[Path, Path]:
    return file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreReadOnly(f"the folder {folder} cannot be made ({error}); choose another path") from error
