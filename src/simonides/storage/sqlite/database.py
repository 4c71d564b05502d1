"""The named statements of SQLite, run on a connection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import apsw

from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.errors import Conflict
from simonides.storage.sql.database import Cursor
from simonides.storage.sqlite.conditions import conditions
from simonides.storage.sqlite.seals import ADDED
from simonides.storage.sqlite.sql import Connection, table
from simonides.storage.sqlite.statements import WHOLE, statement

#: What may not be there twice, by the columns that say so.
_TWICE: Final = {
    "memory_items.id": "an item with this id is there already",
    "memory_items.scope_key, memory_items.content_hash": "another item of the scope says the same",
    "memory_items.session_id": "the session holds this turn already",
}
_COLLECTIONS: Final = (list, tuple, set, frozenset)


class SqliteDatabase:
    """Meets `storage.sql.database.Database`."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.changes = connection.changes

    @property
    def key(self) -> bytes | None:
        return self.connection.key

    def execute(self, name: str, values: Any = None, /, *conditions: str) -> Cursor:
        if name in ADDED:
            return self.connection.add(name, [values])
        if isinstance(values, dict):
            values = {
                field: table(cast("Collection[Any]", value)) if isinstance(value, _COLLECTIONS) else value
                for field, value in cast("dict[str, Any]", values).items()
            }
        return self.connection.execute(WHOLE.get(name) or statement(name, *conditions), values)

    def look(self, name: str, values: Any = None, /, *conditions: str) -> None:
        """Nothing: what is near is asked when it is wanted."""

    def rows(self, name: str, /, **values: Any) -> Cursor:
        return self.execute(name, values)

    def value(self, name: str, /, **values: Any) -> Any:
        return self.execute(name, values).get

    def executemany(self, name: str, rows: Iterable[Any], /) -> Cursor:
        if name in ADDED:
            return self.connection.add(name, rows)
        return self.connection.executemany(WHOLE.get(name) or statement(name), rows)

    def count(self, name: str, values: Any = None, /) -> Callable[[], int]:
        self.execute(name, values)
        written = self.changes()
        return lambda: written

    def conditions(
        self, selection: Selection, scope_keys: Callable[[Sequence[Scope]], list[int]]
    ) -> tuple[list[str], dict[str, Any]]:
        return conditions(selection, scope_keys)

    def among(self, column: str, values: str) -> str:
        return f"{column} IN (SELECT value FROM carray(:{values}))"

    def fragment(self, name: str) -> str:
        return statement(name)

    @contextmanager
    def conflicts(self) -> Generator[None]:
        try:
            yield
        except apsw.ConstraintError as error:
            if cast("Any", error).extendedresult != apsw.SQLITE_CONSTRAINT_UNIQUE:
                raise
            why = next((why for columns, why in _TWICE.items() if columns in str(error)), str(error))
            raise Conflict(f"{why}; nothing was written") from error

    def version(self) -> object:
        return self.connection.pragma("data_version")
