"""Imports with keys of one scope: what the source gives to others is refused by name, and the rest is taken."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides.domain.ids import new_id
from simonides.domain.scope import ALL, Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from tests.edges.whole_answers import TestClient

SCOPES = ("global", "user:bob", "project:apollo")
KEYS = {
    (scope, narrows): Credential(
        Scope(scope), narrows=narrows, token=f"{scope}{narrows}" * 3, role=Role.ADMIN
    )
    for scope in SCOPES
    for narrows in (False, True)
}
FILE = {"content-type": "application/octet-stream"}
MODEL = {"x-simonides-actor": "gpt"}


@pytest.fixture
def client(memory):
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=list(KEYS.values())
    )
    with TestClient(application(memory, access), raise_server_exceptions=False) as opened:
        yield opened


def imported(client, key, rows, **headers):
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    headers = {"authorization": f"Bearer {KEYS[key].token}", **FILE, **headers}
    return client.post("/v1/import/jsonl", params={"name": "a.jsonl"}, content=lines, headers=headers)


WHOSE = st.fixed_dictionaries(
    {},
    optional={
        "user_id": st.sampled_from(["bob", "cleo"]),
        "agent_id": st.just("cook"),
        "project": st.sampled_from(["apollo", "zephyr"]),
    },
)


@pytest.mark.parametrize("key", KEYS, ids=str)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(whose=st.lists(WHOSE, min_size=1, max_size=6), salt=st.uuids())
def test_a_key_takes_in_what_belongs_to_its_reach_and_says_what_does_not(memory, client, key, whose, salt):
    rows = [
        {"content": f"House {n} of street {salt} has a green door.", **one} for n, one in enumerate(whose)
    ]
    before = {item.id for item in memory.list(scope=ALL, limit=1000)}
    answer = imported(client, key, rows)
    assert answer.status_code == 200, answer.text
    scope, narrows = KEYS[key].scope, KEYS[key].narrows
    named = dict(scope.parts)
    wanted = {}
    for row in rows:
        parts = {"user": row.get("user_id"), "agent": row.get("agent_id"), "project": row.get("project")}
        place = scope.narrowed(
            **{name: value for name, value in parts.items() if value and name not in named}
        )
        if narrows or place == scope:
            wanted[row["content"]] = place
    brought = [item for item in memory.list(scope=ALL, limit=1000) if item.id not in before]
    assert {item.content: item.scope for item in brought} == wanted
    refused = [one for one in answer.json()["refused"] if "may not be written to here" in str(one)]
    assert len(refused) == len(rows) - len(wanted)


@pytest.mark.parametrize("headers", [{}, {"prefer": "respond-async"}])
def test_a_model_imports_nothing_and_is_told_at_once(memory, client, headers):
    answer = imported(client, ("global", True), [{"content": "A green door."}], **MODEL, **headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "actor")
    assert memory.list(scope=ALL) == []


def imported_note(client, item_id, content, **given):
    note = f"---\nid: {item_id}\ntype: fact\n---\n{content}\n"
    headers = {"authorization": f"Bearer {KEYS['user:bob', False].token}", **FILE}
    given = {"name": "a.md", **given}
    return client.post("/v1/import/markdown", params=given, content=note, headers=headers).json()


@pytest.mark.parametrize("content", ["The boat lies at Lindau.", "The boat lies at Bregenz."])
def test_anothers_id_is_to_a_key_like_one_that_nobody_has(memory, client, content):
    theirs = memory.add("The boat lies at Lindau.", type="fact", scope="user:ana").item_id
    before = memory.get(theirs)
    found = []
    for item_id in (theirs, new_id(1)):
        answers = [imported_note(client, item_id, content, dry_run=told) for told in (True, False, False)]
        [brought] = memory.list(scope="user:bob", exact=True)
        found.append((answers, brought.content, brought.id == item_id))
        memory.purge(brought.id)
    assert found[0] == found[1]
    assert found[0][1:] == (content, False)
    assert memory.get(theirs) == before


def test_a_note_of_its_own_memory_is_known_to_a_key(memory, client):
    mine = memory.add("The boat lies at Lindau.", type="fact", scope="user:bob").item_id
    for content, counts in (("The boat lies at Lindau.", {"merged": 1}), ("It lies at Bregenz.", {})):
        assert imported_note(client, mine, content)["counts"].get("items", {}) == counts
