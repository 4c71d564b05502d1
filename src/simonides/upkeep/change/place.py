"""Places in the palace."""

from __future__ import annotations

from typing import Any, ClassVar

from simonides.domain.records import Place
from simonides.domain.run import LeftAlone
from simonides.ports.store import Reader, Writer
from simonides.upkeep.change.diff import diff
from simonides.upkeep.change.subject import Put, Subject
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class PlaceOf(Subject):
    """The place of an item: domain, room and shelf."""

    item_id: str

    kinds: ClassVar[frozenset[str]] = frozenset({"place"})

    def read(self, reader: Reader) -> Any:
        return _row(reader.place(self.item_id, given=True))

    def write(self, tx: Writer, value: Any, /) -> None:
        tx.assign(self.item_id, None if value is None else Place(self.item_id, *value))

    def changed(self) -> LeftAlone:
        return LeftAlone((self.item_id,), "an item was put elsewhere since the run")

    def lines(self, before: Any, after: Any, /) -> tuple[str, ...]:
        return diff("place", *("/".join([*row, self.item_id]) if row else None for row in (before, after)))


@dataclass(frozen=True, slots=True)
class Assign(Put):
    """A place in the palace. Its names pass the policy."""

    place: Place
    before: Place | None = None

    kind: ClassVar[str] = "place"
    counted: ClassVar[str] = "placed"

    def planned(self) -> tuple[Subject, Any, Any]:
        return PlaceOf(self.place.item_id), _row(self.before), _row(self.place)

    def touches(self) -> tuple[str, ...]:
        return (self.place.item_id,)

    def words(self) -> str:
        return f"{self.place.domain}\n{self.place.room}\n{self.place.shelf}"

    def details(self) -> dict[str, Any]:
        return {"place": self.place.to_dict()}


def _row(place: Place | None) -> list[str] | None:
    return None if place is None else [place.domain, place.room, place.shelf]
