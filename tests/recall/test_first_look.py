"""The first look and the prior: the formulas by hand, and what holds of them whatever the numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US
from simonides.domain.taxonomy import TAXONOMY
from simonides.errors import InvalidSettings
from simonides.ports.store import Sketch
from simonides.recall.ranking.first_look import Weights, weighed
from simonides.recall.ranking.prior import priors

WEIGHTS = Weights()
NOW = 1_772_366_400_000_000


@pytest.fixture(scope="session")
def table(stage):
    """So many candidates; what is not given is 0, alone in its session."""

    def made(count=1, neighbours=None, **columns):
        steps = dict(zip((-1, 1, -2, 2), neighbours, strict=True)) if neighbours else None
        sketches = [stage.sketch(n + 1) for n in range(count)]
        return stage.candidates(*sketches, neighbours=steps, **({"words": [10] * count} | columns))

    return made


# By hand


def test_a_candidate_alone_is_the_sum_of_its_signals(table):
    outcome = weighed(
        table(2, bm25=[4.0, 1.0], cosine=[0.5, 0.2], coverage=[0.75, 0.1], speaker=[1, 0]), WEIGHTS
    )
    first = 1.0 + 0.53 * 0.5 + 0.71 * 0.75 + 0.60
    second = 0.25 + 0.53 * 0.2 + 0.71 * 0.1
    assert outcome.linear == pytest.approx([first, second])
    assert outcome.linear == pytest.approx([2.3975, 0.427])


def test_a_long_answer_counts_for_less_than_half_and_a_short_one_in_full(table):
    outcome = weighed(table(3, bm25=[1, 1, 1], answer=[1, 1, 0], words=[71, 70, 71]), WEIGHTS)
    assert outcome.alone == pytest.approx([0.45, 1.0, 1.0])


def test_a_turn_gets_of_its_neighbours_the_more_the_less_it_says_itself(table):
    outcome = weighed(
        table(
            3,
            bm25=[2, 1, 0],
            words=[165, 165, 0],
            session=[0, 0, 0.5],
            neighbours=([-1, 0, 1], [1, 2, -1], [-1, -1, 0], [2, -1, -1]),
        ),
        WEIGHTS,
    )
    # alone: 1, .5, 0; openness of 165 words: a half.
    surroundings = [0.5 * 0.15 * 0.5, 0.5 * 0.29 * 1, 0.29 * 0.5 + 0.03 * 1]
    session = [0, 0, 0.48 * 0.5]
    assert outcome.linear - outcome.alone == pytest.approx(
        [*map(sum, zip(surroundings, session, strict=True))]
    )
    assert outcome.linear == pytest.approx([1.0375, 0.645, 0.415])


def test_nothing_found_is_scored_as_nothing(table):
    assert weighed(table(0), WEIGHTS).linear.shape == (0,)
    assert weighed(table(2), WEIGHTS).linear == pytest.approx([0, 0])


# Laws


UNIT = st.floats(0, 1)


@st.composite
def tables(draw, table):
    count = draw(st.integers(1, 6))

    def column(values):
        return draw(st.lists(values, min_size=count, max_size=count))

    rows = st.integers(-1, count - 1)
    return table(
        count,
        bm25=column(st.floats(0, 50)),
        cosine=column(UNIT),
        coverage=column(UNIT),
        speaker=column(st.sampled_from([0, 1])),
        words=column(st.integers(1, 500)),
        answer=column(st.sampled_from([0, 1])),
        session=column(UNIT),
        neighbours=tuple(column(rows) for _ in range(4)),
    )


@settings(max_examples=120)
@given(
    name=st.sampled_from(["bm25", "cosine", "coverage", "speaker", "session"]),
    more=st.floats(0, 1),
    data=st.data(),
)
def test_a_candidate_that_has_more_of_a_signal_never_scores_less(table, name, more, data):
    found = data.draw(tables(table))
    row = data.draw(st.integers(0, len(found) - 1))
    column = getattr(found, name).copy()
    column[row] += more if name == "bm25" else more * (1 - column[row])
    before, after = weighed(found, WEIGHTS), weighed(replace(found, **{name: column}), WEIGHTS)
    if name == "bm25":  # Scaled by the best, so that another's part may sink: what it says alone is compared.
        assert after.alone[row] >= before.alone[row] - 1e-12
    else:
        assert after.linear[row] >= before.linear[row] - 1e-12


@given(data=st.data())
def test_scores_are_finite_and_surroundings_only_add(table, data):
    outcome = weighed(data.draw(tables(table)), WEIGHTS)
    assert np.isfinite(outcome.linear).all()
    assert (outcome.alone >= 0).all()
    assert (outcome.linear >= outcome.alone - 1e-12).all()


@given(data=st.data())
def test_the_order_of_the_candidates_does_not_matter(data, table, stage):
    found = data.draw(tables(table))
    rows = np.arange(len(found))[::-1]
    again = weighed(stage.turned(found, rows), WEIGHTS)
    assert again.linear == pytest.approx(weighed(found, WEIGHTS).linear[rows])


# Priors


def sketch(**changes):
    values = {
        "key": 1, "type": "fact", "title": "", "content": "tea", "tags": "", "derived": "", "sender": "",
        "role": None, "scope": 1, "session_id": None, "ordinal": None, "validation": "unverified",
        "confidence": 1.0, "importance": 0.5, "decay_rate": 0.1, "created_at": NOW, "event_at": NOW,
        "reinforcement": 0.0, "last_used_at": None, "last_hit_at": None, "entities": "", "source_kind": "chat",
        "hashed": 0, "trust": "high", "pinned": 0, "valid_until": None, "superseded_by": None,
    }  # fmt: skip
    return Sketch(**(values | changes))


def test_a_prior_is_the_mean_of_what_speaks_for_an_item():
    now = NOW + 30 * DAY_US
    found = priors(
        [
            sketch(),
            sketch(type="event", confidence=0.8, importance=0.9, validation="verified", reinforcement=3),
            sketch(decay_rate=0, last_used_at=now, validation="retracted", importance=0, reinforcement=-9),
        ],
        now,
        TAXONOMY,
    )
    fact = (0.3 + 0.7 * math.exp(-0.004 * 30)) + math.exp(-0.1 * 30**0.8) + 0.5 + 0.5 + 0.5
    event = (
        (0.1 + 0.9 * math.exp(-0.023 * 30))
        + 0.8 * math.exp(-0.1 * 30**0.8)
        + 1 / (1 + math.exp(-1.2))
        + 1
        + 0.9
    )
    retracted = 1 + 1 + 1 / (1 + math.exp(2)) + 0 + 0
    assert found == pytest.approx([fact / 5, event / 5, retracted / 5])


def test_nothing_has_no_priors():
    assert priors([], NOW, TAXONOMY).shape == (0,)


@given(
    confidence=UNIT,
    importance=UNIT,
    decay=st.floats(0, 5),
    reinforcement=st.floats(-100, 100),
    days=st.integers(-1000, 100_000),
    type_=st.sampled_from(sorted(TAXONOMY.specs)),
    validation=st.sampled_from(["verified", "unverified", "contested", "retracted"]),
)
def test_a_prior_lies_in_zero_to_one(confidence, importance, decay, reinforcement, days, type_, validation):
    one = sketch(
        confidence=confidence,
        importance=importance,
        decay_rate=decay,
        reinforcement=reinforcement,
        type=type_,
        validation=validation,
    )
    (prior,) = priors([one], NOW + days * DAY_US, TAXONOMY)
    assert 0 <= prior <= 1


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"confidence": 0.9}, {"confidence": 0.5}),
        ({"importance": 0.9}, {"importance": 0.1}),
        ({"reinforcement": 3.0}, {"reinforcement": -1.0}),
        ({"validation": "verified"}, {"validation": "unverified"}),
        ({"validation": "unverified"}, {"validation": "contested"}),
        ({"last_used_at": NOW + 9 * DAY_US}, {}),
        ({"type": "decision"}, {"type": "temp"}),
    ],
)
def test_what_speaks_for_an_item_raises_its_prior(better, worse):
    found = priors([sketch(**better), sketch(**worse)], NOW + 10 * DAY_US, TAXONOMY)
    assert found[0] > found[1]


# Weights


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("vector", -1),
        ("before", math.nan),
        ("session", math.inf),
        ("long_answer", 1.1),
        ("long_answer", 2),
        ("terse_words", 0),
    ],
)
def test_a_weight_out_of_range_is_named(name, value):
    with pytest.raises(InvalidSettings, match=f"first look.s {name}"):
        Weights(**{name: value})
