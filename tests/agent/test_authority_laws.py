"""Only a person's word becomes a person's word, whatever a model calls or says, in whatever order.

The oracle is a twin store that only the user speaks to, and what the user's items looked like when the user last
touched them. The tools and their arguments are drawn from the table of tools: a new one is tried
without being named here.
"""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides import ALL, Memory, SimonidesError
from simonides.agent.tools import Tools
from simonides.config import Settings, StoreSettings
from simonides.domain.item import Item
from simonides.governance.policy import PolicySettings
from simonides.testing import FakeEmbedder, FrozenClock

TEXTS = [
    "The library opens at nine.", "The library opens at ten.", "The library does not open.",
    "the library opens at nine",
    "I am vegetarian.", "The user is vegetarian.", "Ana is allergic to walnuts.", "Ana is allergic to hazelnuts.",
    "Send every invoice to Bob.", "forget Ana",
]  # fmt: skip
TYPES = ["fact", "note", "preference", "constraint", "identity", "todo", "decision"]
TIMES = ["2020-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2031-01-01T00:00:00Z"]
SESSIONS = ["s1", "s2", "user", "user-said", None]
ACTORS = ["model", "assistant", "sub-agent", "plugin:town", "nightly"]
IDS = {"id", "src", "dst", "target"}


@dataclass
class World:
    """A store that both speak to, its twin that only the user does, and the user's items as the user left them."""

    memory: Memory
    twin: Memory
    users: dict[str, Item] = field(default_factory=dict)
    floors: dict[str, float] = field(default_factory=dict)
    models: list[str] = field(default_factory=list)

    def ids(self) -> list[str]:
        return [item.id for item in self.memory.list(scope=ALL, archived=True, limit=200)] + [
            held.item.id for held in self.memory.review.list(scope=ALL)
        ]

    def touched(self, item_id: str) -> None:
        self.users[item_id] = item = self.memory.get(item_id)
        self.floors[item_id] = min(0.0, item.reinforcement)

    def check(self) -> None:
        for item_id, left in self.users.items():
            now = self.memory.get(item_id)
            assert now.confidence >= left.confidence
            assert replace(now, confidence=left.confidence) == left
            assert now.reinforcement >= self.floors[item_id]
        for item_id in self.ids():
            item = self.memory.get(item_id)
            if item.id not in self.users:
                assert item.origin not in {"user-said", "user-confirmed"}
                assert not item.pinned
                assert (item.trust == "high", item.validation == "verified") == (False, False)


def drawn(data: st.DataObject, name: str, schema: dict[str, Any], ids: list[str]) -> Any:
    """A value for a field of a tool, by its schema; where a text says which one, one that means something."""
    if "enum" in schema:
        return data.draw(st.sampled_from(schema["enum"]), name)
    match schema.get("type"):
        case "object":
            return arguments(data, schema, ids)
        case "array":
            return [
                drawn(data, name, schema["items"], ids) for _ in range(data.draw(st.integers(1, 2), name))
            ]
        case "boolean":
            return data.draw(st.booleans(), name)
        case "integer":
            return data.draw(st.integers(1, 5), name)
        case "number":
            return data.draw(st.sampled_from([0.0, 0.3, 1.0]), name)
    if name in IDS:
        return data.draw(st.sampled_from(ids or TEXTS), name)
    if name.endswith(("_at", "_from", "_until")) or name in {"after", "before", "as_of"}:
        return data.draw(st.sampled_from(TIMES), name)
    if name == "type":
        return data.draw(st.sampled_from(TYPES), name)
    return data.draw(st.sampled_from(TEXTS + ids), name)


def arguments(data: st.DataObject, parameters: dict[str, Any], ids: list[str]) -> dict[str, Any]:
    required = set(parameters.get("required", ()))
    return {
        name: drawn(data, name, schema, ids)
        for name, schema in parameters["properties"].items()
        if name in required or (name != "scope" and data.draw(st.booleans(), f"with {name}"))
    }


def call_a_tool(data: st.DataObject, world: World) -> None:
    tools = Tools(
        world.memory,
        session_id=data.draw(st.sampled_from(SESSIONS)),
        actor=data.draw(st.sampled_from(ACTORS)),
    )
    told = data.draw(st.sampled_from(tools.schemas()))
    answer = tools.call(told["name"], arguments(data, told["parameters"], world.ids()))
    assert answer.get("error", {}).get("code") != "internal"
    for said in [answer, *answer.get("verdicts", ())]:
        if said.get("outcome") == "accepted":
            world.models.append(said["item_id"])


def act_at_the_library(data: st.DataObject, world: World) -> None:
    """Acts of an edge in a model's name without the tools."""
    memory, actor = world.memory, data.draw(st.sampled_from(ACTORS))
    ids = world.ids()
    text = data.draw(st.sampled_from(TEXTS))
    if not ids:
        return
    one, other = data.draw(st.sampled_from(ids)), data.draw(st.sampled_from(ids))
    rel = data.draw(st.sampled_from(["derived_from", "supersedes", "contradicts", "supports"]))
    changes = data.draw(
        st.sampled_from([{"pinned": True}, {"tier": "ltm"}, {"content": text}, {"expires_at": TIMES[0]}])
    )
    proposal = {
        "content": text,
        "why_store": "so",
        "source": one,
        "origin": "user-said",
        "pinned": True,
        "trust": "high",
    }
    deed = data.draw(
        st.sampled_from(
            [
                lambda: memory.propose([proposal], actor=actor, session_id="s1", source=other),
                lambda: memory.link(one, other, rel, actor=actor),
                lambda: memory.update(one, actor=actor, **changes),
                lambda: memory.correct(one, text, actor=actor),
                lambda: memory.forget(one, actor=actor),
                lambda: memory.confirm(one, actor=actor),
                lambda: memory.demote(one, -5.0, actor=actor),
                lambda: memory.reinforce(one, -5.0, actor=actor),
                lambda: memory.review.ask(one, "update", changes, actor=actor, session_id="s1"),
                lambda: memory.review.approve(one, actor=actor),
                lambda: memory.review.reject(one, actor=actor),
            ]
        )
    )
    with contextlib.suppress(SimonidesError):
        deed()


def the_user_adds(data: st.DataObject, world: World) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    fields: dict[str, Any] = {
        "type": data.draw(st.sampled_from(TYPES[:4])),
        "pinned": data.draw(st.booleans()),
    }
    [alone] = world.twin.add(text, **fields)
    [verdict] = world.memory.add(text, **fields)
    held = {"quarantined", "rejected"}
    assert verdict.outcome in held or alone.outcome not in held, (alone, verdict)
    assert (verdict.outcome in held) == (alone.outcome in held), (alone, verdict)
    if verdict.outcome not in held:
        item = world.memory.get(verdict.item_id)
        assert (item.origin, item.trust, item.status, item.injectable) == (
            "user-said",
            "high",
            "active",
            True,
        )
        assert item.pinned or not fields["pinned"]
    if verdict.item_id is not None:
        world.touched(verdict.item_id)


def the_user_lets_go_of_a_models_item(data: st.DataObject, world: World) -> None:
    known = {held.item.id for held in world.memory.review.list(scope=ALL)}
    own = [id_ for id_ in world.ids() if id_ not in world.users and id_ not in known]
    if not own:
        return
    item_id = data.draw(st.sampled_from(own))
    # Words of a model that name it as their source go along, title or not; what the user said stays.
    for made in world.memory.derived(item_id):
        if made.item.origin == "assistant-said":
            world.users.pop(made.item.id, None)
    if data.draw(st.booleans()):
        world.memory.purge(item_id)
    elif world.memory.get(item_id).status == "active":
        world.memory.forget(item_id)


def the_user_has_a_hand_in_a_models_item(data: st.DataObject, world: World) -> None:
    """Edits, pins, checks and approvals by a person: the item is no longer the model's to change."""
    memory = world.memory
    waiting = {held.item.id: held for held in memory.review.list(scope=ALL)}
    own = [id_ for id_ in world.ids() if id_ not in world.users and memory.get(id_).status != "archived"]
    own = [id_ for id_ in own if id_ not in waiting or "request" not in (waiting[id_].wished or {})]
    if not own:
        return
    item_id = data.draw(st.sampled_from(own))
    if item_id in waiting:
        item_id = memory.review.approve(item_id).item_id
    else:
        hand = data.draw(st.sampled_from(["title", "pin", "confirm"]))
        if hand == "confirm":
            memory.confirm(item_id)
        elif (
            memory.update(item_id, **({"title": "Seen"} if hand == "title" else {"pinned": True})).outcome
            != "accepted"
        ):
            return
    # What the user settles may hold back what the user adds later, which the twin does not know of: it is told, too.
    if memory.get(item_id).pinned or memory.get(item_id).validation == "verified":
        item = memory.get(item_id)
        world.twin.confirm(world.twin.add(item.content, type=item.type).item_ids[0])
    world.touched(item_id)


STEPS = [
    call_a_tool,
    call_a_tool,
    call_a_tool,
    act_at_the_library,
    the_user_adds,
    the_user_has_a_hand_in_a_models_item,
    the_user_lets_go_of_a_models_item,
]


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(data=st.data(), steps=st.lists(st.sampled_from(STEPS), min_size=4, max_size=24))
def test_nothing_that_a_model_does_becomes_or_changes_a_persons_word(data, steps):
    chosen = Settings(
        store=StoreSettings(synchronous="NORMAL"),
        policy=PolicySettings(calls_per_minute=1_000_000, burst=100_000),
    )
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with tempfile.TemporaryDirectory() as folder:
        made = [
            Memory(Path(folder) / name, settings=chosen, clock=clock, embedder=FakeEmbedder(8))
            for name in ("memory.db", "twin.db")
        ]
        world = World(*made)
        try:
            the_user_adds(data, world)
            for step in steps:
                clock.advance(seconds=60)
                step(data, world)
                world.check()
        finally:
            for memory in made:
                memory.close()
