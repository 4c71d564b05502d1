"""A store with two tenants and what they share, and tools over it."""

from __future__ import annotations

import pytest

from simonides import Memory
from simonides.agent.tools import Tools
from simonides.testing import FakeEmbedder, FrozenClock


@pytest.fixture
def clock():
    return FrozenClock("2026-03-01T12:00:00Z")


@pytest.fixture
def memory(fresh, clock):
    with Memory(fresh, embedder=FakeEmbedder(), clock=clock) as opened:
        yield opened


@pytest.fixture
def tools(memory):
    """Tools that nothing binds: a call may name its scope."""
    return Tools(memory)


@pytest.fixture
def ana(memory):
    return Tools(memory, scope="user:ana", session_id="s1")


@pytest.fixture
def bob(memory):
    return Tools(memory, scope="user:bob")


@pytest.fixture
def add(memory):
    """Add what a user says; the id of the item."""

    def added(content, **fields):
        [verdict] = memory.add(content, **fields)
        assert verdict.outcome == "accepted", verdict
        return verdict.item_id

    return added


@pytest.fixture
def events(memory):
    """The audit events of tools, oldest first."""

    def of_tools():
        found = reversed(memory.audit.events(limit=1000))
        return [event for event in found if event.action.startswith("tool:")]

    return of_tools


@pytest.fixture
def written(tools):
    """Let a model write something; the id of its item."""

    def wrote(content, **fields):
        answer = tools.call("memory.write", {"content": content, "why_store": "it may matter"} | fields)
        assert answer["outcome"] == "accepted", answer
        return answer["item_id"]

    return wrote
