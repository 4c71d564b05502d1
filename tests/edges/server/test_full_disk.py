"""A full disk: reads go on, a purge works, keys are revoked, and whatever else writes is told what to do."""

from __future__ import annotations

import json
import shutil
from contextlib import ExitStack, closing, contextmanager, suppress
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from simonides.domain.scope import Scope
from simonides.edges.cli.main import app as cli
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.state import NewKey, RequestName, ServerState
from simonides.edges.server.table import TABLE
from simonides.errors import StoreFull
from simonides.reserve import Reserve
from tests.edges.whole_answers import TestClient
from tests.full_disk import fill, filled_up, mounted

from .conftest import KEYS, checked, ended
from .test_again import opened, wanted_of

#: A bound that no test reaches.
MANY = 1_000_000


@pytest.fixture
def small_disk(tmp_path):
    with mounted(tmp_path / "disk") as place:
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
        yield SimpleNamespace(
            memory=memory, state=state, client=client, reserve=reserve, counted=state.create(new)[1]
        )


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


def test_what_was_done_is_told_though_it_cannot_be_noted(served, ask, monkeypatch):
    def full(*_):
        raise StoreFull

    with monkeypatch.context() as patched:
        patched.setattr(served.state, "done", full)
        patched.setattr(served.state, "dropped", full)
        assert ask("add", content="Kept.", headers={"idempotency-key": "one"}).status_code == 201
        refused = ask("forget", path={"item_id": "none"}, headers={"idempotency-key": "two"})
        assert refused.status_code == 404
    assert ask("add", content="Kept.", headers={"idempotency-key": "one"}).status_code == 201
    assert [one["content"] for one in ask.ok("list")["items"]] == ["Kept."]


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
