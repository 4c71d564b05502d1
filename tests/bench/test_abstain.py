import json
from itertools import pairwise

import numpy as np
import pytest

from benchmarks import BENCHES
from benchmarks.foreign import answerable, foreign, words
from benchmarks.measures import share_interval
from benchmarks.separation import Values, auc, bound_at, curve, equal_parts
from simonides.errors import InvalidInput
from simonides.sample import World

FERRY_TURNS = ["The ferry to the islands sails at noon from pier nine"]
BREAD_TURNS = ["Grandmother bakes rye bread with caraway every week"]


def a_world(name, turns, question, answer, abstain=0):
    """A world as JSON: its first turn answers one question, and nothing answers so many others."""
    asked = [(question, answer, ["t0"], False)]
    asked += [(f"Who painted portrait {n}?", "never said", [], True) for n in range(abstain)]
    said = [{"id": f"t{n}", "role": "user", "text": text} for n, text in enumerate(turns)]
    return {
        "id": name,
        "sessions": [{"id": "s", "date": None, "turns": said}],
        "questions": [
            {
                "id": f"{name}-{n}",
                "text": text,
                "at": None,
                "category": "1",
                "evidence_turns": evidence,
                "evidence_sessions": ["s"] if evidence else [],
                "answer": known,
                "abstain": nothing,
            }
            for n, (text, known, evidence, nothing) in enumerate(asked)
        ],
    }


def read(*arguments):
    return World.from_dict(a_world(*arguments))


FERRY = read("ferry", FERRY_TURNS, "When does it sail?", "noon")
BREAD = read("bread", BREAD_TURNS, "Who bakes?", "Grandmother")


def chosen(found, *others):
    return [question.id for question in foreign(found, [a for w in others for a in answerable(w)], 5, seed=1)]


def test_questions_of_other_worlds_are_asked_and_never_ones_of_its_own():
    assert chosen(BREAD, FERRY, BREAD) == ["ferry-0"]


def test_a_question_that_is_asked_of_both_worlds_is_left_out():
    asked_too = read("other", ["Nobody knows the boat"], "when does it sail", "never")
    assert chosen(asked_too, FERRY) == []


def test_a_question_whose_answer_stands_in_the_world_is_left_out():
    assert chosen(read("lunch", ["We eat at noon"], "Who eats?", "we"), FERRY) == []
    assert chosen(read("late", ["We eat in the afternoon"], "Who eats?", "we"), FERRY) == ["ferry-0"]


def test_a_question_whose_evidence_has_its_like_in_the_world_is_left_out():
    like = read("like", ["The ferry to the islands sails at nine from pier ten"], "Whence?", "pier ten")
    assert chosen(like, FERRY) == []


def test_chinese_is_compared_by_pairs_of_characters():
    assert words("我的同事 Ana") == {"我的", "的同", "同事", "ana"}
    mine = read("甲", ["张文博是我的下属，其生日是12月01日。"], "张文博的生日是什么？", "12月01日")
    like = read("乙", ["张志宏是我的下属，其生日是08月17日。"], "张志宏的生日是什么？", "08月17日")
    assert chosen(mine, like) == []
    other = read("丙", ["他上周末在海边学会了游泳"], "他学会了什么？", "游泳")
    assert chosen(mine, other) == ["丙-0"]


def test_the_same_seed_chooses_the_same_questions():
    pool = [
        some
        for n in range(30)
        for some in answerable(read(f"w{n}", [f"Parcel {n}x waits at gate {n}y"], f"Where is {n}x?", f"{n}y"))
    ]
    first, again, other = (foreign(BREAD, pool, 5, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == 5


def test_the_auc_counts_pairs_and_ties_half():
    high, low = Values.of([0.9, 0.5]), Values.of([0.5, 0.1])
    assert auc(high, low) == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert auc(high, high) == pytest.approx(0.5)
    assert auc(low, Values.of([0.95])) == 0.0


def test_a_bound_loses_no_more_than_it_may():
    own = Values.of([n / 100 for n in range(1, 101)])
    for loss in (0.01, 0.05, 0.1):
        bound = bound_at(own, loss)
        assert own.below(bound) == pytest.approx(loss)
        assert own.below(bound + 0.01) > loss
    assert bound_at(Values.of([0.3, 0.3]), 0.01) == 0.3


def test_sets_of_different_size_count_the_same_together():
    together = equal_parts([Values.of([0.1] * 99), Values.of([0.9])])
    assert together.below(0.5) == pytest.approx(0.5)
    assert np.all(np.diff(together.numbers) >= 0)


def test_the_curve_rises_from_nothing_abstained_to_all():
    points = curve(Values.of([0.4, 0.6]), Values.of([0.2, 0.995]))
    assert points[0] == (0.0, 0.0, 0.0)
    assert points[50] == (0.5, 0.5, 0.5)
    assert points[-1][1:] == (1.0, 1.0)
    assert all(one[1] <= other[1] and one[2] <= other[2] for one, other in pairwise(points))


def test_the_interval_of_a_share_holds_it_and_does_not_leave_0_to_1():
    assert share_interval(0, 20)[0] == share_interval(0, 20)[1] == 0.0
    share, lower, upper = share_interval(5, 100)
    assert lower < share == 0.05 < upper
    # A published example: 1 of 20 lies in 0.9 % to 23.6 %.
    assert share_interval(1, 20)[1:] == pytest.approx((0.0089, 0.2361), abs=1e-3)


def test_a_set_is_asked_what_it_answers_and_what_it_cannot(tmp_path, capsys):
    worlds = [a_world("ferry", FERRY_TURNS, "When does it sail?", "noon", abstain=2)]
    worlds += [a_world("bread", BREAD_TURNS, "Who bakes the bread?", "Grandmother", abstain=2)]
    (tmp_path / "locomo.jsonl").write_text("\n".join(map(json.dumps, worlds)), "utf-8")
    arguments = ["--data", str(tmp_path), "--set", "locomo", "--workers", "1"]
    arguments += ["--stores", str(tmp_path / "kept")]
    first, second = (BENCHES["abstain"].run(arguments) for _ in range(2))
    assert first["figures"] == second["figures"]
    assert first["sizes"]["locomo"] == {"answerable": 2, "of another world": 2, "unanswerable": 4}
    found = first["figures"]["locomo"]
    assert found["abstained"]["answerable"]["share"] == 0.0
    assert len(found["curve"]) == 101
    assert set(found["at"]) == set(first["figures"]["together"]["at"]) == {"0.01", "0.02", "0.05", "0.1"}
    assert "locomo, of another world" in capsys.readouterr().out


def test_a_set_that_asks_every_world_the_same_cannot_be_measured(data):
    with pytest.raises(InvalidInput, match="locomo: nothing to ask"):
        BENCHES["abstain"].run(["--data", str(data), "--set", "locomo", "--workers", "1"])


def test_of_several_sets_one_of_a_single_world_is_left_out_and_named(tmp_path, capsys):
    worlds = [a_world("ferry", FERRY_TURNS, "When does it sail?", "noon", abstain=2)]
    worlds += [a_world("bread", BREAD_TURNS, "Who bakes the bread?", "Grandmother", abstain=2)]
    (tmp_path / "locomo.jsonl").write_text("\n".join(map(json.dumps, worlds)), "utf-8")
    (tmp_path / "cranfield.jsonl").write_text(json.dumps(worlds[0]), "utf-8")
    found = BENCHES["abstain"].run(["--data", str(tmp_path), "--set", "cranfield,locomo", "--workers", "1"])
    assert list(found["sizes"]) == ["locomo"]
    assert "cranfield is one world, left out" in capsys.readouterr().err
