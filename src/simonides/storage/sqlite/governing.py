"""What the policy and the review ask of the file."""

from __future__ import annotations

from collections.abc import Sequence

from simonides.domain.scope import Scope
from simonides.storage.sqlite.asking import Asking
from simonides.storage.sqlite.conditions import words_array


class SqliteGoverningReader(Asking):
    """Meets `ports.governing.GoverningReader`."""

    def settled(self, scopes: tuple[Scope, ...]) -> dict[int, bytes]:
        return dict(self._rows("settled_items", paths=words_array(scopes)))

    def only_files_brought(self, item_ids: Sequence[str]) -> frozenset[str]:
        rows = self._rows("only_files_brought", ids=words_array(item_ids or [""]))
        return frozenset(id_ for (id_,) in rows)
