"""Words of users and decisions of reviewers: no route gives them to a writer's key, or to a model that is named."""

import json

import pytest

from simonides import Status
from simonides.domain.provenance import Origin
from simonides.edges.server.app import application
from simonides.edges.server.operations.documents import FILE
from tests.edges.whole_answers import TestClient

from .conftest import KEYS

MODEL = {"x-simonides-actor": "gpt"}
WAITS = {"content": "The user prefers tea.", "type": "preference", "why_store": "x", "source": "y"}
#: Ways to change one memory, and what they are asked with.
CHANGES = {
    "update": {"pinned": True, "injectable": True},
    "restore": {},
    "confirm": {},
    "forget": {},
    "reinforce": {},
    "demote": {},
}
STATES = ("waits", "turned down", "waits, and was forgotten")


def held(memory, state):
    """Id of a memory that a review holds, or turned down."""
    [verdict] = memory.propose([WAITS], scope="user:bob")
    match state:
        case "turned down":
            memory.review.reject(verdict.item_id)
        case "waits, and was forgotten":
            memory.forget(verdict.item_id)
        case _:
            pass
    return verdict.item_id


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", CHANGES)
def test_a_writer_changes_nothing_of_what_a_review_holds_or_turned_down(ask, memory, name, state):
    item_id = held(memory, state)
    before = memory.get(item_id).to_dict()
    for more in ({}, {"headers": MODEL}):
        assert ask(name, "bob", path={"item_id": item_id}, **CHANGES[name], **more).status_code == 403
    assert memory.get(item_id).to_dict() == before


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("verb", ["restore", "forget", "pin", "confirm", "reinforce"])
def test_the_page_lets_no_writer_do_it_either(memory, access, verb, state):
    item_id = held(memory, state)
    before = memory.get(item_id).to_dict()
    with TestClient(application(memory, access), raise_server_exceptions=False) as client:
        headers = {"authorization": f"Bearer {KEYS['bob'].token}"}
        client.post(f"/m/{item_id}/{verb}", headers=headers)
    assert memory.get(item_id).to_dict() == before


def test_a_reviewer_brings_back_what_was_turned_down_and_a_writer_what_was_forgotten(ask, memory):
    refused = held(memory, "turned down")
    assert ask("restore", "admin", path={"item_id": refused}).status_code == 200
    assert memory.get(refused).status is Status.ACTIVE
    [own] = memory.add("The boat is blue.", scope="user:bob").item_ids
    for name in ("forget", "restore"):
        assert ask(name, "bob", path={"item_id": own}).status_code == 200
    assert memory.get(own).status is Status.ACTIVE


def test_a_model_that_is_named_says_by_no_route_what_a_user_said(ask, memory):
    [own] = memory.add("I am allergic to walnuts.", scope="user:bob").item_ids
    known = [item.to_dict() for item in memory.list(scope="user:bob", archived=True)]
    exported = "\n".join(json.dumps(record) for record in memory.export()).encode()
    lines = {"content-type": "application/x-ndjson"}
    tried = [
        ask("propose", "bob", headers=MODEL, proposals=[WAITS], user_said="I prefer tea."),
        ask("propose", headers=MODEL, proposals=[WAITS], confirmed=True),
        ask("review.ask", "bob", headers=MODEL, path={"item_id": own}, act="forget", user_said="Forget it."),
        ask("load", headers=MODEL | lines, raw=exported),
        ask(
            "import_from",
            headers=MODEL | {"content-type": FILE},
            path={"kind": "csv"},
            raw=b"content,role\nI prefer rum.,user\n",
        ),
    ]
    assert [answer.status_code for answer in tried] == [403] * len(tried)
    assert [item.to_dict() for item in memory.list(scope="user:bob", archived=True)] == known
    ask("propose", "bob", headers=MODEL, proposals=[WAITS])
    said = {
        item.id for item in memory.list(scope="user:bob", archived=True) if item.origin is Origin.USER_SAID
    }
    assert said == {own}


def test_a_program_tells_what_its_user_said_for_a_model_that_is_not_named(ask, memory):
    answer = ask("propose", "bob", proposals=[WAITS], user_said="I prefer tea.")
    assert answer.json()["verdicts"][0]["outcome"] == "accepted"
