"""Requests that are sent again, later or at the same time: whatever changes something, changes it once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest

from simonides.config import Settings, StoreSettings
from simonides.edges.server import endpoint
from simonides.edges.server.app import application
from simonides.edges.server.operations.documents import FILE
from simonides.edges.server.operations.store import LINES
from simonides.edges.server.state import RequestName, ServerState
from simonides.edges.server.table import TABLE
from simonides.errors import StoreError
from simonides.memory import Memory
from simonides.testing import FakeEmbedder, FrozenClock
from tests.edges.whole_answers import TestClient

from .conftest import bearer, checked, operation


def snapshot(memory):
    """All that a store holds, but for what tells that somebody asked: the log and empty runs."""
    memory.flush()
    return [one for one in memory.export() if one["kind"] != "run" or any(one["counts"].values())]


#: Change nothing by themselves.
UNCLAIMED = {"doctor", "operations.cancel"}
#: Of their answers no more is kept than that there was one: they quote what was found or taken in.
ALREADY_DONE = {"sessions.end", "extract", "load", "import_from"}


def test_every_operation_that_changes_something_claims_the_name_of_its_request():
    assert {one.name for one in TABLE if one.changes and one.again is None} == UNCLAIMED


def opened(folder):
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    clock = FrozenClock("2026-03-01T12:00:00Z")
    return Memory(folder / "memory.db", settings=settings, clock=clock, embedder=FakeEmbedder(8))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Folder of a store in which there is something to change, and a request for every operation that does."""
    folder = tmp_path_factory.mktemp("prepared")
    with opened(folder) as memory:
        return folder, wanted_of(memory)


@pytest.fixture
def memory(tmp_path, prepared):
    shutil.copytree(prepared[0], tmp_path, dirs_exist_ok=True)
    with opened(tmp_path) as memory:
        yield memory


@pytest.fixture
def wanted(prepared):
    return dict(prepared[1])


def wanted_of(memory):
    """A request for every operation that changes something, by its name: words of its path, and what it sends."""
    first, second, third = memory.add(
        ["The dome of Ana Miller is green.", "The dome of Bob Castle is blue.", "The dome leaks in May."],
        type="fact",
    ).item_ids
    gone = memory.add("It was forgotten.").item_ids[0]
    memory.forget(gone)
    waiting = [
        verdict.item_id
        for verdict in memory.propose([{"content": f"No reason {n}."} for n in range(3)]).verdicts
    ]
    memory.review.reject(waiting[2])
    memory.add([{"role": "user", "content": "I sail."}], session_id="monday")
    memory.records.put("notes", "boat", 1)
    memory.documents.put("handbook", "old.md", "# Old\n\nText.")
    memory.documents.put("leaflet", "new.md", "# Old\n\nText.")
    run = memory.maintain(["consolidate"], scope="global")
    names = [one.name for one in memory.entities.list()]
    memory.add("Dora Hill and Theodora Hill are one.", entities=["Dora Hill", "Theodora Hill"])
    memory.entities.merge("Theodora Hill", "Dora Hill")
    exported = b"".join(json.dumps(one).encode() + b"\n" for one in memory.export())
    one = {"item_id": first}
    return {
        "add": ({}, {"json": {"content": "We ship on Fridays."}}),
        "propose": ({}, {"json": {"proposals": [{"content": "Ana sails.", "why_store": "said", "source": first}]}}),
        "update": (one, {"json": {"title": "Dome"}}),
        "forget": ({"item_id": third}, {}),
        "forget_meant": ({}, {"json": {"target": "dome of Ana Miller"}}),
        "correct": ({}, {"json": {"target": "dome of Ana Miller", "content": "It is red."}}),
        "restore": ({"item_id": gone}, {"json": {}}),
        "confirm": (one, {"json": {}}),
        "reinforce": (one, {"json": {}}),
        "demote": (one, {"json": {}}),
        "link": ({}, {"json": {"src": first, "dst": second}}),
        "mark_used": ({}, {"json": {"item_ids": [first]}}),
        "purge": ({}, {"json": {"item_ids": [third]}}),
        "entities.merge": ({}, {"json": {"keep": names[0], "other": names[1]}}),
        "entities.unmerge": ({}, {"json": {"other": "Dora Hill"}}),
        "entities.alias": ({}, {"json": {"name": names[0], "alias": "Annie"}}),
        "entities.rename": ({}, {"json": {"name": names[0], "to": "A. Miller"}}),
        "entities.retype": ({}, {"json": {"name": names[0], "type": "place"}}),
        "palace.assign": (one, {"json": {"room": "Repairs", "domain": "House"}}),
        "sessions.end": ({}, {"json": {"session_id": "monday"}}),
        "records.put": ({}, {"json": {"space": "notes", "key": "boat", "value": 2}}),
        "records.delete": ({}, {"params": {"space": "notes", "key": "boat"}}),
        "documents.corpus": ({}, {"json": {"name": "handbook", "label": "H"}}),
        "documents.put": ({}, {"json": {"corpus": "handbook", "path": "a.md", "text": "# A\n\nText."}}),
        "documents.upload": ({}, {"params": {"corpus": "handbook", "path": "b.md"}, "content": b"# B", "kind": FILE}),
        "documents.delete": ({}, {"params": {"corpus": "handbook", "path": "old.md"}}),
        "documents.purge": ({}, {"json": {"corpus": "handbook", "path": "old.md"}}),
        "review.approve": ({"item_id": waiting[0]}, {"json": {}}),
        "review.reject": ({"item_id": waiting[1]}, {"json": {}}),
        "review.reopen": ({"item_id": waiting[2]}, {"json": {}}),
        "review.ask": (one, {"json": {"act": "forget"}}),
        "review.rollback": ({}, {"json": {"session_id": "monday", "dry_run": False}}),
        "maintain": ({}, {"json": {}}),
        "consolidate": ({}, {"json": {}}),
        "undo": ({"run_id": run.id}, {"json": {}}),
        "load": ({}, {"content": exported, "kind": LINES}),
        "import_from": (
            {"kind": "jsonl"},
            {"content": b'{"text": "Imported."}\n', "kind": FILE,
             "params": {"mapping": "content=text", "name": "a.jsonl"}},
        ),
        "doctor": ({}, {"json": {}}),
        "extract": ({}, {"json": {}}),
        "backfill": ({}, {"json": {"again": True}}),
        "reindex": ({}, {"json": {}}),
        "rebuild_fts": ({}, {"json": {}}),
        "documents.relate": ({}, {"json": {"first": "handbook", "second": "leaflet"}}),
        "backup": ({}, {"json": {"name": "monday.db"}}),
        "operations.cancel": ({"operation_id": "none"}, {"json": {}}),
    }  # fmt: skip


def sent(served, name, wanted, headers):
    words, given = wanted[name]
    asked = operation(name)
    place = {key: given[key] for key in ("json", "params", "content") if key in given}
    kind = {"content-type": given["kind"]} if "kind" in given else {}
    return served.client.request(
        asked.method, asked.path.format(**words), headers=bearer("admin") | kind | headers, **place
    )


@pytest.mark.parametrize("name", [one.name for one in TABLE if one.changes])
@pytest.mark.parametrize("actor", [{}, {"x-simonides-actor": "gpt"}], ids=["person", "model"])
def test_a_request_that_is_sent_again_under_its_name_changes_nothing_more(served, wanted, name, actor):
    headers = {"idempotency-key": "one"} | actor
    first = sent(served, name, wanted, headers)
    # A model may do less, and a cancellation has nothing to cancel.
    assert first.status_code < 300 or actor or name == "operations.cancel", first.text
    before = snapshot(served.memory)
    for _ in range(2):
        again = checked(operation(name), sent(served, name, wanted, headers))
        assert again.status_code < 500, again.text
        assert again.status_code == (409 if first.is_success and name in ALREADY_DONE else first.status_code)
        assert snapshot(served.memory) == before


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("name", [one.name for one in TABLE if one.lines])
def test_another_file_is_another_request_whatever_its_name(served, wanted, name, behind):
    headers = {"idempotency-key": "one"} | ({"prefer": "respond-async"} if behind else {})
    assert sent(served, name, wanted, headers).status_code < 300
    words, given = wanted[name]
    wanted[name] = (words, given | {"content": given["content"] + b"\n"})
    is_named = operation(name).again is not None or (behind and operation(name).summary is not None)
    other = checked(operation(name), sent(served, name, wanted, headers))
    assert other.status_code == 409 if is_named else other.status_code < 300, other.text


# At the same time

AT_ONCE = 6


@contextmanager
def world(prepared, folder, access):
    """Two servers of one store that was prepared."""
    shutil.copytree(prepared, folder)

    def server():
        state = ServerState(folder / "served.server")
        app = application(memory, access, state=state)
        return closing(state), TestClient(app, raise_server_exceptions=False)

    with opened(folder) as memory:
        (state, client), (other_state, other) = server(), server()
        with state, other_state, client, other:
            yield [SimpleNamespace(client=one, memory=memory) for one in (client, other)]


def effects(memory):
    """All that was done in a store, by kind; whoever does it twice has twice as much of it."""
    items = [one for one in snapshot(memory) if one["kind"] == "item"]
    return (
        len(items),
        sorted(len(item["revisions"]) for item in items),
        sorted((item["usage"]["reinforcement"], item["revisions"][-1]["item"]["status"]) for item in items),
        len(memory.runs.list()),
        Counter(event.action for event in memory.audit.events(limit=1000)),
    )


def without_what_is_not_kept(answer):
    """The body of an answer, but for the reasons of verdicts and their session."""
    said = answer.json()
    for verdict in [said, *(said.get("verdicts") or []), said.get("verdict") or {}]:
        verdict.pop("reasons", None)
    said.pop("session_id", None)
    return said


@pytest.mark.parametrize("name", [one.name for one in TABLE if one.changes and one.again is not None])
def test_requests_of_one_name_at_the_same_time_are_one(tmp_path, access, monkeypatch, prepared, name):
    monkeypatch.setattr(endpoint, "WAITED_S", 600.0)
    headers = {"idempotency-key": "one"}
    folder, wanted = prepared
    with world(folder, tmp_path / "one", access) as servers:
        assert sent(servers[0], name, wanted, headers).status_code < 300
        once = effects(servers[0].memory)
    with world(folder, tmp_path / "many", access) as servers:
        begin = threading.Barrier(AT_ONCE)

        def ask(number):
            begin.wait(60)
            return checked(operation(name), sent(servers[number % 2], name, wanted, headers))

        with ThreadPoolExecutor(AT_ONCE) as threads:
            answers = [*threads.map(ask, range(AT_ONCE))]
        assert effects(servers[0].memory) == once
        well = [answer for answer in answers if answer.status_code < 300]
        if name in ALREADY_DONE:
            assert len(well) == 1
            assert {one.json().get("code") for one in answers if one not in well} == {"already_done"}
        else:
            assert len(well) == AT_ONCE, [answer.text for answer in answers]
            assert all(without_what_is_not_kept(one) == without_what_is_not_kept(well[0]) for one in well)


#: Claims every request whose name and digest are given, says so, and does nothing more.
HOLDER = """
import sys, time
from pathlib import Path
from simonides.edges.server.state import ServerState
state = ServerState(Path(sys.argv[1]))
from simonides.edges.server.holders import this_process
state._do("UPDATE server_requests SET answer = NULL, holder = ?", (this_process(),))
print("held", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="when a process began is told by Linux")
@pytest.mark.parametrize(("name", "status"), [("add", 201), ("reinforce", 409)])
def test_a_request_that_another_process_carries_out_is_waited_for_until_that_is_killed(
    served, wanted, tmp_path, monkeypatch, name, status
):
    monkeypatch.setattr(endpoint, "WAITED_S", 0.3)
    headers = {"idempotency-key": "one"}
    first = sent(served, name, wanted, headers)
    before = snapshot(served.memory)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "served.server")], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout.readline() == "held\n"
        answer = checked(operation(name), sent(served, name, wanted, headers))
        assert (answer.status_code, answer.json()["code"]) == (409, "under_way"), answer.text
        assert int(answer.headers["retry-after"]) > 0
        assert "same key" in answer.json()["detail"]
    finally:
        holder.kill()
        holder.communicate()
    answer = checked(operation(name), sent(served, name, wanted, headers))
    assert answer.status_code == status
    if status == 409:
        assert answer.json()["code"] == "unknown_outcome"
    else:
        told = [one.json()["verdicts"][0]["item_id"] for one in (first, answer)]
        assert told[0] == told[1]
    assert snapshot(served.memory) == before


def test_a_request_waits_for_the_answer_to_the_one_before(served, wanted, monkeypatch):
    monkeypatch.setattr(endpoint, "WAITED_S", 600.0)
    headers = {"idempotency-key": "one"}
    first = sent(served, "reinforce", wanted, headers)
    [[key, hashed]] = served.state._do("SELECT name, hash FROM server_requests")
    request = SimpleNamespace(key=key, digest=hashed)
    kept = served.state.begin(request).answer
    served.state.dropped(request)
    served.state._do("DELETE FROM server_requests")
    assert not served.state.begin(request).before
    with ThreadPoolExecutor(1) as threads:
        waits = threads.submit(sent, served, "reinforce", wanted, headers)
        time.sleep(0.3)
        assert not waits.done()
        served.state.done(request, kept)
        served.state.let_go(request)
        assert waits.result(60).json() == first.json()


def test_another_actor_says_something_else(served, wanted):
    for name in ("propose", "forget", "link", "review.ask"):
        person = sent(served, name, wanted, {"idempotency-key": name})
        for actor in ("claude", "gpt"):
            model = sent(served, name, wanted, {"idempotency-key": name, "x-simonides-actor": actor})
            if operation(name).again is not None:
                assert (person.is_success, model.status_code) == (True, 409), model.text


class FullDisk:
    """A connection on which nothing is committed."""

    def __init__(self, connection):
        self._connection = connection

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, statement, *values):
        if statement == "COMMIT":
            raise apsw.FullError("database or disk is full")
        return self._connection.execute(statement, *values)


@pytest.mark.parametrize("before", [False, True])
def test_a_claim_that_could_not_be_written_down_locks_nothing(tmp_path, monkeypatch, before):
    request = RequestName("ana", "monday", b"add")
    with closing(ServerState(tmp_path / "served.server")) as state:
        if before:  # It was broken off.
            state.begin(request)
            state.let_go(request)
        with monkeypatch.context() as full:
            full.setattr(state, "_connection", FullDisk(state._connection))
            with pytest.raises(StoreError):
                state.begin(request)
        noted = state.begin(request)
        assert (noted.under_way, noted.before) == (False, before)
        state.let_go(request)
