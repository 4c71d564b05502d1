"""Putting a file where a user wants it: whole or not at all, for its owner's eyes, and never over a store."""

from __future__ import annotations

import errno
import gzip
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Final, TextIO

from simonides.errors import InvalidInput, StoreFull
from simonides.ports.store_files import require_no_store

__all__ = ["beside", "placed", "private", "require_file", "require_no_store"]

#: Errors of a disk, or of a user's share of it, that is full.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def require_file(path: Path) -> None:
    """Refuse a path at which something other than a file stands: a folder, a device, a pipe.

    Raises:
        InvalidInput: It does.
    """
    if path.exists() and not path.is_file():
        raise InvalidInput(
            f"{path} cannot be written: it is {'a folder' if path.is_dir() else 'no file'}; name a file"
        )


@contextmanager
def beside(path: Path, store: Path | None) -> Generator[Path]:
    """A folder of its own beside a path, for what is not whole yet.

    Args:
        store: The file of the open store.

    Raises:
        InvalidInput: None can be made there, or the path belongs to a store.
        StoreFull: The disk is full; nothing of it is left there.
    """
    require_no_store(path, store)
    try:
        room = Path(tempfile.mkdtemp(prefix=".simonides-", suffix=".partial", dir=path.parent))
    except FileNotFoundError as error:  # A slip in a path makes no folders.
        raise InvalidInput(
            f"{path} cannot be written: there is no folder {path.parent}; make it first"
        ) from error
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error
    try:
        yield room
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise StoreFull(
            f"no space left for {path}; free some and try again, nothing of it was kept"
        ) from error
    finally:
        shutil.rmtree(room, ignore_errors=True)


@contextmanager
def placed(
    path: Path, store: Path | None, require_room: Callable[[], None], *, packed: bool = False
) -> Generator[TextIO]:
    """A file written beside the one that is meant, and put in its place once it is whole.

    Args:
        require_room: Called before it is put there: refuses what must not be replaced.

    Raises:
        InvalidInput: As of `beside`.
        StoreFull: As of `beside`.
    """
    with beside(path, store) as room:
        made = room / "file"
        with private(made, packed=packed) as stream:
            yield stream
        require_no_store(path, store)
        require_room()
        made.replace(path)


@contextmanager
def private(path: Path, *, packed: bool = False) -> Generator[TextIO]:
    """A new file that only its owner reads: what people said stands in it in clear text."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as file:
        if packed:
            with (
                gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as inner,
                TextIOWrapper(inner, encoding="utf-8", newline="\n") as stream,
            ):
                yield stream
        else:
            stream = TextIOWrapper(file, encoding="utf-8", newline="\n")
            yield stream
            stream.flush()
            stream.detach()
        file.flush()
        os.fsync(handle)
