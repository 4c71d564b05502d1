"""Summaries of the entities that a question names, as upkeep wrote them."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from simonides.domain.entity import Entity, fold
from simonides.domain.item import Item, Status
from simonides.domain.link import Relation
from simonides.domain.scope import Scope
from simonides.language.question_names import candidates_in, names_in
from simonides.language.sentences import read
from simonides.ports.store import Reader
from simonides.recall.assemble import EntitySummary
from simonides.recall.integrity import left_out

#: Entities of one question; who names more asks about none of them in particular.
_MOST: Final = 4
_SUMMARY: Final = frozenset({"summary"})


def summaries_of(
    reader: Reader, question: str, scopes: tuple[Scope, ...] | None
) -> tuple[tuple[EntitySummary, ...], tuple[str, ...]]:
    """Summaries of the entities that a question names, in the order in which it names them.

    Of one name in several scopes the nearest scope's counts. Left out is one of whose facts any was forgotten,
    corrected, contradicted or worded anew since: it is written anew by the next run of upkeep.

    Returns:
        The summaries, and a word on what was left out since it was changed outside Simonides.
    """
    reading = read(question)
    candidates = [fold(name) for name in candidates_in(reading, names_in(reading))]
    nearest = {} if scopes is None else {scope: place for place, scope in enumerate(scopes)}
    found: dict[str, Entity] = {}
    for _, _, entity in reader.entities_named(candidates, scopes):
        known = found.get(fold(entity.name))
        if entity.summary and (known is None or nearest.get(entity.scope, 0) < nearest.get(known.scope, 0)):
            found[fold(entity.name)] = entity
    place = {name: number for number, name in reversed(list(enumerate(candidates)))}
    ordered = sorted(
        found.values(),
        key=lambda entity: (min(place.get(fold(name), len(place)) for name in entity.names), entity.name),
    )
    altered = reader.altered_entities([entity.id for entity in ordered[:_MOST]])
    summaries = (
        EntitySummary(entity.name, entity.summary or "")
        for entity in ordered[:_MOST]
        if entity.id not in altered and not _is_outdated(reader, entity)
    )
    return tuple(summaries), left_out(altered)


def _is_outdated(reader: Reader, entity: Entity) -> bool:
    """True if any fact that upkeep made a summary of does not stand as it did."""
    made = next(iter(reader.standing_changes(_SUMMARY, entity_id=entity.id)), None)
    if made is None or made.details.get("after") != entity.summary:
        return False  # Somebody else's word.
    ids: list[str] = list(made.details.get("sources", ()))
    links = reader.links(ids, [Relation.CONTRADICTS])
    items = reader.get(sorted({*ids, *(end for link in links for end in (link.src, link.dst))}))
    if any(id_ not in items or _has_changed(reader, items[id_], made.at) for id_ in ids):
        return True
    active = {item.id for item in items.values() if item.status is Status.ACTIVE}
    return any({link.src, link.dst} <= active for link in links)


def _has_changed(reader: Reader, fact: Item, since: int) -> bool:
    if fact.status is not Status.ACTIVE:
        return True
    return fact.updated_at > since and any(
        then.at > since and then.item.content != former.item.content
        for former, then in pairwise(reader.revisions(fact.id))
    )
