"""Requests drawn at random, for every operation: none of them fails the server, and each refusal says what to do."""

from __future__ import annotations

import json
import os
import random
import warnings

import pytest

from simonides.edges.server.problems import TYPE
from simonides.edges.server.table import TABLE

from .conftest import bearer

#: Requests of each operation; more, and others, by RANDOM_REQUESTS and SEED.
REQUESTS = int(os.environ.get("RANDOM_REQUESTS", "30"))
LONG = "x" * 70_000
#: Values of every type, at the ends of what each holds.
VALUES = [
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 2**64, 10**40, 0.5, -0.0, 1e308, -1e308, 5e-324, 1e-320),
    *("", " ", "x", "\0", "a\0b", "\ud800", "\u202e", "\x85", "é" * 300, LONG, "*", "%", "/", "..", "global", "??"),
    *("user:ana", "none", "null", "2026-01-01", "9999-12-31T23:59:59Z", "-5000-01-01", "99999-01-01", "NaN", "1e999"),
    *([], [None], [[]], ["x"], [1, "x", {}], ["x"] * 2000, {}, {"x": {}}, {"": None}, {"x": [[[[[]]]]]}),
]  # fmt: skip
#: Bodies that are no object with fields.
RAW = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"x"',
    b"1",
    b"\xff\xfe",
    b"{}" * 1000,
    b"[" * 5000,
    b'{"a":1,"a":2}',
    b"NaN",
    b'{"a":1e999}',
]
WORDS = ["none", "%00", "x" * 3000, "%2e%2e", "é", "%ff", "019ca945-0a00-7000-b653-bae91b52bf15", "*", "a b"]
KINDS = [
    None,
    "application/json",
    "text/plain",
    "application/x-ndjson",
    "application/octet-stream",
    "nonsense",
    "a/b; c",
]
HEADERS = [
    {}, {}, {}, {"x-simonides-actor": "gpt"}, {"x-simonides-actor": "x" * 500}, {"x-simonides-scope": "*"},
    {"x-simonides-scope": "??"}, {"x-simonides-session": "s" * 500}, {"idempotency-key": "k"}, {"idempotency-key": ""},
    {"prefer": "respond-async, wait=\x7f"}, {"prefer": "respond-async"}, {"content-encoding": "gzip"},
    {"accept": "text/html"},
]  # fmt: skip


def drawn(at_random, one, ids):
    """A request for an operation: its method, path, headers and what it sends."""
    pick = at_random.choice
    words = {word: pick([*WORDS, *ids]) for word in one.words}
    fields = {
        name: pick([*VALUES, *ids, [pick(ids)]])
        for name, field in one.takes.model_fields.items()
        if at_random.random() < (0.9 if field.is_required() else 0.3)
    }
    if at_random.random() < 0.2:
        fields["unknown"] = pick(VALUES)
    headers = pick(HEADERS)
    kind = (
        pick(KINDS)
        if at_random.random() < 0.3
        else one.lines or ("application/json" if one.has_body else None)
    )
    headers |= {} if kind is None else {"content-type": kind}
    method = (
        pick(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]) if at_random.random() < 0.1 else one.method
    )
    if one.in_query or one.lines:
        place = {"params": {name: in_a_query(value) for name, value in fields.items()}} | (
            {"content": pick(RAW)} if one.lines else {}
        )
    elif at_random.random() < 0.25:
        place = {"content": pick(RAW)}
    else:
        place = {"content": json.dumps(fields).encode()}
    return method, one.path.format(**words), headers, place


def in_a_query(value):
    text = json.dumps(value) if isinstance(value, dict | list) else str(value)
    return text.encode("utf-8", "replace").decode()[:2000]


@pytest.mark.parametrize("one", TABLE, ids=lambda one: one.name)
def test_no_request_fails_the_server_and_each_refusal_is_a_problem_that_says_what_to_do(
    served, memory, one, caplog
):
    at_random = random.Random(one.name + os.environ.get("SEED", ""))
    ids = memory.add(["The dome is green.", "Ana paints it."], type="fact", entities=["Ana"]).item_ids
    memory.records.put("notes", "boat", 1)
    refused = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(REQUESTS):
            method, path, headers, place = drawn(at_random, one, ids)
            told = (method, path[:200], headers, str(place)[:500])
            answer = served.client.request(method, path, headers=bearer("admin") | headers, **place)
            refused += answer.status_code >= 400
            assert answer.status_code < 500 or answer.json()["code"] == "busy", (told, answer.text)
            if answer.status_code >= 400 and method != "HEAD":
                assert answer.headers["content-type"] == TYPE, told
                problem = answer.json()
                assert problem["detail"], told
                assert len(problem["detail"]) < 3000, told
    assert not [record for record in caplog.records if record.levelname in {"WARNING", "ERROR"}], caplog.text
    assert refused or one.method == "GET"
