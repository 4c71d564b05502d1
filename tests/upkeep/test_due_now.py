"""Due jobs of a store: missed hours, sessions that are over, scopes that have filled; and not again and again."""

import sys
from dataclasses import replace

import pytest

from simonides.config import Settings, StoreSettings
from simonides.domain.run import RunStatus
from simonides.errors import InvalidInput, NotFound, ProviderUnavailable
from simonides.ports.runs import LeaseHolder
from simonides.testing import FakeEmbedder, FrozenClock, ScriptedModel
from simonides.upkeep.jobs.registry import own_jobs
from simonides.upkeep.schedule.hours import ScheduleSettings

JOBS = own_jobs()

NEVER = ScheduleSettings(daily="none", weekly="none", prune="none", zone="UTC")
DAILY = {job for job in JOBS if job not in {"week", "profile", "prune"}}


@pytest.fixture
def settings():
    return Settings(store=StoreSettings(synchronous="NORMAL"), schedule=ScheduleSettings(zone="UTC"))


@pytest.fixture
def memory(open_memory, settings):
    return open_memory(settings=settings)


@pytest.fixture
def quiet(open_memory, settings):
    """A memory without hours: only what comes together makes anything due."""
    return open_memory(settings=replace(settings, schedule=NEVER))


def jobs(run):
    return [part.job for part in run.parts] or ([run.job] if run.job != "maintain" else [])


def facts(memory, count, scope="global", start=0):
    memory.add(
        [f"The box number {n} holds {n * n} screws." for n in range(start, start + count)], scope=scope
    )


# Hours


def test_nothing_is_due_in_an_empty_store(memory, clock):
    clock.advance(days=30)
    run = memory.maintain(due=True)
    assert (run.status, run.parts, run.changes) == (RunStatus.DONE, (), ())
    assert memory.runs.list() == []
    with pytest.raises(NotFound):
        memory.runs.show(run.id)


def test_the_jobs_of_an_hour_run_when_it_has_come_and_not_again(memory, remember, clock):
    remember("A.")
    assert jobs(memory.maintain(due=True)) == []
    clock.advance(hours=15)  # 03:00 on Monday.
    run = memory.maintain(due=True)
    assert set(jobs(run)) == DAILY
    assert [job for job in JOBS if job in DAILY] == jobs(run)
    assert {part.trigger for part in memory.runs.show(run.id).parts} == {run.trigger} == {"schedule"}
    assert jobs(memory.maintain(due=True)) == []
    clock.advance(hours=1)
    assert set(jobs(memory.maintain(due=True))) == {"week", "profile", "prune"}
    clock.advance(hours=22)
    assert jobs(memory.maintain(due=True)) == []


def test_after_weeks_without_the_computer_each_job_runs_once(memory, remember, clock):
    remember("A.")
    clock.advance(days=40)
    assert jobs(memory.maintain(due=True)) == list(JOBS)
    assert jobs(memory.maintain(due=True)) == []


def test_a_run_by_hand_counts_too(memory, remember, clock):
    remember("A.")
    clock.advance(hours=16)
    memory.maintain(["decay"])
    assert "decay" not in jobs(memory.maintain(due=True))


def test_a_run_in_one_scope_does_not_stand_for_all(memory, remember, clock):
    remember("A.", scope="user:ana")
    clock.advance(hours=16)
    memory.maintain(["decay"], scope="user:ana")
    assert "decay" in jobs(memory.maintain(due=True))


def test_only_the_jobs_that_are_named_are_looked_at(memory, remember, clock):
    remember("A.")
    clock.advance(days=3)
    run = memory.maintain(["decay"], due=True)
    assert (run.job, run.trigger) == ("decay", "schedule")
    with pytest.raises(InvalidInput, match="tidy"):
        memory.maintain(["tidy"], due=True)


def test_a_dry_run_of_what_is_due_changes_nothing(memory, remember, clock):
    item = remember("A.", expires_at="2026-03-02")
    clock.advance(days=3)
    run = memory.maintain(due=True, dry_run=True)
    assert run.counts["archived"] == 1
    assert (memory.runs.list(), memory.get(item.id)) == ([], item)
    assert jobs(memory.maintain(due=True)) == list(JOBS)


def test_a_night_that_was_taken_back_is_not_done_again_before_the_next(memory, remember, clock):
    remember("A.", expires_at="2026-03-02")
    clock.advance(days=3)
    memory.undo(memory.maintain(due=True).id)
    assert jobs(memory.maintain(due=True)) == []


def test_what_somebody_else_runs_at_present_is_left_to_them(memory, remember, clock):
    remember("A.")
    clock.advance(days=3)
    holder, until = "another-host#pid:[1]/7/abc/def", clock.now() + 600_000_000
    memory._parts.store.write(lambda tx: tx.put_lease("decay", LeaseHolder(holder, clock.now(), until)))
    assert "decay" not in jobs(memory.maintain(due=True))
    assert memory.runs.list(job="decay") == []
    clock.advance(hours=1)
    assert jobs(memory.maintain(due=True)) == ["decay"]


def test_a_clock_set_back_a_day_or_ahead_ten_years_neither_repeats_nor_locks_out(memory, remember, clock):
    remember("A.")
    clock.advance(days=3)
    memory.maintain(due=True)
    clock.advance(days=-1)
    assert jobs(memory.maintain(due=True)) == []
    clock.advance(days=1)  # The night that it has already seen, by another count.
    assert set(jobs(memory.maintain(due=True))) <= set(JOBS)
    clock.advance(days=3650)
    assert jobs(memory.maintain(due=True)) == list(JOBS)
    clock.advance(days=-3650)
    assert jobs(memory.maintain(due=True)) == []
    clock.advance(days=1)
    assert "decay" in jobs(memory.maintain(due=True))


def test_the_list_tells_when_each_job_ran_and_will_run(memory, remember, clock):
    remember("A.")
    clock.advance(hours=16)
    before = {one.job: one for one in memory.schedule.list()}
    assert list(before) == list(JOBS)
    assert all(one.due and one.last is None for one in before.values())
    memory.maintain(["decay"], due=True)
    after = next(one for one in memory.schedule.list() if one.job == "decay").to_dict()
    assert after == {
        "job": "decay",
        "setting": "schedule.daily",
        "cron": "0 3 * * *",
        "last_run": memory.runs.list()[0].id,
        "last_at": "2026-03-02T04:00:00Z",
        "next_at": "2026-03-03T03:00:00Z",
        "due": False,
    }
    assert memory.schedule.wait_s(1e9) == 23 * 3600
    assert memory.schedule.wait_s(60) == 60


def test_without_the_package_thresholds_still_count_and_it_is_said(open_memory, settings, monkeypatch):
    monkeypatch.setitem(sys.modules, "apscheduler.triggers.cron", None)
    memory = open_memory(settings=replace(settings, schedule=ScheduleSettings(zone="UTC", look_s=58)))
    facts(memory, 20)
    run = memory.maintain(due=True)
    assert jobs(run) == ["consolidate"]
    assert "simonides[schedule]" in run.degradations[0]


def test_a_run_that_is_told_to_stop_ends_after_its_step_and_the_next_one_goes_on(
    memory, open_memory, settings, clock
):
    memory.add([f"Number {n}." for n in range(1200)], expires_at="2026-03-02")
    clock.advance(days=3)
    run = memory.maintain(["expire"], due=True, progress=lambda *_: memory.schedule.stop())
    assert (run.status, run.counts) == (RunStatus.FAILED, {"archived": 500})
    assert run.error.startswith("interrupted")
    memory.close()
    assert open_memory(settings=settings).maintain(["expire"], due=True).counts == {"archived": 700}


# What has come together


def test_a_scope_is_consolidated_when_its_short_term_has_filled(quiet):
    facts(quiet, 19, "user:ana")
    facts(quiet, 20, "user:bo")
    [due] = quiet.schedule.due()
    assert due.to_dict() == {
        "job": "consolidate",
        "scope": "user:bo",
        "trigger": "threshold",
        "why": "20 items in the short term, 20 of them new",
    }
    run = quiet.maintain(due=True)
    assert (run.job, run.scope, run.trigger) == ("consolidate", "user:bo", "threshold")


def test_it_is_not_consolidated_again_before_it_has_grown(quiet, clock):
    facts(quiet, 20)
    quiet.maintain(due=True)
    clock.advance(hours=1)
    for start in range(20, 29):
        facts(quiet, 1, start=start)
        assert jobs(quiet.maintain(due=True)) == []
    facts(quiet, 1, start=29)
    assert jobs(quiet.maintain(due=True)) == ["consolidate"]
    clock.advance(days=30)
    assert jobs(quiet.maintain(due=True)) == []


def test_what_consolidation_makes_itself_does_not_set_it_off_again(open_memory, settings, clock):
    quiet = open_memory(settings=replace(settings, schedule=NEVER), embedder=None)
    for n in range(20):
        quiet.add(f"The box number {n} holds nine screws in a bag of paper.", tags=["box"])
        quiet.add(f"The box number {n} holds nine screws, in a bag of paper.", tags=["box"])
    assert quiet.maintain(due=True).counts["created"] == 20
    for _ in range(5):
        clock.advance(hours=1)
        assert jobs(quiet.maintain(due=True)) == []


def test_turns_do_not_fill_the_short_term(quiet):
    messages = [{"role": "user", "content": f"This is turn number {n}."} for n in range(40)]
    quiet.add(messages, session_id="s1")
    assert quiet.schedule.due() == ()


def test_several_scopes_are_consolidated_in_one_go_each_by_itself(quiet):
    facts(quiet, 20, "user:ana")
    facts(quiet, 20, "user:bo")
    run = quiet.maintain(due=True)
    assert [(part.job, part.scope) for part in run.parts] == [
        ("consolidate", "user:ana"),
        ("consolidate", "user:bo"),
    ]
    assert quiet.maintain(due=True).parts == ()


def test_only_the_scope_that_is_named_is_looked_at(quiet):
    facts(quiet, 20, "user:ana")
    facts(quiet, 20, "user:bo")
    assert quiet.maintain(due=True, scope="user:bo").scope == "user:bo"
    assert [due.scope for due in quiet.schedule.due()] == ["user:ana"]


def test_an_undone_consolidation_is_not_redone_at_once(quiet, clock):
    facts(quiet, 20)
    quiet.undo(quiet.maintain(due=True).id)
    clock.advance(hours=1)
    assert jobs(quiet.maintain(due=True)) == []


def test_a_session_that_is_over_is_consolidated_once(quiet, clock):
    quiet.add([{"role": "user", "content": "I prefer trains over planes."}], session_id="s1")
    assert jobs(quiet.maintain(due=True)) == []
    clock.advance(hours=1)
    run = quiet.maintain(due=True)
    assert (run.job, run.trigger) == ("sessions", "session")
    for _ in range(3):
        clock.advance(hours=1)
        assert "sessions" not in jobs(quiet.maintain(due=True))


def test_a_session_that_cannot_be_done_yet_is_not_tried_at_every_look(open_memory, settings, clock):
    model = ScriptedModel({"extract": ProviderUnavailable("the model is down")})
    quiet = open_memory(settings=replace(settings, schedule=NEVER), model=model)
    quiet.add([{"role": "user", "content": "I prefer trains over planes."}], session_id="s1")
    clock.advance(hours=1)
    tried = 0
    for _ in range(60):
        tried += "sessions" in jobs(quiet.maintain(due=True))
        clock.advance(seconds=60)
    assert tried == 3  # As often as `buffer.tries` says; then the rules take its place.


def test_a_change_of_session_consolidates_what_is_new(quiet, clock):
    facts(quiet, 20)
    quiet.maintain(due=True)
    clock.advance(hours=1)
    facts(quiet, 1, start=20)
    assert jobs(quiet.maintain(due=True)) == []
    quiet.add([{"role": "user", "content": "Good morning."}], session_id="s1")
    [due] = quiet.schedule.due()
    assert (due.job, due.trigger, due.why) == ("consolidate", "session", "a session ended with 1 new items")


# The lease


def test_of_two_schedulers_one_has_the_seat_and_the_other_is_told_who(memory, open_memory, clock):
    mine, other = memory.schedule.lease(), open_memory().schedule.lease()
    assert mine.take() is None
    assert other.take().startswith("process ")
    assert mine.take() is None
    mine.leave()
    assert other.take() is None
    assert mine.take() is not None
    other.leave()


def test_a_seat_that_is_kept_is_not_lost_and_one_that_is_not_is(memory, open_memory, clock):
    mine, other = memory.schedule.lease(), open_memory().schedule.lease()
    mine.take()
    for _ in range(20):
        clock.advance(seconds=200)
        mine.keep()
        assert other.take() is not None
    clock.advance(seconds=600)
    assert other.take() is None
    assert mine.take() is not None
    other.leave()


def test_a_seat_survives_a_clock_that_is_set_back(memory, open_memory, clock):
    mine, other = memory.schedule.lease(), open_memory(clock=FrozenClock("2020-01-01")).schedule.lease()
    assert mine.take() is None
    assert other.take() is None  # The clock of the first was ahead by years: its lease says nothing.
    other.leave()
    mine.leave()


# What has no vector yet


class Remote(FakeEmbedder):
    """An embedder over a network, which may not answer."""

    def __init__(self):
        super().__init__(8)
        self.down = False

    @property
    def local(self):
        return False

    def embed(self, texts):
        if self.down:
            raise ProviderUnavailable("no answer")
        return super().embed(texts)


@pytest.fixture
def remote(open_memory, settings, tmp_path):
    embedder = Remote()
    memory = open_memory(
        tmp_path / "remote.db", settings=replace(settings, schedule=NEVER), embedder=embedder
    )
    return memory, embedder


def test_what_was_stored_without_a_vector_is_embedded_before_the_night(remote):
    memory, _ = remote
    facts(memory, 3)
    assert [one.why for one in memory.schedule.due()] == ["3 items have no vector yet"]
    assert memory.schedule.due(scope="user:bo") == ()
    run = memory.maintain(due=True)
    assert (jobs(run), run.counts) == (["embed"], {"embedded": 3})
    assert memory.schedule.due() == ()


def test_an_embedder_that_does_not_answer_is_not_asked_at_every_look(remote, clock):
    memory, embedder = remote
    facts(memory, 3)
    embedder.down = True
    assert memory.maintain(due=True).status is RunStatus.FAILED
    assert memory.schedule.due() == ()
    embedder.down = False
    clock.advance(hours=1)
    assert memory.maintain(due=True).counts == {"embedded": 3}


def test_vectors_that_somebody_took_back_are_not_made_again_before_the_night(remote):
    memory, _ = remote
    facts(memory, 3)
    memory.undo(memory.maintain(due=True).id)
    assert memory.schedule.due() == ()
