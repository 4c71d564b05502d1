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
        #: The same of this view, where some are not there.
        self._scopes_in_part: KnownScopes = {}
        #: The conditions of the selection that was asked for last, with their values.
        self._last_conditions: tuple[Selection, list[str], dict[str, Any]] | None = None

    def _selected(self, name: str, selection: Selection, /, **values: Any) -> Iterator[tuple[Any, ...]]:
        conditions, bound = self._conditions(selection)
        return self._database.execute(name, bound | values, *conditions)

    def _conditions(self, selection: Selection) -> tuple[list[str], dict[str, Any]]:
        """The conditions of a selection, made once where one read asks for it several times in a row."""
        last = self._last_conditions
        if last is None or last[0] is not selection or not self.stands:
            last = selection, *self._database.conditions(selection, self._scope_keys)
            self._last_conditions = last
        return last[1], last[2]

    def _scope_keys(self, scopes: Sequence[Scope]) -> list[int]:
        if not self.stands:
            return self._looked_up(scopes)
        wanted = tuple(scopes)
        known = self._known_scopes.get(wanted)
        if known is None:
            known = self._scopes_in_part.get(wanted)
        if known is None:
            known = self._looked_up(scopes)
            kept = self._known_scopes if len(known) == len(set(wanted)) else self._scopes_in_part
            if len(kept) > _MOST_KNOWN:
                kept.clear()
            kept[wanted] = known
        return known

    def _looked_up(self, scopes: Sequence[Scope]) -> list[int]:
        if len(scopes) == 1:
            key = self._database.value("scope_key", path=str(scopes[0]))
            return [] if key is None else [key]
        return [key for _, key in self._database.rows("scope_keys", paths=scopes)]

    def _seen_from(self, scopes: tuple[Scope, ...] | None) -> dict[str, Any]:
        """Scopes as the values `everywhere` and `scope_keys`."""
        keys = [] if scopes is None else self._scope_keys(scopes)
        return {"everywhere": scopes is None, "scope_keys": keys}
