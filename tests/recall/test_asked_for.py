"""A statement about somebody is no answer to whatever is asked of them."""

import pytest

from benchmarks.paraphrases import SUBJECTS, small_stores
from simonides import Memory
from simonides.testing import FakeEmbedder, FrozenClock

PEOPLE = {
    "en": ["Farida works at a bank.", "Noor was born on 9 May 1990.", "Gareth can't eat hazelnuts."],
    "de": [
        "Farida arbeitet bei einer Bank.",
        "Noor ist am 9. Mai 1990 geboren.",
        "Gareth verträgt keine Nüsse.",
    ],
    "es": [
        "Farida trabaja en un banco.",
        "Noor nació el 9 de mayo de 1990.",
        "Gareth no puede comer nueces.",
    ],
    "fr": [
        "Farida travaille dans une banque.",
        "Noor est née le 9 mai 1990.",
        "Gareth ne supporte pas les noix.",
    ],
    "ru": ["Фарида работает в банке.", "Нур родилась 9 мая 1990 года.", "Гаретту нельзя орехи."],
    "zh": ["李娜在银行上班。", "王强1990年5月9日出生。", "陈静不能吃坚果。"],
}
OTHERS = {
    "en": ["The office closes at six.", "We drink tea on Fridays.", "The printer is on the second floor."],
    "de": ["Das Büro schließt um sechs.", "Freitags trinken wir Tee.", "Der Drucker steht im zweiten Stock."],
    "es": [
        "La oficina cierra a las seis.",
        "Los viernes tomamos té.",
        "La impresora está en el segundo piso.",
    ],
    "fr": [
        "Le bureau ferme à six heures.",
        "Le vendredi nous buvons du thé.",
        "L'imprimante est au deuxième étage.",
    ],
    "ru": ["Офис закрывается в шесть.", "По пятницам мы пьём чай.", "Принтер стоит на втором этаже."],
    "zh": ["办公室六点关门。", "我们星期五喝茶。", "打印机在二楼。"],
}
#: Of the second, who answers it, and of the first, of whom something else is known.
BIRTHDAYS = {
    "en": ("When is Farida's birthday?", "When is Noor's birthday?"),
    "de": ("Wann hat Farida Geburtstag?", "Wann hat Noor Geburtstag?"),
    "es": ("¿Cuándo es el cumpleaños de Farida?", "¿Cuándo es el cumpleaños de Noor?"),
    "fr": ("Quand est l'anniversaire de Farida ?", "Quand est l'anniversaire de Noor ?"),
    "ru": ("Когда день рождения у Фариды?", "Когда день рождения у Нур?"),
    "zh": ("李娜的生日是什么时候？", "王强的生日是什么时候？"),
}


@pytest.fixture
def memory(fresh):
    with Memory(fresh, clock=FrozenClock("2026-03-01")) as memory:
        yield memory


@pytest.mark.parametrize("language", PEOPLE)
def test_something_else_of_a_known_subject_is_less_likely_an_answer(memory, language):
    memory.add([*PEOPLE[language], *OTHERS[language]])
    unknown, known = (memory.search(question) for question in BIRTHDAYS[language])
    assert unknown.confidence < 0.5 < known.confidence
    assert known.hits[0].item.content == PEOPLE[language][1]


@pytest.mark.parametrize("question", ["How much does Farida earn?", "What is Farida's phone number?"])
def test_a_number_that_is_asked_for_has_to_be_told(memory, question):
    memory.add([*PEOPLE["en"], *OTHERS["en"]])
    before = memory.search(question).confidence
    memory.add("Farida earns 3,000 euros, and her phone number is 555 0142.")
    assert before < 0.5 < memory.search(question).confidence


def test_nothing_changes_where_an_embedder_is_remote(tmp_path):
    class Remote(FakeEmbedder):
        local = False

    question = BIRTHDAYS["en"][0]
    found = []
    for name, embedder in (("near", FakeEmbedder()), ("far", Remote())):
        with Memory(tmp_path / f"{name}.db", embedder=embedder) as memory:
            memory.add([*PEOPLE["en"], *OTHERS["en"]])
            memory.backfill()
            found.append(memory.search(question).confidence)
    assert found[0] <= found[1]


def test_the_stores_ask_as_much_that_they_answer_as_that_they_do_not():
    stores = small_stores(SUBJECTS)
    assert {store.language for store in stores} == {"de", "en", "es", "fr", "ru", "zh"}
    assert {store.turns for store in stores} == {True, False}
    for store in stores:
        assert len(store.questions) == len(store.unanswered), store.id
        assert {fact for _, fact in store.questions} <= set(store.facts), store.id
        texts = [text for text, _ in store.questions] + list(store.unanswered)
        assert len(set(texts)) == len(texts), store.id
