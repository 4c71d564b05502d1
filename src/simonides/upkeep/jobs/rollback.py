"""Rolling back: everything from a source, a session or a time goes to the archive, with what was made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from simonides.domain.item import MADE_BY, Item, Status, Validation
from simonides.domain.link import Relation
from simonides.domain.reach import everywhere
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection
from simonides.governance.carried import MERGES
from simonides.governance.speakers import is_users_word
from simonides.ports.both import Both
from simonides.upkeep.change import Revise
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step
from simonides.upkeep.jobs.resolve import opponents
from simonides.upkeep.jobs.retract import Views

#: Items in a commit.
_PAGE: Final = 200
_EVERY: Final = 2**62
#: Reasons of the first revision of a correction, and of one that words an item anew in its place.
_CORRECTED: Final = "correct"
_WORDED: Final = "update"


class Rollback:
    """Archives items that pass, by where they come from, retracted, with everything that was made of them.

    What is archived already leads to what was made of it, such as a merge that took its place. What they had taken the
    place of comes back as it was, and what they alone contradicted is contested no more. A correction in somebody's own
    words stays: it is no descendant, and did not come from the session or the source of what it corrects.
    """

    name = "rollback"
    about = "Archive what came from a source, a session or a time, with what was made of it."

    def __init__(
        self, views: Views, selection: Selection, reached: Callable[[Scope], bool] = everywhere
    ) -> None:
        self._views = views
        self._selection = selection
        self._reached = reached

    def plan(self, ground: Ground) -> Iterator[Step | Batch]:
        with self._views() as views:
            chosen = [
                item
                for reader in (views.here, views.there)
                if reader is not None
                for item in reader.select(self._selection, ItemOrder.OLDEST, limit=_EVERY).values()
            ]
            # A time holds for corrections as for all else.
            if self._selection.session_id is not None or self._selection.source_id is not None:
                chosen = [item for item in chosen if not _is_put_right(views, item)]
            every = _with_descendants(views, [item.id for item in chosen])
            reached = [item.id for item in views.get(every).values() if self._reached(item.scope)]
            replaced = [pair for pair in _replaced(views, reached) if self._reached(pair[0].scope)]
            away = [item.id for item, _ in replaced if views.moved(item.id)]
            freed = [item for item in _freed(views, reached) if self._reached(item.scope)]
        if away:
            ground.degraded(f"in the archive file, to be restored by somebody: {', '.join(away)}")
        for start in range(0, len(reached), _PAGE):
            with ground.read() as reader:
                items = reader.get(reached[start : start + _PAGE])
            yield tuple(
                Step((Revise(item, _retracted(item), reason="rollback"),))
                for item in items.values()
                if item.status is not Status.ARCHIVED
            )
            ground.tell(min(start + _PAGE, len(reached)), len(reached), "items")
        # After the archiving: what comes back may hold the very content that went.
        yield tuple(
            Step((Revise(item, former, reason="rollback"),), note=f"{item.id} comes back")
            for item, former in replaced
            if item.id not in away
        )
        yield tuple(
            Step((Revise(item, replace(item, validation=Validation.UNVERIFIED), reason="rollback"),))
            for item in freed
        )


def _retracted(item: Item) -> Item:
    return replace(
        item,
        status=Status.ARCHIVED,
        validation=Validation.RETRACTED,
        injectable=False,
        pinned=False,
    )


def _with_descendants(views: Both, ids: Sequence[str]) -> list[str]:
    """Ids with those of all that was made of them, whoever came first; none twice."""
    reached = dict.fromkeys(ids)
    frontier = list(reached)
    while frontier:
        links = views.links(frontier, [Relation.DERIVED_FROM, Relation.SUPERSEDES])
        made = [link.src for link in links if link.rel is Relation.DERIVED_FROM and link.dst in reached]
        merged = {link.src for link in links if link.rel is Relation.SUPERSEDES and link.dst in reached}
        # Upkeep words what it merges from its sources; whoever corrects says something of his own.
        made += [item.id for item in views.get(list(merged)).values() if _is_merge(views, item)]
        made += views.made_from(frontier)
        new = views.get([item_id for item_id in dict.fromkeys(made) if item_id not in reached])
        frontier = [item.id for item in new.values() if not _is_put_right(views, item)]
        reached |= dict.fromkeys(frontier)
    return list(reached)


def _is_merge(views: Both, item: Item) -> bool:
    first = [state.reason for state in views.revisions(item.id)[:1]]
    # A correction keeps the metadata of what it corrects.
    return first != [_CORRECTED] and (MADE_BY in item.metadata or not MERGES.isdisjoint(first))


def _is_put_right(views: Both, item: Item) -> bool:
    """True of what a user worded in place of what was there, as an item of its own or within it."""
    if item.type == "episode" or not is_users_word(item):
        return False
    states = views.revisions(item.id)
    return any(state.reason == _CORRECTED for state in states[:1]) or any(
        state.reason == _WORDED and before.item.content != state.item.content == item.content
        for before, state in pairwise(states)
    )


def _replaced(views: Both, gone: Sequence[str]) -> list[tuple[Item, Item]]:
    """Items whose place these hold today and that do not go with them, as they are and as they were."""
    among = views.get(gone)
    links = views.links(list(gone), [Relation.SUPERSEDES])
    ids = list(dict.fromkeys(link.dst for link in links if link.src in among and link.dst not in among))
    pairs: list[tuple[Item, Item]] = []
    for item in views.get(ids).values():
        if item.superseded_by is None or not _goes_with(item, among):
            continue
        former = [
            revision.item
            for revision in views.revisions(item.id)
            if revision.item.superseded_by is None and revision.item.status is Status.ACTIVE
        ]
        if former:
            pairs.append((item, former[-1]))
    return pairs


def _freed(views: Both, gone: Sequence[str]) -> list[Item]:
    """Contested items that nothing contradicts but what goes."""
    links = views.links(gone, [Relation.CONTRADICTS])
    ids = {end for link in links for end in (link.src, link.dst)}.difference(gone)
    return [
        item
        for item in views.here.get(sorted(ids)).values()
        if item.status is Status.ACTIVE
        and item.validation is Validation.CONTESTED
        and {one.id for one in opponents(views.here, item.id)} <= set(gone)
    ]


def _goes_with(item: Item, gone: Mapping[str, Item]) -> bool:
    """True if what holds instead of an item goes now: not where that was forgotten, or replaced by what stays."""
    seen: set[str] = set()
    holder: Item | None = item
    while holder is not None and holder.superseded_by is not None and holder.superseded_by not in seen:
        seen.add(holder.superseded_by)
        holder = gone.get(holder.superseded_by)
    return holder is not None and holder.status is not Status.ARCHIVED
