"""Merging of a cluster into one item: its words by a consolidator, all else by rule. Pure but for a model.

No rule lets a merged item claim more than its sources: its trust is theirs, its validation follows theirs, and what
it says passes the policy like everything that is written.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from simonides.domain.ids import new_id
from simonides.domain.instant import days_between
from simonides.domain.item import MAX_TAGS, MAX_TITLE_CHARS, Item, Status, Usage, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Origin, Provenance, SourceKind, Trust
from simonides.domain.taxonomy import Tier
from simonides.errors import InvalidInput
from simonides.upkeep.clusters import Cluster
from simonides.values import dataclass

#: Weights of `merge_confidence`.
_MAX_CONFIDENCE, _TAG_OVERLAP, _RECENCY, _VALIDATION = 0.4, 0.3, 0.2, 0.1
_FADES_A_DAY: Final = 0.05
_UNKNOWN_AGE: Final = 0.5
_TRUST: Final = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)
_TIERS: Final = tuple(Tier)
#: Which validation a merged item has: the first that one of its sources has.
_PRECEDENCE: Final = (
    Validation.RETRACTED,
    Validation.VERIFIED,
    Validation.CONTESTED,
    Validation.UNVERIFIED,
)
#: Links that go over to the item that takes another's place. What replaced what, and what stands beside what in a
#: conversation or document, stays as it was.
_FOLLOWING: Final = frozenset(
    {
        Relation.SUPPORTS,
        Relation.CONTRADICTS,
        Relation.REFINES,
        Relation.DEPENDS_ON,
        Relation.REFERENCES,
        Relation.DERIVED_FROM,
        Relation.CAUSAL,
        Relation.CO_RECALLED,
        Relation.SIMILAR,
        Relation.EXTRACTED_FROM,
    }
)


@dataclass(frozen=True, slots=True)
class Merged:
    """The words of a merged item.

    Attributes:
        content: Not blank.
        title: At most 200 characters; may be empty.
    """

    content: str
    title: str = ""


class Consolidator:
    """Decides in which words a cluster lives on. Subclass it, and give an object to `Memory(consolidator=…)`."""

    def merge(self, cluster: Cluster) -> Merged | None:
        """The words of the merged item; None to leave the cluster as it is.

        Here: those of its best member, and its title or else the first title of the others. Whatever an
        override returns passes the policy before it is stored; confidence, trust and the like follow from the
        sources.
        """
        title = next((item.title for item in cluster.items if item.title), "")
        return Merged(cluster.best.content, cluster.best.title or title)


def checked(merged: object) -> Merged:
    """Check what a consolidator returned, and return it if it can be used.

    Raises:
        InvalidInput: It is none, or its content is blank or its title too long; the message says which.
    """
    if not isinstance(merged, Merged):
        raise InvalidInput(f"a consolidator returns Merged or None, not {type(merged).__name__}")
    if not isinstance(merged.content, str) or not merged.content.strip():
        raise InvalidInput("a consolidator returned no content; None leaves a cluster as it is")
    if not isinstance(merged.title, str) or len(merged.title) > MAX_TITLE_CHARS or "\n" in merged.title:
        raise InvalidInput(f"the title of a merged item is one line of at most {MAX_TITLE_CHARS} characters")
    return merged


def merge_confidence(items: Sequence[Item], now: int) -> float:
    """0.4 · highest confidence + 0.3 · tag overlap + 0.2 · recency + 0.1 · validation, in [0, 1].

    Tag overlap is the share of the distinct tags that at least two items have. Recency is exp(−0.05 · d), d days
    since the newest was recorded, 0.5 where nothing is known of it. Validation is 0 if any item was retracted,
    else 1 if any was verified, else 0.5.
    """
    tags = Counter(tag for item in items for tag in {tag.casefold() for tag in item.tags})
    shared = sum(count >= 2 for count in tags.values()) / len(tags) if tags else 0.0
    newest = max((item.created_at for item in items), default=0)
    recency = math.exp(-_FADES_A_DAY * days_between(newest, now)) if newest else _UNKNOWN_AGE
    states = {item.validation for item in items}
    validation = 0.0 if Validation.RETRACTED in states else 1.0 if Validation.VERIFIED in states else 0.5
    highest = max(item.confidence for item in items)
    weighed = (
        _MAX_CONFIDENCE * highest + _TAG_OVERLAP * shared + _RECENCY * recency + _VALIDATION * validation
    )
    return min(1.0, max(0.0, weighed))


def put_together(cluster: Cluster, words: Merged, now: int) -> Item:
    """The item that takes the place of a cluster.

    Unions of tags, entities, chunks and hashes; the uses of all; the lowest trust; the highest tier and
    importance; the latest end. What the sources do not agree in (session, task, corpus, …) is left out.
    """
    items, best = cluster.items, cluster.best
    return replace(
        best,
        id=new_id(now),
        content=words.content,
        title=words.title,
        created_at=now,
        updated_at=now,
        tags=_united((item.tags for item in items), MAX_TAGS),
        entities=_united((item.entities for item in items), MAX_TAGS),
        provenance=_provenance(items),
        confidence=merge_confidence(items, now),
        importance=max(item.importance for item in items),
        validation=next(state for state in _PRECEDENCE if any(item.validation is state for item in items)),
        tier=max((item.tier for item in items), key=_TIERS.index),
        injectable=all(item.injectable for item in items),
        decay_rate=min(item.decay_rate for item in items),
        trust=min((item.trust for item in items), key=_TRUST.index),
        origin=_origin(items),
        event_at=best.event_at or best.created_at,
        valid_from=_earliest([item.valid_from for item in items]),
        expires_at=_latest([item.expires_at for item in items]),
        usage=_usage(items),
        ordinal=None,
        metadata=_agreed_metadata(items),
        **{name: _agreed(getattr(item, name) for item in items) for name in _PLACES},
    )


def archived(item: Item, successor: Item) -> Item:
    """A source once another item has taken its place."""
    return replace(item, status=Status.ARCHIVED, superseded_by=successor.id)


def followed(links: Iterable[Link], successors: Mapping[str, str]) -> list[Link]:
    """Links of the sources as links of what took their place, one for each pair and relation.

    Args:
        links: From and to the sources.
        successors: Id of the successor by id of the source.

    Returns:
        Without those that would join an item with itself; weights of `co_recalled` added, of the rest the highest.
    """
    kept: dict[tuple[str, str, Relation], Link] = {}
    for link in links:
        if link.rel not in _FOLLOWING:
            continue
        src, dst = successors.get(link.src, link.src), successors.get(link.dst, link.dst)
        if src == dst:
            continue
        if link.rel is Relation.CO_RECALLED and dst not in successors.values():
            src, dst = dst, src  # There is one link for a pair, from the older to the newer.
        known = kept.get((src, dst, link.rel))
        moved = replace(link, src=src, dst=dst)
        if known is None:
            kept[src, dst, link.rel] = moved
        else:
            adds = link.rel is Relation.CO_RECALLED
            kept[src, dst, link.rel] = replace(
                moved,
                weight=known.weight + link.weight if adds else max(known.weight, link.weight),
                confidence=max(known.confidence, link.confidence),
                valid_from=_latest_known([known.valid_from, link.valid_from]) if adds else known.valid_from,
            )
    return list(kept.values())


#: Fields that a merged item has only where all of its sources have the same.
_PLACES: Final = ("session_id", "task_id", "narrative_id", "corpus_id", "rule_id", "valid_until")


def _provenance(items: Sequence[Item]) -> Provenance:
    known = [item.provenance for item in items]
    return Provenance(
        source_kind=SourceKind.MIXED,
        source_id=next(
            (provenance.source_id for provenance in known if provenance.source_id is not None), None
        ),
        source_role=_agreed(provenance.source_role for provenance in known),
        chunk_ids=_united((provenance.chunk_ids for provenance in known), None),
        content_hashes=_united((provenance.content_hashes for provenance in known), None),
    )


def _origin(items: Sequence[Item]) -> Origin:
    """Their own where they agree; of what the user said and confirmed, what was said."""
    origins = {item.origin for item in items}
    if len(origins) == 1:
        return items[0].origin
    return Origin.USER_SAID if origins <= {Origin.USER_SAID, Origin.USER_CONFIRMED} else Origin.SYSTEM


def _usage(items: Sequence[Item]) -> Usage:
    return Usage(
        reinforcement=max((item.reinforcement for item in items), key=abs),
        usage_count=sum(item.usage_count for item in items),
        last_used_at=_latest_known([item.last_used_at for item in items]),
        last_hit_at=_latest_known([item.last_hit_at for item in items]),
    )


def _united(groups: Iterable[Sequence[str]], most: int | None) -> tuple[str, ...]:
    united: dict[str, str] = {}
    for group in groups:
        for word in group:
            united.setdefault(word.casefold(), word)
    return tuple(united.values())[:most]


def _agreed(values: Iterable[Any]) -> Any:
    known = list(values)
    return known[0] if all(value == known[0] for value in known) else None


def _agreed_metadata(items: Sequence[Item]) -> dict[str, Any]:
    first, *rest = (item.metadata for item in items)
    return {
        name: value
        for name, value in first.items()
        if all(name not in other or other[name] == value for other in rest)
    }


def _earliest(instants: Sequence[int | None]) -> int | None:
    known = [at for at in instants if at is not None]
    return min(known) if len(known) == len(instants) else None


def _latest(instants: Sequence[int | None]) -> int | None:
    """The latest end; None, never, where one has none."""
    known = [at for at in instants if at is not None]
    return max(known) if len(known) == len(instants) else None


def _latest_known(instants: Sequence[int | None]) -> int | None:
    return max((at for at in instants if at is not None), default=None)
