"""Reading that PostgreSQL does otherwise: text search, and what was changed outside."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from simonides.domain.entity import fold
from simonides.domain.item import Item
from simonides.domain.selection import Selection
from simonides.domain.text import cjk_bigrams, cjk_runs, cleaned_text, is_lone
from simonides.language.russian_names import forms
from simonides.language.search_tokens import search_tokens
from simonides.ports.recalling import Intact
from simonides.ports.store import TextMatches, TextQuery
from simonides.storage.postgres.conditions import NOTHING
from simonides.storage.postgres.database import PostgresDatabase
from simonides.storage.postgres.words import KINDS, cut, prefix_of
from simonides.storage.sql.expression import SMALL_STORE
from simonides.storage.sql.reader import SqlReader
from simonides.storage.sql.rows import stored_hash, to_item, to_items
from simonides.storage.sql.statement_reader import KnownScopes

#: Most tokens in one query.
MAX_TERMS: Final = 64
#: Words that begin like a prefix and are looked for.
_MOST_PREFIXED: Final = 64
_LAST: Final = "\U0010ffff"
#: Conditions that `simonides_search` knows itself, by what they begin with.
_KNOWN: Final = (
    "i.scope_key ",
    "i.status ",
    "(i.expires_at IS NULL",
    "i.type = ANY",
    "i.session_id =",
    "i.key = ANY",
)
_EVERY: Final = 1 << 53


class PostgresReader(SqlReader):
    """Meets `ports.store.Reader` over one view; the caller holds the transaction."""

    _database: PostgresDatabase

    def __init__(self, database: PostgresDatabase, known_scopes: KnownScopes | None = None) -> None:
        super().__init__(database, known_scopes)

    def intact(self, keys: Sequence[int]) -> Intact:
        rows = self._database.rows("items_by_key", keys=keys).fetchall() if len(keys) else []
        sound = to_items(row for row in rows if is_sound(row))
        return Intact(
            {key: sound[key] for key in keys if key in sound},
            frozenset(row[1] for row in rows if row[0] not in sound),
        )

    def altered_entities(self, entity_ids: Sequence[str]) -> frozenset[str]:
        known = self._database.rows("known_entities", ids=list(entity_ids)) if entity_ids else ()
        return frozenset(entity_ids).difference(id_ for (id_,) in known)

    def search_text(self, query: TextQuery, selection: Selection, limit: int) -> TextMatches:
        cleaned = (cleaned_text(term) for term in query.terms)
        terms = tuple(dict.fromkeys(term for term in cleaned if term and not term.isspace()))[:MAX_TERMS]
        conditions, values = self._database.conditions(selection, self._scope_keys)
        if not terms or conditions == NOTHING or not selection.statuses:
            return _matches([], terms)
        if all(map(is_lone, terms)):
            return self._like(terms, query, conditions, values, limit)
        rest = [condition for condition in conditions if not condition.startswith(_KNOWN)]
        among = None if selection.among is None else list(selection.among)
        if rest:
            rows = self._database.execute("items_newest_first", values | {"limit": _EVERY}, *conditions)
            among = [key for (key,) in rows]
        words = [
            {
                "term": term,
                "tokens": [[cut(token)] for token in tokens]
                if len(tokens) != 1
                else [_forms(tokens[0], query)],
            }
            for term, tokens in zip(terms, search_tokens(terms), strict=True)
        ]
        if query.prefixes:
            self._expand(words)
        keys = [values["scope_key"]] if "scope_key" in values else values.get("scope_keys")
        rows = self._searched(
            words, selection, keys, every=query.every, above=query.above_bytes, among=among, limit=limit
        )
        used = {place for row in rows[:1] for place in row[2]}
        taken = tuple(term for place, term in enumerate(terms, 1) if not used or place in used)
        return _matches(rows, taken)

    def _searched(
        self,
        words: Sequence[dict[str, Any]],
        selection: Selection,
        scope_keys: Sequence[int] | None,
        *,
        limit: int,
        every: bool = False,
        above: int = 0,
        among: Sequence[int] | None = None,
    ) -> list[tuple[Any, ...]]:
        return self._database.rows(
            "search_text",
            words=json.dumps(list(words)),
            every=every,
            kinds=self._kinds(scope_keys, [KINDS[status.value] for status in selection.statuses]),
            live_at=selection.live_at,
            types=None if selection.types is None else sorted(selection.types),
            session=selection.session_id,
            above=above,
            among=among,
            small=_EVERY if every else SMALL_STORE,
            limit=limit,
        ).fetchall()

    def _kinds(self, scope_keys: Sequence[int] | None, statuses: Sequence[str]) -> str:
        """What rows must hold besides, as part of a tsquery."""
        prefix = prefix_of(self._database.tenant)
        groups = [[f"'{prefix}{status}'" for status in sorted(statuses)]]
        if scope_keys is not None:
            groups.append([f"'{prefix}#s{key}'" for key in scope_keys])
        return "".join(f" & ({' | '.join(group)})" for group in groups)

    def _expand(self, words: Sequence[dict[str, Any]]) -> None:
        """Let the last token of each term stand for all tokens that begin like it."""
        for word in words:
            if not word["tokens"]:
                continue
            first, *others = word["tokens"][-1]
            rows = self._database.rows("terms_between", first=first, last=first + _LAST, limit=_MOST_PREFIXED)
            word["tokens"][-1] = sorted({first, *others, *(term for term, _ in rows)})

    def holders_of_name(self, name: str, scope: int, limit: int) -> list[int]:
        """Active items of a scope that hold every word of a name, the newest first."""
        parts = [pair for run in cjk_runs(name) for pair in cjk_bigrams(run)] or name.split()
        words: list[dict[str, Any]] = []
        for part in dict.fromkeys(parts):
            cases = search_tokens(sorted(forms(fold(part))))
            written = sorted({cut(tokens[0]) for tokens in cases if len(tokens) == 1})
            several = [[cut(token)] for token in next((tokens for tokens in cases if len(tokens) > 1), ())]
            words.append({"term": part, "tokens": [written] if written else several})
        if not words:
            return []
        selection = Selection(scopes=None, live_at=None)
        rows = self._searched(words, selection, [scope], every=True, limit=_EVERY)
        return sorted((row[0] for row in rows), reverse=True)[:limit]

    def document_counts(self, tokens: Sequence[str]) -> dict[str, int]:
        if not tokens:
            return {}
        cuts = {token: cut(token) for token in tokens}
        held = dict(self._database.rows("documents_with_terms", terms=sorted(set(cuts.values()))))
        return {token: held.get(short, 0) for token, short in cuts.items()}

    def tokens_beginning(self, beginnings: Sequence[str], most: int) -> list[tuple[str, int]]:
        found: dict[str, int] = {}
        for first in beginnings:
            rows = self._database.rows(
                "terms_between", first=first, last=first + _LAST, limit=most - len(found)
            )
            found |= dict(rows)
        return list(found.items())

    def _like(
        self,
        terms: Sequence[str],
        query: TextQuery,
        conditions: Sequence[str],
        values: dict[str, Any],
        limit: int,
    ) -> TextMatches:
        """The rows that hold most of some lone characters: the texts of all that meet the conditions are read."""
        least = len(terms) if query.every else 1
        rows = self._database.execute(
            "search_like", values | {"terms": list(terms), "least": least, "limit": limit}, *conditions
        ).fetchall()
        return _matches(rows, tuple(terms))


def _forms(token: str, query: TextQuery) -> list[str]:
    """A token with its variants of one word; what has to hold several together counts in the ranking alone."""
    variants = query.variants.get(token, ())
    return [cut(token), *(cut(one) for one in variants if " " not in one)]


def is_sound(row: Sequence[Any]) -> bool:
    """True if an item's row, in the order of `memory_item_rows`, is as it was written."""
    # The view's confidence holds what use added; the hash covers the row's own, in column 11.
    item: Item = replace(to_item(row), confidence=row[11])
    return stored_hash(item) == row[-1] and item.content_hash == row[-2]


def _matches(rows: Sequence[tuple[Any, ...]], terms: tuple[str, ...]) -> TextMatches:
    return TextMatches(
        keys=np.array([row[0] for row in rows], np.int64),
        scores=np.array([row[1] for row in rows], np.float64),
        terms=terms,
    )
