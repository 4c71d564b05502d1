"""Refusals of chats: clients of OpenAI, Anthropic and Ollama show what we say, as if their own server said it."""

from __future__ import annotations

import threading
from contextlib import closing, contextmanager
from dataclasses import replace
from types import SimpleNamespace

import anthropic
import httpx
import httpx2
import ollama
import openai
import pytest

import simonides.errors
from simonides.agent.middleware import Middleware
from simonides.config import ProxySettings
from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.proxy import application as proxied
from simonides.edges.http.serve import Server, address, listening
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.refusals import for_caller
from simonides.edges.server.state import NewKey, ServerState
from simonides.edges.server.table import TABLE
from simonides.testing_server import ScriptedServer

from .conftest import KEYS

SAID = [{"role": "user", "content": "Which colour does the dome have?"}]


@contextmanager
def openai_at(url, token, headers):
    with openai.OpenAI(
        base_url=f"{url}/v1",
        api_key=token,
        max_retries=0,
        default_headers=headers,
        http_client=httpx.Client(verify=False),
    ) as client:
        yield client


@contextmanager
def anthropic_at(url, token, headers):
    with anthropic.Anthropic(
        base_url=url,
        api_key=token,
        max_retries=0,
        default_headers=headers,
        http_client=httpx2.Client(verify=False),
    ) as client:
        yield client


@contextmanager
def ollama_at(url, token, headers):
    client = ollama.Client(host=url, headers={"Authorization": f"Bearer {token}", **headers}, verify=False)
    with client._client:
        yield client


def streamed(chunks):
    return "".join(map(str, chunks))


def anthropic_stream(client):
    with client.messages.stream(model="m", max_tokens=9, messages=SAID) as stream:
        return streamed(stream.text_stream)


#: What clients ask, chats and other things, by the client that asks it.
ASKED = {
    "openai chat": (openai_at, lambda c: c.chat.completions.create(model="m", messages=SAID)),
    "openai stream": (
        openai_at,
        lambda c: streamed(c.chat.completions.create(model="m", messages=SAID, stream=True)),
    ),
    "openai responses": (openai_at, lambda c: c.responses.create(model="m", input="Which colour?")),
    "openai embeddings": (openai_at, lambda c: c.embeddings.create(model="m", input="dome")),
    "openai models": (openai_at, lambda c: c.models.list()),
    "anthropic messages": (
        anthropic_at,
        lambda c: c.messages.create(model="m", max_tokens=9, messages=SAID),
    ),
    "anthropic stream": (anthropic_at, anthropic_stream),
    "anthropic tokens": (anthropic_at, lambda c: c.messages.count_tokens(model="m", messages=SAID)),
    "anthropic models": (anthropic_at, lambda c: c.models.list()),
    "ollama chat": (ollama_at, lambda c: c.chat("m", messages=SAID)),
    "ollama stream": (ollama_at, lambda c: streamed(c.chat("m", messages=SAID, stream=True))),
    "ollama generate": (ollama_at, lambda c: c.generate("m", prompt="Which colour?")),
    "ollama models": (ollama_at, lambda c: c.list()),
}


def refusal_of(way, url, token, headers):
    """Status and message of the error that a client raises."""
    opens, asks = ASKED[way]
    kinds = (openai.APIStatusError, anthropic.APIStatusError, ollama.ResponseError)
    with opens(url, token, headers) as client, pytest.raises(kinds) as caught:
        asks(client)
    error = caught.value
    if isinstance(error, ollama.ResponseError):
        message = error.error
    else:
        told = error.body["error"] if isinstance(error, anthropic.APIStatusError) else error.body
        message = told["message"]
        assert told["type"] == error.type
        assert error.type.endswith("_error")
    assert message in str(error)
    return error.status_code, message


@contextmanager
def listened(app):
    """The address of an application that listens."""
    with listening("127.0.0.1", 0) as bound:
        server = Server(app, bound)
        thread = threading.Thread(target=server.listen)
        thread.start()
        yield address("127.0.0.1", bound)
        server.stop()
        thread.join()


@pytest.fixture
def running(memory, tmp_path):
    """A server that listens, with a server of models behind, and the proxy to that alone."""
    access = Access.of("127.0.0.1", Credential(Scope("global")), credentials=KEYS.values())
    with (
        closing(ServerState(tmp_path / "served.server")) as state,
        ScriptedServer(["Hello!"] * 99) as upstream,
    ):
        known = replace(access, keys=state.find)
        settings = ProxySettings(upstream=upstream.url, max_body_mb=0.5)
        alone, behind = (proxied(Middleware(memory), settings, access=known) for _ in range(2))
        app = application(memory, access, state=state, proxy=behind)

        def key(**rights):
            return state.create(NewKey(name="k", scope=Scope("user:ana"), **rights))[1]

        with listened(app) as url, listened(alone) as proxy:
            yield SimpleNamespace(url=url, proxy=proxy, key=key, upstream=upstream, app=app)


#: Refusals at the door and behind it: rights of the key, further headers, status, what helps.
DOOR = {
    "no token": (None, {}, 401, "show another"),
    "reader": ({"role": Role.READER}, {}, 403, "use a key of that role"),
    "tenant": ({"role": Role.ADMIN, "tenant": "acme"}, {}, 503, "no tenants"),
    "foreign page": ({"role": Role.ADMIN}, {"origin": "https://evil.example"}, 403, "--allow-origin"),
    "foreign host": ({"role": Role.ADMIN}, {"host": "evil.example"}, 421, "--allow-host"),
    "scope": ({"role": Role.ADMIN}, {"x-simonides-scope": "user:bob"}, 403, "user:ana"),
    "no scope": ({"role": Role.ADMIN}, {"x-simonides-scope": "??"}, 400, "X-Simonides-Scope"),
    "two tokens": ({"role": Role.ADMIN}, {"x-simonides-token": KEYS["bob"].token}, 400, "show one"),
    "actor": ({"role": Role.ADMIN}, {"x-simonides-actor": "user"}, 403, "X-Simonides-Actor names a model"),
}
#: The proxy alone has no roles, tenants or actors.
OF_THE_SERVER = {"reader", "tenant", "actor"}


@pytest.mark.parametrize("case", DOOR)
def test_clients_show_why_they_are_not_let_in(running, case):
    rights, headers, status, advice = DOOR[case]
    token = "nobody-knows-this-one" if rights is None else running.key(**rights)
    for way in ASKED:
        code, message = refusal_of(way, running.url, token, headers)
        assert (code, advice in message) == (status, True), (way, message)
        if case not in OF_THE_SERVER:
            assert refusal_of(way, running.proxy, token, headers) == (code, message)
    assert not running.upstream.requests


@pytest.mark.parametrize("way", ASKED)
def test_clients_show_that_they_ask_too_often(running, way):
    token = running.key(role=Role.WRITER, rate=1)
    httpx.get(f"{running.url}/v1/models", headers={"authorization": f"Bearer {token}"}, verify=False)
    code, message = refusal_of(way, running.url, token, {})
    assert (code, "ask again in" in message) == (429, True)


@pytest.mark.parametrize("way", ["openai chat", "anthropic messages", "ollama chat"])
@pytest.mark.parametrize(
    ("token", "status", "advice"), [("bob", 413, "send less"), (None, 401, "show another")]
)
def test_a_client_that_sends_much_is_told_why_it_is_not_served(
    running, monkeypatch, way, token, status, advice
):
    monkeypatch.setitem(SAID[0], "content", "long " * 1_000_000)
    shown = KEYS[token].token if token else "nobody-knows-this-one"
    code, message = refusal_of(way, running.url, shown, {})
    assert (code, advice in message) == (status, True)


def test_a_server_behind_that_is_away_is_said_as_it_would(running):
    running.upstream.close()
    for way in ASKED:
        code, message = refusal_of(way, running.url, KEYS["bob"].token, {})
        assert code == 502
        assert message, way


ERRORS = [
    kind
    for kind in vars(simonides.errors).values()
    if isinstance(kind, type) and issubclass(kind, simonides.errors.SimonidesError)
]
PATHS = {
    "/v1/chat/completions": "openai",
    "/openai/deployments/m/chat/completions": "openai",
    "/v1/responses": "openai",
    "/v1/models": "openai",
    "/api/v1/models": "openai",
    "/favicon.ico": "openai",
    "/v1/messages": "anthropic",
    "/v1/messages/": "anthropic",
    "/api/chat": "ollama",
    "/api/tags": "ollama",
    "/v1/memories": "ours",
    "/v1/memories/": "ours",
    "/V1//Search": "ours",
    "/v1/openapi.json": "ours",
    "/mcp": "ours",
    "/review": "ours",
    "/": "ours",
}


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_has_the_form_of_the_server_that_its_path_belongs_to(running, kind):
    error = kind.__new__(kind)
    Exception.__init__(error, "the lamp fell over; light it again")
    error.retry_after_s = 2.5
    problem = HttpProblem.of(error)
    for path, whose in PATHS.items():
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "headers": [],
            "app": running.app,
            "state": {"by_cookie": False},
        }
        answer = for_caller(problem, scope)
        body = httpx.Response(answer.status_code, content=answer.body).json()
        assert answer.status_code == problem.status
        assert set(problem.headers) <= set(answer.headers)
        shown = {
            "openai": lambda body=body: (body["error"]["message"], body["error"]["code"]),
            "anthropic": lambda body=body: (body["error"]["message"], problem.code),
            "ollama": lambda body=body: (body["error"], problem.code),
            "ours": lambda body=body: (body["detail"], body["code"]),
        }[whose]()
        assert shown == (problem.detail, problem.code)


def test_a_server_without_chats_answers_problems_everywhere(served):
    for path in PATHS:
        answer = served.client.post(path, json={})
        assert answer.status_code == 401
        assert answer.json()["code"] == "token"


def test_paths_of_rest_are_problems_where_there_are_chats(running):
    with httpx.Client(base_url=running.url, verify=False) as client:
        for one in TABLE:
            answer = client.request(one.method, one.path)
            assert answer.headers["content-type"] == "application/problem+json", one.path
