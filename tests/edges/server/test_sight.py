"""Sight of a key: whatever others do beside it, every answer that only tells is the same as before."""

import asyncio
import json

import pytest

from simonides.agent.tools import Tools
from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.page.places import live
from simonides.edges.page.routing import _PLACES
from simonides.edges.page.visit import Visit
from simonides.edges.server.app import application
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.table import TABLE
from simonides.memory import Memory
from simonides.testing import FakeEmbedder, FrozenClock
from tests.edges.whole_answers import TestClient

ROLES = (Role.READER, Role.ADMIN)
KEYS = {
    role: Credential(Scope("user:ana"), narrows=False, token=str(role)[0] * 24, role=role) for role in ROLES
}
#: Fields without which an operation tells nothing.
FIELDS = {
    "item_id": "shared",
    "name": "Orbis",
    "session_id": "monday",
    "space": "notes",
    "key": "boat",
    "corpus": "handbook",
    "path": "boats.md",
}


@pytest.fixture
def memory():
    with Memory(":memory:", embedder=FakeEmbedder(8), clock=FrozenClock("2026-03-01")) as opened:
        yield opened


@pytest.fixture
def shared(memory):
    """Id of a memory that both see, beside some of Ana's own."""
    (shared,) = memory.add("The office of Orbis closes at nine.", scope="global", entities=["Orbis"]).item_ids
    memory.add(
        "Ana sails near Orbis.", scope="user:ana", type="fact", entities=["Orbis"], session_id="monday"
    )
    memory.add([{"role": "user", "content": "I sail."}], scope="user:ana", session_id="monday")
    memory.records.put("notes", "boat", {"said": "red"}, scope="user:ana")
    memory.context("When does the office close?", scope="user:ana", mode="inject", asked_in="monday")
    memory.maintain(["expire"], scope="user:ana")
    memory.flush()
    return shared


def live_beside(memory, shared, actor="othermodel"):
    """Be busy in another scope, also with what both see."""
    memory.add("Bob repairs engines by night.", scope="user:bob", entities=["Bobby"], session_id="monday")
    memory.context("When does the office close?", scope="user:bob", mode="inject", asked_in="monday")
    tools = Tools(memory, scope="user:bob", session_id="monday", actor=actor, caller="bob")
    for name, given in (
        ("explain", {"id": shared}), ("forget", {"target": shared}), ("confirm", {"id": shared}),
    ):  # fmt: skip
        tools.call(f"memory_{name}", given)
    again = {"content": memory.get(shared).content, "why_store": "heard", "source": shared}
    for scope in ("user:bob", "user:ana/project:boats"):
        memory.propose([again], scope=scope, session_id="monday", actor=actor)
        memory.add(again["content"], scope=scope, links=[{"to": shared, "rel": "supports"}])
        memory.entities.alias("Orbis", "Orbis Limited", scope=scope)
    for _ in range(2):
        memory.maintain(["expire"], scope="user:bob")
    memory.flush()


def told(memory, shared, role):
    """Every answer to a question that only tells, by its path."""
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values()
    )
    headers = {"authorization": f"Bearer {KEYS[role].token}"}
    run = next(one.id for one in memory.runs.list() if one.scope == "user:ana")
    (asked,) = [one.id for one in memory.injections() if one.scope == "user:ana"]
    words = {"item_id": shared, "id": shared, "name": "Orbis", "run_id": run, "injection_id": asked}
    found = {}
    with TestClient(application(memory, access), raise_server_exceptions=False) as client:
        for one in TABLE:
            if one.method == "GET" and not one.streams and one.name != "metrics":
                fields = {name: FIELDS[name] for name in one.takes.model_fields if name in FIELDS}
                fields |= {"item_id": shared} if "item_id" in fields else {}
                path = one.path.format(**{word: words.get(word, "none") for word in one.words})
                found[one.name] = client.get(path, params=fields, headers=headers)
        for place in _PLACES:
            path = place.format(**{word: words.get(word, "none") for word in ("id", "name", "key")})
            if place == "/runs/{id}":
                path = f"/runs/{run}"
            found[place] = client.get(f"{path}.json", headers=headers)
    return {name: (answer.status_code, answer.text) for name, answer in found.items()}


@pytest.mark.parametrize("role", ROLES)
def test_what_others_do_changes_no_answer(memory, shared, role):
    before = told(memory, shared, role)
    live_beside(memory, shared)
    after = told(memory, shared, role)
    assert {name: (before[name], answer) for name, answer in after.items() if answer != before[name]} == {}
    well = [name for name, (status, _) in after.items() if status == 200]
    assert len(well) > len(after) / 2, sorted(set(after) - set(well))
    assert {"explain", "growth", "/m/{id}", "/timeline", "/live"} <= set(well)
    assert ("audit.events" in well) is (role is Role.ADMIN)


@pytest.fixture
def seen_live(memory, monkeypatch):
    """Marks and events that the live page sends at its first look."""
    monkeypatch.setattr(live, "_LOOKS", 1)
    monkeypatch.setattr(live, "_EVERY_S", 0.0)
    caller = ServerCaller(Scope("user:ana"), Role.READER, narrows=False)
    visit = Visit(
        memory=memory, visitor=caller, path="/live", names={}, query={}, form={}, in_place=False, now=0
    )

    async def sent(since):
        return b"".join([piece async for piece in live.stream(visit, since)])

    def seen(since):
        lines = asyncio.run(sent(since)).decode().splitlines()
        marks = [line.removeprefix("id: ") for line in lines if line.startswith("id: ")]
        return marks, [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]

    return seen


def test_a_mark_of_the_live_page_tells_of_what_was_told_alone(memory, shared, seen_live):
    [mark], first = seen_live("1")
    assert int(mark) == max(one["us"] for one in first)
    memory._parts.clock.advance(hours=1)
    live_beside(memory, shared)
    assert seen_live(mark) == ([], [])
    memory._parts.clock.advance(hours=1)
    memory.add("Ana rows home.", scope="user:ana")
    [later], found = seen_live(mark)
    assert [one["text"] for one in found] == ["Ana rows home."]
    assert int(later) == found[0]["us"]
