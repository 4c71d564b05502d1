"""Connections: opening, settings, waiting for locks, and SQLite's errors in our own words."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Final, cast

import apsw

from simonides.domain.instant import days_between
from simonides.domain.kept import keeps_texts
from simonides.domain.palace import domain_of
from simonides.domain.retention import confidence_after_use, effective_confidence, faintness, strengthened
from simonides.errors import (
    NotAStore,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
)
from simonides.storage.sqlite.cipher import unlock, unreadable
from simonides.storage.sqlite.conditions import holds_lines
from simonides.storage.sqlite.seals import SealingConnection
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.text_index import add_tokenizer

#: How long one statement waits for another process's lock.
BUSY_TIMEOUT_S: Final = 5.0
#: WAL pages after which a commit checkpoints (4 kB each: 4 MB).
CHECKPOINT_PAGES: Final = 1000
#: The WAL file is cut back to this after a checkpoint.
WAL_LIMIT_BYTES: Final = 64 * 1024 * 1024
#: How long a statement of a reader may run; in a large store the longest takes seconds.
_LONGEST_S: Final = 300.0
#: Instructions of SQLite's machine between two looks at the clock: some tenths of a second.
_LOOK_EVERY: Final = 10_000_000
_CACHE_KIB: Final = 16 * 1024
#: Of a connection that only reads: what is not in it the system mostly has, and there are as many as threads read.
_READER_CACHE_KIB: Final = 4 * 1024


def connect(
    path: str,
    *,
    synchronous: str = "FULL",
    read_only: bool = False,
    frozen: bool = False,
    links: bool = False,
    key: bytes | None = None,
    cipher: str | None = None,
) -> Connection:
    """A connection with the settings that every use of a store needs.

    Args:
        frozen: Read a file of which nothing can change, on a medium where no log can be made beside it.
        links: Statements may name other files by URI.
        key: What rows are sealed with; None for plain hashes.
        cipher: What pages are encrypted with; None where they are not.
    """
    flags = apsw.SQLITE_OPEN_NOMUTEX | (apsw.SQLITE_OPEN_URI if links else 0)
    flags |= apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    if frozen:
        path, flags = f"{Path(path).absolute().as_uri()}?immutable=1", flags | apsw.SQLITE_OPEN_URI
    connection = cast("Connection", SealingConnection(path, flags=flags, statementcachesize=200))
    if cipher is not None:
        unlock(connection, cipher)
        connection.cipher = cipher
    connection.key = key
    # What a schema was made to say cannot write into the file behind the tables, nor past the end of a page.
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    # A plan does not depend on values: where it may, SQLite prepares a statement anew each time it is given others.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.set_busy_handler(_Patience())
    for pragma in (
        f"cache_size = -{_CACHE_KIB}",
        f"synchronous = {synchronous}",
        "foreign_keys = ON",
        "secure_delete = ON",
        "temp_store = MEMORY",
        "trusted_schema = OFF",
        "cell_size_check = ON",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
        f"journal_size_limit = {WAL_LIMIT_BYTES}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    # What statements and views call. A view may call only what is declared harmless: the schema is not trusted.
    for name, function, arguments in (
        ("holds_lines", holds_lines, 2),
        ("palace_domain", _domain_of, 2),
        ("effective_confidence", _effective, 4),
        ("confidence_after_use", confidence_after_use, 2),
        ("strengthened", _strengthened, 3),
        ("faintness", _faintness, 3),
    ):
        connection.create_scalar_function(
            name, function, arguments, deterministic=True, flags=apsw.SQLITE_INNOCUOUS
        )
    add_tokenizer(connection)
    return connection


#: Asked for each item, while there are few scopes.
_domain_of: Final = keeps_texts(lru_cache(maxsize=4096)(domain_of))


def _effective(confidence: float, decay_rate: float, since: int, now: int) -> float:
    return effective_confidence(confidence, decay_rate, days_between(since, now))


def _strengthened(strength: float, since: int, now: int) -> float:
    return strengthened(strength, days_between(since, now))


def _faintness(reinforcement: float, since: int, now: int) -> float:
    return faintness(reinforcement, days_between(since, now))


def make_private(path: Path) -> None:
    """Make a missing file so that only its owner reads it: it will hold conversations in clear text."""
    with suppress(OSError):  # What cannot be made is reported by SQLite, in our words.
        # Where a link leads to a file that is missing, SQLite would make that one, for everybody to read.
        os.close(os.open(path.resolve(), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


class _Bound:
    """Stops a statement that runs away. One connection, one thread: what began last is what runs."""

    def __init__(self) -> None:
        self._since = 0.0

    def begin(self, *_: object) -> bool:
        self._since = time.monotonic()
        return True

    def over(self) -> bool:
        return time.monotonic() - self._since > _LONGEST_S


def bound(connection: Connection) -> None:
    """Let no statement of a reader run for ever, whatever a file makes of it."""
    watch = _Bound()
    connection.set_exec_trace(watch.begin)
    connection.set_progress_handler(watch.over, _LOOK_EVERY)


class _Patience:
    """A busy handler with short, uneven naps.

    SQLite's own waits up to 100 ms between tries, so that among several writers one can starve for
    seconds; short random naps are nearer to fair.
    """

    def __init__(self, longest_s: float | None = None) -> None:
        self._longest_s = longest_s
        self._since = 0.0

    def __call__(self, tries: int) -> bool:
        now = time.monotonic()
        if tries == 0:
            self._since = now
        if now - self._since > (self._longest_s or BUSY_TIMEOUT_S):
            return False
        time.sleep(random.uniform(0.0002, 0.002))
        return True


@contextmanager
def waiting_long(connection: Connection) -> Generator[None]:
    """Wait for a lock as long as another process may take to bring a store up to date."""
    connection.set_busy_handler(_Patience(_LONGEST_S))
    try:
        yield
    finally:
        connection.set_busy_handler(_Patience())


@contextmanager
def in_our_words(path: object) -> Generator[None]:
    """Turn SQLite's errors into ours, each with what to do about it."""
    try:
        yield
    except apsw.FullError as error:
        raise StoreFull(
            f"no space left for {path}; free some and try again, what did not fit was not kept"
        ) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreLocked(
            f"another process kept {path} locked for over {BUSY_TIMEOUT_S:.0f} s; try again, or end that process"
        ) from error
    except apsw.ReadOnlyError as error:
        raise StoreReadOnly(
            f"{path} cannot be written; check the permissions of the file, its -wal and -shm, and its folder"
        ) from error
    except apsw.CantOpenError as error:
        raise _cannot_open(path) from error
    except apsw.NotADBError as error:
        raise unreadable(Path(str(path)), None) from error
    # A text that is none was changed on the disk: what SQLite stores has been checked on its way in.
    except (apsw.CorruptError, UnicodeDecodeError) as error:
        raise StoreDamaged(
            f"{path} is damaged ({error}); restore a backup, or save what is readable with "
            "`simonides doctor --salvage NEW.db`"
        ) from error
    except (apsw.ConnectionClosedError, apsw.CursorClosedError) as error:
        raise StoreClosed from error
    except apsw.InterruptError as error:
        raise StoreError(f"a statement on {path} ran for over {_LONGEST_S:.0f} s and was stopped") from error
    except apsw.SQLError as error:
        if "memory_items_fts" in str(error):
            raise StoreDamaged(
                f"the text index of {path} is missing ({error}); run `simonides rebuild-fts`"
            ) from error
        raise StoreDamaged(f"{path} is not as it should be ({error}); run `simonides doctor`") from error
    except apsw.Error as error:
        raise StoreError(
            f"{path} could not be read or written ({error}); check the disk and try again"
        ) from error


def _cannot_open(path: object) -> StoreError:
    where = Path(str(path))
    if where.is_dir():
        return NotAStore(f"{where} is a folder; give the path of a file")
    if not where.parent.exists():
        return StoreReadOnly(f"the folder {where.parent} does not exist; create it or choose another path")
    return StoreReadOnly(f"{where} cannot be opened; check the permissions of the file and its folder")


class Readers:
    """Connections for reading, each used by one thread at a time and kept for the next."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def lend(self) -> Generator[Connection]:
        """A connection inside a read transaction: one consistent view."""
        with self._lock:
            if self._closed:
                raise StoreClosed
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = self._connect()
            connection.execute("PRAGMA query_only = ON")
            if connection.cipher is None:  # Pages of an encrypted file are dear to read again.
                connection.execute(f"PRAGMA cache_size = -{_READER_CACHE_KIB}")
            bound(connection)
        try:
            connection.execute("BEGIN")
            yield connection
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            with self._lock:
                if self._closed:
                    connection.close()
                else:
                    self._idle.append(connection)

    @contextmanager
    def fresh(self) -> Generator[Connection]:
        """A connection that nobody used before and nobody will use again, inside a read transaction."""
        with self._lock:
            if self._closed:
                raise StoreClosed
        connection = self._connect()
        try:
            connection.execute("PRAGMA query_only = ON; BEGIN")
            yield connection
        finally:
            connection.close()

    def drop_idle(self) -> None:
        """Close the connections that nobody uses: a checkpoint must not wait for them."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def close(self) -> None:
        """Close the idle connections now and the lent ones when they come back."""
        with self._lock:
            self._closed = True
        self.drop_idle()
