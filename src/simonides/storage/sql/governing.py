"""Precedents, made of what a store reads otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from simonides.domain.entity import Entity
from simonides.domain.item import Item, Status
from simonides.domain.records import Injection
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection
from simonides.ports.governing import PrecedentQuery, Precedents
from simonides.ports.store import TextMatches, TextQuery
from simonides.storage.sql.statement_reader import StatementReader

#: As many more are looked at of what is out of recall: of that only what somebody took out counts.
_ARCHIVED: Final = 4


class _Readings(Protocol):
    """Readings that precedents are made of."""

    def load(self, keys: Sequence[int]) -> dict[int, Item]: ...
    def get(self, item_ids: Sequence[str]) -> dict[str, Item]: ...
    def select(self, selection: Selection, order: ItemOrder, *, limit: int) -> dict[int, Item]: ...
    def search_text(self, query: TextQuery, selection: Selection, limit: int) -> TextMatches: ...
    def injections(self, limit: int, *, session_id: str) -> list[Injection]: ...
    def entities_named(
        self, folded: Sequence[str], scopes: tuple[Scope, ...]
    ) -> list[tuple[str, int, Entity]]: ...


class SqlGoverningReader(StatementReader):
    """Meets `ports.governing.GoverningReader`."""

    def precedents(self, query: PrecedentQuery) -> Precedents:
        settled = dict(self._database.rows("settled_items", paths=query.scope.visible()))
        return _precedents(self, settled, query)  # pyright: ignore[reportArgumentType] - of the whole reader


def _precedents(reader: _Readings, settled: dict[int, bytes], query: PrecedentQuery) -> Precedents:
    visible = query.scope.visible()
    typed = Selection(scopes=visible, live_at=query.at, types=query.types)
    stated: list[Item] = []
    heard: list[Item] = []
    if query.session_id is not None:
        prompts = reader.injections(query.injections, session_id=query.session_id)
        ids = dict.fromkeys(item_id for prompt in prompts for item_id, _ in prompt.items)
        items = reader.get(list(ids)[: query.told])
        stated = [item for item in items.values() if query.scope.sees(item.scope)]
        # In a room that many share, somebody else may have said it.
        turns = Selection(
            scopes=tuple(filter(query.scope.is_of_one_user, visible)),
            live_at=query.at,
            types=frozenset({"episode"}),
            session_id=query.session_id,
        )
        heard = list(reader.select(turns, ItemOrder.LATEST, limit=query.heard).values())
    gone = replace(
        typed,
        live_at=None,
        statuses=frozenset({Status.ARCHIVED, Status.QUARANTINED}),
        types=query.types | {"episode"},
    )
    return Precedents(
        settled=settled,
        near=[_best(reader, words, typed, query.most_near) for words in query.near],
        archived=[_taken_out(reader, words, gone, query) for words in query.near],
        told=stated,
        heard=heard,
        sources=reader.get(query.sources),
        entities=[[one for _, _, one in reader.entities_named(names, visible)] for names in query.names],
    )


def _taken_out(reader: _Readings, words: TextQuery, gone: Selection, query: PrecedentQuery) -> list[Item]:
    """Items out of recall that match best: of what is visible, and of the scopes that would see the new item."""
    most = _ARCHIVED * query.most_near
    anywhere = _best(reader, words, replace(gone, scopes=None), most)
    return [
        *_best(reader, words, gone, most),
        *(item for item in anywhere if item.scope != query.scope and item.scope.sees(query.scope)),
    ]


def _best(reader: _Readings, words: TextQuery, selection: Selection, limit: int) -> list[Item]:
    return list(reader.load(reader.search_text(words, selection, limit).keys.tolist()).values())
