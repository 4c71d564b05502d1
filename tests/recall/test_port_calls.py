"""A search asks the store in few calls, each of which does much."""

import pytest

from simonides import Memory
from simonides.sample import load_sample
from simonides.testing.port_calls import PortCalls


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    with Memory(tmp_path_factory.mktemp("calls") / "sample.db") as memory:
        for session in load_sample().sessions:
            memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
        memory.search("What was moved?")  # The first one fills caches.
        yield memory


def test_a_search_is_six_calls_of_the_store(sample):
    statements = []
    for question in load_sample().questions:
        with PortCalls() as found:
            assert sample.search(question.text, agenda=False).hits
        assert found.total <= 6, (question.text, found.calls)
        statements.append(found.statements)
    assert max(statements) <= 24
    assert sum(statements) / len(statements) < 18.5


def test_a_search_that_little_passes_asks_for_more_in_as_many_calls_as_it_widens(sample):
    with PortCalls() as found:
        sample.search("What was moved?", agenda=False, tags=["none"])
    assert found.calls["near"] <= 5
    assert found.total <= 11


def test_an_item_is_added_in_five_calls(sample):
    with PortCalls() as found:
        sample.add("The harbour opens in May.")
    assert found.total <= 5
    with PortCalls() as found:
        sample.add([{"role": "user", "content": "Is it open?"}], session_id="s")
    assert found.total <= 8
