"""Due times, from the books alone."""

import pytest

from simonides.domain.instant import DAY_US, SECOND_US, instant
from simonides.domain.run import Run, RunStatus
from simonides.upkeep.schedule.due import AHEAD_US, LONGEST_PAUSE_US, PAUSE_US, Past, is_due, next_at, past

HOUR_US = 3600 * SECOND_US
NOW = instant("2026-03-10T12:00Z")
FIRST = instant("2026-01-01")


class Daily:
    """Hours at 03:00 UTC."""

    def after(self, at):
        return (at - 3 * HOUR_US) // DAY_US * DAY_US + DAY_US + 3 * HOUR_US


class Never:
    def after(self, at):
        return None


def run(at, status=RunStatus.DONE, error=None):
    return Run(
        id="r", job="decay", trigger="schedule", scope="ALL", started_at=at, ended_at=at + 1, status=status, error=error
    )  # fmt: skip


def failed(at, error="OSError; the log says more"):
    return run(at, RunStatus.FAILED, error)


def due(*runs, now=NOW, first_at=FIRST):
    """True if it is due, the runs given as the books have them: last one first."""
    return is_due(past(runs, now), Daily(), first_at, now)


def test_it_is_due_from_its_hour_on_and_not_again_after_it_ran():
    night = instant("2026-03-10T03:00Z")
    yesterday = run(night - DAY_US)
    assert not due(yesterday, now=night - 1)
    assert due(yesterday, now=night)
    assert due(yesterday, now=NOW)
    assert not due(run(night), yesterday, now=night)
    assert not due(run(night), yesterday, now=NOW)


def test_missed_days_are_made_up_for_once():
    long_ago = run(NOW - 40 * DAY_US)
    assert due(long_ago)
    assert not due(run(NOW), long_ago)
    assert not due(run(NOW), long_ago, now=NOW + 14 * HOUR_US)
    assert due(run(NOW), long_ago, now=NOW + 15 * HOUR_US)


def test_what_never_ran_is_due_from_the_first_hour_after_something_was_recorded():
    assert due()
    assert not due(first_at=NOW - HOUR_US)
    assert due(first_at=NOW - 10 * HOUR_US)


def test_an_empty_store_is_never_due_and_still_has_a_next_hour():
    assert not due(first_at=None)
    assert next_at(Past(), Daily(), None, NOW) == instant("2026-03-11T03:00Z")


def test_hours_that_never_come_are_never_due():
    assert not is_due(past([run(0)], NOW), Never(), FIRST, NOW)
    assert next_at(Past(), Never(), FIRST, NOW) is None


def test_a_run_that_was_taken_back_is_not_done_again_before_its_hour():
    assert not due(run(NOW - HOUR_US, RunStatus.UNDONE))


def test_a_job_that_failed_is_tried_again_after_a_pause_that_doubles():
    before = run(NOW - 2 * DAY_US)
    assert not due(failed(NOW), before, now=NOW + PAUSE_US - 1)
    assert due(failed(NOW), before, now=NOW + PAUSE_US)
    twice = (failed(NOW), failed(NOW - PAUSE_US), before)
    assert not due(*twice, now=NOW + 2 * PAUSE_US - 1)
    assert due(*twice, now=NOW + 2 * PAUSE_US)
    often = [failed(NOW - n) for n in range(25)]
    assert past(often, NOW).free_at == NOW + LONGEST_PAUSE_US


def test_a_failure_before_the_last_success_is_forgotten():
    found = past([run(NOW - HOUR_US), failed(NOW - 2 * HOUR_US)], NOW)
    assert (found.failures, found.free_at) == (0, 0)


@pytest.mark.parametrize(
    "error",
    [
        "interrupted",
        "interrupted: its process ended in the middle; the steps that it had done stay",
        "interrupted: it was cancelled, or the store is being closed; run the job again to go on",
        "another process has taken over 'decay'; what was done so far stays",
        "busy: process 7 on here runs 'decay' at present",
    ],
)
def test_a_run_that_was_cut_off_is_gone_on_with_at_once(error):
    assert due(failed(NOW - 1, error), run(NOW - 2 * DAY_US))


def test_a_run_that_goes_on_is_no_run_yet():
    assert due(run(NOW - 1, RunStatus.RUNNING), run(NOW - 2 * DAY_US))


def test_a_clock_that_was_set_back_a_little_repeats_nothing():
    night = instant("2026-03-10T03:00Z")
    assert not due(run(night + SECOND_US), run(night - DAY_US), now=night)
    assert not due(run(night + AHEAD_US), run(night - DAY_US), now=night)


def test_a_clock_that_was_years_ahead_locks_nothing_out():
    wrong = run(NOW + 3650 * DAY_US)
    genuine = run(NOW - HOUR_US)
    assert not due(wrong, genuine)
    assert due(wrong, genuine, now=NOW + DAY_US)
    assert not due(run(NOW + DAY_US), wrong, genuine, now=NOW + DAY_US)


def test_a_failure_of_a_clock_that_was_ahead_does_not_hold_up():
    assert due(failed(NOW + 3650 * DAY_US), run(NOW - 2 * DAY_US))


def test_a_clock_that_jumps_ahead_makes_one_run_due_and_not_one_for_each_day():
    then = NOW + 3650 * DAY_US
    assert due(run(NOW), now=then)
    assert not due(run(then), run(NOW), now=then)


def test_a_clock_that_was_set_back_behind_the_first_item_makes_nothing_due_before_the_next_hour():
    assert not due(first_at=NOW + 400 * DAY_US)
    assert next_at(Past(), Daily(), NOW + 400 * DAY_US, NOW) == instant("2026-03-11T03:00Z")
