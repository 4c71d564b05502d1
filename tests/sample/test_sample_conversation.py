"""The sample conversation keeps the promises its README makes."""

import json
from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import simonides

CATEGORIES = {
    "single-hop",
    "multi-hop",
    "temporal",
    "update",
    "causal",
    "preference",
    "who",
    "abstain",
}


@pytest.fixture(scope="module")
def world() -> dict[str, Any]:
    path = Path(simonides.__file__).parent / "sample" / "conversation.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def turns(world: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {turn["id"]: turn for session in world["sessions"] for turn in session["turns"]}


def moment(text: str) -> datetime:
    assert text.endswith("Z"), text
    return datetime.fromisoformat(text)


def test_the_world_has_an_id_a_title_sessions_and_questions(
    world: dict[str, Any],
) -> None:
    assert set(world) == {"id", "title", "sessions", "questions"}
    assert world["id"] == "sample"
    assert world["title"].strip()


def test_the_conversation_is_long_enough_to_be_worth_remembering(
    world: dict[str, Any],
) -> None:
    assert 12 <= len(world["sessions"]) <= 14
    assert sum(len(session["turns"]) for session in world["sessions"]) >= 150


def test_sessions_and_turns_are_numbered_in_order(world: dict[str, Any]) -> None:
    for number, session in enumerate(world["sessions"], start=1):
        assert session["id"] == f"s{number:02d}"
        expected = [f"{session['id']}:{place}" for place in range(1, len(session["turns"]) + 1)]
        assert [turn["id"] for turn in session["turns"]] == expected


def test_every_id_is_used_once(world: dict[str, Any]) -> None:
    ids = [session["id"] for session in world["sessions"]]
    ids += [turn["id"] for session in world["sessions"] for turn in session["turns"]]
    ids += [question["id"] for question in world["questions"]]
    assert [name for name, count in Counter(ids).items() if count > 1] == []


def test_sessions_and_turns_have_exactly_their_fields(world: dict[str, Any]) -> None:
    for session in world["sessions"]:
        assert set(session) == {"id", "date", "turns"}
        for turn in session["turns"]:
            assert set(turn) == {"id", "role", "name", "text", "at"}, turn["id"]
            assert turn["text"] == turn["text"].strip() != "", turn["id"]


def test_each_role_belongs_to_one_person(turns: dict[str, dict[str, Any]]) -> None:
    pairs = {(turn["role"], turn["name"]) for turn in turns.values()}
    assert {role for role, _ in pairs} == {"user", "assistant"}
    assert len(pairs) == len({name for _, name in pairs}) == 2


def test_time_only_runs_forward(world: dict[str, Any]) -> None:
    moments = [moment(turn["at"]) for session in world["sessions"] for turn in session["turns"]]
    assert all(earlier < later for earlier, later in pairwise(moments))
    for session in world["sessions"]:
        assert session["date"] == session["turns"][0]["at"]


def test_within_a_session_an_answer_takes_seconds_to_minutes(
    world: dict[str, Any],
) -> None:
    for session in world["sessions"]:
        moments = [moment(turn["at"]) for turn in session["turns"]]
        for earlier, later in pairwise(moments):
            assert timedelta(seconds=10) <= later - earlier <= timedelta(minutes=5)


def test_no_turn_is_repeated_verbatim(turns: dict[str, dict[str, Any]]) -> None:
    texts = Counter(" ".join(turn["text"].casefold().split()) for turn in turns.values())
    assert [text for text, count in texts.items() if count > 1] == []


def test_questions_have_exactly_their_fields(world: dict[str, Any]) -> None:
    expected = {
        "id",
        "text",
        "at",
        "category",
        "evidence_turns",
        "evidence_sessions",
        "answer",
        "abstain",
    }
    for question in world["questions"]:
        assert set(question) == expected, question["id"]
        assert question["text"].strip().endswith("?"), question["id"]
        assert question["answer"].strip(), question["id"]


def test_no_question_is_asked_twice(world: dict[str, Any]) -> None:
    texts = Counter(question["text"].casefold() for question in world["questions"])
    assert [text for text, count in texts.items() if count > 1] == []


def test_every_kind_of_question_is_asked(world: dict[str, Any]) -> None:
    assert 36 <= len(world["questions"]) <= 44
    assert {question["category"] for question in world["questions"]} == CATEGORIES


def test_evidence_names_turns_that_exist(world: dict[str, Any], turns: dict[str, dict[str, Any]]) -> None:
    for question in world["questions"]:
        evidence = question["evidence_turns"]
        assert len(evidence) == len(set(evidence)), question["id"]
        assert [name for name in evidence if name not in turns] == [], question["id"]


def test_a_question_is_asked_after_its_evidence_was_said(
    world: dict[str, Any], turns: dict[str, dict[str, Any]]
) -> None:
    for question in world["questions"]:
        for name in question["evidence_turns"]:
            assert moment(turns[name]["at"]) < moment(question["at"]), question["id"]


def test_every_question_that_can_be_answered_has_evidence(
    world: dict[str, Any],
) -> None:
    for question in world["questions"]:
        assert bool(question["evidence_turns"]) is not question["abstain"], question["id"]


def test_evidence_sessions_are_those_of_the_evidence_turns(
    world: dict[str, Any],
) -> None:
    for question in world["questions"]:
        sessions = [name.split(":")[0] for name in question["evidence_turns"]]
        assert question["evidence_sessions"] == list(dict.fromkeys(sessions)), question["id"]


def test_five_questions_ask_for_what_was_never_said(world: dict[str, Any]) -> None:
    unanswerable = [question for question in world["questions"] if question["abstain"]]
    assert len(unanswerable) == 5
    for question in world["questions"]:
        assert question["abstain"] is (question["category"] == "abstain"), question["id"]
        assert question["abstain"] is (question["answer"] == "not mentioned"), question["id"]


def test_a_multi_hop_question_needs_more_than_one_session(
    world: dict[str, Any],
) -> None:
    for question in world["questions"]:
        if question["category"] == "multi-hop":
            assert len(question["evidence_sessions"]) >= 2, question["id"]


def test_the_evidence_of_a_changed_fact_starts_with_the_newest_session(
    world: dict[str, Any],
) -> None:
    for question in world["questions"]:
        if question["category"] == "update":
            sessions = question["evidence_sessions"]
            assert sessions == sorted(sessions, reverse=True), question["id"]
