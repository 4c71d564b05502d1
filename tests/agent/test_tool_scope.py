"""A bound scope holds: no call reads past it, and none writes out of it."""

from __future__ import annotations

import json
import random

import pytest

from simonides import ALL
from simonides.agent.tools import Tools
from simonides.errors import InvalidScope

SECRET = "Bob keeps the spare key under the third flowerpot."
BY_ID = [
    ("memory.read", {}),
    ("memory.update", {"content": "Bob has no spare key."}),
    ("memory.update", {"tags": ["mine"]}),
    ("memory.palace.assign", {"room": "ana"}),
    ("memory.reinforce", {}),
    ("memory.demote", {}),
    ("memory.confirm", {}),
    ("memory.explain", {}),
    ("memory.history", {}),
]
WORDS = ("kettle", "garden", "library", "train", "cellar", "harbour")
BY_TARGET = [("memory.correct", {"content": "Bob has no spare key."}), ("memory.forget", {})]
READS = [
    ("memory.search", {"query": SECRET}),
    ("memory.search", {"query": SECRET, "archived": True}),
    ("memory.search", {"query": SECRET, "as_of": "2026-03-01T12:00:00Z"}),
    ("memory.search", {"query": SECRET, "session_id": "bobs"}),
    ("memory.stats", {}),
    ("memory.context", {"query": "kettle"}),
    ("memory.weak", {"below": 1}),
    ("memory.timeline", {}),
    ("memory.timeline", {"archived": True}),
    ("memory.palace.list", {}),
    ("memory.palace.list", {"domain": "user:bob"}),
    ("memory.palace.list", {"domain": "user:bob", "room": "garden"}),
    ("memory.palace.get", {"domain": "user:bob"}),
    ("memory.palace.browse", {"domain": "user:bob"}),
]
FOREIGN = [
    "user:bob",
    "user:ana/project:apollo",
    "project:apollo",
    "user:Ana",
    "user:ana/user:bob",
    "ALL",
    "*",
]


@pytest.fixture
def bobs(add, memory):
    """The id of an item of Bob's, put into a room of his palace and faded enough to be weak."""
    item_id = add(SECRET, scope="user:bob", decay_rate=0.5, event_at="2026-02-01", tags=["bob"])
    memory.palace.assign(item_id, room="garden")
    memory.add([{"role": "user", "content": SECRET}], scope="user:bob", session_id="bobs")
    return item_id


def told(answer):
    text = json.dumps(answer)
    return [word for word in ("flowerpot", "bobs", "garden", "user:bob") if word in text]


def refused(answer, *codes):
    assert set(answer) == {"error"}, answer
    assert answer["error"]["code"] in codes, answer
    return answer["error"]["message"]


@pytest.mark.parametrize(("name", "given"), BY_ID)
@pytest.mark.parametrize("scope", [{}, {"scope": "user:ana"}, {"scope": "global"}])
def test_an_item_of_somebody_else_is_not_found(ana, memory, bobs, name, given, scope):
    before = memory.get(bobs), memory.palace.where(bobs)
    refused(ana.call(name, {"id": bobs} | given | scope), "not_found")
    assert (memory.get(bobs), memory.palace.where(bobs)) == before
    assert memory.get(bobs).usage_count == 0


@pytest.mark.parametrize(("name", "given"), BY_TARGET)
@pytest.mark.parametrize("by_words", [False, True])
def test_neither_an_id_nor_words_reach_an_item_of_somebody_else(ana, memory, bobs, name, given, by_words):
    before = memory.get(bobs)
    answer = ana.call(name, {"target": SECRET if by_words else bobs} | given)
    if by_words:
        assert answer["candidates"] == []
    else:
        refused(answer, "not_found")
    assert memory.get(bobs) == before


def test_what_is_not_there_and_what_is_somebody_elses_get_the_same_answer(ana, memory, bobs, add):
    gone = add("The kettle is blue.")
    memory.purge(gone)
    answers = [json.dumps(ana.call("memory.read", {"id": item_id})) for item_id in (bobs, gone)]
    assert answers[0].replace(bobs, "") == answers[1].replace(gone, "")


def test_links_cannot_be_made_to_or_from_an_item_of_somebody_else(ana, memory, bobs, add):
    own = add("The kettle is blue.", scope="user:ana")
    for ends in ({"src": own, "dst": bobs}, {"src": bobs, "dst": own}):
        refused(ana.call("memory.link", ends), "not_found")
    assert memory.explain(bobs).links == ()


@pytest.mark.parametrize(("name", "given"), READS)
def test_no_read_tells_of_somebody_else(ana, bobs, clock, name, given):
    clock.advance(days=60)
    answer = ana.call(name, given)
    assert "error" not in answer
    assert told(answer) == []
    assert answer.get("items", 0) in (0, [])


@pytest.mark.parametrize("name", ["Bob", "Bobby"])
def test_an_entity_of_somebody_else_is_not_found_and_not_named_as_a_near_one(ana, tools, bobs, name):
    assert tools.call("memory.entity", {"name": "Bob", "scope": "user:bob"})["entity"]["name"] == "Bob"
    message = refused(ana.call("memory.entity", {"name": name}), "not_found")
    assert "there is 'Bob'" not in message


@pytest.mark.parametrize(("name", "given"), [*READS, ("memory.entity", {"name": "Bob"})])
@pytest.mark.parametrize("scope", FOREIGN)
def test_no_scope_that_cannot_be_seen_is_read_from(ana, bobs, name, given, scope):
    message = refused(ana.call(name, given | {"scope": scope}), "invalid_scope")
    assert "flowerpot" not in message


@pytest.mark.parametrize("scope", [*FOREIGN, "global"])
def test_nothing_is_written_into_another_scope(ana, memory, scope):
    proposal = {"content": "Bob likes tea.", "why_store": "to know", "source": "m1"}
    refused(ana.call("memory.write", proposal | {"scope": scope}), "invalid_scope")
    refused(ana.call("memory.propose", {"proposals": [proposal], "scope": scope}), "invalid_scope")
    answer = ana.call("memory.propose", {"proposals": [proposal | {"scope": scope}]})
    assert memory.get(answer["verdicts"][0]["item_id"]).scope == "user:ana"
    assert set(memory.stats()["by_scope"]) == {"user:ana"}


def test_a_bound_scope_may_be_named_and_reads_may_look_from_a_wider_one(ana, memory, add):
    own, shared = add("The kettle is blue.", scope="user:ana"), add("The kettle was a gift.")
    proposal = {"content": "Mondays are busy.", "why_store": "to know", "scope": "user:ana"}
    assert ana.call("memory.write", proposal)["outcome"] == "accepted"
    ids = [hit["id"] for hit in ana.call("memory.search", {"query": "kettle"})["hits"]]
    assert {own, shared} <= set(ids)
    ids = [hit["id"] for hit in ana.call("memory.search", {"query": "kettle", "scope": "global"})["hits"]]
    assert ids == [shared]
    refused(ana.call("memory.read", {"id": own, "scope": "global"}), "not_found")


@pytest.mark.parametrize(("name", "given"), [entry for entry in BY_ID if entry[0] not in
                                             {"memory.read", "memory.explain", "memory.history"}])  # fmt: skip
def test_what_others_share_can_be_read_but_not_changed(ana, memory, add, name, given):
    shared = add("The library opens at nine.")
    before = memory.get(shared)
    assert ana.call("memory.explain", {"id": shared})["item"]["id"] == shared
    refused(ana.call(name, {"id": shared} | given), "invalid_scope")
    refused(ana.call(name, {"id": shared, "scope": "global"} | given), "invalid_scope")
    assert memory.get(shared) == before


@pytest.mark.parametrize(("name", "given"), BY_TARGET)
@pytest.mark.parametrize("by_words", [False, True])
def test_what_others_share_can_be_neither_corrected_nor_forgotten(ana, memory, add, name, given, by_words):
    shared = add("The library opens at nine.")
    target = "The library opens at nine." if by_words else shared
    refused(ana.call(name, {"target": target} | given), "invalid_scope")
    assert memory.get(shared).status == "active"
    assert len(memory.list(scope="user:ana")) == 1


def test_links_of_others_to_a_shared_item_are_not_shown(ana, bob, memory, bobs, add):
    shared, own = add("The library opens at nine."), add("The kettle is blue.", scope="user:ana")
    assert "error" not in bob.call("memory.link", {"src": bobs, "dst": shared, "rel": "supports"})
    assert "error" not in ana.call("memory.link", {"src": own, "dst": shared})
    [link] = ana.call("memory.explain", {"id": shared})["links"]
    assert link["src"] == own
    refused(ana.call("memory.link", {"src": shared, "dst": own}), "invalid_scope")


def test_the_history_of_a_shared_item_leaves_out_what_somebody_put_in_its_place(ana, memory, bobs, add):
    shared = add("The library opens at nine.")
    memory.link(bobs, shared, "supersedes")
    answer = ana.call("memory.history", {"id": shared})
    assert [revision["item"]["id"] for revision in answer["revisions"]] == [shared]
    assert told(answer) == []


def test_what_others_did_with_a_shared_item_is_not_told(ana, bob, add):
    shared = add("The library opens at nine.")
    bob.call("memory.read", {"id": shared})
    ana.call("memory.read", {"id": shared})
    events = ana.call("memory.explain", {"id": shared})["events"]
    assert [event["action"] for event in events] == ["create", "tool:memory.read"]


def test_the_same_words_of_two_people_are_two_memories(ana, bob, memory):
    proposal = {"content": "The meeting is at nine.", "why_store": "to know"}
    ids = {tools.call("memory.write", proposal)["item_id"] for tools in (ana, bob)}
    assert len(ids) == 2
    assert set(memory.stats()["by_scope"]) == {"user:ana", "user:bob"}


@pytest.mark.parametrize("scope", ["", "nonsense", "user:ana/user:bob", "user:"])
def test_tools_cannot_be_bound_to_what_is_no_scope(memory, scope):
    with pytest.raises(InvalidScope):
        Tools(memory, scope=scope)


def test_without_a_bound_scope_a_call_names_its_own(tools, memory, bobs):
    assert tools.call("memory.search", {"query": SECRET})["hits"] == []
    hits = tools.call("memory.search", {"query": SECRET, "scope": "user:bob"})["hits"]
    assert bobs in [hit["id"] for hit in hits]
    assert tools.call("memory.read", {"id": bobs})["item"]["id"] == bobs
    refused(tools.call("memory.read", {"id": bobs, "scope": "user:ana"}), "not_found")
    refused(
        tools.call("memory.correct", {"target": bobs, "content": "x y", "scope": "user:ana"}), "not_found"
    )


def random_call(rng, who, ids, scopes):
    """A call such as a model might make that has seen ids and scopes which it should not know."""
    item_id, other, word = rng.choice(ids), rng.choice(ids[: len(WORDS)]), rng.choice(WORDS)
    said = f"The {word} of {who} is number {rng.randrange(50)}."
    name, given = rng.choice(
        [
            ("memory.write", {"content": said, "why_store": "to know"}),
            ("memory.propose", {"proposals": [{"content": said, "why_store": "to know", "source": "m"}]}),
            ("memory.search", {"query": f"the {word}", "archived": rng.random() < 0.5}),
            ("memory.correct", {"target": rng.choice([item_id, word]), "content": said}),
            ("memory.forget", {"target": rng.choice([item_id, f"the {word}"])}),
            ("memory.update", {"id": item_id, "content": said}),
            ("memory.update", {"id": item_id, "tags": [who]}),
            *[("memory.link", {"src": item_id, "dst": other, "rel": "supersedes", "evidence": who})] * 3,
            ("memory.palace.assign", {"id": item_id, "room": who, "domain": "all"}),
            ("memory.palace.list", {"domain": rng.choice([None, "all"])}),
            ("memory.palace.browse", {"domain": "all"}),
            ("memory.palace.get", {"domain": "all"}),
            *(
                (f"memory.{verb}", {"id": item_id})
                for verb in ("read", "explain", "history", "reinforce", "confirm")
            ),
            *((f"memory.{verb}", {}) for verb in ("stats", "weak", "timeline")),
        ]
    )
    return name, given | ({"scope": rng.choice(scopes)} if rng.random() < 0.2 else {})


def test_three_tenants_who_know_each_others_ids_never_see_each_other(memory, add):
    rng = random.Random(7)
    people = ("xanthippe", "yolanda", "zebulon")
    tools = {who: Tools(memory, scope=f"user:{who}") for who in people}
    ids = [add(f"The {word} was a gift.") for word in WORDS]
    ids += [add(f"The {word} of {who} is old.", scope=f"user:{who}") for word in WORDS for who in people]
    scopes = ["global", "ALL", *(f"user:{who}" for who in people)]
    for _ in range(600):
        who = rng.choice(people)
        name, given = random_call(rng, who, ids, scopes)
        answer = tools[who].call(name, given)
        asked = {given.get("scope", "")}
        text = json.dumps(answer)
        assert not [other for other in people if other != who and other in text and f"user:{other}" not in asked], (
            who, name, given, answer,
        )  # fmt: skip
        if answer.get("item_id"):
            ids[rng.randrange(len(WORDS), len(ids))] = answer["item_id"]
    for item in memory.list(scope=ALL, archived=True, limit=10_000):
        owner = dict(item.scope.parts).get("user", "")
        assert not [who for who in people if who != owner and who in json.dumps(item.to_dict())]
