"""Bad days: what goes wrong is a problem that says what to do, and everything else goes on."""

from __future__ import annotations

import importlib.util
import re
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from starlette.routing import Route
from typer.testing import CliRunner

import simonides.errors
from simonides.domain.scope import Scope
from simonides.edges.cli.main import app as cli
from simonides.edges.http.access import Access
from simonides.edges.http.serve import listening
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import HEALTH, READY, application
from simonides.edges.server.operation import EVERYWHERE
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.state import NewKey, ServerState
from simonides.edges.server.table import TABLE
from simonides.errors import SimonidesError
from simonides.memory import Memory
from simonides.testing import FakeEmbedder
from tests.edges.whole_answers import TestClient

from .conftest import KEYS, bearer, ended

ERRORS = sorted(
    (
        kind
        for kind in vars(simonides.errors).values()
        if isinstance(kind, type) and issubclass(kind, SimonidesError)
    ),
    key=lambda kind: kind.__name__,
)


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_of_the_library_is_a_problem_of_a_documented_status(kind):
    error = kind.__new__(kind)
    Exception.__init__(error, "the disk is away; put it back")
    error.retry_after_s = 2.5
    problem = HttpProblem.of(error)
    assert problem.status in EVERYWHERE | {507}
    assert problem.body()["detail"]
    assert ("retry-after" in problem.headers) is (problem.status in {429, 503})


# The store


def test_a_store_that_another_holds_locked_is_read_and_the_write_may_come_again(served, ask, memory):
    ask.ok("add", content="Before.")
    memory.flush()
    memory._parts.store._connection.set_busy_timeout(50)
    other = apsw.Connection(str(memory.path))
    other.execute("BEGIN IMMEDIATE")
    try:
        answer = ask("add", content="Meanwhile.", headers={"idempotency-key": "one"})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert "again" in answer.json()["detail"]
        assert [one["content"] for one in ask.ok("list")["items"]] == ["Before."]
        assert served.client.get("/readyz").status_code == 200
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert ask("add", content="Meanwhile.", headers={"idempotency-key": "one"}).status_code == 201
    assert {one["content"] for one in ask.ok("list")["items"]} == {"Before.", "Meanwhile."}


def test_a_full_disk_is_said_reads_go_on_and_a_purge_makes_room(served, ask, memory):
    store = memory._parts.store
    store._connection.pragma("max_page_count", store._connection.pragma("page_count") + 8)
    statuses = []
    for n in range(200):
        answer = ask("add", content=f"number {n} " + "x" * 4000)
        statuses.append(answer.status_code)
        if answer.status_code != 201:
            break
    assert statuses[-1] == 507
    assert "free" in answer.json()["detail"]
    kept = ask.ok("list", limit=1000)["items"]
    assert len(kept) == len(statuses) - 1
    found = ended(
        served.client,
        ask(
            "load",
            raw=b'{"kind":"nonsense"}\n',
            headers={"prefer": "respond-async", "content-type": "application/x-ndjson"},
        ),
    )
    assert found["status"] in {"done", "failed"}
    store._connection.pragma("max_page_count", 1_000_000)
    assert ask("add", content="There is room again.").status_code == 201


def test_a_store_of_a_later_release_and_a_taken_port_are_said_at_the_start(path):
    def start(*arguments):
        return CliRunner().invoke(cli, ["serve", "--db", str(path), *arguments])

    with Memory(path, embedder=FakeEmbedder(8)):
        pass
    with listening("127.0.0.1", 0) as bound:
        port = bound.getsockname()[1]
        found = start("--port", str(port))
        assert (found.exit_code, "--port" in found.output) == (2, True)
    other = apsw.Connection(str(path))
    other.pragma("user_version", 99)
    other.close()
    found = start("--port", "0")
    assert (found.exit_code, "upgrade" in found.output.lower()) == (4, True), found.output


def test_two_servers_on_one_file_are_one_to_whoever_asks(path, tmp_path):
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values()
    )

    def server():
        memory = Memory(path, embedder=FakeEmbedder(8))
        state = ServerState(tmp_path / "memory.server")
        return (
            memory,
            state,
            TestClient(application(memory, access, state=state), raise_server_exceptions=False),
        )

    (memory, state, first), (other_memory, other_state, second) = server(), server()
    with memory, other_memory, closing(state), closing(other_state), first, second:
        named = bearer("ana") | {"idempotency-key": "one"}
        told = [
            one.post("/v1/memories", json={"content": "Once."}, headers=named).json()
            for one in (first, second)
        ]
        assert told[0] == told[1]
        item = told[0]["verdicts"][0]["item_id"]
        assert second.delete(f"/v1/memories/{item}", headers=bearer("ana")).status_code == 200
        assert first.get(f"/v1/memories/{item}", headers=bearer("ana")).json()["status"] == "archived"
        key, token = state.create(NewKey(name="k", scope=Scope("user:ana"), role=Role.READER))
        headers = {"authorization": f"Bearer {token}"}
        assert second.get("/v1/stats", headers=headers).status_code == 200
        state.revoke(key.id)
        assert second.get("/v1/stats", headers=headers).status_code == 401
        begun = first.post("/v1/runs", json={}, headers=bearer("ana") | {"prefer": "respond-async"})
        assert ended(second, begun, "ana")["status"] == "done"


# Words


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, "asks for a token"),
        ({"authorization": "Bearer wrong"}, "mistyped, was revoked or has expired"),
        ({"x-simonides-token": "wrong"}, "mistyped, was revoked or has expired"),
    ],
)
def test_whoever_is_not_let_in_is_told_what_to_do(served, headers, said):
    answer = served.client.get("/", headers=headers)
    assert answer.status_code == 401
    assert said in answer.json()["detail"]


HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("address", "headers", "said"),
    [
        ("/", {}, "This browser is not signed in"),
        ("/", {"cookie": "simonides-80=old"}, "This browser is not signed in"),
        ("/?token=wrong", {}, "mistyped, was revoked or has expired"),
        ("/?token=<b>", {}, "mistyped, was revoked or has expired"),
        ("/review", {}, "This browser is not signed in"),
        ("/nope", {}, "This browser is not signed in"),
    ],
)
def test_a_browser_that_is_not_let_in_gets_a_page_with_a_field_for_a_key(served, address, headers, said):
    answer = served.client.get(address, headers=HTML | headers)
    assert answer.status_code == 401
    assert answer.headers["content-type"].startswith("text/html")
    assert said in answer.text
    assert 'name="token" type="password"' in answer.text
    assert "<b>" not in answer.text
    entered = served.client.get(
        "/", params={"token": KEYS["ana"].token}, headers=HTML, follow_redirects=False
    )
    assert (entered.status_code, entered.headers["location"]) == (303, "/")


def test_an_address_that_is_none_is_a_page_to_a_browser_and_a_problem_to_a_program(served):
    ana = bearer("ana")
    page = served.client.get("/nope", headers=HTML | ana)
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert '<a href="/">' in page.text
    assert "No page has this address." in page.text
    for path, headers in (("/nope", {}), ("/v1/nope", HTML)):
        answer = served.client.get(path, headers=headers | ana)
        assert answer.status_code == 404
        assert "openapi.json" in answer.json()["detail"]
        assert answer.json()["code"] == "not_found"


def broken(_):
    raise RuntimeError("the lamp fell over")


#: What goes wrong at a path of the page: method, path, headers, status.
REFUSED = [
    ("GET", "/m/019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66", {}, 404),
    ("GET", "/m/x/forget", {}, 405),
    ("POST", "/review", {}, 405),
    ("POST", "/runs/start", bearer("reader"), 403),
    ("POST", "/runs/start", {"origin": "https://elsewhere.example"}, 403),
    ("POST", "/runs/start", {"sec-fetch-site": "cross-site"}, 409),
    ("GET", "/", {"host": "elsewhere.example"}, 421),
    ("GET", "/?scope=user:bob", {}, 400),
    ("GET", "/broken", {}, 500),
]


@pytest.mark.parametrize(("method", "address", "headers", "status"), REFUSED)
def test_whatever_goes_wrong_is_a_page_to_a_browser_and_json_to_a_program(
    served, method, address, headers, status
):
    served.app.router.routes.insert(0, Route("/broken", broken))
    form = {"data": {"content": "x"}} if method == "POST" else {}
    asked = bearer("ana") | {"origin": "http://testserver"} | headers
    page = served.client.request(method, address, headers=HTML | asked, **form)
    assert page.status_code == status
    assert page.headers["content-type"].startswith("text/html")
    assert re.search(r"<h1[^>]*>\s*\w", page.text)
    assert 'href="/"' in page.text
    assert "lamp" not in page.text
    told = served.client.request(method, address, headers=asked, **form)
    assert told.status_code == status
    if address not in {
        "/?scope=user:bob",
        "/m/019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66",
    }:  # Places of the page itself.
        assert told.headers["content-type"] == "application/problem+json" or status == 409


def test_a_key_that_asks_too_often_is_told_so_by_a_page(served):
    state = served.state
    _, token = state.create(NewKey(name="k", scope=Scope("user:ana"), role=Role.READER, rate=1))
    headers = {"authorization": f"Bearer {token}"}
    told = [served.client.get("/", headers=HTML | headers) for _ in range(3)][-1]
    assert told.status_code == 429
    assert 'href="">Try again' in told.text
    assert served.client.get("/", headers=headers).headers["content-type"] == "application/problem+json"


# Web pages of elsewhere


def test_a_page_that_may_ask_reads_the_answers_and_no_other_does(memory):
    access = Access.of(
        "127.0.0.1",
        Credential(Scope("global")),
        hosts="testserver",
        origins="https://notes.example",
        credentials=KEYS.values(),
    )
    asks = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    with TestClient(application(memory, access), raise_server_exceptions=False) as client:
        for path in ("/v1/memories", "/mcp", "/v1/search", "/nothing"):
            mine = {"origin": "https://notes.example"}
            before = client.options(path, headers=mine | asks)
            assert (before.status_code, before.headers["access-control-allow-origin"]) == (
                204,
                mine["origin"],
            )
            assert "access-control-allow-credentials" not in before.headers
            for headers in (mine, mine | bearer("ana")):
                assert (
                    client.get(path, headers=headers).headers["access-control-allow-origin"] == mine["origin"]
                )
            for origin in ("https://evil.example", "null", "https://notes.example.evil.example"):
                for answer in (
                    client.options(path, headers={"origin": origin} | asks),
                    client.get(path, headers={"origin": origin} | bearer("ana")),
                ):
                    assert answer.status_code == 403
                    assert "access-control-allow-origin" not in answer.headers
            assert "access-control-allow-origin" not in client.get(path, headers=bearer("ana")).headers


def test_no_form_of_elsewhere_is_taken_with_a_browsers_cookie_on_any_route(served, memory):
    """As a browser sends it that is signed in: from a page of another origin, or of none that it tells."""
    memory.add("Mine.")
    signed_in = served.client.get("/", params={"token": KEYS["admin"].token}, follow_redirects=False)
    assert signed_in.status_code == 303
    before = memory.audit.events(limit=1000)
    paths = {getattr(route, "path", "/x").replace("{path:path}", "x") for route in served.app.routes}
    assert len(paths) > len({one.path for one in TABLE})
    for path in sorted((paths | {"/mcp", "/v1/chat/completions"}) - {HEALTH, READY}):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            for origin in ({}, {"origin": "https://evil.example"}, {"origin": "null"}):
                answer = served.client.request(method, path, headers=origin)
                assert answer.status_code == 403, (method, path, origin, answer.text)
    assert memory.audit.events(limit=1000) == before


def test_the_page_of_operations_is_up_to_date():
    root = Path(__file__).parents[3]
    spec = importlib.util.spec_from_file_location("docs_rest", root / "scripts" / "docs_rest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (root / "docs" / "rest.md").read_text("utf-8") == module.page(), "run: python scripts/docs_rest.py"
    assert all(f"`{one.method} {one.path}`" in module.page() for one in TABLE)
