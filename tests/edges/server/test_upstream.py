"""Requests that come to the server behind, where there is one: none that were meant for us, and no token of ours."""

import itertools
import random
from contextlib import closing
from dataclasses import replace

import pytest

from simonides.agent.middleware import Middleware
from simonides.config import ProxySettings
from simonides.domain.scope import Scope
from simonides.edges.http.proxy import application as proxied
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.state import NewKey, ServerState
from simonides.edges.server.table import by_path
from simonides.testing_server import ScriptedServer
from tests.edges.encodings import decoded, encoded
from tests.edges.whole_answers import TestClient

#: As servers of models have them, and slips in the addresses of the page.
PATHS = ("/v1/models", "/api/tags", "/favicon.ico", "/searches", "/v1/embeddings", "/Palace", "/m", "/x/y//z")


@pytest.fixture
def behind(memory, access, tmp_path):
    """A client of a server, the key that it takes, and the server behind."""
    with closing(ServerState(tmp_path / "served.server")) as state, ScriptedServer(["Hello!"]) as upstream:
        new = NewKey(name="ana", scope=Scope("user:ana"), role=Role.ADMIN)
        _, token = state.create(new)
        others = Credential(Scope("user:ana"), token=OTHERS)
        access = replace(access, credentials=(*access.credentials, others))
        known = replace(access, keys=state.find)
        proxy = proxied(Middleware(memory), ProxySettings(upstream=upstream.url), access=known)
        app = application(memory, access, state=state, proxy=proxy)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client, token, upstream


def cookies(token):
    """The cookie of a page of this port and of another one, alone and among others."""
    own, other = f"simonides-80={token}", f"simonides-8787={token}"
    return (own, other, f"a=1; {own}; b=2", f"{other};{own}", f'theme=dark; simonides-80="{token}"')


def addresses(token, at_random):
    """A path that shows a token somewhere, as it is and percent-encoded, or none at all."""
    path = at_random.choice(PATHS)
    shown = at_random.choice((token, encoded(token, at_random), encoded(f"Bearer {token}", at_random)))
    forms = (
        *("{path}?{shown}", "{path}?token={shown}", "{path}?a=1&key={shown}", "{path}?a={shown};b", "{path}?{shown}=1"),
        *("{path}/{shown}", "/{shown}{path}", "{path};{shown}", "{path}?a=x%26key%3D{shown}", "{path}?{shown}@x"),
        *("{path}/key_{shown}", "{path}/{shown}-x", "{path}?a{shown}b"),
    )  # fmt: skip
    return at_random.choice((path, *(form.format(path=path, shown=shown) for form in forms)))


#: A token as others make them, in the file of tokens.
OTHERS = "Zm9v+YmFy/Zm9vYmFyYmF6=="


@pytest.mark.parametrize("which", ["key", "token of the file"])
def test_no_token_reaches_the_server_behind_wherever_it_is_shown(behind, which):
    client, token, upstream = behind
    if which != "key":
        token = OTHERS
    ways = [{"cookie": cookie} for cookie in cookies(token)]
    ways += [way | {"authorization": f"Bearer {token}"} for way in ({"x-simonides-token": token}, {}, *ways)]
    ways += [{"x-api-key": token}, {"api-key": token}]
    at_random = random.Random(7)
    refused = 0
    for _ in range(400):
        client.cookies.clear()
        address, way = addresses(token, at_random), at_random.choice(ways)
        method = at_random.choice(("GET", "POST"))
        answer = client.request(method, address, headers={"origin": "http://testserver", **way})
        refused += "the address shows a token" in answer.text
    assert refused > 100
    assert upstream.requests  # What shows its token in a header goes on, without it.
    assert not [asked for asked in upstream.requests if token in decoded(str(asked)) + str(asked)]


def test_what_a_page_asks_for_is_not_asked_of_the_server_behind(behind):
    client, token, upstream = behind
    for path, cookie in itertools.product(PATHS, cookies(token)[:1]):
        assert client.get(path, headers={"cookie": cookie, "accept": "text/html"}).status_code == 404
    assert not upstream.requests


def test_the_cookies_of_others_go_on(behind):
    client, token, upstream = behind
    key = {"authorization": f"Bearer {token}"}
    client.get("/v1/models", headers={**key, "cookie": f"a=1; simonides-9={token}; b=2"})
    client.get("/v1/models", headers={**key, "cookie": f"simonides-9={token}"})
    assert [asked.header("cookie") or "" for asked in upstream.requests] == ["a=1; b=2", ""]


def test_a_slip_in_a_path_of_rest_sends_no_memory_to_the_server_behind(behind):
    client, token, upstream = behind
    key = {"authorization": f"Bearer {token}"}
    for path in {path.partition("{")[0].rstrip("/") for path in by_path()}:
        for slip in (f"{path}/", path.upper(), f"/{path}", f"{path}/x/y/z", path.replace("/v1/", "/v1//")):
            address = f"http://testserver{slip}"
            answer = client.post(address, headers=key, json={"content": "My secret diary."})
            assert answer.status_code in {404, 405}, slip
    assert not upstream.requests
