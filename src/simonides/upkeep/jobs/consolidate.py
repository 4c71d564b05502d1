"""Consolidation: what says the same becomes one, what contradicts is told, what proved useful rises."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from simonides.domain.batches import batches
from simonides.domain.item import Item
from simonides.domain.link import Link
from simonides.domain.records import Place
from simonides.domain.run import RunStatus
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.taxonomy import Tier
from simonides.errors import InvalidAnswer, InvalidInput, ProviderError
from simonides.language.aliases import Aliases
from simonides.language.clauses import without_no
from simonides.language.contradiction import words_of_telling
from simonides.language.faithfulness import unfaithful_merge
from simonides.ports.runs import RunSelection
from simonides.ports.store import TextQuery
from simonides.tasks.merge import word_merge
from simonides.upkeep.change import AddLink, Assign, Change, Revise, new_item
from simonides.upkeep.clusters import (
    Cluster,
    Comparisons,
    Contradiction,
    Entry,
    Vectors,
    entry_of,
    grouped,
    in_latin,
    kind_of,
    near_pairs,
    search_terms,
    takes_part,
    told_across_types,
)
from simonides.upkeep.conflicts import Contesting, supersedes
from simonides.upkeep.ground import PAGE, Ground
from simonides.upkeep.job import Batch, Step
from simonides.upkeep.merge import Consolidator, Merged, archived, checked, followed, put_together
from simonides.upkeep.promote import PROMOTE, has_earned_it_anew, promoted
from simonides.values import dataclass

#: Items that are compared with one another at a time.
_POOL: Final = 20_000
#: Passes over a pool; each joins what the one before made.
_PASSES: Final = 4
#: Steps of a batch: a commit costs more than they do.
_BATCH: Final = 50
#: Around a new item: how many are looked at, how many of its nearest go on to a second look, and how many that finds.
_AROUND: Final = 50
_NEAREST: Final = 5
_FIRST_LOOK: Final = 25
#: Items that tell something of somebody which are looked through for what one tells.
_TELLING: Final = 50
#: New items whose surroundings are looked at together.
_SEEDS: Final = 100
_MOST_TERMS: Final = 12
#: Runs that are looked through for the last one of a scope.
_RUNS: Final = 50


@dataclass(slots=True)
class _Course:
    """Progress of one run in a scope.

    Attributes:
        since: When the last run of the scope began; None before the first.
        successors: What took the place of what was merged, by the id of that.
        contesting: What is to be said of contradictions.
        aliases: Names of the scope that mean one thing.
        planned: In a dry run, what contradictions make of items, by id.
    """

    reason: str
    contesting: Contesting
    aliases: Aliases
    since: int | None = None
    successors: dict[str, Item] = field(default_factory=dict[str, Item])
    planned: dict[str, Item] = field(default_factory=dict[str, Item])


class Consolidate:
    """Merges short-term items that say the same, and lets items rise.

    A cluster becomes a new item that supersedes its sources; they are archived, and their history leads on to it. What
    is new is held against what has risen as well: that is merged with nothing, but may be contradicted.
    """

    name = "consolidate"
    about = "Merge what says the same, tell what contradicts, and let what proved useful rise."

    def plan(self, ground: Ground) -> Iterator[Step | Batch]:
        for scope in ground.scopes():
            here = ground.within(scope)
            last = self._last(here, scope)
            course = _Course("consolidation_merge", Contesting(here), here.aliases(), last)
            since = self._since(here, last)
            if since is None:
                yield from self._everything(here, course)
            else:
                course.reason = "delta_consolidation_merge"
                yield from self._around_new(here, since, course)
            if ground.order.promote:
                yield from _promotions(here, course)

    def _last(self, ground: Ground, scope: Scope) -> int | None:
        """When the last run began that was done in a scope."""
        with ground.read() as reader:
            runs = reader.runs(RunSelection(job=self.name, over=scope), _RUNS)
        last = next((run.started_at for run in runs if run.status is RunStatus.DONE), None)
        # With a clock that was set back, nothing would be new for long.
        return None if last is None or last > ground.now() else last

    def _since(self, ground: Ground, last: int | None) -> int | None:
        """From when on items are new; None to look at the whole scope."""
        if last is None or ground.order.trigger in {"threshold", "session"}:
            return last
        with ground.read() as reader:
            many = reader.count(_compared(ground)) > ground.settings.consolidate.delta_above
        return last if many else None

    def _everything(self, ground: Ground, course: _Course) -> Iterator[Step | Batch]:
        pool: list[Item] = []
        for done, item in enumerate(ground.items(_compared(ground)), 1):
            if takes_part(item, ground.taxonomy):
                pool.append(item)
            if done % PAGE == 0:
                ground.tell(done, what="items read")
            if len(pool) >= _POOL:
                yield from _of_pool(ground, pool, course)
                pool = []
        yield from _of_pool(ground, pool, course)

    def _around_new(self, ground: Ground, since: int, course: _Course) -> Iterator[Step | Batch]:
        """Look at each new item with what lies within two hops of it."""
        for seeds in batches(_recorded_after(ground, since), _SEEDS):
            current = [seed for seed in seeds if seed not in course.successors]
            pool = _surroundings(ground, current, course.aliases)
            yield from _of_pool(ground, pool, course, frozenset(seeds))


def _compared(ground: Ground) -> Selection:
    return ground.selection(tiers=frozenset(ground.tiers), types=_merging(ground))


def _risen(ground: Ground) -> Selection:
    """What is of no tier that is consolidated."""
    return ground.selection(tiers=frozenset(Tier) - frozenset(ground.tiers), types=_merging(ground))


def _merging(ground: Ground) -> frozenset[str]:
    return frozenset(name for name, spec in ground.taxonomy.specs.items() if spec.merges)


def _recorded_after(ground: Ground, since: int) -> list[str]:
    """Ids of items that take part and were recorded since, oldest first."""
    ids: list[str] = []
    after: int | None = None
    while True:
        with ground.read() as reader:
            page = reader.select(_compared(ground), limit=PAGE, after=after)
        new = [item.id for item in page.values() if item.created_at >= since]
        ids += new
        if len(new) < PAGE:
            return ids[::-1]
        after = min(page)


def _surroundings(ground: Ground, seeds: Sequence[str], aliases: Aliases) -> list[Item]:
    """The seeds and what lies around them, as it stands now; each once, oldest first."""
    pool: dict[str, Item] = {}
    with ground.read() as reader:
        for seed in reader.get(seeds).values():
            near = _alike(ground, seed, aliases, _compared(ground))
            further = [
                item for one in near[:_NEAREST] for item in _alike(ground, one, aliases, _compared(ground))
            ]
            for item in (seed, *[*near, *further][:_AROUND]):
                pool.setdefault(item.id, item)
    kept = [item for item in pool.values() if takes_part(item, ground.taxonomy)]
    return sorted(kept, key=lambda item: (item.created_at, item.id))


def _alike(ground: Ground, item: Item, aliases: Aliases, among: Selection) -> list[Item]:
    """Items that share the most telling words with one, best first, and those that tell the same of one."""
    matters = entry_of(item, aliases).of_one.keys()
    alike: dict[str, Item] = {}
    for terms, most in (
        (search_terms(item.content, aliases, _MOST_TERMS), _FIRST_LOOK),
        *((words, _TELLING) for words in words_of_telling(matters)),
    ):
        if terms:
            with ground.read() as reader:
                keys: list[int] = reader.search_text(TextQuery(terms), among, most).keys.tolist()
                items = reader.load(keys)
            further = (items[key] for key in keys if key in items)
            alike |= {
                one.id: one
                for one in further
                if most == _FIRST_LOOK or matters & entry_of(one, aliases).of_one.keys()
            }
    return [one for one in alike.values() if one.id != item.id]


def _of_pool(
    ground: Ground, pool: Sequence[Item], course: _Course, seeds: frozenset[str] | None = None
) -> Iterator[Step | Batch]:
    """Steps for a pool of items; with seeds, only for what one of them has part in."""
    kinds: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for item in pool:
        kinds[kind_of(item)].append(item)
    contradictions: list[Contradiction] = []
    entries: dict[str, Entry] = {}
    for items in kinds.values():
        contradictions += yield from _of_kind(ground, items, entries, course, seeds)
    contradictions += told_across_types([entries[item.id] for item in pool], ground.taxonomy, seeds)
    contradictions += _against_risen(ground, pool, entries, course)
    for steps in course.contesting.steps(contradictions, course.successors):
        if ground.dry_run:
            course.planned |= {
                change.after.id: change.after
                for step in steps
                for change in step.changes
                if isinstance(change, Revise)
            }
        yield steps


def _against_risen(
    ground: Ground, pool: Sequence[Item], entries: dict[str, Entry], course: _Course
) -> list[Contradiction]:
    """Contradictions of what is new in a pool and what has risen: only new items may tell what is otherwise by now."""
    # A "No" is of what was said right before it, and not of what nights lie between.
    new = [
        item
        for item in pool
        if (course.since is None or item.created_at >= course.since)
        and without_no(item.content) == item.content
    ]
    risen: dict[str, Item] = {}
    with ground.read() as reader:
        if not new or tuple(ground.tiers) == tuple(Tier) or not reader.count(_risen(ground)):
            return []
    for item in new:
        risen |= {one.id: one for one in _alike(ground, item, course.aliases, _risen(ground))}
    kinds: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for item in (*risen.values(), *new):
        if takes_part(item, ground.taxonomy):
            kinds[kind_of(item)].append(item)
    seeds = frozenset(item.id for item in new)
    _read(ground, list(risen.values()), entries, course.aliases)
    pairs: list[Contradiction] = []
    for items in kinds.values():
        pairs += _comparisons(ground, [entries[item.id] for item in items], seeds).contradictions
    taking_part = [entries[item.id] for item in (*risen.values(), *new) if takes_part(item, ground.taxonomy)]
    pairs += told_across_types(taking_part, ground.taxonomy, seeds)
    return [pair for pair in pairs if not {pair.older.id, pair.newer.id} <= seeds]


def _of_kind(
    ground: Ground,
    items: Sequence[Item],
    entries: dict[str, Entry],
    course: _Course,
    seeds: frozenset[str] | None,
) -> Generator[Step | Batch, None, list[Contradiction]]:
    """Merge until nothing more says the same; what contradicts.

    An item belongs to one cluster of a pass only, so that what took the place of two clusters may say the same
    again: without further passes, the next night would find it, though nothing had come.

    Args:
        entries: By id; what is read is added to them.
    """
    contradictions: list[Contradiction] = []
    for _ in range(_PASSES):
        _read(ground, items, entries, course.aliases)
        compared = _comparisons(ground, [entries[item.id] for item in items], seeds)
        contradictions += compared.contradictions
        if not compared.clusters:
            break
        yield from _merges(ground, compared.clusters, course)
        made = _standing(ground, compared.clusters, course)
        # What is recorded last is compared with more.
        items = [*(item for item in items if item.id not in course.successors), *made]
        seeds = frozenset(item.id for item in made)
        if not made:
            break
    return contradictions


def _standing(ground: Ground, clusters: Sequence[Cluster], course: _Course) -> list[Item]:
    """Items in the place of clusters, as they are stored; in a dry run as they would be."""
    planned = {
        item.id: item for cluster in clusters if (item := course.successors.get(cluster.best.id)) is not None
    }
    if ground.dry_run:
        return list(planned.values())
    with ground.read() as reader:
        return [item for item in reader.get(list(planned)).values() if takes_part(item, ground.taxonomy)]


def _read(ground: Ground, items: Sequence[Item], entries: dict[str, Entry], aliases: Aliases) -> None:
    """Read what has not been read yet."""
    for done, item in enumerate(items, 1):
        if item.id not in entries:
            entries[item.id] = entry_of(item, aliases)
        if done % PAGE == 0:
            ground.tell(done, len(items), "items compared")


def _comparisons(ground: Ground, entries: Sequence[Entry], seeds: frozenset[str] | None) -> Comparisons:
    settings = ground.settings.consolidate
    pairs = near_pairs(entries, settings, ground.taxonomy, seeds)
    ids = sorted(
        {
            entry.item.id
            for near in pairs
            for entry in (entries[near.one], entries[near.other])
            if ground.embedder.multilingual or in_latin(entry.item.content)
        }
    )
    return grouped(entries, pairs, _vectors(ground, ids), settings)


def _vectors(ground: Ground, ids: Sequence[str]) -> Vectors:
    """Vectors of the present model; none, and a word about it, where the model cannot say what it is."""
    if not ids:
        return {}
    try:
        fingerprint = ground.embedder.identity.fingerprint
    except ProviderError as error:
        ground.degraded(f"embedder: {error}; items were compared by their words alone")
        return {}
    vectors: dict[str, object] = {}
    for some in batches(ids, PAGE):
        with ground.read() as reader:
            vectors |= reader.vectors_of(fingerprint, some)
    if len(vectors) < len(ids):
        ground.degraded(
            f"{'some' if vectors else 'no'} items have vectors of the present model: "
            "the others were compared by their words alone; `simonides backfill` makes them"
        )
    return vectors  # pyright: ignore[reportReturnType]


def _merges(ground: Ground, clusters: Sequence[Cluster], course: _Course) -> Iterator[Step | Batch]:
    """A step for each cluster; together where nothing slow lies between them."""
    together = 1 if ground.model is not None and ground.consolidator is None else _BATCH
    done = 0
    for some in batches(clusters, together):
        worded = [(cluster, words) for cluster in some if (words := _words(ground, cluster)) is not None]
        yield tuple(_merge_steps(ground, worded, course))
        done += len(some)
        ground.tell(done, len(clusters), "clusters")


def _words(ground: Ground, cluster: Cluster) -> Merged | None:
    """In which words a cluster lives on: a consolidator's, a model's, or those of its best member."""
    if ground.consolidator is not None:
        words = ground.consolidator.merge(cluster)
        try:
            return None if words is None else checked(words)
        except InvalidInput as error:
            ground.failed(str(error), *(item.id for item in cluster.items))
            return None
    plain = Consolidator().merge(cluster)
    sources = [(item.title, item.content) for item in cluster.items]
    if ground.model is None or len(set(sources)) == 1:
        return plain
    try:
        merged = word_merge(ground.model, sources)
    except InvalidAnswer:
        problem = "the answer was not what was asked for"
    except ProviderError as error:
        ground.degraded(f"{error}; merged without a model")
        return plain
    else:
        words = Merged(merged.content, merged.title)
        if (problem := unfaithful_merge(words.title, words.content, sources)) is None:
            return words
    ground.degraded(f"{ground.model.name}: {problem}; merged without a model")
    return plain


def _merge_steps(ground: Ground, worded: Sequence[tuple[Cluster, Merged]], course: _Course) -> Iterator[Step]:
    ids = [item.id for cluster, _ in worded for item in cluster.items]
    with ground.read() as reader:
        links: dict[str, list[Link]] = defaultdict(list)
        wanted = set(ids)
        for link in reader.links(ids):
            for end in {link.src, link.dst} & wanted:
                links[end].append(link)
        places = {
            item_id: place for item_id in ids if (place := reader.place(item_id, given=True)) is not None
        }
    now = ground.now()
    for cluster, words in worded:
        item = put_together(cluster, words, now)
        gone = {source.id for source in cluster.items}
        for source_id, former in course.successors.items():
            if former.id in gone:
                course.successors[source_id] = item
        course.successors |= dict.fromkeys(gone, item)
        yield Step(
            _changes(cluster, item, links, places, course),
            note=f"{len(cluster.items)} items that say the same: {item.content[:80]}",
        )


def _changes(
    cluster: Cluster,
    item: Item,
    links: Mapping[str, Sequence[Link]],
    places: Mapping[str, Place],
    course: _Course,
) -> tuple[Change, ...]:
    """The sources make way, the new item comes, and what pointed to them points to it."""
    sources = cluster.items
    own = {source.id: item.id for source in sources}
    following = followed(dict.fromkeys(link for source in sources for link in links.get(source.id, ())), own)
    place = next((places[source.id] for source in sources if source.id in places), None)
    return (
        *(Revise(source, archived(source, item), reason="consolidation_merge") for source in sources),
        new_item(item, reason=course.reason),
        *(AddLink(supersedes(item, source)) for source in sources),
        *(AddLink(link) for link in following),
        *(() if place is None else (Assign(replace(place, item_id=item.id)),)),
    )


def _promotions(ground: Ground, course: _Course) -> Iterator[Batch]:
    """Items of the short and the middle term that rise."""
    rising = (
        Step((Revise(item, risen, reason=PROMOTE),))
        for item in _after_merging(ground, course)
        if (risen := promoted(item, ground.taxonomy)) is not None and _earned_anew(ground, item)
    )
    yield from batches(rising, _BATCH)


def _earned_anew(ground: Ground, item: Item) -> bool:
    if item.tier is Tier.STM:
        return True
    with ground.read() as reader:
        return has_earned_it_anew(item, reader.revisions(item.id))


def _after_merging(ground: Ground, course: _Course) -> Iterator[Item]:
    """Items of the short and the middle term as they stand now; in a dry run as they would."""
    tiers = frozenset({Tier.STM, Tier.MTM})
    for item in ground.items(replace(_compared(ground), tiers=tiers)):
        if item.id not in course.successors:
            yield course.planned.get(item.id, item)
    if ground.dry_run:
        for item in {item.id: item for item in course.successors.values()}.values():
            yield course.planned.get(item.id, item)
