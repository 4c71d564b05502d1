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
    assert max(statements) <= 23  # Words that the store lacks may be slips, or made of parts.
    assert sum(statements) / len(statements) < 15.5  # Three about links are a tenth of the work of one.


def test_a_search_that_little_passes_asks_for_more_in_as_many_calls_as_it_widens(sample):
    with PortCalls() as found:
        sample.search("What was moved?", agenda=False, tags=["none"])
    assert found.calls["near"] <= 5
    assert found.total <= 12


@pytest.mark.parametrize(
    ("most", "write"),
    [
        (3, lambda memory, n: memory.add(f"Harbour {n} opens in May.")),
        (
            4,
            lambda memory, n: memory.add("The pier is closed."),
        ),  # It is read again, and noted in the audit log.
        (3, lambda memory, n: memory.add([{"role": "user", "content": f"Is it open? {n}"}], session_id="s")),
        (
            3,
            lambda memory, n: memory.add(
                [{"role": "user", "content": f"{n} {m}", "id": f"{n}/{m}"} for m in range(3)], session_id="t"
            ),
        ),
        (
            3,
            lambda memory, n: memory.propose(
                [{"content": f"The user's boat {n} is in harbour {n}."}], session_id="s"
            ),
        ),
        (
            3,
            lambda memory, n: memory.propose(
                [{"content": f"Boat {n}.{m} is new."} for m in range(3)], session_id="s"
            ),
        ),
    ],
    ids=["item", "known item", "turn", "turns", "proposal", "proposals"],
)
def test_a_write_asks_the_store_at_most_so_often(sample, most, write):
    write(sample, 1)
    for n in (2, 3):
        with PortCalls() as found:
            write(sample, n)
        assert found.total <= most, found.calls
