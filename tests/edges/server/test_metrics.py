"""Metrics: every request is counted once, under a name of few."""

from __future__ import annotations

import re

from simonides.edges.server.table import TABLE

from .conftest import bearer


def counted(text):
    found = re.findall(
        r'^simonides_requests_total\{operation="(.+)",status="(\d+)"\} (\d+)$', text, re.MULTILINE
    )
    return {(name, int(status)): int(count) for name, status, count in found}


def test_requests_are_counted_by_operation_and_status(served, ask):
    ask("add", content="x")
    for _ in range(3):
        ask("search", query="x")
    ask("search", query="")
    ask("search", "reader", query="x", headers={"host": "evil.example"})
    for n in range(5):
        served.client.get(f"/v1/memories/{n}", headers=bearer("admin"))
        served.client.get(f"/unknown/{n}", headers=bearer("admin"))
    text = served.client.get("/metrics", headers=bearer("reader")).text
    assert counted(text) == {
        ("add", 201): 1,
        ("search", 200): 3,
        ("search", 422): 1,
        ("get", 404): 5,
        ("other", 404): 5,
        ("other", 421): 1,
    }
    assert 'simonides_request_seconds_bucket{operation="search",le="+Inf"} 4' in text
    assert 'simonides_request_seconds_count{operation="search"} 4' in text
    for line in text.splitlines():
        assert re.fullmatch(
            r"# (HELP|TYPE) \w+ .+|\w+(\{\w+=\"[^\"]*\"(,\w+=\"[^\"]*\")*\})? -?[\d.e+]+", line
        ), line


def test_no_name_can_be_made_up(served):
    names = {one.name for one in TABLE} | {"other"}
    served.client.get('/v1/memories/"} 1%0Ax', headers=bearer("admin"))
    assert {name for name, _ in counted(served.client.get("/metrics", headers=bearer("admin")).text)} <= names
