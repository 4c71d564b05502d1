"""Files that belong to stores: nothing that a user names for another purpose may replace one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from simonides.errors import InvalidInput

_HEAD: Final = b"SQLite format 3\0"
#: Endings of what stands beside a store, after its whole name, and instead of its own ending.
_AFTER: Final = ("-wal", "-shm", "-journal", ".reserve", ".archive", ".vectors")
_INSTEAD: Final = (".server", ".token")


def require_no_store(target: Path, store: Path | None = None) -> None:
    """See that a path names neither a store nor what stands beside one, there already or not.

    Args:
        store: The file of the store that is open. An encrypted file does not look like a store: others are known by
            what stands beside them.

    Raises:
        InvalidInput: It does, or what is there cannot be looked into.
    """
    try:
        # A link is judged by its own name and by what it leads to.
        for place in {target.absolute(), target.resolve()}:
            for owner in _owners(place):
                if _is_store(owner, store):
                    part = "a store" if owner == place else f"part of the store {owner.name}"
                    raise InvalidInput(
                        f"{target} is {part}, which nothing else may replace; choose another name"
                    )
    except (OSError, RuntimeError) as error:  # Before Python 3.13 links in a circle are the latter.
        raise InvalidInput(f"{target} cannot be looked into ({error}); choose another name") from error


def _owners(place: Path) -> Iterator[Path]:
    """The path itself, and those that it would stand beside as a part of a store."""
    yield place
    name = place.name
    for ending in _AFTER:
        if name.lower().endswith(ending) and len(name) > len(ending):
            yield from _owners(place.with_name(name[: -len(ending)]))
    if place.suffix.lower() in _INSTEAD and place.parent.is_dir():
        stem = place.stem.lower()
        yield from (one for one in place.parent.iterdir() if one.stem.lower() == stem and one != place)


def _is_store(file: Path, store: Path | None) -> bool:
    if not file.is_file():
        return False
    if store is not None and store.exists() and file.samefile(store):
        return True
    with file.open("rb") as stream:
        head = stream.read(len(_HEAD))
    return head == _HEAD or any(file.with_name(f"{file.name}{ending}").exists() for ending in _AFTER)
