"""Loading before the first chat of a process: it costs the chat no memory."""

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from simonides import Memory
from simonides.agent.loading import Loading
from simonides.agent.middleware import Answer, Chat, Middleware
from simonides.config import MiddlewareSettings, Settings

ANA = Chat("user:ana")
SHIPS = [{"role": "user", "content": "When does Apollo ship?"}]
PATIENT = MiddlewareSettings(deadline_ms=60_000)
HOUR_S = 3600.0
#: Holds a first chat after a rehearsal, and tells the modules that were missing.
FIRST_CHAT = """
import json, sys
from simonides import Memory
from simonides.agent.loading import rehearse
from simonides.agent.middleware import Answer, Chat, Middleware
from simonides.agent.workers import Deadline

chat = Chat("user:ana")
answer = 'Yes. <MEMORY_PROPOSALS_JSON>[{"content": "Ana likes tea.", "why_store": "x"}]</MEMORY_PROPOSALS_JSON>'
with Memory(sys.argv[1]) as memory, Middleware(memory) as middleware:
    rehearse()
    stored = memory.stats()["items"]
    before = set(sys.modules)
    for said in ("I like tea.", "What do we know about tea?"):
        turn = middleware.before_model([{"role": "user", "content": said}], chat, within=Deadline(60_000))
        middleware.after_model(turn, Answer(answer), within=Deadline(60_000))
print(json.dumps([stored, sorted(set(sys.modules) - before)]))
"""


@pytest.fixture
def memory(fresh):
    with Memory(fresh, settings=Settings()) as opened:
        opened.add("Apollo ships on Fridays.", scope="user:ana")
        yield opened


def test_the_deadline_of_the_first_hook_begins_when_all_is_loaded(memory, monkeypatch):
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr("simonides.agent.workers.time", clock)

    def slow():
        clock.now += HOUR_S

    with Middleware(memory, PATIENT, loading=Loading(slow)) as middleware:
        turn = middleware.before_model(SHIPS, ANA)
        outcome = middleware.after_model(turn, Answer("On Fridays."))
    assert clock.now == HOUR_S
    assert [item.content for item in turn.items] == ["Apollo ships on Fridays."]
    assert (turn.degradations, outcome.degradations) == ((), ())


def test_everything_is_loaded_once_and_every_chat_waits_for_it(memory):
    begun, gate, loads = threading.Event(), threading.Event(), []

    def slow():
        begun.set()
        assert gate.wait(60)
        loads.append(1)

    with (
        Middleware(memory, PATIENT, loading=Loading(slow)) as middleware,
        ThreadPoolExecutor(3) as chats,
    ):
        middleware.warm()
        assert begun.wait(60)
        turns = [chats.submit(middleware.before_model, SHIPS, ANA) for _ in range(3)]
        gate.set()
        assert all(not turn.result().degradations for turn in turns)
    assert loads == [1]


def test_a_failure_to_load_costs_the_chat_nothing(memory):
    def fails():
        raise OSError("no place for temporary files")

    with Middleware(memory, PATIENT, loading=Loading(fails)) as middleware:
        assert middleware.before_model(SHIPS, ANA).items


def test_after_a_rehearsal_a_first_chat_loads_no_module_and_the_store_holds_nothing_of_it(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", FIRST_CHAT, str(tmp_path / "chat.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == [0, []]
    assert run.stderr == ""


def test_a_middleware_that_was_closed_says_so_in_one_line(memory, caplog):
    middleware = Middleware(memory, PATIENT)
    middleware.close()
    turn = middleware.before_model(SHIPS, ANA)
    assert turn.messages[-1] == SHIPS[0]
    assert turn.degradations == (
        "memory failed: memory was not asked (the middleware was closed)",
        "memory failed: what was said is not recorded (the middleware was closed)",
    )
    assert caplog.records == []
