"""Questions in the first person over statements that call their user by name, or "the user"."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

#: With {who} for whoever has the memory, and {whose} for theirs.
STATEMENTS = (
    "{who} plays bass in a cover band.",
    "{whose} phone broke in July and was replaced with a Pixel 8.",
    "{who} lives in Rotterdam.",
    "{whose} landlord is Mr. de Groot.",
    "{who} keeps the passport in the blue folder.",
    "{who} works as a baker.",
    "{who} drinks no milk.",
    "{whose} sister Mia drives a Volvo.",
    "{who} hates surprise parties.",
    "{who} prefers the window seat.",
)
QUESTIONS = {
    "Which instrument do I play?": "bass",
    "What phone do I have?": "Pixel",
    "Where do I live?": "Rotterdam",
    "Who is my landlord?": "Groot",
    "Where is my passport?": "folder",
    "What is my job?": "baker",
    "Do I drink milk?": "milk",
}


def stored(path, who: str, whose: str, scope: str) -> Memory:
    memory = Memory(path, clock=FrozenClock("2026-06-01T00:00:00Z"))
    memory.add([{"content": text.format(who=who, whose=whose), "scope": scope} for text in STATEMENTS])
    return memory


def as_asked(question: str) -> str:
    return question


def of_the_user(question: str) -> str:
    return question.replace(" I ", " the user ").replace(" my ", " the user’s ")


@pytest.mark.parametrize(
    ("who", "whose", "scope", "asks"),
    [
        ("User", "User's", "global", as_asked),
        ("User", "User’s", "global", of_the_user),
        ("The user", "The user’s", "global", as_asked),
        ("The user", "The user's", "global", of_the_user),
        ("Sander", "Sander's", "global", as_asked),
        ("Sander", "Sander's", "user:sander", as_asked),
    ],
)  # fmt: skip
def test_whatever_the_user_is_called_their_questions_find_what_is_theirs(path, who, whose, scope, asks):
    with stored(path, who, whose, scope) as memory:
        best = {
            question: memory.search(asks(question), scope=scope).hits[0].item.content
            for question in QUESTIONS
        }
    assert [question for question, told in QUESTIONS.items() if told not in best[question]] == []


#: By language: words for a user, and what is told behind them, by the question that it answers.
ELSEWHERE = {
    "de": (("Der Nutzer", "Nutzer", "Die Nutzerin", "Sander"), {
        "Welches Instrument spiele ich?": "spielt Bass in einer Band.", "Wo wohne ich?": "wohnt in Rotterdam.",
        "Was ist mein Beruf?": "arbeitet als Bäcker.", "Trinke ich Milch?": "trinkt keine Milch.",
        "Welches Auto fahre ich?": "fährt einen Volvo.",
    }),
    "fr": (("L'utilisateur", "L’utilisateur", "Utilisateur", "L'utilisatrice", "Sander"), {
        "De quel instrument je joue ?": "joue de la basse.", "Où est-ce que j'habite ?": "habite à Rotterdam.",
        "Quel est mon métier ?": "travaille comme boulanger.", "Est-ce que je bois du lait ?": "ne boit pas de lait.",
        "Quelle voiture je conduis ?": "conduit une Volvo.",
    }),
    "es": (("El usuario", "Usuario", "La usuaria", "Sander"), {
        "¿Qué instrumento toco?": "toca el bajo en un grupo.", "¿Dónde vivo?": "vive en Rotterdam.",
        "¿Cuál es mi profesión?": "trabaja de panadero.", "¿Bebo leche?": "no bebe leche.",
        "¿Qué coche conduzco?": "conduce un Volvo.",
    }),
    "ru": (("Пользователь", "Юзер", "Саша"), {
        "На каком инструменте я играю?": "играет на басу в группе.", "Где я живу?": "живёт в Туле.",
        "Кем я работаю?": "работает пекарем.", "Пью ли я молоко?": "не пьёт молоко.",
        "На какой машине я езжу?": "ездит на Вольво.",
    }),
    "zh": (("用户", "小明"), {
        "我弹什么乐器？": "在乐队弹贝斯。", "我住在哪里？": "住在鹿特丹。", "我的职业是什么？": "是面包师。",
        "我喝牛奶吗？": "不喝牛奶。", "我开什么车？": "开一辆沃尔沃。",
    }),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "who"), [(code, who) for code, (names, _) in ELSEWHERE.items() for who in names]
)
def test_the_same_in_other_languages(path, language, who):
    answers = ELSEWHERE[language][1]
    blank = "" if language == "zh" else " "
    with Memory(path, clock=FrozenClock("2026-06-01T00:00:00Z")) as memory:
        memory.add([f"{who}{blank}{told}" for told in answers.values()])
        best = {question: memory.search(question).hits[0].item.content for question in answers}
    assert [question for question, told in answers.items() if not best[question].endswith(told)] == []


def test_one_of_many_who_are_named_is_not_taken_for_the_user(path):
    others = [
        f"{name} plays the {what}." for name, what in (("Tom", "cello"), ("Ida", "harp"), ("Ben", "flute"))
    ]
    with Memory(path, clock=FrozenClock("2026-06-01T00:00:00Z")) as memory:
        memory.add([*others, "I live in Lille.", "I keep four hens."])
        assert memory.search("Which instrument do I play?").abstained


def test_what_is_told_of_the_users_sister_is_not_theirs(path):
    with stored(path, "User", "User's", "global") as memory:
        assert "Volvo" not in memory.search("Which car do I drive?").hits[0].item.content
