"""The auditor: a language model that looks at what the user did not say, and can only make a verdict stricter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from simonides.domain.provenance import FROM_USER
from simonides.domain.verdict import Outcome
from simonides.errors import ProviderError
from simonides.governance.audit import corrected, tightened
from simonides.governance.policy import Candidate, Policy, Ruling
from simonides.tasks.audit import AuditOpinion

#: What of a long pointer a model is shown.
_READ_CHARS: Final = 4_000
_RAW: Final = frozenset({"episode", "chunk"})


class Ask(Protocol):
    """`tasks.audit.audit` with a model."""

    def __call__(
        self, content: str, *, given: Mapping[str, str], tags: Sequence[str], types: Sequence[str]
    ) -> AuditOpinion: ...


class Auditor:
    """Asks a model about rulings. Called outside transactions."""

    def __init__(self, policy: Policy, ask: Ask) -> None:
        self._policy = policy
        self._ask = ask

    def review(self, candidates: Sequence[Candidate], rulings: Sequence[Ruling], at: int) -> list[Ruling]:
        """The rulings after the model has had its say, in their order.

        It is not asked about turns and chunks, about what the user said, and about what is refused or known already.
        Where it does not answer, the ruling stands, and its reasons say so.
        """
        return [
            self._reviewed(candidate, ruling, at) if _is_audited(candidate, ruling) else ruling
            for candidate, ruling in zip(candidates, rulings, strict=True)
        ]

    def _reviewed(self, candidate: Candidate, ruling: Ruling, at: int) -> Ruling:
        item = candidate.item
        given = {"type": item.type, "origin": item.origin.value, "why": candidate.why_store or ""}
        try:
            opinion = self._ask(
                item.content[:_READ_CHARS],
                given=given,
                tags=item.tags,
                types=sorted(self._policy.taxonomy.specs),
            )
        except ProviderError as error:
            return replace(ruling, reasons=(*ruling.reasons, f"not audited: {error}"))
        other = corrected(self._policy, candidate, opinion.type, opinion.tags)
        if other is not candidate:
            again = self._policy.judge(other, at)
            # With another type it may be let in where it was held back: that is not the model's to decide.
            ruling = ruling if _loosens(again, ruling) else again
        return tightened(self._policy, ruling, opinion.verdict, opinion.reason, at)


def _is_audited(candidate: Candidate, ruling: Ruling) -> bool:
    return (
        candidate.item.type not in _RAW
        and candidate.item.origin not in FROM_USER
        and ruling.outcome in {Outcome.ACCEPTED, Outcome.QUARANTINED}
    )


def _loosens(again: Ruling, ruling: Ruling) -> bool:
    return ruling.outcome is Outcome.QUARANTINED and again.outcome is Outcome.ACCEPTED
