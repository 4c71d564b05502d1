"""Owners of statements, and those about whom questions ask."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language.whose import (
    asked_of_ones_own,
    asks_of_oneself,
    held_by_another,
    names_nobody,
    speaks_of_oneself,
    tells_of_another,
)

OF_OTHERS = [
    "My cousin Olga is allergic to bees.", "Our neighbour keeps four hens. She sells the eggs.", "Tom lives in Lille.",
    "Jana's dog is called Rufus.", "He drives a bus.", "Her sister-in-law was born in Oslo.", "my old boss plays golf",
    "Meine Kusine Olga ist gegen Bienen allergisch.", "Unser Nachbar hält Hühner.", "Petra arbeitet im Hafen.",
    "Mi prima Olga es alérgica a las abejas.", "Nuestro vecino tiene gallinas.", "Ella estudia derecho.",
    "Ma cousine Olga est allergique aux abeilles.", "Notre voisin a des poules.", "Elle travaille au port.",
    "Моя сестра работает в порту.", "У моего брата аллергия на пчёл.", "Он живёт в Омске.",
    "我表姐对蜜蜂过敏。", "我朋友在港口工作。", "他住在无锡。",
]  # fmt: skip
NOT_ONLY_OF_OTHERS = [
    "I am allergic to bees.", "My cousin and I keep hens.", "My sister lives with me.", "My dog is called Rufus.",
    "My cousin is a vet. I work at the harbour.", "The doctor says I have asthma.", "It's raining.", "That's all.",
    "Porto is lovely in May.", "The trip is on 3 June.", "Berlin trip booked for June.", "Our car is red.", "",
    "Meine Katze heißt Mitzi.", "Mein Bruder wohnt bei uns.", "Mi coche es rojo.", "Mi hermano vive conmigo y yo pago.",
    "Ma voiture est rouge.", "Mon frère habite chez moi.", "Моя машина красная.", "Мой брат живёт у нас.",
    "我的车是红色的。", "我姐姐和我住在一起。",
]  # fmt: skip
OF_THE_USER = [
    "User plays bass.", "User's phone broke.", "The user’s phone broke.", "L’utilisateur habite à Lyon.",
    "The user lives in Lille.", "the user's rent is 900 euros",
    "Usr works nights.",
    "Der Nutzer wohnt in Kiel.", "Die Nutzerin arbeitet im Hafen.", "L'utilisatrice habite à Lyon.",
    "El usuario vive en Lima.",
    "Пользователь живёт в Омске.", "用户住在无锡。", "用户的狗叫小白。",
]  # fmt: skip
OF_ONESELF = [
    "Where do I work?", "What am I allergic to?", "What is my dog called?", "When do we fly?", "Wo arbeite ich?",
    "Wie heißt mein Hund?", "¿Dónde trabajo?", "¿Cómo se llama mi perro?", "Où est-ce que je travaille ?",
    "Where does the user work?", "What is the user's dog called?", "Wo arbeitet der Nutzer?", "用户在哪里工作？",
    "Comment s'appelle mon chien ?", "Где я работаю?", "Как зовут мою собаку?", "我在哪里工作？", "我的狗叫什么？",
]  # fmt: skip
OF_OTHERS_TOO = [
    "Where does my brother work?", "Who among us is allergic?", "What did she tell me?", "Which person do I owe money?",
    "What do the kids and I eat?", "Where does Tom live?", "Wo arbeitet mein Bruder?", "Wer schuldet mir Geld?",
    "¿Dónde trabaja mi hermana?", "¿Quién me debe dinero?", "Où travaille ma sœur ?", "Qui me doit de l'argent ?",
    "Где работает моя сестра?", "Кто мне должен?", "我妹妹在哪里工作？", "谁欠我钱？",
    "We flew home. The weather was bad. What did I pack, and where did it all go in the end?",
]  # fmt: skip


@pytest.mark.parametrize("text", OF_OTHERS)
def test_what_is_said_of_somebody_else_alone_is_theirs(text):
    assert tells_of_another(text)


@pytest.mark.parametrize("text", NOT_ONLY_OF_OTHERS)
def test_what_holds_anything_of_its_speaker_or_is_of_no_person_is_not(text):
    assert not tells_of_another(text)


@pytest.mark.parametrize("question", OF_ONESELF)
def test_a_question_in_the_first_person_is_of_oneself(question):
    assert asks_of_oneself(question)


@pytest.mark.parametrize("question", OF_OTHERS_TOO)
def test_a_question_that_names_or_describes_somebody_is_not(question):
    assert not asks_of_oneself(question)


#: A question about one's own, what is another's of that kind, and what may answer all the same.
OWN_OR_ANOTHERS = [
    ("Who is my doctor?", "My mother's new doctor is Dr Klein.", "My sister's doctor is also my doctor."),
    ("Who is my partner?", "My sister's partner is Omar.", "My partner's name is Lena."),
    ("How much is my rent?", "The rent of my sister is 900 euros.", "The rent for my flat is 900 euros."),
    ("Wie hoch ist meine Miete?", "Die Miete meiner Schwester ist 900 Euro.", "Die Miete ist 900 Euro."),
    ("Wie heißt meine Frau?", "Die Erzieherin heißt Frau Demir.", "Meine Frau heißt Katrin, sie ist Hebamme."),
    ("Was macht meine Frau?", "Unsere Ärztin ist Frau Dr. Vogt.", "Frau Vogt kennt meine Frau Katrin."),
    ("¿Cómo se llama mi señora?", "La señora López es la casera.", "Mi señora se llama Ana."),
    ("Wie heißt mein Hund?", "Der Hund von meiner Mutter heißt Bello.", "Der Hund heißt Bello."),
    ("Combien est mon loyer ?", "Le loyer de ma sœur est de 900 euros.", "Le loyer de l'appartement est de 900 euros."),
    ("Qui est mon médecin ?", "Le médecin de mon père est le Dr Klein.", "Le médecin de famille est le Dr Klein."),
    ("¿Quién es mi médico?", "El médico de mi hermana es el Dr. Klein.", "El médico de cabecera es el Dr. Klein."),
    ("Сколько стоит моя аренда?", "Аренда моей сестры 900 евро.", "Аренда моей квартиры 900 евро."),
    ("Как зовут мою собаку?", "Собаку моей сестры зовут Белло.", "Собаку зовут Белло."),
    ("Who is my doctor?", "My mother has a new doctor, Dr Klein.", "My mother has the doctor's number."),
    ("How much is my rent?", "My brother pays 900 euros of rent.", "My landlord raised the rent to 900 euros."),
    ("Who is my partner?", "My sister has a partner called Omar.", "My partner has a new job."),
    ("Wer ist mein Arzt?", "Meine Mutter hat einen Arzt namens Dr. Klein.", "Meine Mutter kennt den Arzt."),
    ("Qui est mon médecin ?", "Ma mère a un médecin, le Dr Klein.", "Mon médecin a une voiture."),
    ("¿Quién es mi médico?", "Mi madre tiene un médico, el Dr. Klein.", "Mi médico tiene un coche."),
    ("Кто мой врач?", "У моей мамы есть врач, доктор Клейн.", "У моего врача есть машина."),
]  # fmt: skip


@pytest.mark.parametrize(("question", "anothers", "own"), OWN_OR_ANOTHERS)
def test_what_somebody_else_has_of_a_kind_is_told_from_ones_own(question, anothers, own):
    assert asked_of_ones_own(question) & held_by_another(anothers)
    assert not asked_of_ones_own(question) & held_by_another(own)


@given(
    st.sampled_from(["sister", "wife", "best friend", "boss", "landlord", "brother-in-law"]),
    st.sampled_from(
        ["called Robin", "from Lyon", "in Graz", "a nurse", "the landlord", "four", "allergic to nuts"]
    ),
    st.sampled_from(
        ["What is my {} called?", "Where is my {} from?", "Who is my {}?", "What is my {} allergic to?"]
    ),
)
def test_what_somebody_of_ones_own_is_in_a_contraction_answers_what_is_asked_of_them(kin, told, question):
    assert not asked_of_ones_own(question.format(kin)) & held_by_another(f"My {kin}'s {told}.")


@pytest.mark.parametrize("question", [
    "Who is my sister's doctor?", "How much is the rent?", "Wer ist die Ärztin?", "Qui est le médecin ?",
    "我的医生是谁？", "Who has my spare key?", "Wer hat meinen Ersatzschlüssel?",
])  # fmt: skip
def test_no_word_is_asked_of_ones_own_where_it_is_anothers_or_nobodys(question):
    assert asked_of_ones_own(question) == frozenset()


@pytest.mark.parametrize(("question", "names"), [
    ("Wer ist mein Arzt?", ["Arzt"]), ("Wie heißt mein Hund Rex?", ["Hund Rex"]), ("Welches Auto fahre ich?", ["Auto"]),
    ("¿Vivo en casa?", ["Vivo"]), ("Who is my doctor?", []),
])  # fmt: skip
def test_a_noun_with_a_capital_names_nobody(question, names):
    assert names_nobody(question, names)


@pytest.mark.parametrize(("question", "names"), [
    ("Wer ist der Arzt von Lena?", ["Arzt", "Lena"]), ("Who is Tom's doctor?", ["Tom"]), ("Did I call Omar?", ["Omar"]),
])  # fmt: skip
def test_a_name_of_a_question_names_somebody(question, names):
    assert not names_nobody(question, names)


@pytest.mark.parametrize("text", OF_THE_USER)
def test_what_is_told_of_the_user_is_their_own(text):
    assert speaks_of_oneself(text)
    assert not tells_of_another(text)


@pytest.mark.parametrize("text", [
    "The user table has six columns.", "Multi-user mode is off.", "Users may log in.", "Our superuser is root.",
])  # fmt: skip
def test_a_thing_with_the_users_name_tells_nothing_of_them(text):
    assert speaks_of_oneself(text) is text.startswith("Our")


def test_what_is_asked_of_the_users_own_is_asked_of_ones_own():
    assert (
        asked_of_ones_own("How high is the user's rent?")
        == asked_of_ones_own("How high is my rent?")
        != frozenset()
    )


def test_what_somebody_of_the_users_own_has_is_anothers():
    assert tells_of_another("The user's sister has a dog.")
    assert (
        held_by_another("The user's sister has a dog.")
        == held_by_another("My sister has a dog.")
        != frozenset()
    )


@given(
    text=st.sampled_from(OF_OTHERS), own=st.sampled_from(["I help.", "Я помогаю.", "我帮忙。", "Ich helfe."])
)
def test_one_sentence_of_the_speakers_own_makes_it_theirs_too(text, own):
    assert not tells_of_another(f"{text} {own}")
