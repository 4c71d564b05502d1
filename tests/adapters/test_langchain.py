"""LangChain: a chat history, a retriever, tools and middleware of an agent."""

import asyncio
import json

import pytest
from langchain.agents import create_agent
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from simonides.adapters.kept_values import as_json, fitted
from simonides.adapters.langchain import (
    SimonidesChatMessageHistory,
    SimonidesRetriever,
    memory_middleware,
    memory_tools,
)
from simonides.domain.item import MAX_METADATA_BYTES, canonical_json

CALL = {"name": "f", "args": {"x": 1}, "id": "c1", "type": "tool_call"}
MESSAGES = [
    SystemMessage("You are a baker."),
    HumanMessage("hi", id="m1", name="ana"),
    AIMessage("", tool_calls=[CALL], response_metadata={"model": "x"}),
    ToolMessage("42", tool_call_id="c1"),
    AIMessage([{"type": "text", "text": "hello"}]),
]


class Scripted(GenericFakeChatModel):
    """A model that gives its answers in order, and keeps what it was sent."""

    asked: list = []  # noqa: RUF012 - a field of pydantic

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, *args, **kwargs):
        self.asked.append(messages)
        return super()._generate(messages, *args, **kwargs)


def scripted(*answers):
    return Scripted(messages=iter(answers), asked=[])


# Theirs is on its way out in LangChain 2.
@pytest.mark.filterwarnings("ignore:The class `InMemoryChatMessageHistory`")
class TestHistory:
    """Contract of a history of LangChain, for theirs and ours."""

    @pytest.fixture(params=["theirs", "ours"])
    def history(self, request, memory):
        return (
            InMemoryChatMessageHistory()
            if request.param == "theirs"
            else SimonidesChatMessageHistory(memory, "s")
        )

    def test_messages_come_back_as_they_were(self, history):
        history.add_messages(MESSAGES[:2])
        for message in MESSAGES[2:]:
            history.add_message(message)
        assert history.messages == MESSAGES

    def test_the_same_message_twice_is_two(self, history):
        for _ in range(3):
            history.add_user_message("ok")
        assert [message.content for message in history.messages] == ["ok"] * 3

    def test_it_is_cleared_and_goes_on(self, history):
        history.add_messages(MESSAGES)
        history.clear()
        history.clear()
        assert history.messages == []
        history.add_ai_message("again")
        assert [message.content for message in history.messages] == ["again"]

    def test_the_same_by_await(self, history):
        async def work():
            await history.aadd_messages(MESSAGES)
            assert await history.aget_messages() == MESSAGES
            await history.aclear()
            assert await history.aget_messages() == []

        asyncio.run(work())

    def test_it_is_long(self, history):
        history.add_messages([HumanMessage(str(n)) for n in range(150)])
        assert [message.content for message in history.messages] == [str(n) for n in range(150)]


def test_what_was_said_is_found_and_histories_do_not_mix(memory):
    mine = SimonidesChatMessageHistory(memory, "s", user_id="ana")
    other = SimonidesChatMessageHistory(memory, "s", user_id="bob")
    mine.add_messages([HumanMessage("I drink green tea without sugar."), AIMessage("Noted.")])
    assert other.messages == []
    assert memory.search("what do I drink?", user_id="ana").hits[0].item.content.startswith("I drink")
    assert [turn.content for turn in memory.sessions.get("s", scope="user:ana")][-1] == "Noted."
    other.clear()
    assert len(mine.messages) == 2


def test_a_secret_is_kept_nowhere(memory, path):
    history = SimonidesChatMessageHistory(memory, "s")
    secret = "ghp_R7xW2qLm9TzKc4VbNs8YdFh3JpQa6EuGiOt1"
    history.add_user_message(f"My token is {secret} and I like tea.")
    assert "I like tea" in history.messages[0].content
    memory.flush()
    assert all(secret.encode() not in file.read_bytes() for file in path.parent.glob("memory.db*"))


WORD, TOKEN = "hunter2hunter2", "ghp_R7xW2qLm9TzKc4VbNs8YdFh3JpQa6EuGiOt1"


def login(**args):
    return AIMessage("", tool_calls=[{"name": "login", "args": args, "id": "c1"}])


def raw(arguments):
    call = {"id": "c1", "type": "function", "function": {"name": "login", "arguments": arguments}}
    return AIMessage("", additional_kwargs={"tool_calls": [call]})


@pytest.mark.parametrize(
    "message",
    [
        login(user="ana", password=WORD),
        login(user="ana", password=98765432),
        login(credentials={"user": "ana", "passwords": [WORD]}),
        login(content={"password": {WORD: True}}),
        login(**{TOKEN: 1}),
        raw(json.dumps({"user": "ana", "password": WORD})),
        raw(json.dumps({"user": "ana", "password": 98765432})),
        raw(json.dumps({"user": "ana", "password": WORD})[:-1]),
        HumanMessage([{"type": "text", "text": "my password is"}, {"type": "text", "text": WORD}]),
        HumanMessage(["my pass", f"word is {WORD}"]),
        HumanMessage("hello", id=TOKEN),
        ToolMessage({"password": WORD}, tool_call_id="c1", artifact={"token": TOKEN}),
        AIMessage("", usage_metadata={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}, id=TOKEN),
    ],
)
def test_a_secret_is_marked_wherever_it_stands_in_a_message(memory, path, message):
    history = SimonidesChatMessageHistory(memory, "s")
    history.add_messages([HumanMessage("Log me in."), message, AIMessage("You are in.")])
    first, kept, last = history.messages
    assert (first.text, last.text) == ("Log me in.", "You are in.")
    assert kept.type == message.type
    assert "[secret: " in str(kept)
    calls = getattr(kept, "tool_calls", [])
    assert [(one["name"], one["id"]) for one in calls] == [("login", "c1")] * len(calls)
    assert [one["args"].get("user", "ana") for one in calls] == ["ana"] * len(calls)
    memory.flush()
    written = b"".join(file.read_bytes() for file in path.parent.glob("memory.db*"))
    assert not [one for one in (WORD, TOKEN, "98765432") if one.encode() in written]


def test_what_is_too_large_for_a_record_is_a_note_in_its_message(memory):
    history = SimonidesChatMessageHistory(memory, "s")
    picture = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64," + "A" * 300_000}}
    small = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 100_000}}
    asked = HumanMessage([{"type": "text", "text": "What is on them?"}, picture, small])
    numbers = AIMessage("Cats.", response_metadata={"logprobs": [0.25] * 100_000, "model": "x"})
    history.add_messages([asked, numbers, HumanMessage("word " * 60_000)])
    first, second, third = history.messages
    assert first.content == [
        asked.content[0],
        {"type": "image_url", "image_url": {"url": "[left out: image/jpeg of 300,025 bytes]"}},
        small,
    ]
    assert (second.text, second.response_metadata["model"]) == ("Cats.", "x")
    assert second.response_metadata["logprobs"].startswith("[left out: a value of ")
    assert third.content == "[left out: a text of 300,002 bytes]"
    turns = memory.sessions.get("s")
    assert [turn.content[:16] for turn in turns] == ["What is on them?", "Cats.", "word word word w"]
    assert len(turns[-1].content) == 300_000


def test_a_message_of_several_parts_that_are_too_large_together_stays_one(memory):
    history = SimonidesChatMessageHistory(memory, "s")
    kinds = ["x" * 235_000, [10**99] * 2_300, ["word " * 100] * 450]
    history.add_messages(
        [
            AIMessage("Hi.", additional_kwargs={"a": one}, response_metadata={"b": one}, usage={"c": one})
            for one in kinds
        ]
    )
    for message in history.messages:
        assert message.content == "Hi."
        assert "[left out: " in f"{message.additional_kwargs} {message.response_metadata}"
    history.add_message(
        AIMessage(kinds[0], additional_kwargs={"a": kinds[0]}, response_metadata={"a": kinds[0]})
    )
    assert history.messages[-1].content == "[left out: a text of 235,002 bytes]"


def test_values_that_are_one_in_json_keep_names_of_their_own():
    assert as_json({1: "a", "1": "b", "1 2": "c", None: 0, "None": 1}) == {
        "1": "a", "1 2": "b", "1 2 2": "c", "None": 0, "None 2": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        {"a": ["x" * 500] * 480, "b": ["x" * 500] * 480, "c": [[0.25] * 40_000] * 3},
        [[10**99] * 1_000] * 5,
        {"a": dict.fromkeys(map(str, range(30_000)), 1)},
    ],
)
def test_a_value_that_is_too_large_keeps_its_kind(value):
    kept = fitted(value)
    assert (type(kept), len(kept)) == (type(value), len(value))
    assert len(canonical_json(kept)) < MAX_METADATA_BYTES
    assert fitted([1] * 140_000) == [1] * 140_000


def test_what_is_no_json_is_a_note_in_its_message(memory):
    history = SimonidesChatMessageHistory(memory, "s")
    deep = json.loads("[" * 200 + "]" * 200)
    odd = AIMessage(
        "a\ud800b", additional_kwargs={"parsed": object(), "n": float("nan"), 5: (1, 2), "deep": deep}
    )
    history.add_messages([odd])
    [kept] = history.messages
    assert kept.content == "a?b"
    assert kept.additional_kwargs["parsed"] == "[left out: object, which is no JSON]"
    assert kept.additional_kwargs["n"] == "[left out: float, which is no JSON]"
    assert kept.additional_kwargs["5"] == [1, 2]
    assert "[left out: nested too deeply]" in str(kept.additional_kwargs["deep"])


def test_messages_without_a_secret_come_back_as_they_were(memory):
    usage = {"input_tokens": 98765432, "output_tokens": 4711, "total_tokens": 98770143}
    about = {
        "model": "gpt-4o-2024-08-06",
        "system_fingerprint": "fp_9b78b61c52",
        "id": "chatcmpl-BQx8a7Tz0pWnV3kL",
    }
    messages = [
        HumanMessage(["I forgot my password.", " Can you reset it?"]),
        AIMessage(
            "Yes.", usage_metadata=usage, response_metadata=about, id="run-1f0c9a7e-7d1b-4a52-9d2e-0c7b1f3f"
        ),
        login(user="ana", fields=["user", "password"]),
        raw('{"user":   "ana"}'),
    ]
    history = SimonidesChatMessageHistory(memory, "s")
    history.add_messages(messages)
    assert history.messages == messages


def test_documents_answer_a_question(memory):
    memory.add("Ana drinks green tea.", user_id="ana", metadata={"channel": "mail"}, tags=["tea"])
    memory.add("Bob drinks coffee.", user_id="bob")
    retriever = SimonidesRetriever(memory, user_id="ana", k=3)
    [document] = retriever.invoke("what does Ana drink?")
    assert document.page_content == "Ana drinks green tea."
    assert document.metadata["channel"] == "mail"
    assert memory.get(document.id).content == document.page_content
    assert asyncio.run(retriever.ainvoke("what does Ana drink?")) == [document]
    assert retriever.invoke("Which port does the relay use?") == []
    always = SimonidesRetriever(
        memory, user_id="ana", always=True, tags=["tea"], metadata={"channel": "mail"}
    )
    assert always.invoke("what does Ana drink?") == [document]
    assert (
        SimonidesRetriever(memory, user_id="ana", metadata={"channel": "x"}).invoke("what does Ana drink?")
        == []
    )


def test_an_agent_is_told_and_recorded(memory):
    memory.add("Ana is a baker.", user_id="ana", pinned=True)
    model = scripted(AIMessage("Noted."), AIMessage("Green tea."))
    middleware = memory_middleware(memory, user_id="ana", session_id="s")
    agent = create_agent(model, system_prompt="Be brief.", middleware=[middleware])
    agent.invoke({"messages": [HumanMessage("I drink green tea without sugar.")]})
    state = agent.invoke({"messages": [HumanMessage("What do I drink?")]})
    system = model.asked[1][0].text
    assert system.startswith("Be brief.")
    assert "baker" in system
    assert "green tea" in system
    assert [message.text for message in state["messages"]] == ["What do I drink?", "Green tea."]
    assert [turn.content for turn in memory.sessions.get("s", scope="user:ana")] == [
        "I drink green tea without sugar.", "Noted.", "What do I drink?", "Green tea.",
    ]  # fmt: skip


def test_an_agent_is_told_by_await(memory):
    memory.add("Ana drinks green tea.", user_id="ana")
    model = scripted(AIMessage("Tea."))
    agent = create_agent(model, middleware=[memory_middleware(memory, user_id="ana", session_id="s")])
    asyncio.run(agent.ainvoke({"messages": [HumanMessage("What does Ana drink?")]}))
    assert "green tea" in model.asked[0][0].text
    assert len(memory.sessions.get("s", scope="user:ana")) == 2


def test_an_agent_calls_the_tools(memory):
    memory.add("Ana drinks green tea.", user_id="ana")
    call = {
        "name": "memory_search",
        "args": {"query": "what does Ana drink?"},
        "id": "c",
        "type": "tool_call",
    }
    model = scripted(AIMessage("", tool_calls=[call]), AIMessage("Tea."))
    agent = create_agent(model, tools=memory_tools(memory, user_id="ana"))
    state = agent.invoke({"messages": [HumanMessage("What does Ana drink?")]})
    answer = next(message for message in state["messages"] if message.type == "tool")
    assert json.loads(answer.content)["hits"][0]["content"] == "Ana drinks green tea."


def test_a_closed_memory_ends_no_run(memory):
    agent = create_agent(scripted(AIMessage("Hi.")), middleware=[memory_middleware(memory, session_id="s")])
    memory.close()
    assert agent.invoke({"messages": [HumanMessage("What does Ana drink?")]})["messages"][-1].text == "Hi."


def test_what_another_speaker_says_is_kept_by_their_name(memory):
    history = SimonidesChatMessageHistory(memory, "q", user_id="a")
    history.add_messages([HumanMessage("I live in Subagenton.", name="researcher")])
    agent = create_agent(
        scripted(AIMessage("Well.")), middleware=[memory_middleware(memory, user_id="a", session_id="w")]
    )
    agent.invoke({"messages": [HumanMessage("I live in Otherville.", name="critic")]})
    native = {"role": "user", "content": "I live in Subagenton.", "name": "researcher"}
    memory.add([native], user_id="n", session_id="q")
    [kept] = memory.sessions.get("q", scope="user:a")
    [told] = memory.sessions.get("q", scope="user:n")
    assert kept.metadata == told.metadata == {"sender": "researcher"}
    assert memory.sessions.get("w", scope="user:a")[0].metadata == {"sender": "critic"}
    memory.extract()
    facts = [item.content for item in memory.list(user_id="a", types=["identity"])]
    assert sorted(facts) == ["critic: I live in Otherville.", "researcher: I live in Subagenton."]


@pytest.mark.parametrize(
    "given",
    [
        {"additional_kwargs": {"timestamp": 1_772_000_000}},
        {"response_metadata": {"created_at": "2026-02-25T06:13:20Z"}},
        {"timestamp": "1772000000.0"},
    ],
)
def test_a_message_is_of_the_time_that_its_program_or_model_says(given, memory):
    history = SimonidesChatMessageHistory(memory, "s")
    history.add_messages([AIMessage("The ferry leaves at noon.", **given), HumanMessage("Fine.")])
    old, new = memory.sessions.get("s")
    assert old.to_dict()["event_at"] == "2026-02-25T06:13:20Z"
    assert new.event_at == new.created_at
    assert history.messages == [AIMessage("The ferry leaves at noon.", **given), HumanMessage("Fine.")]
