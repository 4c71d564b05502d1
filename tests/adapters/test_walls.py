"""Random calls by three people over MCP and every adapter: none sees or touches what is another's."""

import asyncio

import pytest

walls = pytest.importorskip("benchmarks.walls", exc_type=ImportError)


def test_random_calls_over_every_door_return_no_foreign_rows():
    found, times = asyncio.run(walls.foreign_answers(400, 11))
    assert found == []
    assert len(times) == 8


def test_a_wall_with_a_hole_is_noticed(monkeypatch):
    # Two people in one scope: what is found must be found.
    monkeypatch.setattr(walls.Person, "scope", property(lambda _: "project:shared"))
    found, _ = asyncio.run(walls.foreign_answers(600, 13))
    assert {one.door for one in found} >= {"mcp", "mem0", "langgraph"}
