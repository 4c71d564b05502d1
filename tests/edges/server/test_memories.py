"""Memories over REST: added, read, listed, found, forgotten; and what comes of bad input."""

from __future__ import annotations

import json

import pytest

from simonides.edges.server.app import application
from simonides.edges.server.bodies import Bounds
from simonides.edges.server.table import TABLE
from tests.edges.whole_answers import TestClient

from .conftest import bearer

NOWHERE = "01a1fa7c-f3df-7dfc-9e66-775f82845ba0"


def test_what_was_added_is_read_listed_and_found(ask):
    [verdict] = ask.ok("add", content="We ship on Fridays.", type="decision")["verdicts"]
    assert verdict["outcome"] == "accepted"
    path = {"item_id": verdict["item_id"]}
    assert ask.ok("get", path=path)["content"] == "We ship on Fridays."
    assert [item["id"] for item in ask.ok("list")["items"]] == [verdict["item_id"]]
    assert ask.ok("search", query="ship")["hits"][0]["item"]["id"] == verdict["item_id"]
    assert "Fridays" in ask.ok("context", query="ship")["text"]
    assert ask.ok("forget", path=path)["status"] == "archived"
    assert ask.ok("list")["items"] == []


def test_turns_of_a_chat_are_recorded(ask):
    said = [{"role": "user", "content": "The dome leaks."}, {"role": "assistant", "content": "I note that."}]
    assert ask.ok("add", content=said, session_id="monday")["session_id"] == "monday"
    assert len(ask.ok("list", session_id="monday")["items"]) == 2


#: What stands in a list of memories or proposals, and is neither.
NO_ENTRIES = (None, True, 4, 0.5, [], ["a"], {}, {"content": None}, {"content": 7}, {"content": ["a"]}, "")


@pytest.mark.parametrize("name", ["add", "propose"])
def test_a_bad_entry_of_a_list_is_rejected_and_costs_the_others_nothing(ask, name):
    """At every place of the list, and in the words of the library."""
    for n, bad in enumerate(NO_ENTRIES):
        good = [
            {"content": f"Boat {n} has {masts} masts.", "why_store": "asked", "source": "m1"}
            if name == "propose"
            else f"Boat {n} has {masts} masts."
            for masts in (2, 3)
        ]
        listed = [*good[: n % 3], bad, *good[n % 3 :]]
        answer = ask.ok(name, **{"add": {"content": listed}, "propose": {"proposals": listed}}[name])
        assert [one["outcome"] for one in answer["verdicts"]] == [
            "rejected" if entry is bad else "accepted" for entry in listed
        ]
        [reason] = answer["verdicts"][n % 3]["reasons"]
        assert reason.startswith("invalid: ")
    assert len(ask.ok("list", limit=100)["items"]) == 2 * len(NO_ENTRIES)


def test_a_list_is_read_page_by_page(ask):
    for n in range(5):
        ask.ok("add", content=f"note {n}")
    first = ask.ok("list", limit=3)
    second = ask.ok("list", limit=3, cursor=first["cursor"])
    assert [item["content"] for item in first["items"] + second["items"]] == [
        f"note {n}" for n in (4, 3, 2, 1, 0)
    ]
    assert second["cursor"] is None


def test_words_mean_one_item_or_none(ask):
    ask.ok("add", content="The dome is painted green.")
    ask.ok("add", content="Ruben brings the ladder.")
    assert ask.ok("forget_meant", target="Ruben brings the ladder.")["item"]["status"] == "archived"
    assert ask.ok("forget_meant", target="something else entirely")["item"] is None


def test_a_model_is_named_and_a_person_is_not(ask):
    [verdict] = ask.ok("add", content="Ana likes tea.", type="fact")["verdicts"]
    path = {"item_id": verdict["item_id"]}
    answer = ask("forget", path=path, headers={"x-simonides-actor": "gpt"})
    assert answer.json()["code"] == "needs_approval"
    for name in ("user:ana", "upkeep", "cli"):
        assert ask("forget", path=path, headers={"x-simonides-actor": name}).status_code in {403, 422}
    assert ask.ok("get", path=path)["status"] == "active"


# The wall


def test_a_key_sees_its_own_scope_and_wider_ones_alone(ask):
    for key, scope in (("admin", "global"), ("admin", "user:ana"), ("admin", "user:bob")):
        ask("add", key, content=f"The boat of {scope} is blue.", headers={"x-simonides-scope": scope})
    found = {item["scope"] for item in ask.ok("list", "ana")["items"]}
    assert found == {"global", "user:ana"}
    assert {hit["item"]["scope"] for hit in ask.ok("search", "bob", query="boat")["hits"]} <= {
        "global",
        "user:bob",
    }
    assert {item["scope"] for item in ask.ok("list", headers={"x-simonides-scope": "*"})["items"]} == {
        "global",
        "user:ana",
        "user:bob",
    }


def test_what_others_have_is_not_there_and_what_all_see_is_not_changed(ask):
    bobs = ask.ok("add", "bob", content="Bob's boat is red.")["verdicts"][0]["item_id"]
    shared = ask.ok("add", content="The harbour is closed.")["verdicts"][0]["item_id"]
    assert ask("get", "ana", path={"item_id": bobs}).status_code == 404
    assert ask("forget", "ana", path={"item_id": bobs}).status_code == 404
    assert ask.ok("get", "ana", path={"item_id": shared})["content"] == "The harbour is closed."
    assert ask("forget", "ana", path={"item_id": shared}).json()["code"] == "scope"


@pytest.mark.parametrize("field", ["scope", "user_id", "agent_id", "project"])
def test_no_field_names_a_scope(ask, field):
    for content, further in (({"content": "x", field: "user:bob"}, {}), ("x", {field: "user:bob"})):
        answer = ask("add", "ana", content=content, **further)
        assert answer.status_code == 422
    assert ask.ok("list", headers={"x-simonides-scope": "*"})["items"] == []


def test_a_link_leads_to_nothing_that_others_have(ask):
    bobs = ask.ok("add", "bob", content="Bob's boat is red.")["verdicts"][0]["item_id"]
    shared = ask.ok("add", content="The harbour is closed.")["verdicts"][0]["item_id"]
    for links in (
        [{"to": bobs}],
        [{"to": shared, "rel": "supersedes"}],
        [{"to": shared, "rel": " Supersedes"}],
    ):
        assert ask("add", "ana", content="Mine.", links=links).status_code in {403, 404}
        assert ask("add", "ana", content=[{"content": "Mine.", "links": links}]).status_code in {403, 404}
    assert ask("add", "ana", content="Mine.", links=[{"to": shared}]).status_code == 201


# Bad input

BODIES = {
    "no JSON": b"{",
    "NaN": b'{"query": "x", "min_relevance": NaN}',
    "infinity": b'{"query": "x", "min_relevance": 1e999}',
    "half a surrogate": b'{"query": "\\ud800"}',
    "no UTF-8": b'{"query": "\xff"}',
    "deep": b'{"query": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a list": b"[]",
    "null": b"null",
    "nothing": b"",
    "wrong type": b'{"query": 5}',
    "unknown field": b'{"query": "x", "quary": 1}',
    "huge number": b'{"query": "x", "k": ' + b"9" * 5000 + b"}",
    "large number": b'{"query": "x", "k": 99999999999999999999}',
    "not a number": b'{"query": "x", "k": true}',
    "huge float": b'{"query": "x", "k": 1e400}',
    "empty": b'{"query": ""}',
    "unknown kind": b'{"query": "x", "kinds": ["nonsense"]}',
    "unknown profile": b'{"query": "x", "profile": "nonsense"}',
    "no time": b'{"query": "x", "at": "soonish"}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_cannot_be_used_is_refused_with_what_to_do(ask, body):
    answer = ask("search", raw=body, headers={"content-type": "application/json"})
    assert answer.status_code in {400, 422}
    assert len(answer.json()["detail"]) < 2000


def test_an_unknown_field_is_told_with_what_may_be_meant(ask):
    told = ask("search", query="x", quary=1).json()["detail"]
    assert told.startswith("quary: unknown field; did you mean 'query'? Known are ")
    assert " k," in told
    told = ask("search", query="x", limit=3).json()["detail"]
    assert told.startswith("limit: unknown field; ")
    assert " k," in told


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"content": ""}, {"content"}),
        ({"content": 5}, {"content"}),
        ({"content": [{"content": "x"}], "links": [5]}, {"links/0"}),
        ({"content": "x", "tags": ["a", 5]}, {"tags/1"}),
        ({"content": "x", "contents": "y"}, {"contents"}),
        ({"type": "fact"}, {"content"}),
    ],
)
def test_a_place_is_told_by_the_names_that_were_sent(ask, fields, places):
    told = {one["at"] for one in ask("add", **fields).json()["errors"]}
    assert told <= places
    assert told


def test_a_nul_in_a_question_is_a_blank_and_in_a_memory_refused(ask):
    assert ask("search", query="a\0b").status_code == 200
    assert ask("add", content="a\0b").status_code == 422


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_body_of_another_kind_is_refused(ask, kind):
    answer = ask("add", raw=b'{"content": "x"}', headers={"content-type": kind})
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=1001",
        "limit=x",
        "cursor=x",
        "cursor=abc",
        "nonsense=1",
        "limit=1&limit=2",
        "types=",
        "after=soonish",
    ],
)
def test_a_query_that_cannot_be_used_is_refused(served, query):
    answer = served.client.get(f"/v1/memories?{query}", headers=bearer("admin"))
    assert answer.status_code == 422, answer.text


@pytest.mark.parametrize("name", ["x", "%00", "a" * 5000, NOWHERE, "..%2f..", "%ff"])
def test_what_is_no_id_of_an_item_is_not_found(served, name):
    answer = served.client.get(f"/v1/memories/{name}", headers=bearer("admin"))
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize("one", [one for one in TABLE if not one.in_query], ids=lambda one: one.name)
def test_a_body_that_is_too_long_is_refused_on_every_route(memory, access, one):
    path = one.path.format(**dict.fromkeys(one.words, NOWHERE))
    with TestClient(application(memory, access, bounds=Bounds(most_bytes=1000))) as client:
        kind = {"content-type": "application/json"}
        said = client.request(one.method, path, headers=bearer("admin") | kind, content=b" " * 1001)
        unsaid = client.request(
            one.method, path, headers=bearer("admin") | kind, content=iter([b" " * 600] * 2)
        )
    assert (said.status_code, unsaid.status_code) == (413, 413)


def test_the_document_names_every_operation(served):
    document = served.client.get("/v1/openapi.json", headers=bearer("reader")).json()
    found = {one["operationId"] for path in document["paths"].values() for one in path.values()}
    assert found == {one.name for one in TABLE}
    assert json.dumps(document).count("$ref") == json.dumps(document).count('"#/components/schemas/')


def test_probes_say_that_it_lives_and_whether_it_reads(served, memory):
    assert served.client.get("/healthz").json() == {"status": "alive"}
    assert served.client.get("/readyz").json() == {"status": "ready"}
    memory.close()
    assert served.client.get("/readyz").status_code == 503
    assert served.client.get("/healthz").status_code == 200
