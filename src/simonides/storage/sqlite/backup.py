"""Copying a store while it is in use."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

import apsw

from simonides.errors import InvalidInput, StoreReadOnly
from simonides.ports.store_files import require_no_store
from simonides.storage.sqlite.cipher import unlock
from simonides.storage.sqlite.connection import make_private
from simonides.storage.sqlite.sql import Connection

_PAGES_A_STEP: Final = 2048


def copy(source: Connection, path: Path, progress: Callable[[float], None] | None) -> None:
    """Copy the database to a path that is free (`require_free`).

    The copy is made under another name, checked, and renamed when it is whole and durable.
    """
    partial = _partial(path)
    if not path.parent.is_dir():  # A slip in a path makes no folders.
        raise InvalidInput(f"{path} cannot be written: there is no folder {path.parent}; make it first")
    try:
        partial.unlink(missing_ok=True)
    except OSError as error:
        raise StoreReadOnly(f"{partial} cannot be made ({error}); choose another path") from error
    make_private(partial)
    target = cast("Connection", apsw.Connection(str(partial)))
    try:
        if source.cipher is not None:
            unlock(target, source.cipher)
        with target.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(_PAGES_A_STEP)
                if progress is not None:
                    progress(1 - backup.remaining / max(1, backup.page_count))
        # One file, to be carried anywhere: no WAL beside it until it is opened as a store.
        target.pragma("journal_mode", "delete")
        _require_whole(target)
        target.close()
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        partial.rename(path)
    finally:
        target.close()
        partial.unlink(missing_ok=True)
        # On a full disk SQLite leaves the journal of what it could not write.
        partial.with_name(f"{partial.name}-journal").unlink(missing_ok=True)


def require_free(path: Path, store: Path) -> None:
    """See that there is nothing at a path, nor beside it what a store there would take for its own.

    Args:
        store: The file that is copied.

    Raises:
        InvalidInput: There is a file, or the path belongs to a store.
    """
    for there in (path, *(Path(f"{path}{ending}") for ending in (".archive", "-wal", "-journal"))):
        if os.path.lexists(there):
            raise InvalidInput(f"{there} exists; a copy overwrites nothing, choose another path")
    require_no_store(path, store)
    require_unfinished(_partial(path), store)


def require_unfinished(partial: Path, store: Path) -> None:
    """See that what stands where a copy is made is none, or one that was left unfinished: it is taken away.

    Raises:
        InvalidInput: It is a store: the one that is copied, or one that was opened since.
    """
    opened_since = any(
        partial.with_name(f"{partial.name}{ending}").exists() for ending in (".reserve", ".archive")
    )
    if partial.exists() and (opened_since or (store.exists() and partial.samefile(store))):
        raise InvalidInput(
            f"{partial} is a store, and the copy would pass through it; move it, or choose another path"
        )


def _partial(path: Path) -> Path:
    return path.with_name(f"{path.name}.partial")


def _require_whole(target: Connection) -> None:
    verdict: str = target.execute("PRAGMA quick_check(1)").get
    if verdict != "ok":
        raise apsw.CorruptError(verdict)
