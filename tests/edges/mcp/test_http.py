"""MCP over HTTP: who comes in, and to which scope they are bound."""

from __future__ import annotations

import json
import threading
from contextlib import asynccontextmanager, contextmanager

import httpx
import httpx2
import pytest

pytest.importorskip("mcp")

from mcp.client.streamable_http import streamable_http_client

from simonides.domain.scope import Scope
from simonides.edges.http import serve
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential
from simonides.edges.mcp.http import Door, application

from .conftest import User, called, with_client

ANAS, BOBS = "a" * 24, "b" * 24
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
ACCEPT = {"accept": "application/json, text/event-stream"}


@contextmanager
def served_at(app):
    """Address of an application that is served meanwhile."""
    bound = serve.listening("127.0.0.1", 0)
    server = serve.Server(app, bound)
    thread = threading.Thread(target=server.listen)
    thread.start()
    try:
        yield serve.address("127.0.0.1", bound)
    finally:
        server.stop()
        thread.join(120)
        assert not thread.is_alive()


@pytest.fixture
def listen(memory):
    """Serves MCP with these access rules; the address."""

    @contextmanager
    def listening(access=None, **options):
        door = Door(memory, access or Access.of("127.0.0.1", Credential(Scope("user:ana"))), **options)
        with served_at(application(door)) as url:
            yield f"{url}/mcp"

    return listening


def two_users():
    credentials = (
        Credential(Scope("user:ana"), narrows=False, token=ANAS),
        Credential(Scope("user:bob"), narrows=False, token=BOBS),
    )
    return Access.of("127.0.0.1", Credential(Scope("global")), credentials=credentials)


@asynccontextmanager
async def as_user(url, token):
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=120) as http,
        streamable_http_client(url, http_client=http) as streams,
    ):
        yield streams


def test_what_is_remembered_over_http_is_found_over_http(listen, era):
    user = User()

    async def remember(client):
        return await called(
            client, "memory_add", content="I am vegetarian.", type="preference", why_store="asked"
        )

    async def recall(client):
        return await called(client, "memory_context", query="Who is vegetarian?")

    with listen() as url:
        assert with_client(url, remember, mode=era, user=user)["outcome"] == "accepted"
        assert "I am vegetarian." in with_client(url, recall, mode=era)
    assert user.shown


def test_each_token_is_bound_to_its_scope(listen, add, era):
    add("Ana's boat is blue.", scope="user:ana")
    add("Bob's boat is red.", scope="user:bob")

    async def look(client):
        return [hit["content"] for hit in (await called(client, "memory_search", query="boat"))["hits"]]

    with listen(two_users()) as url:
        assert with_client(as_user(url, ANAS), look, mode=era) == ["Ana's boat is blue."]
        assert with_client(as_user(url, BOBS), look, mode=era) == ["Bob's boat is red."]


def test_a_session_is_of_no_use_with_another_token(listen):
    with listen(two_users()) as url:
        opened = httpx.post(
            url, json=HELLO, headers=ACCEPT | {"authorization": f"Bearer {ANAS}"}, timeout=120
        )
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        stolen = httpx.post(
            url, json=call, headers=ACCEPT | session | {"authorization": f"Bearer {BOBS}"}, timeout=120
        )
    assert opened.status_code == 200
    assert stolen.status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"x-simonides-scope": "user:bob"}, 403),
        ({"x-simonides-scope": "nonsense"}, 400),
    ],
)
def test_a_request_that_may_not_come_in_is_refused_in_the_form_of_the_protocol(listen, headers, status):
    with listen() as url:
        answer = httpx.post(url, json=HELLO, headers=ACCEPT | headers, timeout=120)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]
    assert "mcp-session-id" not in answer.headers


def test_without_its_token_nobody_comes_in(listen):
    with listen(two_users()) as url:
        answer = httpx.post(url, json=HELLO, headers=ACCEPT, timeout=120)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert ANAS not in json.dumps(answer.json())


def test_other_paths_are_not_found(listen):
    with listen() as url:
        assert httpx.get(url.removesuffix("/mcp") + "/v1/models", timeout=120).status_code == 404


def test_the_proxy_serves_mcp_beside_its_chats(memory, add):
    from simonides.agent.middleware import Middleware
    from simonides.config import ProxySettings
    from simonides.edges.http.proxy import application as proxy

    add("Ana's boat is blue.", scope="user:ana")
    access = Access.of("127.0.0.1", Credential(Scope("user:ana")))
    chats = proxy(Middleware(memory), ProxySettings(upstream="http://127.0.0.1:9"), access=access)

    async def look(client):
        return await called(client, "memory_search", query="boat")

    with served_at(application(Door(memory, access), chats)) as url:
        assert with_client(f"{url}/mcp", look)["hits"]
        assert httpx.get(f"{url}/v1/models", timeout=120).status_code == 502


def test_a_request_past_ten_megabytes_is_refused(listen):
    with listen() as url:
        answer = httpx.post(url, content=b"x" * (11 * 1024 * 1024), headers=ACCEPT, timeout=120)
    assert answer.status_code == 413
