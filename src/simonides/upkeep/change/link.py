"""Links between items."""

from __future__ import annotations

from abc import ABC
from dataclasses import replace
from typing import Any, ClassVar, Final

from simonides.domain.link import Link, Relation
from simonides.domain.run import LeftAlone, RunChange
from simonides.ports.store import Reader, Writer
from simonides.upkeep.change.diff import diff
from simonides.upkeep.change.subject import Put, Subject, Work
from simonides.values import dataclass

#: What a value holds of a link, in this order; its ends and relation name the subject.
_ROW: Final = ("predicate", "weight", "confidence", "evidence", "valid_from", "valid_until", "created_at")


@dataclass(frozen=True, slots=True)
class LinkBetween(Subject):
    """The link of a relation from one item to another."""

    item_id: str
    other_id: str
    rel: str

    kinds: ClassVar[frozenset[str]] = frozenset({"link", "unlink"})

    def read(self, reader: Reader) -> Any:
        links = reader.links((self.item_id, self.other_id), (Relation(self.rel),), between=True)
        return next((_row(link) for link in links if link.src == self.item_id), None)

    def write(self, tx: Writer, value: Any, /) -> None:
        rel = Relation(self.rel)
        if value is None:
            tx.drop_link(self.item_id, self.other_id, rel)
        else:
            tx.link(Link(src=self.item_id, dst=self.other_id, rel=rel, **dict(zip(_ROW, value, strict=True))))

    def changed(self) -> LeftAlone:
        return LeftAlone((self.item_id, self.other_id), f"a {self.rel} link changed since the run")

    def lines(self, before: Any, after: Any, /) -> tuple[str, ...]:
        words = f"{self.item_id} {self.rel} {self.other_id}"
        return diff("link", before and words, after and words)


@dataclass(frozen=True, slots=True)
class _OfLink(Put, ABC):
    link: Link

    def touches(self) -> tuple[str, ...]:
        return self.link.src, self.link.dst

    def details(self) -> dict[str, Any]:
        return {"link": self.link.to_dict()}


@dataclass(frozen=True, slots=True)
class AddLink(_OfLink):
    """A link between two items, made or brought up to date. Its evidence passes the policy.

    `created_at` is that of the link that was there; else set by the runner where it is 0.
    """

    kind: ClassVar[str] = "link"
    counted: ClassVar[str] = "linked"

    def words(self) -> str:
        return f"{self.link.evidence or ''}\n{self.link.predicate or ''}"

    def planned(self) -> tuple[Subject, Any, Any]:
        return _between(self.link), None, _row(self.link)

    def apply(self, work: Work) -> RunChange | None:
        subject = _between(self.link)
        before = subject.read(work.tx)
        created_at = (self.link.created_at or work.at) if before is None else before[-1]
        return self.put(work, subject, before, _row(replace(self.link, created_at=created_at)))


@dataclass(frozen=True, slots=True)
class DropLink(_OfLink):
    """The end of a link between two items; nothing happens where there is none."""

    kind: ClassVar[str] = "unlink"
    counted: ClassVar[str] = "unlinked"

    def planned(self) -> tuple[Subject, Any, Any]:
        return _between(self.link), _row(self.link), None


def _between(link: Link) -> LinkBetween:
    return LinkBetween(link.src, link.dst, link.rel.value)


def _row(link: Link) -> list[Any]:
    return [getattr(link, name) for name in _ROW]
