"""Patience with providers: how long they are waited for, and how often they are asked."""

import threading
from contextvars import ContextVar

import pytest

from simonides.errors import ProviderUnavailable
from simonides.models.retry import Allowance, BusyError, repeated

HERE = ContextVar("HERE", default="nowhere")


def test_work_that_ends_in_time_gives_what_it_gives_or_raises():
    assert Allowance(30).hold(lambda: 5) == 5
    with pytest.raises(KeyError, match="lost"):
        Allowance(30).hold(lambda: {}["lost"])


def test_work_that_does_not_end_is_left_to_itself():
    release = threading.Event()
    try:
        with pytest.raises(TimeoutError):
            Allowance(0.05).hold(release.wait)
    finally:
        release.set()


def test_a_deadline_that_has_passed_waits_for_nothing():
    release, deadline = threading.Event(), Allowance(0)
    assert deadline.left_s == 0
    try:
        with pytest.raises(TimeoutError):
            deadline.hold(release.wait)
    finally:
        release.set()


def test_work_sees_the_context_of_whoever_waits():
    HERE.set("a test")
    assert Allowance(30).hold(HERE.get) == "a test"


def busy(*after_s):
    """A request that is refused with these pauses and then answered."""
    waits = iter(after_s)

    def request():
        for wait in waits:
            raise BusyError("busy", after_s=wait)
        return "answered"

    return request


def test_a_busy_provider_is_asked_three_times_with_growing_pauses():
    pauses = []
    assert repeated(busy(None, None), longest_pause_s=1, pause=pauses.append) == "answered"
    assert pauses == [0.5, 1.0]
    with pytest.raises(ProviderUnavailable, match="busy; try again later"):
        repeated(busy(None, None, None), longest_pause_s=1, pause=pauses.append)


def test_the_pause_asked_for_is_made_even_if_it_is_none_at_all():
    pauses = []
    assert repeated(busy(0.0, 7.0), longest_pause_s=7, pause=pauses.append) == "answered"
    assert pauses == [0.0, 7.0]


def test_no_pause_is_begun_that_reaches_the_deadline():
    pauses = []
    with pytest.raises(ProviderUnavailable):
        repeated(busy(None), longest_pause_s=9, pause=pauses.append, deadline=Allowance(0.4))
    assert pauses == []
