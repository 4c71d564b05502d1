"""Questions gathered for learning, the confidence held against what is so, and the bench of every kind."""

import gzip
import json

import numpy as np
import pytest

from benchmarks import BENCHES
from benchmarks.calibration import calibration_error, reliability
from benchmarks.gathering import EVERY_SET, FOLD, OWN, Task, gathered, stages, tasks
from benchmarks.kinds import measured, measured_sessions
from benchmarks.worlds import SETS, lines, world
from simonides import Memory
from simonides.recall.ranking.confidence import EVIDENCE
from simonides.recall.ranking.features import NAMES


def note(number, text, at=None):
    return {"id": f"n{number}", "role": "user", "name": "user", "title": "", "text": text, "at": at}


def asked(number, text, evidence, **fields):
    return {
        "id": f"q{number}", "text": text, "at": None, "category": "c", "evidence_turns": evidence,
        "evidence_sessions": ["s1"], "answer": "", "abstain": False, **fields,
    }  # fmt: skip


@pytest.fixture
def notes(tmp_path):
    """A folder with two worlds of notes, in which a question is asked before the last note is there."""
    texts = ("The red lantern hangs in the hall.", "Rex eats fish.", "The rent is 900 euros.")
    worlds = [
        {
            "id": f"w{n}", "kind": "notes", "lang": "en", "timed": True,
            "sessions": [
                {"id": "s1", "date": None, "turns": [note(k, f"{text} {n}") for k, text in enumerate(texts)]},
                {"id": "s2", "date": None, "turns": [note(9, f"The lantern was sold to Ana. {n}")]},
            ],
            "questions": [
                asked(1, "where does the red lantern hang?", ["n0"], after="s1"),
                asked(2, "who bought the lantern?", ["n9"]),
            ],
        }
        for n in range(2)
    ]  # fmt: skip
    with gzip.open(tmp_path / "realmem_notes_dev.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(one) + "\n" for one in worlds)
    return tmp_path


def test_notes_are_added_one_by_one_and_asked_when_their_time_has_come(notes):
    first = world(next(lines(notes / "realmem_notes_dev.jsonl.gz")))
    task = Task("realmem_notes", 0, first, [(question, OWN) for question in first.questions])
    seen = []
    for stage in stages(task):
        with Memory(stage.file, read_only=True) as memory:
            items = memory.list()
        seen.append(([question.id for question, _ in stage.questions], len(items), {i.type for i in items}))
        assert all(item.session_id is None for item in items)
    assert [(ids, count) for ids, count, _ in seen] == [(["q1"], 3), (["q2"], 4)]
    assert all("episode" not in types for *_, types in seen)


def test_what_is_gathered_has_a_row_for_each_candidate_and_evidence_for_each_question(notes, tmp_path):
    found = gathered(notes, tmp_path / "cache", ["realmem_notes"], workers=1)
    own = [one for one in found if one.group == OWN]
    assert len(own) == 4
    for one in own:
        assert one.views[0].rows.shape == (len(one.views[0].hit), len(NAMES))
        assert one.views[0].hit.sum() == one.evidence == 1
        assert tuple(one.matches) == EVIDENCE
        assert one.plain["BM25"].any()
    again = gathered(notes, tmp_path / "cache", ["realmem_notes"], workers=1)
    assert [one.matches for one in again] == [one.matches for one in found]


def test_every_set_is_left_out_once_with_what_was_made_from_it_and_says_its_licence():
    assert set(FOLD) == set(EVERY_SET)
    assert FOLD["xquad"] == FOLD["xquad_small"]
    assert FOLD["cranfield"] == FOLD["cranfield_small"]
    assert FOLD["realmem_notes"] == FOLD["realmem_chat"]
    assert all(one.licence for one in EVERY_SET.values())
    assert not SETS["locomo"].free


def test_small_stores_hold_what_answers_their_questions(tmp_path):
    turns = [{**note(n, f"Sentence {n} about lantern {n}."), "id": f"t{n}"} for n in range(90)]
    questions = [asked(n, f"what of lantern {n}?", [f"t{n}"]) for n in range(12)]
    found = {"id": "x", "kind": "notes", "lang": "en", "questions": questions,
             "sessions": [{"id": "s", "date": None, "turns": turns}]}  # fmt: skip
    with gzip.open(tmp_path / "xquad_sentences_dev.jsonl.gz", "wt") as file:
        file.write(json.dumps(found))
    small = list(tasks(tmp_path, "xquad_small"))
    assert len(small) == 2
    for task in small:
        own = [question for question, group in task.questions if group == OWN]
        assert len(own) == 6
        assert {turn for question in own for turn in question.evidence_turns} <= set(task.world.turns)
        assert 14 <= len(task.world.turns) <= 66


def test_a_confidence_that_says_what_is_so_has_no_error():
    right = np.array([True] * 8 + [False] * 8)
    sure = np.array([0.75] * 6 + [0.25] * 2 + [0.75] * 2 + [0.25] * 6)
    assert calibration_error(sure, right) == 0.0
    assert reliability(sure, right) == [
        {"said": 0.25, "so": 0.25, "share": 0.5},
        {"said": 0.75, "so": 0.75, "share": 0.5},
    ]


def test_a_confidence_that_is_too_sure_has_as_much_error_as_it_is_off():
    right = np.array([True, False] * 10)
    assert calibration_error(np.full(20, 0.9), right) == pytest.approx(0.4)


def test_questions_with_and_without_an_answer_count_as_much_whatever_their_numbers():
    right = np.array([True] * 2 + [False] * 20)
    assert reliability(np.full(22, 0.5), right) == [{"said": 0.5, "so": 0.5, "share": 1.0}]


def test_rankings_are_measured_by_what_is_right():
    assert measured(["a", "b", "c"], frozenset({"b", "x"})) == {
        "R@1": 0.0, "R@3": 0.5, "R@5": 0.5, "R@10": 0.5, "MRR": 0.5,
    }  # fmt: skip
    assert measured_sessions(["s", "s", "t"], frozenset({"t", "s"})) == {
        "any@1": 1.0, "any@5": 1.0, "all@5": 1.0,
    }  # fmt: skip


def test_the_bench_of_every_kind_measures_a_set_in_every_way(data, notes, tmp_path, capsys):
    common = ["--workers", "1", "--out", str(tmp_path / "kinds.json")]
    outcome = BENCHES["kinds"].run(["--data", str(data), "--set", "locomo", *common])
    figures = outcome["figures"]["locomo"]
    assert set(figures["overall"]) == {"simonides", "first look", "BM25", "vectors"}
    assert figures["overall"]["simonides"]["R@10"] == 1.0
    assert figures["sessions"]["by session"]["any@5"] == 1.0
    assert figures["nothing offered"] == 0.0
    printed = capsys.readouterr().out
    assert "turns" in printed
    outcome = BENCHES["kinds"].run(["--data", str(notes), "--set", "realmem_notes", *common])
    assert outcome["sizes"]["realmem_notes"][OWN] == 4
