"""The user's own name, which mostly is told without the word for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.roles import asks_own_name, tells_own_name

ASKING = {
    "en": [
        "What's my name?",
        "Who am I?",
        "Do you remember my name?",
        "whats my name again?",
        "What is my first name?",
    ],
    "de": ["Wie heiße ich?", "Wer bin ich?", "Was ist mein Name?", "Weißt du noch, wie ich heiße?"],
    "fr": ["Comment je m'appelle ?", "Quel est mon prénom ?", "Qui suis-je ?"],
    "es": ["¿Cómo me llamo?", "¿Cuál es mi nombre?", "¿Quién soy?"],
    "ru": ["Как меня зовут?", "Кто я?", "Помнишь, как меня зовут?"],
    "zh": ["我叫什么名字？", "我是谁？", "你还记得我的名字吗？"],
}
TELLING = {
    "en": ["I'm {}, 34.", "My name is {}.", "hi, i'm {} and I run a bakery", "Call me {}."],
    "de": ["Ich bin {}, 41, Tischler.", "Ich heiße {}.", "moin, ich bin {} aus Kiel"],
    "fr": ["Je m'appelle {}.", "Moi c'est {}, 30 ans.", "Je suis {}."],
    "es": ["Me llamo {}.", "Soy {}, de Lugo.", "Mi nombre es {}."],
    "ru": ["Меня зовут {}.", "Я {}, мне 30 лет."],
    "zh": ["我叫{}。", "我的名字是{}。"],
}
NAMES = {"ru": ["Дана", "Олег"], "zh": ["李明", "Dana"]}
OTHERS = [
    "What is my wife's name?", "Wie heißt mein Hund?", "Comment s'appelle ma sœur ?", "¿Cómo se llama mi perro?",
    "Как зовут мою жену?", "我妻子叫什么？", "What's my name day?", "Who am I meeting?", "What's my username?",
]  # fmt: skip
NO_NAMES = [
    "I'm German.", "I'm tired.", "His name is Mr Okafor.", "Ich bin Tischler.", "Ich bin müde.", "Im Büro ist es kalt.",
    "Je suis infirmière.", "Soy de Madrid.", "Я врач.", "我是老师。", "This is Ana's laptop.", "I am at Greggs.",
]  # fmt: skip


@pytest.mark.parametrize("question", [one for questions in ASKING.values() for one in questions])
def test_the_own_name_is_asked_for(question):
    assert asks_own_name(question)


@pytest.mark.parametrize("question", OTHERS)
def test_no_other_name_is_ones_own(question):
    assert not asks_own_name(question)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (text, name)
        for code, texts in TELLING.items()
        for text in texts
        for name in NAMES.get(code, ["Dana", "Mary Ann", "Jonas"])
    ],
)
def test_a_name_is_told_in_many_ways(text, name):
    assert tells_own_name(text.format(name))


@pytest.mark.parametrize("text", NO_NAMES)
def test_what_somebody_is_or_where_is_no_name(text):
    assert not tells_own_name(text)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzäöüß ", min_size=1, max_size=20))
def test_no_word_in_small_letters_is_a_name(text):
    assert not tells_own_name(f"I'm {text}")
    assert not tells_own_name(f"Ich bin {text}")


@pytest.mark.parametrize("code", ASKING)
def test_ones_own_name_comes_before_anothers(tmp_path, code):
    beside = {
        "en": ["my landlord hasn't answered. his name is Mr Okafor", "the name of the cat is Moose"],
        "de": ["der Vermieter meldet sich nicht. er heißt Herr Petersen", "der Name der Katze ist Moose"],
        "fr": ["le propriétaire ne répond pas. il s'appelle M. Petit", "le nom du chat est Moose"],
        "es": ["el casero no contesta. se llama señor Prado", "el nombre del gato es Moose"],
        "ru": ["хозяин не отвечает. его зовут Пётр", "имя кота Муся"],
        "zh": ["房东没有回复。他叫王强", "猫的名字是毛毛"],
    }
    own = TELLING[code][0].format(NAMES.get(code, ["Dana"])[0])
    with Memory(tmp_path / "m.db") as memory:
        for number, said in enumerate([own, *beside[code]]):
            memory.add([{"role": "user", "content": said}], session_id=f"s{number}", user_id="p")
        memory.add([{"role": "assistant", "content": "I'm Claude."}], session_id="s9", user_id="p")
        for question in ASKING[code]:
            assert memory.search(question, user_id="p").hits[0].item.content == own, question


def told_elsewhere(memory, folder, source):
    """Another name, told by what is no user."""
    said = "My name is Mallory."
    if source == "document":
        (folder / "diary.txt").write_text(said)
        memory.documents.ingest(folder / "diary.txt", corpus="diaries", scope="user:p")
    else:
        memory.add([{"role": source, "content": said}], session_id="elsewhere", user_id="p")


@pytest.mark.parametrize("own", ["I'm Dana, 34.", "my name's Dana", "Call me Dana."])
@pytest.mark.parametrize("source", ["assistant", "tool", "document"])
def test_nobody_but_the_user_tells_their_name(tmp_path, source, own):
    with Memory(tmp_path / "m.db") as memory:
        memory.add([{"role": "user", "content": own}], session_id="s", user_id="p")
        told_elsewhere(memory, tmp_path, source)
        for question in ASKING["en"]:
            assert memory.search(question, user_id="p").hits[0].item.content == own, question
