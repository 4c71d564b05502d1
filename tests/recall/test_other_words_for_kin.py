"""Kin who are told of by one word and asked of by another, and kin of whom nothing is told."""

import pytest

from simonides import Memory

#: Of each language what is told, questions with other words and what answers them, and questions about kin of whom
#: nothing is told.
STORES = {
    "en": (
        ["Our son Mats is seven.", "My wife Ingrid teaches chemistry.", "My brother Leo runs a bakery in Porto.",
         "Mum does yoga on Thursdays.", "My uncle keeps bees.", "We pay 900 euros of rent.", "I quit smoking in May.",
         "The piano was a present.", "I sing in a choir.", "I cycle to the practice.", "The dentist is on Mill Road.",
         "I was born in Leeds."],
        {"How old is our boy?": 0, "What does my missus teach?": 1, "When does my mother do yoga?": 3},
        ["What is my sister called?", "What did my father die of?", "Where does my aunt live?",
         "What does my grandfather do for a living?"],
    ),
    "de": (
        ["Unsere Tochter Jule ist acht.", "Mein Mann Torsten ist Schreiner.", "Mein Bruder Stefan wohnt in Graz.",
         "Oma Hedwig wird im August neunzig.", "Wir zahlen 870 Euro Miete.", "Ich vertrage keine Milch.",
         "Dienstags gehe ich zum Yoga.", "Wir sparen auf ein Wohnmobil.", "Ich spreche etwas Tschechisch.",
         "Das Klavier war ein Geschenk.", "Ich arbeite in einer Apotheke.", "Das Auto steht in der Garage."],
        {"Wie alt ist unser Mädchen?": 0, "Wie heißt mein Ehemann?": 1, "Wie alt wird meine Großmutter?": 3},
        ["Wie heißt meine Schwester?", "Was macht mein Vater beruflich?", "Wo wohnt meine Tante?"],
    ),
    "fr": (
        ["Notre fils Hugo a sept ans.", "Ma femme Élise enseigne la chimie.", "Mon frère tient une boulangerie.",
         "Maman fait du yoga le jeudi.", "Nous payons 950 euros de loyer.", "J'ai grandi près de Quimper.",
         "Le mardi, je chante dans une chorale.", "Je vais au travail à vélo.", "Le piano est un cadeau.",
         "Je déteste la coriandre.", "Je suis kinésithérapeute.", "Nous économisons pour un voilier."],
        {"Quel âge a notre garçon ?": 0, "Qu'enseigne mon épouse ?": 1, "Quand ma mère fait-elle du yoga ?": 3},
        ["Comment s'appelle ma sœur ?", "Quel est le métier de mon père ?", "Où habite ma tante ?"],
    ),
    "es": (
        ["Nuestro hijo Mateo tiene siete años.", "Mi marido Andrés es carpintero.", "Mi hermano lleva una panadería.",
         "Mamá hace yoga los jueves.", "Pagamos 780 euros de alquiler.", "Me crié cerca de Cádiz.",
         "Los martes canto en un coro.", "Voy al trabajo en bicicleta.", "El piano fue un regalo.",
         "No soporto el cilantro.", "Trabajo en una farmacia.", "Estamos ahorrando para un velero."],
        {"¿Cuántos años tiene nuestro niño?": 0, "¿Cómo se llama mi esposo?": 1, "¿Qué días hace yoga mi madre?": 3},
        ["¿Cómo se llama mi hermana?", "¿A qué se dedica mi padre?", "¿De qué murió mi tía?"],
    ),
    "ru": (
        ["Нашему сыну Матвею семь лет.", "Моя жена Ирина преподаёт химию.", "Мой брат держит пекарню в Казани.",
         "Мама по четвергам ходит на йогу.", "За квартиру мы платим 40 тысяч.", "Я вырос под Вологдой.",
         "По вторникам я пою в хоре.", "На работу я езжу на велосипеде.", "Пианино нам подарили.",
         "Я терпеть не могу кинзу.", "Я работаю в аптеке.", "Мы копим на яхту."],
        {"Сколько лет нашему мальчику?": 0, "Что преподаёт моя супруга?": 1, "Когда моя мать ходит на йогу?": 3},
        ["Как зовут мою сестру?", "Кем работает мой отец?", "Где живёт моя тётя?"],
    ),
}  # fmt: skip


@pytest.fixture(scope="module", params=STORES)
def told(request, tmp_path_factory):
    facts, questions, unknown = STORES[request.param]
    with Memory(tmp_path_factory.mktemp("kin") / "m.db") as memory:
        for fact in facts:
            memory.add(fact, user_id="p")
        yield memory, {question: facts[place] for question, place in questions.items()}, unknown


def test_kin_are_found_by_other_words(told):
    memory, questions, _ = told
    found = {question: memory.search(question, user_id="p") for question in questions}
    assert {question: result.hits[0].item.content for question, result in found.items()} == questions
    assert not [question for question, result in found.items() if result.abstained]


def test_what_is_told_of_others_is_no_answer_about_kin_of_whom_nothing_is_told(told):
    memory, _, unknown = told
    assert [question for question in unknown if not memory.search(question, user_id="p").abstained] == []


@pytest.mark.parametrize(
    ("language", "facts", "question"),
    [
        ("en", ["Our daughter is called Lotte.", "Lotte collects stamps."], "What does our girl collect?"),
        ("de", ["Unser Enkel heißt Max.", "Max sammelt Briefmarken."], "Was sammelt unser Enkelsohn?"),
        ("fr", ["Mon mari s'appelle Louis.", "Louis collectionne les timbres."], "Que collectionne mon époux ?"),
        ("es", ["Mi esposa se llama Ana.", "Ana colecciona sellos."], "¿Qué colecciona mi mujer?"),
        ("ru", ["Мою тётю зовут Анна.", "Анна собирает марки."], "Что собирает моя тётка?"),
    ],
)  # fmt: skip
def test_what_is_told_by_name_is_found_by_another_word_than_told_the_name(
    language, facts, question, tmp_path
):
    with Memory(tmp_path / "m.db") as memory:
        for fact in [*STORES[language][0][4:], *facts]:
            memory.add(fact, user_id="p")
        assert memory.search(question, user_id="p").hits[0].item.content == facts[1]


def test_who_somebody_is_may_be_told_of_other_kin(tmp_path):
    with Memory(tmp_path / "m.db") as memory:
        for fact in ("My brother taught my daughter to swim.", "My uncle lent the tent to my sister."):
            memory.add(fact, user_id="p")
        hit = memory.search("Who taught my daughter to swim?", user_id="p").hits[0]
        assert hit.item.content.startswith("My brother")


def test_children_of_whom_nothing_is_told_by_what_they_are_may_be_told_of_by_name(tmp_path):
    facts = [*STORES["en"][0][1:], "Lotte goes to the Rudolf Steiner school."]
    with Memory(tmp_path / "m.db") as memory:
        for fact in facts:
            memory.add(fact, user_id="p")
        result = memory.search("Which school does my daughter go to?", user_id="p")
        assert result.hits[0].item.content == facts[-1]
        assert not result.abstained
