"""The core profile: which items are pinned, so that every conversation begins with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from simonides.domain.instant import days_between
from simonides.domain.item import PINNED_BY, Item, Status, Validation
from simonides.domain.provenance import Trust
from simonides.domain.retention import effective_confidence
from simonides.domain.selection import ItemOrder
from simonides.domain.text import count_tokens
from simonides.governance.speakers import is_users_word
from simonides.language.sameness import Reading, overlap, read, same
from simonides.ports.store import Reader
from simonides.tasks.profile import choose
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.change import Revise
from simonides.upkeep.derived import contradicted
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Step
from simonides.values import dataclass

NAME: Final = "profile"
#: From this importance on an item may be pinned.
IMPORTANT: Final = 0.7
#: Items that are looked at, and that may be pinned.
LOOKED_AT: Final = 200
MOST: Final = 100
#: Tokens that stand around a line of the profile.
_AROUND: Final = 3
#: Of two items that share so many of their words one is enough: the later one, if it says something else.
_SAME: Final = 0.75
#: What tells of one moment or stands in a document is no part of who somebody is.
_NEVER: Final = frozenset({"episode", "chunk", "record", "event", "narrative", "temp", "debug", "todo"})


@dataclass(frozen=True, slots=True)
class _Candidate:
    item: Item
    weight: float


class RefreshProfile:
    """Pins what is most important, and lets go of what it had pinned and is no more.

    What somebody else pinned stays pinned. The rest is chosen by importance times what is left of the confidence, or
    by a model, within the tokens of the core profile: only the user's word, or what was verified, never what is
    contested or of low trust.
    """

    name = NAME
    about = "Pin what every conversation should begin with; let go of what it pinned before and is no more."

    def plan(self, ground: Ground) -> Iterator[Step]:
        asking = ModelAccess(ground, "the profile was chosen by importance and confidence")
        for done, scope in enumerate(ground.scopes(), 1):
            yield from _refreshed(ground.within(scope), asking)
            ground.tell(done, what="profiles")


def _refreshed(ground: Ground, asking: ModelAccess) -> Iterator[Step]:
    with ground.read() as reader:
        pinned = list(reader.select(ground.selection(), ItemOrder.PINNED, limit=LOOKED_AT).values())
        own = {item.id for item in pinned if _pinned_by_upkeep(reader, item)}
    candidates = _candidates(ground, [item for item in pinned if item.id in own])
    if not candidates and not own:
        return
    kept = [item for item in pinned if item.id not in own]
    chosen = {item.id for item in _chosen(ground, asking, kept, candidates)}
    for item in pinned:
        if item.id in own and item.id not in chosen:
            yield Step((Revise(item, _unpinned(item), reason=NAME),), note="no longer in the profile")
    for candidate in candidates:
        item = candidate.item
        if item.id in chosen and not item.pinned:
            yield Step((Revise(item, _pinned(item), reason=NAME),), note="into the profile")


def _pinned(item: Item) -> Item:
    return replace(item, pinned=True, metadata={**item.metadata, PINNED_BY: NAME})


def _unpinned(item: Item) -> Item:
    metadata = {name: value for name, value in item.metadata.items() if name != PINNED_BY}
    return replace(item, pinned=False, metadata=metadata)


def _pinned_by_upkeep(reader: Reader, item: Item) -> bool:
    """True if this job pinned an item, and nobody else did since."""
    before = False
    by_upkeep = False
    for revision in reader.revisions(item.id):
        if revision.item.pinned and not before:
            by_upkeep = revision.reason == NAME
        before = revision.item.pinned
    return by_upkeep


def _candidates(ground: Ground, own: Sequence[Item]) -> list[_Candidate]:
    """Items that may be pinned, weightiest first."""
    now = ground.now()
    by_id = {item.id: item for item in own}
    types = frozenset(ground.taxonomy.specs) - _NEVER
    for item in ground.items(ground.selection(types=types, injectable=True, pinned=False)):
        if item.importance >= IMPORTANT:
            by_id[item.id] = item
    with ground.read() as reader:
        doubtful = contradicted(reader, list(by_id.values()))
    candidates = [
        _Candidate(item, _weight(item, now))
        for item in by_id.values()
        if _may_be_pinned(item, now) and item.id not in doubtful
    ]
    return sorted(candidates, key=lambda one: (-one.weight, one.item.created_at, one.item.id))[:LOOKED_AT]


def _may_be_pinned(item: Item, now: int) -> bool:
    return (
        item.status is Status.ACTIVE
        and item.injectable
        and item.importance >= IMPORTANT
        and item.trust is not Trust.LOW
        and item.validation in {Validation.UNVERIFIED, Validation.VERIFIED}
        and (is_users_word(item) or item.validation is Validation.VERIFIED)
        and item.superseded_by is None
        and (item.valid_until is None or item.valid_until > now)
        # A profile does not speak of what ends soon.
        and item.expires_at is None
    )


def _weight(item: Item, now: int) -> float:
    # A pin protects from decay: what it would have lost without it is what counts.
    days = days_between(item.last_used_at or item.created_at, now)
    return item.importance * effective_confidence(item.confidence, item.decay_rate, days)


def _chosen(
    ground: Ground, asking: ModelAccess, kept: Sequence[Item], candidates: Sequence[_Candidate]
) -> list[Item]:
    """Of the candidates, those that fit beside what others pinned; of two about the same, the later one."""
    if not candidates:
        return []
    ordered = [candidate.item for candidate in candidates]
    notes = [(item.type, item.text) for item in ordered]
    places = asking.ask(lambda model: choose(model, notes, MOST))
    if places is not None:
        ordered = [ordered[place] for place in places]
    left = ground.settings.upkeep.profile_tokens - sum(map(_tokens, kept))
    settled = [read(item.text) for item in kept]
    chosen: dict[str, tuple[Item, Reading]] = {}
    for item in ordered:
        reading = read(item.text)
        rivals = {id_: one for id_, one in chosen.items() if _is_near(reading, one[1])}
        freed = sum(_tokens(one) for one, _ in rivals.values())
        if _tokens(item) > left + freed or len(chosen) - len(rivals) + len(kept) >= MOST:
            continue
        if any(_is_near(reading, other) for other in settled):
            continue
        if all(_takes_the_place(item, reading, *rival) for rival in rivals.values()):
            chosen = {id_: one for id_, one in chosen.items() if id_ not in rivals} | {
                item.id: (item, reading)
            }
            left += freed - _tokens(item)
    return [item for item, _ in chosen.values()]


def _is_near(reading: Reading, other: Reading) -> bool:
    return overlap(reading, other) >= _SAME


def _takes_the_place(item: Item, reading: Reading, former: Item, other: Reading) -> bool:
    """True if an item says another number, value or name of the same, and is verified instead, or the later one."""
    verified = [one.validation is Validation.VERIFIED for one in (item, former)]
    stands = item.age > former.age if verified[0] == verified[1] else verified[0]
    return stands and not same(reading, other)


def _tokens(item: Item) -> int:
    return count_tokens(item.text) + _AROUND
