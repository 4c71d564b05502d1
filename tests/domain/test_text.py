"""Text: what is valid, and how it is hashed, counted and cut."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.text import (
    cjk_bigrams,
    cleaned_text,
    content_hash,
    count_tokens,
    derived_tokens,
    normalised,
    sha256_hex,
    shortened,
    valid_text,
)
from simonides.errors import InvalidText

thorough = settings(max_examples=100, derandomize=True)


# What can be stored


@pytest.mark.parametrize("text", ["x", " x ", "日本", "👩‍👩‍👧", "a\nb\tc", "می‌خواهم", "x" * 100_000])
def test_ordinary_text_is_stored_as_it_is_written(text):
    assert valid_text(text) is text
    assert cleaned_text(text) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("\u3000", "the content is empty; give a word at least"),
        ("a\0b", "NUL character at position 1"),
        ("ab\ud83d", "surrogate pair at position 2"),
        (None, "must be a string"),
        (7, "must be a string"),
        (b"bytes", "must be a string"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_the_reason(text, why):
    with pytest.raises(InvalidText, match=why):
        valid_text(text, name="the content")


@thorough
@given(st.text(st.characters(exclude_categories=())))
def test_cleaned_text_can_always_be_encoded_and_keeps_its_length(text):
    cleaned = cleaned_text(text)
    cleaned.encode("utf-8")
    assert len(cleaned) == len(text)
    assert "\0" not in cleaned


# Hashes


def test_the_content_hash_is_the_sha256_of_type_and_normalised_content():
    import hashlib

    assert content_hash("fact", "Berlin  is\nthe capital") == (
        hashlib.sha256(b"fact\nBerlin is the capital").digest()
    )
    assert len(content_hash("fact", "x")) == 32


@pytest.mark.parametrize(
    ("one", "other"),
    [("a b", " a\n\tb "), ("caf\u00e9", "cafe\u0301"), ("x", "x\n"), ("\uac00", "\u1100\u1161")],
)
def test_blanks_and_composition_do_not_make_a_content_different(one, other):
    assert content_hash("fact", one) == content_hash("fact", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [(("fact", "x"), ("note", "x")), (("fact", "x"), ("fact", "X")), (("fact", "1"), ("fact", "¹"))],
)
def test_type_case_and_compatibility_forms_do(one, other):
    assert content_hash(*one) != content_hash(*other)


@thorough
@given(st.text())
def test_normalising_twice_changes_nothing(text):
    once = normalised(text)
    assert normalised(once) == once
    assert unicodedata.is_normalized("NFC", once)


def test_the_hash_of_a_text_as_written_takes_lone_surrogates():
    assert sha256_hex("abc").startswith("ba7816bf")
    assert sha256_hex("\ud800") != sha256_hex("\ud801")


# Tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" ", 0),
        ("   ", 1),
        ("one", 1),
        ("one two three", 3),
        ("observatory", 3),  # 1 + 5/3
        ("日本語", 5),  # 4.5
        ("配置文件", 6),
        ("use 配置 now", 5),
        ("Привет мир", 6),  # 3.6 + 1.8
        ("café", 3),  # 1 + 1.4
        ("2026-03-01", 10),
        ('{"a": 1}', 7),
        ("019ca945-0a00-7000-ada2-7a797d7877d3", 33),
        ("NATO", 2),
        ("a\nb", 3),
        ("🎉", 3),
        ("Ω", 2),
    ],
)
def test_tokens_are_estimated_by_pieces_signs_and_scripts(text, tokens):
    assert count_tokens(text) == tokens


@thorough
@given(st.text(), st.lists(st.text(), max_size=6))
def test_the_estimate_is_never_below_the_letters_nor_above_the_sum_of_the_lines(text, lines):
    found = count_tokens(text)
    assert isinstance(found, int)
    assert found >= len("".join(text.split())) / 9 * bool(text.strip())
    assert found <= 3 * len(text)
    assert count_tokens("\n".join(lines)) <= sum(map(count_tokens, lines)) + max(0, len(lines) - 1)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("plain words only", ""),
        ("retryCount", "retry count"),
        ("parseHTTPResponse2", "parse http response 2"),
        ("max_size", "max size"),
        ("MAX_retryCount", "max retry count"),
        ("use retryCount here", "retry count"),
        ("配置", "配置"),
        ("配", "配"),
        ("配置文件", "配置 置文 文件"),
        ("请打开配置文件", "请打 打开 开配 配置 置文 文件"),
        ("東京 tower ソウル", "東京 ソウ ウル"),
        ("설정 파일", "설정 파일"),
        ("읽다retryCount", "읽다 retry count"),
    ],
)
def test_tokens_that_the_text_index_cannot_see_are_derived(text, tokens):
    assert derived_tokens(text) == tokens


@thorough
@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=20))
def test_bigrams_cover_a_run_in_order(run):
    bigrams = cjk_bigrams(run)
    assert all(pair in run for pair in bigrams)
    assert len(bigrams) == max(1, len(run) - 1)
    assert bigrams[0][0] + "".join(pair[1:] for pair in bigrams) == run


@thorough
@given(st.text(max_size=300))
def test_derived_tokens_hold_no_blanks_but_those_between_them(text):
    assert derived_tokens(text) == " ".join(derived_tokens(text).split(" ")).strip()


# Shortening


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("short", 10, "short"),
        ("  two\n words ", 20, "two words"),
        ("one two three four", 10, "one two…"),
        ("x" * 30, 10, "x" * 9 + "…"),
        ("exactly ten", 11, "exactly ten"),
    ],
)
def test_a_text_is_shortened_to_one_line_at_a_word(text, limit, short):
    assert shortened(text, limit) == short


@thorough
@given(st.text(), st.integers(1, 50))
def test_a_shortened_text_is_within_its_limit(text, limit):
    assert len(shortened(text, limit)) <= limit
    assert "\n" not in shortened(text, limit)
