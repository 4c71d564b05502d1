"""The palace of a Memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from simonides.compose import Parts
from simonides.domain.item import Item
from simonides.domain.records import Place
from simonides.domain.scope import Scopes, looked_from, visible
from simonides.domain.selection import Selection
from simonides.domain.text import short_text
from simonides.parts.arguments import acting, count, word
from simonides.parts.looking import item_of

if TYPE_CHECKING:
    from simonides.writing.curate import Curator


class Palace:
    """The browsing hierarchy domain / room / shelf / card."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self, domain: str | None = None, room: str | None = None, *, scope: str | Scopes | None = None
    ) -> dict[str, int]:
        """Places of one level, with the number of their cards: domains; rooms of a domain; shelves of a room."""
        with self._parts.reading() as reader:
            place = word(domain, "the domain"), word(room, "the room"), None
            places = reader.places(replace(self._selection(scope), place=place))
        counts: Counter[str] = Counter()
        for place, cards in places:
            name = place.domain if domain is None else place.room if room is None else place.shelf
            counts[name] += cards
        return dict(sorted(counts.items()))

    def rooms(self, *, scope: str | Scopes | None = None) -> dict[tuple[str, str], int]:
        """Every room with how many cards stand in it, by (domain, room)."""
        counts: Counter[tuple[str, str]] = Counter()
        for (domain, room, _), cards in self.shelves(scope=scope).items():
            counts[domain, room] += cards
        return dict(counts)

    def shelves(self, *, scope: str | Scopes | None = None) -> dict[tuple[str, str, str], int]:
        """Every shelf with how many cards stand on it, by (domain, room, shelf)."""
        with self._parts.reading() as reader:
            places = reader.places(self._selection(scope))
        return dict(sorted(((one.domain, one.room, one.shelf), cards) for one, cards in places))

    def get(
        self, domain: str, room: str | None = None, shelf: str | None = None, *,
        scope: str | Scopes | None = None, limit: int = 100,
    ) -> list[Item]:  # fmt: skip
        """The cards of a domain, a room or a shelf, newest first."""
        with self._parts.reading() as reader:
            place = short_text(domain, name="the domain"), word(room, "the room"), word(shelf, "the shelf")
            chosen = replace(self._selection(scope), place=place)
            return list(reader.select(chosen, limit=count(limit, "limit")).values())

    def assign(
        self,
        item_id: str,
        *,
        room: str,
        domain: str | None = None,
        shelf: str | None = None,
        actor: str = "user",
    ) -> Place:
        """Put an item into a room; domain and shelf stay as they were where they are not given.

        Raises:
            NotFound: There is no such item.
            NeedsApproval: The actor is a model, and a person put it where it stands.
        """
        return assign(self._parts, item_id, room=room, domain=domain, shelf=shelf, actor=actor)

    def where(self, item_id: str) -> Place:
        """Place of an item."""
        item_of(self._parts, item_id)
        with self._parts.reading() as reader:
            place = reader.place(item_id)
        assert place is not None
        return place

    def _selection(self, scope: str | Scopes | None) -> Selection:
        return Selection(scopes=visible(looked_from(scope)), live_at=self._parts.clock.now())


def assign(
    parts: Parts,
    item_id: str,
    *,
    room: str,
    domain: str | None = None,
    shelf: str | None = None,
    actor: str,
    curator: Curator | None = None,
) -> Place:
    """Put an item into a room (`Palace.assign`)."""
    item_of(parts, item_id)
    with parts.store.read() as reader:
        before = reader.place(item_id)
    assert before is not None
    return (curator or parts.curator).assign(
        Place(
            item_id,
            short_text(domain or before.domain, name="the domain").strip(),
            short_text(room, name="the room").strip(),
            short_text(shelf or before.shelf, name="the shelf").strip(),
        ),
        actor=acting(parts, actor),
    )
