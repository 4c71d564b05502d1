"""Running named statements, with selections as conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.storage.sql.database import Database

KnownScopes = dict[tuple[Scope, ...], list[int]]
#: Sets of scopes whose keys are kept; then it begins anew.
_MOST_KNOWN: Final = 10_000


class StatementReader:
    """The ground of every reader of a database; the caller holds the transaction."""

    #: Whether nothing changes while it is used.
    stands: bool = True

    def __init__(self, database: Database, known_scopes: KnownScopes | None = None) -> None:
        self._database = database
        #: Keys of scopes that are all there. They never change: other views may share them.
        self._known_scopes = {} if known_scopes is None else known_scopes

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
        asked = tuple(scopes)
        if (known := self._known_scopes.get(asked)) is not None:
            return known
        found = self._looked_up(scopes)
        if len(found) == len(set(asked)):
            if len(self._known_scopes) > _MOST_KNOWN:
                self._known_scopes.clear()
            self._known_scopes[asked] = found
        return found

    def _looked_up(self, scopes: Sequence[Scope]) -> list[int]:
        if len(scopes) == 1:
            key = self._value("scope_key", path=str(scopes[0]))
            return [] if key is None else [key]
        return [key for _, key in self._rows("scope_keys", paths=scopes)]

    def _seen_from(self, scopes: tuple[Scope, ...] | None) -> dict[str, Any]:
        """Scopes as the values `everywhere` and `scope_keys`."""
        keys = [] if scopes is None else self._scope_keys(scopes)
        return {"everywhere": scopes is None, "scope_keys": keys}
