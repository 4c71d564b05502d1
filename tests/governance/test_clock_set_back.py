"""Clocks that are set back: what was said last in a session counts, whenever a clock says that it was said."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.scope import ALL
from simonides.testing import FakeEmbedder, FrozenClock

SCOPE = "user:ana"
#: Seconds by which the clock is moved between two steps, most of them back.
SHIFTS = st.lists(st.sampled_from([0, 1, 60, 3600, -1, -60, -3600, -2_592_000]), min_size=4, max_size=4)
#: What the user says, what a model makes of it, and what the user says otherwise, with a word of the first alone.
SAYINGS = st.sampled_from(
    [
        ("I live in Graz.", "The user lives in Graz.", "Actually, I live in Linz.", "Graz"),
        ("I prefer tea.", "The user prefers tea.", "I don't prefer tea any more.", "tea"),
        ("My dog is called Rex.", "The user's dog is called Rex.", "My dog isn't called Rex.", "Rex"),
    ]
)


class Talk:
    """A session of one user, in which the clock is moved behind each step."""

    def __init__(self, memory, clock, shifts):
        self.memory, self.clock, self.shifts = memory, clock, list(shifts)
        self.source = None

    def _moved(self, result):
        self.clock.advance(seconds=self.shifts.pop() if self.shifts else 0)
        return result

    def says(self, text):
        turn = self.memory.add([{"role": "user", "content": text}], session_id="s", scope=SCOPE).item_ids[0]
        self.source = self.source or turn
        return self._moved(turn)

    def proposes(self, text):
        proposal = {"content": text, "type": "fact", "why_store": "asked", "source": self.source}
        return self._moved(self.memory.propose([proposal], session_id="s", scope=SCOPE)[0])

    def does(self, act, *given):
        return self._moved(act(*given))


def otherwise(talk, said, claim, other):
    talk.says(said)
    talk.says(other)


def taken_back(talk, said, claim, other):
    talk.says(said)
    talk.says("Forget everything I said.")


def forgotten(talk, said, claim, other):
    talk.says(said)
    talk.does(talk.memory.forget, talk.proposes(claim).item_id)


def corrected(talk, said, claim, other):
    talk.says(said)
    talk.does(talk.memory.correct, talk.proposes(claim).item_id, other.removeprefix("Actually, "))


def extracted_and_forgotten(talk, said, claim, other):
    talk.says(said)
    talk.memory.extract(session_id="s")
    for item in talk.memory.list(scope=SCOPE):
        if item.type != "episode":
            talk.does(talk.memory.forget, item.id)


@pytest.mark.parametrize(
    "end",
    [otherwise, taken_back, forgotten, corrected, extracted_and_forgotten],
    ids=lambda end: end.__name__,
)
def test_what_the_user_said_otherwise_took_back_or_let_go_of_is_proposed_in_vain(end):
    @settings(max_examples=12)
    @given(SAYINGS, SHIFTS)
    def waits(sayings, shifts):
        said, claim, other, word = sayings
        clock = FrozenClock("2026-03-01")
        chosen = Settings(store=StoreSettings(synchronous="NORMAL"))
        with Memory(":memory:", settings=chosen, clock=clock, embedder=FakeEmbedder(4)) as memory:
            talk = Talk(memory, clock, shifts)
            end(talk, said, claim, other)
            assert talk.proposes(claim).outcome == "quarantined"
            if end is otherwise:
                return
            memory.extract(session_id="s")
            kept = [
                item.content for item in memory.list(scope=ALL) if item.type not in {"episode", "narrative"}
            ]
            assert not [content for content in kept if word in content and content != other]

    waits()


@settings(max_examples=12)
@given(SAYINGS, SHIFTS)
def test_what_the_user_says_last_is_taken_however_the_clock_is_moved(sayings, shifts):
    said, claim, other, _ = sayings
    clock = FrozenClock("2026-03-01")
    with Memory(":memory:", clock=clock, embedder=FakeEmbedder(4)) as memory:
        talk = Talk(memory, clock, shifts)
        talk.says(other)
        talk.source = talk.says(said)
        assert talk.proposes(claim).outcome == "accepted"
