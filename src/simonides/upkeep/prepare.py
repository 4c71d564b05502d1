"""Preparing steps before their transaction: every new text past the policy, embedded, and read for names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.run import LeftAlone
from simonides.errors import ProviderError
from simonides.governance.policy import Policy
from simonides.ports.embedder import Embedder
from simonides.upkeep.change import Change
from simonides.upkeep.job import Step
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Preparer:
    """Gets steps ready, outside of any transaction.

    Attributes:
        degraded: Called with what it had to do without.
    """

    policy: Policy
    embedder: Embedder
    degraded: Callable[[str], None]

    def judged(self, steps: Sequence[Step], at: int) -> tuple[list[Step], list[LeftAlone]]:
        """Steps as they may be applied; and those of which the policy refuses a text."""
        allowed: list[Step] = []
        refused: list[LeftAlone] = []
        for step in steps:
            changes: list[Change] = []
            for change in step.changes:
                if isinstance(ruled := change.judged(self.policy, at), tuple):
                    refused.append(LeftAlone(step.touched(), "; ".join(ruled)))
                    break
                changes.append(ruled)
            else:
                allowed.append(replace(step, changes=tuple(changes)))
        return allowed, refused

    def completed(self, steps: Sequence[Step]) -> tuple[list[Step], EmbedderIdentity | None]:
        """Steps with vectors and names; and whose vectors they are, None where they bring none."""
        vectors = self._embedded(
            [text for step in steps for change in step.changes if (text := change.text())]
        )
        ready = [
            replace(
                step,
                changes=tuple(change.completed(vectors.get(change.text() or "")) for change in step.changes),
            )
            for step in steps
        ]
        brought = any(change.has_vector() for step in ready for change in step.changes)
        return ready, self.embedder.identity if brought else None

    def _embedded(self, texts: Sequence[str]) -> dict[str, Any]:
        """Vectors by text. A slow or remote embedder is left to `backfill`."""
        if not texts or not self.embedder.local:
            return {}
        unique = list(dict.fromkeys(texts))
        try:
            return dict(zip(unique, self.embedder.embed(unique), strict=True))
        except ProviderError as error:
            self.degraded(f"embedder: {error}; `simonides backfill` embeds what was written meanwhile")
            return {}
