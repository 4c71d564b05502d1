"""Long operations: begun at once, told of honestly, and ended when they are told to."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import closing, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from simonides.domain.scope import Scope
from simonides.edges.http.tokens import Role
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.long import LeftOff, LongOperations, LongWork
from simonides.edges.server.operations.store import LINES
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.state import RequestName, ServerState
from simonides.edges.server.table import TABLE
from simonides.errors import Conflict, StoreError, StoreFull

from .conftest import bearer, ended, operation

BEHIND = {"prefer": "respond-async"}
ANA = ServerCaller(Scope("user:ana"), Role.REVIEWER)


@pytest.fixture
def now():
    return SimpleNamespace(s=1_800_000_000.0)


@pytest.fixture
def state(tmp_path, now):
    with closing(ServerState(tmp_path / "memory.server", clock=lambda: now.s)) as found:
        yield found


@pytest.fixture
def long(state):
    found = LongOperations(state)
    yield found
    found.stop()


class Steps:
    """Work that goes on until it is to leave off."""

    def __init__(self):
        self.begun = threading.Event()
        self.may = threading.Event()

    def __call__(self, told):
        told("steps", 0, 1000)
        self.begun.set()
        while True:  # Until it is told to leave off.
            told("steps", 0, 1000)
            self.may.wait(0.01)

    def work(self, caller=ANA):
        return LongWork("maintain", caller, self, dict)


def until_over(long, operation_id):
    with long._lock:
        thread = long._threads.get(operation_id)
    if thread is not None:
        thread.join(60)
    return long.find(operation_id)


# Over HTTP


def test_upkeep_goes_on_behind_its_request(ask, served):
    for n in range(3):
        ask.ok("add", content=f"The dome of house {n} is xyzzy.", type="fact")
    begun = ask("maintain", headers=BEHIND)
    assert begun.headers["preference-applied"] == "respond-async"
    found = ended(served.client, begun)
    assert (found["status"], found["scope"], found["problem"]) == ("done", "global", None)
    assert ask.ok("runs.show", path={"run_id": found["answer"]["id"]})["status"] == "done"
    assert [one["id"] for one in ask.ok("operations.list")["items"]] == [found["id"]]


def test_without_the_preference_a_request_is_waited_for(ask):
    for headers in ({}, {"prefer": "wait=10"}, {"prefer": "return=minimal"}):
        assert ask("maintain", jobs=["expire"], headers=headers).status_code == 200
    assert ask.ok("operations.list") == {"items": []}
    for said in ("Respond-Async", "wait=1, respond-async", "respond-async; wait=1"):
        assert ask("maintain", jobs=["expire"], headers={"prefer": said}).status_code == 202


def bodies(served, tmp_path):
    """Fields and bodies of each long operation, by its name; all of it is about xyzzy."""
    for n in range(3):
        served.memory.add(f"The dome of house {n} is xyzzy.", type="fact")
    run = served.memory.maintain(["expire"])
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in served.memory.export())
    mine = json.dumps({"text": "A xyzzy dome."}).encode() + b"\n"
    return {
        "maintain": {"json": {}},
        "consolidate": {"json": {}},
        "undo": {"json": {}, "run_id": run.id},
        "load": {"content": lines, "headers": {"content-type": LINES}},
        "import_from": {
            "content": mine,
            "headers": {"content-type": "application/octet-stream"},
            "params": {"mapping": "content=text", "name": "a.jsonl"},
            "kind": "jsonl",
        },
        **{name: {"json": {}} for name in ("doctor", "extract", "backfill", "reindex", "rebuild_fts")},
        "backup": {"json": {"name": "monday.db"}},
        "purge": {"json": {"item_ids": [served.memory.list(limit=1)[0].id]}},
        "documents.purge": {"json": {"corpus": "guide"}},
    }


def test_every_long_operation_ends_and_keeps_no_text(served, tmp_path):
    wanted = bodies(served, tmp_path)
    assert set(wanted) == {one.name for one in TABLE if one.summary is not None}
    for name, given in wanted.items():
        asked = operation(name)
        place = {key: given[key] for key in ("json", "content", "params") if key in given}
        path = asked.path.format(run_id=given.get("run_id"), kind=given.get("kind"))
        headers = bearer("admin") | BEHIND | given.get("headers", {})
        found = ended(served.client, served.client.request(asked.method, path, headers=headers, **place))
        assert found["status"] == "done", found
        assert found["answer"], found
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.name.startswith("served.server"))
    assert b"xyzzy" not in kept
    assert "A xyzzy dome." in {item.content for item in served.memory.list()}


def test_a_named_request_is_begun_once(ask, served):
    named = BEHIND | {"idempotency-key": "one"}
    begun = [ask("maintain", jobs=["expire"], headers=named) for _ in range(3)]
    assert {one.status_code for one in begun} == {202}
    assert len({one.headers["location"] for one in begun}) == 1
    assert ask("maintain", jobs=["decay"], headers=named).status_code == 409
    ended(served.client, begun[0])
    assert len(ask.ok("operations.list")["items"]) == 1


def test_what_fails_says_so_with_its_code_and_how_to_be_told_why(ask, served):
    found = ended(served.client, ask("maintain", jobs=["nonsense"], headers=BEHIND))
    problem = found["problem"]
    assert (found["status"], problem["code"], problem["status"]) == ("failed", "invalid_input", 422)
    assert "without `Prefer: respond-async`" in problem["detail"]
    assert "nonsense" in ask("maintain", jobs=["nonsense"]).json()["detail"]


def test_an_operation_is_its_scopes_own(ask, served):
    mine = ask("maintain", "ana", jobs=["expire"], headers=BEHIND)
    whole = ask("maintain", "admin", jobs=["expire"], headers=BEHIND | {"x-simonides-scope": "*"})
    ids = [one.json()["id"] for one in (mine, whole)]
    for name in ("operations.show", "operations.events", "operations.cancel"):
        for key in ("bob", "apollo"):
            for id_ in ids:
                assert ask(name, key, path={"operation_id": id_}).status_code in {403, 404}
        assert ask(name, "ana", path={"operation_id": ids[1]}).status_code == 404
    assert [one["id"] for one in ask.ok("operations.list", "ana")["items"]] == ids[:1]
    assert ask.ok("operations.list", "bob") == {"items": []}
    assert {one["id"] for one in ask.ok("operations.list")["items"]} == set(ids)


def test_events_tell_of_the_end(ask, served):
    begun = ask("maintain", jobs=["expire"], headers=BEHIND)
    answer = ask("operations.events", path={"operation_id": begun.json()["id"]})
    assert answer.headers["content-type"].startswith("text/event-stream")
    last = answer.text.strip().split("\n\n")[-1].splitlines()
    assert last[0] == "event: end"
    assert json.loads(last[1].removeprefix("data: "))["status"] == "done"
    assert ask("operations.cancel", path={"operation_id": begun.json()["id"]}).status_code == 409


# The state


def test_an_operation_that_is_cancelled_leaves_off_after_its_step(long):
    steps = Steps()
    begun = long.start(steps.work())[0]
    assert steps.begun.wait(60)
    assert long.find(begun.id).to_dict()["progress"] == {"stage": "steps", "done": 0, "total": 1000}
    assert long.cancel(begun.id).status in {"running", "cancelled"}  # It may look in that very moment.
    found = until_over(long, begun.id)
    assert (found.status, found.problem) == ("cancelled", None)
    with pytest.raises(HttpProblem, match="cancelled"):
        long.cancel(begun.id)


def test_what_ends_by_itself_although_it_was_cancelled_tells_both(long):
    """Jobs of upkeep write down that they were broken off, and raise nothing."""

    def does(told):
        with suppress(LeftOff):
            while True:
                told("steps", 1, None)
                threading.Event().wait(0.01)
        return {"id": "run"}

    begun = long.start(LongWork("maintain", ANA, does, dict))[0]
    long.cancel(begun.id)
    found = until_over(long, begun.id)
    assert (found.status, json.loads(found.answer)) == ("cancelled", {"id": "run"})


def test_a_server_that_stops_says_what_it_interrupted(state):
    long, steps = LongOperations(state), Steps()
    begun = long.start(steps.work())[0]
    assert steps.begun.wait(60)
    long.stop()
    found = long.find(begun.id).to_dict()
    assert found["status"] == "interrupted"
    assert "again" in found["problem"]["detail"]


@pytest.mark.parametrize("error", [StoreFull("the disk is full; make room"), ValueError("secret of ours")])
def test_an_error_is_kept_as_the_problem_that_it_is(long, error):
    def does(_):
        raise error

    found = until_over(long, long.start(LongWork("backup", ANA, does, dict))[0].id).to_dict()
    assert found["status"] == "failed"
    assert found["problem"]["code"] == HttpProblem.of(error).code
    assert "secret" not in str(found)


def test_no_more_go_on_at_once_than_may(long):
    steps = [Steps() for _ in range(9)]
    begun = [long.start(one.work())[0] for one in steps[:8]]
    with pytest.raises(HttpProblem) as refused:
        long.start(steps[8].work())
    assert (refused.value.status, refused.value.headers["retry-after"]) == (503, "10")
    long.cancel(begun[0].id)
    until_over(long, begun[0].id)
    long.start(steps[8].work())


def test_a_stream_ends_with_the_server(long):
    steps = Steps()
    begun = long.start(steps.work())[0]
    assert steps.begun.wait(60)

    async def read():
        return [event async for event in long.events(begun.id, lambda: True)]

    [event] = asyncio.run(asyncio.wait_for(read(), 60))
    assert event.startswith(b"event: progress\n")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="when a process began is told by Linux")
@pytest.mark.parametrize("by_s", [-1e6, 0, 1e6])
def test_a_process_that_has_ended_runs_nothing_whatever_the_clock_says(long, state, now, by_s):
    own_host = socket.gethostname()
    _, number, began, _ = long.holder.split("/")
    parent = os.getppid()
    parents = Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[19]
    holders = {
        long.holder: "running",
        f"{own_host}/{number}/{began}/another": "interrupted",
        f"{own_host}/{parent}/{parents}/x": "running",
        f"{own_host}/{parent}/1{parents}/x": "interrupted",
        f"{own_host}/4194303/1/x": "interrupted",
        "elsewhere/1/1/x": "running" if by_s == 0 else "interrupted",
    }
    ids = {state.started("maintain", "*", "api", holder)[0]: status for holder, status in holders.items()}
    now.s += by_s
    assert {id_: long.find(id_).status for id_ in ids} == ids
    assert {one.id: one.status for one in long.list()} == ids
    for id_, status in ids.items():
        if status == "running":
            state.ended(id_, "done")


def test_operations_are_told_of_for_a_week(long, state, now):
    first = until_over(long, long.start(LongWork("backup", ANA, lambda _: {}, dict))[0].id)
    now.s += 7 * 86_400 + 1
    until_over(long, long.start(LongWork("backup", ANA, lambda _: {}, dict))[0].id)
    assert first.id not in {one.id for one in long.list()}


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX's")
def test_after_a_kill_nothing_is_said_to_be_running(tmp_path):
    path = tmp_path / "killed.server"
    code = """
import sys, threading, time
from pathlib import Path
from simonides.domain.scope import Scope
from simonides.edges.http.tokens import Role
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.long import LongOperations, LongWork
from simonides.edges.server.state import RequestName, ServerState
long = LongOperations(ServerState(Path(sys.argv[1])))
said = threading.Event()
def waits(told):
    told("steps", 1, 2)
    said.set()
    time.sleep(600)
begun, _ = long.start(LongWork("maintain", ServerCaller(Scope("global"), Role.ADMIN), waits, dict))
said.wait()
print(begun.id, flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        operation_id = process.stdout.readline().strip()
        with closing(ServerState(path)) as state:
            assert LongOperations(state).find(operation_id).status == "running"
            process.send_signal(signal.SIGKILL)
            process.wait(60)
            found = LongOperations(state).find(operation_id).to_dict()
    assert (found["status"], found["progress"]["done"]) == ("interrupted", 1)


def test_of_two_requests_of_one_name_at_the_same_instant_one_begins(long, state):
    steps, ready, begun = Steps(), threading.Barrier(8), []
    request = RequestName("ana", "monday", b"maintain")

    def asks():
        ready.wait(60)
        begun.append(long.start(steps.work(), request))

    threads = [threading.Thread(target=asks) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len({found.id for found, _ in begun}) == 1
    assert sorted(is_new for _, is_new in begun) == [False] * 7 + [True]
    assert len(state.operations()) == 1
    with pytest.raises(Conflict):
        long.start(steps.work(), RequestName("ana", "monday", b"consolidate"))
    assert long.start(steps.work(), RequestName("ben", "monday", b"maintain"))[1]


class UnusableAtTimes(ServerState):
    """The server's own file, which cannot be written some times."""

    def __init__(self, path):
        super().__init__(path)
        self.fails = 0

    def going_on(self, *how_far):
        self._fail()
        return super().going_on(*how_far)

    def ended(self, *how):
        self._fail()
        super().ended(*how)

    def _fail(self):
        if self.fails:
            self.fails -= 1
            raise StoreError("the server's own file cannot be used now")


def test_what_cannot_be_noted_now_ends_no_work_and_its_end_is_noted_later(tmp_path):
    with closing(UnusableAtTimes(tmp_path / "memory.server")) as state:
        long = LongOperations(state)

        def does(told):
            state.fails = 2
            told("copying", 1, 2)
            return {"name": "monday.db"}

        found = until_over(long, long.start(LongWork("backup", ANA, does, dict))[0].id)
        assert (found.status, state.fails) == ("done", 0)
        long.stop()
