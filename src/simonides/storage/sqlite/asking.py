"""Running named statements on a connection, with selections as conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.storage.sqlite.conditions import conditions, keys_array, words_array
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement


class Asking:
    """What every reader of a connection does; the caller holds the transaction."""

    #: Whether nothing changes while it is used.
    stands: bool = True

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known_scopes: dict[tuple[Scope, ...], list[int]] = {}

    def _rows(self, name: str, /, **values: Any) -> Iterator[tuple[Any, ...]]:
        return self._connection.execute(statement(name), values)

    def _value(self, name: str, /, **values: Any) -> Any:
        return self._connection.execute(statement(name), values).get

    def _selected(self, name: str, selection: Selection, /, **values: Any) -> Iterator[tuple[Any, ...]]:
        fragments, bound = conditions(selection, self._scope_keys)
        return self._connection.execute(statement(name, *fragments), bound | values)

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
        return [key for _, key in self._rows("scope_keys", paths=words_array(scopes))]

    def _seen_from(self, scopes: tuple[Scope, ...] | None) -> dict[str, Any]:
        """Scopes as the values `everywhere` and `scope_keys`."""
        keys = [] if scopes is None else self._scope_keys(scopes)
        return {"everywhere": scopes is None, "scope_keys": keys_array(keys or [0])}
