"""Reading that SQLite alone has: FTS5 and seals."""

from __future__ import annotations

from collections.abc import Sequence

from simonides.domain.selection import Selection
from simonides.ports.store import TextMatches, TextQuery
from simonides.storage.sql.reader import SqlReader
from simonides.storage.sql.statement_reader import KnownScopes
from simonides.storage.sqlite.conditions import NOTHING
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.seals import altered
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.text import TextSearch, state_of


class SqliteReader(SqlReader):
    """Meets `ports.store.Reader` over one connection; the caller holds the transaction."""

    def __init__(
        self, connection: Connection, text: TextSearch, known_scopes: KnownScopes | None = None
    ) -> None:
        super().__init__(SqliteDatabase(connection), known_scopes)
        self._connection = connection
        self._text = text

    def altered(self, item_ids: Sequence[str] = (), *, entities: Sequence[str] = ()) -> frozenset[str]:
        items = altered(self._connection, "memory_items", item_ids) if item_ids else frozenset[str]()
        return items | (
            altered(self._connection, "memory_entities", entities) if entities else frozenset[str]()
        )

    def search_text(self, query: TextQuery, selection: Selection, limit: int) -> TextMatches:
        conditions, values = self._database.conditions(selection, self._scope_keys)
        scoped = selection.scopes is not None and conditions != NOTHING
        return self._text.search(
            self._connection, self._text_state(), query, conditions, values, limit, scoped=scoped
        )

    def document_counts(self, tokens: Sequence[str]) -> dict[str, int]:
        return self._text.fold_counts(self._connection, self._text_state(), tokens)

    def _text_state(self) -> tuple[int, int]:
        if not self.stands:
            return state_of(self._connection)
        if self._seen is None:
            self._seen = state_of(self._connection)
        return self._seen
