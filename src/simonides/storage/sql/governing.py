"""What the policy and the review ask of the file."""

from __future__ import annotations

from collections.abc import Sequence

from simonides.domain.scope import Scope
from simonides.storage.sql.asking import Asking


class SqlGoverningReader(Asking):
    """Meets `ports.governing.GoverningReader`."""

    def settled(self, scopes: tuple[Scope, ...]) -> dict[int, bytes]:
        return dict(self._rows("settled_items", paths=scopes))

    def only_files_brought(self, item_ids: Sequence[str]) -> frozenset[str]:
        rows = self._rows("only_files_brought", ids=item_ids)
        return frozenset(id_ for (id_,) in rows)
