"""Stores that are files: they can be copied, shrunk, and have their text index made anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

from simonides.errors import StoreError
from simonides.ports.store import Store


@runtime_checkable
class FileStore(Protocol):
    """Meets `ports.store.Store` as well; these are its own."""

    @property
    def path(self) -> Path | None:
        """The file."""
        ...

    def compact(self) -> bool:
        """Write the file anew without its free space; False where a reader kept it from shrinking for now.

        Raises:
            StoreFull: There is no room for a second copy of it.
        """
        ...

    def rebuild_fts(self, *, former: bool = False) -> None:
        """Make the text index anew from the items.

        Args:
            former: Only one that an earlier release made.
        """
        ...

    def backup(self, path: Path, progress: Callable[[float], None] | None = None) -> None:
        """Copy the store and its archive while they are in use; a copy appears whole or not at all.

        The copy of the archive stands beside the other as the archive beside the store.
        """
        ...


def file_of(store: Store, what: str) -> FileStore:
    """The store as a file.

    Args:
        what: What is to be done, for the message.

    Raises:
        StoreError: It is none.
    """
    if not isinstance(store, FileStore):
        raise StoreError(f"this store is no file: to {what}, use what its backend offers")
    return store
