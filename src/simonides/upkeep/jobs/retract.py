"""Retraction: what was made from an item that is forgotten or purged does not outlive it unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final

from simonides.domain.entity import Entity
from simonides.domain.item import Item, Status, Validation
from simonides.domain.link import Relation
from simonides.domain.written import Written
from simonides.governance.carried import MERGES
from simonides.governance.wordings import made_from
from simonides.language.tokens import Shape, tokens
from simonides.language.words import STOP
from simonides.ports.both import Both
from simonides.upkeep.change import Change, HoldBack, Revise, Summarise
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Step
from simonides.values import dataclass

#: Items that are followed at most: what was made from them is looked for no further.
_MOST: Final = 10_000

Views = Callable[[], AbstractContextManager[Both]]


@dataclass(frozen=True, slots=True)
class Derived(Written):
    """An item that was made from others.

    Attributes:
        sources: Ids of those that it was made from, of the items that were asked about and of what was made
            from them.
        others: Ids of what else it was made from.
        how: `merged`, `derived` (linked), or `named` (by its provenance).
        moved: Whether it is in the archive file.
        then: What becomes of it when they are forgotten or purged: `taken apart` (a merge, whose other sources
            stand again), `held back`, `purged`, or `left`, because it is archived or held back already.
    """

    item: Item
    sources: tuple[str, ...]
    others: tuple[str, ...]
    how: str
    moved: bool = False
    then: str = "left"


def derived(views: Both, item_ids: Sequence[str]) -> list[Derived]:
    """Items made from others, and from those in turn; the nearest first, ties by id.

    An item that was not changed since its source came was not made from it, whatever a link says that came later
    as well: one that came with the item holds, since a clock may be set back. And a correction is somebody's own
    statement, not made from what it corrects.
    """
    known = dict.fromkeys(item_ids)
    order: list[str] = []
    made: dict[str, tuple[set[str], str]] = {}
    frontier = list(known)
    while frontier and len(known) < _MOST:
        derived_items = sorted(_made_from(views, frontier))
        items = views.get(list(dict.fromkeys(id_ for pair in derived_items for id_ in pair[:2])))
        fresh: dict[str, None] = {}
        for id_, source, how, linked_at in derived_items:
            if id_ not in items or source not in items:
                continue
            if items[id_].updated_at < min(items[source].created_at, linked_at):
                continue
            sources, first = made.setdefault(id_, (set(), how))
            sources.add(source)
            made[id_] = (sources, "merged" if "merged" in (first, how) else first)
            if id_ not in known:
                fresh[id_] = None
        order += fresh
        known |= fresh
        frontier = list(fresh)
    items = views.get(order)
    return [
        Derived(
            items[id_],
            tuple(sorted(made[id_][0])),
            tuple(sorted(_sources(views, items[id_]) - made[id_][0])),
            made[id_][1],
            views.moved(id_),
        )
        for id_ in order
    ]


def _made_from(views: Both, item_ids: Sequence[str]) -> Iterator[tuple[str, str, str, int]]:
    """(item, source, how, since when it is linked) of what was made from these at first hand."""
    wanted = frozenset(item_ids)
    relations = [Relation.DERIVED_FROM, Relation.SUPERSEDES]
    links = [(link.src, link.dst, link.rel, link.created_at) for link in views.links(item_ids, relations)]
    # What a run made that was taken back still says what it was made from.
    links += [(*link, 0) for link in views.here.links_undone(item_ids, relations)]
    links = [link for link in links if link[1] in wanted]
    derived_ids = sorted({src for src, _, rel, _ in links if rel is Relation.DERIVED_FROM})
    # A model may have made them, as earlier releases let it: nothing follows from those.
    by_models = views.here.events(item_ids=derived_ids, action="tool:memory.link") if derived_ids else ()
    models = {event.item_id for event in by_models}
    for src, dst, rel, linked_at in links:
        if rel is Relation.DERIVED_FROM:
            if src not in models:
                yield src, dst, "derived", linked_at
        elif _is_merge(views, src):
            yield src, dst, "merged", linked_at
    for id_, sources in views.made_from(item_ids).items():
        for source in sources - {id_}:
            yield id_, source, "named", 0


def _sources(views: Both, item: Item) -> set[str]:
    """Ids of all that an item was made from at first hand, as far as it is there."""
    relations = [Relation.DERIVED_FROM]
    if _is_merge(views, item.id):
        relations.append(Relation.SUPERSEDES)
    ids = {link.dst for link in views.links([item.id], relations) if link.src == item.id}
    named = {*item.provenance.chunk_ids, item.provenance.source_id or ""}
    return ids | set(views.get(sorted(named - {""})))


def _is_merge(views: Both, item_id: str) -> bool:
    revisions = views.revisions(item_id)
    return bool(revisions) and revisions[0].reason in MERGES


@dataclass(frozen=True, slots=True)
class Retraction:
    """Changes that a retraction makes.

    Attributes:
        undone: Merges that are taken apart: their other sources stand again.
        held: What is held back until somebody has looked at it.
        gone: What a purge takes along, because it says what the source said.
        told: Entities whose summaries may tell what is forgotten: they are dropped, to be made anew.
        withheld: Turns, and narratives of them, as prompts are to tell them from now on.
    """

    undone: tuple[Derived, ...] = ()
    held: tuple[Derived, ...] = ()
    gone: tuple[Derived, ...] = ()
    told: tuple[Entity, ...] = ()
    withheld: tuple[Revise, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.undone or self.held or self.gone or self.told or self.withheld)

    def of(self, one: Derived) -> Derived:
        """An item with what becomes of it."""
        fates = (("purged", self.gone), ("taken apart", self.undone), ("held back", self.held))
        return replace(one, then=next((fate for fate, some in fates if one in some), "left"))


def planned(views: Both, item_ids: Sequence[str], derived: Sequence[Derived], *, purge: bool) -> Retraction:
    """Plan what becomes of items made from others that are forgotten, or purged.

    A merge is taken apart where other sources of it are there. Anything else is held back for review. A purge
    leaves no word: what shares words with its sources that none of its other sources has goes along, and so
    do merges, whose tags and hashes are their sources'.
    """
    lost = set(item_ids)
    undone: list[Derived] = []
    held: list[Derived] = []
    gone: list[Derived] = []
    leaving = {one.item.id for one in derived} | lost
    for one in derived:
        stays = [id_ for id_ in one.others if id_ not in leaving]
        takes_apart = one.how == "merged" and one.item.status is Status.ACTIVE and _ready(views, one, stays)
        if takes_apart:
            undone.append(one)
        if purge and (one.how == "merged" or _says(views, one, lost & set(one.sources), stays)):
            gone.append(one)
            lost.add(one.item.id)
        elif not takes_apart and one.item.status is Status.ACTIVE and not one.moved:
            held.append(one)
    entities = views.here.told_by([*item_ids, *(one.item.id for one in (*undone, *held))])
    return Retraction(tuple(undone), tuple(held), tuple(gone), tuple(entities))


def _ready(views: Both, one: Derived, others: Iterable[str]) -> bool:
    """True if any source of a merge can stand again by itself."""
    items = views.get(list(others))
    return any(_stands_again(one.item, item) and not views.moved(item.id) for item in items.values())


def _stands_again(merged: Item, source: Item) -> bool:
    return source.status is Status.ARCHIVED and source.superseded_by == merged.id


def _says(views: Both, one: Derived, sources: Iterable[str], others: Iterable[str]) -> bool:
    """True if an item, in any of its states, has a word of its lost sources that no other source has."""
    theirs = _words(views, sources) - _words(views, others)
    return bool(theirs & _words(views, [one.item.id]))


def _words(views: Both, item_ids: Iterable[str]) -> set[str]:
    """Words that items ever said, without words that say nothing by themselves."""
    words: set[str] = set()
    for item_id in item_ids:
        for revision in views.revisions(item_id):
            item = revision.item
            text = "\n".join(
                (item.title, item.content, *item.tags, *item.entities, *map(str, item.metadata.values()))
            )
            words |= {
                token.stem
                for token in tokens(text)
                if token.shape is not Shape.MARK and token.fold not in STOP
            }
    return words


class Retract:
    """Takes merges apart and holds back what was made from items that are to be forgotten or purged.

    Not one of the nightly jobs: `forget` and `purge` run it first, for the items they are given.
    """

    name = "retract"
    about = "Hold back what was made from items that are forgotten or purged."

    def __init__(self, views: Views, plan: Retraction, word: str) -> None:
        self._views = views
        self._plan = plan
        self._word = word

    def plan(self, ground: Ground) -> Iterator[Step]:
        del ground  # What is to be done was found out before, and shown to whoever asked.
        for one in self._plan.undone:
            with self._views() as views:
                changes = _apart(views, one)
            if changes:
                yield Step(changes, note="its other sources stand again")
        # First: an entity that only what is held back mentions is known no longer.
        for entity in self._plan.told:
            yield Step((Summarise(entity.id, entity.name, None, entity.summary),))
        for one in self._plan.held:
            yield Step((HoldBack(one.item, (made_from(one.sources, self._word),)),))
        for change in self._plan.withheld:
            yield Step((change,))


class Retell:
    """Lets prompts tell again by turns what somebody restored. Not one of the nightly jobs: `restore` runs it."""

    name = "retell"
    about = "Let prompts tell by turns again what was restored."

    def __init__(self, changes: Sequence[Revise]) -> None:
        self._changes = changes

    def plan(self, ground: Ground) -> Iterator[Step]:
        del ground
        for change in self._changes:
            yield Step((change,))


def _apart(views: Both, one: Derived) -> tuple[Change, ...]:
    """The merged item is taken out, and its other sources stand again as they did before."""
    changes: list[Change] = [
        Revise(
            one.item,
            replace(one.item, status=Status.ARCHIVED, validation=Validation.RETRACTED, pinned=False),
            reason="retract",
        )
    ]
    for source in views.get(one.others).values():
        if views.moved(source.id) or not _stands_again(one.item, source):
            continue
        before = next(
            (
                revision.item
                for revision in reversed(views.revisions(source.id))
                if revision.item.status is Status.ACTIVE
            ),
            None,
        )
        if before is not None:
            again = replace(
                before,
                pinned=before.pinned or one.item.pinned,
                updated_at=source.updated_at,
                usage=source.usage,
            )
            changes.append(Revise(source, again, reason="retract"))
    return tuple(changes) if len(changes) > 1 else ()
