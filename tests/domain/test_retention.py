"""Weights that memories keep or lose: values worked out by hand, and the ranges that hold everywhere."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.retention import (
    DAILY,
    FADING,
    PERMANENT,
    STEADY,
    Retention,
    confidence_after_use,
    effective_confidence,
    faintness,
    recency,
    reinforcement_factor,
)
from simonides.domain.taxonomy import TAXONOMY
from simonides.errors import InvalidInput

DAYS = st.floats(0, 1e6)
SHARES = st.floats(0, 1)
thorough = settings(max_examples=100, derandomize=True)


@pytest.mark.parametrize(
    ("type_name", "days", "kept"),
    [
        # floor + (1 − floor) · exp(−rate · days), by hand
        ("decision", 0, 1.0),
        ("decision", 30, 0.921),
        ("decision", 180, 0.641),
        ("fact", 365, 0.463),
        ("event", 30, 0.551),
        ("event", 365, 0.100),
        ("temp", 7, 0.500),
        ("temp", 30, 0.051),
        ("identity", 3650, 1.0),
        ("chunk", 3650, 1.0),
    ],
)
def test_what_a_type_keeps_after_days_without_use(type_name, days, kept):
    assert TAXONOMY[type_name].retention.after(days) == pytest.approx(kept, abs=5e-4)


@pytest.mark.parametrize(
    ("curve", "days", "kept"),
    [
        (Retention(0.3, 0.004, 1.0), 100, 0.3 + 0.7 * 0.670320),
        (Retention(0.0, 0.1, 0.5), 4, 0.818731),  # exp(−0.1 · 2)
        (Retention(0.5, 0.1, 2.0), 2, 0.5 + 0.5 * 0.670320),  # exp(−0.1 · 4)
    ],
)
def test_floor_rate_and_power_of_a_curve(curve, days, kept):
    assert curve.after(days) == pytest.approx(kept, abs=1e-6)


@thorough
@given(SHARES, st.floats(0, 10), st.floats(0.1, 3), DAYS)
def test_retention_stays_between_its_floor_and_one(floor, rate, power, days):
    assert floor <= Retention(floor, rate, power).after(days) <= 1.0 + 1e-12


@thorough
@given(st.sampled_from([PERMANENT, STEADY, DAILY, FADING]), DAYS, DAYS)
def test_retention_never_grows_with_time(curve, first, second):
    earlier, later = sorted((first, second))
    assert curve.after(earlier) >= curve.after(later)


def test_days_below_zero_count_as_none():
    assert STEADY.after(-5) == 1.0
    assert effective_confidence(0.8, 0.1, -5) == 0.8


@pytest.mark.parametrize("values", [(-0.1, 1, 1), (1.1, 1, 1), (0, -1, 1), (0, 1, 0), (0, 1, -1)])
def test_a_curve_with_values_out_of_range_is_refused(values):
    with pytest.raises(InvalidInput):
        Retention(*values)


@pytest.mark.parametrize(
    ("base", "rate", "days", "left"),
    [
        # base · exp(−rate · days^0.8), by hand
        (1.0, 0.1, 1, 0.905),
        (1.0, 0.1, 7, 0.622),
        (1.0, 0.1, 30, 0.219),
        (1.0, 0.1, 60, 0.071),
        (0.8, 0.1, 7, 0.498),
        (0.3, 0.5, 7, 0.028),
        (0.6, 0.0, 1000, 0.6),
    ],
)
def test_confidence_that_is_left_after_days_without_use(base, rate, days, left):
    assert effective_confidence(base, rate, days) == pytest.approx(left, abs=7e-4)


def test_an_unused_fact_sinks_below_the_archive_bound_after_60_to_80_days_not_after_9():
    days = [day for day in range(200) if effective_confidence(1.0, 0.1, day) < 0.05]
    assert 60 < days[0] < 80


@thorough
@given(SHARES, st.floats(0, 5), DAYS, DAYS)
def test_effective_confidence_lies_between_zero_and_its_base_and_never_grows(base, rate, first, second):
    earlier, later = sorted((first, second))
    assert 0 <= effective_confidence(base, rate, later) <= effective_confidence(base, rate, earlier) <= base


@pytest.mark.parametrize(
    ("confidence", "count", "after"),
    [
        # min(1, confidence + 0.05 · ln(1 + count/20)), by hand
        (0.5, 0, 0.5),
        (0.5, 1, 0.50244),
        (0.5, 20, 0.53466),
        (0.8, 100, 0.88959),
        (0.99, 20, 1.0),
    ],
)
def test_confidence_after_a_use(confidence, count, after):
    assert confidence_after_use(confidence, count) == pytest.approx(after, abs=1e-5)


@thorough
@given(SHARES, st.integers(0, 1_000_000))
def test_a_use_never_lowers_confidence_and_never_lifts_it_above_one(confidence, count):
    assert confidence <= confidence_after_use(confidence, count) <= 1


@pytest.mark.parametrize(("score", "factor"), [(0, 1.0), (3, 1.822), (-1, 0.819), (-5, 0.368)])
def test_the_factor_of_a_reinforcement_score(score, factor):
    assert reinforcement_factor(score) == pytest.approx(factor, abs=5e-4)


@thorough
@given(st.floats(-50, 50), st.floats(-50, 50))
def test_scores_add_up_where_factors_multiply(first, second):
    product = reinforcement_factor(first) * reinforcement_factor(second)
    assert math.isclose(reinforcement_factor(first + second), product, rel_tol=1e-9)


@pytest.mark.parametrize(("days", "kept"), [(0, 1.0), (30, 0.769), (100, 0.5), (-3, 1.0)])
def test_recency_by_days(days, kept):
    assert recency(days) == pytest.approx(kept, abs=5e-4)


@pytest.mark.parametrize(("reinforcement", "days", "left"), [(0, 0, 1.0), (3, 30, 1.402), (-5, 0, 0.368)])
def test_what_is_faint_is_little_reinforced_and_long_ago(reinforcement, days, left):
    assert faintness(reinforcement, days) == pytest.approx(left, abs=1e-3)


def test_no_reinforcement_is_too_much_to_be_compared():
    assert 0 < faintness(-1e6, 1) < faintness(1e6, 1) < math.inf
