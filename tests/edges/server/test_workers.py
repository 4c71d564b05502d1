"""Workers: several processes that serve one store as one server."""

from __future__ import annotations

import errno
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from simonides.config import ProxySettings
from simonides.domain.scope import ALL, Scope
from simonides.edges.http.access import Access
from simonides.edges.http.serve import listening
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server import relay, workers
from simonides.edges.server.app import application
from simonides.edges.server.serving import serve
from simonides.edges.server.state import NewKey, ServerState
from simonides.edges.server.team import WORKER, Serving, Team
from simonides.memory import Memory
from simonides.testing import FakeEmbedder
from simonides.testing_server import ScriptedServer
from tests.edges.whole_answers import TestClient

from .conftest import McpTalk, free_port

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes share a socket on POSIX alone")


@contextmanager
def first_worker(memory, folder, **options):
    """The first worker, in a thread of this process."""
    access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver")
    place = {"store": folder / "memory.db", "state": folder / "memory.server"}
    serving = Serving(**place | options, access=access, upkeep=False)
    team, begun = Team(folder, 2, 0, "s" * 32), threading.Event()
    servers = []

    def begin(server):
        servers.append(server)
        begun.set()

    with listening("127.0.0.1", 0) as bound:
        thread = threading.Thread(
            target=serve,
            args=(serving, memory, bound),
            kwargs={"remark": print, "team": team, "begun": begin},
        )
        thread.start()
        assert begun.wait(60)
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            servers[0].stop()
            thread.join(60)


@pytest.fixture
def pair(memory, tmp_path):
    """A client of the second of two workers, and how the first is reached."""
    with first_worker(memory, tmp_path) as first:
        yield from second_worker(memory, tmp_path, first)


def second_worker(memory, folder, first, *, proxied=False):
    access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver")
    team = Team(folder, 2, 1, "s" * 32)
    with closing(ServerState(folder / "memory.server")) as state:
        _, token = state.create(NewKey(name="a", scope=Scope("user:ana"), role=Role.WRITER))
        key = {"authorization": f"Bearer {token}"}
        app = application(memory, access, state=state, team=team, proxied=proxied)
        with (
            TestClient(app, raise_server_exceptions=False) as second,
            httpx.Client(base_url=first, timeout=120) as direct,
        ):
            direct.get("/healthz")
            yield SimpleNamespace(second=second, first=direct, key=key, state=state)


def test_a_conversation_over_mcp_goes_on_whichever_worker_is_asked(pair):
    talk = McpTalk(pair.second, pair.key)
    for client in (pair.first, pair.second, pair.first):
        talk.client = client
        assert talk.asked("tools/list")["result"]["tools"]


def test_a_quota_holds_for_all_workers_together_and_no_request_counts_twice(pair):
    _, token = pair.state.create(NewKey(name="q", scope=Scope("user:ana"), role=Role.WRITER, quota=9))
    key = {"authorization": f"Bearer {token}"}
    asked = [
        (pair.second, "POST", "/mcp"),
        (pair.second, "GET", "/v1/stats"),
        (pair.first, "GET", "/v1/stats"),
    ]
    statuses = [client.request(method, path, headers=key).status_code for client, method, path in asked * 4]
    assert [status == 429 for status in statuses] == [False] * 9 + [True] * 3


def test_whoever_makes_a_workers_header_up_is_counted(pair):
    _, token = pair.state.create(NewKey(name="q", scope=Scope("user:ana"), role=Role.WRITER, quota=1))
    for name in ("x" * 32, "", "\xe9"):
        headers = {"authorization": f"Bearer {token}", WORKER: name.encode("latin-1")}
        pair.second.get("/v1/stats", headers=headers)
    assert pair.second.get("/v1/stats", headers=headers).status_code == 429


def test_metrics_tell_of_all_workers(pair, monkeypatch):
    monkeypatch.setattr(relay, "_METRICS_S", 60.0)
    for client, times in ((pair.first, 2), (pair.second, 3)):
        for _ in range(times):
            assert client.get("/v1/stats", headers=pair.key).status_code == 200
    pair.second.post("/mcp", headers=pair.key)
    for client in (pair.first, pair.second):
        # The first finds no second at its socket here, and tells what it counted itself.
        found = re.search(
            r'total\{operation="stats",status="200"\} (\d+)', client.get("/metrics", headers=pair.key).text
        )
        assert int(found[1]) == (2 if client is pair.first else 5)


def test_a_worker_that_is_away_is_a_problem_that_says_to_come_again(memory, tmp_path):
    with first_worker(memory, tmp_path) as first:
        pairs = second_worker(memory, tmp_path, first)
        pair = next(pairs)
    answer = pair.second.post("/mcp", headers=pair.key, json={})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert "again" in answer.json()["detail"]
    pairs.close()


def test_chats_go_on_to_the_worker_that_keeps_them(memory, tmp_path):
    with ScriptedServer(["Hello Ana!"]) as model:
        proxy = ProxySettings(upstream=model.url)
        with first_worker(memory, tmp_path, proxy=proxy) as first:
            for pair in second_worker(memory, tmp_path, first, proxied=True):
                chat = {"model": "m", "messages": [{"role": "user", "content": "I am Ana."}]}
                answer = pair.second.post("/v1/chat/completions", json=chat, headers=pair.key)
                assert answer.status_code == 200, answer.text
                assert "Hello Ana!" in answer.text
                _, reader = pair.state.create(NewKey(name="r", scope=Scope("user:ana"), role=Role.READER))
                refused = pair.second.post(
                    "/v1/chat/completions", json=chat, headers={"authorization": f"Bearer {reader}"}
                )
                assert refused.status_code == 403
    assert [str(item.scope) for item in memory.list(scope=ALL) if item.content == "I am Ana."] == ["user:ana"]


# Processes


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is split in two")
def test_a_worker_that_cannot_be_started_is_tried_again_and_all_are_stopped(tmp_path, monkeypatch):
    """The first of two ends, and at first the system has no room for another one."""
    fork, forks, said = os.fork, [], []

    def forked():
        forks.append(None)
        if len(forks) == 3:
            raise OSError(errno.EAGAIN, "no room")
        number = fork()
        if number and len(forks) == 4:
            os.kill(os.getpid(), signal.SIGTERM)
        return number

    def work(_):
        if len(forks) == 1:
            os._exit(3)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        signal.pause()

    monkeypatch.setattr(os, "fork", forked)
    monkeypatch.setattr(workers, "load", lambda: None)
    monkeypatch.setattr(workers, "work", work)
    monkeypatch.setattr(workers, "_AGAIN_S", 0.01)
    with listening("127.0.0.1", 0) as bound:
        workers.ServerWorkers(2, None, bound, said.append).keep()
    assert said == [
        "worker 1 ended (exit code 3); it is started again",
        "worker 1 cannot be started (no room); trying again",
    ]
    assert multiprocessing.active_children() == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is split in two")
def test_no_worker_is_started_after_the_order_to_stop(tmp_path, monkeypatch):
    """It comes while the second of three workers is started, which fails without a number of the system's."""
    fork, forks, said = os.fork, [], []

    def forked():
        forks.append(None)
        if len(forks) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
            raise OSError("no room")
        return fork()

    def work(_):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        signal.pause()

    monkeypatch.setattr(os, "fork", forked)
    monkeypatch.setattr(workers, "load", lambda: None)
    monkeypatch.setattr(workers, "work", work)
    with listening("127.0.0.1", 0) as bound:
        workers.ServerWorkers(3, None, bound, said.append).keep()
    assert len(forks) == 2
    assert said == ["worker 2 cannot be started (no room); trying again"]
    assert multiprocessing.active_children() == []


class ServedByTwo:
    """`simonides serve --workers 2`."""

    def __init__(self, path, port):
        self.url = f"http://127.0.0.1:{port}"
        arguments = ["serve", "--db", str(path), "--port", str(port), "--workers", "2", "--no-upkeep"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "simonides", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": str(path.parent)},
        )

    def workers(self):
        """Numbers of the processes that it started."""
        told = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(number) for number in told.split()]

    def until(self, holds):
        for _ in range(1200):
            with suppress(httpx.TransportError):
                if holds():
                    return
            assert self.process.poll() is None, self.process.stderr.read()
            time.sleep(0.1)
        raise AssertionError("it did not come to that")


def is_running(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are told by Linux")
def test_a_worker_that_is_killed_is_replaced_and_all_end_with_the_one_that_started_them(path):
    with Memory(path, embedder=FakeEmbedder(8)):
        pass
    port = free_port()
    team = ServedByTwo(path, port)
    try:
        team.until(lambda: httpx.get(f"{team.url}/readyz", timeout=5).status_code == 200)
        team.until(lambda: len(team.workers()) == 2)
        before = team.workers()
        os.kill(before[0], signal.SIGKILL)
        team.until(lambda: len(team.workers()) == 2 and before[0] not in team.workers())
        for _ in range(4):
            team.until(lambda: httpx.get(f"{team.url}/readyz", timeout=5).status_code == 200)
        [latest] = set(team.workers()) - set(before)
        os.kill(latest, signal.SIGSTOP)  # It was forked last, and what it inherited keeps no other one up.
        team.process.kill()
        team.process.wait(60)
        ends = time.monotonic() + 120
        while is_running(before[1]) and time.monotonic() < ends:
            time.sleep(0.1)
        gone = not is_running(before[1])
        os.kill(latest, signal.SIGCONT)
        assert gone
        for _ in range(600):
            try:
                httpx.get(f"{team.url}/healthz", timeout=5)
            except httpx.ConnectError:  # Nobody holds the socket any more.
                break
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        else:
            raise AssertionError("workers go on without the process that started them")
        while is_running(latest) and time.monotonic() < ends:
            time.sleep(0.1)
        assert list(path.parent.glob("simonides-*")) == []  # Nor is their folder left.
    finally:
        team.process.kill()
        said = team.process.communicate()[1]
    assert "SIGKILL" in said
    again = ServedByTwo(path, port)
    again.until(lambda: httpx.get(f"{again.url}/readyz", timeout=5).status_code == 200)
    again.process.send_signal(signal.SIGTERM)
    said = again.process.communicate(timeout=120)[1]
    assert again.process.returncode == 0
    assert "Traceback" not in said
