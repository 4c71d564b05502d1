"""Answers in words that name no value to what is asked with when, how often and how many."""

import pytest

from simonides import Memory
from simonides.language.value import ValueKind
from simonides.language.values import kinds_told
from simonides.recall.question.analysis import analyse

NUMBER, DATE, FREQUENCY = ValueKind.NUMBER, ValueKind.DATE, ValueKind.FREQUENCY
OFTEN = [
    "I water the plants twice a week.", "The backup runs daily.", "We meet on Mondays.",
    "I see my therapist every other Wednesday.", "The alarm code is changed every quarter.",
    "Ich gehe jeden Tag schwimmen.", "Die Filter werden monatlich gewechselt.", "Wir treffen uns freitags.",
    "Je vais à la piscine tous les jours.", "Elle vient une fois par mois.", "Voy al gimnasio todos los días.",
    "Viene cada dos semanas.", "Vado in piscina ogni giovedì.", "Я бегаю каждый день.", "Мы видимся раз в месяц.",
    "我每天跑步。", "她每两周来一次。",
]  # fmt: skip
WHEN = [
    "I review code first thing in the morning.", "I shower before bed.", "I work nights.",
    "Christmas is at my parents'.",
    "Ich dusche abends.", "Ich laufe nach der Arbeit.", "Je lis le soir.", "On se voit après le travail.",
    "Estudio antes de cenar.", "Leggo dopo cena.", "Я читаю перед сном.", "我睡前看书。",
]  # fmt: skip
HOW_MANY = [
    "I have several cousins.", "I have no siblings.", "Ich habe keine Geschwister.", "J'ai plusieurs cousins.",
    "No tengo hermanos.", "У меня несколько кошек.", "我有好多表兄弟。",
]  # fmt: skip
NEITHER = [
    "I'm allergic to peanuts.", "My dog is called Rex.", "Mein Hund heißt Rex.", "Mon chien s'appelle Rex.",
    "Mi perro se llama Rex.", "Мою собаку зовут Рекс.", "我的狗叫旺财。", "I use tabs, not spaces.",
]  # fmt: skip


def asked(question):
    return analyse(question, 0).values


@pytest.mark.parametrize("text", OFTEN)
def test_how_often_is_told_in_words(text):
    assert {FREQUENCY, DATE} <= kinds_told(text)


@pytest.mark.parametrize("text", WHEN)
def test_a_time_of_the_day_or_the_year_is_told_in_words(text):
    assert DATE in kinds_told(text)


@pytest.mark.parametrize("text", HOW_MANY)
def test_how_many_is_told_in_words(text):
    assert NUMBER in kinds_told(text)


@pytest.mark.parametrize("text", NEITHER)
def test_what_tells_no_value_is_left_alone(text):
    assert not kinds_told(text)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How often do I run?", {NUMBER, FREQUENCY}), ("Wie oft laufe ich?", {NUMBER, FREQUENCY}),
        ("À quelle fréquence je cours ?", {NUMBER, FREQUENCY}), ("Как часто я бегаю?", {NUMBER, FREQUENCY}),
        ("How old is Theo?", {NUMBER, DATE}), ("Wie alt ist Theo?", {NUMBER, DATE}),
        ("¿Cuántos años tiene Theo?", {NUMBER, DATE}), ("How many cousins do I have?", {NUMBER}),
        ("When do we meet?", {DATE}), ("Where do I live?", set()), ("What did I ask about the rent?", set()),
    ],
)  # fmt: skip
def test_a_question_asks_for_some_kinds_of_values(question, kinds):
    assert asked(question) == kinds


FACTS = [
    "The alarm code is changed every quarter.", "Rye bread sells best on Thursdays.", "Kenji does the night shift.",
    "Our bakery opens at 6:30.", "Flour comes from Harlan Mills.", "Mrs Adler is allergic to sesame.",
    "The starter is called Gertrude.", "We don't take cheques.", "Our van is a white Renault Kangoo.",
    "The card terminal is from SumUp.", "Our accountant is Beatrix Holm.", "Leftover bread goes to the food bank.",
    "Theo was born on 9 November 2020.", "Theo sleeps with a rabbit called Lapin.", "Theo is lactose intolerant.",
    "Theo has swimming lessons on Fridays at 4.", "Nora is afraid of dogs.", "Nora plays the cello.",
    "Nora's teacher is Mrs Pham.", "Nora got glasses last spring.",
]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Memory(tmp_path_factory.mktemp("store") / "m.db") as memory:
        for fact in FACTS:
            memory.add(fact, user_id="p")
        yield memory


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How often do we change the alarm code?", "The alarm code is changed every quarter."),
        ("How old is Theo?", "Theo was born on 9 November 2020."),
        ("Can Theo drink milk?", "Theo is lactose intolerant."),
        ("What scares Nora?", "Nora is afraid of dogs."),
        ("Who teaches Nora?", "Nora's teacher is Mrs Pham."),
        ("Does Nora see well?", "Nora got glasses last spring."),
    ],
)
def test_what_is_told_of_somebody_in_other_words_stands_first(store, question, answer):
    result = store.search(question, user_id="p")
    assert result.hits[0].item.content == answer
    assert not result.abstained
