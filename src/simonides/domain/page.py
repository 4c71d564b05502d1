"""Pages of a list that is read piece by piece while others write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from simonides.domain.item import Item
from simonides.domain.written import each, read_back
from simonides.errors import InvalidInput

_CURSOR: Final = re.compile(r"([ia])([0-9a-f]{1,16})")
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
        found = _CURSOR.fullmatch(cursor) if isinstance(cursor, str) else None
        if found is None or (key := int(found[2], 16)) > _LARGEST:
            raise InvalidInput(
                "the cursor is none that a page gave; leave it out to begin with the first page"
            )
        return cls(key, found[1] == "a")

    @property
    def cursor(self) -> str | None:
        """The position in a word."""
        return None if self.key is None else f"{'a' if self.archive else 'i'}{self.key:x}"


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Some items of a list.

    Attributes:
        cursor: Where the next page begins; None after the last one.
    """

    items: tuple[Item, ...]
    cursor: str | None = None

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> ItemPage:
        """The page that `to_dict` wrote.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return read_back(cls, written, items=each(Item.from_dict))

    def to_dict(self) -> dict[str, Any]:
        return {"items": [item.to_dict() for item in self.items], "cursor": self.cursor}
