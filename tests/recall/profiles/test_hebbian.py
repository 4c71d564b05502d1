"""The profile `hebbian`: bm25 · exp(0.2·r) · 1/(1 + 0.01·d), by hand."""

import math

import pytest

from simonides.domain.instant import DAY_US
from simonides.domain.taxonomy import TAXONOMY
from simonides.recall.ranking.profiles.hebbian import FETCH, Hebbian


@pytest.mark.parametrize(
    ("reinforcement", "factor"),
    [(3, 1.822), (-1, 0.819), (-5, 0.368), (0, 1.0), (5, 2.718), (6, 2.718), (1e6, 2.718), (-300, 0.368)],
)
def test_reinforcement_multiplies_up_to_five_either_way(reinforcement, factor, ranking):
    table = ranking.candidates(ranking.sketch(reinforcement=reinforcement), bm25=[1])
    assert Hebbian().rank(table, TAXONOMY).factor == pytest.approx([factor], abs=5e-4)


@pytest.mark.parametrize(("days", "factor"), [(0, 1.0), (30, 0.769), (100, 0.5), (-9, 1.0)])
def test_days_divide(days, factor, ranking):
    table = ranking.candidates(ranking.sketch(created_at=ranking.NOW - days * DAY_US), bm25=[1])
    assert Hebbian().rank(table, TAXONOMY).factor == pytest.approx([factor], abs=5e-4)


def test_a_score_is_the_match_times_both(ranking):
    now = ranking.NOW
    table = ranking.candidates(
        ranking.sketch(1, reinforcement=3, created_at=now - 400 * DAY_US, last_hit_at=now - 30 * DAY_US),
        ranking.sketch(2, reinforcement=-1, created_at=now - 100 * DAY_US),
        ranking.sketch(3, created_at=now, last_used_at=now),
        bm25=[2.0, 8.0, 2.5],
    )
    found = Hebbian().rank(table, TAXONOMY)
    first = 2.0 * math.exp(0.2 * 3) / (1 + 0.01 * 30)  # 2 · 1.82212 / 1.3 = 2.80326
    second = 8.0 * math.exp(0.2 * -1) / (1 + 0.01 * 100)  # 8 · .81873 / 2 = 3.27492
    assert found.score == pytest.approx([first, second, 2.5])
    assert found.score == pytest.approx([2.80326, 3.27492, 2.5], abs=1e-5)
    assert ranking.best(found) == [2, 1, 3]


def test_a_use_is_no_hit(ranking):
    now = ranking.NOW
    table = ranking.candidates(
        ranking.sketch(1, created_at=now - 100 * DAY_US, last_used_at=now),
        ranking.sketch(2, created_at=now - 100 * DAY_US, last_hit_at=now),
        bm25=[1, 1],
    )
    assert Hebbian().rank(table, TAXONOMY).score == pytest.approx([0.5, 1.0])


def test_what_the_words_did_not_find_is_dropped_however_reinforced(ranking):
    table = ranking.candidates(
        ranking.sketch(1, reinforcement=5), ranking.sketch(2), bm25=[0, 0.1], cosine=[1, 0]
    )
    found = Hebbian().rank(table, TAXONOMY)
    assert found.dropped.tolist() == [True, False]


def test_matches_of_a_word_that_every_text_holds_are_still_told_apart(ranking):
    # BM25 of such a word is about a millionth.
    table = ranking.candidates(ranking.sketch(1), ranking.sketch(2, reinforcement=3), bm25=[1e-6, 1e-6])
    assert ranking.best(Hebbian().rank(table, TAXONOMY)) == [2, 1]


def test_its_numbers_are_settings_and_the_fetch_is_threefold(ranking):
    table = ranking.candidates(
        ranking.sketch(reinforcement=9, created_at=ranking.NOW - 10 * DAY_US), bm25=[3]
    )
    found = Hebbian(strength=0.1, fading=0.1, most=7).rank(table, TAXONOMY)
    assert found.score == pytest.approx([3 * math.exp(0.7) / 2])
    assert FETCH == 3
