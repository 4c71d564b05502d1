"""The week: facts that pile up about one topic are said in fewer. Only a model can; without one nothing is done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from simonides.domain.batches import batches
from simonides.domain.item import Item, Validation
from simonides.domain.link import Link
from simonides.domain.palace import MISC
from simonides.domain.scope import Scope
from simonides.language.contradiction import difference
from simonides.ports.runs import judged
from simonides.tasks.facts import Drawn, compressed
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.change import AddLink, Change, Judged, Revise, new_item
from simonides.upkeep.clusters import Cluster, takes_part
from simonides.upkeep.conflicts import supersedes
from simonides.upkeep.ground import PAGE, Ground
from simonides.upkeep.job import Step
from simonides.upkeep.merge import Merged, archived, followed, put_together

NAME: Final = "week"
#: What piles up. What somebody decided, prefers or has to keep to stays in the words in which it was said.
TYPES: Final = frozenset({"fact", "note"})
#: Facts of a topic from which it is compressed, how many of them at most, and how many new ones it takes to do it
#: again.
LEAST: Final = 10
MOST: Final = 500
_NEW: Final = 5
#: Facts that a model is asked about together: of longer lists it forgets some.
_AT_ONCE: Final = 40


class CompressWeeks:
    """Puts facts of one topic together, where a model says several of them in one.

    A topic is a room of the palace in one scope, with at least ten facts. What is put together is checked: it holds
    every number and name of its sources and no other, is not longer and not shrunken, and its sources do not
    contradict each other; else they stay as they are, as does all that the model did not mention. The sources go to
    the archive, replaced by what was put together.
    """

    name = NAME
    about = "Say the facts of each topic that piled up in fewer; with a model only."

    def plan(self, ground: Ground) -> Iterator[Step]:
        if ground.model is None:
            ground.degraded("no model: facts are only put together where they say the same, by consolidate")
            return
        asking = ModelAccess(ground, "these facts stay as they are")
        for scope in ground.scopes():
            for room, facts in _topics(ground, scope).items():
                yield from _compressed(ground, asking, facts)
                if asking.silent:
                    return
                ground.tell(0, what=f"room {room}")


def _topics(ground: Ground, scope: Scope) -> dict[str, list[Item]]:
    """The facts of each room that has enough of them, enough of these new; oldest first."""
    within = ground.within(scope)
    facts = [
        item
        for item in within.items(within.selection(types=TYPES))
        if takes_part(item, ground.taxonomy) and item.validation is Validation.UNVERIFIED
    ]
    rooms: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for some in batches(facts, PAGE):
        with ground.read() as reader:
            places = [reader.place(item.id) for item in some]
        for item, place in zip(some, places, strict=True):
            # What is put together has one type, one origin and one trust: nothing rises in company.
            room = MISC if place is None else place.room
            rooms[room, item.type, item.origin, item.trust, item.injectable, item.valid_until].append(item)
    topics: dict[str, list[Item]] = {}
    for (room, kind, *rest), every in rooms.items():
        facts = every[-MOST:]
        if len(facts) < LEAST:
            continue
        with ground.read() as reader:
            known = judged(reader, NAME, [(fact.id, fact.id) for fact in facts])
        if len(facts) - len(known) >= min(_NEW, len(facts)):
            topics[f"{room}/{kind}/{'/'.join(map(str, rest))}"] = facts
    return topics


def _compressed(ground: Ground, asking: ModelAccess, facts: Sequence[Item]) -> Iterator[Step]:
    for some in batches(facts, _AT_ONCE):
        if len(some) < 2:
            continue
        answer = asking.ask(lambda model, some=some: compressed(model, [fact.text for fact in some]))
        if asking.silent:
            return
        left = dict.fromkeys(some)
        for drawn in () if answer is None else answer.kept:
            sources = [some[place] for place in drawn.sources]
            if (step := _step(ground, asking, drawn, sources)) is not None:
                yield step
                for source in sources:
                    left.pop(source)
        if answer is not None and answer.dropped:
            ground.degraded(
                f"{asking.name}: {len(answer.dropped)} times what it put together was not borne out"
            )
        # Whatever came of it: asked about again once there are new ones.
        yield Step(tuple(Judged(NAME, fact.id, fact.id) for fact in left))


def _step(ground: Ground, asking: ModelAccess, drawn: Drawn, sources: Sequence[Item]) -> Step | None:
    """The sources make way for what was put together; None where they contradict each other."""
    if any(difference(one.content, other.content) for one, other in combinations(sources, 2)):
        return None
    best = max(sources, key=lambda item: (item.confidence, len(item.content), -item.created_at, item.id))
    cluster = Cluster((best, *(item for item in sources if item is not best)))
    item = put_together(cluster, Merged(drawn.content), ground.now())
    with ground.read() as reader:
        links: Sequence[Link] = reader.links([source.id for source in sources])
        if item.content_hash in reader.holders(item.scope, [item.content_hash]):
            return None
    following = followed(dict.fromkeys(links), {source.id: item.id for source in sources})
    changes: tuple[Change, ...] = (
        *(Revise(source, archived(source, item), reason="consolidation_merge") for source in sources),
        new_item(item, reason="compress", why_store=f"said in one by {asking.name}"),
        *(AddLink(supersedes(item, source)) for source in sources),
        *(AddLink(link) for link in following),
        Judged(NAME, item.id, item.id),
    )
    return Step(changes, note=f"{len(sources)} facts in one")
