"""Laws of every profile that ranks the candidates of one search, whatever the numbers; and the registry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.taxonomy import TAXONOMY
from simonides.errors import InvalidInput, InvalidSettings
from simonides.recall.ranking.match import lexical
from simonides.recall.ranking.profiles import PROFILES, ProfileSettings, profile_named
from simonides.recall.ranking.profiles.classic import Classic
from simonides.recall.ranking.profiles.enhanced import EnhancedSettings
from simonides.recall.ranking.profiles.hebbian import Hebbian
from simonides.recall.ranking.profiles.rrf import Rrf
from simonides.recall.ranking.profiles.strict import Strict
from simonides.recall.ranking.profiles.support import Support
from simonides.recall.ranking.profiles.weighted import Weighted

PURE = {"weighted": Weighted(), "rrf": Rrf(), "classic": Classic(), "hebbian": Hebbian(), "strict": Strict()}
#: The highest score there can be.
MOST = {"weighted": 1.0, "rrf": 3 / 61, "classic": 1.0, "hebbian": 50 * math.e, "strict": 1.0}
every_profile = pytest.mark.parametrize("name", PURE)


@settings(max_examples=30)
@given(data=st.data())
def test_the_parts_add_up_to_the_score_once_the_factor_multiplies_them(data, ranking):
    table = data.draw(ranking.tables())
    for name, profile in PURE.items():
        found = profile.rank(table, TAXONOMY)
        assert found.score == pytest.approx(sum(found.parts.values()) * found.factor), name


@settings(max_examples=30)
@given(data=st.data())
def test_scores_are_finite_and_in_range_and_relevance_is_a_share(data, ranking):
    table = data.draw(ranking.tables())
    for name, profile in PURE.items():
        found = profile.rank(table, TAXONOMY)
        columns = (found.score, found.relevance, found.factor, found.dropped)
        assert {column.shape for column in columns} == {(len(table),)}, name
        assert np.isfinite(found.score).all(), name
        assert ((found.score >= 0) & (found.score <= MOST[name] + 1e-9)).all(), name
        assert ((found.relevance >= 0) & (found.relevance <= 1)).all(), name


@settings(max_examples=30)
@given(data=st.data())
def test_the_order_in_which_candidates_come_does_not_matter(data, ranking):
    table = data.draw(ranking.tables())
    rows = data.draw(st.permutations(range(len(table))))
    turned = ranking.turned(table, np.array(rows, np.intp))
    for name, profile in PURE.items():
        first, again = profile.rank(table, TAXONOMY), profile.rank(turned, TAXONOMY)
        assert again.score == pytest.approx(first.score[rows]), name
        assert again.relevance == pytest.approx(first.relevance[rows]), name
        assert again.dropped.tolist() == first.dropped[rows].tolist(), name
        assert ranking.best(again) == ranking.best(first), name


@settings(max_examples=30)
@given(data=st.data())
def test_relevance_does_not_depend_on_the_other_candidates(data, ranking):
    table = data.draw(ranking.tables())
    rows = [ranking.turned(table, [row]) for row in range(len(table))]
    for name, profile in PURE.items():
        together = profile.rank(table, TAXONOMY).relevance
        alone = [profile.rank(row, TAXONOMY).relevance[0] for row in rows]
        assert together == pytest.approx(np.array(alone)), name


@settings(max_examples=30)
@given(data=st.data())
def test_more_of_what_a_profile_looks_at_never_lowers_a_score(data, ranking):
    table = data.draw(ranking.tables())
    if not len(table):
        return
    row = data.draw(st.integers(0, len(table) - 1))
    column = data.draw(st.sampled_from(["bm25", "cosine", "tag", "activation"]))
    values = getattr(table, column).copy()
    values[row] = max(values.max(), values[row])
    better = ranking.candidates(*table.sketches, **{**ranking.columns(table), column: values})
    for name, profile in PURE.items():
        before, after = profile.rank(table, TAXONOMY), profile.rank(better, TAXONOMY)
        assert after.score[row] >= before.score[row] - 1e-9, name


@every_profile
def test_candidates_that_are_alike_are_ordered_newest_first(name, ranking):
    table = ranking.candidates(
        *[ranking.sketch(key) for key in (3, 5, 9)], bm25=[2, 2, 2], cosine=[0.5] * 3, tag=[0.5] * 3
    )
    found = PURE[name].rank(table, TAXONOMY)
    assert ranking.best(found) == [9, 5, 3]


@every_profile
def test_nothing_is_ranked_as_nothing(name, ranking):
    found = PURE[name].rank(ranking.candidates(), TAXONOMY)
    assert found.score.shape == found.dropped.shape == (0,)


# Signals that profiles share


def test_the_best_match_of_few_of_the_words_is_no_full_match():
    # Best BM25 4; the texts that were seen hold at most 3/4 of the question: 4/4·.75, 1/4·.75, unseen.
    assert lexical(np.array([4.0, 1.0, 0.0]), np.array([0.75, 0.2, 1.0])) == pytest.approx([0.75, 0.1875, 0])
    assert lexical(np.array([4.0]), np.array([1.0])) == pytest.approx([1.0])
    assert lexical(np.array([4.0, 2.0]), np.array([0.0, 0.0])) == pytest.approx([1.0, 0.5])


def test_an_order_does_not_hang_on_the_last_bits_nor_on_the_scale(stage):
    found = stage.candidates(*(stage.sketch(key) for key in (3, 5, 7)))
    assert found.order(np.array([1.0 + 1e-9, 1.0, 1.1])).tolist() == [2, 1, 0]
    assert found.order(np.array([1e-7, 3e-7, 2e-7])).tolist() == [1, 2, 0]


def test_of_equal_values_the_newest_comes_first_by_when_it_happened_then_by_when_it_was_stored(stage):
    dated = [stage.sketch(3, event_at=30), stage.sketch(5, event_at=10), stage.sketch(7, event_at=10)]
    assert stage.candidates(*dated).order(np.zeros(3)).tolist() == [0, 2, 1]


# The registry and the settings


def test_there_are_seven_profiles_and_five_of_them_need_nothing_but_a_pool():
    assert list(PROFILES) == ["balanced", "weighted", "rrf", "classic", "enhanced", "hebbian", "strict"]
    chosen = ProfileSettings(hebbian=Hebbian(most=3))
    made = {name: profile.ranker(chosen) for name, profile in PROFILES.items() if profile.ranker is not None}
    assert made == PURE | {"hebbian": Hebbian(most=3)}


def test_a_profile_says_what_it_needs_before_it_ranks():
    assert [name for name, profile in PROFILES.items() if not profile.vectors] == [
        "classic",
        "hebbian",
        "strict",
    ]
    assert profile_named(" RRF ").name == "rrf"
    assert profile_named("hebbian").fetch == 3


@pytest.mark.parametrize("name", ["", "fancy", "balanced2"])
def test_an_unknown_profile_is_an_error_that_lists_those_there_are(name):
    with pytest.raises(InvalidInput, match="balanced, weighted, rrf, classic, enhanced, hebbian, strict"):
        profile_named(name)


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (Weighted, "weighted.tag", -0.1),
        (Weighted, "weighted.vector", 1.1),
        (Weighted, "weighted.provenance", math.nan),
        (Support, "weighted.support.doc_unhashed", 1.5),
        (Support, "weighted.support.source", 0.7),
        (Rrf, "rrf.k", 0),
        (Rrf, "rrf.graph", -1),
        (Rrf, "rrf.text", math.inf),
        (Rrf, "rrf.least", 1.01),
        (Classic, "classic.most", 0),
        (Classic, "classic.words", 0),
        (Hebbian, "hebbian.strength", 2),
        (Hebbian, "hebbian.fading", math.nan),
        (Hebbian, "hebbian.most", -1),
        (EnhancedSettings, "enhanced.width", 0),
        (EnhancedSettings, "enhanced.strong", 1.2),
        (EnhancedSettings, "enhanced.middle", 0.8),
        (EnhancedSettings, "enhanced.tail", 0.7),
        (EnhancedSettings, "enhanced.middle_until", 2),
    ],
)
def test_a_setting_out_of_range_is_named(kind, name, value):
    with pytest.raises(InvalidSettings, match=rf"recall\.profiles\.{name}\b"):
        kind(**{name.rpartition(".")[2]: value})
