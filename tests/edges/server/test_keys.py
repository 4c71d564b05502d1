"""Keys: made, kept as hashes, bound, limited, revoked; and requests that name themselves."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import stat
from contextlib import closing
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.instant import LAST, SECOND_US
from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import PREFIX, Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.guard import Guard, Revoked
from simonides.edges.server.rates import count_request
from simonides.edges.server.state import NewKey, ServerState
from simonides.edges.server.table import TABLE
from simonides.edges.server.tenants import Tenants
from simonides.errors import Conflict, InvalidInput, NewerSchema, NotAStore, NotFound, StoreReadOnly
from simonides.memory import Memory
from simonides.testing import FakeEmbedder
from tests.edges.whole_answers import TestClient


@pytest.fixture
def now():
    return SimpleNamespace(s=1_800_000_000.0)


@pytest.fixture
def state(tmp_path, now):
    found = ServerState(tmp_path / "memory.server", clock=lambda: now.s)
    yield found
    found.close()


@pytest.fixture
def keyed(memory, state):
    """A server that lets keys in alone."""
    access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver")
    with TestClient(application(memory, access, state=state), raise_server_exceptions=False) as client:
        yield client


def new(state, name="laptop", scope="user:ana", role=Role.WRITER, **rights):
    key, token = state.create(NewKey(name=name, scope=Scope(scope), role=role, **rights))
    return key, {"authorization": f"Bearer {token}"}


def test_a_key_lets_its_holder_into_its_scope_as_its_role(keyed, state, memory):
    _, ana = new(state)
    _, reader = new(state, "dashboard", role=Role.READER)
    assert keyed.post("/v1/memories", json={"content": "Mine."}, headers=ana).status_code == 201
    assert keyed.post("/v1/memories", json={"content": "x"}, headers=reader).status_code == 403
    assert [item["content"] for item in keyed.get("/v1/memories", headers=reader).json()["items"]] == [
        "Mine."
    ]
    assert keyed.get("/v1/memories").status_code == 401
    assert "api:laptop" in {event.actor for event in memory.audit.events()}


@pytest.mark.parametrize(("scope", "narrows", "named"), [
    ("global", False, {}), ("user:ana", True, {}), ("user:ana", False, {}),
    ("global", True, {"x-simonides-scope": "user:ana"}), ("global", False, {"x-simonides-scope": "*"}),
    ("user:ana", True, {"x-simonides-scope": "*"}),
])  # fmt: skip
def test_what_concerns_the_whole_store_says_which_key_it_takes(keyed, state, scope, narrows, named):
    _, headers = new(state, scope=scope, role=Role.ADMIN, narrows=narrows)
    _, whole = new(state, scope="global", role=Role.ADMIN, narrows=True)
    for one in TABLE:
        if one.whole:
            kind = {"content-type": one.lines} if one.lines else {}
            given = {"json": {}} if one.has_body and not one.lines else {}
            refused = keyed.request(one.method, one.path, headers=headers | named | kind, **given)
            assert refused.status_code == 403, one.name
            assert "global/*" in refused.json()["detail"]
            assert "--narrower" in refused.json()["detail"]
            let_in = keyed.request(one.method, one.path, headers=whole | kind, **given)
            assert let_in.status_code != 403, one.name
    for page in ("/settings", "/audit"):
        told = keyed.get(page, headers=headers | named)
        assert told.status_code == 403
        assert "--narrower" in told.text


def test_whatever_a_key_does_on_the_page_is_logged_under_its_name(keyed, state, memory):
    ids = memory.add([f"The dome has {n} windows." for n in range(3, 6)]).item_ids
    waiting = memory.propose([{"content": f"No reason {n}."} for n in range(2)]).verdicts
    memory.add("Dora Hill and Theodora Hill are one.", entities=["Dora Hill", "Theodora Hill"])
    dora = next(one for one in memory.entities.list() if one.name == "Dora Hill").id
    before = len(memory.audit.events(limit=1000))
    _, headers = new(state, scope="global", role=Role.ADMIN, narrows=True)
    token = headers["authorization"].removeprefix("Bearer ")
    keyed.get("/", params={"token": token}, follow_redirects=False)
    first, second, third = (f"/m/{item_id}" for item_id in ids)
    forms = [
        *((f"{first}/{verb}", {}) for verb in ("reinforce", "demote", "pin", "unpin", "confirm")),
        *((f"{first}/correct", {"content": "The dome has no windows."}), (f"{second}/forget", {})),
        *((f"{second}/restore", {}), (f"{third}/move", {"room": "Repairs", "domain": "House"})),
        (f"{third}/purge", {"words": "purge"}),
        *((f"/review/{waiting[0].item_id}/approve", {}), (f"/review/{waiting[1].item_id}/reject", {})),
        *((f"/entities/{dora}/{verb}", {"name": name}) for verb, name in (("rename", "D. Hill"), ("alias", "Do"))),
        *((f"/entities/{dora}/retype", {"type": "place"}), ("/runs/start", {"jobs": "consolidate"})),
        ("/sample", {}),
    ]  # fmt: skip
    for path, form in forms:
        answer = keyed.post(path, data=form, headers={"origin": "http://testserver"}, follow_redirects=False)
        assert answer.status_code in {200, 303}, (path, answer.text)
    events = memory.audit.events(limit=1000)[: -before or None]
    assert len(events) > len(forms) / 2
    assert {event.actor for event in events} <= {"api:laptop", "upkeep", "assistant"}


def test_no_key_is_kept_that_could_be_shown(state, tmp_path):
    _, headers = new(state)
    token = headers["authorization"].removeprefix("Bearer ")
    assert token.startswith(PREFIX)
    files = b"".join(
        file.read_bytes() for file in tmp_path.iterdir() if file.name.startswith("memory.server")
    )
    assert token.encode() not in files
    assert token[len(PREFIX) :].encode() not in files
    assert token not in repr(state.find(token))


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
def test_the_file_of_keys_is_its_owners_alone(state, tmp_path):
    assert stat.S_IMODE((tmp_path / "memory.server").stat().st_mode) == 0o600


@pytest.mark.parametrize("token", ["", PREFIX, f"{PREFIX}x", "x" * 50, f"{PREFIX}\udc80", f"{PREFIX}\0"])
def test_what_is_no_key_lets_nobody_in(state, token):
    new(state)
    assert state.find(token) is None


def test_a_key_ends_when_it_expires(keyed, state, now):
    _, headers = new(state, expires_at=int((now.s + 60) * SECOND_US))
    assert keyed.get("/v1/memories", headers=headers).status_code == 200
    now.s += 59.9
    assert keyed.get("/v1/memories", headers=headers).status_code == 200
    now.s += 0.1
    assert keyed.get("/v1/memories", headers=headers).status_code == 401
    with pytest.raises(InvalidInput, match="expired"):
        new(state, "late", expires_at=int((now.s - 1) * SECOND_US))


@pytest.mark.parametrize(
    "wanted", [{"expires_at": LAST + 1}, {"rate": 2**63}, {"rate": 0}, {"quota": 10**30}, {"quota": -1}]
)
def test_a_key_without_bounds_that_can_be_kept_is_refused_and_not_stored(state, wanted):
    with pytest.raises(InvalidInput):
        new(state, **wanted)
    assert state.keys() == []


def test_a_key_that_was_kept_with_an_end_beyond_all_years_is_shown_and_works(keyed, state):
    _, headers = new(state, expires_at=LAST)
    state._do("UPDATE server_keys SET expires_at = ?", (LAST * 2,))
    [key] = state.keys()
    assert key.to_dict()["expires_at"].startswith("9999-12-31")
    assert keyed.get("/v1/memories", headers=headers).status_code == 200


def test_a_revoked_key_is_let_in_no_more_by_any_process(keyed, state, tmp_path):
    key, headers = new(state)
    other = ServerState(tmp_path / "memory.server")
    other.revoke("laptop")
    other.close()
    assert keyed.get("/v1/memories", headers=headers).status_code == 401
    with pytest.raises(NotFound):
        state.revoke(key.id)


def test_a_name_that_two_keys_have_revokes_neither(state):
    first, _ = new(state)
    new(state)
    with pytest.raises(Conflict, match=first.id):
        state.revoke("laptop")
    assert state.revoke(first.id).revoked_at is not None


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 81, "\0"])
def test_a_key_has_a_name_that_can_be_told(state, name):
    with pytest.raises(InvalidInput, match="name"):
        new(state, name)


def test_a_key_of_a_narrowing_scope_names_scopes_within_it_alone(keyed, state):
    _, wide = new(state, "wide", narrows=True)
    _, bound = new(state, "bound")
    for headers, scope, status in (
        (wide, "user:ana/project:x", 200),
        (bound, "user:ana/project:x", 403),
        (wide, "user:bob", 403),
        (wide, "*", 403),
    ):
        asked = headers | {"x-simonides-scope": scope}
        assert keyed.get("/v1/memories", headers=asked).status_code == status, scope


# Rates


def test_a_key_of_a_rate_is_told_when_to_ask_again(state, now):
    credential = Credential(Scope("global"), key="k", rate=60)
    for _ in range(60):
        count_request(state, credential)
    with pytest.raises(Exception, match="60 times a minute") as refused:
        count_request(state, credential)
    assert refused.value.headers["retry-after"] == "1"
    now.s += 1
    count_request(state, credential)
    with pytest.raises(Exception, match="again in 1 s"):
        count_request(state, credential)


@given(
    rate=st.integers(1, 100),
    steps=st.lists(st.tuples(st.floats(-100, 100), st.booleans()), min_size=1, max_size=60),
)
def test_a_rate_holds_over_processes_and_whatever_the_clock_does(tmp_path_factory, rate, steps):
    """As many as it allows at once, and as many more as the time that went by brings: never more, by any process."""
    at = SimpleNamespace(s=1_800_000_000.0)
    path = tmp_path_factory.mktemp("rates") / "memory.server"
    states = [ServerState(path, clock=lambda: at.s) for _ in range(2)]
    let_in, gone_by = 0, 0.0
    for by, second in steps:
        at.s += by
        gone_by += max(0.0, by)
        wait_s = states[second].wait_s("k", rate)
        let_in += not wait_s
        assert 0 <= wait_s <= 60 / rate
        assert let_in <= rate + gone_by * rate / 60 + 1e-6
    assert let_in
    for state in states:
        state.close()


def test_a_quota_holds_for_a_day_and_over_a_restart(keyed, state, now, tmp_path):
    _, headers = new(state, quota=2)
    assert [keyed.get("/v1/memories", headers=headers).status_code for _ in range(3)] == [200, 200, 429]
    answer = keyed.get("/v1/memories", headers=headers)
    assert 0 < int(answer.headers["retry-after"]) <= 86_400
    again = ServerState(tmp_path / "memory.server", clock=lambda: now.s)
    assert again.used_today(state.keys()[0].id) > 2
    again.close()
    now.s += int(answer.headers["retry-after"])
    assert keyed.get("/v1/memories", headers=headers).status_code == 200


def test_a_stream_ends_soon_after_its_key(state):
    _, headers = new(state)
    sent = []

    async def endless(_, __, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": b"x", "more_body": True})
            await asyncio.sleep(0.05)

    async def send(message):
        sent.append(message)
        if len(sent) == 5:
            state.revoke("laptop")

    access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver")
    raw = [(b"host", b"testserver"), (b"authorization", headers["authorization"].encode())]
    asked = {"type": "http", "method": "GET", "path": "/v1/export", "query_string": b"", "headers": raw}
    guard = Guard(endless, access, Tenants(None), state)
    with pytest.raises(Revoked):
        asyncio.run(asyncio.wait_for(guard(asked, None, send), 60))
    assert len(sent) > 5


# Requests that name themselves


def test_a_request_that_comes_again_is_not_carried_out_twice(keyed, state, memory):
    _, headers = new(state)
    named = headers | {"idempotency-key": "one"}
    first = keyed.post("/v1/memories", json={"content": "Once."}, headers=named)
    again = keyed.post("/v1/memories", json={"content": "Once."}, headers=named)
    assert first.json() == again.json()
    assert again.status_code == 201
    other = keyed.post("/v1/memories", json={"content": "Another."}, headers=named)
    assert other.status_code == 409
    path = f"/v1/memories/{first.json()['verdicts'][0]['item_id']}/reinforce"
    raised = [
        keyed.post(path, json={}, headers=headers | {"idempotency-key": "two"}).json() for _ in range(3)
    ]
    assert {one["reinforcement"] for one in raised} == {3.0}
    assert len(memory.list(scope="user:ana")) == 1


def test_a_name_is_its_callers_own(keyed, state):
    for name, scope in (("a", "user:ana"), ("b", "user:bob")):
        _, headers = new(state, name, scope)
        sent = keyed.post(
            "/v1/memories", json={"content": f"{name}'s."}, headers=headers | {"idempotency-key": "one"}
        )
        assert sent.json()["verdicts"][0]["outcome"] == "accepted"


def test_what_was_refused_may_be_sent_again_under_its_name(keyed, state):
    _, headers = new(state)
    named = headers | {"idempotency-key": "one"}
    body = {"content": "Mine.", "type": "nonsense type"}
    statuses = [
        keyed.post("/v1/memories", json={"content": "\0"}, headers=named).status_code for _ in range(2)
    ]
    assert statuses == [422, 422]
    assert keyed.post("/v1/memories", json=body | {"type": "fact"}, headers=named).status_code == 201


def test_a_request_that_was_broken_off_is_carried_out_or_told_to_be_unknown(keyed, state, memory):
    """As after a crash between the write and its answer."""
    _, headers = new(state)
    named = headers | {"idempotency-key": "one"}
    item = keyed.post("/v1/memories", json={"content": "Once."}, headers=named).json()["verdicts"][0][
        "item_id"
    ]
    state._do("UPDATE server_requests SET answer = NULL")
    again = keyed.post("/v1/memories", json={"content": "Once."}, headers=named)
    assert again.json()["verdicts"][0]["item_id"] == item
    assert len(memory.list(scope="user:ana")) == 1
    path, named = f"/v1/memories/{item}/reinforce", headers | {"idempotency-key": "two"}
    keyed.post(path, json={}, headers=named)
    state._do("UPDATE server_requests SET answer = NULL")
    unknown = keyed.post(path, json={}, headers=named)
    assert (unknown.status_code, unknown.json()["code"]) == (409, "unknown_outcome")
    assert memory.get(item).reinforcement == 3.0


def test_no_text_of_a_memory_is_kept_beside_the_store(keyed, state, tmp_path):
    _, headers = new(state)
    for n, content in enumerate(["My tea is xyzzy.", "My tea is xyzzy.", "my password is xyzzy-Hunter2!"]):
        keyed.post("/v1/memories", json={"content": content}, headers=headers | {"idempotency-key": str(n)})
    files = b"".join(
        file.read_bytes() for file in tmp_path.iterdir() if file.name.startswith("memory.server")
    )
    assert b"xyzzy" not in files


def test_a_request_is_known_for_a_day(keyed, state, now):
    _, headers = new(state)
    named = headers | {"idempotency-key": "one"}
    keyed.post("/v1/memories", json={"content": "Once."}, headers=named)
    now.s += 86_401
    assert keyed.post("/v1/memories", json={"content": "Another."}, headers=named).status_code == 201


@pytest.mark.parametrize("name", ["", "x" * 201, "a\tb"])
def test_a_name_that_is_none_is_refused(keyed, state, name):
    _, headers = new(state)
    answer = keyed.post("/v1/memories", json={"content": "x"}, headers=headers | {"idempotency-key": name})
    assert answer.status_code == 400


# The file


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "memory.server"
    path.write_text("my notes " * 100)
    with pytest.raises(NotAStore):
        ServerState(path)
    assert path.read_text().startswith("my notes")
    with Memory(tmp_path / "other.db", embedder=FakeEmbedder(8)):
        pass
    with pytest.raises(NotAStore):
        ServerState(tmp_path / "other.db")


def test_a_file_of_a_later_release_is_refused(tmp_path):
    state = ServerState(tmp_path / "memory.server")
    state._connection.pragma("user_version", 99)
    state.close()
    with pytest.raises(NewerSchema):
        ServerState(tmp_path / "memory.server")


def test_a_file_of_the_first_form_keeps_its_keys(tmp_path):
    path = tmp_path / "memory.server"
    state = ServerState(path)
    _, token = state.create(NewKey(name="a", scope=Scope("user:ana"), role=Role.READER))
    state._connection.execute("DROP TABLE server_rates; DROP TABLE server_operations")
    state._connection.execute("ALTER TABLE server_requests DROP COLUMN holder")
    state._connection.execute("ALTER TABLE server_keys DROP COLUMN tenant")
    state._connection.pragma("user_version", 1)
    state.close()
    again = ServerState(path)
    assert again.find(token).scope == "user:ana"
    assert again.wait_s("k", 1) == 0
    again.close()


def test_keys_are_made_listed_and_revoked_at_the_command_line(run, path):
    with Memory(path, embedder=FakeEmbedder(8)):
        pass
    made = json.loads(
        run("keys", "create", "laptop", "--user", "ana", "--role", "writer", "--expires", "90d", "--json")
    )
    assert (made["scope"], made["role"]) == ("user:ana", "writer")
    assert "laptop" in run("keys", "list")
    assert made["key"] not in run("keys", "list", "--json")
    assert "no more" in run("keys", "revoke", "laptop")
    assert "revoked" in run("keys", "list")


@pytest.fixture
def run(path):
    """Standard output of a command that must succeed."""
    from typer.testing import CliRunner

    from simonides.edges.cli.main import app

    def call(*arguments):
        found = CliRunner().invoke(app, [*arguments, "--db", str(path)])
        assert found.exit_code == 0, found.output
        return found.output

    return call


def test_a_second_key_of_a_name_is_told_and_an_end_that_is_none_says_how_a_span_is_written(tmp_path):
    from typer.testing import CliRunner

    from simonides.edges.cli.main import app

    def create(*arguments):
        return CliRunner().invoke(app, ["--db", str(tmp_path / "m.db"), "keys", "create", *arguments])

    assert "too" not in create("laptop").stderr
    assert "laptop is the name of" in create("laptop").stderr
    refused = create("phone", "--expires", "soon")
    assert refused.exit_code == 2
    assert "90d" in refused.stderr
    for option, value in (("--expires", "8000y"), ("--expires", "99999y"), ("--rate", str(10**30))):
        refused = create("robot", option, value)
        assert refused.exit_code == 2, refused.output
    listed = CliRunner().invoke(app, ["--db", str(tmp_path / "m.db"), "keys", "list"])
    assert listed.exit_code == 0
    assert "robot" not in listed.output


def test_a_file_of_another_program_is_left_as_it_is(tmp_path):
    path = tmp_path / "theirs.server"
    with closing(sqlite3.connect(path)) as theirs, theirs:
        theirs.execute("CREATE TABLE birds (name)")
    before = path.read_bytes()
    with pytest.raises(NotAStore, match="another program's database"):
        ServerState(path)
    assert path.read_bytes() == before


def test_a_folder_that_is_missing_is_said(tmp_path):
    with pytest.raises(StoreReadOnly, match="check its folder"):
        ServerState(tmp_path / "missing" / "memory.server")
