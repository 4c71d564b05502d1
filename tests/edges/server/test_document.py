"""Requests made from the OpenAPI document, good ones and bad ones: no failure, and nothing undocumented."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from pydantic import TypeAdapter

from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential
from simonides.edges.server.app import application
from simonides.edges.server.openapi import document, form_of
from simonides.edges.server.problems import TYPE
from simonides.edges.server.shapes import LongOperationJson
from simonides.edges.server.state import ServerState
from simonides.edges.server.table import TABLE
from simonides.memory import Memory
from simonides.testing import FakeEmbedder
from tests.edges.whole_answers import TestClient

schemathesis = pytest.importorskip("schemathesis")

#: Requests of each kind to each operation; 40 make more than 5,000.
EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "1"))
SENT = ("method", "url", "json", "params", "headers", "cookies")
#: Their bodies are lines or files, which the document says no more of.
LINES = {one.name for one in TABLE if one.lines}
TOKEN = "owner-" + "o" * 20
BY_NAME = {one.name: one for one in TABLE}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: mode.value)
def test_every_answer_is_in_the_document(mode, tmp_path):
    schema = schemathesis.openapi.from_dict(document(TABLE))
    owner = Credential(Scope("global"), token=TOKEN)
    access = Access.of("127.0.0.1", owner, hosts="testserver", credentials=[owner])
    seen = Counter()
    with (
        Memory(":memory:", embedder=FakeEmbedder(8)) as memory,
        closing(ServerState(tmp_path / "memory.server")) as state,
        TestClient(application(memory, access, state=state), raise_server_exceptions=False) as client,
    ):
        memory.add([f"Note {n} about Ana Miller" for n in range(20)], type="fact")
        for found in schema.get_all_operations():
            operation = found.ok()
            one = BY_NAME[operation.definition.raw["operationId"]]
            if one.name not in LINES:
                ask_at_random(operation, one, mode, client, seen)
    assert seen.total() >= EXAMPLES * (len(TABLE) - len(LINES)) * 0.8
    assert seen[2] > 0 or mode is schemathesis.GenerationMode.NEGATIVE


def ask_at_random(operation, one, mode, client, seen):
    @hypothesis_settings(
        max_examples=EXAMPLES,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        told = case.as_transport_kwargs(base_url="http://testserver")
        sent = {name: told[name] for name in SENT if told.get(name) is not None}
        sent["headers"] = dict(sent.get("headers", {})) | {"Authorization": f"Bearer {TOKEN}"}
        if told.get("data") is not None:
            sent["content"] = told["data"]
        try:
            answer = client.request(**sent)
        except (UnicodeEncodeError, TypeError, ValueError):  # No client can send this.
            return
        seen[answer.status_code // 100] += 1
        # As many long operations go on at once as may.
        crowded = answer.status_code == 503 and answer.json()["code"] == "busy"
        assert answer.status_code < 500 or crowded, (one.name, sent, answer.text)
        assert answer.status_code in one.statuses, (one.name, sent, answer.text)
        if answer.status_code == 202 and one.status != 202:
            LongOperationJson.model_validate_json(answer.content)
        elif answer.status_code != one.status:
            assert answer.headers["content-type"] == TYPE
        elif not one.streams:
            TypeAdapter(form_of(one)).validate_json(answer.content, strict=False)

    ask()
