"""Worth of an explanation: the formula by hand, and what holds of it whatever the numbers."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.errors import InvalidInput, InvalidSettings
from simonides.recall.agenda.node import AgendaNode, Goal, ScoreParts, Subgoal, SubgoalKind, Want
from simonides.recall.agenda.score import Scorer, provenance_worth
from simonides.recall.agenda.settings import ScoreWeights

GOAL = Goal(
    text="who leads Apollo?", terms=(Want("lead", "leads", 1.0),), entities=(Want("apollo", "Apollo", 3.0),)
)
OPEN_LEAD = Subgoal(SubgoalKind.TERM, "lead", "leads", 1.0)


def node(support, *, missing=(), similarity=0.0, **more):
    return AgendaNode(goal=GOAL, support=tuple(support), open=tuple(missing), similarity=similarity, **more)


# By hand


@pytest.mark.parametrize(
    ("kind", "hashed", "validation", "worth"),
    [
        ("doc", 1, "verified", 0.6 * 1.0 + 0.4),
        ("doc", 0, "unverified", 0.6 * 0.7 + 0.4 * 0.3),
        ("tool", 1, "contested", 0.6 * 0.8 + 0.4 * 0.1),
        ("tool", 0, "retracted", 0.6 * 0.5),
        ("mixed", 1, "retracted", 0.6 * 0.6),
        ("mixed", 0, "retracted", 0.6 * 0.4),
        ("chat", 0, "unverified", 0.24),
        ("chat", 1, "unverified", 0.42),
    ],
)
def test_provenance_is_six_tenths_source_and_four_tenths_validation(fake, kind, hashed, validation, worth):
    sketch = fake.sketch(1, source_kind=kind, hashed=hashed, validation=validation)
    assert provenance_worth(sketch) == pytest.approx(worth)


def test_an_item_that_was_just_confirmed_counts_as_verified(fake):
    assert provenance_worth(fake.sketch(1), confirmed=True) == pytest.approx(0.6 * 0.2 + 0.4)


def test_one_item_that_covers_everything_is_scored_by_hand(fake):
    parts = Scorer().score(node([fake.piece(1, relevance=0.8)]))
    assert parts == ScoreParts(relevance=0.8, provenance=0.24, coverage=1.0, score=pytest.approx(0.578))
    assert parts.score == pytest.approx(0.35 * 0.8 + 0.20 * 0.24 + 0.25)


def test_two_items_that_leave_a_term_open_are_scored_by_hand(fake):
    support = [
        fake.piece(1, relevance=0.6, source_kind="doc", hashed=1, validation="verified"),
        fake.piece(2, relevance=0.2),
    ]
    parts = Scorer().score(node(support, missing=[OPEN_LEAD], similarity=0.5))
    assert (parts.relevance, parts.provenance, parts.coverage) == pytest.approx((0.4, 0.62, 0.75))
    assert parts.score == pytest.approx(0.35 * 0.4 + 0.20 * 0.62 + 0.25 * 0.75 - 0.10 * 0.5)
    assert parts.score == pytest.approx(0.4015)


def test_contested_and_retracted_items_cost_their_share(fake):
    support = [
        fake.piece(1, relevance=0.5),
        fake.piece(2, relevance=0.5, validation="contested"),
        fake.piece(3, relevance=0.5, validation="retracted"),
        fake.piece(4, relevance=0.5, validation="verified"),
    ]
    parts = Scorer().score(node(support, similarity=0.1))
    provenance = (0.24 + 0.16 + 0.12 + 0.52) / 4
    assert parts.doubt == 0.5
    assert parts.score == pytest.approx(0.35 * 0.5 + 0.20 * provenance + 0.25 - 0.01 - 0.05)
    assert parts.score == pytest.approx(0.417)


def test_a_score_never_falls_below_nothing_or_rises_above_one(fake):
    piece = fake.piece(1, relevance=1.0, source_kind="doc", hashed=1, validation="verified")
    assert Scorer(ScoreWeights(relevance=5.0)).score(node([piece])).score == 1.0
    doubtful = fake.piece(1, validation="retracted")
    assert Scorer(ScoreWeights(doubt=5.0)).score(node([doubtful], similarity=1.0)).score == 0.0


def test_an_explanation_without_support_is_worth_nothing():
    assert Scorer().score(node([])) == ScoreParts()


def test_a_question_that_says_nothing_is_covered_by_anything(fake):
    empty = replace(node([fake.piece(1)]), goal=Goal(text="?"))
    assert Scorer().score(empty).coverage == 1.0


def test_open_facets_do_not_count_for_coverage(fake):
    facet = Subgoal(SubgoalKind.FACET, "cause", "reason")
    assert Scorer().score(node([fake.piece(1)], missing=[facet])).coverage == 1.0


@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf")])
@pytest.mark.parametrize("name", [entry.name for entry in fields(ScoreWeights)])
def test_a_weight_that_cannot_be_used_is_named(name, value):
    with pytest.raises(InvalidSettings, match=f"agenda.weights.{name}"):
        ScoreWeights(**{name: value})


@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf")])
def test_a_want_without_weight_is_an_error(weight):
    with pytest.raises(InvalidInput, match="'leads'"):
        Goal(text="who leads?", terms=(Want("lead", "leads", weight),))


def test_a_term_that_is_an_entity_too_counts_once():
    goal = Goal(
        text="Apollo", terms=(Want("apollo", "Apollo", 2.0),), entities=(Want("apollo", "Apollo", 3.0),)
    )
    assert goal.wants == (Want("apollo", "Apollo", 3.0),)


# Laws

UNIT = st.floats(0, 1)
SUPPORT = st.lists(
    st.tuples(
        UNIT,
        st.sampled_from(["doc", "tool", "mixed", "chat"]),
        st.sampled_from([0, 1]),
        st.sampled_from(["verified", "unverified", "contested", "retracted"]),
    ),
    min_size=1,
    max_size=6,
)


@given(found=SUPPORT, similarity=UNIT, covered=st.booleans(), more=UNIT)
def test_a_score_lies_in_its_range_and_rises_with_relevance_and_coverage(
    fake, found, similarity, covered, more
):
    def scored(raised=0.0, missing=()):
        pieces = [
            fake.piece(
                n, relevance=near + raised * (1 - near), source_kind=kind, hashed=hashed, validation=how
            )
            for n, (near, kind, hashed, how) in enumerate(found)
        ]
        return Scorer().score(node(pieces, missing=missing, similarity=similarity)).score

    missing = () if covered else (OPEN_LEAD,)
    assert 0 <= scored(missing=missing) <= 1
    assert scored(more, missing) >= scored(missing=missing)
    assert scored() >= scored(missing=missing)
