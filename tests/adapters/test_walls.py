"""Random calls by three people over MCP and every adapter: none sees or touches what is another's."""

import asyncio

import pytest

from tests.bench.test_benches import says_what_it_does

walls = pytest.importorskip("benchmarks.walls", exc_type=ImportError)


#: Enough for every door to answer, and for a hole to show at each that answers in words.
CALLS = 200


def test_random_calls_over_every_door_return_no_foreign_rows():
    found, times = asyncio.run(walls.foreign_answers(CALLS, 11))
    assert found == []
    assert len(times) == 8
    assert min(times.values()) > 10


def test_a_wall_with_a_hole_is_noticed(monkeypatch):
    # Two people in one scope: what is found must be found.
    monkeypatch.setattr(walls.Person, "scope", property(lambda _: "project:shared"))
    found, times = asyncio.run(walls.foreign_answers(CALLS, 13))
    assert {one.door for one in found} == times.keys() - {"anthropic"} | {"store"}


def test_the_bench_says_what_it_does_and_lists_its_options(capsys):
    says_what_it_does("walls", capsys)
