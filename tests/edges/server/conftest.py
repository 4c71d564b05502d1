"""A server over a store of its own, and requests to it that every answer is checked against the OpenAPI document."""

from __future__ import annotations

import json
import random
import socket
import time
from contextlib import closing
from functools import cache
from types import SimpleNamespace

import pytest
from pydantic import TypeAdapter

from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.openapi import form_of
from simonides.edges.server.shapes import LongOperationJson, ProblemJson
from simonides.edges.server.state import ServerState
from simonides.edges.server.table import TABLE
from tests.edges.whole_answers import TestClient

#: Keys of the tests, by name: scope, role, whether they narrow.
KEYS = {
    "admin": Credential(Scope("global"), token="admin-" + "a" * 20),
    "ana": Credential(Scope("user:ana"), narrows=True, token="ana-" + "a" * 20, role=Role.REVIEWER),
    "bob": Credential(Scope("user:bob"), narrows=False, token="bob-" + "b" * 20, role=Role.WRITER),
    "apollo": Credential(
        Scope("project:apollo"), narrows=False, token="apollo-" + "p" * 20, role=Role.REVIEWER
    ),
    "reader": Credential(Scope("user:ana"), narrows=True, token="reader-" + "r" * 20, role=Role.READER),
}


def bearer(key):
    return {"authorization": f"Bearer {KEYS[key].token}"}


def operation(name):
    [found] = [one for one in TABLE if one.name == name]
    return found


class Asked:
    """Requests for operations by name; whatever comes back must stand in the document."""

    def __init__(self, client):
        self.client = client

    def __call__(self, name, key="admin", /, *, headers=None, path=None, raw=None, **fields):
        asked = operation(name)
        place = {"params": fields} if asked.in_query else {"json": fields}
        if raw is not None:
            place = {"content": raw}
        answer = self.client.request(
            asked.method,
            asked.path.format(**(path or {})),
            headers=({} if key is None else bearer(key)) | (headers or {}),
            **place,
        )
        return checked(asked, answer)

    def ok(self, name, key="admin", /, **fields):
        """The answer of an operation that does not fail."""
        answer = self(name, key, **fields)
        assert answer.status_code == operation(name).status, answer.text
        return answer.json()


def ended(client, answer, key="admin"):
    """A long operation at its end."""
    assert answer.status_code == 202, answer.text
    for _ in range(1200):
        found = client.get(answer.headers["location"], headers=bearer(key)).json()
        if found["status"] != "running":
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def free_port():
    """A port that nothing has now, below those that systems give to whoever asks for any port."""
    while True:
        with socket.socket() as tried:
            port = random.SystemRandom().randrange(10_000, 32_000)
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class McpTalk:
    """A conversation over MCP, begun.

    Attributes:
        client: Over which its next request goes.
    """

    def __init__(self, client, headers):
        self.client = client
        self._headers = headers | {"accept": "application/json, text/event-stream"}
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        begun = self._send({"id": 1, "method": "initialize", "params": about})
        assert begun.status_code == 200, begun.text
        self._headers |= {
            "mcp-session-id": begun.headers["mcp-session-id"],
            "mcp-protocol-version": "2025-06-18",
        }
        assert self._send({"method": "notifications/initialized"}).status_code == 202

    def asked(self, method, **params):
        """The answer to a request, as JSON-RPC has it."""
        answer = self._send({"id": 2, "method": method, "params": params})
        assert answer.status_code == 200, answer.text
        lines = [line[5:] for line in answer.text.splitlines() if line.startswith("data:") and len(line) > 6]
        return json.loads(lines[-1] if lines else answer.text)

    def _send(self, message):
        return self.client.post("/mcp", json={"jsonrpc": "2.0", **message}, headers=self._headers)


@cache
def _reader_of(name):
    return TypeAdapter(form_of(operation(name)))


def checked(asked, answer):
    """The answer, which is of a status and a form that the document names."""
    assert answer.status_code in asked.statuses, (asked.name, answer.status_code, answer.text)
    if answer.status_code == asked.status:
        if not asked.streams:
            _reader_of(asked.name).validate_json(answer.content, strict=False)
    elif answer.status_code == 202:
        found = LongOperationJson.model_validate_json(answer.content)
        assert answer.headers["location"] == f"/v1/operations/{found.id}"
    else:
        assert answer.headers["content-type"] == "application/problem+json"
        problem = ProblemJson.model_validate_json(answer.content)
        assert problem.status == answer.status_code
        assert problem.detail
    return answer


@pytest.fixture
def access():
    return Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values())


@pytest.fixture
def served(memory, access, tmp_path):
    """A server, with a client of it."""
    with closing(ServerState(tmp_path / "served.server")) as state:
        app = application(memory, access, state=state)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield SimpleNamespace(app=app, client=client, memory=memory, state=state)


@pytest.fixture
def ask(served):
    return Asked(served.client)
