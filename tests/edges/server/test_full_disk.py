"""A full disk: reads go on, a purge works, keys are revoked, and whatever else writes is told what to do."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from types import SimpleNamespace

import apsw
import pytest
from typer.testing import CliRunner

from simonides.domain.scope import Scope
from simonides.edges.cli.main import app as cli
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.once import Once
from simonides.edges.server.operation import OperationCall
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.state import NewKey, RequestName, ServerState
from simonides.edges.server.table import TABLE
from simonides.errors import StoreFull
from simonides.reserve import RESERVE_BYTES, Reserve
from tests.edges.whole_answers import TestClient
from tests.full_disk import DISKS, fill, filled_up, full_from, small

from .conftest import KEYS, checked, ended, operation
from .test_again import FullDisk, effects, opened, sent, wanted_of

#: A bound that no test reaches.
MANY = 1_000_000


@pytest.fixture(params=DISKS)
def small_disk(tmp_path, request):
    with small(tmp_path / "disk", request.param) as place:
        yield place


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Folder of a store, and a request for every operation."""
    folder = tmp_path_factory.mktemp("prepared")
    with opened(folder) as memory:
        wanted = wanted_of(memory)
        found = memory.context("dome", mode="inject")
        memory.flush()
        words = {
            "item_id": wanted["confirm"][0]["item_id"],
            "run_id": wanted["undo"][0]["run_id"],
            "injection_id": found.injection_id,
            "operation_id": "none",
        }
    return folder, wanted | {
        one.name: ({word: words[word] for word in one.words}, asked(one)) for one in TABLE if not one.changes
    }


#: Fields of what only reads, by their names.
FIELDS = {
    "query": "dome", "target": "dome of Ana Miller", "text": "The dome is red.", "item_id": None, "path": "old.md",
    "corpus": "handbook", "first": "handbook", "second": "leaflet", "session_id": "monday", "space": "notes",
    "key": "boat", "name": "Ana Miller", "domain": "House",
}  # fmt: skip


def asked(one):
    fields = {name: FIELDS[name] for name, field in one.takes.model_fields.items() if field.is_required()}
    return {"params" if one.in_query else "json": fields}


@contextmanager
def served_on(disk, prepared):
    """A server whose store and own file are on a disk, and two keys of it: of the file, and one that is counted."""
    shutil.copytree(prepared, disk, dirs_exist_ok=True)
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values()
    )
    reserve = Reserve(disk / "memory.db")
    reserve.path.unlink(missing_ok=True)  # It takes no room there, as stores of tests have it.
    with (
        opened(disk) as memory,
        closing(ServerState(disk / "memory.server", reserve=reserve)) as state,
        TestClient(application(memory, access, state=state), raise_server_exceptions=False) as client,
    ):
        new = NewKey(
            name="counted", scope=Scope("global"), role=Role.ADMIN, narrows=True, rate=MANY, quota=MANY
        )
        try:
            yield SimpleNamespace(
                memory=memory, state=state, client=client, reserve=reserve, counted=state.create(new)[1]
            )
        finally:  # A counted disk says it also where SQLite passes over it, as on closing.
            (disk / "ballast").unlink(missing_ok=True)


def use_up(disk, served):
    """Leave no room anywhere: neither on the disk nor in what the files have taken of it already."""
    served.memory.flush()
    fill(disk / "ballast")
    for n in range(2000):
        with suppress(StoreFull):
            served.memory.add(f"heron {n} " + "y" * 3000)
            continue
        break
    for n in range(2000):
        with suppress(StoreFull):
            served.state.begin(RequestName("filler", str(n), b""))
            continue
        break
    fill(disk / "ballast")


@pytest.mark.parametrize("is_counted", [False, True], ids=["token", "counted"])
@pytest.mark.parametrize("is_behind", [False, True], ids=["waited-for", "behind"])
@pytest.mark.parametrize("is_named", [False, True], ids=["unnamed", "named"])
def test_every_operation_on_a_full_disk_reads_makes_room_or_says_that_it_is_full(
    small_disk, prepared, is_named, is_behind, is_counted
):
    folder, wanted = prepared
    with served_on(small_disk, folder) as served:
        key = {"authorization": f"Bearer {served.counted if is_counted else KEYS['admin'].token}"}
        full = 0
        for one in sorted(TABLE, key=lambda one: one.frees):  # What makes room comes last.
            (small_disk / "ballast").unlink(missing_ok=True)
            served.reserve.make()
            assert served.reserve.path.exists()
            use_up(small_disk, served)
            words, given = wanted[one.name]
            kind = {"content-type": given["kind"]} if "kind" in given else {}
            way = {"idempotency-key": one.name} if is_named else {}
            way |= {"prefer": "respond-async"} if is_behind else {}
            place = {name: given[name] for name in ("json", "params", "content") if name in given}
            answer = served.client.request(
                one.method, one.path.format(**words), headers=key | kind | way, **place
            )
            told = (one.name, answer.status_code, answer.text)
            checked(one, answer)
            if answer.status_code == 507:
                assert one.changes, told
                assert not one.frees, told
                assert "free some" in answer.json()["detail"], told
                full += 1
            else:
                assert answer.status_code < 500, told
            if one.frees:
                assert answer.is_success, told
                if answer.status_code == 202:
                    assert ended(served.client, answer)["status"] == "done"
        assert full > 20
        assert served.memory.doctor().problems == ()


def test_a_key_keeps_its_bounds_on_a_full_disk(small_disk, prepared):
    with served_on(small_disk, prepared[0]) as served:
        bounds = {"quick": {"rate": 3}, "daily": {"quota": 3}}
        keys = {}
        for name, bound in bounds.items():
            new = NewKey(name=name, scope=Scope("global"), role=Role.READER, **bound)
            keys[name] = {"authorization": f"Bearer {served.state.create(new)[1]}"}

        def statuses(name, times):
            return [served.client.get("/v1/memories", headers=keys[name]).status_code for _ in range(times)]

        assert [statuses(name, 1) for name in bounds] == [[200], [200]]
        use_up(small_disk, served)
        assert [statuses(name, 4) for name in bounds] == [[200, 200, 429, 429]] * 2
        (small_disk / "ballast").unlink()
        assert [statuses(name, 2) for name in bounds] == [[429, 429]] * 2


def at_the_command_line(disk, *arguments):
    found = CliRunner().invoke(cli, ["keys", *arguments, "--db", str(disk / "memory.db"), "--json"])
    assert found.exit_code in {0, 4}, found.output
    return found.exit_code, json.loads(found.stdout or found.stderr)


@pytest.mark.parametrize("is_served", [False, True])
def test_keys_are_listed_and_revoked_on_a_full_disk(small_disk, prepared, is_served):
    with served_on(small_disk, prepared[0]) as served:
        headers = {"authorization": f"Bearer {served.counted}"}
        served.reserve.make()
        if not is_served:
            served.state.close()
        with filled_up(small_disk):
            if is_served:
                use_up(small_disk, served)
            code, listed = at_the_command_line(small_disk, "list")
            assert (code, [key["name"] for key in listed]) == (0, ["counted"])
            code, revoked = at_the_command_line(small_disk, "revoke", "counted")
            assert (code, revoked["revoked_at"] is None) == (0, False)
            if is_served:
                assert served.client.get("/v1/memories", headers=headers).status_code == 401


@pytest.mark.parametrize("command", [("create", "another"), ("revoke", "counted"), ("list",)])
def test_where_nothing_is_kept_for_it_a_full_disk_is_said_with_what_to_do(small_disk, prepared, command):
    with served_on(small_disk, prepared[0]) as served:
        served.state.close()
        served.memory.close()
        served.reserve.path.unlink()
        with filled_up(small_disk):
            code, told = at_the_command_line(small_disk, *command)
            assert (code, told["error"]["code"]) == (4, "store_full")
            assert "free some" in told["error"]["message"]


def test_how_an_operation_ended_is_told_where_it_cannot_be_noted(small_disk, prepared):
    with served_on(small_disk, prepared[0]) as served:
        gone, _ = served.state.started("doctor", "*", "api", "elsewhere/1/1/x")
        served.state._do("UPDATE server_operations SET seen_at = 0")
        use_up(small_disk, served)
        headers = {"authorization": f"Bearer {KEYS['admin'].token}"}
        told = served.client.get(f"/v1/operations/{gone}", headers=headers).json()
        assert (told["status"], told["problem"]["code"]) == ("interrupted", "interrupted")
        [listed] = served.client.get("/v1/operations", headers=headers).json()["items"]
        assert listed == told


class NoEnds:
    """A connection in which requests can be begun, and no more."""

    def __init__(self, connection):
        self._connection = connection

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, statement, *values):
        if statement.startswith(
            ("UPDATE server_requests SET answer", "DELETE FROM server_requests WHERE name")
        ):
            raise apsw.FullError("database or disk is full")
        return self._connection.execute(statement, *values)


def test_what_was_done_is_told_though_it_cannot_be_noted(served, ask, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(served.state, "_connection", NoEnds(served.state._connection))
        assert ask("add", content="Kept.", headers={"idempotency-key": "one"}).status_code == 201
        refused = ask("forget", path={"item_id": "none"}, headers={"idempotency-key": "two"})
        assert refused.status_code == 404
    assert ask("add", content="Kept.", headers={"idempotency-key": "one"}).status_code == 201
    assert [one["content"] for one in ask.ok("list")["items"]] == ["Kept."]


@pytest.mark.parametrize("is_noted", [True, False])
def test_a_refused_request_is_known_as_refused_by_others_once_it_can_be_noted(
    served, ask, monkeypatch, is_noted
):
    request = RequestName("global", "one", b"")
    with monkeypatch.context() as patched:
        if not is_noted:
            patched.setattr(served.state, "_connection", NoEnds(served.state._connection))
        assert not served.state.begin(request).before
        served.state.dropped(request)
        served.state.let_go(request)
    if not is_noted:
        assert served.state._do("SELECT count(*) FROM server_requests") == [(1,)]
        served.state.keep_claims()
    assert served.state._do("SELECT count(*) FROM server_requests") == [(0,)]
    assert not served.state.begin(request).before
    served.state.let_go(request)
    served.state.keep_claims()
    assert served.state.begin(request).before  # Broken off, and not refused.
    served.state.let_go(request)


class AfterAnother:
    """A connection whose next transaction begins after something else was done."""

    def __init__(self, connection, does):
        self._connection = connection
        self._does = [does]

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, statement, *values):
        while statement == "BEGIN IMMEDIATE" and self._does:
            self._does.pop()()
        return self._connection.execute(statement, *values)


def refused_unnoted(state, monkeypatch):
    """A request that was refused while this could not be noted."""
    request = RequestName("global", "one", b"")
    with monkeypatch.context() as patched:
        patched.setattr(state, "_connection", NoEnds(state._connection))
        state.begin(request)
        state.dropped(request)
        state.let_go(request)
    return request


def test_a_refused_request_that_is_broken_off_when_sent_again_stays_known(tmp_path, monkeypatch):
    path = tmp_path / "memory.server"
    with closing(ServerState(path)) as state, closing(ServerState(path)) as other:
        request = refused_unnoted(state, monkeypatch)

        def broken_off():
            assert not other.begin(request).before
            other.let_go(request)

        with monkeypatch.context() as patched:
            patched.setattr(state, "_connection", AfterAnother(state._connection, broken_off))
            state.keep_claims()
        assert state.begin(request).before
        state.let_go(request)


def test_a_refused_request_stays_refused_where_noting_that_is_not_committed(tmp_path, monkeypatch):
    with closing(ServerState(tmp_path / "memory.server")) as state:
        request = refused_unnoted(state, monkeypatch)
        with monkeypatch.context() as patched:
            patched.setattr(state, "_connection", FullDisk(state._connection))
            with pytest.raises(StoreFull):
                state.keep_claims()
        assert not state.begin(request).before
        state.let_go(request)


#: Operations that count again each time they are carried out.
COUNTING = [one.name for one in TABLE if one.again is not None and one.again.counts]


@pytest.mark.parametrize("name", COUNTING)
def test_a_named_request_that_found_a_full_disk_goes_on_once_there_is_room(small_disk, prepared, name):
    folder, wanted = prepared
    with served_on(small_disk, folder) as served:
        use_up(small_disk, served)
        if operation(name).frees:
            served.reserve.path.unlink(missing_ok=True)
        headers = {"idempotency-key": "one"}
        first = sent(served, name, wanted, headers)
        assert first.status_code in {200, 507}, first.text
        (small_disk / "ballast").unlink()
        before = effects(served.memory)
        again = checked(operation(name), sent(served, name, wanted, headers))
        assert again.is_success, again.text
        done = effects(served.memory)
        assert (done == before) is (first.is_success or name == "mark_used")
        assert sent(served, name, wanted, headers).is_success
        assert effects(served.memory) == done


#: Operations of several transactions: what was done before a full disk was met stays, and sending them again does the
#: rest.
OF_STEPS = {"consolidate", "extract", "maintain", "review.rollback", "sessions.end", "undo"}
assert not OF_STEPS.intersection(COUNTING)
#: Writes that an operation may try, at most, before one finds no room.
MOST_WRITES = 6


def state_of(memory):
    """Memories of a store, without the log and the runs."""
    return effects(memory)[:3]


@pytest.mark.parametrize("name", [one.name for one in TABLE if one.again is not None])
def test_an_operation_that_met_a_full_disk_at_any_write_did_nothing_or_is_mended_when_sent_again(
    tmp_path, prepared, name
):
    folder, wanted = prepared
    headers = {"idempotency-key": "one"}
    with served_on(tmp_path / "whole", folder) as served:
        untouched = effects(served.memory)
        assert sent(served, name, wanted, headers).is_success
        whole = state_of(served.memory)
    for number in range(1, MOST_WRITES + 1):
        with served_on(tmp_path / str(number), folder) as served:
            with full_from(served.memory._parts.store, number) as tried:
                first = checked(operation(name), sent(served, name, wanted, headers))
            assert first.is_success or first.status_code == 507, first.text
            left = effects(served.memory)
            assert first.is_success or name in OF_STEPS or left == untouched
            again = checked(operation(name), sent(served, name, wanted, headers))
            if not first.is_success and operation(name).frees and operation(name).again.counts:
                assert again.json()["code"] == "unknown_outcome"
                continue
            is_told = again.is_success or (first.is_success and again.json()["code"] == "already_done")
            assert is_told, again.text
            assert not first.is_success or effects(served.memory) == left
            assert state_of(served.memory) == whole
            done = effects(served.memory)
            sent(served, name, wanted, headers)
            assert effects(served.memory) == done
            if tried[0] < number:
                break


@pytest.mark.parametrize(("name", "code"), [("forget_meant", "unknown_outcome"), ("reinforce", "store_full")])
def test_what_makes_room_may_have_done_half_on_a_full_disk_and_is_not_done_again(served, memory, name, code):
    def full(*_):
        raise StoreFull

    asked = replace(operation(name), does=full)
    call = OperationCall(memory, ServerCaller(Scope("global"), Role.ADMIN), {"item_id": "x"})
    codes = []
    for _ in range(2):
        with pytest.raises((StoreFull, HttpProblem)) as error:
            Once(served.state, "one").answer(asked, call, asked.takes.model_construct())
        codes.append(error.value.code)
    assert codes == ["store_full", code]


def test_a_reserve_that_was_used_is_whole_again_once_there_is_room(tmp_path):
    reserve = Reserve(tmp_path / "memory.db")
    reserve.make()
    os.truncate(reserve.path, 0)
    with closing(ServerState(tmp_path / "memory.server", reserve=reserve)) as state:
        state.keep_claims()
    assert reserve.path.stat().st_size == RESERVE_BYTES


def test_what_was_counted_while_the_disk_was_full_gives_no_second_rate_afterwards(small_disk):
    now = [1_800_000_000.0]
    with ExitStack() as stack:
        one, other = (
            stack.enter_context(closing(ServerState(small_disk / "memory.server", clock=lambda: now[0])))
            for _ in range(2)
        )
        with filled_up(small_disk):
            one.wait_s("k", 10)
        now[0] += 3600
        assert [other.wait_s("k", 10) for _ in range(10)] == [0] * 10
        assert one.wait_s("k", 10) > 0
