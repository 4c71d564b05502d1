"""Chats of requests that name none: chats that begin alike, answers that are asked for again."""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.agent.conversation import Conversation, Conversations
from simonides.agent.middleware import Answer, Chat, Middleware
from simonides.agent.recording import shortened
from simonides.config import MiddlewareSettings, Settings
from simonides.testing import FakeEmbedder, FrozenClock

PATIENT = MiddlewareSettings(deadline_ms=60_000)
ANA = Chat("user:ana")
GREETING = "Hello there!"
QUESTION = "When does Apollo ship?"


@pytest.fixture
def memory(fresh):
    with Memory(fresh, settings=Settings(), clock=FrozenClock(), embedder=FakeEmbedder()) as opened:
        yield opened


@pytest.fixture
def middleware(memory):
    with Middleware(memory, PATIENT) as made:
        yield made


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def ask(middleware, *said, answer="Understood.", chat=ANA, complete=True):
    """Ask with a history of texts, the user's first; the session."""
    messages = [(user if n % 2 == 0 else assistant)(text) for n, text in enumerate(said)]
    turn = middleware.before_model(messages, chat)
    middleware.after_model(turn, Answer(answer, complete=complete))
    return turn.session_id


def turns(memory, session_id=None):
    filters = {} if session_id is None else {"session_id": session_id}
    found = memory.list(scope="user:ana", types=["episode"], limit=1000, **filters)
    return [item.content for item in reversed(found)]


# Times


@pytest.mark.parametrize("given", [1_772_000_000, "1772000000000", "2026-02-25T06:13:20Z"])
@pytest.mark.parametrize("name", ["timestamp", "created_at", "at"])
def test_a_turn_is_of_the_time_that_its_client_says(memory, middleware, name, given):
    messages = [user("Tea is in the tin.") | {name: given}, assistant("Fine.") | {name: "yesterday"}]
    turn = middleware.before_model([*messages, user(QUESTION) | {name: True}], ANA)
    middleware.after_model(turn, Answer("On 3 May."))
    first, *others = memory.sessions.get(turn.session_id, scope="user:ana")
    assert first.to_dict()["event_at"] == "2026-02-25T06:13:20Z"
    assert [one.content for one in others if one.event_at == one.created_at] == [
        "Fine.",
        QUESTION,
        "On 3 May.",
    ]


# Answers that are asked for again


def test_where_an_answer_is_asked_for_again_the_question_is_recorded_once_and_both_answers_are(
    memory, middleware
):
    first = ask(middleware, QUESTION, answer="On Fridays.")
    again = ask(middleware, QUESTION, answer="Every Friday at noon.")
    middleware.settle()
    assert again == first
    assert turns(memory) == [QUESTION, "On Fridays.", "Every Friday at noon."]
    gone_on = ask(middleware, QUESTION, "Every Friday at noon.", "Who says so?", answer="You do.")
    middleware.settle()
    assert gone_on == first
    assert turns(memory) == [QUESTION, "On Fridays.", "Every Friday at noon.", "Who says so?", "You do."]


def test_the_same_in_the_midst_of_a_chat(memory, middleware):
    ask(middleware, GREETING, answer="Hello.")
    for answer in ("On Fridays.", "Every Friday at noon.", "Every Friday at noon."):
        ask(middleware, GREETING, "Hello.", QUESTION, answer=answer)
    session = ask(middleware, GREETING, "Hello.", QUESTION, "Every Friday at noon.", "Good.", answer="Yes.")
    middleware.settle()
    wanted = [GREETING, "Hello.", QUESTION, "On Fridays.", "Every Friday at noon.", "Good.", "Yes."]
    assert turns(memory) == turns(memory, session) == wanted


def test_an_answer_that_was_stopped_and_asked_for_again_is_of_one_question(memory, middleware):
    first = ask(middleware, QUESTION, answer="On Fri", complete=False)
    assert ask(middleware, QUESTION, answer="On Fridays.") == first
    middleware.settle()
    assert turns(memory) == [QUESTION, "On Fridays."]


def test_where_the_user_goes_on_behind_two_answers_there_are_two_whole_chats(memory, middleware):
    ask(middleware, QUESTION, answer="On Fridays.")
    ask(middleware, QUESTION, answer="At noon.")
    one = ask(middleware, QUESTION, "At noon.", "My dog is called Rex.")
    other = ask(middleware, QUESTION, "On Fridays.", "My cat is called Mia.")
    middleware.settle()
    assert one != other
    assert turns(memory, other) == [QUESTION, "On Fridays.", "My cat is called Mia.", "Understood."]
    assert "My cat is called Mia." not in turns(memory, one)


def test_a_second_message_that_was_edited_stays_in_its_chat(memory, middleware):
    ask(middleware, QUESTION, answer="On Fridays.")
    one = ask(middleware, QUESTION, "On Fridays.", "Which Fridays?")
    assert ask(middleware, QUESTION, "On Fridays.", "Which Fridays in May?") == one


def test_the_same_question_long_after_its_answer_begins_another_chat():
    clock = [0.0]
    conversations = Conversations(now=lambda: clock[0])
    asked = Conversation.of([user(QUESTION)])
    assert conversations.find(ANA, asked).session_id is None
    conversations.begin(ANA, asked, "s1")
    assert conversations.find(ANA, asked).session_id is None  # Under way: somebody else asks the same.
    conversations.recorded(ANA, asked, "s1", "episode")
    conversations.answered(ANA, asked, "s1", "On Fridays.", "episode")
    clock[0] = 599.0
    assert conversations.find(ANA, asked).session_id == "s1"
    clock[0] = 601.0
    assert conversations.find(ANA, asked).session_id is None


# Chats that begin alike


@pytest.mark.parametrize("at_once", [False, True])
def test_six_chats_with_one_greeting_and_one_answer_to_it_stay_six(memory, middleware, at_once):
    ready = threading.Barrier(6 if at_once else 1)

    def begins(_):
        ready.wait(60)
        ask(middleware, GREETING, answer="Hello! How can I help?")

    def goes_on(n):
        ready.wait(60)
        said = (GREETING, "Hello! How can I help?", f"I am number {n}.")
        ask(middleware, *said, answer=f"Welcome, {n}.")
        return ask(middleware, *said, f"Welcome, {n}.", "What am I?", answer="Well.")

    with ThreadPoolExecutor(6 if at_once else 1) as threads:
        list(threads.map(begins, range(6)))
        sessions = list(threads.map(goes_on, range(6)))
    middleware.settle()
    assert len(set(sessions)) == 6
    for n, session in enumerate(sessions):
        own = [f"I am number {n}.", f"Welcome, {n}.", "What am I?", "Well."]
        assert turns(memory, session) == [GREETING, "Hello! How can I help?", *own]


def test_after_a_restart_chats_with_one_greeting_do_not_join_one_that_went_on(memory):
    with Middleware(memory, PATIENT) as before:
        ask(before, GREETING, answer="Hello.")
        gone_on = ask(before, GREETING, "Hello.", "My dog is called Rex.")
        ask(before, GREETING, answer="Hello.")
    with Middleware(memory, PATIENT) as after:
        one = ask(after, GREETING, "Hello.", "My cat is called Mia.")
        other = ask(after, GREETING, "Hello.", "My fish is called Ida.")
        again = ask(after, GREETING, "Hello.", "My dog is called Rex.", "Understood.", "He is old.")
    assert len({gone_on, one, other}) == 3
    assert again == gone_on
    assert turns(memory, one) == [GREETING, "Hello.", "My cat is called Mia.", "Understood."]


ANSWERS = ("Hello.", "Good morning.")


@given(
    first=st.sampled_from([GREETING, QUESTION]),
    steps=st.lists(st.tuples(st.integers(0, 4), st.sampled_from(ANSWERS)), max_size=30),
)
def test_however_chats_that_begin_alike_take_turns_none_goes_on_in_anothers_session(first, steps):
    conversations, names = Conversations(), count()
    histories = {}
    went_on = {}

    def asks(history, answer):
        asked = Conversation.of(history)
        known = conversations.find(ANA, asked)
        session = known.session_id or f"s{next(names)}"
        conversations.begin(ANA, asked, session)
        conversations.recorded(ANA, asked, session, None)
        conversations.answered(ANA, asked, session, answer, None)
        return session

    for chat, answer in steps:
        history = histories.setdefault(chat, [])
        said = f"I am number {chat}, turn {len(history)}." if history else first
        history.append(user(said))
        session = asks(history, answer)
        history.append(assistant(answer))
        if len(history) > 2:
            assert went_on.setdefault(chat, session) == session
    assert len(set(went_on.values())) == len(went_on)


@pytest.mark.parametrize(("recorded", "known"), [(0, 0), (1, 2), (2, 2)])
def test_a_chat_whose_turns_are_recorded_late_goes_on_in_its_session(recorded, known):
    conversations = Conversations()
    first = [user(QUESTION)]
    second = [*first, assistant("On Fridays."), user("And Hermes?")]
    third = [*second, assistant("On Mondays."), user("Why?")]
    for number, history in enumerate((first, second)):
        asked = Conversation.of(history)
        assert conversations.find(ANA, asked).session_id == (None, "s1")[number]
        conversations.begin(ANA, asked, "s1")
    # What the answer to the first leaves behind comes while the third is under way, or not yet.
    if recorded:
        conversations.recorded(ANA, Conversation.of(first), "s1", "e1")
    if recorded > 1:
        conversations.answered(ANA, Conversation.of(first), "s1", "On Fridays.", "e1")
    found = conversations.find(ANA, Conversation.of(third))
    assert (found.session_id, found.messages) == ("s1", known)


# Turns that are too long


def test_of_a_turn_that_is_too_long_beginning_and_end_are_recorded_and_it_is_said(memory, middleware):
    long = f"We ship on Fridays. {'Many more words. ' * 80_000}The end is nigh."
    turn = middleware.before_model([user(long)], ANA)
    outcome = middleware.after_model(turn, Answer(long))
    middleware.settle()
    said, answered = turns(memory)
    for text in (said, answered):
        assert text.startswith("We ship on Fridays. Many more words. ")
        assert text.endswith("words. The end is nigh.")
        assert len(text) <= 1_000_000
    told = "; ".join(outcome.degradations)
    assert "what was said is longer than 1,000,000 characters; its beginning and its end are recorded" in told
    assert "the answer is longer than 1,000,000 characters" in told
    again = middleware.before_model([user(long), assistant(long), user("And?")], ANA)
    middleware.settle()
    assert again.session_id == turn.session_id
    assert turns(memory)[2:] == ["And?"]


@given(st.text(alphabet="ab \n", max_size=3000), st.integers(100, 2000))
def test_what_is_shortened_fits_and_holds_whole_words_of_both_ends(text, most):
    kept = shortened(text, most)
    assert len(kept) <= most
    if len(text) <= most:
        assert kept == text
    else:
        head, _, rest = kept.partition("\n[… ")
        tail = rest.partition(" characters in all …]\n")[2]
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + len(tail) >= min(most - 60, len(text)) - 2 * 1000
