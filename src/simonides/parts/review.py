"""What the policy of a Memory held back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simonides.compose import Parts
from simonides.domain.item import Item
from simonides.domain.scope import Scopes
from simonides.domain.selection import visible
from simonides.domain.verdict import Verdict
from simonides.parts.looking import item_of, look
from simonides.ports.store import StoredVerdict


@dataclass(frozen=True, slots=True)
class Quarantined:
    """An item that waits for a decision, and why it was held back."""

    item: Item
    verdict: StoredVerdict

    def to_dict(self) -> dict[str, Any]:
        return {
            "item": self.item.to_dict(),
            "reasons": list(self.verdict.reasons),
            "why_store": self.verdict.why_store,
            "actor": self.verdict.actor,
        }


class Review:
    """What the policy held back."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, *, scope: str | Scopes | None = None, limit: int = 100) -> list[Quarantined]:
        """Items that wait for a decision, oldest first; what has expired waits no longer."""
        with self._parts.store.read() as reader:
            found = reader.review_queue(visible(look(scope)), limit, self._parts.clock.now())
        return [Quarantined(item, verdict) for item, verdict in found]

    def approve(self, item_id: str, reason: str = "") -> Verdict:
        """Let an item in: `accepted`, or `merged` where its content is known by now.

        Raises:
            NotFound: There is no such item.
            Conflict: It is not quarantined.
        """
        return self._parts.curator.approve(item_of(self._parts, item_id), reason)

    def reject(self, item_id: str, reason: str = "") -> Verdict:
        """Turn an item down: it is archived and stays out of recall.

        Raises:
            NotFound: There is no such item.
            Conflict: It is not quarantined.
        """
        return self._parts.curator.refuse(item_of(self._parts, item_id), reason)
