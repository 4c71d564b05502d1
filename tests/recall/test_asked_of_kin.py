"""Questions about somebody of the user's own, of whom nothing is known but what the user tells of themselves."""

import pytest

from simonides import Memory
from simonides.language.roles import others_named
from simonides.language.terms import terms
from simonides.language.whose import asks_of_ones_kin, roots, told_of_oneself

FACTS = [
    "My birthday is on 2 July.", "I'm allergic to penicillin.", "I work at Arup.", "I live in Leeds.", "I like figs.",
    "My phone number is 0161 555 0142.", "I drive a Skoda.", "My doctor is Dr Weber.", "My shoe size is 42.",
    "My brother Leo plays chess.", "We have a garden.", "I hate olives.", "My aunt Ada keeps bees.",
]  # fmt: skip
UNKNOWN = [
    "When is my mother's birthday?", "Where does my husband work?",
    "What's my wife's phone number?", "What car does my father drive?", "Who is my mother's doctor?",
]  # fmt: skip
KNOWN = {
    "When is my birthday?": "My birthday is on 2 July.", "What am I allergic to?": "I'm allergic to penicillin.",
    "Where do I work?": "I work at Arup.", "What does my brother play?": "My brother Leo plays chess.",
    "Who is my doctor?": "My doctor is Dr Weber.", "What does my aunt keep?": "My aunt Ada keeps bees.",
}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Memory(tmp_path_factory.mktemp("kin") / "m.db") as memory:
        for fact in FACTS:
            memory.add(fact, user_id="p")
        yield memory


@pytest.mark.parametrize("question", UNKNOWN)
def test_what_one_tells_of_oneself_is_no_answer_for_ones_kin(store, question):
    assert store.search(question, user_id="p").abstained


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("我妈妈的生日是哪天？", "我的生日是7月2日。"), ("我妹妹对什么过敏？", "我对青霉素过敏。"),
        ("¿Cuándo es el cumpleaños de mi madre?", "Mi cumpleaños es el 2 de julio."),
        ("Когда день рождения моей мамы?", "Мой день рождения 2 июля."),
        ("C'est quand l'anniversaire de ma mère ?", "Mon anniversaire est le 2 juillet."),
    ],
)  # fmt: skip
def test_one_word_in_common_is_enough(question, own):
    assert roots(terms(question)) & told_of_oneself(own)


@pytest.mark.parametrize("question", KNOWN)
def test_what_is_known_is_found_as_before(store, question):
    result = store.search(question, user_id="p")
    assert result.hits[0].item.content == KNOWN[question]
    assert not result.abstained


@pytest.mark.parametrize(
    ("question", "kin"),
    [
        ("When is my mother's birthday?", True), ("Wo arbeitet mein Mann?", True), ("Où travaille mon mari ?", True),
        ("¿Dónde trabaja mi marido?", True), ("Где работает мой муж?", True), ("我妈妈的生日是哪天？", True),
        ("When is my birthday?", False), ("What did I give my mother?", False), ("When is Anna's birthday?", False),
        ("Where did my wife and I meet?", False), ("Is it my mother's turn? When is the party?", False),
    ],
)  # fmt: skip
def test_a_question_about_ones_kin_is_told_from_one_about_oneself(question, kin):
    assert asks_of_ones_kin(question) is kin


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("My birthday is on 2 July.", True), ("Ich arbeite bei Siemens.", True), ("J'habite à Lyon.", True),
        ("Я живу в Казани.", True), ("我住在北京。", True), ("We live in Leeds.", False), ("我们住在北京。", False),
        ("Wir wohnen in Graz.", False), ("I visit my mother in May.", False), ("Tom is a plumber.", False),
        ("I live here. She works at Arup.", False),
    ],
)  # fmt: skip
def test_a_text_about_its_speaker_alone_is_told(text, alone):
    assert bool(told_of_oneself(text)) is alone


NAMED = {
    "en": (
        ["My neighbour Jill has our key.", "My boyfriend Theo hates coriander.", "My phone number is 07700 900123.",
         "My birthday is on 2 July.", "I work at Arup.", "My salary is 41k.", "My name is Dana.", "I have a Skoda."],
        ["What is Jill's phone number?", "When is Theo's birthday?", "What is Theo's salary?"],
    ),
    "fr": (
        ["Ma voisine Jill a notre clé.", "Mon copain Théo déteste la coriandre.", "Je travaille chez Airbus.",
         "Mon numéro de téléphone est le 06 12 34.", "Mon anniversaire est le 2 juillet.", "J'ai une Clio."],
        ["Quel est le numéro de téléphone de Jill ?", "C'est quand l'anniversaire de Théo ?"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", NAMED)
def test_what_one_tells_of_oneself_is_no_answer_for_somebody_who_is_named(tmp_path, code):
    facts, questions = NAMED[code]
    with Memory(tmp_path / "m.db") as memory:
        for fact in facts:
            memory.add(fact, user_id="p")
        for question in questions:
            result = memory.search(question, user_id="p")
            assert result.abstained, question
            assert others_named(question, [result.hits[0].item.content]), question


@pytest.mark.parametrize(
    "question",
    [
        "What is Dana's phone number?",
        "What is my phone number?",
        "Does Jill know my birthday?",
        "Where do I work?",
    ],
)
def test_nobody_is_another_whom_the_user_calls_nothing(question):
    assert not others_named(question, ["My name is Dana.", "I'm Dana.", "My neighbour Jill has our key."])


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("Mein Hund Rex ist drei Jahre alt.", "Wie alt ist mein Hund?"),
        ("Mein Hund Rex ist drei Jahre alt.", "Wie alt ist Rex?"),
        ("My dog Rex is three and I love him.", "How old is Rex?"),
        ("Mon chien Rex a trois ans.", "Quel âge a Rex ?"),
    ],
)
def test_what_names_somebody_answers_what_is_asked_of_them(tmp_path, told, question):
    with Memory(tmp_path / "m.db") as memory:
        for fact in (told, "The kitchen is blue."):
            memory.add(fact, user_id="p")
        assert not memory.search(question, user_id="p").abstained
