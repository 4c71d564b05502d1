"""A store and its archive file, read as one: what is in either, found by id."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

from simonides.domain.item import Item
from simonides.domain.link import Link, Relation
from simonides.domain.records import Revision
from simonides.ports.store import Reader, Store
from simonides.values import dataclass

_LONGEST_CHAIN = 1000


@dataclass(frozen=True, slots=True)
class Both:
    """One view of each. An item that is in both, because a move was interrupted, is the store's.

    Attributes:
        here: The store.
        there: The archive file; None if there is none.
    """

    here: Reader
    there: Reader | None

    def get(self, item_ids: Sequence[str]) -> dict[str, Item]:
        """Items by id, whatever their status; those that do not exist are left out."""
        items = self.here.get(item_ids)
        if self.there is not None and (missing := [id_ for id_ in item_ids if id_ not in items]):
            items = items | self.there.get(missing)
        return items

    def expect(self, item_ids: Sequence[str]) -> None:
        """Expect to be asked what was made from items (`ForgettingReader.expect`)."""
        self.here.expect(item_ids)

    def reader_of(self, item_id: str) -> Reader | None:
        """The reader that has an item; None for an unknown one."""
        if self.here.key(item_id) is not None:
            return self.here
        return self.there if self.there is not None and self.there.key(item_id) is not None else None

    def moved(self, item_id: str) -> bool:
        """True if an item is in the archive file, and there alone."""
        return self.reader_of(item_id) not in (None, self.here)

    def revisions(self, item_id: str) -> list[Revision]:
        """Every state of an item, oldest first; none for an unknown one."""
        reader = self.reader_of(item_id)
        return [] if reader is None else reader.revisions(item_id)

    def links(self, item_ids: Sequence[str], relations: Iterable[Relation] | None = None) -> list[Link]:
        """Links from and to items, by source, destination and relation."""
        wanted = None if relations is None else list(relations)
        links = {(link.src, link.dst, link.rel): link for link in self.here.links(item_ids, wanted)}
        for link in () if self.there is None else self.there.links(item_ids, wanted):
            links.setdefault((link.src, link.dst, link.rel), link)
        return [links[place] for place in sorted(links)]

    def made_from(self, item_ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """Items whose provenance names any of these, and which it names."""
        sources = {} if self.there is None else self.there.made_from(item_ids)
        return sources | self.here.made_from(item_ids)

    def chain(self, item_id: str) -> list[str]:
        """Ids of an item, all it superseded and all that superseded it, oldest first."""
        replaced: dict[str, set[str]] = {item_id: set()}
        frontier = [item_id]
        while frontier and len(replaced) < _LONGEST_CHAIN:
            links = self.links(frontier, [Relation.SUPERSEDES])
            frontier = sorted({end for link in links for end in (link.src, link.dst)} - set(replaced))
            replaced |= {member: set() for member in frontier}
            for link in links:
                replaced[link.src].add(link.dst)
        items = self.get(list(replaced))
        ordered: list[str] = []
        # What was replaced comes before what replaced it, even where a clock stood still or went back.
        while len(ordered) < len(items):
            ready = [member for member in items if member not in ordered and replaced[member] <= set(ordered)]
            left = ready or [member for member in items if member not in ordered]
            ordered.append(min(left, key=lambda member: (items[member].created_at, member)))
        return ordered


@contextmanager
def both(store: Store, expecting: Sequence[str] = ()) -> Generator[Both]:
    """A view of a store and of its archive file.

    Args:
        expecting: Ids of items of which is asked what was made from them.
    """
    with store.read_all(expecting) as (here, there):
        yield Both(here, there)
