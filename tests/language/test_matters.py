"""Matters that texts are about."""

import pytest

from simonides.language.matters import matters, typical_answers
from simonides.language.sentences import fold
from simonides.language.tables import as_written, languages, table

PAIRS = (
    ("Do I have any pets?", "My dog Rex is three years old.", "pet"),
    ("What do I do for a living?", "I work as a nurse.", "job"),
    ("Habe ich Haustiere?", "Unser Hund Bello ist drei.", "pet"),
    ("Wie viel zahle ich im Monat?", "Das Abo läuft über 12 Euro.", "cost"),
    ("Quel est mon métier ?", "Je suis comptable.", "job"),
    ("¿Tengo alguna mascota?", "Mi gata Luna duerme.", "pet"),
    ("Есть ли у меня питомцы?", "Наш попугай говорит.", "pet"),
    ("我有宠物吗？", "我家的狗叫旺财。", "pet"),
    ("Who teaches her lessons?", "Nora is a pupil at Hillside.", "school"),
    ("Wie stark ist meine Brille?", "Ich bin links kurzsichtig.", "sight"),
    ("Où est rangé le double ?", "La clé de secours est chez la voisine.", "key"),
    ("¿Dónde están las copias?", "El respaldo se guarda treinta días.", "backup"),
    ("Во сколько я встаю?", "Будильник стоит на шесть.", "sleep"),
    ("房租多少？", "房东每月收四千。", "rent"),
    ("Où vont les enfants à l'école ?", "Léa est au lycée.", "school"),
)


@pytest.mark.parametrize(("question", "fact", "matter"), PAIRS, ids=lambda some: some[:16])
def test_a_question_and_what_answers_it_in_other_words_are_of_one_matter(question, fact, matter):
    shared = matters(question).keys() & matters(fact).keys()
    assert matter in {one.name for one in shared}


@pytest.mark.parametrize("code", ["de", "es", "fr", "ru"])
def test_no_small_word_tells_of_a_matter(code):
    small = {fold(word) for word in as_written("question_stop", of=code)}
    told = {word for words in table(code, "matters").values() for word in fold(words).split()}
    assert told & small <= {"down", "есть"}  # To eat, and there is.


def test_words_of_two_languages_make_no_matter_of_one():
    assert not matters("I like to chat.").keys() & matters("My dog barks.").keys()


@pytest.mark.parametrize(
    "text", ["", "?", "The catalogue is printed.", "dog " * 200], ids=lambda some: some[:8]
)
def test_no_word_and_no_short_text_is_no_matter(text):
    assert "pet" not in {one.name for one in matters(text)}


def test_matters_have_one_name_in_all_languages():
    names = [frozenset(table(code, "matters")) for code in languages()]
    assert all(some <= names[languages().index("en")] for some in names)


@pytest.mark.parametrize(("question", "about", "matter"), [
    ("Do I have any pets?", ["pets"], "pet"),
    ("What do I do for a living?", ["living"], "job"),
    ("What kind of pet do I have?", ["kind", "pet"], "pet"),
    ("Was ist mein Beruf?", ["Beruf"], "job"),
    ("Est-ce que j'ai des enfants ?", ["enfants"], "child"),
    ("¿Qué deporte hago?", ["deporte", "hago"], "sport"),
    ("Какой у меня рост?", ["рост"], "body"),
    ("我有宠物吗？", ["宠物"], "pet"),
])  # fmt: skip
def test_a_question_about_a_matter_alone_has_what_most_answers_are_like(question, about, matter):
    (code,) = {one.language for one in matters(question) if one.name == matter}
    assert table(code, "typical")[matter] in typical_answers(question, about)


@pytest.mark.parametrize(("question", "about"), [
    ("What colour is my dog?", ["colour", "dog"]),
    ("Which vet looks after my cat on Sundays?", ["vet", "looks", "cat", "Sundays"]),
    ("What is it?", []),
    ("Welche Farbe hat mein Hund?", ["Farbe", "Hund"]),
    ("我们家的那只宠物狗上次是什么时候洗澡的？", ["宠物", "洗澡"]),
])  # fmt: skip
def test_what_asks_for_more_has_no_typical_answer(question, about):
    assert typical_answers(question, about) == ()


def test_typical_answers_tell_of_their_matter():
    wrong = [
        (code, name)
        for code in languages()
        for name, text in table(code, "typical").items()
        if name != "beside" and name not in {one.name for one in matters(text) if one.language == code}
    ]
    assert wrong == []
