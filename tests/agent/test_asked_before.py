"""Questions are no answers: what was asked before neither hides what was told nor is taken for it."""

from __future__ import annotations

import json

import pytest

from simonides import Memory
from simonides.agent.middleware import Answer, Chat, Middleware, Mode
from simonides.agent.tools import Tools
from simonides.config import MiddlewareSettings, Settings
from simonides.testing import FrozenClock

PATIENT = MiddlewareSettings(deadline_ms=60_000)
FACT = "My dentist is Dr. Ozols in Cēsis."
WORDINGS = (
    "Who is my dentist?", "What's my dentist's name?", "Remind me who my dentist is.", "who do I see, which dentist?",
    "Do you know who my dentist is?", "Can you tell me the name of my dentist?", "my dentist, who is it?",
    "I forgot, what is my dentist called?", "Which dentist do I go to?", "What is the name of the dentist I go to?",
)  # fmt: skip


@pytest.fixture
def memory(fresh):
    with Memory(fresh, settings=Settings(), clock=FrozenClock()) as opened:
        yield opened


@pytest.fixture
def middleware(memory):
    with Middleware(memory, PATIENT) as made:
        yield made


def asked(middleware, number, question, answer, **fields):
    """A chat of its own with one question."""
    chat = Chat("user:ana", f"chat-{number}", **fields)
    turn = middleware.before_model([{"role": "user", "content": question}], chat)
    outcome = middleware.after_model(turn, Answer(answer))
    middleware.settle()
    return turn, outcome


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.INJECT])
@pytest.mark.parametrize(
    "answer", ["I am not sure.", "You go to Dr. Ozols in Cēsis.", "Sorry, I don't know that."]
)
@pytest.mark.parametrize("reads", [True, False])
def test_the_fact_stays_in_the_prompt_however_often_it_was_asked_for(memory, middleware, mode, answer, reads):
    memory.add(FACT, type="fact", scope="user:ana")
    for number in range(len(WORDINGS)):
        question = WORDINGS[number]
        turn, _ = asked(middleware, number, question, answer, mode=mode, reads=reads)
        sent = turn.messages[-1]["content"]
        assert FACT in sent, (number, question)
        told = [item.content for item in turn.items]
        assert told[0] == FACT or told[0] == answer.rstrip(), told
        assert question not in told
        for other in WORDINGS:
            assert other not in sent.partition(FACT)[0]


def test_a_fact_is_found_behind_hundreds_of_questions_after_it(memory, middleware):
    memory.add(FACT, type="fact", scope="user:ana")
    for number in range(300):
        turns = [{"role": "user", "content": f"{WORDINGS[number % 10]} And on day {number}?"}]
        memory.add(turns, session_id=f"old-{number}", scope="user:ana")
    turn, _ = asked(middleware, 0, "Who is my dentist?", "Dr. Ozols.", mode=Mode.HYBRID)
    assert FACT in turn.messages[-1]["content"]
    [first, *_] = Tools(memory, scope="user:ana").call("memory.search", {"query": "Who is my dentist?"})[
        "hits"
    ]
    assert first["content"] == FACT


def test_a_model_that_cannot_read_by_id_gets_texts(memory, middleware):
    for number in range(8):
        memory.add(f"Apollo note {number}: crate {number} stands in bay {number}.", scope="user:ana")
    for mode in (Mode.CATALOG, Mode.HYBRID, Mode.INJECT):
        for question in ("What about the crates of Apollo?", "What do we know about the crates of Apollo?"):
            chat = Chat("user:ana", f"{mode}{len(question)}", mode=mode, reads=False)
            turn = middleware.before_model([{"role": "user", "content": question}], chat)
            assert "memory_catalog" not in turn.messages[-1]["content"]
            assert "stands in bay" in turn.messages[-1]["content"]
            assert not turn.may_call


@pytest.mark.parametrize(
    "question", ["When does Apollo ship?", "  when does apollo ship", "When does Apollo ship?!"]
)
@pytest.mark.parametrize("facts", [(), ("Apollo ships on Fridays.",)])
def test_a_search_by_tool_never_returns_the_question_that_is_asked(memory, middleware, question, facts):
    for fact in facts:
        memory.add(fact, scope="user:ana")
    for number in range(6):
        asked(middleware, number, WORDINGS[number] if number else "When does Apollo ship?", "I am not sure.")
    hits = Tools(memory, scope="user:ana").call("memory.search", {"query": question, "k": 2})["hits"]
    told = [hit["content"] for hit in hits]
    assert "When does Apollo ship?" not in told
    assert told[: len(facts)] == list(facts)
    assert all(hit.get("act") in {"asks", "knows not"} for hit in hits[len(facts) :])


def test_who_searches_for_what_was_asked_finds_questions(memory):
    memory.add([{"role": "user", "content": "When does Apollo ship?"}], session_id="s", scope="user:ana")
    memory.add("Apollo is a ship.", scope="user:ana")
    hits = Tools(memory, scope="user:ana").call(
        "memory.search", {"query": "What did I ask about when Apollo ships?"}
    )
    assert "When does Apollo ship?" in [hit["content"] for hit in hits["hits"]]


@pytest.mark.parametrize(
    "answer", ["We know that Apollo ships on Fridays.", "My key is sk-ant-api03-" + "Ab3" * 30]
)
@pytest.mark.parametrize("mode", [Mode.TOOLS_ONLY, Mode.INJECT])
def test_what_was_just_answered_or_proposed_is_not_shown_as_memory(memory, middleware, answer, mode):
    proposal = [{"content": "Apollo ships on Fridays.", "type": "decision", "why_store": "to plan"}]
    block = f"\n<MEMORY_PROPOSALS_JSON>{json.dumps(proposal)}</MEMORY_PROPOSALS_JSON>"
    turn, outcome = asked(
        middleware, 1, "What do we know about Apollo and its key?", answer + block, mode=mode
    )
    assert outcome.recorded
    assert outcome.answer_id is not None
    assert middleware.before_return(turn, outcome).recalled is None
