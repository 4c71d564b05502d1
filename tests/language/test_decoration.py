"""Decoration says nothing: what is the same without it is the same; a word, number or denial more is not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.language.contradiction import difference, differences
from simonides.language.decoration import other_links, plain_form, undecorated
from simonides.language.sameness import read, same

SUBJECTS = ("Ana's desk", "the north gate", "our bakery", "Mira's boat")
VERBS = ("closes", "opens", "is locked", "stays dark")
WHEN = ("at 5 pm", "on Fridays", "in room 14", "for 20 min", "after 80 % of it")
PLAIN = st.builds(lambda *parts: " ".join(parts), *map(st.sampled_from, (SUBJECTS, VERBS, WHEN)))
WRAPS = (
    "{}", "“{}”", '"{}"', "({})", "**{}**", "_{}_", "- {}", "* {}", "> {}", "«{}»", "「{}」", "Note: {}", "NB: {}",
    "NOTE - {}", "FYI: {}", "Reminder: {}", "Rappel : {}", "Hinweis: {}", "Заметка: {}", "备注：{}", "{} 🚀", "{} 👍🎉",
    "{}!", "{}.", "{}…", "# {}", "‘{}’",
)  # fmt: skip
DRAWN = (
    lambda text: text.replace("'", "’"),
    lambda text: text.replace("'", "ʼ"),
    lambda text: text.replace(" pm", "pm").replace(" min", "min").replace(" %", "%"),
    lambda text: text.replace(" ", "  "),
    lambda text: text.upper() if not any(c.isdigit() for c in text) else text,
    lambda text: text.replace("gate", "[gate](https://example.org/gate)"),
    lambda text: text.replace("bakery", "*bakery*"),
    lambda text: text,
)


@given(PLAIN, st.lists(st.sampled_from(WRAPS), max_size=3), st.sampled_from(DRAWN))
@settings(max_examples=300)
def test_decorated_it_has_the_same_form(plain, wraps, drawn):
    text = drawn(plain)
    for wrap in wraps:
        text = wrap.format(text)
    text = f"  {text} "
    assert plain_form(text) == plain_form(plain)
    assert same(read(text), read(plain))
    assert difference(text, plain) is None


CHANGES = (
    lambda text: text.replace("is ", "is not ").replace("closes", "never closes").replace("opens", "never opens")
    .replace("stays", "never stays"),
    lambda text: text.replace("5", "6").replace("Fri", "Mon").replace("14", "15").replace("20", "25").replace("8", "9"),
    lambda text: text.replace("desk", "chair").replace("gate", "wall").replace("bakery", "hall").replace("boat", "car"),
    lambda text: f"{text}?",
    lambda text: f"{text} 👎",
    lambda text: f"Correction: {text}",
    lambda text: f"Maybe {text}",
    lambda text: f"{text} was",
)  # fmt: skip


@given(PLAIN, st.sampled_from(CHANGES), st.sampled_from(WRAPS))
@settings(max_examples=300)
def test_another_word_number_or_denial_is_another_text(plain, change, wrap):
    assert plain_form(wrap.format(change(plain))) != plain_form(plain)


@given(PLAIN, st.sampled_from(CHANGES[:3]), st.sampled_from(WRAPS))
@settings(max_examples=200)
def test_and_does_not_say_the_same(plain, change, wrap):
    assert not same(read(wrap.format(change(plain))), read(plain))


@given(st.text(max_size=200))
def test_any_text_is_undecorated_once(text):
    once = undecorated(text)
    assert plain_form(once) == plain_form(undecorated(once))
    assert differences(text, text) == ()


def test_links_to_other_places_are_other_texts():
    one, other = "See [docs](https://a.example).", "See [docs](https://b.example)."
    assert other_links(one, other)
    assert not same(read(one), read(other))
    assert not other_links(one, "See docs.")


def test_lines_stay_apart():
    assert undecorated("Note: one\ntwo") == "one\ntwo"


@pytest.mark.parametrize(
    "text",
    ["(a) and (b)", "“Yes” or “no”", "5a is full", "[ ] buy figs", "-5 degrees", "3D prints", "note-taking"],
)
def test_what_looks_like_decoration_and_is_none_stays(text):
    assert plain_form(text) == text.casefold().replace("“", '"').replace("”", '"')


@given(st.text(alphabet="kq \"'“„.!’-(", max_size=6))
@settings(max_examples=500)
def test_any_few_signs_keep_their_letters(text):
    assert list(filter(str.isalnum, undecorated(f'"{text}"'))) == list(filter(str.isalnum, text))


def test_a_letter_in_quotation_marks_is_the_letter():
    assert undecorated('"k"') == "k"
