"""Confidence that anything answers; and the bounds that go by it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.errors import InvalidSettings
from simonides.recall.ranking.confidence import EVIDENCE, evidence, likelihood
from simonides.recall.ranking.model import bundled
from simonides.recall.settings import RecallSettings

#: What there is to go by, and how that is told: trust in the embedder, and whether the script has no spaces.
KINDS = {"vectors": (1.0, False), "pairs": (0.0, True), "bare": (0.0, False)}
WITHOUT = bundled().without_vectors


def confidence(table, *, trust, unspaced, topical=True):
    """The likelihood where the embedder knows the question so far."""
    vectors = np.zeros((1, 2), np.float32)
    query = replace(table.query, vectors=vectors, trusted=[trust], unspaced=unspaced, topical=topical)
    return likelihood(replace(table, query=query))


@pytest.fixture
def seen(stage):
    """Three candidates that hold so much of the question."""

    def made(coverage=(0.6, 0.3, 0.0), cosine=(0.4, 0.5, 0.1), linear=(1.5, 0.9, 0.3), **columns):
        sketches = (stage.sketch(n + 1) for n in range(len(linear)))
        return stage.candidates(*sketches, linear=linear, coverage=coverage, cosine=cosine, **columns)

    return made


# By hand; what is learned is learned anew now and then, so that no number of it stands here


def test_the_evidence_is_what_its_names_say(stage):
    table = stage.candidates(
        stage.sketch(1, type="episode"),
        stage.sketch(2),
        stage.sketch(3),
        matches=[stage.match([[1, 0], [1, 1], [0, 2]], weights=[0.75, 0.25], phrases=[0, 1, 0])],
        coverage=(0.75, 1.0, 0.25),
        cosine=(0.4, 0.5, 0.0),
        linear=(1.5, 0.9, 0.3),
        alone=(0.8, 0.7, 0.1),
        session=(0.2, 0.0, 0.0),
    )
    table = replace(table, query=replace(table.query, extent=40))
    mean, spread = 0.3, math.sqrt((0.1**2 + 0.2**2 + 0.3**2) / 3)
    assert evidence(table) == pytest.approx(
        {
            "coverage": 1.0,
            "cosine": 0.5,
            "linear": 1.5,
            "linear_best": 0.9,
            "coverage_best": 2 / 3,
            "rare": 1.0,
            "phrase": 1.0,
            "both": 0.5,
            "first_coverage": 0.75,
            "first_cosine": 0.4,
            "outstanding": (0.5 - mean) / (spread + 0.02),
            "known": 1.0,
            "session": 0.2,
            "extent": 40.0,
            "asked": 2.0,
            "notes": 2 / 3,
            "middling": mean,
            "spread": spread,
            "crowd": 0.0,
        }
    )
    assert tuple(evidence(table)) == EVIDENCE


def test_where_vectors_count_the_trees_say_how_likely_an_answer_is(seen):
    table, forest = seen(), bundled().confidence
    row = np.round(np.array([[evidence(table)[name] for name in EVIDENCE]]), 6)
    expected = 1 / (1 + math.exp(-forest.scores(forest.leaves(row))[0]))
    assert confidence(table, trust=1.0, unspaced=False) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["pairs", "bare"])
def test_without_vectors_it_is_a_logistic_function_of_a_few_figures(seen, kind):
    trust, unspaced = KINDS[kind]
    table = seen()
    weights = dict(WITHOUT[kind])
    odds = weights.pop("base") + sum(weight * evidence(table)[name] for name, weight in weights.items())
    assert confidence(table, trust=trust, unspaced=unspaced) == pytest.approx(1 / (1 + math.exp(-odds)))


def test_the_best_five_of_the_first_look_count_together(seen):
    linear = (0.1, 3.0, 0.5, 1.0, 2.0, 0.2, 0.3)
    zeros = (0.0,) * 7
    found = evidence(seen(zeros, zeros, linear))
    assert (found["linear"], found["linear_best"]) == (3.0, pytest.approx((3.0 + 2.0 + 1.0 + 0.5 + 0.3) / 5))


def test_where_there_is_nothing_nothing_answers(seen):
    table = seen((), (), ())
    for trust, unspaced in KINDS.values():
        for topical in (True, False):
            assert confidence(table, trust=trust, unspaced=unspaced, topical=topical) == 0.0
    assert evidence(table) == dict.fromkeys(EVIDENCE, 0.0)


def test_what_an_embedder_knows_nothing_of_does_not_count(seen):
    table = seen(cosine=(0.0, 0.0, 0.0))
    other = seen(cosine=(0.9, 0.9, 0.9))
    for kind in ("pairs", "bare"):
        trust, unspaced = KINDS[kind]
        found = {confidence(some, trust=trust, unspaced=unspaced) for some in (table, other)}
        assert len(found) == 1


def test_a_script_that_the_embedder_knows_is_read_by_it_whether_it_has_spaces_or_not(seen):
    table = seen()
    found = {confidence(table, trust=1.0, unspaced=unspaced) for unspaced in (True, False)}
    assert len(found) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_in_one_text_is_a_half_at_least_where_the_words_say_anything(seen, kind):
    trust, unspaced = KINDS[kind]
    zeros = (0.0, 0.0, 0.0)
    table = seen((1.0, 0.0, 0.0), zeros, zeros)
    assert confidence(table, trust=trust, unspaced=unspaced, topical=True) >= 0.5
    if kind == "bare":
        bare = 1 / (1 + math.exp(-WITHOUT[kind]["base"] - WITHOUT[kind]["coverage"]))
        assert confidence(table, trust=trust, unspaced=unspaced, topical=False) == pytest.approx(bare)


def test_a_text_that_holds_all_but_a_word_is_not_helped(seen):
    zeros = (0.0, 0.0, 0.0)
    table = seen((0.98, 0.98, 0.98), zeros, zeros)
    weights = WITHOUT["bare"]
    expected = 1 / (1 + math.exp(-weights["base"] - 0.98 * weights["coverage"]))
    assert confidence(table, trust=0.0, unspaced=False) == pytest.approx(expected)


# Whatever the candidates


ASKED = {"trust": st.floats(0, 1), "unspaced": st.booleans(), "topical": st.booleans()}


@settings(max_examples=40)
@given(data=st.data(), **ASKED)
def test_it_is_a_likelihood_and_does_not_depend_on_the_order_of_the_candidates(
    data, trust, unspaced, topical, stage
):
    table = data.draw(stage.tables())
    size = len(table)
    column = st.lists(st.floats(0, 1), min_size=size, max_size=size)
    coverage, cosine = data.draw(column), data.draw(column)
    asked = {"trust": trust, "unspaced": unspaced, "topical": topical}
    found = confidence(stage.changed(table, coverage=coverage, cosine=cosine), **asked)
    assert 0 <= found <= 1
    rows = data.draw(st.permutations(range(size)))
    turned = stage.turned(stage.changed(table, coverage=coverage, cosine=cosine), rows)
    assert confidence(turned, **asked) == pytest.approx(found)


@settings(max_examples=40)
@given(data=st.data(), **ASKED)
def test_what_holds_more_of_the_question_never_makes_an_answer_less_likely(
    data, trust, unspaced, topical, stage
):
    table = data.draw(stage.tables(least=1))
    size = len(table)
    column = st.lists(st.floats(0, 1), min_size=size, max_size=size)
    less, more = np.array(data.draw(column)), np.array(data.draw(column))
    cosine = data.draw(column)
    asked = {"trust": trust, "unspaced": unspaced, "topical": topical}
    # Which one is first by itself stays as it is: of equals what holds more would be, however near the other is.
    table = stage.changed(table, alone=np.arange(size, dtype=float))
    low = confidence(stage.changed(table, coverage=less, cosine=cosine), **asked)
    high = confidence(stage.changed(table, coverage=np.maximum(less, more), cosine=cosine), **asked)
    assert high >= low


# The bounds


@pytest.mark.parametrize(("hide", "abstain"), [(0.3, 0.2), (1.0, 0.99), (0.1, 0.0)])
def test_hits_are_not_hidden_where_a_search_does_not_abstain(hide, abstain):
    with pytest.raises(InvalidSettings, match=r"recall\.hide_below must not be above recall\.abstain_below"):
        RecallSettings(hide_below=hide, abstain_below=abstain)


@pytest.mark.parametrize(("hide", "abstain"), [(0.0, 0.0), (0.2, 0.2), (0.0, 1.0), (1.0, 1.0)])
def test_the_bounds_may_be_the_same(hide, abstain):
    settings = RecallSettings(hide_below=hide, abstain_below=abstain)
    assert (settings.hide_below, settings.abstain_below) == (hide, abstain)


@pytest.mark.parametrize(
    "name", ["min_relevance", "abstain_below", "hide_below", "unsettled_below", "prior_span"]
)
@pytest.mark.parametrize("value", [-0.01, 1.01, math.nan, math.inf])
def test_a_bound_that_is_no_share_is_refused_by_its_name(name, value):
    with pytest.raises(InvalidSettings, match=rf"recall\.{name} lies in \[0, 1\]"):
        RecallSettings(**{name: value})


def test_the_bounds_that_come_along_are_in_order():
    settings = RecallSettings()
    assert 0 == settings.hide_below < settings.abstain_below < settings.unsettled_below < 1
