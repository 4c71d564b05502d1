"""Pairs of items that a job has looked at."""

from __future__ import annotations

from typing import Any, ClassVar

from simonides.domain.run import RunChange
from simonides.ports.store import Writer
from simonides.upkeep.change.subject import Change, Subject, Work
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class PairMark(Subject):
    """The note that a job has looked at a pair."""

    job: str
    item_id: str
    other_id: str

    def write(self, tx: Writer, _value: Any, /) -> None:
        tx.note_judged(self.job, self.item_id, self.other_id, None)

    def lines(self, _before: Any, _after: Any, /) -> tuple[str, ...]:
        return (f"+ {self.job} judged: {self.item_id} {self.other_id}",)


@dataclass(frozen=True, slots=True)
class Judged(Change):
    """A pair of items that a job has looked at, whatever it found: it does not look again."""

    job: str
    a_id: str
    b_id: str

    kind: ClassVar[str] = "judged"
    counted: ClassVar[str] = "judged"

    def touches(self) -> tuple[str, ...]:
        return self.a_id, self.b_id

    def lines(self) -> tuple[str, ...]:
        return PairMark(self.job, self.a_id, self.b_id).lines(None, None)

    def details(self) -> dict[str, Any]:
        return {"job": self.job, "a_id": self.a_id, "b_id": self.b_id}

    def apply(self, work: Work) -> RunChange | None:
        new = work.tx.note_judged(self.job, self.a_id, self.b_id, work.at)
        return PairMark(self.job, self.a_id, self.b_id).row(self.kind) if new else None
