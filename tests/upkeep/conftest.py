"""Helpers of upkeep's tests. Jobs of theirs plan what a function, or a list of steps, says."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from simonides.domain.item import Status, Usage
from simonides.domain.link import Link, Relation
from simonides.domain.scope import ALL
from simonides.testing import an_item
from simonides.upkeep.change import AddLink, Revise, new_item
from simonides.upkeep.ground import Order
from simonides.upkeep.job import Step


@dataclass
class Planned:
    """A job that plans what a function of the ground yields."""

    planning: Any
    name: str = "planned"
    about: str = "Do what a test wants."

    def plan(self, ground):
        yield from self.planning(ground) if callable(self.planning) else self.planning


@pytest.fixture
def remember(memory):
    """Adds a text; gives its item."""

    def add(text, where=memory, **fields):
        (verdict,) = where.add(text, **({"type": "fact"} | fields)).verdicts
        return where.get(verdict.item_id)

    return add


@pytest.fixture
def planned():
    return Planned


@pytest.fixture
def run_job(memory):
    """Runs a job that plans what a function, or a list of steps, says."""

    def run(planning, where=memory, name="planned", progress=None, **order):
        return where._parts.upkeep.maintain(
            (Planned(planning, name),), Order(**({"scope": ALL} | order)), progress
        )

    return run


@pytest.fixture
def archive():
    """Makes the change that archives an item."""

    def change(item, reason="decay", **fields):
        return Revise(item, replace(item, status=Status.ARCHIVED, **fields), reason=reason)

    return change


@pytest.fixture
def merge(memory, archive):
    """Makes the step that makes one item of several, as consolidation does."""

    def step(items, content, **fields):
        now = memory._parts.clock.now()
        usage = Usage(usage_count=sum(item.usage_count for item in items))
        made = an_item(content, at=now, scope=items[0].scope, usage=usage, **fields)
        gone = [archive(item, "consolidation_merge", superseded_by=made.id) for item in items]
        links = [AddLink(Link(src=made.id, dst=item.id, rel=Relation.SUPERSEDES)) for item in items]
        return Step((*gone, new_item(made, reason="consolidation_merge"), *links))

    return step


@pytest.fixture
def everything():
    """Tells the state of every item by id, with links, places and use; without what moves with every revision."""

    def state(memory):
        items = {item.id: item for item in memory.list(scope=ALL, archived=True, limit=10_000)}
        with memory._parts.store.read() as reader:
            links = {(link.src, link.dst, link.rel): link for link in reader.links(list(items))}
            places = {item_id: place for item_id in items if (place := reader.place(item_id, given=True))}
        return {
            "items": {item_id: replace(item, updated_at=0) for item_id, item in items.items()},
            "usage": {item_id: item.usage for item_id, item in items.items()},
            "links": links,
            "places": places,
        }

    return state
