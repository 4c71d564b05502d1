"""Sessions as answers: one hit for each, ranked by what its turns say together."""

import pytest

from simonides import Memory
from simonides.errors import InvalidInput
from simonides.testing import FrozenClock

TALKS = {
    "monday": ("I bought a kayak in Lahti.", "The kayak is yellow.", "We paddle the kayak on Sunday."),
    "tuesday": ("Somebody stole a kayak yesterday.", "The soup was too salty.", "I slept badly."),
    "friday": ("The train was late.", "Rex ate my shoe."),
}


@pytest.fixture
def memory(fresh):
    clock = FrozenClock("2026-03-01")
    with Memory(fresh, clock=clock) as memory:
        for name, texts in TALKS.items():
            memory.add([{"role": "user", "content": text} for text in texts], session_id=name)
            clock.advance(days=1)
        memory.add("A kayak needs a helmet.", type="fact")
        yield memory


def test_each_session_is_one_hit_and_what_is_in_none_stands_by_itself(memory):
    found = memory.search("what do I know about the kayak?", group="session")
    sessions = [hit.item.session_id for hit in found if hit.item.session_id]
    assert len(sessions) == len(set(sessions))
    assert {"monday", "tuesday"} <= set(sessions)
    assert "A kayak needs a helmet." in [hit.item.content for hit in found]


def test_a_session_that_says_more_of_it_comes_first(memory):
    found = [hit.item.session_id for hit in memory.search("what about the kayak?", group="session")]
    assert found.index("monday") < found.index("tuesday")


@pytest.mark.parametrize("profile", ["balanced", "classic", "rrf", "weighted", "hebbian"])
def test_the_parts_of_a_sessions_score_add_up_in_every_profile(memory, profile):
    found = memory.search("the yellow kayak", group="session", profile=profile, k=3)
    assert found.hits
    for hit in found:
        parts = dict(hit.signals)
        factor = parts.pop("factor", 1.0)
        assert sum(parts.values()) * factor == pytest.approx(hit.score, abs=1e-4)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_sessions_are_counted_by_k(memory):
    assert len(memory.search("kayak", group="session", k=2)) == 2


def test_it_is_grouped_by_sessions_or_not_at_all(memory):
    assert memory.search("kayak", group=None).hits
    with pytest.raises(InvalidInput, match="group is 'session'"):
        memory.search("kayak", group="task")
