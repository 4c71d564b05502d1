"""Room on the disk that is kept for what frees some: on a full one nothing could be purged or forgotten otherwise."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

#: A transaction that takes out some hundred items fits into it.
RESERVE_BYTES: Final = 4 * 1024 * 1024
#: It is made where so much is free that nobody will miss it.
_PLENTY: Final = 4 * RESERVE_BYTES
#: The index of the log, and some pages.
_TO_OPEN: Final = 256 * 1024


class Reserve:
    """A file of zeros beside a store, which is given up when the disk is full.

    Args:
        store: The file of the store.
    """

    def __init__(self, store: Path) -> None:
        file = store.resolve()
        self.path = file.with_name(f"{file.name}.reserve")

    def make(self) -> None:
        """Take the room, where there is plenty and it is not taken yet, or not all of it."""
        with suppress(OSError):  # It is no more than a help.
            whole = self.path.exists() and self.path.stat().st_size >= RESERVE_BYTES
            if whole or self._free() < _PLENTY:
                return
            self.path.unlink(missing_ok=True)  # What `give` left of it.
            with os.fdopen(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                filled = _filled(file)
            if not filled:  # Some systems take no file away that is still open.
                self.path.unlink()

    @contextmanager
    def spent(self) -> Generator[None]:
        """Give the room up where there is no other; take it again once there is plenty."""
        with suppress(OSError):
            if self._free() < RESERVE_BYTES:
                self.path.unlink(missing_ok=True)
        try:
            yield
        finally:
            self.make()

    def give(self) -> bool:
        """Give up a little on a full disk, to open a file or to note a few words; whether there was any."""
        try:
            left = self.path.stat().st_size - _TO_OPEN
            if self._free() >= _TO_OPEN or left < 0:
                return False
            os.truncate(self.path, left)
        except OSError:
            return False
        return True

    def _free(self) -> int:
        return shutil.disk_usage(self.path.parent).free


def _filled(file: BinaryIO) -> bool:
    """Take the room; whether all of it could be taken."""
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)
        else:  # Elsewhere only what is written is taken.
            file.write(bytes(RESERVE_BYTES))
            file.flush()
    except OSError:
        return False
    return True
