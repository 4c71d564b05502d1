"""The questions in a message: joined ones apart, and what was said before a question left out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.recall.question.parts import MAX_PARTS, parts

# One question stays what it is

ALONE = [
    "Where is the kettle?",
    "where is the kettle",
    "kettle",
    "?",
    "ok",
    "The kettle is blue. Where is it?",
    "Does Ana also play the cello?",
    "What besides tea does Bo drink?",
    "What is in the Also-ran archive? And where is it?",
    "Alsobrook is a town. Where is it?",
    "Где ключ от дачи?",
    "Кто играет на скрипке, а также на рояле?",
    "Où est la clé ?",
    "Est-ce que Zoé aime aussi le thé ?",
    "水壶在哪里?",
    "除了茶,还有什么?",
    "1. also 2.also",
]


@pytest.mark.parametrize("message", ALONE)
def test_a_message_that_asks_one_thing_stays_whole(message):
    assert parts(message) == (message,)


# Joined questions

JOINED = [
    ("Where is the kettle? Also, who bought it?", ("Where is the kettle?", "who bought it?")),
    ("Where is the kettle? also: who bought it?", ("Where is the kettle?", "who bought it?")),
    ("Where is the kettle?Also who bought it?", ("Where is the kettle?", "who bought it?")),
    ("Where is it?  ALSO who has it?", ("Where is it?", "who has it?")),
    ("Where is the kettle? Another question: who bought it?", ("Where is the kettle?", "who bought it?")),
    ("Where is the kettle? Besides, who bought it?", ("Where is the kettle?", "who bought it?")),
    ("First, who came? Secondly, who left?", ("First, who came?", "who left?")),
    ("Who came? One more thing, who left?", ("Who came?", "who left?")),
    ("Tell me who came. Also tell me who left.", ("Tell me who came.", "tell me who left.")),
    ("Who came! Also who left?", ("Who came!", "who left?")),
    ("Где ключ? А также кто его взял?", ("Где ключ?", "кто его взял?")),
    ("Где ключ? Ещё вопрос: кто его взял?", ("Где ключ?", "кто его взял?")),
    ("Где ключ? Кроме того, кто его взял?", ("Где ключ?", "кто его взял?")),
    ("Où est la clé ? Aussi, qui l'a prise ?", ("Où est la clé ?", "qui l'a prise ?")),
    ("Où est la clé ? Autre question : qui l'a prise ?", ("Où est la clé ?", "qui l'a prise ?")),
    ("Où est la clé ? Par ailleurs, qui l'a prise ?", ("Où est la clé ?", "qui l'a prise ?")),
    ("Wo ist der Schlüssel? Außerdem, wer hat ihn?", ("Wo ist der Schlüssel?", "wer hat ihn?")),
    ("¿Dónde está la llave? Además, ¿quién la tiene?", ("¿Dónde está la llave?", "¿quién la tiene?")),
    ("水壶在哪里?另外,是谁买的?", ("水壶在哪里?", "是谁买的?")),
    ("水壶在哪里?此外,是谁买的?", ("水壶在哪里?", "是谁买的?")),
    ("水壶在哪里。还有、是谁买的?", ("水壶在哪里。", "是谁买的?")),
    ("水壶在哪里?而且是谁买的?", ("水壶在哪里?", "是谁买的?")),
    (
        "Who came? Also who left? Another question: who stayed?",
        ("Who came?", "who left?", "who stayed?"),
    ),
]


@pytest.mark.parametrize(("message", "asked"), JOINED)
def test_questions_that_are_joined_are_taken_apart(message, asked):
    assert parts(message) == asked


def test_at_most_so_many_are_looked_for_the_first_ones():
    message = "Who came? " + " ".join(f"Also who sat on chair {n}?" for n in range(9))
    assert MAX_PARTS == 3
    assert parts(message) == ("Who came?", "who sat on chair 0?", "who sat on chair 1?")


def test_what_is_too_short_to_ask_anything_is_no_part():
    assert parts("Ok? Also, where is the kettle?") == ("where is the kettle?",)
    assert parts("Where is the kettle? Also: eh?") == ("Where is the kettle?",)
    # Where all of it is too short it is looked for as it came.
    assert parts("a? Also b?") == ("a? Also b?",)


# What is said before a question

ANNOUNCED = [
    (
        "The weather is awful today. What I really wanted to ask is where the kettle is.",
        ("where the kettle is.",),
    ),
    ("Nice chair. What I actually want to know: who bought the kettle?", ("who bought the kettle?",)),
    ("I lost my keys. My real question is, who has the kettle?", ("who has the kettle?",)),
    ("Погода ужасная. На самом деле я хочу спросить, где чайник?", ("где чайник?",)),
    ("Погода ужасная. На самом деле я хотел узнать: где чайник?", ("где чайник?",)),
    ("Погода ужасная. На самом деле хотела спросить где чайник?", ("где чайник?",)),
    ("Il pleut. Ce que je voulais demander, c'est où est la clé ?", ("où est la clé ?",)),
    ("Il pleut. Ce que je voulais vraiment savoir: où est la clé ?", ("où est la clé ?",)),
    ("今天天气真差。我想问一下水壶在哪里?", ("水壶在哪里?",)),
    ("今天天气真差,我想问的是,水壶在哪里?", ("水壶在哪里?",)),
    ("你好。本来想问的是:水壶在哪里?", ("水壶在哪里?",)),
    ("我家的猫病了。问题是这个:水壶在哪里?", ("水壶在哪里?",)),
    ("我家的猫病了。真正想知道的是:水壶在哪里?", ("水壶在哪里?",)),
]


@pytest.mark.parametrize(("message", "asked"), ANNOUNCED)
def test_what_is_said_before_an_announced_question_is_left_out(message, asked):
    assert parts(message) == asked


def test_the_last_announcement_counts():
    message = "What I really want to ask is who came. My real question is who left."
    assert parts(message) == ("who left.",)


def test_an_announcement_of_nothing_leaves_what_was_said():
    assert parts("Where is the kettle? What I really want to ask") == (
        "Where is the kettle? What I really want to ask",
    )
    assert parts("水壶在哪里?我想问") == ("水壶在哪里?我想问",)
    # The one before it announced something.
    assert parts("你好。我想问水壶在哪里?我想问") == ("水壶在哪里?我想问",)


def test_noise_and_joined_questions_come_together():
    message = "It rains. My real question is where the kettle is. Also, by the way: who bought it?"
    assert parts(message) == ("where the kettle is.", "by the way: who bought it?")


# Whatever the text

PIECES = [
    "Also, ", "also ", "А также ", "aussi ", "另外,", "My real question is ", "我想问", "真正想", "是这个",
    "ce que je voulais demander", "who came", "水壶", "ключ", "👍", "?", ".", "。", ",", ":", " ",
    "\n", "\t", "\0", "\u200b", "\ud800", "e\u0301",
]  # fmt: skip
MESSAGES = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
)


@settings(max_examples=150)
@given(message=MESSAGES)
def test_every_message_has_one_to_three_parts_of_its_own_text_and_none_is_blank(message):
    found = parts(message)
    assert 1 <= len(found) <= MAX_PARTS
    assert all(part in message for part in found)
    assert found == parts(message)
    if message.strip():
        assert all(part.strip() for part in found)
    else:
        assert found == (message,)


@settings(max_examples=120)
@given(message=MESSAGES)
def test_a_part_is_a_question_by_itself_and_is_not_announced_any_more(message):
    for part in parts(message):
        if part != message:
            assert part == part.strip()
            assert len(part) >= 4


REPEATED = [
    "Also ", "? Also ", ". ", "?\n\n\n\n", "真正想", "真正的的的的的", "我想问", "我想问a", "My real question is ",
    "what i really ", "на самом деле ", "ce que je voulais ", "? " + " " * 50, "。   ", ", ", "real ", "?    also",
]  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED)
def test_repetition_costs_no_more_than_its_length(piece):
    """Every pattern is linear: were any part of so long a message walked twice for each other, this would not end."""
    message = (piece * 300_000)[:300_000]
    assert 1 <= len(parts(message)) <= MAX_PARTS
