"""Decay: what has faded goes, and nothing compounds."""

import pytest

from simonides.domain.item import Status, Validation
from simonides.domain.run import RunStatus


def statuses(memory, *items):
    return [memory.get(item.id).status for item in items]


@pytest.mark.parametrize(("days", "status"), [(62.9, Status.ACTIVE), (64.5, Status.ARCHIVED)])
def test_an_untouched_fact_lives_two_months(memory, remember, clock, days, status):
    item = remember("Petra likes figs.", confidence=0.8)
    clock.advance(days=days)
    memory.maintain(["decay"])
    assert statuses(memory, item) == [status]


def test_a_run_a_night_archives_no_earlier_than_one_run_at_the_end(memory, remember, clock):
    item = remember("Petra likes figs.", confidence=0.8)
    for _ in range(60):
        clock.advance(days=1)
        memory.maintain(["decay"])
    assert statuses(memory, item) == [Status.ACTIVE]
    assert memory.get(item.id).confidence == 0.8
    assert len(memory.history(item.id)) == 1


def test_what_is_used_lives_on(memory, remember, clock):
    item = remember("Petra likes figs.", confidence=0.8)
    for _ in range(4):
        clock.advance(days=50)
        memory.get(item.id, used=True, asked_in=str(clock.now()))
        memory.flush()
        memory.maintain(["decay"])
    assert statuses(memory, item) == [Status.ACTIVE]


def test_what_is_protected_lives_on(memory, remember, clock):
    memory.add([{"role": "user", "content": "Good morning, Petra."}], session_id="s")
    (turn,) = memory.sessions.get("s")
    kept = [
        remember("I am Petra.", type="identity"),
        remember("We ship on Fridays.", type="decision"),
        remember("Never on Mondays.", type="constraint"),
        remember("The port is 8443.", type="config"),
        remember("Figs are fruit.", pinned=True),
        remember("Dates are fruit.", tier="ltm"),
        memory.confirm(remember("Plums are fruit.").id),
        turn,
    ]
    faded = remember("Nuts are fruit.")
    clock.advance(days=4000)
    run = memory.maintain(["decay"])
    assert statuses(memory, *kept) == [Status.ACTIVE] * len(kept)
    assert statuses(memory, faded) == [Status.ARCHIVED]
    assert run.counts == {"archived": 1}


@pytest.mark.parametrize(("days", "status"), [(53, Status.ACTIVE), (54, Status.ARCHIVED)])
def test_what_was_for_the_moment_goes_when_a_thousandth_of_its_weight_is_left(
    memory, remember, clock, days, status
):
    """0.2 · exp(−0.099 · d) ≤ 0.001 from day 53.5 on."""
    item = remember("The build is running.", type="temp")
    clock.advance(days=days)
    memory.maintain(["decay"])
    assert statuses(memory, item) == [status]


def test_what_was_for_the_moment_stays_where_it_is_pinned(memory, remember, clock):
    item = remember("The build is running.", type="temp", pinned=True)
    clock.advance(days=100)
    memory.maintain(["decay"])
    assert statuses(memory, item) == [Status.ACTIVE]


def test_only_the_scope_that_is_meant_fades(memory, remember, clock):
    here, there = remember("Figs.", scope="user:ana"), remember("Plums.", scope="user:bo")
    clock.advance(days=100)
    memory.maintain(["decay"], scope="user:ana")
    assert statuses(memory, here, there) == [Status.ARCHIVED, Status.ACTIVE]


def test_a_dry_run_shows_what_would_fade_and_an_undo_brings_it_back(memory, remember, clock):
    item = remember("Petra likes figs.")
    clock.advance(days=100)
    shown = memory.maintain(["decay"], dry_run=True)
    assert (shown.counts, statuses(memory, item)) == ({"archived": 1}, [Status.ACTIVE])
    run = memory.maintain(["decay"])
    assert statuses(memory, item) == [Status.ARCHIVED]
    memory.undo(run.id)
    assert statuses(memory, item) == [Status.ACTIVE]


def test_a_dry_run_shows_what_is_only_for_the_moment_and_faded_once(memory, remember, clock):
    remember("The build is running.", type="temp")
    clock.advance(days=100)
    shown = memory.maintain(["decay"], dry_run=True)
    assert shown.counts == memory.maintain(["decay"]).counts == {"archived": 1}


def test_a_clock_that_was_set_back_archives_nothing(memory, remember, clock):
    item = remember("Petra likes figs.")
    clock.advance(days=-400)
    run = memory.maintain(["decay"])
    assert (run.status, run.counts, statuses(memory, item)) == (RunStatus.DONE, {}, [Status.ACTIVE])


def test_what_faded_can_be_restored_and_begins_to_fade_anew(memory, remember, clock):
    item = remember("Petra likes figs.")
    clock.advance(days=100)
    memory.maintain(["decay"])
    assert memory.restore(item.id).outcome == "accepted"
    memory.maintain(["decay"])
    assert statuses(memory, item) == [Status.ACTIVE]
    clock.advance(days=100)
    memory.maintain(["decay"])
    assert statuses(memory, item) == [Status.ARCHIVED]


def test_more_than_a_page_fades_in_one_run(memory, clock):
    memory.add([f"fact number {number}" for number in range(1203)])
    clock.advance(days=100)
    assert memory.maintain(["decay"]).counts == {"archived": 1203}
    assert memory.list() == []


def test_a_contested_or_retracted_item_fades_like_any_other(memory, remember, clock):
    item = remember("Petra likes figs.")
    clock.advance(days=100)
    memory.maintain(["decay"])
    assert memory.get(item.id).validation is Validation.UNVERIFIED
