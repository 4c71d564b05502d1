"""Checks tell values from what merely looks like one."""

import pytest

from simonides.governance.checks import CHECKS, FoundValue, entropy


def accepts(check: str, value: str, before: str = "", after: str = "") -> bool:
    return CHECKS[check](FoundValue(value, before, after))


@pytest.mark.parametrize(
    "value", ["t8kqvw2lmzx9rfyb4nch", "8f2c61d97b3ea054c8f19d6b72e3a405", "kQvWmLzXrFyBnChSjDpQ"]
)
def test_drawn_values_are_random(value: str):
    assert accepts("random", value)


@pytest.mark.parametrize(
    "value", ["x" * 32, "your-api-key-here-1", "${SECRET_7}", "aaaaaaaa11111111", "correcthorsebattery"]
)
def test_placeholders_and_words_are_not_random(value: str):
    assert not accepts("random", value)


@pytest.mark.parametrize("before", ["public key ", "cache_key: ", "commit ", "checksum: "])
def test_identifiers_are_known_by_what_introduces_them(before: str):
    assert not accepts("random", "8f2c61d97b3ea054c8f19d6b72e3a405", before)


@pytest.mark.parametrize("value", ["plum-tart-31", "hunter2", "Ul1mate$Frog", "qX7!mm", "Birke.am.Bach.42"])
def test_passwords_as_people_choose_them(value: str):
    assert accepts("password", value)


@pytest.mark.parametrize(
    "value", ["required", "2024-05-01", "90", "v2.4.1", "kim@example.org", "generate_hash", "sha256", "1st"]
)
def test_words_dates_and_names_are_no_passwords(value: str):
    assert not accepts("password", value)


def test_a_call_is_no_password():
    assert not accepts("password", "hash2", after="(")


@pytest.mark.parametrize(
    ("number", "valid"), [("4539 1488 0343 6467", True), ("4539 1488 0343 6468", False), ("0" * 16, False)]
)
def test_luhn(number: str, valid: bool):
    assert accepts("luhn", number) is valid


@pytest.mark.parametrize(
    ("number", "valid"), [("DE89 3704 0044 0532 0130 00", True), ("DE88 3704 0044 0532 0130 00", False)]
)
def test_iban(number: str, valid: bool):
    assert accepts("iban", number) is valid


def test_an_order_that_is_quoted_negated_or_reported_is_none():
    assert accepts("order", "ignore all rules", "Please ")
    assert not accepts("order", "ignore all rules", 'The test string "')
    assert not accepts("order", "forget the rules", "Don't ")
    assert not accepts("order", "bypass the filter", "Then we ")


def test_entropy_is_in_bits_per_character():
    assert entropy("") == 0
    assert entropy("aaaa") == 0
    assert entropy("abcd") == 2
