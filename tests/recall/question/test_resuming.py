"""Questions about the conversation before this one."""

import pytest

from simonides.language.sentences import read
from simonides.recall.question.resuming import asks_for_nothing_else, asks_for_the_last_session

WHOLE = (
    "what was the last session about?", "What was our last conversation about?", "continue where we left off",
    "let's pick up where we left off", "what did we talk about last time?", "where did we leave off?",
    "summarize our previous chat", "resume our conversation", "where were we?", "What were we working on?",
    "what happened in the last session?", "О чём был прошлый разговор?", "на чём мы остановились?",
    "о чём мы говорили в прошлый раз?", "продолжим с того места, где остановились",
    "о чём шла речь в последней беседе?",
    "de quoi parlait la dernière conversation ?", "on en était où ?", "où en étions-nous ?",
    "de quoi avons-nous parlé la dernière fois ?", "上次我们聊了什么？", "我们上次说到哪了？",
    "上一次的对话是关于什么的？",
    "继续上次的内容",
)  # fmt: skip
PART = (
    "what did we decide about the fence in the last session?", "which paint did you suggest last time?",
    "что мы решили про забор в прошлый раз?", "qu'avons-nous choisi pour la clôture la dernière fois ?",
    "上次我们决定用什么油漆？",
)  # fmt: skip
OTHER = (
    "when did Anna last call?", "the last time I talked to Petra she was ill", "how long do sessions last?",
    "what happened last week?", "who left the door open?", "когда Аня звонила?", "我上周去了哪里？", "the session key",
)  # fmt: skip


@pytest.mark.parametrize("text", WHOLE)
def test_it_is_asked_for_as_a_whole(text):
    assert asks_for_the_last_session(read(text))
    assert asks_for_nothing_else(read(text))


@pytest.mark.parametrize("text", PART)
def test_something_of_it_is_asked_for(text):
    assert asks_for_the_last_session(read(text))
    assert not asks_for_nothing_else(read(text))


@pytest.mark.parametrize("text", OTHER)
def test_it_is_not_asked_for(text):
    assert not asks_for_the_last_session(read(text))


@pytest.fixture
def talks(open_memory, clock):
    """Two conversations that are over, and one that has begun; as another user another."""
    memory = open_memory()
    told = {}
    for session, lines in (
        ("fence", ["Let's plan the garden fence.", "Oak or larch posts?", "Larch, and a gate on the left."]),
        ("bike", ["My bike has a flat tyre.", "Patch the tube; the kit is in the shed."]),
        ("now", ["Hello again"]),
    ):
        told[session] = set(lines)
        memory.add([{"role": "user", "content": line} for line in lines], session_id=session, user_id="ana")
        clock.advance(hours=8)
    memory.add([{"role": "user", "content": "Bo was here."}], session_id="other", user_id="bo")
    return memory, told


@pytest.mark.parametrize("text", WHOLE)
def test_what_was_said_in_it_comes_first_and_nothing_is_abstained(talks, text):
    memory, told = talks
    result = memory.search(text, user_id="ana", asked_in="now", k=2)
    assert {hit.item.content for hit in result} == told["bike"]
    assert not result.abstained


def test_without_a_session_that_asks_it_is_the_one_heard_of_last(talks):
    memory, told = talks
    (hit,) = memory.search("what was the last session about?", user_id="ana", k=1)
    assert {hit.item.content} == told["now"]


def test_where_nothing_was_said_before_nothing_is_found_out(open_memory):
    memory = open_memory()
    memory.add("the kettle is blue")
    assert memory.search("what was the last session about?").abstained
