"""Summaries of the entities that a question names, as upkeep wrote them."""

from __future__ import annotations

from typing import Final

from simonides.domain.entity import Entity, fold
from simonides.domain.scope import Scope
from simonides.language.question_names import candidates_in, names_in
from simonides.language.sentences import read
from simonides.ports.store import Reader
from simonides.recall.assemble import EntitySummary
from simonides.recall.integrity import left_out

#: Entities of one question; who names more asks about none of them in particular.
_MOST: Final = 4


def summaries_of(
    reader: Reader, question: str, scopes: tuple[Scope, ...] | None
) -> tuple[tuple[EntitySummary, ...], tuple[str, ...]]:
    """Summaries of the entities that a question names, in the order in which it names them.

    Of one name in several scopes the nearest scope's counts.

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
        if entity.id not in altered
    )
    return tuple(summaries), left_out(altered)
