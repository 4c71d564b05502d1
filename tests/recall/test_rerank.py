"""Scores of a reranker, joined with the scores that were there."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.errors import ProviderError
from simonides.recall.candidates import CandidateTable, QueryContext
from simonides.recall.passage import Sought
from simonides.recall.ranking.rerank import checked, reread


def a_ranking(scores, factor=None):
    """Candidates with scores of two parts."""
    score = np.array(scores, float)
    by = np.ones(len(score)) if factor is None else np.array(factor, float)
    bare = CandidateTable(
        query=QueryContext(analysis=None, k=10, now=0),
        keys=np.arange(len(score)),
        sketches=(),
        event_at=np.zeros(len(score), np.int64),
        sought=Sought({}, (), lambda texts: [[] for _ in texts]),
    )
    halves = np.full(len(score), 0.5)
    return bare.scored({"base": halves, "match": score / by - 0.5}, halves, by)


def test_the_part_spans_as_much_as_the_scores_that_were_read():
    # Rows 0 to 3 span 3 − (−1) = 4; what was said spans .2 to .6.
    found = reread(a_ranking([3.0, 1.0, -1.0, 0.0, -2.0]), [0, 1, 3, 2], np.array([0.2, 0.6, 0.3, 0.5]))
    assert found.parts["rerank"] == pytest.approx([0.0, 4.0, 3.0, 1.0, 0.0])
    assert found.score == pytest.approx([3.0, 5.0, 2.0, 1.0, -2.0])


def test_what_was_there_stays_as_it_was():
    former = a_ranking([3.0, 1.0, -1.0])
    found = reread(former, [0, 1], np.array([0.0, 1.0]))
    assert list(found.parts) == ["base", "match", "rerank"]
    for name, column in former.parts.items():
        assert np.array_equal(found.parts[name], column)
    assert found.relevance is former.relevance
    assert found.dropped is former.dropped
    assert former.score.tolist() == [3.0, 1.0, -1.0]


def test_a_reranker_that_says_the_same_of_all_says_nothing():
    for said in ([0.7, 0.7, 0.7], [0.0, 0.0, 0.0]):
        found = reread(a_ranking([3.0, 1.0, -1.0]), [0, 1, 2], np.array(said))
        assert not found.parts["rerank"].any()
        assert found.score == pytest.approx([3.0, 1.0, -1.0])


def test_one_text_that_was_read_stays_where_it_is():
    found = reread(a_ranking([3.0, 1.0]), [0], np.array([0.9]))
    assert found.score == pytest.approx([3.0, 1.0])


def test_where_the_scores_tell_nothing_apart_what_was_said_does():
    found = reread(a_ranking([2.0, 2.0, 2.0]), [0, 1, 2], np.array([0.1, 0.9, 0.5]))
    assert found.score == pytest.approx([2.0, 3.0, 2.5])


def test_the_factor_multiplies_the_part_too():
    found = reread(a_ranking([3.0, 1.0, 0.5], factor=[1.0, 0.5, 2.0]), [0, 1], np.array([0.0, 1.0]))
    assert found.parts["rerank"] == pytest.approx([0.0, 2.0, 0.0])
    assert found.score == pytest.approx([3.0, (2.0 + 2.0) * 0.5, 0.5])


SCORES = st.lists(st.floats(-10, 10), min_size=1, max_size=8)


@given(data=st.data(), scores=SCORES, scale=st.sampled_from([1e-6, 1.0, 1e6]))
def test_parts_add_up_and_what_was_not_read_stays_behind_what_was(data, scores, scale):
    ranking = a_ranking(scores)
    ranked = np.argsort(-ranking.score, kind="stable").tolist()
    rows = ranked[: data.draw(st.integers(1, len(scores)))]
    values = st.lists(st.floats(-1, 1), min_size=len(rows), max_size=len(rows))
    said = np.array(data.draw(values)) * scale
    found = reread(ranking, rows, said)
    assert found.score == pytest.approx(sum(found.parts.values()) * found.factor)
    span = float(np.ptp(ranking.score[rows])) or 1.0
    assert ((found.parts["rerank"] >= 0) & (found.parts["rerank"] <= span + 1e-9)).all()
    behind = ranked[len(rows) :]
    assert found.score[behind] == pytest.approx(ranking.score[behind])
    if behind:
        assert found.score[rows].min() >= found.score[behind].max() - 1e-9


@given(scores=SCORES, data=st.data())
def test_what_is_said_to_be_better_never_loses_against_its_equals(scores, data):
    ranking = a_ranking([scores[0]] * len(scores))
    said = np.array(data.draw(st.permutations(scores)))
    found = reread(ranking, list(range(len(scores))), said)
    assert (np.diff(found.score[np.argsort(said)]) >= -1e-9).all()


# What a reranker says, before it is believed


def test_what_can_be_used_is_given_back_in_full_width():
    found = checked(np.array([0.5, -3.0], np.float32), 2, "tei")
    assert found.dtype == np.float64
    assert found.tolist() == [0.5, -3.0]


@pytest.mark.parametrize("said", [[], [0.1], [0.1, 0.2, 0.3], [[0.1, 0.2]], 0.5])
def test_scores_of_another_number_are_a_failure_of_the_provider(said):
    with pytest.raises(ProviderError, match=r"tei gave scores of shape .* for 2 texts"):
        checked(np.array(said, np.float32), 2, "tei")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_scores_that_are_no_numbers_are_a_failure_of_the_provider(value):
    with pytest.raises(ProviderError, match="tei gave scores that are no finite numbers"):
        checked(np.array([0.5, value], np.float32), 2, "tei")
