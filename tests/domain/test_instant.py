"""Instants: UTC microseconds inside, ISO 8601 outside."""

import os
import time
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US, days_between, instant, instant_as_written, iso, to_datetime
from simonides.errors import InvalidInput
from simonides.testing import FrozenClock

NOON = 1_772_366_400_000_000  # 2026-03-01T12:00:00Z
thorough = settings(max_examples=100, derandomize=True)


@pytest.mark.parametrize(
    "moment",
    [
        "2026-03-01T12:00:00Z",
        "2026-03-01T12:00:00",
        "2026-03-01 12:00",
        "2026-03-01T12:00:00+00:00",
        "2026-03-01T14:00:00+02:00",
        "2026-03-01T07:30:00-04:30",
        "20260301T120000Z",
        " 2026-03-01T12:00:00.000000Z ",
        datetime(2026, 3, 1, 12),  # noqa: DTZ001 - what a caller may pass
        datetime(2026, 3, 1, 12, tzinfo=UTC),
        datetime(2026, 3, 1, 17, 45, tzinfo=timezone(timedelta(hours=5, minutes=45))),
    ],
)
def test_ways_to_write_the_same_instant(moment):
    assert instant(moment) == NOON


@pytest.mark.parametrize(
    "number", [0, 1e8 - 1, 10**39, 10**40, -(10**40), 1e300, float("inf"), float("nan"), None]
)
def test_a_number_that_is_no_time_is_refused_in_few_words(number):
    with pytest.raises(InvalidInput, match="is no number of seconds since 1970") as refused:
        instant_as_written(
            10**5000 if number is None else number
        )  # No test can be named by so long a number.
    assert len(str(refused.value)) < 150


@thorough
@given(
    st.datetimes(datetime(1974, 1, 1), datetime(2100, 1, 1)),  # noqa: DTZ001 - drawn without a zone
    st.sampled_from(
        [
            *(lambda us, unit=unit: us // unit for unit in (1, 1_000, 1_000_000)),
            *(lambda us, unit=unit: str(us // unit) for unit in (1, 1_000, 1_000_000)),
            *(lambda us, unit=unit: np.int64(us // unit) for unit in (1, 1_000, 1_000_000)),
            lambda us: us * 1_000,
            lambda us: us / 1e6,
            lambda us: f" {us / 1e6:f} ",
            lambda us: Decimal(us) / 1_000_000,
            lambda us: np.float64(us / 1e6),
            iso,
            lambda us: f"{to_datetime(us):%Y-%m-%d %H:%M:%S.%f} UTC",
            to_datetime,
            lambda us: to_datetime(us).replace(tzinfo=None),
            lambda us: f"{to_datetime(us):%Y%m%d}",
            lambda us: int(f"{to_datetime(us):%Y%m%d}"),
            lambda us: f"{to_datetime(us):%Y%m%d%H%M%S}",
            lambda us: float(f"{to_datetime(us):%Y%m%d%H%M%S}"),
        ]
    ),
)
def test_an_instant_is_read_in_every_way_that_programs_write_it(moment, written):
    """As far as it is written: 20260301 is a midnight, and a number of seconds a whole one."""
    at = instant(moment)
    read = instant_as_written(written(at))
    assert read == at or any(at - at % unit == read for unit in (1_000, 1_000_000, DAY_US))


@pytest.mark.parametrize("text", ["1771120412345", "2026-02-25106:13", "202602250", "20260225106:13"])
def test_no_digit_stands_between_a_date_and_its_time(text):
    with pytest.raises(InvalidInput, match="ISO 8601"):
        instant(text)


def test_a_date_is_its_midnight_in_utc():
    assert instant(date(2026, 3, 1)) == instant("2026-03-01") == NOON - DAY_US // 2


@pytest.fixture
def a_zone_far_from_utc():
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Pacific/Auckland"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("a_zone_far_from_utc")
def test_without_a_zone_it_is_utc_wherever_the_computer_stands():
    assert time.timezone == -12 * 3600
    assert instant("2026-03-01T12:00:00") == NOON
    assert instant(datetime(2026, 3, 1, 12)) == NOON  # noqa: DTZ001
    assert iso(NOON) == "2026-03-01T12:00:00Z"


def test_the_hour_that_a_change_of_clocks_repeats_stays_two_hours_by_its_offset():
    summer, winter = instant("2026-10-25T02:30:00+02:00"), instant("2026-10-25T02:30:00+01:00")
    assert winter - summer == 3600 * 1_000_000


def test_microseconds_are_kept_and_written_only_where_there_are_some():
    assert instant("2026-03-01T12:00:00.000001Z") == NOON + 1
    assert iso(NOON + 1) == "2026-03-01T12:00:00.000001Z"
    assert iso(NOON) == "2026-03-01T12:00:00Z"


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-02-30", "12:00", "1772366400", "\0"])
def test_text_that_is_not_iso_is_refused_with_the_name_of_the_field(text):
    with pytest.raises(InvalidInput, match="event_at"):
        instant(text, name="event_at")


@pytest.mark.parametrize("value", [None, 0, 1.5, True, [], b"2026-03-01", timedelta(1)])
def test_what_is_no_time_at_all_is_refused(value):
    with pytest.raises(InvalidInput):
        instant(value)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00"])
def test_an_instant_that_utc_cannot_write_is_refused(text):
    with pytest.raises(InvalidInput):
        instant(text)


@thorough
@given(st.datetimes())
def test_writing_and_reading_an_instant_gives_it_back(moment):
    at = instant(moment)
    assert instant(iso(at)) == at
    assert to_datetime(at) == moment.replace(tzinfo=UTC)


@thorough
@given(st.datetimes(), st.datetimes())
def test_instants_are_ordered_as_their_datetimes(first, second):
    assert (instant(first) < instant(second)) == (first < second)


@pytest.mark.parametrize(
    ("earlier", "later", "days"),
    [(0, DAY_US, 1.0), (0, DAY_US // 2, 0.5), (DAY_US, 8 * DAY_US, 7.0), (5, 5, 0.0)],
)
def test_days_between_counts_fractions(earlier, later, days):
    assert days_between(earlier, later) == days


def test_a_clock_set_back_makes_nothing_younger_than_new():
    assert days_between(NOON, NOON - DAY_US) == 0.0


def test_a_frozen_clock_stands_until_it_is_moved():
    clock = FrozenClock("2026-03-01T12:00:00")
    assert clock.now() == clock.now() == NOON
    clock.advance(days=1, hours=2, seconds=0.5)
    assert iso(clock.now()) == "2026-03-02T14:00:00.500000Z"
    clock.advance(days=-1, hours=-2, seconds=-0.5)
    assert clock.now() == NOON
