"""Summaries of entities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from simonides.domain.run import LeftAlone, RunChange
from simonides.errors import NotFound
from simonides.ports.entities import entity_of
from simonides.ports.store import Reader, Writer
from simonides.upkeep.change.diff import diff
from simonides.upkeep.change.subject import Put, Stale, Subject, Work
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class SummaryOf(Subject):
    """The summary of an entity."""

    entity_id: str

    kinds: ClassVar[frozenset[str]] = frozenset({"summary"})

    def read(self, reader: Reader) -> Any:
        entity = entity_of(reader, self.entity_id)
        return None if entity is None else entity[1].summary

    def write(self, tx: Writer, value: Any, /) -> None:
        keyed = entity_of(tx, self.entity_id)
        if keyed is None:
            raise NotFound(f"there is no entity {self.entity_id!r}")
        key, entity = keyed
        tx.put_entity(key, replace(entity, summary=value))

    def changed(self) -> LeftAlone:
        return LeftAlone((), f"the entity {self.entity_id} was summarised anew since the run")

    def lines(self, before: Any, after: Any, /) -> tuple[str, ...]:
        return diff("summary", before, after)


@dataclass(frozen=True, slots=True)
class Summarise(Put):
    """A new summary of an entity. It passes the policy.

    Attributes:
        before: The summary as the plan read it. If it is another one by then, the step is left out.
        sources: Ids of the items that it was made of.
    """

    entity_id: str
    name: str
    summary: str | None
    before: str | None
    sources: tuple[str, ...] = ()

    kind: ClassVar[str] = "summary"
    counted: ClassVar[str] = "summarised"

    def planned(self) -> tuple[Subject, Any, Any]:
        return SummaryOf(self.entity_id), self.before, self.summary

    def words(self) -> str:
        return self.summary or ""

    def lines(self) -> tuple[str, ...]:
        return diff(self.name, self.before, self.summary)

    def apply(self, work: Work) -> RunChange | None:
        subject = SummaryOf(self.entity_id)
        before = subject.read(work.tx)
        if before != self.before:
            raise Stale("the entity's summary changed meanwhile")
        return self.put(work, subject, before, self.summary, sources=list(self.sources))

    def details(self) -> dict[str, Any]:
        return {"entity_id": self.entity_id, "summary": self.summary}
