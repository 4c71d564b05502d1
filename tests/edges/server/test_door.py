"""The door: hosts, origins, tokens and roles, on every route that there is."""

from __future__ import annotations

import pytest
from starlette.routing import Route

from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.mcp.http import Door
from simonides.edges.mcp.http import application as mcp_application
from simonides.edges.mcp.profiles import ToolProfile
from simonides.edges.page.places import live
from simonides.edges.server.app import HEALTH, READY, application
from simonides.edges.server.table import TABLE
from simonides.memory import Memory
from simonides.testing import FakeEmbedder
from tests.edges.whole_answers import TestClient

from .conftest import KEYS, McpTalk, bearer

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PROBES = {HEALTH, READY}


def every_path():
    """Paths of every route, found by listing them, and some that no route has."""
    with Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        app = application(memory, Access.of("127.0.0.1", Credential(Scope("global"))))
    found = []
    for route in app.routes:
        assert isinstance(route, Route) or hasattr(route, "path"), route
        found.append(route.path.replace("{path:path}", "x"))
    return [*found, "/mcp", "/v1/nothing", "/nothing"]


PATHS = every_path()


@pytest.fixture(scope="module")
def everywhere():
    """A client of one server for all that nobody comes in with."""
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values()
    )
    with (
        Memory(":memory:", embedder=FakeEmbedder(8)) as memory,
        TestClient(application(memory, access), raise_server_exceptions=False) as client,
    ):
        yield client


@pytest.mark.parametrize("route", PATHS)
class TestEveryRoute:
    def test_a_foreign_host_is_misdirected(self, everywhere, route):
        headers = bearer("admin") | {"host": "evil.example"}
        for method in METHODS:
            assert everywhere.request(method, route, headers=headers).status_code == 421

    def test_a_page_of_elsewhere_is_forbidden(self, everywhere, route):
        headers = bearer("admin") | {"origin": "https://evil.example"}
        for method in METHODS:
            answer = everywhere.request(method, route, headers=headers)
            assert answer.status_code == 403
            assert "access-control-allow-origin" not in answer.headers

    def test_nobody_comes_in_without_a_token(self, everywhere, route):
        if route in PROBES:
            pytest.skip("a probe has no token")
        for method in METHODS:
            for headers in ({}, {"authorization": "Bearer wrong"}, {"cookie": "simonides-80=wrong"}):
                answer = everywhere.request(method, route, headers=headers)
                assert answer.status_code == 401
                assert answer.headers["www-authenticate"] == "Bearer"

    def test_a_scope_outside_the_keys_own_is_forbidden(self, everywhere, route):
        if route in PROBES:
            pytest.skip("a probe has no scope")
        for method in METHODS:
            for scope in ("user:bob", "global", "*"):
                headers = bearer("ana") | {"x-simonides-scope": scope}
                assert everywhere.request(method, route, headers=headers).status_code in {400, 403}

    def test_every_answer_says_that_it_is_data(self, everywhere, route, monkeypatch):
        monkeypatch.setattr(live, "_LOOKS", 1)  # A stream that is not left ends by itself.
        for headers in ({}, bearer("admin")):
            answer = everywhere.get(route, headers=headers)
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def path_of(one):
    return one.path.format(**dict.fromkeys(one.words, "01a1fa7c-f3df-7dfc-9e66-775f82845ba0"))


@pytest.mark.parametrize("one", TABLE, ids=lambda one: one.name)
def test_a_role_below_what_an_operation_takes_is_refused(served, memory, one):
    before = len(memory.audit.events(limit=1000))
    for key, credential in KEYS.items():
        if not credential.role.may(one.role):
            answer = served.client.request(one.method, path_of(one), headers=bearer(key))
            assert answer.status_code == 403, answer.text
            assert one.role.value in answer.json()["detail"]
    assert len(memory.audit.events(limit=1000)) == before


def test_what_changes_takes_more_than_a_reader():
    assert [one.name for one in TABLE if one.changes and not one.role.may(Role.WRITER)] == []


def test_a_reader_has_no_way_around_rest(served):
    answer = served.client.post("/v1/chat/completions", headers=bearer("reader"), json={})
    assert answer.status_code in {403, 404}


@pytest.mark.parametrize("profile", ToolProfile)
def test_a_reader_is_offered_over_mcp_what_reads_and_can_call_nothing_else(memory, access, profile):
    item = memory.add("Ana drinks tea.", scope="user:ana").verdicts[0].item_id
    door = mcp_application(Door(memory, access, profile))
    with TestClient(door) as client:
        reader, writer = (McpTalk(client, bearer(key)) for key in ("reader", "ana"))
        offered = {talk: talk.asked("tools/list")["result"]["tools"] for talk in (reader, writer)}
        reading = [tool for tool in offered[writer] if tool["annotations"]["readOnlyHint"]]
        assert offered[reader] == reading != []
        before = memory.audit.events(limit=1000)
        for tool in offered[writer]:
            if tool not in reading:
                asked = {"content": "x", "id": item, "text": "x", "proposals": [{"content": "x"}]}
                answer = reader.asked("tools/call", name=tool["name"], arguments=asked)
                assert "unknown tool" in answer["error"]["message"], answer
        assert memory.audit.events(limit=1000) == before
        found = reader.asked("tools/call", name=reading[0]["name"], arguments={"query": "tea"})
        assert "Ana drinks tea." in str(found["result"])


@pytest.mark.parametrize("route", sorted({path_of(one) for one in TABLE}))
def test_another_method_is_told_which_there_are(everywhere, route):
    answer = everywhere.request("PUT", route, headers=bearer("admin"))
    allowed = {one.method for one in TABLE if path_of(one) == route}
    if "PUT" not in allowed:
        assert answer.status_code == 405
        assert set(answer.headers["allow"].split(", ")) >= allowed


# Browsers


def signed_in(served, key="admin"):
    answer = served.client.get("/", params={"token": KEYS[key].token}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    return answer.headers["set-cookie"]


def test_the_printed_address_signs_a_browser_in(served):
    cookie = signed_in(served).lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert served.client.get("/v1/memories").status_code == 200


def test_a_wrong_token_signs_nobody_in(served):
    answer = served.client.get("/", params={"token": "wrong"}, follow_redirects=False)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_a_form_of_elsewhere_changes_nothing(served, memory):
    signed_in(served)
    for origin in ({}, {"origin": "https://evil.example"}, {"origin": "null"}):
        answer = served.client.post("/v1/memories", json={"content": "planted"}, headers=origin)
        assert answer.status_code == 403
    own = served.client.post(
        "/v1/memories", json={"content": "mine"}, headers={"origin": "http://testserver"}
    )
    assert own.status_code == 201
    assert [item.content for item in memory.list()] == ["mine"]


def test_a_cookie_of_a_reader_reads_only(served):
    signed_in(served, "reader")
    own = {"origin": "http://testserver"}
    assert served.client.get("/v1/memories").status_code == 200
    assert served.client.post("/v1/memories", json={"content": "x"}, headers=own).status_code == 403
    assert served.client.post("/anything", headers=own).status_code == 403


@pytest.mark.parametrize(
    "cookie", ["simonides-80=\x80\x81", 'simonides-80="', "=;=;=", "simonides-80", "a" * 5000]
)
def test_a_broken_cookie_is_none(served, cookie):
    headers = [(b"cookie", cookie.encode("latin-1"))]
    assert served.client.get("/v1/memories", headers=headers).status_code == 401
