"""What a store tells the policy and the review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from simonides.domain.scope import Scope


class GoverningReader(Protocol):
    """What a new item is held against, and who brought items."""

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


class GoverningWriter(GoverningReader, Protocol):
    """What the review keeps."""

    def keep_wish(self, item_id: str, wished: Mapping[str, Any]) -> None:
        """Keep what a quarantined item was to be, beside its verdict."""
        ...
