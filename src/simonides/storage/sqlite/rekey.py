"""Encrypting a store that is there, giving it another key, and taking the key away."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw

from simonides.errors import NotAStore, StoreDamaged, StoreLocked, WrongKey
from simonides.ports.vectors import saved_vectors
from simonides.storage.sqlite.backup import require_unfinished
from simonides.storage.sqlite.cipher import raw
from simonides.storage.sqlite.connection import connect, in_our_words, make_private
from simonides.storage.sqlite.migrate import APPLICATION_ID
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.store import archive_of

_ZEROS: Final = bytes(1 << 20)


def rekey(store: Path, former: str | None, cipher: str | None) -> list[Path]:
    """Write a store and its archive file anew under another key, and put the new files in their place.

    Killed at any point each file is whole, under the one key or the other, and the same call goes on. What the former
    files held is overwritten before their room is given back; snapshots and backups, and disks that write elsewhere by
    themselves, may still have it.

    Args:
        former: Key of the pages as they are; None for a plain file.
        cipher: Key that they get; None for none.

    Returns:
        The files that were written anew: none where all were under the key already.

    Raises:
        StoreLocked: Another program has the store open.
        WrongKey: A file is under neither key, or no store.
        StoreFull: There is no room for a second copy; nothing was changed.
        InvalidInput: A store of another purpose stands where the new file is made.
    """
    file = store.resolve()
    # The archive file comes first: where the store is under the key, it is, too.
    closed = [one for one in (archive_of(file), file) if one.exists() and not _opens(one, cipher)]
    for one in closed:
        if not _opens(one, former):
            raise WrongKey(
                f"{one} is no store, or under a key that is neither the new nor the former one; give the key that it "
                "is under as the former one"
            )
    for one in closed:
        _write_anew(one, former, cipher)
    if closed:
        shutil.rmtree(saved_vectors(file), ignore_errors=True)
    return closed


def _opens(file: Path, cipher: str | None) -> bool:
    try:
        with closing(connect(str(file), read_only=True, cipher=cipher)) as connection:
            _known(connection)
    except (apsw.NotADBError, NotAStore):
        return False
    return True


def _known(connection: Connection) -> tuple[int, int]:
    """The version of its schema, and the last key that an item got."""
    if connection.pragma("application_id") != APPLICATION_ID:
        raise NotAStore
    return connection.pragma("user_version"), connection.execute(statement("last_item_key")).get


def _write_anew(file: Path, former: str | None, cipher: str | None) -> None:
    partial = file.with_name(f"{file.name}.partial")
    require_unfinished(partial, file)
    partial.unlink(missing_ok=True)
    make_private(partial)
    # Closed last: when any descriptor of a file is closed, the process loses all its locks on it.
    there = os.open(file, os.O_RDWR)
    try:
        with in_our_words(file), closing(connect(str(file), cipher=former, links=True)) as old:
            _take_alone(old, file)
            known = _known(old)
            named = "" if cipher is None else quote(raw(cipher))
            old.execute("VACUUM INTO ?", (f"{partial.as_uri()}?key={named}",))
            with closing(connect(str(partial), cipher=cipher)) as new:
                if new.pragma("quick_check", 1) != "ok" or _known(new) != known:
                    raise StoreDamaged(f"the copy of {file} is not whole; nothing was changed, try again")
            shutil.copymode(file, partial)
            with partial.open("rb+") as written:
                os.fsync(written.fileno())
            partial.replace(file)
            _sync(file.parent)
            _overwrite(there)
    finally:
        os.close(there)
        partial.unlink(missing_ok=True)


def _take_alone(connection: Connection, file: Path) -> None:
    """Keep everybody else out until the connection is closed: what they wrote meanwhile would be lost."""
    connection.pragma("locking_mode", "exclusive")
    try:
        # Leaving the log needs the file for itself.
        mode = connection.pragma("journal_mode", "delete")
        connection.execute("BEGIN EXCLUSIVE; COMMIT")
    except apsw.BusyError:
        mode = "busy"
    if mode != "delete":
        raise StoreLocked(f"another program has {file} open; end it, and try again")


def _overwrite(descriptor: int) -> None:
    left = os.fstat(descriptor).st_size
    os.lseek(descriptor, 0, os.SEEK_SET)
    while left > 0:
        left -= os.write(descriptor, _ZEROS[: min(left, len(_ZEROS))])
    os.fsync(descriptor)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
