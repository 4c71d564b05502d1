"""The tokens of a text: the same for every way to write it, in every store."""

import unicodedata

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.kept import forget_texts
from simonides.domain.text import derived_tokens
from simonides.language.search_tokens import letter_pairs, search_tokens, tokens_of
from simonides.language.terms import terms

LETTERS = (
    "abcdefghijklmnopqrstuvwxyzäöüßéèêçñøłœčžåąğþабвгдеёжзийклмнопрстухцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωάέή"
)
WORDS = st.text(LETTERS, min_size=1, max_size=12)
SIGNED = st.sampled_from(
    ["C++", "C#", "F#", ".NET", "R&D", "AT&T", "g++", "node.js", "Notepad++", "don't", "O'Brien"]
)
MORE = st.sampled_from(
    [
        "हिन्दी",
        "ภาษาไทย",
        "العربية",
        "我的妹妹",
        "東京タワー",
        "한국어",
        "Ｃ＋＋",
        "ＡＢＣ",
        "42",
        "3.5",
        "retryCount",
    ]
)
TEXTS = st.lists(st.one_of(WORDS, SIGNED, MORE), min_size=1, max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We ship on Fridays.", ["we", "ship", "on", "fridai"]),
        ("C++ and C# and c", ["c++", "and", "c#", "and", "c"]),
        ("Ｃ＋＋", ["c++"]),
        (".NET, node.js; g++", ["net", ".net", "node", "js", "g++"]),
        ("R&D at AT&T", ["r&d", "at", "at&t"]),
        ("issue #12, a+b, C##, x &y", ["issu", "12", "a", "b", "c", "x", "y"]),
        ("Müller, Łódź, Straße, Smørrebrød", ["muller", "lodz", "strass", "smorrebrod"]),
        ("ёлка й Москва́", ["елк", "й", "москв"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("القَاهِرَة القاهرة", ["القاهره", "القاهره"]),
        ("tiếng Việt", ["tieng", "viet"]),
        ("が ガ 한국", ["が", "ガ", "한국"]),
        ("m² and ½", ["m2", "and", "1", "2"]),
        ("don't snake_case", ["don", "t", "snake", "case"]),
        ("... — 👍 ()", []),
    ],
)
def test_tokens_are_words_folded_and_stemmed(text, expected):
    assert tokens_of(text) == expected


def test_a_run_without_spaces_is_cut_into_pairs_of_letters_with_their_marks():
    assert tokens_of("ที่นี่") == letter_pairs("ที่นี่") == ["ที่นี่"]
    assert tokens_of("ภาษา") == ["ภา", "าษ", "ษา"]


@settings(max_examples=300)
@given(TEXTS)
def test_a_text_has_the_same_tokens_however_it_is_written(text):
    expected = tokens_of(text)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert tokens_of(unicodedata.normalize(form, text)) == expected
    assert tokens_of(text.lower()) == expected
    assert tokens_of(text.upper()) == expected
    assert tokens_of(text.title().swapcase()) == expected
    wide = "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)
    assert tokens_of(wide) == expected


@settings(max_examples=300)
@given(TEXTS)
def test_every_term_of_a_text_has_its_tokens_among_those_of_the_text(text):
    held = {*tokens_of(text), *tokens_of(derived_tokens(text))}
    for term in terms(text):
        assert set(tokens_of(term)) <= held


@settings(max_examples=300)
@given(TEXTS, TEXTS)
def test_texts_side_by_side_have_the_tokens_of_both(one, other):
    assert tokens_of(f"{one} {other}") == tokens_of(one) + tokens_of(other)
    assert search_tokens([one, other]) == [tokens_of(one), tokens_of(other)]


@settings(max_examples=300)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(("", ",", "_", "，", ".")))
def test_what_was_read_before_changes_no_tokens(read, mark):
    text = mark.join(read)
    forget_texts()
    first = tokens_of(text)
    for some in (*read, *text.split(mark or None)):
        tokens_of(some)
    assert tokens_of(text) == first


ENDED = """
s es ies sses eed ed ing at bl iz y ational tional izer bli logi ful ness ement ion ll e ical icate ative alize iciti
aliti iviti biliti ance ent ism ous
"""
STEMS = st.text("aeiouybcdlstzxwmnpr", min_size=1, max_size=9)


@settings(max_examples=500)
@given(
    st.lists(st.tuples(STEMS, st.sampled_from(ENDED.split())).map("".join), min_size=1, max_size=9).map(
        " ".join
    )
)
def test_english_stems_are_those_of_fts5(text):
    theirs = apsw.Connection(":memory:").fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    assert tokens_of(text) == theirs(
        text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False
    )


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "a+" * 50_000, ".a" * 50_000, "&a" * 50_000, "é" * 100_000, "#a" * 50_000]
)
def test_no_text_takes_long(text):
    assert tokens_of(text)
