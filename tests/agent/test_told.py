"""Additions to a prompt beside what is recalled: where they stand, how long they are, and when they are left out."""

import pytest

from simonides import Memory
from simonides.agent.middleware import Answer, Chat, Middleware
from simonides.agent.prompt import addition
from simonides.agent.stream import OPENING
from simonides.config import MiddlewareSettings, Mode, Placement, Settings
from simonides.errors import InvalidSettings
from simonides.testing import FrozenClock

ANA = Chat("user:ana")
PINNED = "Ana is allergic to walnuts."
SHIPS = "Apollo ships on Fridays, never on Mondays."
SYSTEM = {"role": "system", "content": "Be kind."}


@pytest.fixture
def memory(fresh):
    with Memory(fresh, settings=Settings(), clock=FrozenClock()) as opened:
        opened.add(PINNED, scope="user:ana", pinned=True)
        opened.add(SHIPS, scope="user:ana")
        yield opened


@pytest.fixture
def placed(memory):
    made = []

    def start(placement):
        made.append(Middleware(memory, MiddlewareSettings(deadline_ms=60_000, placement=placement)))
        return made[-1]

    yield start
    for one in made:
        one.close()


def user(content):
    return {"role": "user", "content": content}


def assistant(content):
    return {"role": "assistant", "content": content}


HISTORY = [user("Hello there!"), assistant("Hello."), user("When does Apollo ship?")]


def test_for_a_model_that_refuses_a_system_message_it_stands_before_the_first_words_of_the_user(placed):
    turn = placed("user").before_model(HISTORY, ANA)
    assert [message["role"] for message in turn.messages] == ["user", "assistant", "user"]
    first, _, last = (message["content"] for message in turn.messages)
    assert PINNED in first
    assert OPENING in first
    assert first.endswith("\n\nHello there!")
    assert SHIPS in last
    assert PINNED not in last


@pytest.mark.parametrize(
    "content", ["When does Apollo ship?", [{"type": "text", "text": "When does Apollo ship?"}]]
)
def test_before_the_only_message_it_stands_once_and_before_what_is_recalled(placed, content):
    middleware = placed("user")
    turn = middleware.before_model([user(content)], ANA)
    [sent] = turn.messages
    parts = sent["content"] if isinstance(content, list) else [{"text": sent["content"]}]
    told = "\n\n".join(part["text"] for part in parts)
    assert told.index(PINNED) < told.index(SHIPS) < told.index("When does")
    # A client that sends back what went to the model: nothing is told twice, or recorded as said.
    middleware.after_model(turn, Answer("On Fridays."))
    again = middleware.before_model([sent, assistant("On Fridays."), user("ok")], ANA)
    middleware.settle()
    assert again.session_id == turn.session_id
    assert str(again.messages).count("Long-term memory") == 1


def test_nothing_that_memory_puts_before_the_users_words_is_recorded_as_said(placed, memory):
    middleware = placed("user")
    sent = middleware.before_model(HISTORY, ANA).messages
    middleware.settle()
    other = middleware.before_model(
        [*sent, assistant("On Fridays."), user("Good.")], Chat("user:ana", "other")
    )
    middleware.after_model(other, Answer("Yes."))
    middleware.settle()
    said = [item.content for item in memory.sessions.get("other", scope="user:ana")]
    assert said == ["Hello there!", "Hello.", "When does Apollo ship?", "On Fridays.", "Good.", "Yes."]


def test_with_none_there_is_no_message_more_and_what_answers_is_recalled_all_the_same(placed):
    turn = placed("none").before_model([SYSTEM, *HISTORY], ANA)
    assert list(turn.messages[:3]) == [SYSTEM, *HISTORY[:2]]
    assert SHIPS in turn.messages[3]["content"]


@pytest.mark.parametrize("content", [None, 7, {"text": "hi"}])
def test_a_first_message_without_words_is_left_alone(placed, content):
    messages = [user(content), assistant("Yes?"), user("ok")]
    assert list(placed("user").before_model(messages, ANA).messages) == messages


def test_where_nobody_could_read_a_block_of_proposals_none_is_asked_for(placed):
    chat = Chat("user:ana", proposes=False)
    turn = placed("system").before_model(HISTORY, chat)
    assert OPENING not in turn.messages[0]["content"]
    assert PINNED in turn.messages[0]["content"]


def test_a_model_without_memorys_tools_is_told_of_none(placed):
    turn = placed("system").before_model(HISTORY, Chat("user:ana", reads=False))
    assert "memory_search" not in turn.messages[0]["content"]
    assert "memory_search" in placed("system").before_model(HISTORY, ANA).messages[0]["content"]


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.OFF])
def test_every_request_carries_few_characters_of_memorys_own(mode):
    assert len(addition(mode, "", reads=True, propose=True)) < 1000
    if mode is not Mode.TOOLS_ONLY:
        assert len(addition(mode, "", reads=False, propose=True)) < 880


def test_an_unknown_placement_is_refused():
    with pytest.raises(
        InvalidSettings, match=r"middleware\.placement is one of system, user, none, not 'top'"
    ):
        MiddlewareSettings(placement="top")
    assert [place.value for place in Placement] == ["system", "user", "none"]
