"""Revisions of a former statement: the same but for its value, against neighbours that say something else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.language.revision import revises, said_as_correction

#: Frames of sentences: the choices for each place; the last place holds the value, the one before it the verb, of
#: which the first choice tells of the present.
FRAMES = {
    "en": [
        (
            ["My", "My brother's", "Our", "Ana's", "My other"], ["rent", "deposit"], ["", "in Oslo", "in 2024"],
            ["is", "was", "will be", "may be", "is only"], ["500 euros", "900 euros"],
        ),
        (
            ["The", "Every", "No"], ["meeting", "call"], ["on Monday", "on Tuesday"],
            ["is at", "was at", "should be at"], ["5 pm", "6:30 pm"],
        ),
        (["The flight"], ["to", "from", "before"], ["Oslo", "Riga"], ["leaves at", "left at"], ["9:15", "12:40"]),
        (["The shop", "Shop B"], ["in Graz", ""], ["opens at", "closes at", "opened at"], ["9 am", "6 pm"]),
        (["The code of"], ["gate", "door"], ["A", "B"], ["is", "was"], ["1234", "2345"]),
        (["My wife", "My boss", "Ana", "My father"], ["is called", "was called"], ["Mia", "Zoe Blum"]),
        (["My sister", "Ana", "Ana's sister"], ["lives in", "lived in", "works in", "will live in"], ["Graz", "Riga"]),
        (["We", "They"], ["ship on", "meet on", "will meet on"], ["Mondays", "Fridays"]),
    ],
    "de": [
        (
            ["Meine Miete", "Die Miete meines Bruders"], ["", "in Graz"], ["ist", "wird", "war früher"],
            ["500 Euro", "900 Euro"],
        ),
        (["Das Treffen"], ["am Montag", "am Dienstag"], ["ist um", "endet um"], ["17 Uhr", "18 Uhr"]),
    ],
    "fr": [
        (
            ["Mon loyer", "Le loyer de mon frère"], ["", "à Lyon"], ["est de", "était de", "sera de"],
            ["500 euros", "900 euros"],
        ),
        (["La réunion", "La fête"], ["du lundi", "du mardi"], ["est à", "finit à"], ["17 h 00", "18 h 30"]),
    ],
    "ru": [
        (
            ["Моя аренда", "Аренда моего брата"], ["", "в Казани"], ["стоит", "стоила", "будет стоить"],
            ["500 евро", "900 евро"],
        ),
        (["Встреча"], ["в понедельник", "во вторник"], ["начинается в", "кончается в"], ["17:00", "18:30"]),
    ],
    "zh": [
        (["我的", "我哥哥的"], ["房租", "押金"], ["是", "以前是", "可能是"], ["500元", "900元"]),
        (["周一的", "周二的"], ["会议", "电话"], ["在", "可能在"], ["下午五点", "上午六点"]),
    ],
}  # fmt: skip


@st.composite
def changed(draw):
    """Two sentences of one frame, and the places in which they differ."""
    language = draw(st.sampled_from(sorted(FRAMES)))
    frame = draw(st.sampled_from(FRAMES[language]))
    first = [draw(st.integers(0, len(choices) - 1)) for choices in frame]
    many = [place for place, choices in enumerate(frame) if len(choices) > 1]
    places = draw(st.sets(st.sampled_from(many), min_size=1, max_size=3))
    other = [
        (chosen + draw(st.integers(1, len(choices) - 1))) % len(choices) if place in places else chosen
        for place, (choices, chosen) in enumerate(zip(frame, first, strict=True))
    ]
    joint = "" if language == "zh" else " "
    said = [
        joint.join(filter(None, (choices[at] for choices, at in zip(frame, chosen, strict=True))))
        for chosen in (first, other)
    ]
    return said[0] + ".", said[1] + ".", places == {len(frame) - 1}, first[-2] == 0


@settings(max_examples=300)
@given(changed())
def test_only_another_value_at_the_end_says_the_same_thing_otherwise(pair):
    former, text, only_the_value, present = pair
    if not only_the_value:
        assert not revises(former, text)
        assert not revises(former, text, as_correction=True)
    elif present:
        assert revises(former, text)


@pytest.mark.parametrize(
    ("former", "text"),
    [
        ("The shop opens at 9.", "The shop opens at 10 on Sundays."),
        ("The rent is 500 euros.", "The rent is 500 euros."),
        ("The rent is 500 euros.", "The rent is almost 900 euros."),
        # "Shop 2" may as well be two of something that open.
        ("Shop 2 opens at 9 am.", "Shop 2 opens at 6 pm."),
        ("The rent is 500 euros.", "The rent is 900 euros for my neighbour."),
        ("The rent is 500 euros in Oslo.", "The rent is 500 euros in Riga."),
        ("The rent is 500 euros in May.", "The rent is 500 euros in June."),
        ("I take 5 mg at 9 am.", "I take 5 mg at 6 pm."),
        ("Room 4 has 20 seats.", "Room 5 has 20 seats."),
        ("Room 4.", "Room 5."),
        ("I have two cats.", "I have two cats and a dog."),
        ("I have two cats.", "I have three dogs."),
        ("I live in Graz. I have a cat.", "I live in Linz. I have a cat."),
        ("I live in Graz.", "I live in Linz?"),
        ("I live in Graz.", "We do not live in Graz."),
        ("In Graz lives Ana.", "In Graz lives Mia."),
        ("Ana is my sister.", "Mia is my sister."),
    ],
)
def test_what_says_something_else_revises_nothing(former, text):
    assert not revises(former, text)
    assert not revises(former, text, as_correction=True)


@pytest.mark.parametrize(
    ("former", "text"),
    [
        ("I have a dog.", "I have a cat."), ("I like tea.", "I like coffee."), ("I met Ana.", "I met Mia."),
        ("I speak French.", "I speak German."), ("I paid 500 euros.", "I paid 700 euros."),
        ("我喜欢茶。", "我喜欢咖啡。"),
        ("My sister is Eva.", "My sister is Ida."), ("My dog is called Rex.", "My dog is called Bo."),
        ("My son's name is Tom.", "My son's name is Max."),
        ("Meine Schwester heißt Eva.", "Meine Schwester heißt Ida."),
        ("Ma sœur s'appelle Eva.", "Ma sœur s'appelle Ida."),
        ("Mi hermana se llama Eva.", "Mi hermana se llama Ida."),
        ("Мою сестру зовут Ева.", "Мою сестру зовут Ида."),
        ("我姐姐是李明。", "我姐姐是王芳。"), ("我的狗叫小白。", "我的狗叫小黑。"),
    ],
)  # fmt: skip
def test_of_what_there_may_be_several_only_a_correction_puts_another_in_its_place(former, text):
    assert not revises(former, text)
    assert revises(former, text, as_correction=True)


@pytest.mark.parametrize(
    ("former", "text"),
    [
        ("I am allergic to nuts.", "I am not allergic to nuts."), ("I live in Graz.", "I don't live in Graz."),
        ("Ana lives in Graz.", "Ana does not live in Graz."), ("I live in Graz.", "I no longer live in Graz."),
        ("J'aime le thé.", "Je n'aime pas le thé."), ("Я живу в Москве.", "Я не живу в Москве."),
        ("我喜欢茶。", "我不喜欢茶。"), ("Ich wohne in Graz.", "Ich wohne nicht in Graz."),
    ],
)  # fmt: skip
def test_a_plain_denial_and_what_it_denies_revise_each_other(former, text):
    assert revises(former, text)
    assert revises(text, former)


def test_a_correction_is_told_by_the_words_before_what_it_says():
    assert said_as_correction("Thanks. Actually, I prefer coffee.", "I prefer coffee.")
    assert not said_as_correction("Actually, I am tired. I prefer coffee.", "I prefer coffee.")
    assert not said_as_correction("I prefer coffee.", "I prefer coffee.")
