"""The palace: a room for items that would stand in `misc` although it is known what they are about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.entity import Entity
from simonides.domain.item import Item
from simonides.domain.palace import MISC
from simonides.domain.records import Place
from simonides.ports.entities import EntitySelection
from simonides.ports.store import Reader
from simonides.upkeep.change import Assign
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step

#: How often an entity must be mentioned to be worth a room of its own.
MENTIONED: Final = 3


class AssignRooms:
    """Puts items without tags into the room of what they mention most of all.

    Where there is a tag, or an entity was given, an item's room follows from it without being written down,
    and follows when it changes; those need no job. What has neither would stand in `misc`: if it mentions a known
    entity, it gets that one's room. Turns of conversations and chunks stay where they are.
    """

    name = "palace"
    about = "Give items without tags the room of what they mention."

    def plan(self, ground: Ground) -> Iterator[Batch]:
        types = frozenset(name for name, spec in ground.taxonomy.specs.items() if spec.merges)
        for page in ground.pages(ground.selection(types=types), what="items"):
            bare = [(key, item) for key, item in page.items() if not (item.tags or item.entities)]
            with ground.read() as reader:
                steps = _steps(reader, bare)
            yield steps


def _steps(reader: Reader, bare: Sequence[tuple[int, Item]]) -> Batch:
    mentioned = reader.look((), [key for key, _ in bare]).mentions
    entities = reader.entities(EntitySelection(keys=sorted({entity for _, entity in mentioned})))
    best: dict[int, Entity] = {}
    for item, key in mentioned:
        entity = entities.get(key)
        if entity is not None and entity.mention_count >= MENTIONED:
            best[item] = min(best.get(item, entity), entity, key=_rank)
    steps: list[Step] = []
    for key, item in bare:
        if key in best and reader.place(item.id, given=True) is None:
            before = reader.place(item.id)
            assert before is not None
            if before.room == MISC:
                place = Place(item.id, before.domain, best[key].name, before.shelf)
                steps.append(Step((Assign(place, before),), reads=(item,)))
    return tuple(steps)


def _rank(entity: Entity) -> tuple[int, str]:
    """The most mentioned comes first; ties by name."""
    return -entity.mention_count, entity.name
