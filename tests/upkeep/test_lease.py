"""Leases: two processes never run the same job at once, and none is locked out for ever."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.ports.runs import LeaseHolder
from simonides.upkeep.ground import Order
from simonides.upkeep.job import Step
from simonides.upkeep.schedule import lease as leases
from simonides.upkeep.schedule.lease import Lease, is_free

HOUR_US = 3_600_000_000


@pytest.fixture
def write(memory):
    return memory._parts.store.write


def take_as(write, clock, holder, name="planned", length=HOUR_US):
    """Let somebody else hold a lease."""
    write(lambda tx: tx.put_lease(name, LeaseHolder(holder, clock.now(), clock.now() + length)))


ELSEWHERE = "another-host#pid:[1]/7/abc/def"


def test_a_job_that_somebody_else_runs_is_busy_and_says_who(memory, run_job, remember, archive, write, clock):
    item = remember("One.")
    take_as(write, clock, ELSEWHERE)
    run = run_job([Step((archive(item),))])
    assert run.status is RunStatus.FAILED
    assert run.error == "busy: process 7 on another-host runs 'planned' at present"
    assert memory.get(item.id) == item
    assert memory.runs.list()[0].error == run.error


def test_another_job_is_not_held_up(run_job, write, clock):
    take_as(write, clock, ELSEWHERE, "other")
    assert run_job([]).status is RunStatus.DONE


def test_a_lease_that_is_over_is_taken_over(run_job, write, clock):
    take_as(write, clock, ELSEWHERE)
    clock.advance(hours=1)
    assert run_job([]).status is RunStatus.DONE


def test_a_clock_that_was_set_back_locks_nobody_out(run_job, write, clock):
    clock.advance(days=300)
    take_as(write, clock, ELSEWHERE)
    clock.advance(days=-1)
    assert run_job([]).status is RunStatus.DONE


def test_a_clock_that_was_set_back_a_little_breaks_no_lease(run_job, write, clock):
    take_as(write, clock, ELSEWHERE)
    clock.advance(seconds=-5)
    assert run_job([]).error.startswith("busy")


def test_the_lease_of_a_process_that_has_ended_is_free(run_job, write, clock):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    host = Lease("x", 1).holder.split("/")[0]
    take_as(write, clock, f"{host}/{ended.pid}/abc/def")
    assert run_job([]).status is RunStatus.DONE


def test_the_lease_of_a_process_that_lives_is_not(run_job, write, clock):
    host = Lease("x", 1).holder.split("/")[0]
    take_as(write, clock, f"{host}/{os.getppid()}/abc/def")
    assert run_job([]).error.startswith("busy")


def test_a_lease_that_a_former_process_of_our_number_left_is_free(run_job, write, clock):
    host = Lease("x", 1).holder.split("/")[0]
    take_as(write, clock, f"{host}/{os.getpid()}/a-former-process/def")
    assert run_job([]).status is RunStatus.DONE


def test_two_memories_of_one_process_do_not_run_a_job_at_once(open_memory, planned):
    one, two = open_memory(), open_memory()
    seen = []

    def plan(_):
        seen.append(two._parts.upkeep.maintain((planned([]),), Order(scope=ALL)))
        yield from ()

    assert one._parts.upkeep.maintain((planned(plan),), Order(scope=ALL)).status is RunStatus.DONE
    assert seen[0].error.startswith("busy: process")
    assert two._parts.upkeep.maintain((planned([]),), Order(scope=ALL)).status is RunStatus.DONE


def test_a_dry_run_takes_no_lease_and_needs_none(memory, run_job, write, clock, remember, archive):
    item = remember("One.")
    take_as(write, clock, ELSEWHERE)
    run = run_job([Step((archive(item),))], dry_run=True)
    assert (run.status, run.counts) == (RunStatus.DONE, {"archived": 1})


def test_a_run_whose_lease_was_taken_over_ends_before_its_next_step(
    memory, remember, run_job, archive, write, clock
):
    one, two = remember("One."), remember("Two.")

    def plan(_):
        yield Step((archive(one),))
        clock.advance(hours=2)
        take_as(write, clock, ELSEWHERE)
        yield Step((archive(two),))

    run = run_job(plan)
    assert run.status is RunStatus.FAILED
    assert "taken over" in run.error
    assert [item.id for item in memory.list()] == [two.id]
    with memory._parts.store.read() as reader:
        assert reader.lease("planned").holder == ELSEWHERE


def test_long_work_between_steps_keeps_the_lease(memory, run_job, clock):
    held = []

    def plan(ground):
        for _ in range(20):
            clock.advance(seconds=300)
            ground.tell(1)
            with ground.read() as reader:
                held.append(reader.lease("planned").until > clock.now())
        yield from ()

    assert run_job(plan).status is RunStatus.DONE
    assert all(held)


def test_a_lease_is_dropped_at_the_end_whatever_happened(memory, run_job):
    def plan(_):
        raise ValueError
        yield

    run_job(plan)
    with memory._parts.store.read() as reader:
        assert reader.lease("planned") is None


def test_the_next_start_of_a_job_closes_its_interrupted_runs(memory, run_job, clock, write):
    run = run_job([])
    left = replace(run, id="left-behind", status=RunStatus.RUNNING, ended_at=None)
    write(lambda tx: tx.put_run(left))
    clock.advance(seconds=60)
    run_job([])
    found = memory.runs.show("left-behind")
    assert (found.status, found.ended_at) == (RunStatus.FAILED, clock.now())
    assert found.error.startswith("interrupted")


def test_a_maintain_that_was_interrupted_is_closed_by_the_next_one(memory, clock, write, planned):
    jobs = (planned([], "first"), planned([], "second"))
    run = memory._parts.upkeep.maintain(jobs, Order(scope=ALL))
    for name in ("gone", "living"):
        write(
            lambda tx, name=name: tx.put_run(replace(run, id=name, status=RunStatus.RUNNING, ended_at=None))
        )
    take_as(write, clock, ELSEWHERE, "living")
    memory._parts.upkeep.maintain(jobs, Order(scope=ALL))
    assert memory.runs.show("gone").status is RunStatus.FAILED
    assert memory.runs.show("living").status is RunStatus.RUNNING


def test_free_is_decided_without_the_store(clock):
    from simonides.ports.runs import LeaseHolder

    assert not is_free(LeaseHolder(ELSEWHERE, 100, 200), 199)
    assert is_free(LeaseHolder(ELSEWHERE, 100, 200), 200)
    assert not is_free(LeaseHolder(ELSEWHERE, 100, 200), 0)
    assert is_free(LeaseHolder(ELSEWHERE, 100, 200), -1)
    assert leases.holder_in_words(LeaseHolder(ELSEWHERE, 0, 0)) == "process 7 on another-host"
