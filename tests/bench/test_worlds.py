import json

import pytest

from benchmarks.worlds import asked, data_file, data_folder, lines, said, session_of, world
from simonides.errors import InvalidInput
from simonides.sample import SampleTurn


def test_a_file_of_worlds_is_read_with_its_turns_and_questions(data):
    first, second = map(world, lines(data_file(data, "locomo")))
    assert (first.id, second.id) == ("world-0", "world-1")
    assert list(first.turns) == ["s0:0", "s0:1", "s0:2", "s1:0", "s1:1", "s1:2"]
    assert session_of(first)["s1:0"] == "s1"
    assert first.turns["s1:0"].at == "2026-01-02T00:00:00Z"
    assert first.questions[0].evidence_turns == ("s1:0",)


def test_a_line_separator_within_a_text_does_not_end_a_world(tmp_path):
    turn = {"id": "t", "role": "user", "text": "one\u2028two", "at": None}
    found = {"id": "w", "sessions": [{"id": "s", "turns": [turn]}], "questions": []}
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    (only,) = map(world, lines(path))
    assert only.turns["t"].text == "one\u2028two"


def test_a_question_without_evidence_is_never_asked_and_one_to_abstain_from_only_where_wanted(data):
    questions = world(next(lines(data_file(data, "locomo")))).questions
    assert [found.id for found in asked(questions, abstaining=False)] == ["q1"]
    assert [found.id for found in asked(questions, abstaining=True)] == ["q1", "q2"]


def test_who_said_it_stands_before_the_text_unless_it_is_the_role():
    assert said(SampleTurn("t", "user", "Ana", "hello", None)) == "Ana: hello"
    assert said(SampleTurn("t", "user", "user", "hello", None)) == "hello"


def test_a_missing_folder_or_file_is_answered_with_what_to_give(tmp_path, monkeypatch):
    monkeypatch.delenv("SIMONIDES_BENCH_DATA", raising=False)
    with pytest.raises(InvalidInput, match="--data DIR, or set SIMONIDES_BENCH_DATA"):
        data_folder(None)
    with pytest.raises(InvalidInput, match="is no folder"):
        data_folder(tmp_path / "nowhere")
    with pytest.raises(InvalidInput, match=r"locomo_dev\.jsonl\.gz, locomo_dev\.jsonl, locomo\.jsonl\.gz"):
        data_file(tmp_path, "locomo")


def test_the_environment_may_name_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_BENCH_DATA", str(tmp_path))
    assert data_folder(None) == tmp_path


def test_what_is_no_world_is_refused_with_its_beginning():
    with pytest.raises(InvalidInput, match="this is no world: KeyError: 'sessions'"):
        world('{"id": "w"}')
