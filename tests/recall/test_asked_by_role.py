"""Questions about somebody by what they are to the user, whose name another statement tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.roles import asked_by_role

STORES = {
    "en": [
        "My husband is called Tom.", "Tom is a plumber.", "My wife Camille works nights at the hospital.",
        "Camille's birthday is on 30 April.", "My son Theo is in second grade.", "Theo was born on 9 November 2020.",
        "My boss is Hannah.", "Hannah is on holiday until 3 May.", "My dog is called Rex.",
        "Rex is allergic to chicken.", "My best friend Mia moved to Rome.", "Mia is a nurse.",
        "My birthday is on 2 July.", "I work at Arup.", "I live in Leeds.", "My grandmother was born in 1931.",
    ],
    "de": [
        "Mein Mann heißt Tom.", "Tom ist Klempner.", "Meine Frau Camille arbeitet nachts im Krankenhaus.",
        "Camille hat am 30. April Geburtstag.", "Mein Hund heißt Rex.", "Rex verträgt kein Hühnchen.",
        "Mein Bruder Leo wohnt in Oslo.", "Leo heiratet im Juni.", "Ich arbeite bei Siemens.",
        "Mein Geburtstag ist am 2. Juli.", "Meine Oma ist 1931 geboren.", "Ich wohne in Graz.",
    ],
    "fr": [
        "Mon mari s'appelle Tom.", "Tom est plombier.", "Ma femme Camille travaille de nuit à l'hôpital.",
        "L'anniversaire de Camille est le 30 avril.", "Mon chien s'appelle Rex.", "Rex ne supporte pas le poulet.",
        "Mon anniversaire est le 2 juillet.", "Je travaille chez Airbus.", "J'habite à Lyon.",
        "Ma fille s'appelle Nora.", "Nora a peur des chats.", "Mon loyer est de 850 euros.",
    ],
}  # fmt: skip
QUESTIONS = [
    ("en", "What does my husband do?", "Tom is a plumber."),
    ("en", "When is my wife's birthday?", "Camille's birthday is on 30 April."),
    ("en", "How old is my son?", "Theo was born on 9 November 2020."),
    ("en", "When is my boss back?", "Hannah is on holiday until 3 May."),
    ("en", "What can't my dog eat?", "Rex is allergic to chicken."),
    ("en", "What does my best friend do?", "Mia is a nurse."),
    ("en", "When is my birthday?", "My birthday is on 2 July."),
    ("en", "When was my grandmother born?", "My grandmother was born in 1931."),
    ("en", "Who is my boss?", "My boss is Hannah."),
    ("en", "What is my husband's name?", "My husband is called Tom."),
    ("en", "Where does my wife work?", "My wife Camille works nights at the hospital."),
    ("de", "Was macht mein Mann beruflich?", "Tom ist Klempner."),
    ("de", "Wann hat meine Frau Geburtstag?", "Camille hat am 30. April Geburtstag."),
    ("de", "Wann heiratet mein Bruder?", "Leo heiratet im Juni."),
    ("de", "Was darf mein Hund nicht fressen?", "Rex verträgt kein Hühnchen."),
    ("fr", "Que fait mon mari dans la vie ?", "Tom est plombier."),
    ("fr", "C'est quand l'anniversaire de ma femme ?", "L'anniversaire de Camille est le 30 avril."),
    ("fr", "Que ne peut pas manger mon chien ?", "Rex ne supporte pas le poulet."),
    ("fr", "De quoi ma fille a-t-elle peur ?", "Nora a peur des chats."),
]


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    opened = {code: Memory(tmp_path_factory.mktemp("roles") / f"{code}.db") for code in STORES}
    for code, memory in opened.items():
        for fact in STORES[code]:
            memory.add(fact, user_id="p")
    yield opened
    for memory in opened.values():
        memory.close()


@pytest.mark.parametrize(("code", "question", "answer"), QUESTIONS)
def test_what_is_told_of_somebody_by_name_answers_what_is_asked_by_their_role(stores, code, question, answer):
    assert stores[code].search(question, user_id="p").hits[0].item.content == answer


def test_what_is_told_by_the_role_alone_stays_first(memory):
    for fact in (
        "My wife is called Camille.",
        "My wife works nights.",
        "Camille loves orchids.",
        "I work at Arup.",
    ):
        memory.add(fact, user_id="p")
    assert (
        memory.search("When does my wife work?", user_id="p").hits[0].item.content == "My wife works nights."
    )
    hit = memory.search("When does my wife work?", user_id="p", explain=True).hits[0]
    assert hit.score == pytest.approx(sum(hit.signals.values()), abs=1e-6)


@pytest.mark.parametrize(
    ("question", "told", "asked"),
    [
        ("What does my husband do?", "My husband is called Tom.", "What does Tom do?"),
        ("When is our landlord's birthday?", "Mr Hughes is our landlord.", "When is Mr Hughes's birthday?"),
        ("Where does my best friend live?", "My best friend, Mia, is a nurse.", "Where does Mia live?"),
        ("When is my boss back?", "My new boss is Hannah.", "When is Hannah back?"),
        ("Was isst meine Tochter gern?", "Nora ist meine Tochter.", "Was isst Nora gern?"),
        ("Où travaille mon mari ?", "Mon mari, Tom, aime le thé.", "Où travaille Tom ?"),
        ("¿Qué come mi perro?", "Mi perro se llama Rex.", "¿Qué come Rex?"),
        ("Где работает мой муж?", "Моего мужа зовут Том.", "Где работает Том?"),
        ("我丈夫做什么工作？", "我丈夫叫王伟。", "王伟做什么工作？"),
        ("我太太做什么工作？", "我太太叫林洁。", "林洁做什么工作？"),
        ("我侄子在哪里上学？", "我侄子叫李明。", "李明在哪里上学？"),
        ("我老婆做什么工作？", "我太太叫林洁。", "林洁做什么工作？"),
        ("How old is our boy?", "Our son is called Mats.", "How old is Mats?"),
        ("Was isst unser Mädchen gern?", "Nora ist unsere Tochter.", "Was isst Nora gern?"),
        ("Où travaille mon époux ?", "Mon mari s'appelle Tom.", "Où travaille Tom ?"),
        ("¿Dónde trabaja mi esposo?", "Mi marido se llama Tom.", "¿Dónde trabaja Tom?"),
        ("Где работает мой супруг?", "Моего мужа зовут Том.", "Где работает Том?"),
        ("What does my mother do?", "My parents are called Ann.", None),
        ("What does my girl do?", "My son is called Mats.", None),
        ("How old are my sons?", "My son Theo and my son Max are here.", "How old are Theo, Max?"),
        ("What is my husband's name?", "My husband is called Tom.", None),
        ("What does my husband Tom do?", "My husband is called Tom.", None),
        ("What does my brother do?", "My husband is called Tom.", None),
        ("How much is my rent?", "My rent is 850 euros.", None),
        ("What does his wife do?", "My wife is called Camille.", None),
        ("Was macht mein Vater?", "Mein Vater ist Lehrer.", None),
        ("我叔叔是做什么工作的？", "我叔叔是厨师长。", None),
        ("Where was my son born?", "My son is German.", None),
        ("Was macht mein Mann?", "Mein Manager heißt Ralf.", None),
        ("Where does my wife work?", "My wifi is called Fritz.", None),
        ("Which song does my son like?", "My song is Imagine.", None),
        ("Was macht mein Freund?", "Meine Freundin heißt Nora.", None),
        ("Что ест моя собака?", "Мою собаку зовут Рекс.", "Что ест Рекс?"),
    ],
)
def test_who_has_a_role_is_told_in_each_language(question, told, asked):
    resolved = asked_by_role(question, [told])
    assert (resolved.question if resolved else None) == asked


ROLES = ("husband", "wife", "sister", "boss", "dentist", "dog", "flatmate", "best friend", "side project")
TOLD = ("My {role} is called {name}.", "My {role}'s name is {name}.", "My {role} is {name}.", "{name} is my {role}.",
        "Our {role}, {name}, is great.", "I met {name}, my {role}.", "My {role} {name} came by.")  # fmt: skip
NAMES = ("Tom", "Al", "Mia Ek", "Dr Okafor", "Zoë", "O'Brien")


@given(st.sampled_from(ROLES), st.sampled_from(TOLD), st.sampled_from(NAMES), st.sampled_from(ROLES))
def test_whatever_tells_the_name_of_a_role_names_it_and_no_other(role, told, name, other):
    statement = told.format(role=role, name=name)
    resolved = asked_by_role(f"What does my {role} also like?", [statement])
    assert resolved.question == f"What does {name} also like?"
    assert not resolved.is_all(statement)
    assert resolved.is_all(f"My {role} also likes figs.")
    if other != role:
        assert asked_by_role(f"What does my {other} like?", [statement]) is None


def test_a_document_does_not_tell_who_the_boss_of_the_user_is(memory, tmp_path):
    for fact in ("Hannah is away until 3 May.", "Mallory is away until 9 June.", "I like figs."):
        memory.add(fact, user_id="p")
    (tmp_path / "diary.txt").write_text("My boss is Mallory.")
    memory.documents.ingest(tmp_path / "diary.txt", corpus="diaries", scope="user:p")
    memory.add("My boss is Hannah.", user_id="p")
    first = memory.search("When is my boss back?", user_id="p").hits[0]
    assert first.item.content == "Hannah is away until 3 May."


def test_of_more_than_three_none_is_meant():
    sons = [f"My son is called {name}." for name in ("Theo", "Max", "Lew", "Ari")]
    assert asked_by_role("What does my son do?", sons) is None
    assert asked_by_role("What does my son do?", sons[:2]).names == ("Theo", "Max")
