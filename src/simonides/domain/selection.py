"""Which items a read may see: one closed value, applied by every channel before its limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.taxonomy import Tier

LIVE: Final = frozenset({Status.ACTIVE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A filter over items. A field of None does not restrict.

    Attributes:
        scopes: The scopes whose items may be seen, each meant exactly; None for every scope, on purpose.
        live_at: Instant at which an item must not have expired; None lets expired ones through.
        statuses: Statuses let through.
        tags: All of them must be there, compared without case.
        entity: Name, or alias, of what the item must mention or was given as an entity, compared without case.
        after, before: Bounds of when it happened, else when it was recorded: after <= t < before.
        valid_at: Instant at which it must have been true.
        metadata: (name, JSON of its value) pairs that the item's metadata must hold.
        begun_at: Instant at which it must have begun to be true, where it says when that was.
        lasting_at: Instant at which it must not have ended, where it says when it does.
        replaced: Of archived items only those that were superseded: what was believed, not what was forgotten.
    """

    scopes: tuple[Scope, ...] | None
    live_at: int | None
    statuses: frozenset[Status] = LIVE
    tiers: frozenset[Tier] | None = None
    types: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    entity: str | None = None
    after: int | None = None
    before: int | None = None
    valid_at: int | None = None
    begun_at: int | None = None
    lasting_at: int | None = None
    session_id: str | None = None
    task_id: str | None = None
    corpus_id: str | None = None
    metadata: tuple[tuple[str, str], ...] | None = None
    pinned: bool | None = None
    injectable: bool | None = None
    replaced: bool = False

    @property
    def narrow(self) -> bool:
        """Whether it asks for more than scope, status and expiry, which every index holds itself."""
        return self.replaced or any(
            field is not None
            for field in (
                self.tiers, self.types, self.tags, self.entity, self.after, self.before,
                self.valid_at, self.begun_at, self.lasting_at, self.session_id,
                self.task_id, self.corpus_id, self.metadata, self.pinned, self.injectable,
            )
        )  # fmt: skip
