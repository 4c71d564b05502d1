"""The token bucket, on a clock of its own."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.config import Settings
from simonides.errors import InvalidSettings
from simonides.governance.limits import Bucket, Limiter, Rate, taken
from simonides.governance.policy import PolicySettings

SECOND = 1_000_000


def test_a_burst_is_let_through_and_then_one_a_second():
    limiter = Limiter(Rate(per_minute=60, burst=90))
    assert [limiter.wait_us("s", 0) for _ in range(90)] == [0] * 90
    assert limiter.wait_us("s", 0) == SECOND
    assert limiter.wait_us("s", SECOND // 4) == SECOND * 3 // 4
    assert limiter.wait_us("s", SECOND) == 0
    assert limiter.wait_us("s", SECOND) == SECOND


def test_sessions_do_not_take_from_each_other():
    limiter = Limiter(Rate(per_minute=60, burst=1))
    assert limiter.wait_us("one", 0) == 0
    assert limiter.wait_us("other", 0) == 0
    assert limiter.wait_us("one", 0) > 0


def test_silence_fills_a_bucket_up_to_the_burst():
    limiter = Limiter(Rate(per_minute=60, burst=3))
    waits = [limiter.wait_us("s", 0) for _ in range(4)] + [
        limiter.wait_us("s", 3600 * SECOND) for _ in range(4)
    ]
    assert [wait == 0 for wait in waits] == [True, True, True, False] * 2


def test_a_clock_that_goes_back_neither_fills_nor_blocks():
    bucket, wait = taken(Bucket(1.0, 100 * SECOND), Rate(60, 5), 0)
    assert (wait, bucket.tokens) == (0, 0.0)
    assert taken(bucket, Rate(60, 5), SECOND)[1] == 0


@given(st.lists(st.integers(0, 10 * SECOND), max_size=300), st.integers(1, 20), st.floats(1, 600))
def test_never_more_than_the_burst_and_what_time_gives(gaps, burst, per_minute):
    rate = Rate(per_minute, burst)
    bucket, now, let_through = Bucket(float(burst), 0), 0, 0
    for gap in gaps:
        now += gap
        bucket, wait = taken(bucket, rate, now)
        let_through += wait == 0
        assert wait >= 0
    assert let_through <= burst + now * per_minute / (60 * SECOND) + 1e-6


def test_after_waiting_as_told_the_call_is_let_through():
    rate = Rate(per_minute=7, burst=1)
    bucket, _ = taken(Bucket(1.0, 0), rate, 0)
    bucket, wait = taken(bucket, rate, 12_345)
    assert taken(bucket, rate, 12_345 + wait)[1] <= 1


def test_threads_share_one_bucket():
    limiter = Limiter(Rate(per_minute=60, burst=50))
    let_through = []

    def call():
        let_through.extend(limiter.wait_us("s", 0) == 0 for _ in range(40))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(let_through) == 50


def test_forgotten_sessions_are_the_ones_silent_for_longest():
    limiter = Limiter(Rate(per_minute=60, burst=1))
    for number in range(10_001):
        limiter.wait_us(str(number), 0)
    assert limiter.wait_us("10000", 0) > 0
    assert limiter.wait_us("0", 0) == 0


@pytest.mark.parametrize(
    "given",
    [
        {"proposals_per_turn": 0},
        {"burst": 0},
        {"calls_per_minute": 0},
        {"calls_per_minute": -1.0},
        {"calls_per_minute": float("nan")},
    ],
)
def test_a_bound_out_of_range_is_named(given):
    with pytest.raises(InvalidSettings, match=f"policy.{next(iter(given))}"):
        Settings(policy=PolicySettings(**given))
