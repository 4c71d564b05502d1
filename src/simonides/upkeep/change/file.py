"""Changes of the file as a whole: what leaves it for the archive file, its free space, and what was refused."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from simonides.domain.item import Item
from simonides.domain.records import AuditEvent
from simonides.domain.run import RunChange
from simonides.upkeep.change.diff import text_lines
from simonides.upkeep.change.subject import Change, Subject, Work
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Move(Change):
    """Items that leave the store for its archive file, with all that hangs on them; each is archived by then.

    They are durable there before they leave. Undo brings them back before it takes back anything.
    """

    items: tuple[Item, ...]

    kind: ClassVar[str] = "moved"

    def counts(self) -> tuple[str, int]:
        return "moved", len(self.items)

    def states(self) -> tuple[Item, ...]:
        return self.items

    def lines(self) -> tuple[str, ...]:
        return tuple(f"> archive file: {item.id} {text_lines(item)[0]}" for item in self.items)

    def details(self) -> dict[str, Any]:
        return {"item_ids": list(self.touches())}

    def apply(self, work: Work) -> RunChange:
        work.tx.set_aside(self.touches())
        return Subject().row(self.kind, **self.details())


@dataclass(frozen=True, slots=True)
class Compact(Change):
    """The file written anew, after the step, without its free space and vectors that were set aside.

    The archive file loses what is here.
    """

    kind: ClassVar[str] = "compacted"

    def lines(self) -> tuple[str, ...]:
        return ("+ the file is compacted",)

    def details(self) -> dict[str, Any]:
        return {}

    def apply(self, work: Work) -> RunChange:
        work.tx.drop_vectors(None)  # The runner does the rest, once the step is durable.
        return Subject().row(self.kind)


@dataclass(frozen=True, slots=True)
class NoteRefusal(Change):
    """A secret or an order that was refused: the audit log gets its kind and a keyed hash, and keeps them.

    Attributes:
        content: Never stored, and shown to nobody.
        reasons: Each `code: explanation`.
    """

    content: str = field(repr=False)
    reasons: tuple[str, ...]
    actor: str

    kind: ClassVar[str] = "refused"
    counted: ClassVar[str] = "refused"

    def lines(self) -> tuple[str, ...]:
        return (f"  refused: {'; '.join(self.reasons)}",)

    def details(self) -> dict[str, Any]:
        return {"reasons": list(self.reasons)}

    def apply(self, work: Work) -> None:
        digest = work.tx.keyed_hash(self.content)
        event = AuditEvent(
            action="refuse", at=work.at, actor=self.actor, details=self.details(), content_hash=digest
        )
        work.tx.record([event])
