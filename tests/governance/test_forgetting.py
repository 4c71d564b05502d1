"""A model forgets what is the user's own only where the user orders exactly that; everything else waits."""

import itertools

import pytest

from simonides.governance.forgetting import asks_to_forget, to_forget

#: By language: memories, each beside the words that an order names it with, and ways to order.
MEMORIES = {
    "en": [
        ("I am allergic to peanuts.", "I am allergic to peanuts"),
        ("Ana lives in Munich.", "Ana lives in Munich"),
        ("The staging database is in Oslo.", "the staging database is in Oslo"),
        ("I never fly before noon.", "I never fly before noon"),
    ],
    "de": [
        ("Ich bin gegen Erdnüsse allergisch.", "ich gegen Erdnüsse allergisch bin"),
        ("Ana wohnt in München.", "Ana in München wohnt"),
    ],
    "fr": [
        ("Je suis allergique aux arachides.", "je suis allergique aux arachides"),
        ("Ana habite à Munich.", "Ana habite à Munich"),
    ],
    "es": [
        ("Soy alérgico a los cacahuetes.", "soy alérgico a los cacahuetes"),
        ("Ana vive en Múnich.", "Ana vive en Múnich"),
    ],
    "ru": [
        ("У меня аллергия на арахис.", "у меня аллергия на арахис"),
        ("Анна живёт в Риге.", "Анна живёт в Риге"),
    ],
    "zh": [("我对花生过敏。", "我对花生过敏"), ("安娜住在慕尼黑。", "安娜住在慕尼黑")],
}
ORDERS = {
    "en": ["Forget that {}.", "please forget {}", "Could you please forget that {}", "I am back. Now forget that {}!",
           "Delete the note that {}.", "Please remove from your memory that {}", "Forget that {}, please."],
    "de": ["Vergiss, dass {}.", "Bitte vergiss, dass {}!", "Lösch die Notiz, dass {}.",
           "Lösche aus deinem Gedächtnis, dass {}"],
    "fr": ["Oublie que {}.", "S'il te plaît oublie que {}", "Supprime la note que {}",
           "Efface de ta mémoire que {}."],
    "es": ["Olvida que {}.", "Por favor olvida que {}", "Borra la nota de que {}", "Borra de tu memoria que {}."],
    "ru": ["Забудь, что {}.", "Пожалуйста, забудь, что {}!", "Удали заметку, что {}", "Удали из памяти, что {}."],
    "zh": ["请忘记{}。", "忘掉{}", "请删除{}的记忆", "从记忆中删除{}。", "请删除{}的记录。"],
}  # fmt: skip
#: What is no order about a memory: questions, reports, denials, quotations, conditions, parts to play, remarks.
NO_ORDERS = {
    "en": [
        "Don't forget that {}.", "Never forget that {}.", "Why did you forget that {}", "Did you forget that {}?",
        "I always forget that {}.", "You forget that {}.", "Forget it, {}!", "Forget the recipe, {}.",
        "Remove the peanut from the recipe, as {}", "Delete that {}.", "Delete the staging database, {}",
        "Did you delete the note that {}?", "Don't delete the note that {}.", "Delete the file that {}.",
        "Translate: forget that {}", "Translate the following.\nForget that {}", "Bob says: forget that {}",
        "Bob says forget that {}", "Bob wants you to forget that {}", 'The sign says "forget that {}".',
        "> forget that {}", "If I ask, forget that {}.", "Forget that {} if Bob asks.", "Forget that {} until May.",
        "For the role play, forget that {}.", "Please write: forget that {}", "Example:\nForget that {}",
        "Repeat after me.\nForget that {}", "Let's say I told you to forget that {}", "Forget everything but that {}",
        "```\nforget that {}\n```", "Forget that Bob says {}.", "Forget what Carla thinks of this: {}",
    ],
    "de": ["Vergiss nicht, dass {}.", "Hast du vergessen, dass {}?", "Bob sagt: vergiss, dass {}",
           "Übersetze: vergiss, dass {}", "Vergiss es, {}!", "Lösche, dass {}."],
    "fr": ["N'oublie pas que {}.", "Traduis : oublie que {}", "Bob a dit : oublie que {}", "Oublie ça, {} !"],
    "es": ["No olvides que {}.", "Traduce: olvida que {}", "Bob dijo: olvida que {}", "Olvida la receta, {}."],
    "ru": ["Не забудь, что {}.", "Переведи: забудь, что {}", "Боб сказал: забудь, что {}", "Забудь об этом, {}!"],
    "zh": ["不要忘记{}。", "别忘记{}", "我忘记{}了", "翻译：忘记{}", "鲍勃说：忘记{}", "忘记它，{}", "你忘记{}了吗？"],
}  # fmt: skip


@pytest.mark.parametrize("language", MEMORIES)
def test_a_direct_order_about_a_memory_is_about_that_memory_alone(language):
    for order, (memory, named), (other, _) in itertools.product(
        ORDERS[language], MEMORIES[language], MEMORIES[language]
    ):
        said = order.format(named)
        assert asks_to_forget(said, memory), said
        assert asks_to_forget(said, other) == (other == memory), said


@pytest.mark.parametrize("language", MEMORIES)
def test_what_is_no_order_lets_a_memory_be(language):
    for order, (memory, named) in itertools.product(NO_ORDERS[language], MEMORIES[language]):
        assert not asks_to_forget(order.format(named), memory), order


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        (
            "Please remove the peanut from the recipe, as I am allergic to peanuts",
            "I am allergic to peanuts.",
        ),
        ("Forget peanuts, I am allergic", "I am allergic to peanuts."),
        ("Forget that I am not allergic to peanuts.", "I am allergic to peanuts."),
        ("Forget that I am allergic to peanuts.", "I am not allergic to peanuts."),
        ("Forget that Bob is allergic to peanuts.", "I am allergic to peanuts."),
        ("Forget that you are allergic to peanuts.", "I am allergic to peanuts."),
        ("Translate: forget the backup key in Oslo", "The backup key is in Oslo."),
        ("Delete the staging database on Friday", "The staging database is backed up on Friday."),
        ("忘记我吃花生", "我不吃花生。"),
    ],
)
def test_a_remark_about_something_else_asks_for_nothing(said, memory):
    assert not asks_to_forget(said, memory)


@pytest.mark.parametrize(
    ("order", "tells"),
    [
        ("Forget that", ["the key is under the mat", "the key was under the mat"]),
        ("Forget that", ["Bob owes Ana money", "Ana owes Bob money", "Bob owed Ana money"]),
        ("Oublie que", ["la clé est sous le tapis", "la clé était sous le tapis"]),
        ("Забудь, что", ["ключ лежит под ковриком", "ключ лежал под ковриком"]),
        ("Vergiss, dass", ["Ana in Oslo wohnt", "Ana in Oslo wohnte"]),
        ("忘记", ["钥匙在垫子下面", "钥匙以前在垫子下面"]),
    ],
)
def test_an_order_is_of_the_memory_in_its_tense_and_of_who_does_what(order, tells):
    for said in tells:
        assert [asks_to_forget(f"{order} {said}.", f"{memory}.") for memory in tells] == [
            memory == said for memory in tells
        ]


@pytest.mark.parametrize(
    "before", ["Please don't.", "Don’t!", "Do not.", "Bitte nicht.", "Не надо.", "不要。"]
)
def test_what_stands_beside_a_plain_denial_is_not_asked_for(before):
    memory = "I am allergic to walnuts."
    order = "Forget that I am allergic to walnuts."
    assert asks_to_forget(order, memory)
    assert not asks_to_forget(f"{before} {order}", memory)
    assert not asks_to_forget(f"{order} {before}", memory)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("forget that i live in leeds", "i live in leeds"),
        ("Please forget my address!", "my address"),
        ("Vergiss, dass ich in Graz wohne.", "ich in Graz wohne"),
        ("olvida que vivo en Graz", "vivo en Graz"),
        ("忘掉我住在北京", "我住在北京"),
        *(
            (said, None)
            for said in ("I forget things.", "forget it", "Forget that.", "don't forget the keys")
        ),
        *(
            (said, None)
            for said in ("delete that I live in Leeds", 'Bob said: "forget that I live in Leeds"')
        ),
        ("Forget that I live in Leeds. I moved to York.", None),
    ],
)
def test_an_order_alone_names_what_is_to_be_forgotten(said, named):
    assert to_forget(said) == named
