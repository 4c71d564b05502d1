"""What a store tells the policy and the review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from simonides.domain.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenances:
    """Where items come from that are to be taken back. A field of None does not restrict.

    Attributes:
        scopes: Each meant exactly; None for every scope.
        source_id: Name of the source.
        session_id: The conversation.
        since: Instant; only what was recorded then or later.
    """

    scopes: tuple[Scope, ...] | None
    source_id: str | None = None
    session_id: str | None = None
    since: int | None = None


class GoverningReader(Protocol):
    """What a new item is held against, and where items come from."""

    def settled(self, scopes: tuple[Scope, ...]) -> dict[int, bytes]:
        """Active items of these scopes that are pinned or verified: key to a mark that another state changes.

        Cost: of these items alone, however large the store is.
        """
        ...

    def wish(self, item_id: str) -> Mapping[str, Any] | None:
        """What a quarantined item was to be, as `writing.wishes` has it; None where nobody said."""
        ...

    def only_files_brought(self, item_ids: Sequence[str]) -> frozenset[str]:
        """Those of these items of which the audit log knows nothing but files that brought them unvouched for.

        Cost: one pass over the audit log.
        """
        ...

    def coming_from(self, provenances: Provenances) -> list[str]:
        """Ids of items from there that are not archived, oldest first."""
        ...


class GoverningWriter(GoverningReader, Protocol):
    """What the review keeps."""

    def keep_wish(self, item_id: str, wished: Mapping[str, Any]) -> None:
        """Keep what a quarantined item was to be, beside its verdict."""
        ...
