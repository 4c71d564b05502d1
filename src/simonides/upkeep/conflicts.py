"""Treatment of contradictions: they are linked, the weaker side is contested, a correction replaces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from simonides.domain.batches import batches
from simonides.domain.instant import days_between
from simonides.domain.item import MADE_BY, PINNED_BY, SESSIONS, Item, Status, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import FROM_USER, TRUSTS
from simonides.domain.retention import effective_confidence
from simonides.errors import InvalidAnswer, ProviderError
from simonides.governance.speakers import is_users_word, may_speak_of
from simonides.language.clauses import corrects, without_no
from simonides.language.contradiction import has_changed, leaves_standing
from simonides.language.denied_name import denied_by_name
from simonides.ports.runs import judged
from simonides.tasks.conflicts import contradict
from simonides.upkeep.change import AddLink, Change, Judged, Revise
from simonides.upkeep.clusters import Contradiction
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step

#: By which name pairs are noted that were looked at.
JUDGED: Final = "contradictions"
_CONFIDENCE: Final = 0.7
_BATCH: Final = 50
#: What a corrected item keeps of its weight, as where somebody corrects it by hand.
_CORRECTED_CONFIDENCE: Final = 0.3
_CORRECTED_DECAY: Final = 0.5
_SAID_SO: Final = "a correction"


class Contesting:
    """Steps for the contradictions of one run: each pair is judged once."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._asked = 0

    def steps(self, pairs: Sequence[Contradiction], successors: Mapping[str, Item]) -> Iterator[Batch]:
        """Plan steps for pairs of items, of which some have been merged meanwhile.

        A pair that is no contradiction to the model is noted and left alone. Where the newer side says itself that
        it corrects the older, which states nothing else, and both are the user's word, it takes its place; else both
        stay, linked, and the weaker one is contested.
        """
        current = self._current(pairs, successors)
        corrections = [pair for pair in current if self._corrects(pair)]
        replaced = {pair.older.id for pair in corrections}
        yield from _batches(_correction(pair, self._ground.now()) for pair in _once(corrections))
        by_weaker: dict[str, list[Contradiction]] = defaultdict(list)
        for pair in current:
            if not {pair.older.id, pair.newer.id} & replaced:
                by_weaker[self._weaker(pair).id].append(pair)
        yield from _batches(self._contest(some) for some in by_weaker.values())

    def _current(self, pairs: Sequence[Contradiction], successors: Mapping[str, Item]) -> list[Contradiction]:
        """The pairs as they stand now, none twice, none that was judged before."""
        moved = [
            replace(
                pair,
                older=successors.get(pair.older.id, pair.older),
                newer=successors.get(pair.newer.id, pair.newer),
            )
            # Of what was merged with something said before and behind the other, the last word counts.
            for pair in sorted(pairs, key=lambda pair: pair.newer.age)
        ]
        current = {frozenset((pair.older.id, pair.newer.id)): pair for pair in moved}
        kept = [pair for pair in current.values() if pair.older.id != pair.newer.id]
        ends = [(pair.older.id, pair.newer.id) for pair in kept]
        with self._ground.read() as reader:
            known = judged(reader, JUDGED, ends)
            items = reader.get(sorted({item_id for pair in ends for item_id in pair}))
        fresh = [
            replace(
                pair, older=items.get(pair.older.id, pair.older), newer=items.get(pair.newer.id, pair.newer)
            )
            for pair, pair_ends in zip(kept, ends, strict=True)
            # What was to take a place may have been refused.
            if pair_ends not in known and (self._ground.dry_run or items.keys() >= {*pair_ends})
        ]
        return [pair for pair in fresh if pair.older.status is pair.newer.status is Status.ACTIVE]

    def _contest(self, pairs: Sequence[Contradiction]) -> Step:
        """One step for all contradictions in which an item is the weaker side: it is revised once."""
        weaker = self._weaker(pairs[0])
        real = [pair for pair in pairs if self._is_real(pair)]
        changes: list[Change] = []
        if real and weaker.validation is Validation.UNVERIFIED:
            changes.append(Revise(weaker, contested(weaker), reason="contest"))
        changes += [AddLink(_contradicts(pair)) for pair in real]
        changes += [Judged(JUDGED, pair.older.id, pair.newer.id) for pair in pairs]
        return Step(tuple(changes), note="; ".join(str(pair.difference) for pair in pairs))

    def _is_real(self, pair: Contradiction) -> bool:
        """True if a model agrees, as far as it may be asked."""
        ground = self._ground
        if ground.model is None or self._asked >= ground.settings.consolidate.questions:
            return True
        self._asked += 1
        try:
            return contradict(ground.model, pair.older.content, pair.newer.content)
        except InvalidAnswer:
            ground.degraded(
                f"{ground.model.name}: answers to the task conflicts could not be used; taken as found"
            )
        except ProviderError as error:
            ground.degraded(f"{error}; contradictions were taken as found")
        return True

    def _corrects(self, pair: Contradiction) -> bool:
        if pair.older.settled or pair.partly:
            return False
        if not {pair.older.origin, pair.newer.origin} <= FROM_USER or not may_speak_of(
            pair.newer, pair.older
        ):
            return False
        text = pair.newer.content
        if leaves_standing(pair.older.content, text):
            return False
        older = pair.older.content
        if (
            corrects(text)
            or without_no(text) != text
            or has_changed(older, text)
            or denied_by_name(older, text)
        ):
            return True
        with self._ground.read() as reader:
            verdict = reader.verdict(pair.newer.id)
        return verdict is not None and _SAID_SO in (verdict.why_store or "")

    def _weaker(self, pair: Contradiction) -> Item:
        """The side that is less certain now: not the user's word, unverified, of less trust or confidence, older.

        However sure a model, a tool or a page is, what the user says is not doubted for it. Of two statements of chats
        the last word counts, whenever they were stored, and not how far either has faded.
        """
        now = self._ground.now()
        fades = any(item.metadata.get(MADE_BY) != SESSIONS for item in (pair.older, pair.newer))

        def strength(item: Item) -> tuple[bool, bool, int, float, int, int, str]:
            days = days_between(item.last_used_at or item.created_at, now) if fades else 0
            confidence = effective_confidence(item.confidence, item.decay_rate, days)
            return (
                is_users_word(item),
                item.validation is Validation.VERIFIED,
                TRUSTS.index(item.trust),
                round(confidence, 2),
                *item.age,
            )

        return min((pair.older, pair.newer), key=strength)


def contested(item: Item) -> Item:
    """The item, contested; upkeep's own pin goes with its being sure."""
    if PINNED_BY not in item.metadata:
        return replace(item, validation=Validation.CONTESTED)
    metadata = {name: value for name, value in item.metadata.items() if name != PINNED_BY}
    return replace(item, validation=Validation.CONTESTED, pinned=False, metadata=metadata)


def _correction(pair: Contradiction, now: int) -> Step:
    """The older item ends where the newer one begins; it stays in the history."""
    older, newer = pair.older, pair.newer
    return Step(
        (
            Revise(older, ended_by(older, newer, now), reason="supersede"),
            AddLink(supersedes(newer, older)),
            Judged(JUDGED, older.id, newer.id),
        ),
        note=f"corrected: {pair.difference}",
        reads=(newer,),
    )


def ended_by(older: Item, newer: Item, now: int) -> Item:
    """An item that another has replaced."""
    ends = newer.valid_from or newer.event_at or newer.created_at
    return replace(
        older,
        status=Status.ARCHIVED,
        superseded_by=newer.id,
        valid_until=max(min(ends, older.valid_until or ends, now), older.valid_from or 0),
        confidence=min(older.confidence, _CORRECTED_CONFIDENCE),
        decay_rate=_CORRECTED_DECAY,
    )


def supersedes(successor: Item, source: Item) -> Link:
    """The link from what took a place to what had it."""
    return Link(src=successor.id, dst=source.id, rel=Relation.SUPERSEDES)


def _contradicts(pair: Contradiction) -> Link:
    return Link(
        src=pair.newer.id,
        dst=pair.older.id,
        rel=Relation.CONTRADICTS,
        predicate=pair.difference.kind,
        confidence=_CONFIDENCE,
        evidence=str(pair.difference),
    )


def _once(pairs: Sequence[Contradiction]) -> list[Contradiction]:
    """One correction for each item, the last; and none by an item that is replaced itself."""
    last = {pair.older.id: pair for pair in pairs}
    return list(last.values())


def _batches(steps: Iterator[Step]) -> Iterator[Batch]:
    yield from batches(steps, _BATCH)
