"""Turns that wait for extraction."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Any, ClassVar

from simonides.domain.instant import iso
from simonides.domain.run import RunChange
from simonides.ports.buffer import Buffered
from simonides.ports.copying import Attached
from simonides.ports.store import Reader
from simonides.upkeep.change.subject import Change, Stale, Subject, Work, reversal
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class WaitingTurns(Subject):
    """The waiting of turns of a session: of each whether it failed, tries, error, and when it is tried again."""

    session_id: str
    item_ids: Sequence[str]

    def read(self, reader: Reader) -> Any:
        """The rows of those that wait, in their order."""
        keys = [reader.key(item_id) for item_id in self.item_ids]
        beside = reader.attached([key for key in keys if key is not None])
        return [list(waits[1:]) for key in keys if key in beside and (waits := beside[key].waits)]

    def take_back(self, work: Work, change: RunChange) -> RunChange:
        """Let turns wait as they did, but for those that somebody has tried or taken since."""
        # Runs of earlier releases do not tell how turns waited.
        former: list[list[Any]] = change.details.get("waits") or [[]] * len(self.item_ids)
        keys = {item_id: key for item_id in self.item_ids if (key := work.tx.key(item_id)) is not None}
        now = work.tx.attached(list(keys.values()))
        again: dict[str, Buffered | None] = {}
        for item_id, row in zip(self.item_ids, former, strict=True):
            was = Buffered(self.session_id, *row)
            stands = now.get(keys.get(item_id, 0), Attached()).waits
            taken_out = change.kind == TakeTurns.kind
            as_left = stands is None if taken_out else stands and stands.tries == was.tries + 1
            if item_id in keys and as_left:
                again[item_id] = was
        work.tx.put_waiting(again)
        return reversal(change)

    def stored_lines(self, reader: Reader, /, change: RunChange) -> tuple[str, ...]:
        if "of" in change.details:
            return Subject.stored_lines(self, reader, change)
        return self.lines_of(change.kind, change.details.get("retry_at"))

    def lines_of(self, kind: str, retry_at: int | None) -> tuple[str, ...]:
        """The line of a change of this kind."""
        if kind == TakeTurns.kind:
            then = "extracted"
        else:
            then = "stand as failed" if retry_at is None else f"wait for another try {iso(retry_at)}"
        return (f"+ session {self.session_id}: {len(self.item_ids)} turns {then}",)


@dataclass(frozen=True, slots=True)
class _OfTurns(Change, ABC):
    session_id: str
    item_ids: tuple[str, ...]

    @property
    def subject(self) -> WaitingTurns:
        return WaitingTurns(self.session_id, list(self.item_ids))

    def waits(self, work: Work) -> list[list[Any]]:
        waits = self.subject.read(work.tx)
        if len(waits) < len(self.item_ids):
            raise Stale("somebody else extracted from these turns", *self.item_ids[:1])
        return waits


@dataclass(frozen=True, slots=True)
class TakeTurns(_OfTurns):
    """Turns of a session that wait for extraction no longer: the step stores what they state.

    Where one of them waits no longer already, somebody else was first, and the step is left out.
    """

    kind: ClassVar[str] = "extracted"

    def lines(self) -> tuple[str, ...]:
        return self.subject.lines_of(self.kind, None)

    def details(self) -> dict[str, Any]:
        return {"session_id": self.session_id, "item_ids": list(self.item_ids)}

    def apply(self, work: Work) -> RunChange:
        waits = self.waits(work)
        work.tx.put_waiting(dict.fromkeys(self.item_ids))
        return self.subject.row(self.kind, waits=waits)


@dataclass(frozen=True, slots=True)
class PutOff(_OfTurns):
    """Turns of a session that were tried in vain: they wait for another try, or stand as failed.

    Where one of them waits no longer already, somebody else was first, and the step is left out.

    Attributes:
        error: What went wrong; it quotes nothing of any item.
        retry_at: None where that was the last try.
    """

    error: str
    retry_at: int | None

    kind: ClassVar[str] = "put off"

    def lines(self) -> tuple[str, ...]:
        return self.subject.lines_of(self.kind, self.retry_at)

    def details(self) -> dict[str, Any]:
        retry_at = None if self.retry_at is None else iso(self.retry_at)
        turns = {"session_id": self.session_id, "item_ids": list(self.item_ids)}
        return {"retry_at": retry_at, **turns, "error": self.error}

    def apply(self, work: Work) -> RunChange:
        waits = self.waits(work)
        tried = {
            item_id: Buffered(self.session_id, self.retry_at is None, tries + 1, self.error, self.retry_at)
            for item_id, (_, tries, *_) in zip(self.item_ids, waits, strict=True)
        }
        work.tx.put_waiting(tried)
        return self.subject.row(self.kind, retry_at=self.retry_at, waits=waits)
