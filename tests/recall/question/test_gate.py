"""Gate: messages that are worth asking memory for, and others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.recall.question.gate import gate

CODE = "def f(a):\n    return [x for x in a if x > 0]\n\nprint(f([1, 2]))\n{}[]"

CLOSED = [
    "", " ", "?", "...", "🙂🙂🙂🙂🙂", "why?", "tea", "谁?",
    "ok", "OK!", "Okay, thanks!", "yes", "Yes, please go ahead", "no", "thanks a lot!", "got it", "sounds good",
    "hi", "Hello there!", "hello, how are you?", "good morning", "continue",
    "好的", "好的，谢谢！", "继续", "确认", "你好", "谢谢你", "明白了",
    "да", "Хорошо.", "спасибо, всё понятно", "привет, как дела?", "продолжай",
    "oui", "d'accord", "D’accord, merci !", "bonjour", "très bien, continue",
    "my bad, sorry", "you're a genius", "I am so bored", "a bit shorter, please",
    "ha, that was fun", "I like it, very nice",
    "that's really sweet of you", "sorry to hear that",
    "have a nice weekend", "Tell us another riddle", "Please write me a poem about snow",
    "kein Problem", "du bist echt lieb", "mir ist so langweilig", "mach es bitte länger", "Erzähl uns ein Märchen",
    "no pasa nada", "qué divertido", "hazlo más largo, por favor", "Cuéntanos una historia",
    "pas de problème", "c'est vraiment drôle", "fais plus long", "Raconte-nous une histoire",
    "это было здорово", "мне так скучно", "сделай ещё короче, пожалуйста", "Спой песню",
    "好无聊啊", "真厉害", "短一点", "给我讲个故事",
    "def add(a, b): return a + b", "const a = () => 3;", "SELECT * FROM users WHERE id = 3", "print('hi')",
    "class Foo(Bar):", "class Foo {", "public static void main(String[] args) {", "function add(a, b) { return a + b }",
    "INSERT INTO users VALUES (1)", "for i in range(3):", "const total = prices.length;",
    "напиши стишок про осень",
    CODE, f"```python\n{CODE}\n```", "```\nno end",
]  # fmt: skip
OPEN = [
    ("def we met in Leeds", "nothing speaks against it"),
    ("let me know where Ana is", "cue: where"),
    ("class on Monday?", "question mark"),
    ("class notes: when is my exam?", "question mark"),
    ("class tomorrow: which room was it", "cue: which"),
    ("public class schools near my home", "cue: my"),
    ("let dinner = when?", "question mark"),
    ("CREATE TABLE reservations for two at Da Mario", "nothing speaks against it"),
    ("SELECT what I said FROM my notes about rent", "cue: what"),
    ("dad(70)", "nothing speaks against it"),
    ("where did I put add(a, b)?", "question mark"),
    ("Where is the kettle?", "question mark"),
    ("where the kettle is", "cue: where"),
    ("it is in my shed", "cue: my"),
    ("remember the kettle", "cue: remember"),
    ("as last time", "cue: last time"),
    ("the tea that Greta prefers", "cue: prefers"),
    ("apply the usual settings", "cue: usual"),
    ("okay, and the kettle?", "question mark"),
    ("hi, where is it", "cue: where"),
    ("где чайник", "cue: где"),
    ("настройки как обычно", "cue: настройки"),
    ("мой чайник", "cue: мой"),
    ("茶壶在哪里", "cue: 哪"),
    ("我的茶壶", "cue: 我的"),
    ("上次的茶壶", "cue: 上次"),
    ("我妻子呢", "cue: 我"),
    ("où est la théière", "cue: où"),
    ("ma théière", "cue: ma"),
    ("comme la dernière fois", "cue: la dernière fois"),
    ("We refactor the parser now.", "nothing speaks against it"),
    ("the hallway is okay", "nothing speaks against it"),
    (f"Which parser did we choose?\n{CODE}", "question mark"),
    (f"Why does this fail? ```\n{CODE}\n```", "question mark"),
    ("f(x) = [1]; g(y) = {2};", "nothing speaks against it"),
    ("yesterday it rained", "nothing speaks against it"),
    ("I will be there tomorrow", "nothing speaks against it"),
    ("the best one is blue", "nothing speaks against it"),
    ("a good time to go is seven", "nothing speaks against it"),
    ("I love Ben", "nothing speaks against it"),
    ("She is kind", "nothing speaks against it"),
    ("That was 12 quick ones", "nothing speaks against it"),
    ("Suggest a restaurant for tonight", "nothing speaks against it"),
    ("Write a poem about my cat", "cue: my"),
    ("Erzähl mir eine Geschichte über meinen Hund", "nothing speaks against it"),
    ("Je n'aime pas ça", "nothing speaks against it"),
    ("No me gusta la sopa", "nothing speaks against it"),
]


@pytest.mark.parametrize("message", CLOSED)
def test_small_talk_and_code_ask_nothing(message):
    assert gate(message).open is False


@pytest.mark.parametrize(("message", "reason"), OPEN)
def test_a_message_that_may_need_memory_passes_and_says_why(message, reason):
    assert gate(message) == gate(message)
    assert (gate(message).open, gate(message).reason) == (True, reason)


@pytest.mark.parametrize(
    ("message", "names", "is_open"),
    [
        ("Ana", ["Ana"], True),
        ("ana!", ["Ana"], True),
        ("banana", ["Ana"], True),
        ("banana ok", ["ok"], True),
        ("ok", ["Apollo"], False),
        ("apollo ok", ["Apollo"], True),
        ("да, Аполлон", ["аполлон"], True),
        ("好的，阿波罗", ["阿波罗"], True),
        ("don't", ["Don"], True),
        (CODE, ["print"], False),
        ("tea", ["", " "], False),
    ],
)
def test_a_known_name_opens_but_not_for_code(message, names, is_open):
    assert gate(message, names).open is is_open


def test_a_name_inside_a_word_is_not_that_name():
    assert gate("banana", ["Ana"]).reason == "nothing speaks against it"
    assert gate("Ana's tea", ["Ana"]).reason == "known name: Ana"


def test_a_question_below_a_long_text_is_seen():
    assert gate("lorem ipsum dolor " * 5000 + "what did we decide?").reason == "question mark"


@given(message=st.text(max_size=600), names=st.lists(st.text(max_size=12), max_size=4))
def test_any_message_has_a_verdict_with_a_reason(message, names):
    verdict = gate(message, names)
    assert verdict == gate(message, names)
    assert verdict.reason
