"""The server's own state, in a file beside the store: keys, what they used up, and which requests were carried out.

It is not in the store: a backup that is put back must not bring revoked keys back, an export must hold none, and the
same file serves a store that is no file. It never holds a key itself or a text of a memory.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import apsw

from simonides.domain.instant import LAST, SECOND_US, iso
from simonides.domain.scope import Scope
from simonides.domain.written import Written
from simonides.edges.http.tokens import KEY_BYTES, PREFIX, Credential, Role
from simonides.edges.server.holders import has_ended, this_process
from simonides.errors import (
    Conflict,
    InvalidInput,
    NewerSchema,
    NotAStore,
    NotFound,
    StoreError,
    StoreFull,
    StoreReadOnly,
)
from simonides.reserve import Reserve
from simonides.texts import redacted
from simonides.values import dataclass

_APPLICATION_ID: Final = 0x536D6E4B
#: Steps from an empty file on; what a step made is never taken back.
_STEPS: Final = (
    """
CREATE TABLE server_keys (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    hash       BLOB NOT NULL UNIQUE,
    scope      TEXT NOT NULL,
    narrows    INTEGER NOT NULL CHECK (narrows IN (0, 1)),
    role       TEXT NOT NULL CHECK (role IN ('reader', 'writer', 'reviewer', 'admin')),
    rate       INTEGER CHECK (rate > 0),
    quota      INTEGER CHECK (quota > 0),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;
-- Requests of a key on a day, counted in days since 1970 in UTC.
CREATE TABLE server_days (
    key_id   TEXT NOT NULL REFERENCES server_keys (id),
    day      INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;
-- Requests that name themselves. `answer` is null until they have been carried out, `at` is the last word of them.
CREATE TABLE server_requests (
    name   BLOB PRIMARY KEY,
    hash   BLOB NOT NULL,
    at     INTEGER NOT NULL,
    answer TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX server_requests_at ON server_requests (at);
""",
    """
-- Requests that a key may send at once, as many as there were at an instant; they become more evenly.
CREATE TABLE server_rates (
    key_id TEXT PRIMARY KEY,
    level  REAL NOT NULL,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
""",
    """
-- Operations that go on behind their requests. `answer` and `problem` are JSON.
CREATE TABLE server_operations (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    scope      TEXT NOT NULL,
    actor      TEXT NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'cancelled', 'interrupted')),
    stage      TEXT,
    done       INTEGER,
    total      INTEGER,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    answer     TEXT,
    problem    TEXT,
    cancel     INTEGER NOT NULL DEFAULT 0 CHECK (cancel IN (0, 1)),
    holder     TEXT NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX server_operations_started ON server_operations (started_at);
""",
    """
-- The process that carries a request out; null of one that has an answer.
ALTER TABLE server_requests ADD COLUMN holder TEXT;
""",
    """
-- Whose memory a key is for, and an operation works on; null for the server's own.
ALTER TABLE server_keys ADD COLUMN tenant TEXT;
ALTER TABLE server_operations ADD COLUMN tenant TEXT;
""",
)
_BUSY_MS: Final = 5000
#: With less the index of the log cannot be made.
_LITTLE_BYTES: Final = 64 * 1024
_DAY_S: Final = 86_400
_KEYS: Final = """SELECT id, name, scope, narrows, role, rate, quota, created_at, expires_at, revoked_at, tenant
FROM server_keys"""
#: How long a request is known again.
KNOWN_S: Final = _DAY_S
#: How long an operation is told of after its end.
TOLD_S: Final = 7 * _DAY_S
_LEVEL: Final = "SELECT level, at FROM server_rates WHERE key_id = ?"
_MOST_CHARS: Final = 80
_MOST_REQUESTS: Final = 1_000_000_000
#: Requests that this process carries out now, by the file that they are noted in. One that is noted there as this
#: process's and is not among them ended without a word: the file could not be written.
_UNDER_WAY: Final[set[tuple[Path, bytes]]] = set()
#: Requests that were refused and changed nothing, which could not be noted: the file could not be written.
_REFUSED: Final[set[tuple[Path, bytes]]] = set()


@dataclass(frozen=True, slots=True)
class Key(Written):
    """A key, without what its holder shows.

    Attributes:
        rate: Requests a minute; None for any number.
        quota: Requests a day, in UTC; None for any number.
        expires_at, revoked_at: Instants; None for never.
        tenant: Whose memory it is for; None for the server's own.
    """

    id: str
    name: str
    scope: Scope
    narrows: bool
    role: Role
    rate: int | None
    quota: int | None
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    tenant: str | None

    def works(self, at: int) -> bool:
        """True if it lets its holder in at an instant."""
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)


@dataclass(frozen=True, slots=True)
class OperationState:
    """An operation that goes on behind its request, as it stands.

    Attributes:
        scope: Where it works; `*` for the whole store.
        stage, done, total: What is done, how much of it, of how much; None where it does not tell.
        answer, problem: How it ended, as JSON.
        cancel: Whether it was asked to leave off.
        holder: The process that carries it out.
        seen_at: When that last said so.
        tenant: Whose memory it works on; None for the server's own.
    """

    id: str
    name: str
    scope: str
    actor: str
    status: str
    stage: str | None
    done: int | None
    total: int | None
    started_at: int
    ended_at: int | None
    answer: str | None
    problem: str | None
    cancel: int
    holder: str
    seen_at: int
    tenant: str | None

    def to_dict(self) -> dict[str, Any]:
        """JSON with ISO times."""
        progress = {"stage": self.stage, "done": self.done, "total": self.total}
        return {
            "id": self.id,
            "name": self.name,
            "scope": self.scope,
            "actor": self.actor,
            "status": self.status,
            "progress": None if self.stage is None else progress,
            "started_at": iso(self.started_at),
            "ended_at": None if self.ended_at is None else iso(self.ended_at),
            "answer": None if self.answer is None else json.loads(self.answer),
            "problem": None if self.problem is None else json.loads(self.problem),
        }


@dataclass(frozen=True, slots=True)
class RequestName:
    """Name that a request gives itself.

    Attributes:
        whose: Whose names these are.
        named: As its sender calls it.
        asks: All that it asks for, by which it is told from another of the same name.
    """

    whose: str
    named: str
    asks: bytes

    @property
    def key(self) -> bytes:
        """Its name in the file."""
        return _hash(f"{self.whose}\0{self.named}")

    @property
    def digest(self) -> bytes:
        """A digest of all that it asks for."""
        return hashlib.sha256(self.asks).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """Rights of a key that is to be made."""

    name: str
    scope: Scope
    role: Role
    narrows: bool = False
    rate: int | None = None
    quota: int | None = None
    expires_at: int | None = None
    tenant: str | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """State of a request that names itself.

    Attributes:
        before: It was sent before.
        answer: What is kept of its answer; None where there is none.
        under_way: It is being carried out, here or by another process.
    """

    before: bool = False
    answer: Any = None
    under_way: bool = False


class ServerState:
    """The state of a server. Safe to use from several threads and processes.

    Args:
        path: Its file, made if there is none; only its owner reads it.
        clock: Seconds since 1970.
        reserve: Room that may be used on a full disk to open the file, to revoke keys, and for what `make_room` was
            called for; None for none.

    Raises:
        StoreError: The file cannot be used.
    """

    def __init__(
        self, path: Path, clock: Callable[[], float] = time.time, reserve: Reserve | None = None
    ) -> None:
        self._clock = clock
        self._path = path.absolute()
        self._reserve = reserve
        self._lock = threading.Lock()
        #: Requests of a key on a day, and what it may send at once since when, that the file had no room for.
        self._uncounted: Counter[tuple[str, int]] = Counter()
        self._levels: dict[str, tuple[float, int]] = {}
        self._connection: Any = self._opened()
        #: What is only counted need not outlast a power failure, and waits for no disk.
        self._counting: Any = apsw.Connection(str(path))
        self._counting.set_busy_timeout(_BUSY_MS)
        self._counting.execute("PRAGMA synchronous = NORMAL")

    def _opened(self) -> Any:
        try:
            try:
                return self._made()
            except (apsw.CantOpenError, apsw.FullError, apsw.IOError):
                if not self.make_room():
                    raise
                return self._made()
        except apsw.FullError as error:
            raise self._full() from error
        except (OSError, apsw.CantOpenError, apsw.IOError, apsw.ReadOnlyError) as error:
            folder = self._path.parent
            if folder.is_dir() and shutil.disk_usage(folder).free < _LITTLE_BYTES:
                raise self._full() from error
            raise StoreReadOnly(
                f"the server's own file {self._path} cannot be written ({error}); check its folder"
            ) from error
        except (apsw.NotADBError, apsw.CorruptError) as error:
            raise NotAStore(
                f"{self._path} is not the server's own file; move it away, and keys can be made anew"
            ) from error

    def _made(self) -> Any:
        with suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection: Any = apsw.Connection(str(self._path))
        try:
            connection.set_busy_timeout(_BUSY_MS)
            _version(
                connection, self._path
            )  # Before anything is written: another program's is left as it is.
            for pragma in ("secure_delete = ON", "journal_mode = wal", "synchronous = FULL"):
                connection.execute(f"PRAGMA {pragma}")
            _make(connection, self._path)
        except BaseException:
            connection.close()
            raise
        return connection

    def make_room(self) -> bool:
        """Have a little room for what frees some, or shuts somebody out, on a full disk; whether some was given up."""
        return self._reserve is not None and self._reserve.give()

    @staticmethod
    def beside(store: Path) -> Path:
        """Path of the state of a server of a store."""
        return store.with_suffix(".server")

    def close(self) -> None:
        """Let go of the file."""
        self._counting.close()
        self._connection.close()

    # Keys

    def create(self, wanted: NewKey) -> tuple[Key, str]:
        """A new key, and what its holder shows: it is told this once, and kept nowhere.

        Raises:
            InvalidInput: Its name is no short text on one line or holds a secret, it would have expired already, or
                would after the year 9999, or its rate or quota is no number of requests.
        """
        name = wanted.name.strip()
        if not name or len(name) > _MOST_CHARS or not name.isprintable():
            raise InvalidInput(
                f"a key has a name of at most {_MOST_CHARS} characters on one line, to know it again"
            )
        if redacted(name) != name:  # It stands in the log of all that the key does.
            raise InvalidInput("the name of a key holds a secret; give it another")
        for what, allowed in (("rate", wanted.rate), ("quota", wanted.quota)):
            if allowed is not None and not 1 <= allowed <= _MOST_REQUESTS:
                raise InvalidInput(f"the {what} of a key lies in [1, {_MOST_REQUESTS}], got {allowed}")
        at = self._now()
        if wanted.expires_at is not None and wanted.expires_at > LAST:
            raise InvalidInput("the key would expire after the year 9999; let it have no end")
        if wanted.expires_at is not None and wanted.expires_at <= at:
            raise InvalidInput(f"the key would have expired at {iso(wanted.expires_at)}; name a later time")
        key_id, token = secrets.token_hex(4), f"{PREFIX}{secrets.token_urlsafe(KEY_BYTES)}"
        self._do(
            "INSERT INTO server_keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",
            (
                *(key_id, name, _hash(token), str(wanted.scope), int(wanted.narrows), wanted.role.value),
                *(wanted.rate, wanted.quota, at, wanted.expires_at, wanted.tenant),
            ),
        )
        [key] = [one for one in self.keys() if one.id == key_id]
        return key, token

    def keys(self) -> list[Key]:
        """Every key, the oldest first, revoked ones included."""
        return [_key(row) for row in self._do(f"{_KEYS} ORDER BY created_at, id")]

    def revoke(self, named: str) -> Key:
        """Let a key in no more, from this instant on; on a full disk, too.

        Args:
            named: Its id or its name.

        Raises:
            NotFound: There is no such key.
            Conflict: Several have this name.
        """
        keys = [key for key in self.keys() if named in (key.id, key.name) and key.revoked_at is None]
        if not keys:
            raise NotFound(
                f"there is no key {named[:_MOST_CHARS]!r} that works; `simonides keys list` tells which do"
            )
        if len(keys) > 1:
            ids = ", ".join(key.id for key in keys)
            raise Conflict(f"several keys are called {named!r}; name one by its id: {ids}")
        self.make_room()
        self._do("UPDATE server_keys SET revoked_at = ? WHERE id = ?", (self._now(), keys[0].id))
        return next(key for key in self.keys() if key.id == keys[0].id)

    def find(self, token: str) -> Credential | None:
        """The rights of whoever shows a token; None where it is no key, or one that works no more."""
        if not token.startswith(PREFIX):
            return None
        # What is compared is a hash: how long that takes tells nothing about a key.
        rows = self._do(f"{_KEYS} WHERE hash = ?", (_hash(token),))
        if not rows or not (key := _key(rows[0])).works(self._now()):
            return None
        return Credential(
            key.scope,
            key.narrows,
            token,
            key.role,
            key=key.id,
            label=key.name,
            rate=key.rate,
            quota=key.quota,
            tenant=key.tenant,
        )

    def works(self, key_id: str) -> bool:
        """True if a key still lets its holder in."""
        rows = self._do(f"{_KEYS} WHERE id = ?", (key_id,))
        return bool(rows) and _key(rows[0]).works(self._now())

    def used_today(self, key_id: str) -> int:
        """Count a request of a key; how many there were today, this one included.

        On a full disk this process alone counts it, until its end.
        """
        day = int(self._clock() // _DAY_S)
        try:
            with self._writing(self._counting) as counting:
                [used] = counting.execute(
                    """INSERT INTO server_days VALUES (?, ?, 1)
                    ON CONFLICT (key_id, day) DO UPDATE SET requests = requests + 1 RETURNING requests""",
                    (key_id, day),
                ).fetchone()
                if used == 1:
                    counting.execute(
                        "DELETE FROM server_days WHERE key_id = ? AND day < ?", (key_id, day - 7)
                    )
        except StoreFull:
            rows = self._do("SELECT requests FROM server_days WHERE key_id = ? AND day = ?", (key_id, day))
            used = rows[0][0] if rows else 0
            with self._lock:
                self._uncounted[key_id, day] += 1
        return used + self._uncounted[key_id, day]

    def wait_s(self, key_id: str, rate: int) -> float:
        """Count a request of a key that may send so many a minute; seconds to wait where it is one too many.

        It holds for all processes that serve with this file; on a full disk for this one alone. A clock that was set
        back gives nothing and takes nothing.
        """
        at = self._now()
        try:
            with self._writing(self._counting) as counting:
                levels = (self._levels.get(key_id), counting.execute(_LEVEL, (key_id,)).fetchone())
                # Of what was counted here while the disk was full, and by others since, the less counts.
                known = [level for level in levels if level is not None] or [None]
                wait_s, left = max(
                    (_waited(level, rate, at) for level in known), key=lambda one: (one[0], -one[1])
                )
                counting.execute("INSERT OR REPLACE INTO server_rates VALUES (?, ?, ?)", (key_id, left, at))
            self._levels.pop(key_id, None)
        except StoreFull:
            rows = self._do(_LEVEL, (key_id,))
            with self._lock:
                wait_s, left = _waited(self._levels.get(key_id, rows[0] if rows else None), rate, at)
                self._levels[key_id] = left, at
        return wait_s

    def until_tomorrow_s(self) -> int:
        """Seconds until a quota begins anew."""
        return _DAY_S - int(self._clock() % _DAY_S)

    # Requests that name themselves

    def begin(self, request: RequestName) -> Noted:
        """Note that a request is to be carried out by this process, unless that was done, or is under way.

        Whoever is told neither of an answer nor that it is under way carries it out, and calls `let_go` after that.

        Raises:
            Conflict: Another request has this name.
        """
        claimed = False
        try:
            with self._writing(self._connection) as writing:
                noted = self._noted(writing, request)
                if noted.answer is None and not noted.under_way:
                    _note(writing, request, self._now(), holder=this_process())
                    # Before others can read the claim: they would find nobody at it.
                    _UNDER_WAY.add((self._path, request.key))
                    claimed = True
        except BaseException:
            if claimed:
                self.let_go(request)
            raise
        if claimed:
            _REFUSED.discard((self._path, request.key))
        return noted

    def done(self, request: RequestName, answer: Any) -> None:
        """Note the answer of a request that was carried out."""
        text = json.dumps(answer, ensure_ascii=False)
        self._do("UPDATE server_requests SET answer = ?, holder = NULL WHERE name = ?", (text, request.key))

    def dropped(self, request: RequestName) -> None:
        """Forget a request that was refused: nothing was changed, and it may be sent again.

        Where the file cannot be written only this process knows it, until `keep_claims` can note it.
        """
        try:
            with self._writing(self._connection) as writing:
                self._drop(writing, request.key)
        except StoreError:
            _REFUSED.add((self._path, request.key))

    def let_go(self, request: RequestName) -> None:
        """Carry a request out no more. One that is neither done nor dropped counts as broken off."""
        _UNDER_WAY.discard((self._path, request.key))

    def keep_claims(self) -> None:
        """Note that what this process carries out goes on, and what it refused; refill the reserve."""
        if self._reserve is not None:
            self._reserve.make()
        for path, key in _UNDER_WAY.copy():
            if path == self._path:
                self._do(
                    "UPDATE server_requests SET at = ? WHERE name = ? AND answer IS NULL", (self._now(), key)
                )
        for refused in _REFUSED.copy():
            if refused[0] == self._path:
                self._note_refused(refused)

    def _note_refused(self, refused: tuple[Path, bytes]) -> None:
        """Forget a request that was refused, unless it was sent again since: it may have counted then."""
        dropped = False
        try:
            with self._writing(self._connection) as writing:
                if refused in _REFUSED and refused not in _UNDER_WAY:
                    self._drop(writing, refused[1])
                    _REFUSED.discard(refused)
                    dropped = True
        except BaseException:
            if dropped:
                _REFUSED.add(refused)
            raise

    # Operations that go on behind their requests

    def begun_by(self, request: RequestName) -> str | None:
        """The operation that a request began when it was sent before; None if it was not.

        Raises:
            Conflict: Another request has this name.
        """
        with self._writing(self._connection) as writing:
            return self._noted(writing, request).answer

    def started(
        self,
        name: str,
        scope: str,
        actor: str,
        holder: str,
        request: RequestName | None = None,
        tenant: str | None = None,
    ) -> tuple[str, bool]:
        """Note an operation that begins, and forget those that ended long ago.

        Args:
            request: By which it begins; of two at the same instant one begins it.
            tenant: Whose memory it works on; None for the server's own.

        Returns:
            Its id, and whether it is a new one.

        Raises:
            Conflict: Another request has this name.
        """
        at, operation_id = self._now(), secrets.token_hex(12)
        with self._writing(self._connection) as writing:
            if request is not None:
                if (begun := self._noted(writing, request).answer) is not None:
                    return begun, False
                _note(writing, request, at, operation_id)
            writing.execute("DELETE FROM server_operations WHERE ended_at < ?", (at - TOLD_S * SECOND_US,))
            writing.execute(
                """INSERT INTO server_operations (id, name, scope, actor, status, started_at, holder, seen_at, tenant)
                VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?)""",
                (operation_id, name, scope, actor, at, holder, at, tenant),
            )
        return operation_id, True

    def going_on(self, operation_id: str, stage: str, done: int, total: int | None) -> bool:
        """Note how far an operation is; true if it is to leave off."""
        with self._writing(self._counting) as writing:
            row = writing.execute(
                """UPDATE server_operations SET stage = ?, done = ?, total = ?, seen_at = ? WHERE id = ?
                RETURNING cancel""",
                (stage, done, total, self._now(), operation_id),
            ).fetchone()
        return row is not None and bool(row[0])

    def seen(self, holder: str) -> None:
        """Note that whoever carries operations out still does."""
        self._do(
            "UPDATE server_operations SET seen_at = ? WHERE holder = ? AND status = 'running'",
            (self._now(), holder),
        )

    def ended(self, operation_id: str, status: str, answer: Any = None, problem: Any = None) -> None:
        """Note how an operation that was running has ended."""
        self._do(
            """UPDATE server_operations SET status = ?, answer = ?, problem = ?, ended_at = ?
            WHERE id = ? AND status = 'running'""",
            (
                status,
                *(
                    None if value is None else json.dumps(value, ensure_ascii=False)
                    for value in (answer, problem)
                ),
                self._now(),
                operation_id,
            ),
        )

    def cancel(self, operation_id: str) -> None:
        """Ask an operation to leave off."""
        self._do("UPDATE server_operations SET cancel = 1 WHERE id = ?", (operation_id,))

    def operations(self, operation_id: str | None = None) -> list[OperationState]:
        """Operations, last started first; one that has an id."""
        rows = self._do(
            """SELECT id, name, scope, actor, status, stage, done, total, started_at, ended_at, answer, problem,
            cancel, holder, seen_at, tenant FROM server_operations WHERE ?1 IS NULL OR id = ?1
            ORDER BY started_at DESC, id""",
            (operation_id,),
        )
        return [OperationState(*row) for row in rows]

    def now(self) -> int:
        """The instant on its clock."""
        return self._now()

    def _noted(self, writing: Any, request: RequestName) -> Noted:
        """State of a request.

        Raises:
            Conflict: Another request has this name.
        """
        now = self._now()
        writing.execute("DELETE FROM server_requests WHERE at < ?", (now - KNOWN_S * SECOND_US,))
        row = writing.execute(
            "SELECT hash, answer, holder, at FROM server_requests WHERE name = ?", (request.key,)
        ).fetchone()
        if row is None:
            return Noted()
        digest, answer, holder, at = row
        if digest != request.digest:
            raise Conflict(
                "another request was sent under this Idempotency-Key; give each request one of its own"
            )
        if answer is not None or holder is None:
            return Noted(before=True, answer=None if answer is None else json.loads(answer))
        if holder == this_process():
            where = (self._path, request.key)
            return Noted(before=where not in _REFUSED, under_way=where in _UNDER_WAY)
        return Noted(before=True, under_way=not has_ended(holder, at, now))

    @staticmethod
    def _drop(writing: Any, key: bytes) -> None:
        writing.execute("DELETE FROM server_requests WHERE name = ? AND answer IS NULL", (key,))

    def _now(self) -> int:
        return int(self._clock() * SECOND_US)

    def _do(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._usable():
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def _writing(self, connection: Any) -> Generator[Any]:
        """A transaction that has the right to write from its beginning: one that asks for it late is refused."""
        with self._lock, self._usable():
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _usable(self) -> Generator[None]:
        try:
            yield
        except apsw.FullError as error:
            raise self._full() from error
        except (apsw.BusyError, apsw.IOError, apsw.ReadOnlyError) as error:
            raise StoreError(f"the server's own file cannot be used now ({error}); try again") from error

    def _full(self) -> StoreFull:
        return StoreFull(f"no space left for {self._path}; free some and try again, nothing of this was kept")


def _make(connection: Any, path: Path) -> None:
    """Bring a file to its latest form; one that has it is not written."""
    if _version(connection, path) == len(_STEPS) and not connection.readonly("main"):
        return
    with connection:
        # Two that begin at once see the form one after the other: this takes the right to write.
        connection.execute("CREATE TABLE IF NOT EXISTS making (x); DROP TABLE making")
        for step in _STEPS[_version(connection, path) :]:
            connection.execute(step)
        connection.pragma("application_id", _APPLICATION_ID)
        connection.pragma("user_version", len(_STEPS))


def _version(connection: Any, path: Path) -> int:
    """Number of steps that a file has taken.

    Raises:
        NotAStore: It is another program's.
        NewerSchema: It is a later release's.
    """
    mark, version = connection.pragma("application_id"), connection.pragma("user_version")
    if not mark and not connection.execute("SELECT count(*) FROM sqlite_schema").get:
        return 0
    if mark != _APPLICATION_ID:
        raise NotAStore(f"{path} is another program's database; move it away, it was left as it is")
    if version > len(_STEPS):
        raise NewerSchema(f"{path} was written by a later release; upgrade Simonides to serve with it")
    return version


def _waited(level: tuple[float, int] | None, rate: int, at: int) -> tuple[float, float]:
    """Seconds that a request has to wait, and how many may be sent at once after it.

    Args:
        level: How many might be at an instant, and that; None for a key that sent none yet.
    """
    had, since = level or (float(rate), at)
    had = min(float(rate), had + max(0, at - since) / SECOND_US * rate / 60)
    return (0.0, had - 1) if had >= 1 else ((1 - had) * 60 / rate, had)


def _note(writing: Any, request: RequestName, at: int, answer: Any = None, holder: str | None = None) -> None:
    text = None if answer is None else json.dumps(answer, ensure_ascii=False)
    writing.execute(
        "INSERT OR REPLACE INTO server_requests (name, hash, at, answer, holder) VALUES (?, ?, ?, ?, ?)",
        (request.key, request.digest, at, text, holder),
    )


def _key(row: Sequence[Any]) -> Key:
    key = Key(row[0], row[1], Scope(row[2]), bool(row[3]), Role(row[4]), *row[5:])
    # Former releases kept any end that somebody had worked out.
    return key if key.expires_at is None else replace(key, expires_at=min(key.expires_at, LAST))


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
