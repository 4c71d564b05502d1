"""Keys of one server that name tenants: each works on its tenant's memory, and on nothing else."""

from __future__ import annotations

import json
import os
import random
import re
import time
from contextlib import closing, contextmanager
from types import SimpleNamespace
from urllib.request import Request, urlopen

import pytest
from starlette.applications import Starlette

from simonides.domain.address import of_tenant
from simonides.domain.scope import ALL, Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.state import NewKey, ServerState
from simonides.edges.server.table import TABLE
from simonides.edges.server.tenants import Tenants
from simonides.errors import InvalidInput, StoreError
from simonides.memory import Memory
from simonides.testing import FakeEmbedder
from tests.agent.test_tool_scope import random_call
from tests.edges.whole_answers import TestClient
from tests.storage.postgres.server import running

from .conftest import McpTalk, operation
from .test_wall import Draw
from .test_workers import first_worker

#: Requests of each run and tenant; WALL_REQUESTS=20000 draws more.
REQUESTS = int(os.environ.get("WALL_REQUESTS", "600")) // 3
NAMES = ("xanthippe", "yolanda", "zebulon")
MARK = re.compile("(ana|bob|cem)word")


def opened(tenant):
    return Memory(running().url, tenant=tenant, embedder=FakeEmbedder(8))


def fill(memory, word):
    """The same in each memory, but for the word."""
    for n in range(4):
        memory.add(f"{word} sails a boat of {n} masts.", scope="user:ana", type="fact", session_id="monday",
                   entities=["Ana Sailor"])  # fmt: skip
    memory.records.put("notes", "boat", {"said": f"{word} wrote it"}, scope="user:ana")
    memory.propose([{"content": f"{word} may own a ship."}], scope="user:ana")
    memory.context("boat", scope="user:ana", mode="inject")
    memory.documents.put("handbook", "boats.md", f"# Boats\n\n{word} owns one.", scope="user:ana")
    memory.maintain(["consolidate", "expire"], scope="user:ana")


@pytest.fixture
def house(tmp_path):
    with built(tmp_path / "own.server") as house:
        yield house


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    """A house in which nothing is changed."""
    with built(tmp_path_factory.mktemp("standing") / "own.server") as house:
        yield house


@contextmanager
def built(place):
    """One server, three tenants beside its own, and a key of each that may do everything there."""
    tenants = {name: running().new_tenant() for name in NAMES}
    access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver")
    with opened(running().new_tenant()) as own, closing(ServerState(place)) as state:
        fill(own, "ownword")
        # The ids of one memory are those of the others.
        records = json.dumps(list(own.export()))
        headers = {}
        for name, tenant in tenants.items():
            with opened(tenant) as memory:
                memory.load(json.loads(records.replace("ownword", f"{name}word")), trusted=True)
            wanted = NewKey(name="key", scope=Scope("global"), role=Role.ADMIN, narrows=True, tenant=tenant)
            headers[name] = {"authorization": f"Bearer {state.create(wanted)[1]}"}
        app = application(own, access, state=state, opens=opened)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield SimpleNamespace(
                own=own, client=client, headers=headers, tenants=tenants, state=state, place=place
            )


def drawing(memory):
    ids = [item.id for item in memory.list(scope=ALL, limit=1000, archived=True)]
    runs, contexts = [one.id for one in memory.runs.list()], [one.id for one in memory.injections()]
    return Draw(7, ids, runs, contexts, [one.id for one in memory.entities.list(scope=ALL)])


def foreign(name, text):
    return [other for other in (*NAMES, "own") if other != name and f"{other}word" in text]


def test_the_same_requests_of_three_tenants_never_meet(house):
    draw, known = drawing(house.own), json.dumps(house.own.audit.events(limit=1)[0].to_dict())
    begun = {name: set() for name in NAMES}
    well, with_own = set(), 0
    for number in range(REQUESTS):
        operation, path, fields = draw.request()
        common = {"idempotency-key": f"request {number % 50}"} if draw.random.random() < 0.5 else {}
        if draw.random.random() < 0.2:
            common["prefer"] = "respond-async"
        for name in NAMES:
            given = json.loads(MARK.sub(f"{name}word", json.dumps(fields)))
            place = {"params": given} if operation.in_query else {"json": given}
            answer = house.client.request(
                operation.method, path, headers=house.headers[name] | common, **place
            )
            crowded = answer.status_code == 503 and answer.json()["code"] == "busy"
            not_a_file = answer.status_code == 501 or operation.name == "rebuild_fts"
            assert answer.status_code < 500 or crowded or not_a_file, (operation.name, given, answer.text)
            assert not foreign(name, answer.text), (name, operation.name, given, answer.text)
            if answer.status_code == 202:
                begun[name].add(answer.json()["id"])
                draw.long.append(answer.json()["id"])
            elif answer.status_code < 300:
                well.add(operation.name)
                with_own += f"{name}word" in answer.text
    assert len(well) > len(TABLE) * 0.5, sorted({one.name for one in TABLE} - well)
    assert with_own > REQUESTS / 10
    for name in NAMES:
        told = house.client.get("/v1/operations", headers=house.headers[name]).json()["items"]
        assert {one["id"] for one in told} == begun[name]
        for other in set(NAMES) - {name}:
            for one in begun[other]:
                for path in (f"/v1/operations/{one}", f"/v1/operations/{one}/events"):
                    assert house.client.get(path, headers=house.headers[name]).status_code == 404
        with opened(house.tenants[name]) as memory:
            held = json.dumps(list(memory.export()))
        assert f"{name}word" in held
        assert not foreign(name, held)
    assert json.dumps(house.own.audit.events(limit=1)[0].to_dict()) == known


def test_the_same_idempotency_key_and_cursor_are_of_each_tenant(house):
    asked, named = {"content": "A boat was sold."}, {"idempotency-key": "the same"}
    answers = [
        house.client.post("/v1/memories", json=asked, headers=house.headers[name] | named) for name in NAMES
    ]
    assert [answer.status_code for answer in answers] == [201] * 3
    ids = {answer.json()["verdicts"][0]["item_id"] for answer in answers}
    assert len(ids) == 3
    everywhere = {"x-simonides-scope": "*"}
    for name in NAMES:
        first = {"params": {"limit": 1}, "headers": house.headers[name] | everywhere}
        cursor = house.client.get("/v1/memories", **first).json()["cursor"]
        for other in NAMES:
            rest = {"params": {"limit": 50, "cursor": cursor}, "headers": house.headers[other] | everywhere}
            found = house.client.get("/v1/memories", **rest)
            assert found.status_code == 200
            assert not foreign(other, found.text)
            assert f"{other}word" in found.text


def test_a_long_operation_works_on_its_tenant_and_is_told_to_nobody_else(house):
    asked, said = operation("maintain"), {"prefer": "respond-async", "idempotency-key": "the same"}
    begun, runs = {}, len(house.own.runs.list())
    for name in NAMES:
        headers = house.headers[name] | said | {"x-simonides-scope": "*"}
        answer = house.client.request(asked.method, asked.path, json={"jobs": ["expire"]}, headers=headers)
        assert answer.status_code == 202, answer.text
        begun[name] = answer.headers["location"]
    assert len(set(begun.values())) == 3
    for name in NAMES:
        ends = time.monotonic() + 60
        while (found := house.client.get(begun[name], headers=house.headers[name]).json())[
            "status"
        ] == "running":
            assert time.monotonic() < ends
            time.sleep(0.05)
        assert found["status"] == "done", found
        listed = house.client.get("/v1/operations", headers=house.headers[name]).json()["items"]
        assert [f"/v1/operations/{one['id']}" for one in listed] == [begun[name]]
        for other in set(NAMES) - {name}:
            assert house.client.get(begun[other], headers=house.headers[name]).status_code == 404
        with opened(house.tenants[name]) as memory:
            assert "expire" in json.dumps([run.to_dict() for run in memory.runs.list()])
    assert len(house.own.runs.list()) == runs


def test_calls_over_mcp_stay_with_their_tenant(house):
    pytest.importorskip("mcp")
    drawn = random.Random(7)
    ids = [item.id for item in house.own.list(scope=ALL, limit=1000)]
    talks = {name: McpTalk(house.client, house.headers[name]) for name in NAMES}
    before, own = len(house.own.audit.events(limit=10_000)), 0
    tools = {tool["name"] for tool in talks[NAMES[0]].asked("tools/list")["result"]["tools"]}
    for _ in range(REQUESTS // 2):
        tool, given = random_call(drawn, "someone", ids, ["global", "user:ana"])
        tool = {"memory.write": "memory_add", "memory.read": "memory_get"}.get(tool, tool.replace(".", "_"))
        if tool not in tools:
            tool, given = "memory_search", {"query": "boat"}
        given = {key: value for key, value in given.items() if value is not None}
        for name in NAMES:
            asked = json.loads(json.dumps(given).replace("someone", f"{name}word"))
            answer = json.dumps(talks[name].asked("tools/call", name=tool, arguments=asked))
            assert not foreign(name, answer), (name, tool, asked, answer)
            own += f"{name}word" in answer
    assert own > REQUESTS / 8
    assert len(house.own.audit.events(limit=10_000)) == before
    # A session of the protocol is of the key that began it.
    borrowed = talks["yolanda"]._headers | house.headers["zebulon"]
    asking = {"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {}}
    assert house.client.post("/mcp", json=asking, headers=borrowed).status_code == 404


@pytest.mark.parametrize("path", ["/", "/?q=boat", "/search?q=boat", "/timeline", "/entities", "/audit.json",
                                  "/review", "/palace", "/prompts", "/settings"])  # fmt: skip
def test_the_page_shows_each_browser_its_tenant(standing, path):
    for name in NAMES:
        token = standing.headers[name]["authorization"].removeprefix("Bearer ")
        standing.client.cookies.clear()
        standing.client.get("/", params={"token": token})
        assert standing.client.cookies
        answer = standing.client.get(path)
        assert answer.status_code == 200
        assert not foreign(name, answer.text)
        if path == "/search?q=boat":
            assert f"{name}word" in answer.text


def test_a_key_of_no_tenant_works_on_the_servers_own(standing):
    wanted = NewKey(name="own", scope=Scope("global"), role=Role.READER, narrows=True)
    headers = {"authorization": f"Bearer {standing.state.create(wanted)[1]}"}
    found = standing.client.get("/v1/export", headers=headers)
    assert found.status_code == 403  # A reader's.
    found = standing.client.get("/v1/memories", headers=headers | {"x-simonides-scope": "*"}).text
    assert "ownword" in found
    assert not foreign("own", found)


def test_a_tenant_that_is_gone_is_said_to_the_key_and_harms_nobody(standing):
    for tenant, status in (("nobody", 503), ("No Name", 422)):
        wanted = NewKey(name="gone", scope=Scope("global"), role=Role.READER, tenant=tenant)
        headers = {"authorization": f"Bearer {standing.state.create(wanted)[1]}"}
        for path in ("/v1/memories", "/mcp", "/timeline"):
            answer = standing.client.get(path, headers=headers)
            assert answer.status_code == status
            assert tenant in answer.json()["detail"]
    assert standing.client.get("/v1/memories", headers=standing.headers["yolanda"]).status_code == 200


def test_a_tenants_key_is_refused_by_a_server_of_a_file(memory, tmp_path):
    access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver")
    with closing(ServerState(tmp_path / "file.server")) as state:
        token = state.create(NewKey(name="a", scope=Scope("global"), role=Role.ADMIN, tenant="acme"))[1]
        with TestClient(application(memory, access, state=state)) as client:
            answer = client.get("/v1/memories", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 503
    assert "has no tenants" in answer.json()["detail"]


def test_chats_are_refused_to_the_key_of_a_tenant(standing):
    app = application(
        standing.own, Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver"),
        state=standing.state, opens=opened, proxy=Starlette(), proxied=True,
    )  # fmt: skip
    with TestClient(app) as client:
        answer = client.post("/v1/chat/completions", json={}, headers=standing.headers["yolanda"])
    assert answer.status_code == 403
    assert "own tenant" in answer.json()["error"]["message"]


@pytest.mark.skipif(os.name != "posix", reason="processes share a socket on POSIX alone")
def test_a_server_opens_the_tenants_of_its_own_database(standing, tmp_path):
    name, tenant = "zebulon", running().new_tenant()
    folder = tmp_path / "team"
    folder.mkdir()
    place = {"store": of_tenant(running().url, tenant), "state": standing.place}
    with first_worker(standing.own, folder, **place) as url:
        asked = Request(f"{url}/v1/memories", headers=standing.headers[name] | {"x-simonides-scope": "*"})
        with urlopen(asked, timeout=60) as answer:
            found = answer.read().decode()
    assert f"{name}word" in found
    assert not foreign(name, found)


class Counted:
    """A memory that only knows whether it is closed."""

    def __init__(self, open_):
        self.open = open_
        open_.append(self)

    def close(self):
        self.open.remove(self)


def test_the_least_used_memory_is_closed_and_none_that_is_worked_on():
    own, opened_now = object(), []
    tenants = Tenants(own, lambda _: Counted(opened_now), most=2)
    with tenants.held(None) as found:
        assert found is own
    with tenants.held("a") as first:
        for name in "bcdc":
            with tenants.held(name):
                pass
        assert first in opened_now
        assert len(opened_now) <= 3
        with tenants.held("a") as again:
            assert again is first
    with tenants.held("e"):
        assert len(opened_now) <= 2
    tenants.close()
    assert opened_now == []


def test_a_memory_that_could_not_be_opened_is_tried_again():
    tries = []

    def opens(name):
        tries.append(name)
        if len(tries) == 1:
            raise StoreError("away")
        return Counted([])

    tenants = Tenants(object(), opens)
    with pytest.raises(StoreError, match="away"):
        tenants.take("a")
    with tenants.held("a"):
        pass
    assert tries == ["a", "a"]


def test_the_address_of_a_tenant_is_that_of_its_database(tmp_path):
    assert of_tenant("postgresql://db/x", "acme") == "postgresql://db/x?tenant=acme"
    found = of_tenant("postgresql://db/x?host=/run/a&tenant=own&pool_size=2", "a&b")
    assert found == "postgresql://db/x?tenant=a%26b&host=/run/a&pool_size=2"
    with pytest.raises(InvalidInput, match="has no tenants"):
        of_tenant(tmp_path / "a.db", "acme")
