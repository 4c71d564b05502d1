"""The store on one SQLite file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import apsw

from simonides.domain.scope import Scope
from simonides.errors import StoreClosed, StoreReadOnly
from simonides.ports.store import Problem, Writer
from simonides.storage.sqlite import backup as backups
from simonides.storage.sqlite import check as checks
from simonides.storage.sqlite import purge as purges
from simonides.storage.sqlite.asof import MemoryView
from simonides.storage.sqlite.commit import GroupCommit
from simonides.storage.sqlite.connection import Readers, connect, in_our_words, make_private
from simonides.storage.sqlite.migrate import bring_up_to_date
from simonides.storage.sqlite.reader import SqliteReader
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement, text_index_schema
from simonides.storage.sqlite.text import TextSearch
from simonides.storage.sqlite.writer import SqliteWriter

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
            the file whole.
        read_only: Open without writing anything; for files that must not change.

    Raises:
        NotAStore, NewerSchema, StoreReadOnly, StoreLocked, StoreDamaged: The file cannot be used.
    """

    def __init__(self, path: Path, *, synchronous: str = "FULL", read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        self._text = TextSearch()
        self._closing = threading.Lock()
        self._closed = False
        with in_our_words(path):
            self._connection = self._open(synchronous)
        self._writer = SqliteWriter(self._connection, self._text)
        self._commit = GroupCommit(self._connection, self._writer.forget_caches)
        file = str(path.absolute())  # The process may change its folder before the next one is opened.
        self._readers = Readers(lambda: connect(file, read_only=read_only))

    def _open(self, synchronous: str) -> Connection:
        if not self._read_only:
            _make_folder(self._path.parent)
            make_private(self._path)
        connection = connect(str(self._path), synchronous=synchronous, read_only=self._read_only)
        try:
            bring_up_to_date(connection, self._path)
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def path(self) -> Path | None:
        return self._path

    @contextmanager
    def read(self) -> Generator[SqliteReader]:
        with in_our_words(self._path), self._readers.lend() as connection:
            yield SqliteReader(connection, self._text)

    def write(self, work: Callable[[Writer], T]) -> T:
        self._check_open()
        with in_our_words(self._path):
            return self._commit.run(lambda: work(self._writer))

    def write_together(self, handler: Callable[[Writer, list[A]], list[R]], entry: A) -> R:
        self._check_open()
        with in_our_words(self._path):
            return self._commit.run_together(handler, self._writer, entry)

    def as_of(self, at: int, scopes: tuple[Scope, ...] | None) -> MemoryView:
        with in_our_words(self._path), self._readers.lend() as connection:
            return MemoryView.of(connection, at, scopes)

    def purge(self, item_ids: Sequence[str], at: int) -> Mapping[str, int]:
        self._check_open()
        with in_our_words(self._path):
            self._readers.drop_idle()
            return self._commit.alone(lambda _: purges.purge(self._writer, self._connection, item_ids, at))

    def rebuild_fts(self) -> None:
        self._check_open()
        with in_our_words(self._path):
            self._commit.run(lambda: self._connection.execute(text_index_schema()))
            self._commit.run(lambda: self._connection.execute(statement("rebuild_text_index")))
            # A connection remembers how the index was laid out, and would take the new one for damaged.
            self._readers.drop_idle()

    def backup(self, path: Path, progress: Callable[[float], None] | None = None) -> None:
        with in_our_words(path), self._readers.lend() as connection:
            # The first read pins the snapshot: without it the copy begins anew whenever somebody commits.
            connection.execute(statement("last_item_key")).fetchall()
            backups.copy(connection, path, progress)

    def check(self, progress: Callable[[str, float], None] | None = None) -> Iterator[Problem]:
        with in_our_words(self._path), self._readers.lend() as connection:
            yield from checks.problems(connection, progress)

    def check_audit(self) -> list[Problem]:
        with in_our_words(self._path), self._readers.lend() as connection:
            return list(checks.audit(connection))

    def describe(self) -> Mapping[str, Any]:
        with in_our_words(self._path), self._readers.lend() as connection:
            unnamed = connection.execute(statement("count_unnamed")).get
            return {
                "backend": "sqlite",
                "sqlite_version": apsw.sqlite_lib_version(),
                "journal_mode": connection.pragma("journal_mode"),
                "schema_version": connection.pragma("user_version"),
                # Of a file of an earlier release, until `backfill` has looked through it.
                **({"items_without_names": unnamed} if unnamed else {}),
            }

    def close(self) -> None:
        with self._closing:
            if self._closed:
                return
            self._closed = True
        self._readers.close()
        with in_our_words(self._path):
            self._commit.alone(lambda connection: connection.close())

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreReadOnly(f"the folder {folder} cannot be made ({error}); choose another path") from error
