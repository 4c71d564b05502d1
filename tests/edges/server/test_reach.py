"""Reach of a key: what others made from its memories stays as it is, by whatever verb, and no answer tells of it."""

import shutil
from copy import copy

import pytest

from simonides.agent.tools import Tools
from simonides.domain.scope import ALL, Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential
from simonides.edges.page.places.actions import _ACTS
from simonides.edges.server.app import application
from simonides.edges.server.table import TABLE
from simonides.memory import Memory
from simonides.ports.runs import LeaseHolder
from simonides.testing import FakeEmbedder
from tests.edges.whole_answers import TestClient

ANA = Credential(Scope("user:ana"), narrows=False, token="a" * 24)
EVERY = Credential(Scope("global"), narrows=True, token="e" * 24)
ELSEWHERE = ("global", "user:bob")


class World:
    """A memory of Ana's, and what others made from it: by name, by a link, and in turn; and what speaks against it."""

    def __init__(self, memory):
        self.memory = memory
        self.source = self.put("user:ana", "The river Tamber floods the meadow in March.", source_id="api")
        own = self.put("user:ana", "Ana keeps the Tamber boats inside in March.", source_id=self.source)
        self.own = own
        self.others = []
        for scope in ELSEWHERE:
            named = self.put(scope, f"Survey of {scope}: the Tamber floods in March.", source_id=self.source)
            linked = self.put(scope, f"The barn of {scope} stands dry in March.")
            memory.link(linked, self.source, "derived_from")
            further = self.put(scope, f"Nobody of {scope} sails in March.", source_id=own)
            against = self.put(scope, f"The river Tamber floods the meadow in May, says {scope}.")
            memory.link(against, self.source, "contradicts")
            self.others += [named, linked, further, against]

    def put(self, scope, content, source_id=None):
        named = {} if source_id is None else {"provenance": {"source_id": source_id}}
        [item_id] = self.memory.add({"content": content, "type": "fact", **named}, scope=scope).item_ids
        return item_id

    def elsewhere(self):
        return [
            (self.memory.get(item_id).to_dict(), len(self.memory.history(item_id))) for item_id in self.others
        ]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The file of such a memory, and what is in it."""
    path = tmp_path_factory.mktemp("world") / "memory.db"
    with Memory(path, embedder=FakeEmbedder(8)) as memory:
        return path, World(memory)


@pytest.fixture
def world(prepared, tmp_path):
    path, made = prepared
    with Memory(shutil.copyfile(path, tmp_path / "memory.db"), embedder=FakeEmbedder(8)) as memory:
        world = copy(made)
        world.memory = memory
        yield world


@pytest.fixture
def client(world):
    access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=[ANA, EVERY])
    with TestClient(application(world.memory, access), raise_server_exceptions=False) as opened:
        yield opened


def bearer(key):
    return {"authorization": f"Bearer {key.token}"}


def value(world, name):
    """A value of a field of the name, about Ana's memory where it names one."""
    match name:
        case "item_ids":
            return [world.source]
        case "target" | "src" | "item_id":
            return world.source
        case "dst":
            return world.own
        case "act":
            return "forget"
        case "user_said":
            return "Forget that the river Tamber floods the meadow in March."
        case "content":
            return "The river Tamber floods the meadow in June."
        case "dry_run":
            return False
        case "source_id":
            return "api"
        case "low_trust" | "purge" | "force":
            return True
        case _:
            return None


CHANGES = [(one, False) for one in TABLE if one.changes] + [
    (one, True) for one in TABLE if one.name == "purge"
]


@pytest.mark.parametrize(("one", "whole"), CHANGES, ids=lambda given: getattr(given, "name", str(given)))
def test_no_request_of_a_key_changes_what_others_made_of_its_memory(world, client, one, whole):
    before = world.elsewhere()
    if one.name in {"review.approve", "review.reject"}:
        world.memory.review.ask(world.source, "forget", actor="model")
    fields = {name: found for name in one.takes.model_fields if (found := value(world, name)) is not None}
    if whole:
        fields = {"scope": "user:ana"}
    place = {"params": fields} if one.in_query else {"json": fields}
    words = dict.fromkeys(one.words, world.source)
    if one.name in {"review.approve", "review.reject"}:
        words = {"item_id": world.memory.review.list(scope=ALL)[0].item.id}
    answer = client.request(one.method, one.path.format(**words), headers=bearer(ANA), **place)
    assert world.elsewhere() == before
    assert not [item_id for item_id in world.others if item_id in answer.text]
    if one.name in {"forget", "forget_meant", "rollback", "purge", "confirm"}:
        assert answer.status_code == 200, answer.text
    if one.name == "purge":
        assert answer.json()["items"] == 2


@pytest.mark.parametrize("verb", sorted({*_ACTS, "purge"}))
def test_no_form_of_the_page_does_so_either(world, client, verb):
    before = world.elsewhere()
    shown = client.get(f"/m/{world.source}/purge", headers=bearer(ANA))
    assert not [item_id for item_id in world.others if item_id in shown.text]
    assert "does not see" not in shown.text
    form = {"content": "The river Tamber floods the meadow in June."}
    answer = client.post(f"/m/{world.source}/{verb}", headers=bearer(ANA), data=form, follow_redirects=False)
    assert answer.status_code < 500, answer.text
    assert world.elsewhere() == before


@pytest.mark.parametrize("name", ["memory_forget", "memory_purge"])
def test_no_tool_that_is_bound_to_a_scope_does_so_either(world, name):
    before = world.elsewhere()
    tools = Tools(world.memory, scope="user:ana", session_id="s", admin=True)
    given = {"ids": [world.source]} if name == "memory_purge" else {"target": world.source}
    told = tools.call(name, given)
    assert not [item_id for item_id in world.others if item_id in str(told)]
    assert "error" not in tools.call(name, given, confirmed=True)
    assert world.elsewhere() == before


@pytest.mark.parametrize("by", ["key", "library"])
def test_whose_the_whole_store_is_takes_along_what_was_made_of_it_everywhere(world, client, by):
    if by == "library":
        world.memory.forget(world.source)
    else:
        client.delete(f"/v1/memories/{world.source}", headers=bearer(EVERY))
    held = [world.memory.get(item_id).status for item_id in world.others]
    assert held.count("quarantined") == 6


def test_a_key_of_a_scope_is_not_told_which_process_holds_a_job(served, ask):
    """Process and machine are for those to whom the whole store belongs."""
    memory = served.memory
    ids = [memory.add(text, scope="user:ana", type="fact").item_ids[0] for text in ("I sail.", "I row.")]
    run = memory.consolidate(scope="user:ana")
    now = memory._parts.clock.now()
    holder = LeaseHolder("their-host#pid:[1]/7/abc/def", now, now + 3_600_000_000)
    for job in ("consolidate", "expire", "rollback"):
        memory._parts.store.write(lambda tx, job=job: tx.put_lease(job, holder))
    for key, is_told in (("admin", True), ("ana", False)):
        busy = [
            ask("maintain", key, jobs=["expire"]),
            ask("consolidate", key),
            ask("review.rollback", key, after="2020-01-01", dry_run=False),
        ]
        busy += [ask("runs.show", key, path={"run_id": one.json()["id"]}) for one in busy]
        busy += [ask("runs.list", key), ask("undo", key, path={"run_id": run.id})]
        assert {one.json()["status"] for one in busy[:3]} == {"failed"}
        assert busy[-1].status_code == 409
        for answer in busy:
            assert "busy" in answer.text
            assert ("their-host" in answer.text) is is_told
    assert [memory.get(item).status.value for item in ids] == ["active"] * 2


def test_events_of_an_item_tell_nothing_of_how_much_others_did_meanwhile(ask, memory):
    item = memory.add("My tea is green.", user_id="ana").item_id
    for n in range(3):
        memory.add(f"Note {n} of Bob about bridge {17 * n}.", user_id="bob")
        memory.update(item, title=f"Tea {n}")
    listed = ask.ok("audit.events", "ana", item_id=item)["items"]
    explained = ask.ok("explain", "ana", path={"item_id": item})["events"]
    assert [event["number"] for event in (*listed, *explained)] == [0] * 8


def test_whoever_sees_everything_is_told_the_places_of_events_in_the_log(memory):
    item = memory.add("My tea is green.", user_id="ana").item_id
    memory.add("Bob crossed the bridge.", user_id="bob")
    memory.update(item, title="Tea")
    access = Access.of("127.0.0.1", EVERY, hosts="testserver")
    with TestClient(application(memory, access)) as client:
        headers = {"authorization": f"Bearer {EVERY.token}", "x-simonides-scope": "*"}
        told = client.get("/v1/audit", params={"item_id": item}, headers=headers).json()["items"]
    assert [event["number"] for event in told] == [
        event.number for event in memory.audit.events(item_id=item)
    ]
