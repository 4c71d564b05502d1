"""Tokens: a text without digits, addresses and the like is cut in a shorter way, to the same tokens."""

from hypothesis import example, given
from hypothesis import strategies as st

from simonides.language.tokens import Shape, tokens

#: What makes dates, numbers, hours and identifiers, and what only looks like it.
PIECES = st.sampled_from(
    [
        *" \n.,:;/-_@%+'’\"()<>?!…Ⅷ５．＠﹒",
        "www.",
        "http://",
        "a.m.",
        "l'",
        "n't",
        "'s",
        "é",
        "ß",
        "ё",
        "й",
        "店",
        "ㅎ",
        "v",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=12).map("".join)


@given(TEXTS)
@example("Ana's boat isn't at l'Île, she said… (at 店)")
@example("see www.-x or a.b at noon p.m.")
def test_a_number_on_the_next_line_changes_nothing_before_it(text):
    *before, last = tokens(f"{text}\n7")
    assert last.shape is Shape.NUMBER
    assert before == tokens(text)


def test_words_signs_and_marks_are_told_apart():
    cut = [(token.shape, token.fold) for token in tokens("Ana doesn't like 茶.")]
    assert cut == [
        (Shape.WORD, "ana"),
        (Shape.WORD, "does"),
        (Shape.WORD, "not"),
        (Shape.WORD, "like"),
        (Shape.HAN, "茶"),
        (Shape.MARK, "."),
    ]
