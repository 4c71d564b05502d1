"""The wall around a scope: whatever a key asks for, nothing of others comes back, and nothing changes there."""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import closing

import pytest

from simonides.domain.scope import ALL, Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.state import ServerState
from simonides.edges.server.table import TABLE
from simonides.memory import Memory
from simonides.testing import FakeEmbedder
from tests.edges.whole_answers import TestClient
from tests.storage.postgres.server import running

#: Requests of each run; the bar is 20,000, by WALL_REQUESTS.
REQUESTS = int(os.environ.get("WALL_REQUESTS", "600"))
USERS = ("ana", "bob", "cem")
#: Words that only one user writes.
MARKS = {user: f"{user}word" for user in USERS}
KEYS = {
    "ana": Credential(Scope("user:ana"), narrows=True, token="a" * 24),
    "bob": Credential(Scope("user:bob"), narrows=False, token="b" * 24),
    "cem": Credential(Scope("user:cem"), narrows=True, token="c" * 24, role=Role.READER),
}


class Draw:
    """Random requests of one user: each field gets a value of its kind, ids and names of others among them."""

    def __init__(self, seed, ids, runs, injections, entities):
        self.random = random.Random(seed)
        self.ids, self.runs, self.injections, self.entities = ids, runs, injections, entities
        self.long = []

    def id(self):
        return self.random.choice(self.ids)

    def value(self, operation, name):
        pick = self.random.choice
        words = [f"{mark} sails a boat" for mark in MARKS.values()]
        match name:
            case "content" | "query" | "text":
                return pick(words)
            case "target":
                return pick([self.id(), pick(words)])
            case "item_ids":
                return [self.id() for _ in range(self.random.randint(1, 3))]
            case "src" | "dst" | "item_id":
                return self.id()
            case "links":
                return [{"to": self.id(), "rel": pick(["references", "supersedes", "contradicts"])}]
            case "name" | "keep" | "other" | "prefix" if operation.startswith("entities"):
                return pick([*self.entities, *[f"{user.title()} Sailor" for user in USERS]])
            case "scope":
                return f"user:{pick(USERS)}"
            case "session_id" | "asked_in":
                return "monday"
            case "space" | "prefix":
                return "notes"
            case "key":
                return "boat"
            case "value":
                return {"said": pick(words)}
            case "proposals":
                return [{"content": pick(words), "why_store": "said", "source": self.id()}]
            case "jobs":
                return [pick(["consolidate", "expire", "decay"])]
            case "domain" | "room" | "shelf":
                return pick(["House", "general"])
            case "rel":
                return pick(["references", "supersedes", "contradicts", "derived_from"])
            case "limit" | "k" | "last":
                return pick([1, 5, 50])
            case "cursor":
                return f"{pick('ia')}{self.random.randint(0, 60):x}"
            case (
                "archived"
                | "dry_run"
                | "keep_derived"
                | "exact"
                | "explain"
                | "statements_first"
                | "low_trust"
            ):
                return pick([True, False])
            case "corpus" | "first" | "second" | "name":
                return "handbook"
            case "path":
                return "boats.md"
            case "act":
                return pick(["forget", "confirm", "correct"])
            case "alias" | "to":
                return f"{pick(USERS).title()} {self.random.randint(0, 9)}"
            case "type" if operation == "entities.retype":
                return "person"
            case "type":
                return pick(["fact", "note"])
            case "source_id":
                return "api"
            case _:
                return None

    def request(self):
        operation = self.random.choice(TABLE)
        fields = {}
        for name, field in operation.takes.model_fields.items():
            if field.is_required() or self.random.random() < 0.4:
                value = self.value(operation.name, name)
                if value is not None:
                    fields[name] = value
        words = {"operation_id": lambda: self.random.choice([*self.long, "none"]), "kind": lambda: "jsonl",
                 "item_id": self.id, "run_id": lambda: self.random.choice(self.runs or ["none"]),
                 "injection_id": lambda: self.random.choice(self.injections or ["none"])}  # fmt: skip
        return operation, operation.path.format(**{word: words[word]() for word in operation.words}), fields


def in_memory():
    return Memory(":memory:", embedder=FakeEmbedder(8))


def in_a_database():
    server = running()
    return Memory(server.url, tenant=server.new_tenant(), embedder=FakeEmbedder(8))


@pytest.fixture(params=[in_memory, in_a_database])
def world(request):
    """A store with something of everybody's, and of all together."""
    with request.param() as memory:
        for user in USERS:
            scope = f"user:{user}"
            for n in range(4):
                text = f"{MARKS[user]} sails a boat of {n} masts."
                memory.add(
                    text, scope=scope, type="fact", entities=[f"{user.title()} Sailor"], session_id="monday"
                )
            memory.add(f"{MARKS[user]} keeps it quiet.", scope=f"{scope}/project:harbour")
            memory.add(
                [{"role": "user", "content": f"{MARKS[user]} said so."}], scope=scope, session_id="monday"
            )
            memory.records.put("notes", "boat", {"said": f"{MARKS[user]} wrote it"}, scope=scope)
            memory.propose([{"content": f"{MARKS[user]} may own a ship."}], scope=scope)
            memory.context("boat", scope=scope, mode="inject")
            memory.documents.put("handbook", "boats.md", f"# Boats\n\n{MARKS[user]} owns one.", scope=scope)
            memory.maintain(["consolidate", "expire"], scope=scope)
        memory.add("The harbour is open to everybody.", scope="global")
        yield memory


def theirs(memory, user):
    """All that a user has, with every state of it; use is left out, since asking counts as one."""
    found = memory.list(scope=ALL, limit=1000, archived=True)
    own = [item for item in found if item.scope.startswith(f"user:{user}")]
    return {item.id: (item.content, item.status, item.metadata, len(memory.history(item.id))) for item in own}


def test_nothing_of_others_comes_back_and_nothing_changes_there(world, tmp_path):
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values()
    )
    ids = [item.id for item in world.list(scope=ALL, limit=1000, archived=True)]
    waiting = [one.item.id for one in world.review.list(scope=ALL)]
    entities = [one.id for one in world.entities.list(scope=ALL)]
    draw = Draw(
        7, ids + waiting, [r.id for r in world.runs.list()], [i.id for i in world.injections()], entities
    )
    answers, foreign = Counter(), []
    quiet = theirs(world, "cem")
    with (
        closing(ServerState(tmp_path / "memory.server")) as state,
        TestClient(application(world, access, state=state), raise_server_exceptions=False) as client,
    ):
        for _ in range(REQUESTS):
            user = draw.random.choice(USERS)
            operation, path, fields = draw.request()
            place = {"params": fields} if operation.in_query else {"json": fields}
            headers = {"authorization": f"Bearer {KEYS[user].token}"}
            if draw.random.random() < 0.2:
                headers["prefer"] = "respond-async"
            answer = client.request(operation.method, path, headers=headers, **place)
            assert answer.status_code in operation.statuses, (operation.name, answer.text)
            crowded = answer.status_code == 503 and answer.json()["code"] == "busy"
            assert answer.status_code < 500 or crowded, (operation.name, fields, answer.text)
            if answer.status_code == 202:
                draw.long.append(answer.json()["id"])
            answers[operation.name, answer.status_code // 100] += 1
            asked = str(fields)
            for other in set(USERS) - {user}:
                # What a user wrote about another comes back to themselves alone.
                if (
                    answer.status_code < 400
                    and f'"user:{other}' in answer.text
                    and f"user:{other}" not in asked
                ):
                    foreign.append((user, operation.name, fields, answer.text))
    assert foreign == []
    # A reader changed nothing of their own, and the others nothing of theirs.
    assert theirs(world, "cem") == quiet
    well = {name for (name, status), _ in answers.items() if status == 2}
    assert len(well) > len(TABLE) * 0.6, sorted({one.name for one in TABLE} - well)


def test_a_reader_changes_nothing_by_any_operation(world):
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values()
    )
    ids = [item.id for item in world.list(scope="user:cem", limit=1000)]
    draw = Draw(3, ids, ["none"], ["none"], ["Cem Sailor"])
    before = len(world.audit.events(limit=10_000))
    with TestClient(application(world, access)) as client:
        for one in (one for one in TABLE if one.changes):
            fields = {name: draw.value(one.name, name) for name in one.takes.model_fields}
            fields = {name: value for name, value in fields.items() if value is not None}
            place = {"params": fields} if one.in_query else {"json": fields}
            path = one.path.format(**dict.fromkeys(one.words, ids[0]))
            headers = {"authorization": f"Bearer {KEYS['cem'].token}"}
            assert client.request(one.method, path, headers=headers, **place).status_code == 403, one.name
    assert len(world.audit.events(limit=10_000)) == before


def test_no_field_names_a_scope_but_that_of_a_purge_which_says_the_requests_own_once_more(served, ask):
    naming = {"scope", "scopes", "user_id", "agent_id", "project", "tenant"}
    assert [one.name for one in TABLE if naming & set(one.takes.model_fields)] == ["purge"]
    for key in ("admin", "apollo"):
        for scope in ("user:ana", "project:apollo", "global", "*"):
            answer = ask("purge", key, scope=scope)
            own = key == "admin" and scope == "global"
            assert answer.status_code == 200 if own else answer.status_code in {403, 422}, answer.text
