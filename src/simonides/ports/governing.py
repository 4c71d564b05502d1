"""Precedents: what a store tells the policy and the review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from simonides.domain.entity import Entity
from simonides.domain.item import Item
from simonides.domain.scope import Scope
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.ports.store import TextQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecedentQuery:
    """A query for all that new items of a scope are to be held against, as it is visible from there.

    Attributes:
        at: The present instant; what has expired by then is no precedent.
        types: Of the near items.
        near: Words of each new item that is compared with the items near to it.
        most_near: Number of near items to compare one with.
        session_id: The conversation in which something is proposed; None for none.
        injections: Number of the session's latest prompts to look at.
        told: Number of items to read of those that were put into these prompts.
        heard: Number of the session's latest turns to read.
        sources: Ids of items that the new ones name as their source.
        names: Names that each item mentions, folded.
    """

    scope: Scope
    at: int
    types: frozenset[str] = frozenset()
    near: Sequence[TextQuery] = ()
    most_near: int = 0
    session_id: str | None = None
    injections: int = 0
    told: int = 0
    heard: int = 0
    sources: Sequence[str] = ()
    names: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedents:
    """Known items that new ones are held against.

    Attributes:
        settled: Active items that are pinned or verified: key to a mark that another state changes.
        near: For each of the queries the items that match best.
        archived: Likewise, of what is out of recall, and of turns that are; of narrower scopes, too.
        told: What was put into prompts of the session.
        heard: Turns of the session, whoever said them, the latest first.
        sources: The wanted items by id; those that do not exist are left out.
        entities: For each item the entities that have one of its names, by name.
    """

    settled: Mapping[int, bytes]
    near: Sequence[Sequence[Item]] = ()
    archived: Sequence[Sequence[Item]] = ()
    told: Sequence[Item] = ()
    heard: Sequence[Item] = ()
    sources: Mapping[str, Item]
    entities: Sequence[Sequence[Entity]] = ()


class GoverningReader(Protocol):
    """Precedents of new items."""

    def precedents(self, query: PrecedentQuery) -> Precedents:
        """All that is known and bears on new items.

        Cost: of the settled items alone, however large the store is, and of each text search.
        """
        ...
