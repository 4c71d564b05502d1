"""OpenAI Agents: sessions keep items as they are, requests get what is known, runs are recorded."""

import asyncio
import json

import pytest
from agents import Agent, Model, ModelResponse, RunConfig, Runner, SQLiteSession, Usage, set_tracing_disabled
from agents.memory import Session
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from simonides.adapters.openai_agents import MemoryHooks, SimonidesSession, memory_tools, recall_filter

ANA = {"user_id": "ana"}


class Scripted(Model):
    """A model that gives its answers in order, and keeps what it was sent."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    async def get_response(self, **given):
        self.asked.append(list(given["input"]))
        return ModelResponse(output=[self.answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


@pytest.fixture(autouse=True)
def no_tracing():
    set_tracing_disabled(disabled=True)


def said(text):
    part = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[part])


def called(name, **arguments):
    return ResponseFunctionToolCall(
        type="function_call", call_id="c1", name=name, arguments=json.dumps(arguments), id="f1"
    )


def run(agent, text, **options):
    return asyncio.run(Runner.run(agent, text, **options))


def turns(memory, session_id):
    return [
        (item.provenance.source_role, item.content)
        for item in memory.sessions.get(session_id, scope="user:ana")
    ]


ITEMS = [
    {"role": "user", "content": "hi"},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "opaque"},
    {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "id": "fc"},
    {"type": "function_call_output", "call_id": "c", "output": "{}"},
    {"type": "message", "role": "assistant", "id": "m", "status": "completed",
     "content": [{"type": "output_text", "text": "hello", "annotations": []}]},
]  # fmt: skip


class TestSession:
    """Contract of a session, for theirs and for ours around it."""

    @pytest.fixture(params=["theirs", "ours"])
    def session(self, request, memory, tmp_path):
        inner = SQLiteSession("thread-1", tmp_path / "session.db")
        yield inner if request.param == "theirs" else SimonidesSession(memory, inner, **ANA)
        inner.close()

    def test_it_is_a_session(self, session):
        assert isinstance(session, Session)
        assert session.session_id == "thread-1"

    def test_items_come_back_unchanged_and_in_order(self, session):
        async def work():
            await session.add_items(ITEMS[:2])
            await session.add_items(ITEMS[2:])
            assert await session.get_items() == ITEMS
            assert await session.get_items(limit=2) == ITEMS[-2:]
            assert await session.get_items(limit=100) == ITEMS

        asyncio.run(work())

    def test_the_last_item_is_popped(self, session):
        async def work():
            assert await session.pop_item() is None
            await session.add_items(ITEMS)
            assert await session.pop_item() == ITEMS[-1]
            assert await session.get_items() == ITEMS[:-1]

        asyncio.run(work())

    def test_it_is_cleared(self, session):
        async def work():
            await session.add_items(ITEMS)
            await session.clear_session()
            assert await session.get_items() == []
            await session.add_items([])
            assert await session.get_items() == []

        asyncio.run(work())


def test_what_is_said_in_a_session_is_known_in_the_next(memory):
    def session(name):
        return SimonidesSession(memory, SQLiteSession(name), **ANA)

    first = Scripted(said("Noted."))
    run(Agent("a", model=first), "Ana drinks green tea without sugar.", session=session("one"))
    assert turns(memory, "one") == [("user", "Ana drinks green tea without sugar."), ("assistant", "Noted.")]
    second = Scripted(said("Green tea."))
    config = RunConfig(call_model_input_filter=recall_filter(memory, **ANA))
    own = session("two")
    run(Agent("a", model=second), "What does Ana drink?", session=own, run_config=config)
    [sent] = second.asked
    assert "green tea" in json.dumps(sent[-2])
    assert sent[-1]["content"] == "What does Ana drink?"
    # What was recalled is in no session.
    assert "green tea without" not in json.dumps(asyncio.run(own.get_items()))


def test_nothing_goes_into_a_request_that_asks_nothing_known(memory):
    memory.add("Ana drinks green tea without sugar.", **ANA)
    model = Scripted(said("?"), said("ok"))
    config = RunConfig(call_model_input_filter=recall_filter(memory, **ANA))
    run(Agent("a", model=model), "Which port does the relay use?", run_config=config)
    run(Agent("a", model=model), "ok", run_config=config)
    assert [len(sent) for sent in model.asked] == [1, 1]


def test_hooks_record_a_run_without_a_session(memory):
    model = Scripted(said("Noted."))
    run(Agent("a", model=model), "Ana drinks tea.", hooks=MemoryHooks(memory, "s", **ANA))
    assert turns(memory, "s") == [("user", "Ana drinks tea."), ("assistant", "Noted.")]


def test_an_agent_calls_the_tools(memory):
    memory.add("Ana drinks green tea.", **ANA)
    model = Scripted(called("memory_search", query="what does Ana drink?"), said("Tea."))
    run(Agent("a", model=model, tools=memory_tools(memory, **ANA)), "What does Ana drink?")
    output = next(item for item in model.asked[1] if item.get("type") == "function_call_output")
    assert json.loads(output["output"])["hits"][0]["content"] == "Ana drinks green tea."


def test_bad_arguments_are_answered_and_do_not_end_the_run(memory):
    model = Scripted(called("memory_search", nonsense=5), said("Sorry."))
    run(Agent("a", model=model, tools=memory_tools(memory)), "?")
    assert "error" in json.dumps(model.asked[1][-1])


def test_a_closed_memory_ends_no_run(memory):
    session = SimonidesSession(memory, SQLiteSession("s"), **ANA)
    config = RunConfig(call_model_input_filter=recall_filter(memory, **ANA))
    memory.close()
    result = run(
        Agent("a", model=Scripted(said("Hi."))), "What does Ana drink?", session=session, run_config=config
    )
    assert result.final_output == "Hi."
