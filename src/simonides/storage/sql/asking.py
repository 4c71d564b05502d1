"""Running named statements, with selections as conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.storage.sql.database import Database


class Asking:
    """What every reader of a database does; the caller holds the transaction."""

    #: Whether nothing changes while it is used.
    stands: bool = True

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known_scopes: dict[tuple[Scope, ...], list[int]] = {}

    def _rows(self, name: str, /, **values: Any) -> Iterator[tuple[Any, ...]]:
        return self._database.execute(name, values)

    def _value(self, name: str, /, **values: Any) -> Any:
        return self._database.execute(name, values).get

    def _selected(self, name: str, selection: Selection, /, **values: Any) -> Iterator[tuple[Any, ...]]:
        conditions, bound = self._database.conditions(selection, self._scope_keys)
        return self._database.execute(name, bound | values, *conditions)

    def _scope_keys(self, scopes: Sequence[Scope]) -> list[int]:
        if not self.stands:
            return self._looked_up(scopes)
        if (asked := tuple(scopes)) not in self._known_scopes:
            self._known_scopes[asked] = self._looked_up(scopes)
        return self._known_scopes[asked]

    def _looked_up(self, scopes: Sequence[Scope]) -> list[int]:
        if len(scopes) == 1:
            key = self._value("scope_key", path=str(scopes[0]))
            return [] if key is None else [key]
        return [key for _, key in self._rows("scope_keys", paths=scopes)]

    def _seen_from(self, scopes: tuple[Scope, ...] | None) -> dict[str, Any]:
        """Scopes as the values `everywhere` and `scope_keys`."""
        keys = [] if scopes is None else self._scope_keys(scopes)
        return {"everywhere": scopes is None, "scope_keys": keys}
