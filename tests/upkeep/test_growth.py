"""Growth of a store: what stood at the end of each day, and what happened in it."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.growth import Shift
from simonides.domain.instant import DAY_US, instant, iso
from simonides.domain.item import Status
from simonides.domain.scope import ALL
from simonides.errors import InvalidInput
from simonides.ports.both import both
from simonides.upkeep import growth as counting
from simonides.upkeep.growth import begin_of, periods_of

FIELDS = ("turns", "added", "held", "merges", "merged", "promoted", "archived", "restored")


def told(period):
    """Events of a period, without those that did not happen."""
    return {name: count for name in FIELDS if (count := getattr(period, name))}


def standing(memory, at):
    """Active items before an instant, by tier, as their histories tell."""
    found = Counter()
    for item in memory.list(scope=ALL, archived=True, limit=10_000):
        states = [one.item for one in memory.history(item.id) if one.at < at and one.item.id == item.id]
        if states and states[-1].status is Status.ACTIVE:
            found["turns" if item.type == "episode" else states[-1].tier.value] += 1
    return found


def check(memory, growth):
    """The standing of each period is what the histories say."""
    for period in growth.periods:
        assert {tier: count for tier, count in period.standing.items() if count} == standing(
            memory, period.end
        )


def test_each_day_tells_what_came_rose_was_merged_and_went(memory, remember, clock, run_job, merge):
    first, second, third = remember("One."), remember("Two."), remember("Three.")
    memory.add([{"role": "user", "content": "Hello there."}], session_id="s1")
    clock.advance(days=1)
    memory.update(third.id, tier="ltm")
    memory.propose([{"content": "B is so.", "type": "fact"}])
    clock.advance(days=2)
    run_job([merge([first, second], "One and two.")])
    clock.advance(days=1)
    run_job([])
    memory.forget(third.id)
    found = memory.growth(last=6)
    assert [told(period) for period in found.periods] == [
        {},
        {"added": 3, "turns": 1},
        {"held": 1},
        {},
        {"merges": 1, "merged": 2},
        {"archived": 1},
    ]
    assert dict(found.periods[2].standing) == {"stm": 2, "mtm": 0, "ltm": 1, "turns": 1}
    assert dict(found.periods[-1].standing) == {"stm": 1, "mtm": 0, "ltm": 0, "turns": 1}
    assert [period.runs for period in found.periods] == [0, 0, 0, 0, 1, 1]
    check(memory, found)


def test_what_an_undo_brings_back_stands_again(memory, remember, clock):
    remember("One.", expires_at="2026-03-02")
    clock.advance(days=2)
    run = memory.maintain(["expire"])
    clock.advance(days=1)
    memory.undo(run.id)
    found = memory.growth(last=4)
    assert [told(period) for period in found.periods] == [{"added": 1}, {}, {"archived": 1}, {"restored": 1}]
    check(memory, found)


def test_what_was_moved_to_the_archive_file_is_still_told(memory, remember, clock):
    items = [remember(f"Number {n}.") for n in range(5)]
    clock.advance(days=1)
    store = memory._parts.store
    for item in items[:2]:
        memory.forget(item.id)
    store.write(lambda tx: tx.set_aside([item.id for item in items[:2]]))
    store.settle_archive()
    with store.read() as reader:
        assert reader.get([items[0].id]) == {}
    found = memory.growth(last=2)
    assert [told(period) for period in found.periods] == [{"added": 5}, {"archived": 2}]
    assert [period.standing["stm"] for period in found.periods] == [5, 3]


def test_what_was_purged_is_told_no_more(memory, remember, clock):
    gone = remember("One.")
    remember("Two.")
    clock.advance(days=1)
    memory.purge(gone.id)
    found = memory.growth(last=2)
    assert told(found.periods[0]) == {"added": 1}
    assert found.periods[0].standing["stm"] == 1


def test_only_what_is_visible_from_a_scope_is_told(memory, remember):
    remember("One.", scope="user:ana")
    remember("Two.", scope="user:bo")
    remember("Three.")
    assert memory.growth(last=1).periods[0].added == 3
    assert memory.growth(scope="user:ana", last=1).periods[0].added == 2
    assert memory.growth(scope="user:nobody", last=1).periods[0].added == 1


def test_weeks_begin_on_mondays(memory, remember, clock):
    remember("One.")  # On Sunday, 1 March.
    clock.advance(days=1)
    remember("Two.")
    found = memory.growth(by="week", last=2)
    assert [iso(period.start) for period in found.periods] == ["2026-02-23T00:00:00Z", "2026-03-02T00:00:00Z"]
    assert [period.added for period in found.periods] == [1, 1]


@pytest.mark.parametrize("at", ["1969-12-31T23:00Z", "1970-01-01", "2026-03-01T12:00Z"])
def test_a_period_begins_at_midnight_before(at):
    for by, length in counting.LENGTHS.items():
        begin = begin_of(instant(at), by)
        assert begin <= instant(at) < begin + length
        assert begin % DAY_US == 0


def test_what_is_dated_ahead_of_the_clock_counts_as_of_now(memory, remember, clock):
    clock.advance(days=400)
    remember("One.")
    clock.advance(days=-400)
    remember("Two.")
    found = memory.growth(last=3)
    assert [told(period) for period in found.periods] == [{}, {}, {"added": 2}]


@pytest.mark.parametrize(
    ("fields", "says"), [({"by": "month"}, "by week"), ({"last": 0}, "last"), ({"last": 1001}, "last")]
)
def test_what_cannot_be_counted_is_refused(memory, fields, says):
    with pytest.raises(InvalidInput, match=says):
        memory.growth(**fields)


def test_periods_that_lie_too_far_back_are_left_out_and_not_told_wrong(memory, remember, clock):
    for day in range(4):
        for n in range(3):
            remember(f"Number {n} of day {day}.")
        clock.advance(days=1)
    with both(memory._parts.store) as views:
        found = counting.growth(views, None, clock.now(), "day", 5, most=5)
    assert [told(period) for period in found.periods] == [{"added": 3}, {}]
    assert found.periods[-1].standing["stm"] == 12


def test_the_numbers_are_there_as_json(memory, remember):
    remember("One.")
    found = memory.growth(last=1).to_dict()
    assert (found["by"], found["at"]) == ("day", "2026-03-01T12:00:00Z")
    assert found["periods"] == [
        {
            "start": "2026-03-01T00:00:00Z",
            "end": "2026-03-02T00:00:00Z",
            "standing": {"stm": 1, "mtm": 0, "ltm": 0, "turns": 0},
            **dict.fromkeys(FIELDS, 0),
            "added": 1,
            "runs": 0,
            "failed": 0,
        }
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from([None, "stm", "mtm"]), st.sampled_from([None, "stm"])), max_size=30
    )
)  # fmt: skip
def test_standing_moves_from_period_to_period_by_what_happened(moves):
    shifts = [Shift(period, False, False, "update", before, after, 1) for period, before, after in moves]
    now = [(False, "stm", 100), (False, "mtm", 100)]
    periods = periods_of(shifts, now, [], 0, DAY_US, 5)
    assert periods[-1].standing["stm"] == 100
    for earlier, later in pairwise(periods):
        came = sum(
            (s.after == "stm") - (s.before == "stm") for s in shifts if s.period * DAY_US == later.start
        )
        assert later.standing["stm"] - earlier.standing["stm"] == came
