"""Triggers of consolidation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.taxonomy import TAXONOMY
from simonides.upkeep.schedule.trigger import Load, due, load_of
from simonides.upkeep.settings import ConsolidateSettings

SETTINGS = ConsolidateSettings()


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (Load(19, 100, 19, 100, consolidated=False), False),
        (Load(20, 100, 20, 100, consolidated=False), True),
        (Load(20, 100, 0, 0, consolidated=True), False),
        (Load(29, 100, 9, 40, consolidated=True), False),
        (Load(30, 100, 10, 40, consolidated=True), True),
        (Load(3, 4799, 3, 4799, consolidated=False), False),
        (Load(3, 4800, 3, 4800, consolidated=False), True),
        (Load(4, 6000, 1, 2399, consolidated=True), False),
        (Load(4, 6000, 1, 2400, consolidated=True), True),
        (Load(2, 20, 1, 10, consolidated=True, session_changed=True), True),
        (Load(200, 20_000, 0, 0, consolidated=True, session_changed=True), False),
    ],
)
def test_it_is_due_at_a_bound_and_then_only_after_growth(load, expected):
    assert (due(load, SETTINGS) is not None) is expected


@given(
    st.integers(0, 10_000),
    st.integers(0, 10**7),
    st.booleans(),
    st.booleans(),
)
def test_nothing_is_ever_due_without_new_items(items, tokens, consolidated, changed):
    assert due(Load(items, tokens, 0, 0, consolidated, changed), SETTINGS) is None


@pytest.fixture
def load(memory):
    def measure(since=None, scope="global"):
        selection = Selection(scopes=(Scope(scope),), live_at=memory._parts.clock.now())
        with memory._parts.store.read() as reader:
            return load_of(reader, selection, since, SETTINGS, TAXONOMY)

    return measure


def test_turns_and_other_scopes_and_higher_tiers_are_not_counted(memory, load):
    memory.add([{"role": "user", "content": f"turn number {n}"} for n in range(30)], session_id="s")
    memory.add("Ana rows.", scope="user:ana")
    memory.add("Ana rows on the river.", tier="mtm")
    memory.add("Ben rows.")
    assert load() == Load(1, 3, 1, 3, consolidated=False)


def test_counting_ends_once_it_is_clear_that_it_is_due(memory, load):
    memory.add([f"note number {n}" for n in range(250)])
    assert load().items == 100
    assert due(load(), SETTINGS)


def test_what_was_there_before_is_not_new(memory, clock, load):
    memory.add([f"old note number {n}" for n in range(25)])
    since = clock.now()
    clock.advance(seconds=1)
    memory.add([f"new note number {n}" for n in range(9)])
    assert (load(since).items, load(since).new) == (34, 9)
    assert due(load(since), SETTINGS) is None
    memory.add("one more note")
    assert due(load(since), SETTINGS)
