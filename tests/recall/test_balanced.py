"""The default profile: what a score is made of, what the prior may do, and who is weighed up at all."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.taxonomy import TAXONOMY
from simonides.recall.question.analysis import Intent
from simonides.recall.ranking.features import GROUPS, NAMES
from simonides.recall.ranking.first_look import SHORTLIST, shortlist
from simonides.recall.ranking.match import likeness, meaning_share
from simonides.recall.ranking.model import bundled
from simonides.recall.ranking.profiles.balanced import Balanced
from simonides.recall.ranking.trees import Trees

SPAN = 0.25


def tree_that_asks(name, threshold, low, high, base=0.0):
    """A forest of one tree: what holds more of one feature gets `high` from the feature's group, else `low`."""
    group = next(group for group, names in GROUPS.items() if name in names)
    parts = np.zeros((1, 2, len(GROUPS)))
    parts[0, :, list(GROUPS).index(group)] = low, high
    return Trees(
        names=NAMES,
        groups=tuple(GROUPS),
        feature=np.array([[NAMES.index(name)]], np.uint8),
        threshold=np.array([[threshold]]),
        mask=np.array([[0b11111110]], np.uint8),
        parts=parts,
        base=base,
    )


COVERED = tree_that_asks("coverage", 0.5, -0.75, 1.5, base=2.0)
#: Whatever trees are learned, these know nothing of times and links.
PLAIN = Balanced(SPAN, COVERED)


@pytest.fixture
def crowd(stage):
    """So many notes, of which the first look finds each a little better than the one before."""

    def made(size, **columns):
        sketches = [stage.sketch(n + 1, f"note {n}") for n in range(size)]
        return stage.candidates(*sketches, **({"linear": np.arange(1, size + 1) / size} | columns))

    return made


def rank(table, stage, scorer=None, k=10, **analysis):
    return (scorer or Balanced()).rank(stage.asked_for(table, k, **analysis), TAXONOMY)


# By hand


def test_a_score_is_the_base_what_the_trees_add_and_the_prior(stage):
    table = stage.candidates(
        stage.sketch(1, "kettle"),
        stage.sketch(2, "tea", importance=1.0, validation="verified"),
        stage.sketch(3, "cat", importance=0.0, validation="retracted", confidence=0.0),
        matches=[stage.match([[1, 1], [0, 1], [0, 0]], weights=[0.75, 0.25])],
        linear=[0.9, 0.5, 0.1],
        coverage=[1.0, 0.25, 0.0],
        cosine=[0.5, 0.0, 0.25],
    )
    found = rank(table, stage, Balanced(SPAN, COVERED))
    # Fresh facts keep all of their weight; reinforcement 0 is neutral: .5.
    priors = [
        (1 + 1.0 + 0.5 + 0.5 + 0.5) / 5,
        (1 + 1.0 + 0.5 + 1.0 + 1.0) / 5,
        (1 + 0.0 + 0.5 + 0.0 + 0.0) / 5,
    ]
    shifts = [SPAN * (2 * prior - 1) for prior in priors]
    assert shifts == pytest.approx([0.1, 0.2, -0.1])
    assert found.parts["base"].tolist() == [2.0, 2.0, 2.0]
    assert found.parts["words"].tolist() == [1.5, -0.75, -0.75]
    assert found.parts["prior"] == pytest.approx(shifts)
    # Confirmed and taken back.
    assert found.parts["standing"].tolist() == [0.0, 0.3, -2.0]
    assert found.score == pytest.approx([2 + 1.5 + 0.1, 2 - 0.75 + 0.2 + 0.3, 2 - 0.75 - 0.1 - 2])
    assert found.relevance == pytest.approx([0.8, 0.15, 0.1])
    assert found.factor.tolist() == [1.0, 1.0, 1.0]
    assert not found.dropped.any()
    others = set(found.parts) - {"base", "words", "prior", "standing"}
    assert others == {*GROUPS, "versions"} - {"words"}
    assert all(not found.parts[name].any() for name in others)


def test_of_candidates_that_say_the_same_nothing_learned_tells_one_from_another(stage):
    """Features of places would put the older before the newer, whatever else speaks for either."""
    sketches = [stage.sketch(n + 1, "kettle", reinforcement=value) for n, value in enumerate([-3, 3, 0])]
    table = stage.candidates(
        *sketches,
        matches=[stage.match([[1]] * 3, cosine=[0.5] * 3)],
        bm25=[1.0] * 3,
        coverage=[1.0] * 3,
        lexical=[1.0] * 3,
        alone=[1.0] * 3,
        linear=[1.0] * 3,
    )
    found = rank(table, stage)
    for name in {"base", *GROUPS}:
        assert len(set(found.parts[name].tolist())) == 1, name
    assert np.argsort(-found.score).tolist() == [1, 2, 0]


def test_what_happened_in_the_time_that_was_named_stands_above_its_equals(stage, crowd):
    for terms in (("kettle",), ()):
        found = rank(crowd(2, linear=[1.0, 1.0], window=[0.0, 1.0]), stage, PLAIN, content_terms=terms)
        assert found.score[1] > found.score[0]


def test_what_is_linked_to_what_was_found_stands_above_its_equals(stage, crowd):
    found = rank(crowd(2, linear=[1.0, 1.0], activation=[0.0, 0.9]), stage, PLAIN, intent=Intent.WHY)
    assert found.score[1] > found.score[0]


def test_a_share_of_the_score_is_likeness_of_meaning_where_there_are_vectors(stage):
    table = stage.candidates(
        stage.sketch(1, "kettle"),
        stage.sketch(2, "tea"),
        matches=[stage.match([[1, 1], [0, 1]], cosine=[0.2, 0.6])],
        coverage=[0.6, 0.25],
        vectors=[[1.0, 0.0], [0.0, 1.0]],
    )
    unaided = rank(table, stage, PLAIN)
    asked = replace(table.query, vectors=np.ones((1, 2), np.float32), trusted=(1.0,), extent=12)
    found = PLAIN.rank(replace(table, query=asked), TAXONOMY)
    share = meaning_share(table.coverage, table.entity, 12)
    assert unaided.parts["base"].tolist() == [2.0, 2.0]
    assert not unaided.parts["meaning"].any()
    for name in ("base", "words"):
        assert found.parts[name] == pytest.approx((1 - share) * unaided.parts[name])
    assert found.parts["meaning"] == pytest.approx(
        share * likeness(table.cosine, np.ones(2, bool), np.zeros(2))
    )
    assert found.parts["standing"].tolist() == unaided.parts["standing"].tolist()


# Whatever the candidates

PLANS = st.fixed_dictionaries(
    {"intent": st.sampled_from(Intent), "content_terms": st.sampled_from([(), ("kettle",)])}
)


def drawn(data, stage):
    """Candidates, and how they were asked for."""
    table = data.draw(stage.tables())
    column = st.lists(st.floats(0, 1), min_size=len(table), max_size=len(table))
    return stage.changed(table, coverage=data.draw(column), cosine=data.draw(column)), data.draw(PLANS)


@settings(max_examples=40)
@given(data=st.data())
def test_the_parts_add_up_to_the_score_and_there_is_no_factor(data, stage):
    table, plan = drawn(data, stage)
    found = rank(table, stage, **plan)
    assert tuple(found.parts) == ("base", *GROUPS, "prior", "standing", "versions")
    assert found.score == pytest.approx(sum(found.parts.values()) * found.factor, abs=1e-9)
    assert (found.factor == 1).all()
    assert np.isfinite(found.score).all()
    assert found.score.shape == found.relevance.shape == found.dropped.shape == (len(table),)
    assert ((found.relevance >= 0) & (found.relevance <= 1)).all()


@settings(max_examples=40)
@given(data=st.data(), span=st.one_of(st.floats(0, 1), st.just(0.25)))
def test_the_prior_stays_within_its_span_and_reorders_near_ties_alone(data, stage, span):
    table, plan = drawn(data, stage)
    without = rank(table, stage, Balanced(0.0), **plan)
    found = rank(table, stage, Balanced(span), **plan)
    assert not without.parts["prior"].any()
    assert (np.abs(found.parts["prior"]) <= span + 1e-12).all()
    before, after = (some.score - some.parts["versions"] for some in (without, found))
    assert after == pytest.approx(before + found.parts["prior"], abs=1e-9)
    ahead = before[:, None] - before[None, :]
    now = after[:, None] - after[None, :]
    assert (now[ahead > 2 * span + 1e-9] > 0).all()


@settings(max_examples=50)
@given(data=st.data())
def test_nothing_about_an_item_itself_moves_what_was_learned_of_it(data, stage):
    table, plan = drawn(data, stage)
    former = rank(table, stage, **plan)
    sketches = [
        one._replace(importance=1.0, validation="verified", confidence=1.0, reinforcement=5.0)
        for one in table.sketches
    ]
    found = rank(stage.sketched(table, sketches), stage, **plan)
    for name in ("base", *GROUPS):
        assert found.parts[name] == pytest.approx(former.parts[name], abs=1e-9)
    assert (found.parts["standing"] >= former.parts["standing"] - 1e-12).all()
    assert (found.parts["prior"] >= former.parts["prior"] - 1e-12).all()


def test_no_candidates_are_an_empty_ranking(stage, crowd):
    found = rank(crowd(0), stage)
    assert len(found.score) == len(found.relevance) == len(found.dropped) == 0
    assert tuple(found.parts) == ("base", *GROUPS, "prior", "standing", "versions")


@settings(max_examples=40)
@given(data=st.data())
def test_versions_exchange_their_scores_and_nobody_else_moves(data, stage):
    table, plan = drawn(data, stage)
    found = rank(table, stage, **plan)
    before = found.score - found.parts["versions"]
    assert np.sort(found.score) == pytest.approx(np.sort(before), abs=1e-9)
    assert (np.abs(found.parts["versions"]) <= 2 + 1e-9).all()


# The shortlist


def test_so_many_of_the_best_by_the_first_look_are_weighed_up_the_others_dropped(stage, crowd):
    found = rank(crowd(SHORTLIST + 36), stage, k=10)
    assert found.dropped.tolist() == [True] * 36 + [False] * SHORTLIST
    for name, column in found.parts.items():
        assert not column[found.dropped].any(), name
    assert not found.score[found.dropped].any()


@pytest.mark.parametrize(("size", "k"), [(100, 80), (100, 100), (100, 1000), (3, 10), (1, 1)])
def test_as_many_are_weighed_up_as_are_wanted(stage, crowd, size, k):
    found = rank(crowd(size), stage, k=k)
    assert (~found.dropped).sum() == min(size, max(SHORTLIST, k))


def test_candidates_that_the_first_look_finds_equal_are_taken_newest_first(stage, crowd):
    table = crowd(6, linear=[0.5] * 6)
    assert shortlist(table, 4).tolist() == [2, 3, 4, 5]


@pytest.mark.parametrize("channel", ["window", "activation", "entity"])
def test_the_best_of_a_channel_that_the_first_look_does_not_see_are_weighed_up_too(stage, crowd, channel):
    size = SHORTLIST + 36
    column = np.zeros(size)
    column[[3, 7]] = 1.0
    found = rank(crowd(size, **{channel: column}), stage)
    assert np.flatnonzero(~found.dropped[:36]).tolist() == [3, 7]
    # Those that the first look knows lose nothing by it.
    assert not found.dropped[36:].any()


def test_a_channel_that_sees_everything_crowds_nothing_out(stage, crowd):
    size = SHORTLIST + 36
    found = rank(crowd(size, window=np.ones(size)), stage)
    assert not found.dropped[36:].any()


@settings(max_examples=40)
@given(data=st.data(), size=st.integers(1, 9))
def test_the_shortlist_is_in_the_order_of_the_candidates_none_twice_and_long_enough(data, stage, size):
    table, _ = drawn(data, stage)
    rows = shortlist(table, size).tolist()
    assert rows == sorted(set(rows))
    assert len(rows) >= min(size, len(table))
    best = sorted(range(len(table)), key=lambda row: (-round(table.linear[row], 9), row))[:size]
    if len(set(np.round(table.linear, 3).tolist())) == len(table):
        assert set(best) <= set(rows)


# Its trees


def test_by_default_it_goes_by_the_trees_that_come_along():
    assert Balanced().trees is bundled().trees
    assert Balanced().prior_span == SPAN


def test_trees_that_were_learned_with_other_features_are_refused():
    with pytest.raises(ValueError, match=r"benchmarks/train\.py"):
        Balanced(trees=replace(bundled().trees, names=NAMES[1:]))
