"""What the policy and the review ask of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simonides.domain.scope import Scope
from simonides.storage.sqlite.asking import Asking
from simonides.storage.sqlite.conditions import words_array
from simonides.storage.sqlite.rows import parsed


class SqliteGoverningReader(Asking):
    """Meets `ports.governing.GoverningReader`."""

    def settled(self, scopes: tuple[Scope, ...]) -> dict[int, bytes]:
        return dict(self._rows("settled_items", paths=words_array(scopes)))

    def wish(self, item_id: str) -> Mapping[str, Any] | None:
        found = self._value("wish_of_item", id=item_id)
        return None if found is None else parsed(found)

    def only_files_brought(self, item_ids: Sequence[str]) -> frozenset[str]:
        rows = self._rows("only_files_brought", ids=words_array(item_ids or [""]))
        return frozenset(id_ for (id_,) in rows)
