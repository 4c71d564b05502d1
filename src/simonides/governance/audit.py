"""Second opinion of a model on a ruling, which stays or becomes stricter."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from simonides.domain.item import MAX_TAGS, Item
from simonides.domain.verdict import Outcome
from simonides.governance.policy import Candidate, Policy, Ruling

_STRICTNESS: Final = (Outcome.ACCEPTED, Outcome.QUARANTINED, Outcome.REJECTED)
#: Types that a model gives nothing: other rules hold for them.
_RESERVED: Final = frozenset({"episode", "chunk", "narrative", "record", "credential"})
#: A model's verdicts.
_OUTCOMES: Final = {
    "accept": Outcome.ACCEPTED,
    "quarantine": Outcome.QUARANTINED,
    "reject": Outcome.REJECTED,
}


def tightened(policy: Policy, ruling: Ruling, verdict: str, reason: str, at: int) -> Ruling:
    """A ruling after a model's verdict: the stricter of the two.

    Args:
        ruling: Accepted or quarantined.
        verdict: `accept`, `quarantine` or `reject`.
        reason: The model's, which stands with the policy's own. One that the policy refuses is left out.
    """
    outcome = _OUTCOMES[verdict]
    if ruling.outcome not in _STRICTNESS or _STRICTNESS.index(outcome) <= _STRICTNESS.index(ruling.outcome):
        return ruling
    stated = (
        f"audit: {reason}" if reason and not policy.refusals(reason) else "audit: no reason that can be shown"
    )
    if outcome is Outcome.REJECTED:
        return Ruling(Outcome.REJECTED, ruling.wished or ruling.item, (stated, *ruling.reasons))
    return policy.quarantined(ruling.item, [stated, *ruling.reasons], at)


def corrected(policy: Policy, candidate: Candidate, type_: str, tags: tuple[str, ...]) -> Candidate:
    """A candidate with type and tags as a model has them, as far as they can be used.

    It has to be judged again: another type has other rules.
    """
    item: Item = candidate.item
    known = policy.taxonomy.specs
    if type_ in known and type_ not in _RESERVED and item.type not in _RESERVED:
        item = replace(item, type=type_)
    kept = tuple(dict.fromkeys(tag for tag in tags if tag and not policy.refusals(tag)))
    if kept:
        item = replace(item, tags=kept[:MAX_TAGS])
    return candidate if item == candidate.item else replace(candidate, item=item)
