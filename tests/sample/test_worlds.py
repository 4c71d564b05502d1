"""Reading worlds from what a file holds."""

import json

import pytest

from simonides.sample import SampleTurn, World, load_sample, sample_path

TURN = {"id": "t", "role": "user", "text": "hello"}


def a_world(turn=TURN, **question):
    asked = {"id": "q", "text": "who?", "category": 1, "evidence_turns": ["t"], "evidence_sessions": ["s"]}
    return World.from_dict(
        {"id": "w", "sessions": [{"id": "s", "turns": [turn]}], "questions": [asked | question]}
    )


def test_the_sample_is_read_with_all_that_it_says():
    raw, sample = json.loads(sample_path().read_text("utf-8")), load_sample()
    assert sample.title == raw["title"]
    assert [session.date for session in sample.sessions] == [found["date"] for found in raw["sessions"]]
    assert len(sample.turns) == sum(len(found["turns"]) for found in raw["sessions"])
    for question, found in zip(sample.questions, raw["questions"], strict=True):
        assert (question.at, question.answer) == (found["at"], found["answer"])
        assert (list(question.evidence_turns), question.abstain) == (
            found["evidence_turns"],
            found["abstain"],
        )


@pytest.mark.parametrize("unknown", [{}, {"at": None, "name": None}, {"at": "", "name": ""}])
def test_what_is_not_known_of_a_turn_is_none_and_not_in_its_message(unknown):
    turn = a_world(TURN | unknown).turns["t"]
    assert turn == SampleTurn("t", "user", None, "hello", None)
    assert turn.to_message() == {"role": "user", "content": "hello", "id": "t"}


def test_a_message_says_who_spoke_and_when():
    message = SampleTurn("t", "user", "Ana", "hello", "2026-01-01T00:00:00Z").to_message()
    assert message == {
        "role": "user",
        "name": "Ana",
        "content": "hello",
        "id": "t",
        "at": "2026-01-01T00:00:00Z",
    }


def test_a_world_without_a_title_goes_by_its_id_and_dates_may_be_unknown():
    world = a_world(at="")
    assert world.title == "w"
    assert world.sessions[0].date is None
    assert world.questions[0].at is None
    assert world.questions[0].category == "1"


def test_a_session_that_occurs_twice_has_its_turns_once():
    session = {"id": "s", "turns": [TURN]}
    world = World.from_dict({"id": "w", "sessions": [session, session], "questions": []})
    assert len(world.sessions) == 2
    assert list(world.turns) == ["t"]


def test_a_world_without_evidence_is_not_read():
    with pytest.raises(KeyError, match="evidence_turns"):
        World.from_dict({"id": "w", "sessions": [], "questions": [{"id": "q", "text": "?", "category": "1"}]})
