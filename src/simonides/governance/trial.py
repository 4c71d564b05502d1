"""Trying the policy on a text: its verdict with all that led to it. Nothing is stored."""

from __future__ import annotations

import warnings
from dataclasses import field
from typing import Any, Final

from simonides.domain.item import Item
from simonides.domain.provenance import TRUST_OF, Origin, Provenance
from simonides.domain.text import valid_text
from simonides.domain.verdict import Outcome
from simonides.domain.written import INNER, as_written
from simonides.errors import InvalidInput
from simonides.governance.policy import Candidate, Policy
from simonides.governance.scan import SeenFinding, seen_findings
from simonides.values import dataclass

_AT: Final = 0
_ID: Final = "00000000-0000-7000-8000-000000000000"


@dataclass(frozen=True, slots=True)
class Trial:
    """Judgement of the policy on a text.

    Attributes:
        stored: The text as it would be stored; None where it would not be.
        findings: Every rule that hits, whether it led to the verdict or not, in the order of the text.
    """

    text: str
    outcome: Outcome
    reasons: tuple[str, ...]
    stored: str | None
    findings: tuple[SeenFinding, ...] = field(metadata=INNER)

    @property
    def sightings(self) -> tuple[SeenFinding, ...]:
        """Former name of `findings`."""
        warnings.warn("Trial.sightings is called Trial.findings now", DeprecationWarning, stacklevel=2)
        return self.findings

    def to_dict(self) -> dict[str, Any]:
        return as_written(self) | {"findings": [_as_json(seen) for seen in self.findings]}


def try_policy(policy: Policy, text: str, type_: str = "note", origin: str = "user-said") -> Trial:
    """Judge a text by itself, with nothing known beside it.

    Args:
        type_: Of the item; `episode` for a turn of a chat.
        origin: Who brings it in. What an assistant says is judged as its proposal, with reason and source.

    Raises:
        InvalidInput: Type or origin is unknown, or the text cannot be stored.
    """
    valid_text(text)
    try:
        whose = Origin(origin)
    except ValueError:
        raise InvalidInput(f"unknown origin {origin!r}; use one of {', '.join(Origin)}") from None
    name, remark = policy.taxonomy.resolve(type_)
    if remark is not None and name != type_:
        raise InvalidInput(f"unknown type {type_!r}; use one of {', '.join(sorted(policy.taxonomy.specs))}")
    proposed = whose is Origin.ASSISTANT_SAID and name != "episode"
    item = Item(
        id=_ID,
        content=text,
        type=name,
        created_at=_AT,
        updated_at=_AT,
        origin=whose,
        trust=TRUST_OF[whose],
        provenance=Provenance(source_id="cli"),
    )
    ruling = policy.judge(Candidate(item, proposed=proposed, why_store="a trial" if proposed else None), _AT)
    kept = ruling.item.content if ruling.outcome is not Outcome.REJECTED else None
    return Trial(text, ruling.outcome, ruling.reasons, kept, seen_findings(text, policy.book))


def _as_json(seen: SeenFinding) -> dict[str, Any]:
    finding = seen.finding
    return {
        "rule": finding.rule,
        "category": finding.category,
        "kind": finding.kind,
        "start": finding.start,
        "end": finding.end,
        "view": list(seen.view) or ["as written"],
    }
