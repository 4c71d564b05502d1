"""Words for kin: which mean the same one, whom a question asks of, and whom a statement tells of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language import kin
from simonides.language.kin import kin_alike, kin_asked, kin_led_by, kin_told
from simonides.language.search_tokens import tokens_of
from simonides.language.sentences import fold
from simonides.language.tables import languages, table
from simonides.language.whose import asks_of_oneself, tells_of_another

#: Of each language what is asked of one's own, and told of them.
ASKED = {
    "en": "Where does my {} live now?", "de": "Wo wohnt mein {} jetzt gerade?", "fr": "Où habite mon {} et avec qui ?",
    "es": "¿Dónde vive mi {} y con quién?", "ru": "Где сейчас живёт мой {}?", "zh": "我{}现在住在什么地方？",
}  # fmt: skip
TOLD = {
    "en": "My {} lives in the old mill.", "de": "Mein {} wohnt in der alten Mühle.",
    "fr": "Mon {} habite dans le vieux moulin.", "es": "Mi {} vive en el molino viejo.",
    "ru": "Мой {} живёт на старой мельнице.", "zh": "我{}住在那座老磨坊里面。",
}  # fmt: skip


def words_of(code):
    """Each word for kin of a language, with the names under which it stands."""
    whose = table(code, "whose")
    names = {}
    for name, words in whose.get("kin_words", whose.get("han_kin_words", {})).items():
        for word in fold(words).split():
            names.setdefault(word, set()).add(name)
    return names


KIN = [(code, word) for code in ASKED for word in words_of(code)]


@pytest.mark.parametrize("code", ASKED)
def test_each_word_for_kin_is_asked_of_and_told_of(code):
    for word in words_of(code):
        roles = kin_asked(ASKED[code].format(word))
        assert roles, word
        assert kin_led_by(TOLD[code].format(word)) == roles, word
        assert kin_told(TOLD[code].format(word)) >= roles, word


@pytest.mark.parametrize("code", ASKED)
def test_a_question_about_kin_is_none_about_its_speaker(code):
    for word in words_of(code):
        assert not asks_of_oneself(ASKED[code].format(word)), word
        assert tells_of_another(TOLD[code].format(word)), word


@pytest.mark.parametrize("code", [code for code in ASKED if code != "zh"])
def test_words_for_the_same_kin_stand_for_each_other(code):
    names = words_of(code)
    for word, own in names.items():
        for other, others in names.items():
            (token, *more), (held, *rest) = tokens_of(word), tokens_of(other)
            if own == others and token != held and not more and not rest:
                assert held in kin_alike(token), (word, other)


def test_a_word_stands_for_a_broader_one_and_never_for_a_narrower_one():
    assert "mother" in kin_alike(*tokens_of("parents"))
    assert "parent" not in kin_alike("mother")
    assert not set(tokens_of("daughter girl")) & set(kin_alike("son"))


@pytest.mark.parametrize(
    "question",
    [
        "What is Tom's mother called?", "Where does his sister live?", "What is my sister-in-law called?",
        "Where does my sister's husband work?", "Where did the boy live?", "Who is a mother here?",
        "Wo wohnt Toms Mutter?", "Qui a son adresse ?", "¿Dónde está la gran casa?", "姐夫的职业是什么？",
        "Where do I live?",
    ],
)  # fmt: skip
def test_nobody_of_ones_own_is_asked_of(question):
    assert kin_asked(question) == frozenset()


def test_a_word_of_another_language_is_no_kin():
    assert kin_told("Léa a son cours de natation le samedi à neuf heures.") == frozenset()
    assert kin_told("My son has a swimming lesson on Saturdays.") == {"son"}


def test_who_married_has_a_husband_or_wife():
    for text in (
        "Tom and I got married in May.", "Wir haben im Mai geheiratet.", "J'ai épousé Sophie.", "Nos casamos en mayo.",
        "Мы поженились в мае.", "我们是五月结的婚，领了证。",
    ):  # fmt: skip
        assert kin_told(text) >= {"husband", "wife"}, text


def test_a_statement_that_tells_of_two_is_about_none_of_them_alone():
    assert kin_led_by("My brother gave my mother a piano.") == frozenset()
    assert kin_led_by("The piano in the parlour was my mother's.") == frozenset()


@given(st.text(max_size=200) | st.lists(st.sampled_from([word for _, word in KIN]), max_size=8).map(" ".join))
def test_any_text_is_read_and_leads_to_no_more_than_it_tells(text):
    assert kin_led_by(text) <= kin_told(text)
    assert isinstance(kin_asked(text), frozenset)


def test_every_kind_that_has_kinds_is_named_by_some_language():
    named = {name for code in languages() for names in words_of(code).values() for name in names}
    assert set(kin._KINDS) <= named
