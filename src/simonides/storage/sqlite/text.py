"""The text channel: safe FTS5 queries with bounded work, and a LIKE search where FTS5 is missing."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any, Final, cast

import apsw
import numpy as np

from simonides.domain.entity import fold
from simonides.domain.text import cjk_bigrams, cjk_runs, cleaned_text, is_lone
from simonides.language.russian_names import forms
from simonides.language.search_tokens import search_tokens
from simonides.ports.store import TextMatches, TextQuery
from simonides.storage.sql.expression import SMALL_STORE, Chosen, affordable, whole
from simonides.storage.sqlite.sql import Connection, table
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.text_index import AS_IT_IS

#: Most tokens in one query.
MAX_TERMS: Final = 64
#: LIKE refuses patterns above 50,000 bytes: a term is cut before, with room for escapes.
_MAX_LIKE_CHARS: Final = 5000
#: Contents of more bytes have an index of their own.
LONG_BYTES: Final = 4_000
_IS_LONG: Final = f"""i.key IN (
    SELECT key FROM memory_items INDEXED BY memory_items_long WHERE octet_length(content) > {LONG_BYTES}
)"""
#: What a state of the store is known by here: its last item key and last change.
State = tuple[int, int]


class TextSearch:
    """Text search over any connection of one store; remembers how common terms are."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frequencies: dict[str, int] = {}
        self._counted_at = (0, 0)

    def search(
        self,
        connection: Connection,
        state: State,
        query: TextQuery,
        conditions: Sequence[str],
        values: dict[str, Any],
        limit: int,
        *,
        scoped: bool,
    ) -> TextMatches:
        """The best matches among rows that meet the conditions; `scoped` if these name scopes and statuses."""
        # NUL would end the query for SQLite, and half a surrogate pair cannot be passed to it at all.
        cleaned = (cleaned_text(term) for term in query.terms)
        terms = tuple(dict.fromkeys(term for term in cleaned if term and not term.isspace()))[:MAX_TERMS]
        if not terms:
            return _matches([], terms)
        if all(map(is_lone, terms)):
            return self._like(connection, terms, query, conditions, values, limit, degraded=None)
        if query.above_bytes:
            if query.above_bytes >= LONG_BYTES:
                if not connection.execute(statement("any_long_item")).get:
                    return _matches([], terms)
                conditions = (*conditions, _IS_LONG)
            conditions = (*conditions, "octet_length(i.content) > :above_bytes")
            values = values | {"above_bytes": query.above_bytes}
        try:
            chosen = self._chosen(connection, state, terms, query)
            rows = connection.execute(
                statement("search_text_in_scopes" if scoped else "search_text", *conditions),
                values
                | {
                    "match": chosen.expression,
                    "repeated": chosen.repeated,
                    "most": -1 if chosen.most is None else chosen.most,
                    "limit": limit,
                },
            ).fetchall()
        except (apsw.SQLError, apsw.CorruptError) as error:
            if not is_text_index_gone(error):
                raise
            return self._like(connection, terms, query, conditions, values, limit)
        return _matches(rows, chosen.terms)

    def holders(self, connection: Connection, name: str, scope_key: int, limit: int) -> list[int]:
        """Active items of a scope that hold every word of a name, the newest first; none without a text index."""
        words = [pair for run in cjk_runs(name) for pair in cjk_bigrams(run)] or name.split()
        if not words:
            return []
        terms = tuple(dict.fromkeys(words))
        cases = {term: sorted(forms(fold(term))) for term in terms}
        match = whole(terms, every=True, forms=cases).expression
        try:
            rows = connection.execute(
                statement("items_holding"), {"match": match, "scope_key": scope_key, "limit": limit}
            ).fetchall()
        except (apsw.SQLError, apsw.CorruptError) as error:
            if not is_text_index_gone(error):
                raise
            return []
        return [key for (key,) in rows]

    def _chosen(
        self, connection: Connection, state: State, terms: tuple[str, ...], query: TextQuery
    ) -> Chosen:
        """The terms that the index is asked for: all, or those that a large store can afford."""
        rows, _ = state
        stems = search_tokens(terms)
        forms = {
            term: [_as_it_is(variant) for variant in query.variants[tokens[0]]]
            for term, tokens in zip(terms, stems, strict=True)
            if len(tokens) == 1 and tokens[0] in query.variants
        }
        if query.every or query.prefixes or rows <= SMALL_STORE:
            return whole(terms, every=query.every, prefixes=query.prefixes, forms=forms)
        counts = self.document_counts(
            connection, state, sorted({token for tokens in stems for token in tokens})
        )
        rarity = {
            term: min((counts[token] for token in tokens), default=0)
            for term, tokens in zip(terms, stems, strict=True)
        }
        return affordable(terms, rarity, rows, forms)

    def tokens_beginning(
        self, connection: Connection, beginnings: Sequence[str], most: int
    ) -> list[tuple[str, int]]:
        """Tokens that begin with any of these, with the number of rows that hold each; none without a text index."""
        try:
            return connection.execute(
                statement("terms_beginning"), {"beginnings": table(beginnings), "limit": most}
            ).fetchall()
        except (apsw.SQLError, apsw.CorruptError) as error:
            if not is_text_index_gone(error):
                raise
            return []

    def forget(self) -> None:
        """Drop the counts, and with them the words of questions."""
        with self._lock:
            self._frequencies = {}

    def document_counts(self, connection: Connection, state: State, tokens: Sequence[str]) -> dict[str, int]:
        """Count the rows that hold each token, from memory where nothing has changed since they were counted.

        Exact, not nearly so: counts that lag behind would let two processes rank the same store
        differently.
        """
        with self._lock:
            if state != self._counted_at:
                self._counted_at, self._frequencies = state, {}
            frequencies = self._frequencies  # Of this state: another reader may meanwhile begin a newer one.
        missing = [token for token in tokens if token not in frequencies]
        if missing:
            try:
                held = connection.execute(statement("documents_with_terms"), {"terms": table(missing)})
                frequencies |= dict.fromkeys(missing, 0) | dict(held)
            except (apsw.SQLError, apsw.CorruptError) as error:
                if not is_text_index_gone(error):
                    raise
                return {token: frequencies.get(token, 0) for token in tokens}
        return {token: frequencies[token] for token in tokens}

    def _like(
        self,
        connection: Connection,
        terms: Sequence[str],
        query: TextQuery,
        conditions: Sequence[str],
        values: dict[str, Any],
        limit: int,
        degraded: str
        | None = "text index missing or damaged: searched with LIKE; `simonides rebuild-fts` makes it anew",
    ) -> TextMatches:
        """The rows that hold most of the terms, by looking into the texts of all that meet the conditions."""
        patterns = json.dumps([f"%{_escaped(term[:_MAX_LIKE_CHARS])}%" for term in terms])
        least = len(terms) if query.every else 1
        rows = connection.execute(
            statement("search_like", *conditions),
            values | {"patterns": patterns, "least": least, "limit": limit},
        ).fetchall()
        return _matches(rows, tuple(terms), degraded)


def _as_it_is(variant: str) -> str:
    return " ".join(f"{AS_IT_IS}{token}" for token in variant.split())


def state_of(connection: Connection) -> State:
    """The state that a connection sees."""
    return connection.execute(statement("state_of_text")).get


def is_text_index_gone(error: apsw.Error) -> bool:
    """True if an error says that there is no text index, or none that can be read."""
    if isinstance(error, apsw.CorruptError):
        return cast("Any", error).extendedresult == apsw.SQLITE_CORRUPT_VTAB
    return "memory_items_fts" in str(error)


def _escaped(term: str) -> str:
    return term.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _matches(
    rows: Sequence[tuple[Any, ...]], terms: tuple[str, ...], degraded: str | None = None
) -> TextMatches:
    return TextMatches(
        keys=np.array([row[0] for row in rows], np.int64),
        scores=np.array([row[1] for row in rows], np.float64),
        terms=terms,
        degraded=degraded,
    )
