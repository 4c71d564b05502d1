"""Pages of a list that is read piece by piece while others write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, overload
from zlib import crc32

from simonides.domain.item import Item
from simonides.domain.written import Written
from simonides.errors import InvalidInput
from simonides.values import dataclass

#: A key, and a checksum: a word that is none of a page's must not pass for the end of the list.
_CURSOR: Final = re.compile(r"([ia])([0-9a-f]{1,16})-[0-9a-f]{8}")
_LARGEST: Final = (1 << 63) - 1


class Position(NamedTuple):
    """Key of the last item that was told, and whether it is in the archive file; no key before the first."""

    key: int | None = None
    archive: bool = False

    @classmethod
    def of(cls, cursor: object) -> Position:
        """The position that a cursor names.

        Raises:
            InvalidInput: It is no cursor of a page.
        """
        if cursor is None:
            return cls()
        match = _CURSOR.fullmatch(cursor) if isinstance(cursor, str) else None
        if match is not None and (key := int(match[2], 16)) <= _LARGEST:
            position = cls(key, match[1] == "a")
            if position.cursor == cursor:
                return position
        raise InvalidInput("the cursor is none that a page gave; leave it out to begin with the first page")

    @property
    def cursor(self) -> str | None:
        """The position in a word."""
        if self.key is None:
            return None
        key = f"{'a' if self.archive else 'i'}{self.key:x}"
        return f"{key}-{crc32(key.encode()):08x}"


@dataclass(frozen=True, slots=True)
class ItemPage(Written):
    """Some items of a list.

    Attributes:
        cursor: Where the next page begins; None after the last one.
        hints: Of an empty list, which filters nothing in sight has, and which names are near.
    """

    items: tuple[Item, ...]
    cursor: str | None = None
    hints: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        return self.items[index]
