"""Summaries of entities: what is known of those that are mentioned often, in a sentence or three."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.entity import Entity, fold
from simonides.domain.instant import days_between
from simonides.domain.item import Item, Validation
from simonides.domain.provenance import Trust
from simonides.domain.retention import effective_confidence
from simonides.domain.scope import exactly
from simonides.domain.taxonomy import Kind
from simonides.language.contradiction import difference
from simonides.language.sameness import overlap, read
from simonides.language.succession import ChangeKind, changes_told
from simonides.ports.entities import EntitySelection, entity_of
from simonides.ports.store import Reader
from simonides.tasks.entities import describe
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.change import Summarise
from simonides.upkeep.derived import contradicted
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Step
from simonides.values import dataclass

NAME: Final = "entities"
#: How often an entity must be mentioned, and how many facts are read of it.
MENTIONED: Final = 3
MOST_FACTS: Final = 10
#: Characters of a summary, and facts that are quoted in one.
SUMMARY_CHARS: Final = 400
_QUOTED: Final = 3
_SUMMARY: Final = frozenset({"summary"})
#: Entities that are looked at in one run, most often mentioned first; items that mention one, newest first.
_LOOKED_AT: Final = 1000
_MENTIONS: Final = 100
#: Of two facts that share so many of their words one is enough.
_SAME: Final = 0.75
#: A name says more of what a short fact is about than of what a long one is.
_LONG: Final = 300


@dataclass(frozen=True, slots=True)
class _Told:
    """An entity with what may be told of it; and why it is to be told, first things first."""

    entity: Entity
    facts: tuple[Item, ...]
    stale: bool


class SummariseEntities:
    """Gives entities that are mentioned at least three times a summary, or a new one where their facts changed.

    It is made of at most ten facts of the entity's own scope that may be put into prompts. With a model the words
    are its own, as far as the facts bear them out; without one it quotes the two or three best facts. Some entities
    a run (`upkeep.summaries`), those without a summary first. One whose facts are all gone loses its summary.
    """

    name = NAME
    about = "Say in a sentence or three what is known of entities that are mentioned often."

    def plan(self, ground: Ground) -> Iterator[Step]:
        asking = ModelAccess(ground, "summaries quote the facts")
        scopes = exactly(ground.scope)
        with ground.read() as reader:
            entities = list(reader.entities(EntitySelection(scopes=scopes), _LOOKED_AT).values())
        often = [entity for entity in entities if entity.mention_count >= MENTIONED or entity.summary]
        left = ground.settings.upkeep.summaries
        for stale in (False, True):
            for entity in often:
                if (entity.summary is not None) is not stale:
                    continue
                news = _to_tell(ground, entity)
                if news is None or (left == 0 and news.facts):
                    continue
                if (step := _summarised(asking, news)) is not None:
                    left -= bool(news.facts)
                    yield step
                    ground.tell(ground.settings.upkeep.summaries - left, what="entities")


def _to_tell(ground: Ground, entity: Entity) -> _Told | None:
    """News to tell of an entity; None where nothing is known of it, or nothing has changed."""
    with ground.read() as reader:
        facts = _facts(ground, reader, entity)
        made = next(iter(reader.standing_changes(_SUMMARY, entity_id=entity.id)), None)
    if entity.summary is None:
        return _Told(entity, facts, stale=False) if facts else None
    if made is None or made.details.get("after") != entity.summary:
        return None  # Somebody else's word.
    same = {fact.id for fact in facts} == set(made.details.get("sources", ()))
    return (
        None
        if same and all(fact.updated_at <= made.at for fact in facts)
        else _Told(entity, facts, stale=True)
    )


def _facts(ground: Ground, reader: Reader, entity: Entity) -> tuple[Item, ...]:
    """The best facts that mention an entity: short, sure, important, none of which says what another says.

    Of two that cannot both hold, the later one.
    """
    known = entity_of(reader, entity.id)
    if known is None:
        return ()
    kinds = frozenset({Kind.SEMANTIC, Kind.PROCEDURAL, Kind.OPINION})
    types = ground.taxonomy.of_kinds(kinds) - {"chunk", "record", "temp", "debug", "pointer"}
    selection = ground.within(entity.scope).selection(types=types, injectable=True, mentioned=(known[0],))
    items = [
        item
        for item in reader.select(selection, limit=_MENTIONS).values()
        if _may_be_told(item, ground.now())
    ]
    doubtful = contradicted(reader, items)
    items = [item for item in items if item.id not in doubtful]
    items.sort(key=lambda item: (-_weight(item, entity, ground.now()), item.created_at, item.id))
    chosen: list[Item] = []
    for item in items:
        reading = read(item.content)
        if any(_is_over(item, other, entity) for other in items):
            continue
        if all(overlap(reading, read(other.content)) < _SAME for other in chosen):
            chosen.append(item)
        if len(chosen) == MOST_FACTS:
            break
    return tuple(chosen)


def _is_over(item: Item, other: Item, entity: Entity) -> bool:
    """True if another fact, told later, contradicts one, or tells that what both say of the entity is over."""
    if other.happened_at <= item.happened_at:
        return False
    if difference(item.content, other.content) is not None:
        return True
    named = frozenset[str]().union(*(read(name).content for name in entity.names))
    both = (read(item.content).content & read(other.content).content) - named
    over = (change for change in changes_told(other.content) if change.change is ChangeKind.OVER)
    return bool(both) and any(named & read(change.sentence).content for change in over)


def _may_be_told(item: Item, now: int) -> bool:
    return (
        item.trust is not Trust.LOW
        and item.validation in {Validation.UNVERIFIED, Validation.VERIFIED}
        and item.superseded_by is None
        and (item.valid_until is None or item.valid_until > now)
        and item.expires_at is None
    )


def _weight(item: Item, entity: Entity, now: int) -> float:
    days = days_between(item.last_used_at or item.created_at, now)
    weight = (0.5 + item.importance) * effective_confidence(item.confidence, item.decay_rate, days)
    text = fold(item.content)
    begins = any(text.startswith(fold(name)) for name in entity.names)
    return weight * (1.5 if begins else 1.0) * (0.5 if len(item.content) > _LONG else 1.0)


def _summarised(asking: ModelAccess, news: _Told) -> Step | None:
    entity, facts = news.entity, news.facts
    text: str | None = None
    sources: Sequence[Item] = facts
    if facts:
        contents = [fact.content for fact in facts]
        text = asking.ask(lambda model: describe(model, entity.names, contents, SUMMARY_CHARS))
        if text is None:
            text = _quoted(facts)
        if text is None or (news.stale and text == entity.summary):
            return None
    elif entity.summary is None:
        return None
    change = Summarise(
        entity.id, entity.name, text, entity.summary, sources=tuple(fact.id for fact in sources)
    )
    return Step((change,), reads=tuple(sources))


def _quoted(facts: Sequence[Item]) -> str | None:
    """The best two or three facts, word for word, as far as they fit."""
    chosen: list[str] = []
    for fact in facts:
        text = " ".join(fact.content.split())
        if text[-1] not in ".!?…。！？":
            text += "."
        if len(" ".join([*chosen, text])) <= SUMMARY_CHARS:
            chosen.append(text)
        if len(chosen) == _QUOTED:
            break
    return " ".join(chosen) or None
