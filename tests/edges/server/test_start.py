"""Starting: what is loaded before anybody asks, and what only when it is asked for."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading

import pytest
from anyio import create_task_group, run, to_thread

from simonides.domain.scope import Scope
from simonides.edges.http.tokens import Role
from simonides.edges.server import other_paths
from simonides.edges.server.app import application
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.endpoint import Threads
from simonides.edges.server.operation import Nothing, Operation, OperationCall
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.serving import keeping_up, reading_ahead
from simonides.memory import Memory
from simonides.testing import FakeEmbedder, FrozenClock, ScriptedModel
from tests.edges.whole_answers import TestClient

from .conftest import bearer


def said_by(program, *arguments):
    """Lines that a program writes, in a process of its own."""
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout.split()


def test_what_few_ask_for_is_loaded_when_it_is_asked_for(path):
    program = """
        import sys
        from simonides.domain.scope import Scope
        from simonides.edges.http.access import Access
        from simonides.edges.http.tokens import Credential
        from simonides.edges.server.app import application
        from simonides.memory import Memory

        late = ("mcp", "simonides.edges.server.shapes", "httpx", "simonides.agent.middleware")

        def loaded():
            print(*(name for name in late if name in sys.modules), sep=",")

        with Memory(sys.argv[1]) as memory:
            app = application(memory, Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver"))
            loaded()
        """
    assert said_by(program, path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each worker loads for itself")
def test_a_process_that_will_split_keeps_no_thread_and_no_file_open():
    program = """
        import os, threading
        from simonides.edges.server.workers import load
        before = os.listdir("/proc/self/fd")
        load()
        print(threading.active_count())
        print(*(os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
            if n not in before and os.path.exists(f"/proc/self/fd/{n}")))
        """
    one, *files = said_by(program)
    assert one == "1"
    assert not [name for name in files if name.endswith((".db", "-wal", "-shm"))]


def test_whoever_writes_does_not_wait_for_searches(memory):
    begun, may_end = threading.Event(), threading.Event()

    def searches(_, __):
        begun.set()
        assert may_end.wait(60)
        return {}

    def writes(_, __):
        may_end.set()
        return {}

    reading = Operation("slow", "GET", "/v1/slow", Role.READER, "Slow.", searches, None)
    writing = Operation("quick", "POST", "/v1/quick", Role.WRITER, "Quick.", writes, None)
    call = OperationCall(memory, ServerCaller(Scope("global"), Role.ADMIN, "api", "ana"))
    answers = []

    async def asked(threads, operation):
        answers.append((operation.name, (await threads.answer(operation, call, Nothing(), None)).status_code))

    async def both():
        threads = Threads(reading=1)
        async with create_task_group() as group:
            group.start_soon(asked, threads, reading)
            group.start_soon(asked, threads, reading)
            await to_thread.run_sync(begun.wait)
            group.start_soon(asked, threads, writing)

    run(both)
    assert sorted(answers) == [("quick", 200), ("slow", 200), ("slow", 200)]


def test_those_who_wait_to_read_keep_nobody_from_writing(memory):
    begun, may_end = threading.Event(), threading.Event()

    def searches(_, __):
        begun.set()
        assert may_end.wait(60)
        return {}

    reading = Operation("slow", "GET", "/v1/slow", Role.READER, "Slow.", searches, None)
    writing = Operation("quick", "POST", "/v1/quick", Role.WRITER, "Quick.", lambda _, __: {}, None)
    call = OperationCall(memory, ServerCaller(Scope("global"), Role.ADMIN, "api", "ana"))

    async def asked(threads, operation):
        return (await threads.answer(operation, call, Nothing(), None)).status_code

    refused = []

    async def tried(threads):
        try:
            await asked(threads, reading)
        except HttpProblem as problem:
            refused.append(problem.status)

    async def many():
        threads = Threads(reading=1, waiting=2)
        async with create_task_group() as group:
            try:
                for _ in range(5):
                    group.start_soon(tried, threads)
                await to_thread.run_sync(begun.wait)
                assert refused == [503, 503]  # One is answered, two wait.
                await tried(threads)
                assert refused == [503] * 3
                assert await asked(threads, writing) == 200
            finally:
                may_end.set()

    run(many)


def test_an_sdk_of_mcp_that_fails_in_any_way_ends_nothing_else(path, tmp_path):
    """Its packages are somebody else's: what they raise when they are imported may be anything."""
    (tmp_path / "mcp").mkdir()
    (tmp_path / "mcp" / "__init__.py").write_text("raise RuntimeError('xyzzy')\n")
    program = """
        import sys
        sys.path.insert(0, sys.argv[2])
        from starlette.testclient import TestClient
        from simonides.domain.scope import Scope
        from simonides.edges.http.access import Access
        from simonides.edges.http.tokens import Credential
        from simonides.edges.server.app import application
        from simonides.memory import Memory

        with Memory(sys.argv[1]) as memory:
            access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver")
            with TestClient(application(memory, access)) as client:
                for path in ("/mcp", "/mcp", "/healthz"):
                    print(client.post(path, json={}).status_code if path == "/mcp" else client.get(path).status_code)
        """
    assert said_by(program, path, tmp_path) == ["500", "500", "200"]


def test_what_the_first_question_needs_is_read_ahead_and_counts_as_no_use(path):
    with Memory(path) as memory:
        ids = memory.add(
            ["We ship on Fridays.", "What do we know? The dome is green."], project="apollo"
        ).item_ids
    with Memory(path) as memory:
        index = memory._parts.recall.index
        assert len(index) == 0
        with reading_ahead(memory, 0):
            for thread in threading.enumerate():
                if thread.name == "simonides-ahead":
                    thread.join(60)
            assert len(index) == 2
        memory.flush()
        assert [memory.get(id_).usage.usage_count for id_ in ids] == [0, 0]


def test_nothing_is_read_ahead_where_others_would_be_asked_or_it_ends_before(path):
    class Far(FakeEmbedder):
        local = False

    with Memory(path, embedder=Far(8)) as memory, reading_ahead(memory, 0):
        assert "simonides-ahead" not in {thread.name for thread in threading.enumerate()}
    with Memory(path, embedder=FakeEmbedder(8)) as memory:
        with reading_ahead(memory, 600):
            assert "simonides-ahead" in {thread.name for thread in threading.enumerate()}
        assert "simonides-ahead" not in {thread.name for thread in threading.enumerate()}


def test_mcp_that_could_not_be_loaded_is_tried_again_after_a_while(memory, access, monkeypatch):
    pytest.importorskip("mcp")
    monkeypatch.setattr(other_paths, "_AGAIN_S", 3600.0)
    hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    sent = {"json": hello, "headers": bearer("admin") | {"accept": "application/json, text/event-stream"}}
    with TestClient(application(memory, access), raise_server_exceptions=False) as client:
        with monkeypatch.context() as broken:
            broken.setitem(sys.modules, "simonides.edges.mcp.http", None)
            assert client.post("/mcp", **sent).status_code == 501
        assert client.post("/mcp", **sent).status_code == 501  # That was just now.
        monkeypatch.setattr(other_paths, "_AGAIN_S", 0.0)
        for _ in range(2):
            assert client.post("/mcp", **sent).status_code not in {404, 500, 501}


def test_a_server_that_ends_waits_for_one_step_of_upkeep_and_no_more(path):
    begun, go_on, over = threading.Event(), threading.Event(), threading.Event()

    def facts(_):
        begun.set()
        assert go_on.wait(60)
        return {"facts": []}

    clock = FrozenClock("2026-03-01T12:00Z")
    model = ScriptedModel({"extract": facts})
    with Memory(path, embedder=FakeEmbedder(), model=model, clock=clock) as memory:
        for number in range(9):
            memory.add(
                [{"role": "user", "content": f"I live in Graz, at number {number}."}], session_id=f"s{number}"
            )
        clock.advance(hours=2)

        def serve():
            with keeping_up(memory, pytest.fail):
                begun.wait(60)
            over.set()

        thread = threading.Thread(target=serve)
        thread.start()
        assert begun.wait(60)
        assert not over.wait(0.5)  # The step that is under way ends.
        go_on.set()
        assert over.wait(60)
        assert len(model.prompts) < 9
        assert any(memory.sessions.waiting(f"s{number}") for number in range(9))
