"""A middleware in a process of its own: the same hooks, and nothing lost when the process dies."""

import os
import random
import signal
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace

import pytest

from simonides import Memory
from simonides.agent.calls import sendable
from simonides.agent.process import MiddlewareProcess
from simonides.agent.served import ChatOrder
from simonides.agent.turn import Answer, Chat, ToolCall
from simonides.agent.workers import Deadline
from simonides.config import MiddlewareSettings, Mode
from simonides.errors import NotAStore, RateLimited, SimonidesError

CHAT = Chat(scope="user:ana", session_id="s1", mode=Mode.INJECT)


@pytest.fixture(autouse=True)
def no_settings(monkeypatch, tmp_path):
    for name in [name for name in os.environ if name.startswith("SIMONIDES_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


def patient():
    return Deadline(60_000)


def opened(path, deadline_ms=60_000):
    return MiddlewareProcess(path, MiddlewareSettings(deadline_ms=deadline_ms))


def asked(text):
    return ({"role": "user", "content": text},)


def killed_now(middleware):
    with suppress(ProcessLookupError):  # It is being started again.
        os.kill(middleware.pid, signal.SIGKILL)


def turns(path):
    with Memory(path) as memory:
        items = memory.timeline(scope="user:ana", types=["episode"], limit=10_000)
        return [(item.provenance.source_role, item.content) for item in items]


def test_it_recalls_offers_tools_runs_them_and_records(path):
    with Memory(path) as memory:
        memory.add("The dome of the observatory is green.", scope="user:ana")
    with opened(path) as middleware:
        assert middleware.path == str(path)
        turn = middleware.before_model(
            asked("Which colour does the dome of the observatory have?"), CHAT, within=patient()
        )
        assert "green" in str(turn.messages)
        assert turn.injection_id is not None
        assert middleware.intercept(turn, Answer("It is green.")) is None
        call = ToolCall("memory_search", {"query": "dome"}, id="c1")
        again = middleware.intercept(turn, Answer("", (call,)), in_words=False)
        assert "green" in str(again.messages[-1])
        outcome = middleware.after_model(again, Answer("It is green."), within=patient())
        assert (outcome.text, outcome.recorded, outcome.degradations) == ("It is green.", True, ())
        middleware.extract_due(lambda: False)
        middleware.settle()
    assert middleware.failures == 0
    assert turns(path) == [
        ("user", "Which colour does the dome of the observatory have?"),
        ("assistant", "It is green."),
    ]


def test_a_store_that_cannot_be_used_is_refused_with_its_own_error(path):
    path.write_text("no database " * 1000)
    with pytest.raises(NotAStore, match=r"memory\.db"):
        opened(path)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process can be stopped on POSIX only")
def test_a_process_that_hangs_holds_no_chat_up_and_loses_nothing(path):
    with opened(path) as middleware:
        middleware.before_model(asked("Is memory awake?"), CHAT, within=patient())
        os.kill(middleware.pid, signal.SIGSTOP)
        try:
            # While it is stopped, nothing that waits for it returns.
            turn = middleware.before_model(asked("My telescope is blue."), CHAT, within=Deadline(100))
            outcome = middleware.after_model(turn, Answer("So it is."), within=Deadline(100))
        finally:
            os.kill(middleware.pid, signal.SIGCONT)
        assert turn.degradations == ("memory was late: memory was not asked",)
        assert outcome.degradations[-1] == "memory was late: the answer is not stored yet"
    assert set(turns(path)) >= {("user", "My telescope is blue."), ("assistant", "So it is.")}


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process can be stopped on POSIX only")
@pytest.mark.parametrize("session_id", [None, "s1"])
def test_chats_that_go_on_while_memory_is_late_are_recorded_once_and_in_order(session_id, path):
    chats = {number: replace(CHAT, session_id=session_id and f"{session_id}-{number}") for number in range(3)}
    histories = dict.fromkeys(chats, ())
    with opened(path) as middleware:
        middleware.before_model(asked("Is memory awake?"), replace(CHAT, session_id="s0"), within=patient())
        os.kill(middleware.pid, signal.SIGSTOP)
        try:
            for place in range(3):
                for number, chat in chats.items():
                    histories[number] += asked(f"Telescope {number} has lens {place}.")
                    turn = middleware.before_model(histories[number], chat, within=Deadline(1))
                    answer = f"Lens {place} of {number} it is."
                    assert middleware.after_model(turn, Answer(answer), within=Deadline(1)).degradations
                    histories[number] += ({"role": "assistant", "content": answer},)
        finally:
            os.kill(middleware.pid, signal.SIGCONT)
    with Memory(path) as memory:
        names = {session.session_id for session in memory.sessions.list(scope="user:ana")} - {"s0"}
        told = [[turn.content for turn in memory.sessions.get(name, scope="user:ana")] for name in names]
    assert sorted(told) == [[said["content"] for said in history] for history in histories.values()]


def test_a_hook_comes_behind_those_of_its_own_chat_alone():
    order, hooks = ChatOrder(), [Future[None]() for _ in range(5)]
    said = {"role": "assistant", "content": "So it is."}
    ana, bob = Chat(scope="user:ana"), Chat(scope="user:bob")
    assert order.begin(1, asked("My telescope is blue."), ana, hooks[0]) == []
    hooks[0].set_result(None)
    assert (
        order.begin(2, asked("My telescope is blue."), ana, hooks[1]) == []
    )  # Another chat, or a second try.
    order.end(1, hooks[2])
    onward = (*asked("My telescope is blue."), said, *asked("Where is it?"))
    assert order.begin(3, onward, ana, hooks[3]) == [hooks[0], hooks[2], hooks[1]]
    assert order.begin(4, onward, bob, hooks[4]) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="a process can be killed on POSIX only")
@pytest.mark.parametrize("seed", range(2))
def test_words_are_recorded_once_whenever_the_process_is_killed(seed, path):
    draw = random.Random(seed)
    said, history, without = [], (), 0
    with opened(path) as middleware:
        for number in range(6):
            history = (*history, *asked(f"Telescope {number} is blue."))
            killed = draw.choice(("never", "never", "before", "between", "after"))
            if killed == "before":
                killed_now(middleware)
            turn = middleware.before_model(history, CHAT, within=Deadline(draw.choice((1, 50, 60_000))))
            if killed == "between":
                killed_now(middleware)
            answer = f"Yes, number {number} is blue."
            outcome = middleware.after_model(turn, Answer(answer), within=patient())
            without += bool(outcome.degradations)
            if killed == "after":
                killed_now(middleware)
            history = (*history, {"role": "assistant", "content": answer})
            said += [("user", f"Telescope {number} is blue."), ("assistant", answer)]
        # Whoever closes in the moment of a death is told how much was not recorded.
        middleware.before_model(history, CHAT, within=patient())
        deadline = time.monotonic() + 60
        while middleware.unrecorded and time.monotonic() < deadline:
            time.sleep(0.05)
    assert middleware.failures == 0
    assert without > 0
    assert sorted(turns(path)) == sorted(said)


def test_an_error_that_cannot_be_sent_is_sent_in_its_words():
    class Local(Exception):
        pass

    assert isinstance(sendable(NotAStore("x is no store")), NotAStore)
    for error in (Local("it broke"), RateLimited(1.0, 2)):
        assert isinstance(sendable(error), (SimonidesError, type(error)))
        assert str(sendable(error)) == str(error)
