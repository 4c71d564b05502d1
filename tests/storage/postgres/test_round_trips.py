"""Round trips: what a caller waits for where the database is far away."""

import time

import pytest

from simonides import Memory
from simonides.testing import FakeEmbedder
from tests.storage.postgres.network import Network


@pytest.fixture
def network(server):
    # What is sent while nothing can have been heard yet is one trip.
    counting = Network(f"{server.data}/.s.PGSQL.5432", delay_s=0.02)
    yield counting
    counting.close()


@pytest.fixture
def memory(server, network):
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    with Memory(url, tenant=server.new_tenant(), embedder=FakeEmbedder(8)) as opened:
        yield opened


def trips(network, work):
    """Round trips of some work, with those behind its back; it is done once before, as a process does."""
    work()
    time.sleep(1.2)  # Uses are written down half a second later.
    before = network.trips
    work()
    time.sleep(0.2)
    return network.trips - before


def test_a_search_waits_for_four_round_trips(memory, network):
    memory.add([f"Ana keeps note {n} about the harbour." for n in range(20)], project="apollo")
    memory.search("harbour note", project="apollo")
    # The fifth ends the view, when the search has answered.
    assert trips(network, lambda: memory.search("harbour note", project="apollo")) <= 5
