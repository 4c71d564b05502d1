"""Clusters of items that say the same, and pairs of items that contradict each other. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.instant import days_between
from simonides.domain.item import Item, Status, Validation
from simonides.domain.provenance import FROM_USER, Origin
from simonides.domain.taxonomy import Kind, Taxonomy
from simonides.domain.text import cjk_bigrams, cjk_runs, is_lone
from simonides.governance.speakers import speaker
from simonides.language.aliases import COMMON, Aliases
from simonides.language.clause_names import ClauseName
from simonides.language.clauses import corrects, without_no
from simonides.language.contradiction import (
    Difference,
    Told,
    difference,
    difference_of_one,
    replacement,
    told_of_one,
)
from simonides.language.decoration import plain_form, undecorated
from simonides.language.sameness import Reading, overlap, read, same, says_all
from simonides.language.tokens import tokens
from simonides.upkeep.settings import ConsolidateSettings
from simonides.values import dataclass

#: Items that one is compared with, at most, of those that share its rarest words: those recorded last.
_MOST_COMPARED: Final = 100
#: Values that one statement is given by different items; more are a series, such as the rooms of a house, in which
#: none contradicts the others.
_MOST_VALUES: Final = 8
#: Share of their words in which two texts of one subject agree; else no more than a name tells them apart.
_ONE_SUBJECT: Final = 0.8
_LONGEST_NAME: Final = 2
#: Words that two texts have in common, of which one denies what the other says.
_LEAST_DENIED: Final = 2
#: Items in which whoever corrects himself looks back.
_CORRECTED_WITHIN: Final = 20
#: Members of a cluster.
_MOST_MEMBERS: Final = 50
#: Two tellings of one event lie no further apart.
_SAME_EVENT_DAYS: Final = 1.0
#: Types that are neither merged nor contradict: they tell of their own stretch of a conversation.
_APART: Final = frozenset({"narrative"})

#: Vectors by id of the item; those that are missing are compared by their words alone.
Vectors = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Items that say the same.

    Attributes:
        items: At least two; the one whose words are best comes first.
        dispersion: Mean distance of two members, 1 − cosine, in [0, 2]; of their words where there are no vectors.
    """

    items: tuple[Item, ...]
    dispersion: float = 0.0

    @property
    def best(self) -> Item:
        return self.items[0]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two items that say different things of the same.

    Attributes:
        partly: The older one says more than what the newer one says otherwise: it is contested, and never replaced.
    """

    older: Item
    newer: Item
    difference: Difference
    partly: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An item, read once for many comparisons.

    Attributes:
        reading: Of its content.
        title: Of its title: keys of its words.
        entities: Names that it was given, folded.
        of_one: What it tells of whoever speaks.
    """

    item: Item
    reading: Reading
    title: frozenset[str]
    entities: frozenset[str] = frozenset()
    of_one: Mapping[Told, tuple[ClauseName, ...]] = field(
        default_factory=dict[Told, tuple[ClauseName, ...]], hash=False
    )


@dataclass(frozen=True, slots=True)
class Near:
    """Two entries whose words are alike, by their places.

    Attributes:
        said: What they differ in, where they contradict each other.
        certain: Whether their words alone tell that they are about the same.
    """

    one: int
    other: int
    overlap: float
    said: Difference | None
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Clusters and contradictions of a pool of items.

    Attributes:
        clusters: In the order of their best members' age.
        contradictions: In the order of the older, then of the newer.
    """

    clusters: tuple[Cluster, ...]
    contradictions: tuple[Contradiction, ...]


def takes_part(item: Item, taxonomy: Taxonomy) -> bool:
    """True if consolidation may touch an item.

    Not turns and chunks, nothing that is quarantined, archived or retracted, and nothing that somebody pinned: what was
    put into the core profile stays there word for word.
    """
    return (
        item.status is Status.ACTIVE
        and item.validation is not Validation.RETRACTED
        and item.superseded_by is None
        and not item.pinned_by_somebody
        and item.type not in _APART
        and taxonomy[item.type].merges
    )


def kind_of(item: Item) -> tuple[object, ...]:
    """Key that items must share to be compared at all: scope, type, and whose word they are.

    Sources that are trusted differently stay apart: a page that repeats what the user said would else draw it down
    to its own trust, or rise to the user's.
    """
    whose = Origin.USER_SAID if item.origin in FROM_USER else item.origin
    return item.scope, item.type, item.trust, whose, item.injectable


def told_across_types(
    entries: Sequence[Entry], taxonomy: Taxonomy, seeds: frozenset[str] | None = None
) -> list[Contradiction]:
    """Pairs of items of several types that contradict each other: a place where somebody lives, and a move from it.

    That something happened once is contradicted by nothing. Cost: linear in the entries.

    Args:
        seeds: Ids of items; only pairs of which one is among them.
    """
    seen: dict[tuple[object, ...], list[Entry]] = defaultdict(list)
    pairs: dict[tuple[str, str], Contradiction] = {}
    for entry in sorted(entries, key=lambda entry: entry.item.age):
        for matter in entry.of_one:
            scope, _, *whose = kind_of(entry.item)
            before = seen[scope, *whose, matter]
            for other in before[-_MOST_VALUES:]:
                known = seeds is None or not seeds.isdisjoint((other.item.id, entry.item.id))
                if not known or other.item.type == entry.item.type or not _may_end(other, entry, taxonomy):
                    continue
                if (differ := difference_of_one(other.of_one, entry.of_one)) is not None:
                    pair = Contradiction(other.item, entry.item, differ)
                    pairs.setdefault((other.item.id, entry.item.id), pair)
            before.append(entry)
    return list(pairs.values())


def _may_end(older: Entry, newer: Entry, taxonomy: Taxonomy) -> bool:
    return taxonomy[older.item.type].kind is not Kind.EPISODIC and _of_one_matter(older, newer, taxonomy)


def near_pairs(
    entries: Sequence[Entry],
    settings: ConsolidateSettings,
    taxonomy: Taxonomy,
    seeds: frozenset[str] | None = None,
) -> list[Near]:
    """Pairs of entries of one kind that may be merged, or that contradict each other, by their words.

    With seeds, ids of items, only pairs of which one is among them.

    Compared are entries that tell the same of whoever speaks (where they live), and those that share one of their
    rare words: each pair with enough words in common does, since of n words only the n − ⌈least · n⌉ + 1 rarest have
    to be looked up. Cost: nearly linear in the entries.
    """
    least = min(settings.overlap, settings.contradiction_overlap)
    comparison = _Comparison(settings, taxonomy, _series(entries))
    counts = Counter(key for entry in entries for key in entry.reading.content)
    seen: dict[object, list[int]] = defaultdict(list)
    pairs: list[Near] = []
    for place, entry in enumerate(entries):
        words = sorted(entry.reading.content, key=lambda key: (counts[key], key))
        rare = words[: len(words) - math.ceil(least * len(words)) + 1]
        keys = (*rare, *entry.of_one)
        others = {other for key in keys for other in seen[key][-_MOST_COMPARED:]}
        if seeds is not None and entry.item.id not in seeds:
            others = {other for other in others if entries[other].item.id in seeds}
        for other in sorted(others, reverse=True)[:_MOST_COMPARED]:
            share = overlap(entries[other].reading, entry.reading)
            of_one = difference_of_one(entries[other].of_one, entry.of_one)
            if share >= least or of_one is not None:
                alike, differ = comparison.of(entries[other], entry, share, of_one)
                if alike or differ is not None:
                    pairs.append(Near(other, place, share, differ, differ is not None and differ is of_one))
        for key in keys:
            seen[key].append(place)
    known = {(near.one, near.other) for near in pairs if near.said is not None}
    replaced = [near for near in _replaced(entries, comparison, seeds) if (near.one, near.other) not in known]
    return [*_without_series(pairs), *replaced]


def _replaced(
    entries: Sequence[Entry], comparison: _Comparison, seeds: frozenset[str] | None
) -> Iterator[Near]:
    """Pairs of which the newer says itself that it corrects what was said shortly before it."""
    order = sorted(range(len(entries)), key=lambda place: entries[place].item.age)
    for rank, place in enumerate(order):
        newer = entries[place]
        announced = corrects(newer.item.content)
        if not announced and without_no(newer.item.content) == newer.item.content:
            continue
        # A "No" is of what was said right before it.
        back = _CORRECTED_WITHIN if announced else 1
        for before in range(rank - 1, max(rank - back, 0) - 1, -1):
            older = entries[order[before]]
            if seeds is not None and not {older.item.id, newer.item.id} & seeds:
                continue
            replaced = replacement(older.reading.text, newer.reading.text, next_to=before == rank - 1)
            if replaced is not None and comparison.may_contradict(older, newer):
                one, other = sorted((order[before], place))
                yield Near(one, other, overlap(older.reading, newer.reading), replaced, certain=True)
                break


def grouped(
    entries: Sequence[Entry], pairs: Iterable[Near], vectors: Vectors, settings: ConsolidateSettings
) -> Comparisons:
    """Clusters and contradictions among entries of one kind.

    A single pass by descending confidence: an entry joins the first cluster with every member of which it is near
    enough, in words and, where both have vectors, in meaning; else it begins one.
    """
    joined: dict[tuple[int, int], float] = {}
    contradictions: list[Contradiction] = []
    for near in pairs:
        one, other = entries[near.one].item, entries[near.other].item
        cosine = _cosine(one.id, other.id, vectors)
        if near.said is not None:
            older, newer = sorted((one, other), key=lambda item: item.age)
            # Who says that this is a correction means what has the same words, however the rest sounds.
            near_enough = cosine is None or cosine >= settings.contradiction_cosine
            if near_enough or near.certain or corrects(newer.content):
                contradictions.append(Contradiction(older, newer, near.said))
        elif (
            (cosine is None and near.overlap >= settings.lexical_overlap)
            or (cosine is not None and cosine >= _least_cosine(one, other, settings))
            or plain_form(one.content) == plain_form(other.content)
        ):
            joined[near.one, near.other] = 1 - (near.overlap if cosine is None else cosine)
    clusters = [_cluster(entries, places, joined) for places in _complete(entries, joined) if len(places) > 1]
    return Comparisons(
        tuple(sorted(clusters, key=lambda cluster: min(item.age for item in cluster.items))),
        tuple(sorted(contradictions, key=lambda pair: (pair.older.age, pair.newer.age))),
    )


def entry_of(item: Item, aliases: Aliases = COMMON) -> Entry:
    """An item, read; of what has several names, all count as one."""
    content = aliases.unified(item.content)
    text = content.removeprefix(f"{aliases.unified(str(item.metadata.get('sender')))}: ")
    title = read(aliases.unified(item.title)).content if item.title else frozenset[str]()
    entities = frozenset(aliases.unified(name).casefold() for name in item.entities)
    return Entry(item, read(content), title, entities, told_of_one(text))


def search_terms(text: str, aliases: Aliases, most: int) -> tuple[str, ...]:
    """The words by which items that may say the same are looked for.

    At most so many of a text's own, and as many of the other names of what it mentions.
    """
    words = [word.written for word in read(text).words if not is_lone(word.written)]
    # A text index knows no single sign of Chinese, only pairs.
    pairs = [pair for run in cjk_runs(text) for pair in cjk_bigrams(run)]
    own = [*dict.fromkeys((*words, *pairs))][:most]
    other = (token.fold for name in aliases.spellings(text) for token in tokens(name) if len(token.fold) > 1)
    return (*own, *[term for term in dict.fromkeys(other) if term not in own][:most])


def in_latin(text: str) -> bool:
    """True if a text is written in Latin letters for the most part: others say nothing to many embedders."""
    letters = [character for character in text if character.isalpha()]
    return 2 * sum(character < "\u0250" for character in letters) >= len(letters)


def best_first(entries: Sequence[Entry]) -> list[Entry] | None:
    """The members of a cluster, the one first whose words stand for all.

    By confidence, then by whether somebody verified it, whether it says all that the others say, its length, whether
    nothing decorates it, its age, its id.

    Returns:
        None if those with the highest confidence leave out what another says: merged, it would be lost.
    """
    covers = {
        id(entry): all(says_all(entry.reading, other.reading) for other in entries) for entry in entries
    }
    bare = {id(entry): undecorated(entry.item.content) for entry in entries}
    ordered = sorted(
        entries,
        key=lambda entry: (
            -entry.item.confidence,
            entry.item.validation is not Validation.VERIFIED,
            not covers[id(entry)],
            -len(bare[id(entry)]),
            bare[id(entry)] != entry.item.content,
            *entry.item.age,
        ),
    )
    return ordered if covers[id(ordered[0])] else None


def _series(entries: Sequence[Entry]) -> frozenset[frozenset[str]]:
    """Contents that come with many numbers or dates."""
    values: dict[frozenset[str], set[frozenset[str]]] = defaultdict(set)
    for entry in entries:
        values[entry.reading.content].add(entry.reading.numbers)
    return frozenset(content for content, some in values.items() if len(some) > _MOST_VALUES)


def _without_series(pairs: list[Near]) -> list[Near]:
    """The pairs without those in which an item would contradict too many others."""
    counts = Counter(place for near in pairs if near.said is not None for place in (near.one, near.other))
    return [
        near
        for near in pairs
        if near.said is None or max(counts[near.one], counts[near.other]) <= _MOST_VALUES
    ]


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Comparison of two entries by their words.

    Attributes:
        series: Contents that come with so many values that none contradicts another.
    """

    settings: ConsolidateSettings
    taxonomy: Taxonomy
    series: frozenset[frozenset[str]]

    def may_contradict(self, one: Entry, other: Entry) -> bool:
        """True if what stands beside two texts lets one say otherwise than the other."""
        return (
            _of_one_matter(one, other, self.taxonomy)
            and self.taxonomy[one.item.type].kind is not Kind.EPISODIC
        )

    def of(
        self, one: Entry, other: Entry, share: float, of_one: Difference | None
    ) -> tuple[bool, Difference | None]:
        """True if they may be merged; if not, also what they contradict each other in, if they do.

        Args:
            of_one: What they tell differently of whoever speaks.
        """
        if not _of_one_matter(one, other, self.taxonomy):
            return False, None
        tagged_alike = _tagged_alike(one.item, other.item)
        least = self.settings.overlap if tagged_alike else self.settings.overlap_across_tags
        if share >= least and _titled_alike(one, other) and same(one.reading, other.reading):
            return True, None
        if self.taxonomy[one.item.type].kind is Kind.EPISODIC or other.reading.content in self.series:
            return False, None  # That one day brought this and another that is no contradiction.
        return False, of_one or _contradicted(one.reading, other.reading, share)


def _contradicted(one: Reading, other: Reading, share: float) -> Difference | None:
    """Contradiction of two texts of one subject; looked for only where little else tells them apart."""
    apart = max(len(one.content - other.content), len(other.content - one.content))
    if share < _ONE_SUBJECT and apart > _LONGEST_NAME:
        return None
    # Who or what it is about stands in both: another name is another subject, unless only it differs.
    renamed = bool(one.names - other.content or other.names - one.content)
    if renamed and (one.numbers != other.numbers or one.turns != other.turns):
        return None
    differ = difference(one.text, other.text)
    if differ is None or (renamed and differ.kind != "name"):
        return None
    return None if differ.kind == "negation" and _says_too_little(one, other, differ) else differ


def _says_too_little(one: Reading, other: Reading, denial: Difference) -> bool:
    """True if two texts have so few words in common that one denies nothing: "No way, John", "way to go, John"."""
    shared = one.content & other.content
    telling = shared - one.names - other.names
    if len(telling) >= _LEAST_DENIED or (telling and (shared > telling or one.numbers & other.numbers)):
        return False
    # What is told of may be a word that says nothing in other languages: "le thé".
    return any(sum(word.islower() for word in words.split()) < _LEAST_DENIED for words in denial.words)


def _of_one_matter(this: Entry, that: Entry, taxonomy: Taxonomy) -> bool:
    """True if what stands beside the texts lets them be about the same."""
    if this.entities and that.entities and not this.entities & that.entities:
        return False
    one, other = this.item, that.item
    if (one.task_id, one.corpus_id, one.valid_until) != (other.task_id, other.corpus_id, other.valid_until):
        return False
    if speaker(one) != speaker(other):
        return False
    if taxonomy[one.type].kind is Kind.EPISODIC:
        first, second = one.event_at or one.created_at, other.event_at or other.created_at
        return days_between(min(first, second), max(first, second)) <= _SAME_EVENT_DAYS
    return True


def _titled_alike(one: Entry, other: Entry) -> bool:
    """True if titles tell nothing of their own: they are the same, or their words stand in the other's content."""
    if one.item.title.casefold() == other.item.title.casefold():
        return True
    return one.title <= other.reading.content and other.title <= one.reading.content


def _tagged_alike(one: Item, other: Item) -> bool:
    """True if the first tags agree. Without tags an item may belong anywhere."""
    return not one.tags or not other.tags or one.tags[0].casefold() == other.tags[0].casefold()


def _least_cosine(one: Item, other: Item, settings: ConsolidateSettings) -> float:
    return settings.cosine if _tagged_alike(one, other) else settings.cosine_across_tags


def _cosine(one: str, other: str, vectors: Vectors) -> float | None:
    """The cosine of two items; None where one of them has no vector."""
    first, second = vectors.get(one), vectors.get(other)
    if first is None or second is None or not first.any() or not second.any():
        return None
    return float(first @ second)


def _complete(entries: Sequence[Entry], joined: Mapping[tuple[int, int], float]) -> list[list[int]]:
    """Complete linkage: places of entries that are near each other, every one to every other."""
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, other in joined:
        neighbours[one].add(other)
        neighbours[other].add(one)
    order = sorted(neighbours, key=lambda place: (-entries[place].item.confidence, *entries[place].item.age))
    rank = {place: number for number, place in enumerate(order)}
    clusters: list[list[int]] = []
    of: dict[int, list[int]] = {}
    for place in order:
        own = neighbours[place]
        # By way of neighbours, so that only clusters with one of them in it are looked at.
        candidates = {id(of[other]): of[other] for other in sorted(own) if other in of}
        for cluster in sorted(candidates.values(), key=lambda members: rank[members[0]]):
            fits = len(cluster) < _MOST_MEMBERS and own.issuperset(cluster)
            if fits and best_first([entries[member] for member in (*cluster, place)]) is not None:
                cluster.append(place)
                of[place] = cluster
                break
        else:
            of[place] = [place]
            clusters.append(of[place])
    return clusters


def _cluster(
    entries: Sequence[Entry], places: Sequence[int], joined: Mapping[tuple[int, int], float]
) -> Cluster:
    ordered = best_first([entries[place] for place in places])
    assert ordered is not None  # No member joined without it.
    pairs = [joined[one, other] for one in places for other in places if (one, other) in joined]
    return Cluster(tuple(entry.item for entry in ordered), sum(pairs) / len(pairs))
