import pytest

from benchmarks.measures import DEPTH, MEASURES, interval, measured, recall

# Ten turns of four sessions; t2 and t7 answer.
RANKING = ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"]
SESSIONS = ["a", "a", "b", "a", "c", "c", "b", "d", "a", "d"]


def test_recall_is_the_share_of_the_evidence_among_the_first_k():
    found = measured(RANKING, SESSIONS, {"t2", "t7"}, {"b", "d"})
    assert found["R@3"] == 0.5
    assert found["R@5"] == 0.5
    assert found["R@10"] == 1.0
    assert found["all@10"] == 1.0


def test_evidence_that_was_not_found_counts_as_missed():
    found = measured(RANKING, SESSIONS, {"t2", "elsewhere"}, {"b", "z"})
    assert found["R@10"] == 0.5
    assert found["all@10"] == 0.0
    assert found["Sall@10"] == 0.0
    assert found["Sany@5"] == 1.0


def test_the_reciprocal_rank_is_that_of_the_first_evidence():
    assert measured(RANKING, SESSIONS, {"t2", "t7"}, {"b"})["MRR"] == pytest.approx(1 / 3)
    assert measured(RANKING, SESSIONS, {"elsewhere"}, {"z"})["MRR"] == 0.0


def test_the_reciprocal_rank_looks_no_deeper_than_the_depth():
    ranking = [f"x{n}" for n in range(DEPTH)] + ["late"]
    assert measured(ranking, ["s"] * len(ranking), {"late"}, {"z"})["MRR"] == 0.0


def test_sessions_stand_in_the_order_of_their_best_turn():
    # a, b, c, d: b is second, d fourth.
    found = measured(RANKING, SESSIONS, {"t2", "t7"}, {"b", "d"})
    assert found["Sany@1"] == 0.0
    assert found["Sany@5"] == 1.0
    assert found["Sall@5"] == 1.0
    assert measured(RANKING, SESSIONS, {"t0"}, {"a"})["Sany@1"] == 1.0


def test_six_sessions_that_answer_cannot_all_be_among_five():
    sessions = [f"s{n}" for n in range(10)]
    found = measured(RANKING, sessions, set(RANKING), set(sessions[:6]))
    assert found["Sall@5"] == 0.0
    assert found["Sall@10"] == 1.0


def test_a_search_without_hits_has_zero_everywhere():
    assert measured([], [], {"t"}, {"s"}) == dict.fromkeys(MEASURES, 0.0)


def test_recall_of_a_short_ranking_does_not_fail():
    assert recall(["t"], {"t", "u"}, 10) == 0.5


def test_the_interval_of_a_difference_holds_its_mean_and_is_the_same_for_the_same_seed():
    first, second = [1.0, 0.0, 1.0, 1.0, 0.5], [0.0, 0.0, 1.0, 0.5, 0.5]
    mean, lower, upper = interval(first, second, seed=3)
    assert mean == pytest.approx(0.3)
    assert lower <= mean <= upper
    assert interval(first, second, seed=3) == (mean, lower, upper)


def test_equal_columns_differ_by_nothing():
    assert interval([1.0, 0.0], [1.0, 0.0], seed=1) == (0.0, 0.0, 0.0)
