"""Weeks and months of a store whose upkeep looks after itself, on a clock that is moved by hand."""

from collections import Counter

import pytest

from simonides.config import Settings, StoreSettings
from simonides.domain.instant import iso
from simonides.domain.item import Status
from simonides.upkeep.schedule.hours import ScheduleSettings

JOBS = ["sessions", "consolidate", "decay", "prune"]


@pytest.fixture
def memory(open_memory):
    settings = Settings(
        store=StoreSettings(synchronous="NORMAL"), schedule=ScheduleSettings(zone="Europe/Berlin")
    )
    return open_memory(settings=settings)


def looked(memory, clock, days, hours=8):
    """Runs of a time in which somebody looks every so many hours: (job, trigger) and when each began."""
    found = []
    for _ in range(round(days * 24 / hours)):
        clock.advance(hours=hours)
        run = memory.maintain(JOBS, due=True)
        found += [part for part in (run.parts or (run,)) if part.job != "maintain"]
    return found


def counted(runs):
    return Counter((run.job, run.trigger) for run in runs)


def test_thirty_days_without_anything_new_are_thirty_nights_and_no_more(memory, clock):
    memory.add([f"The box number {n} holds {n * n} screws." for n in range(25)])
    runs = looked(memory, clock, 30)
    assert counted(runs) == {
        ("consolidate", "threshold"): 1,  # At the first look; nothing came after that.
        ("sessions", "schedule"): 30,
        ("consolidate", "schedule"): 30,
        ("decay", "schedule"): 30,
        ("prune", "schedule"): 30,
    }
    nights = [iso(run.started_at)[:10] for run in runs if run.job == "decay"]
    assert len(set(nights)) == 30
    changed = {run.job for run in runs if run.changes}
    assert changed <= {"decay"}


def test_an_untouched_fact_lives_until_its_sixty_fourth_day_whoever_looks(memory, clock):
    (verdict,) = memory.add("The key is under the mat.", type="fact", confidence=0.8).verdicts
    (used,) = memory.add("The spare one is at Gwil's.", type="fact", confidence=0.8).verdicts
    born = clock.now()
    died = None
    for _ in range(90):
        clock.advance(days=1)
        memory.maintain(["decay"], due=True)
        memory.mark_used([used.item_id], session_id=str(clock.now()))
        if died is None and memory.get(verdict.item_id).status is Status.ARCHIVED:
            died = round((clock.now() - born) / 86_400e6)
    assert abs(died - 64) <= 1
    assert memory.get(used.item_id).status is Status.ACTIVE


def test_a_month_away_is_made_up_for_in_one_night(memory, clock):
    memory.add("The key is under the mat.", type="fact")
    looked(memory, clock, 5)
    clock.advance(days=30)
    runs = looked(memory, clock, 2)
    assert {run.started_at for run in runs[: len(JOBS)]} == {runs[0].started_at}
    assert counted(runs) == {(job, "schedule"): 3 for job in JOBS}  # At once, and in the two nights.


def test_conversations_every_day_are_consolidated_each_once(memory, clock):
    runs = []
    for day in range(12):
        memory.add(
            [{"role": "user", "content": f"I moved the standup to {day} past nine."}], session_id=f"s{day}"
        )
        runs += looked(memory, clock, 1)
    marked = [change for run in runs for change in run.changes if change.kind == "session"]
    assert len(marked) == 12
    assert counted(runs)["sessions", "session"] <= 12
    assert counted(runs)["consolidate", "schedule"] == 12
    quiet = counted(looked(memory, clock, 10))
    assert set(quiet) == {(job, "schedule") for job in JOBS}
    assert set(quiet.values()) == {10}
