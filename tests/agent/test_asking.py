"""A model that says in words what it would look up: it is looked up, and nothing that it quotes is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.agent.middleware import Answer, Chat, Middleware
from simonides.config import MiddlewareSettings
from simonides.texts import asked_of_memory

SAID = [
    ("Recall memory about the boat", "the boat"), ("I'll search my memory for Petra's allergies.", "Petra's allergies"),
    ("Let me check the memory about the launch…", "the launch"), ("browse memories of Graz", "Graz"),
    ("Je vais chercher dans la mémoire sur le bateau.", "le bateau"), ("Поищу в памяти о лодке.", "лодке"),
    ("我来搜索记忆中关于小船的信息。", "小船"), ("Okay, let me look in my memory for the code", "the code"),
]  # fmt: skip
NOT_SAID = [
    "", "The boat is blue.", '"Recall memory about the boat"', "> Recall memory about the boat",
    "`recall memory about x`",
    "You wrote: “recall memory about the boat”.", "Recall memory about the boat. It is blue.",
    "Recall memory about\nthe boat", "- recall memory about the boat", "The mail says recall memory about the boat",
    "I recall memories of my youth fondly. They are many.", "recall memory about " + "x" * 400, "Recall memory about",
    "```\nrecall memory about the boat\n```", "«Поищу в памяти о лодке.»", "「我来搜索记忆中关于小船的信息」",
]  # fmt: skip


@pytest.fixture
def middleware(memory):
    with Middleware(memory, MiddlewareSettings(deadline_ms=60_000)) as opened:
        yield opened


def turn_of(middleware, **chat):
    return middleware.before_model(
        [{"role": "user", "content": "What colour is it?"}], Chat("user:ana", **chat)
    )


@pytest.mark.parametrize(("text", "asked"), SAID)
def test_what_a_model_asks_in_words_is_searched_for(memory, middleware, text, asked):
    memory.add("The boat is blue.", scope="user:ana")
    again = middleware.intercept(turn_of(middleware), Answer(text))
    assert again.looked_up == (f"memory.search {asked}",)
    call, told = again.messages[-2:]
    assert call["content"] is None
    assert told["tool_call_id"] == call["tool_calls"][0]["id"]
    assert '"hits"' in told["content"]
    assert again.rounds == 1


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_is_quoted_or_stands_beside_something_is_an_answer(middleware, text):
    assert middleware.intercept(turn_of(middleware), Answer(text)) is None


@given(
    before=st.sampled_from(["He wrote ", "Note: ", "> ", "“", '"', "1. ", "```\n", "The letter says: "]),
    said=st.sampled_from([text for text, _ in SAID]),
    behind=st.sampled_from(["", "”", '"', "\n```", " he wrote.", " Then it ends."]),
)
def test_no_frame_of_a_request_asks(before, said, behind):
    assert asked_of_memory(f"{before}{said}{behind}") is None


def test_a_setting_turns_it_off(memory):
    with Middleware(memory, MiddlewareSettings(asks_in_words=False)) as middleware:
        assert middleware.intercept(turn_of(middleware), Answer(SAID[0][0])) is None


def test_a_chat_without_tools_and_a_cut_answer_ask_nothing(middleware):
    assert middleware.intercept(turn_of(middleware, reads=False), Answer(SAID[0][0])) is None
    assert middleware.intercept(turn_of(middleware), Answer(SAID[0][0], complete=False)) is None
    assert middleware.intercept(turn_of(middleware), Answer(SAID[0][0]), in_words=False) is None


def test_rounds_of_words_end(middleware):
    turn, rounds = turn_of(middleware), 0
    while (again := middleware.intercept(turn, Answer(SAID[0][0]))) is not None:
        turn, rounds = again, rounds + 1
    assert rounds == 3


def test_the_palace_without_a_domain_names_its_domains(memory, tools):
    memory.add("The boat is blue.", tags=["boats"])
    memory.maintain(["palace"])
    found = tools.call("memory.palace.browse", {})
    assert found["domains"]
