"""Identifiers sort by the time of their making."""

import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.ids import is_id, new_id
from simonides.domain.instant import instant

MOMENTS = st.integers(0, instant("9999-12-31T23:59:59Z"))
thorough = settings(max_examples=100, derandomize=True)


@thorough
@given(MOMENTS)
def test_an_id_is_a_uuid_of_version_7_with_its_millisecond(at):
    made = uuid.UUID(new_id(at))
    assert made.version == 7
    assert made.variant == uuid.RFC_4122
    assert made.int >> 80 == at // 1000
    assert is_id(str(made))


@thorough
@given(MOMENTS, MOMENTS)
def test_ids_of_different_microseconds_sort_by_time(first, second):
    if first != second:
        assert (new_id(first) < new_id(second)) == (first < second)


def test_ids_of_one_microsecond_differ():
    assert len({new_id(1) for _ in range(10_000)}) == 10_000


def test_ids_of_one_microsecond_sort_in_the_order_of_their_making():
    made = [new_id(1) for _ in range(10_000)]
    assert made == sorted(made)


def test_another_instant_begins_anew():
    assert len({new_id(at)[16:] for _ in range(50) for at in (1, 2)}) == 100


AN_ID = uuid.UUID("0b9c5f5e-8d2e-4c3b-9a58-6f1f0e7a2d41")


@pytest.mark.parametrize(
    "text",
    ["", "the falcon", "01234567", str(AN_ID).upper(), f"{{{AN_ID}}}", f"{AN_ID}\n"],
)
def test_other_texts_are_no_ids(text):
    assert not is_id(text)
