"""The report of an import, and the scopes that its parts go into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, NamedTuple

from simonides.domain.scope import Scope
from simonides.domain.text import shown
from simonides.errors import InvalidInput
from simonides.values import dataclass

#: Refusals of which the place is told; of more only the number.
_MOST_TOLD: Final = 1_000
_PARTS: Final = {"user_id": "user", "agent_id": "agent", "project": "project"}
#: Of a number that is an id, with room for those of 128 bits.
_LARGEST_ID_BITS: Final = 256


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


def placed(scope: Scope, whose: Mapping[str, object]) -> Scope:
    """The scope of an entry: what the caller named holds, what the source tells fills the rest.

    Args:
        whose: Parts of a scope as the source has them.

    Raises:
        InvalidInput: One of these names nobody.
    """
    named = dict(scope.parts)
    open_ = {_PARTS[name]: _owner(value, name) for name, value in whose.items() if _PARTS[name] not in named}
    return scope.narrowed(**open_)


def _owner(value: object, name: str) -> str | None:
    """The id of a user, agent or project, as a source has it; None where it names nobody.

    Raises:
        InvalidInput: It is none. Left out, it would widen the scope to everybody.
    """
    match value:
        case None | "":
            return None
        case str():
            return value
        case bool():
            pass
        case int() if value.bit_length() <= _LARGEST_ID_BITS:
            return str(value)
        # A table keeps whole numbers as floats where some of its cells are empty; larger ones are not exact.
        case float() if value.is_integer() and abs(value) < 1 << 53:
            return str(int(value))
        case _:
            pass
    raise InvalidInput(f"the source's {name} {shown(value)} names nobody: an id is text or a whole number")
