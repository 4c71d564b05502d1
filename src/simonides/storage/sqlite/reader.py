"""Reading that SQLite alone has: FTS5 and seals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.domain.link import Relation
from simonides.domain.selection import Selection
from simonides.ports.entities import Edge
from simonides.ports.recalling import Intact
from simonides.ports.store import TextMatches, TextQuery
from simonides.storage.sql.conditions import NOTHING
from simonides.storage.sql.entities import surroundings_of
from simonides.storage.sql.reader import SqlReader
from simonides.storage.sql.rows import to_items
from simonides.storage.sql.statement_reader import KnownScopes
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.seals import altered_entities, items_and_soundness
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.text import TextSearch, state_of

#: Links and turns that are read in no order: of more the strongest links count, which have to be sorted.
_FEW: Final = 1_000


class SqliteReader(SqlReader):
    """Meets `ports.store.Reader` over one connection; the caller holds the transaction."""

    def __init__(
        self, connection: Connection, text: TextSearch, known_scopes: KnownScopes | None = None
    ) -> None:
        super().__init__(SqliteDatabase(connection), known_scopes)
        self._connection = connection
        self._text = text

    def intact(self, keys: Sequence[int]) -> Intact:
        rows = items_and_soundness(self._connection, keys) if len(keys) else []
        items = to_items(row for row in rows if row[-1])
        return Intact(
            {key: items[key] for key in keys if key in items},
            frozenset(row[1] for row in rows if not row[-1]),
        )

    def surroundings(
        self,
        seeds: Sequence[int],
        relations: frozenset[Relation],
        around: Sequence[int],
        reach: int,
        selection: Selection,
    ) -> tuple[list[Edge], frozenset[int], list[int]]:
        bound = {
            "keys": seeds,
            "relations": relations - {Relation.MENTIONS},
            "around": around,
            "reach": reach,
        }
        rows = list(self._selected("few_surroundings", selection, **bound, limit=_FEW))
        if len(rows) == _FEW:
            return super().surroundings(seeds, relations, around, reach, selection)
        edges, _, turns = surroundings_of(rows)
        ends = {end for edge in edges for end in (edge.src, edge.dst)}
        return edges, frozenset(self.matching(sorted(ends), selection)), turns

    def altered_entities(self, entity_ids: Sequence[str]) -> frozenset[str]:
        return altered_entities(self._connection, entity_ids) if entity_ids else frozenset()

    def search_text(self, query: TextQuery, selection: Selection, limit: int) -> TextMatches:
        conditions, values = self._conditions(selection)
        scoped = selection.scopes is not None and conditions != NOTHING
        return self._text.search(
            self._connection, self._text_state(), query, conditions, values, limit, scoped=scoped
        )

    def document_counts(self, tokens: Sequence[str]) -> dict[str, int]:
        return self._text.document_counts(self._connection, self._text_state(), tokens)

    def tokens_beginning(self, beginnings: Sequence[str], most: int) -> list[tuple[str, int]]:
        return self._text.tokens_beginning(self._connection, beginnings, most)

    def _text_state(self) -> tuple[int, int]:
        if not self.stands:
            return state_of(self._connection)
        if self._seen is None:
            self._seen = state_of(self._connection)
        return self._seen
