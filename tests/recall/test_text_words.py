"""Words of texts in columns count as the lists of tokens that they were made of."""

import gc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.language.search_tokens import tokens_of
from simonides.recall.ranking import text_words
from simonides.recall.ranking.laws import WordColumns
from simonides.recall.ranking.text_words import ReadText, TextTable, coded, packed_codes, read_texts

WORDS = (
    "boat",
    "boats",
    "harbour",
    "c++",
    "R&D",
    "7",
    "two",
    "yesterday",
    "été",
    "车",
    "汽车",
    "狗",
    "Straße",
    "👍",
)
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), max_size=8)
asked = st.lists(st.sampled_from(sorted({token for word in WORDS for token in tokens_of(word)})), max_size=6)


def alone(written: list[str]) -> list[tuple[str, ...]]:
    """Texts with nothing beside them."""
    return [(text,) for text in written]


def read_as(content: str, tokens: list[str]) -> ReadText:
    """A text of these tokens."""
    return ReadText.each([content], [coded(tokens).tobytes()])[0]


def distinct(text: ReadText) -> frozenset[int]:
    found = frozenset(text.codes.tolist())
    assert text.figures.different == len(found)
    return found


def by_code(tokens: list[str]) -> dict[int, str]:
    return dict(zip(coded(tokens).tolist(), tokens, strict=True))


@given(texts, asked)
def test_columns_count_what_the_lists_hold(written: list[str], wanted: list[str]) -> None:
    wanted = list(dict.fromkeys(wanted))
    table = TextTable.of(written, alone(written), frozenset())
    tokens = [tokens_of(text) for text in written]
    places = table.find(wanted)
    assert places.counts().tolist() == [[some.count(token) for some in tokens] for token in wanted]
    assert table.held(coded(wanted)).tolist() == [[token in some for some in tokens] for token in wanted]
    pairs = [(one, other) for one in wanted for other in wanted]
    for one, other in pairs:
        sides = [f" {one} {other} " in f" {' '.join(some)} " for some in tokens]
        assert places.sides([(one, other)]).tolist() == sides
    each = [places.sides([pair]) for pair in pairs]
    assert places.sides(pairs).tolist() == sum(each, np.zeros(len(written))).tolist()
    assert [table.tokens(row) for row in range(len(written))] == [by_code(some) for some in tokens]


LETTERS = "狗车一龥ぁゖァヺ㐀䶵가힣ーゝ゛ab é豈ｱＡ𠀀ꙁ한"
pieces = st.one_of(
    st.text(LETTERS, min_size=2, max_size=2), st.sampled_from(["retry", "count", "狗", "狗车狗"])
)


@settings(max_examples=400)
@given(
    st.lists(st.tuples(st.text(LETTERS + " .#+", max_size=12), st.lists(pieces, max_size=6).map(" ".join)))
)
def test_pairs_beside_texts_have_the_codes_that_cutting_them_gives(texts: list[tuple[str, str]]) -> None:
    assert packed_codes(texts) == [coded(tokens_of(" ".join(text))).tobytes() for text in texts]


def test_every_pair_of_letters_is_a_token_as_it_stands_with_a_code_of_its_own() -> None:
    letters = [chr(number) for number in np.flatnonzero(text_words._PAIRED)]
    tokens = [f"{one}狗" for one in letters] + [f"车{one}" for one in letters]
    assert tokens_of(" ".join(tokens)) == tokens
    assert len(frozenset(coded(tokens).tolist())) == len(frozenset(tokens))


def test_tokens_are_told_apart_where_their_codes_end_alike() -> None:
    """Of so many tokens some have the same last bits: each is counted for itself all the same."""
    tokens = [f"w{number}" for number in range(2_000)]
    assert len({code & text_words._ENDS for code in coded(tokens).tolist()}) < len(tokens)
    written = [" ".join(tokens[start::3]) for start in range(3)]
    table = TextTable.of(written, alone(written), frozenset())
    places = table.find(tokens)
    assert places.counts().tolist() == [[number % 3 == row for row in range(3)] for number in range(2_000)]
    assert (np.diff(places.at) > 0).all()
    assert table.held(coded(tokens)).tolist() == [
        [number % 3 == row for row in range(3)] for number in range(2_000)
    ]


@given(texts, st.sampled_from(["车", "车狗"]), asked)
def test_a_lone_character_counts_wherever_it_stands(written: list[str], lone: str, wanted: list[str]) -> None:
    table = TextTable.of(written, alone(written), frozenset(lone))
    every = [
        [*(token for token in tokens_of(text) if token not in lone), *(one for one in text if one in lone)]
        for text in written
    ]
    wanted = list(dict.fromkeys(["车", *wanted]))
    places = table.find(wanted)
    assert places.counts()[0].tolist() == [text.count("车") for text in written]
    assert places.counts().tolist() == [[some.count(token) for some in every] for token in wanted]
    for token in wanted:
        sides = [f" {token} 车 " in f" {' '.join(some)} " for some in every]
        assert places.sides([(token, "车")]).tolist() == sides
    assert [distinct(text) for text in table.texts] == [frozenset(coded(some).tolist()) for some in every]
    assert [table.tokens(row) for row in range(len(written))] == [by_code(some) for some in every]
    # What is kept of the texts is as it was.
    assert TextTable.of(written, alone(written), frozenset()).texts == read_texts(written, alone(written))


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join))
def test_a_text_that_is_read_again_is_as_the_first_time(text: str) -> None:
    (read,), (again,) = (read_texts([text], [(text,)]) for _ in range(2))
    anew = read_as(text, tokens_of(text))
    for one in (read, again):
        assert np.array_equal(one.codes, anew.codes)
        assert distinct(one) == distinct(anew) == frozenset(coded(tokens_of(text)).tolist())
        assert one.figures == anew.figures


def test_what_stands_beside_a_text_is_part_of_what_is_kept_of_it() -> None:
    bare, tagged = (
        read_texts(["A boat."], [("A boat.",)])[0],
        read_texts(["A boat."], [("A boat.", "harbour")])[0],
    )
    assert len(bare.codes) == 2
    assert len(tagged.codes) == 3
    # The same letters, cut elsewhere into content and what is read.
    assert read_texts(["ab?"], [("cd",)])[0].figures.question == 1.0
    assert read_texts(["ab"], [("?cd",)])[0].figures.question == 0.0


def test_no_text_is_kept() -> None:
    read_texts(["The unforgettable zanzibarian ledger."], [("The unforgettable zanzibarian ledger.", "")])[0]
    kept = [found for found in gc.get_objects() if isinstance(found, ReadText)]
    assert kept
    assert not any(isinstance(getattr(one, name), str) for one in kept for name in ReadText.__slots__)


def test_what_is_kept_stays_small() -> None:
    kept = text_words._Kept(1_000)
    reads = [read_as(text, text.split()) for text in (" ".join(map(str, range(n % 50))) for n in range(400))]
    for number, read in enumerate(reads):
        kept.put((number, number), read)
        assert kept.get((number, number)) is read
        held = sum(kept.get((other, other)) is not None for other in range(number + 1))
        assert held <= 2 * (1_000 // 40 + 2)


@given(texts, st.sampled_from([8, 512]))
def test_texts_that_are_alike_have_half_of_their_words_in_common(written: list[str], bits: int) -> None:
    """However many words share a bit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_words, "_BITS", bits)
        read = [read_as("", tokens_of(text)) for text in written]
    words = [frozenset(tokens_of(text)) for text in written]
    rows = range(len(written))
    columns = WordColumns(
        read, [text.figures.different for text in read], [b""] * len(read), [True] * len(read)
    )
    for lead in rows:
        alike = [
            row for row in rows if 2 * len(words[lead] & words[row]) >= max(1, len(words[lead] | words[row]))
        ]
        assert list(columns.alike(lead, rows)) == alike


contents = st.text("ab I my?？```7五 .", max_size=40)
VERSES = st.lists(st.tuples(contents, st.lists(st.sampled_from(WORDS), max_size=12)), max_size=6)


@given(VERSES)
def test_texts_that_are_read_together_are_as_each_by_itself(read: list[tuple[str, list[str]]]) -> None:
    together = ReadText.each(
        [content for content, _ in read],
        [coded(tokens_of(" ".join(words))).tobytes() for _, words in read],
    )
    for (content, words), text in zip(read, together, strict=True):
        tokens = tokens_of(" ".join(words))
        own = read_as(content, tokens)
        assert (text.packed, text.bits, text.packed_figures) == (own.packed, own.bits, own.packed_figures)
        told = text.figures
        assert (told.tokens, told.different) == (len(tokens), len(set(tokens)))
        assert told.words == content.count(" ") + 1
        assert told.tells_time == ("yesterdai" in tokens)
        assert told.tells_number == (bool({"7", "五"} & {*content}) or "two" in tokens)
        assert told.code == ("```" in content)
        assert told.question == (content.rstrip()[-1:] in "?？")
