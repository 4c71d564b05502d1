"""The report of an import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, NamedTuple

from simonides.values import dataclass

#: Refusals of which the place is told; of more only the number.
_MOST_TOLD: Final = 1_000


class RefusedPart(NamedTuple):
    """A part of a source that was not taken, and why."""

    place: str
    reason: str


@dataclass(slots=True)
class ImportReport:
    """Outcome of importing a source.

    Attributes:
        kind: Kind of the source.
        dry_run: Nothing was written: it tells what would be.
        counts: By what was read (items, turns, records, links, former wordings), how many ended how.
        left_out: How many parts this memory does not keep, by reason.
        refused: Parts that were refused, the first thousand, with their places.
        reasons: Every reason of a refusal or quarantine with its number.
    """

    kind: str
    dry_run: bool = False
    counts: dict[str, Counter[str]] = field(default_factory=dict[str, "Counter[str]"])
    left_out: Counter[str] = field(default_factory=Counter[str])
    refused: list[RefusedPart] = field(default_factory=list[RefusedPart])
    reasons: Counter[str] = field(default_factory=Counter[str])

    def count(self, outcome: str) -> int:
        """Number of parts that ended so: `accepted`, `merged`, `quarantined` or `rejected`."""
        return sum(ended[outcome] for ended in self.counts.values())

    @property
    def read(self) -> int:
        """Number of parts that were read, those left out included."""
        return sum(ended.total() for ended in self.counts.values()) + self.left_out.total()

    def note(self, what: str, outcome: str, place: str, reason: str | None = None) -> None:
        """Count a part."""
        self.counts.setdefault(what, Counter())[outcome] += 1
        if outcome in {"rejected", "quarantined"} and reason is not None:
            self.reasons[reason] += 1
        if outcome == "rejected" and len(self.refused) < _MOST_TOLD:
            self.refused.append(RefusedPart(place, reason or ""))

    def to_dict(self) -> dict[str, Any]:
        counted: Mapping[str, Mapping[str, int]] = {what: dict(ended) for what, ended in self.counts.items()}
        return {
            "kind": self.kind,
            "dry_run": self.dry_run,
            "counts": counted,
            "left_out": dict(self.left_out),
            "reasons": dict(self.reasons),
            "refused": [part._asdict() for part in self.refused],
        }
