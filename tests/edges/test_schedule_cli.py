"""`simonides schedule`: in this process, and as processes that are told to stop."""

import json
import os
import re
import signal
import subprocess
import sys
import threading

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.edges.cli.main import app
from simonides.edges.scheduler import Scheduler, once
from simonides.errors import StoreClosed
from simonides.testing import FakeEmbedder, FrozenClock
from simonides.upkeep.jobs.registry import own_jobs
from simonides.upkeep.schedule.hours import ScheduleSettings


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A store with an item that has expired, and nothing else that names one."""
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    monkeypatch.chdir(tmp_path)
    with Memory(tmp_path / "memory.db", clock=FrozenClock("2026-01-01")) as memory:
        memory.add("Gone since long.", expires_at="2026-01-02")
    return tmp_path / "memory.db"


def run(*arguments, code=0):
    result = CliRunner().invoke(app, ["schedule", *arguments])
    assert result.exit_code == code, result.output
    return result


# In this process


def test_once_does_what_is_due_and_a_second_time_nothing(path):
    shown = run("--once").stdout
    assert "done  maintain: archived 1" in shown
    jobs = [name for name in re.findall(r"^    (\w+): ", shown, re.MULTILINE) if name != "without"]
    assert jobs == list(own_jobs())
    assert run("--once").stdout == "nothing is due\n"
    assert json.loads(run("--once", "--json").stdout)["parts"] == []


def test_the_list_shows_each_job_with_its_hours(path):
    before = run("--list").stdout.splitlines()
    assert before[0].split("  ")[0] == "job"
    assert [line.split()[0] for line in before[1:]] == list(own_jobs())
    assert all(line.endswith("now") and "never" in line for line in before[1:])
    run("--once")
    found = json.loads(run("--list", "--json").stdout)
    assert [one["job"] for one in found] == list(own_jobs())
    assert not any(one["due"] for one in found)
    assert all(one["last_at"] < one["next_at"] for one in found)


def test_hours_that_cannot_be_read_are_said_at_once(path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_SCHEDULE_DAILY", "0 99 * * *")
    result = run("--once", code=2)
    assert "schedule.daily" in result.stderr
    monkeypatch.setenv("SIMONIDES_SCHEDULE_DAILY", "nightly")
    assert "five fields" in run("--list", code=2).stderr


def test_without_the_package_it_says_what_to_install(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "apscheduler.triggers.cron", None)
    monkeypatch.setenv("SIMONIDES_SCHEDULE_LOOK_S", "57")
    assert "simonides[schedule]" in run("--list", code=6).stderr


def test_where_somebody_keeps_the_schedule_once_leaves_it_to_them(path):
    with Memory(path) as memory:
        lease = memory.schedule.lease()
        assert lease.take() is None
        assert "keeps the schedule: nothing to do here" in run("--once").stdout
        assert json.loads(run("--once", "--json").stdout)["busy"].startswith("process ")
        lease.leave()
    assert "archived 1" in run("--once").stdout


# The keeper, on a clock that is moved by hand


class Watched:
    """A keeper whose waits move the clock, until it has waited so often."""

    def __init__(self, memory, clock, waits):
        self.clock, self.waits, self.waited, self.runs, self.remarks = clock, waits, [], [], []
        self.keeper = Scheduler(memory, wait=self.wait, on_run=self.runs.append, remark=self.remarks.append)

    def wait(self, seconds):
        self.waited.append(seconds)
        self.clock.advance(seconds=seconds)
        return len(self.waited) >= self.waits


@pytest.fixture
def clock():
    return FrozenClock("2026-03-01T23:30Z")


@pytest.fixture
def kept(tmp_path, clock):
    settings = Settings(
        store=StoreSettings(synchronous="NORMAL"), schedule=ScheduleSettings(zone="UTC", look_s=3600)
    )
    with Memory(tmp_path / "kept.db", settings=settings, clock=clock, embedder=FakeEmbedder(8)) as memory:
        yield memory


def test_it_wakes_at_the_hours_and_does_what_they_are_for(kept, clock):
    kept.add("A.")
    watched = Watched(kept, clock, 8)
    watched.keeper.keep()
    assert [(run.job, len(run.parts)) for run in watched.runs] == [
        ("maintain", len(own_jobs()) - 3),
        ("maintain", 3),
    ]
    assert [f"{kept.schedule.local(run.started_at):%a %H:%M}" for run in watched.runs] == [
        "Mon 03:00",
        "Mon 04:00",
    ]
    assert watched.waited[:4] == [3600, 3600, 3600, 1800]


def test_turns_that_have_gone_silent_are_extracted_in_between(kept, clock):
    kept.add([{"role": "user", "content": "I prefer trains over planes."}], session_id="s1")
    Watched(kept, clock, 2).keeper.keep()
    assert [item.type for item in kept.list(types=["preference"])] == ["preference"]


def test_one_that_waits_says_so_once_and_takes_over_when_the_seat_is_free(kept, clock):
    kept.add("A.")
    clock.advance(days=3)
    lease = kept.schedule.lease()
    lease.take()
    watched = Watched(kept, clock, 3)
    watched.keeper.memory = kept

    def wait(seconds):
        if len(watched.waited) == 1:
            lease.leave()
        lease.keep()
        return Watched.wait(watched, 100)

    watched.keeper.wait = wait
    watched.keeper.keep()
    [remark] = watched.remarks
    assert remark.endswith("keeps the schedule of this store; waiting until it ends")
    assert [len(run.parts) for run in watched.runs] == [len(own_jobs())]


def test_the_seat_is_left_when_it_ends(kept, clock):
    Watched(kept, clock, 1).keeper.keep()
    assert kept.schedule.lease().take() is None


def test_a_store_that_is_closed_ends_it(kept, clock):
    kept.close()
    with pytest.raises(StoreClosed):
        Watched(kept, clock, 2).keeper.keep()


def test_once_tells_how_far_it_is(kept, clock):
    kept.add([f"Number {n}." for n in range(700)], expires_at="2026-03-02")
    clock.advance(days=2)
    told = []
    assert once(kept, lambda what, done: told.append((what, done))).counts["archived"] == 700
    assert ("expired items", 500) in told


# Processes


@pytest.fixture
def start(path):
    """Starts `simonides schedule` and what is needed to hear of it."""
    started = []
    kept = {key: value for key, value in os.environ.items() if not key.startswith("SIMONIDES_")}
    environment = kept | {
        "SIMONIDES_DB": str(path),
        "SIMONIDES_SCHEDULE_LOOK_S": "0.05",
        "PYTHONUNBUFFERED": "1",
    }

    def begin(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "simonides", "schedule", *arguments], env=environment, cwd=path.parent,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        return process

    def end():
        for process in started:
            process.kill()

    # Where one hangs, its streams end and so does the test.
    timer = threading.Timer(600, end)
    timer.start()
    yield begin
    timer.cancel()
    end()
    for process in started:
        process.communicate()


def heard(stream, text):
    """The lines of a stream up to the first that holds a text."""
    lines = []
    while line := stream.readline():
        lines.append(line)
        if text in line:
            return lines
    raise AssertionError("".join(lines))


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGINT])
def test_it_does_what_is_due_and_ends_gracefully_when_told_to(start, path, kind):
    process = start("--json")
    found = json.loads(process.stdout.readline())
    assert (found["job"], found["status"], found["trigger"]) == ("maintain", "done", "schedule")
    process.send_signal(kind)
    assert process.wait(120) == 0
    with Memory(path) as memory:
        assert [one.status.value for one in memory.runs.list(job="maintain")] == ["done"]
        assert memory.schedule.lease().take() is None


def test_of_two_on_one_store_one_works_and_the_other_waits_its_turn(start, path):
    first = start()
    heard(first.stdout, "done  maintain")
    second = start()
    heard(second.stderr, f"process {first.pid} on ")
    first.send_signal(signal.SIGKILL)
    first.wait()
    with Memory(path) as memory:
        memory.add("Another.", expires_at="2020-01-01")
        memory.add([f"The box number {n} holds {n * n} screws." for n in range(20)])
    assert any("consolidate" in line for line in heard(second.stdout, "consolidate"))
    second.terminate()
    assert second.wait(120) == 0
