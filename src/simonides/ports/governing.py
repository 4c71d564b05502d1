"""What a store tells the policy and the review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from simonides.domain.scope import Scope


class GoverningReader(Protocol):
    """What a new item is held against, and who brought items."""

    def settled(self, scopes: tuple[Scope, ...]) -> dict[int, bytes]:
        """Active items of these scopes that are pinned or verified: key to a mark that another state changes.

        Cost: of these items alone, however large the store is.
        """
        ...

    def only_files_brought(self, item_ids: Sequence[str]) -> frozenset[str]:
        """Those of these items of which the audit log knows nothing but files that brought them unvouched for.

        Cost: one pass over the audit log.
        """
        ...
