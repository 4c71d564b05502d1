"""Statements as people type them: before a request, in its reason, without a subject, of somebody named before."""

import pytest

from simonides.domain.scope import GLOBAL
from simonides.language.spoken import own_words
from simonides.writing.extract import statements
from simonides.writing.intake import message

AT = 1_767_225_600_000_000


def told(text):
    turn = message({"role": "user", "content": text, "at": "2026-01-01T00:00:00Z"}).episode(GLOBAL, "s", AT)
    return [one.content for one in statements([turn])]


@pytest.mark.parametrize(
    ("turn", "statement"),
    [
        ("I swapped my sofa for a futon - pls draft an ad", "I swapped my sofa for a futon."),
        ("We keep kosher so skip the shrimp", "We keep kosher."),
        ("I finish at 3 on Fridays, is there time to drive to Wales?", "I finish at 3 on Fridays."),
        ("I left Deloitte in March, can you convert this keybinding: ctrl+k", "I left Deloitte in March."),
    ],
)
def test_what_stands_before_a_request_is_kept_without_it(turn, statement):
    assert told(turn) == [statement]


@pytest.mark.parametrize(
    ("turn", "statement"),
    [
        ("Any restaurant tips for Lyon (I'm vegetarian)?", "I'm vegetarian."),
        ("Can I eat brie, I'm 20 weeks pregnant?", "I'm 20 weeks pregnant."),
        ("What vitamins should I take now that I'm pregnant?", "I'm pregnant."),
    ],
)
def test_the_reason_of_a_request_is_a_statement(turn, statement):
    assert told(turn) == [statement]


@pytest.mark.parametrize(
    "turn",
    [
        "Tell her that the rent is late because I lost my job",
        "Would you still like it if I said I'm vegan?",
        "I live in Graz, translate that into French",
        "If we had a dog, could I walk it?",
        "Would you go if I lived in Rome, I wonder?",
    ],
)
def test_what_a_request_hands_over_or_supposes_is_none(turn):
    assert told(turn) == []


def test_who_leaves_out_the_subject_is_quoted_without_it():
    assert told("Been type 2 since last spring so no cake please") == ["Been type 2 since last spring."]
    assert told("Flying is bad for the climate") == []
    assert told("Started the server, got a 500") == []


def test_a_pronoun_stands_behind_the_one_person_named_before():
    assert told("Write a card for my aunt Rosa? She's retiring from the post office after 40 years.") == [
        "My aunt Rosa, she's retiring from the post office after 40 years."
    ]
    assert told("Call my aunt Rosa and my niece Kim. She's a vet.") == []
    assert told("Who was Marie Curie? She was a chemist.") == []


def test_behind_mockery_nothing_is_meant():
    assert told("Oh wonderful, another Monday. I adore getting up at five.") == []
    assert told("Wonderful! I adore getting up at five.") == ["I adore getting up at five."]


def test_a_question_may_be_a_wish_for_good():
    assert told("Can you always give temperatures in celsius?") == [
        "Can you always give temperatures in celsius."
    ]


def test_apostrophes_may_be_missing():
    assert told("ive been vegan for 6 years, do i need iron") == ["Ive been vegan for 6 years."]


def test_what_stands_before_an_order_to_work_on_a_text_is_the_speakers_own():
    assert own_words("I moved to Leeds, can you convert this keybinding: ctrl+k") == "I moved to Leeds,"
    assert own_words("I live in Graz, please translate this into French") == ""


def test_what_is_typed_without_an_apostrophe_is_no_german():
    assert told("im divorced") == ["Im divorced."]
    assert told("im based in lyon") == ["Im based in lyon."]
    assert told("im sommer fahre ich nach italien") == ["Im sommer fahre ich nach italien."]
    assert told("im hungry") == []


def test_a_face_behind_a_statement_hands_on_nothing():
    assert told("Please keep your answers short :)") == ["Please keep your answers short."]
    assert told("My niece goes to school in Bath :)") == ["My niece goes to school in Bath."]
    assert told("Ich bin 34 Jahre alt :D") == ["Ich bin 34 Jahre alt."]
    assert told("我会说西班牙语 :)") == ["我会说西班牙语。"]
    assert told("My friend says: I live in Graz :)") == []


@pytest.mark.parametrize(
    "turn",
    [
        "i live in graz never mind",
        "im working at aldi part time never mind that was wrong",
        "ich wohne in graz quatsch",
        "j'habite à lyon non laisse tomber",
        "vivo en sevilla no mentira",
        "я живу в казани неважно",
        "我住在成都算了",
    ],
)
def test_what_is_taken_back_in_one_breath_is_not_kept(turn):
    assert told(turn) == []


def test_who_never_minds_something_takes_nothing_back():
    assert told("i hate meat never mind the smell") == ["I hate meat never mind the smell."]
    assert told("je déteste le riz, c'est n'importe quoi") == ["Je déteste le riz, c'est n'importe quoi."]


@pytest.mark.parametrize(
    "turn",
    [
        "I live for weekends.",
        "I drive my wife crazy.",
        "I play devil's advocate here.",
        "I'm married to my job.",
        "I'm expecting a package.",
        "Ich spiele des Teufels Advokat.",
        "Je joue avec les mots.",
        "On a deux options.",
        "Tenemos dos opciones.",
        "Я играю словами.",
        "我们有两个选择。",
    ],
)
def test_turns_of_speech_state_nothing(turn):
    assert told(turn) == []


#: Words that lead up to a statement, and the statement.
LED_UP = """
Wie ich schon sagte, |Ich wohne in Graz.
Wie schon erwähnt, |Ich wohne in Graz.
Comme je l'ai dit, |J'habite à Nantes.
Comme je te l'ai déjà dit, |J'habite à Nantes.
Comme dit plus haut, |J'habite à Nantes.
Comme tu le sais, |J'habite à Nantes.
Je te rappelle que |J'habite à Nantes.
Petit rappel : |J'habite à Nantes.
J'ai oublié de te dire que |J'habite à Nantes.
Bonne nouvelle : |J'habite à Nantes.
Info : |J'habite à Nantes.
Ça y est, |J'habite à Nantes.
Rectification : |J'habite à Nantes.
Finalement, |J'habite à Nantes.
Por cierto, |Vivo en Valencia.
Como ya te conté, |Vivo en Valencia.
Como dije antes, |Vivo en Valencia.
Como ya sabes, |Vivo en Valencia.
Te recuerdo que |Vivo en Valencia.
Me olvidé de decirte: |Vivo en Valencia.
Se me olvidó decirte que |Vivo en Valencia.
Buenas noticias: |Vivo en Valencia.
Aclaración: |Vivo en Valencia.
Eso sí, |Vivo en Valencia.
Как я уже сказал, |Я живу в Туле.
Как я писала, |Я живу в Туле.
Как ты знаешь, |Я живу в Туле.
Напоминаю, что |Я живу в Туле.
Напоминаю: |Я живу в Туле.
Забыл сказать: |Я живу в Туле.
Забыла сказать, что |Я живу в Туле.
Исправление: |Я живу в Туле.
Хорошие новости: |Я живу в Туле.
Ура, |Я живу в Туле.
Если что, |Я живу в Туле.
Кстати говоря, |Я живу в Туле.
就像我之前说的，|我住在北京。
我之前说过，|我住在北京。
正如我说的，|我住在北京。
你知道的，|我住在北京。
提醒一下，|我住在北京。
忘了说，|我住在北京。
忘了告诉你，|我住在北京。
补充一下，|我住在北京。
纠正：|我住在北京。
好消息：|我住在北京。
话说，|我住在北京。
跟你说，|我住在北京。
"""


@pytest.mark.parametrize(
    ("turn", "statement"),
    [
        ("Which lakes are close? I ask because I live in Graz.", "I live in Graz."),
        ("Well, as a nurse I work nights.", "As a nurse I work nights."),
        ("Hi, everyone calls me Izzy.", "Everyone calls me Izzy."),
        ("Bitte merk dir: Ich bin vegan.", "Ich bin vegan."),
        ("Retiens bien : je suis végétarien.", "Je suis végétarien."),
        ("Запомни, что я живу в Казани.", "Я живу в Казани."),
        ("Вообще-то я веган.", "Я веган."),
        ("Like I said: I live in Graz.", "I live in Graz."),
        ("Honestly: I live in Graz.", "I live in Graz."),
        ("Just so you're aware, I live in Graz.", "I live in Graz."),
        ("Wie gesagt: ich bin vegan.", "Ich bin vegan."),
        ("Nur damit du's weißt: ich bin vegan.", "Ich bin vegan."),
        ("Eigentlich: ich bin vegan.", "Ich bin vegan."),
        ("Comme je te disais, je suis végétarien.", "Je suis végétarien."),
        ("Como decía, vivo en Graz.", "Vivo en Graz."),
        ("Чтобы ты знал, я живу в Казани.", "Я живу в Казани."),
        ("Как я уже говорила, я живу в Казани.", "Я живу в Казани."),
        ("Уточнение: я живу в Казани.", "Я живу в Казани."),
        ("我说过，我住在北京。", "我住在北京。"),
        *(
            (f"{led}{statement[0].lower()}{statement[1:]}", statement)
            for led, statement in (line.split("|") for line in LED_UP.strip().splitlines())
        ),
    ],
)
def test_what_leads_up_to_a_statement_is_cut_off(turn, statement):
    assert told(turn) == [statement]


@pytest.mark.parametrize(
    ("turn", "statement"),
    [
        ("Merk dir, dass ich in Graz wohne.", "Ich wohne in Graz."),
        ("merk dir dass ich in Graz wohne", "Ich wohne in Graz."),
        ("Merk dir bitte, dass meine Frau Lena heißt.", "Meine Frau heißt Lena."),
        ("Bitte merk dir, dass ich keine Nüsse esse.", "Ich esse keine Nüsse."),
        ("Merk dir, dass mein kleiner Bruder in Linz arbeitet.", "Mein kleiner Bruder arbeitet in Linz."),
        ("Merk dir, dass ich am 3. Mai nach Graz gezogen bin.", "Ich bin am 3. Mai nach Graz gezogen."),
        ("Vergiss nicht, dass mir Jazz gefällt.", "Mir gefällt Jazz."),
        # As it was said: two verbs that stand last, one that falls in two, and one that stands second.
        (
            "Merk dir, dass ich in Graz wohne und bei Acme arbeite.",
            "Ich in Graz wohne und bei Acme arbeite.",
        ),
        ("Merk dir, dass ich morgen ankomme.", "Ich morgen ankomme."),
        ("Merk dir: ich wohne in Graz.", "Ich wohne in Graz."),
    ],
)
def test_what_is_asked_to_be_remembered_in_german_has_its_verb_second(turn, statement):
    assert told(turn) == [statement]


@pytest.mark.parametrize(
    "turn",
    [
        "Comme dit Paul, j'habite à Nantes.",
        "Comme l'a dit Paul, j'habite à Nantes.",
        "Titre : j'habite à Nantes.",
        "Paul m'a dit : j'habite à Nantes.",
        "Como dijo Juan, vivo en Valencia.",
        "Título: vivo en Valencia.",
        "Wie Paul sagte, ich wohne in Graz.",
        "Как сказал Иван, я живу в Туле.",
        "Сделай исправление: я живу в Туле.",
        "Исправь: я живу в Туле.",
        "Если я живу в Туле, что тогда?",
        "正如他说的，我住在北京。",
        "标题：我住在北京。",
    ],
)
def test_what_names_somebody_else_or_a_task_leads_up_to_nothing(turn):
    assert told(turn) == []


@pytest.mark.parametrize(
    ("turn", "statements"),
    [
        (
            "Je fais de la poterie le jeudi (enfin, quand je bosse pas).",
            ["Je fais de la poterie le jeudi (enfin, quand je bosse pas)."],
        ),
        ("I play squash (well, when my knee lets me).", ["I play squash (well, when my knee lets me)."]),
        ("我有两个孩子（儿子16岁，女儿9岁）。", ["我有两个孩子（儿子16岁，女儿9岁）。", "女儿9岁。"]),
        ("My rent is 900 euros (I moved, and it went up", ["My rent is 900 euros."]),
        ("I live in Graz :) and I work for Acme.", ["I live in Graz.", "I work for Acme."]),
        ("Tengo dos hijos (Juan, de 5, y Ana, de 3) y vivo en Lugo.",
         ["Tengo dos hijos (Juan, de 5, y Ana, de 3).", "Vivo en Lugo."]),
    ],
)  # fmt: skip
def test_an_aside_in_brackets_is_kept_whole_or_not_at_all(turn, statements):
    assert told(turn) == statements


@pytest.mark.parametrize(
    "turn",
    [
        "As Tom said: I live in Graz.",
        "Honest Tom: I live in Graz.",
        "Actually: Tom says I live in Graz.",
        "Wie Tom gesagt hat: ich bin vegan.",
        "Eigentlich: wenn ich vegan bin, was dann?",
        "Comme Tom te disait, je suis végétarien.",
        "Como decía Tom, vivo en Graz.",
        "Как Том уже говорил, я живу в Казани.",
        "小明说过，我住在北京。",
        "我没说过，我住在北京。",
    ],
)
def test_what_somebody_else_said_leads_up_to_nothing(turn):
    assert told(turn) == []


def test_a_statement_without_a_pronoun_is_no_heading():
    assert told("Soy de Granada. Tengo dos hijos.") == ["Soy de Granada.", "Tengo dos hijos."]
    assert told("Detesto las coles de Bruselas. Es broma.") == []
    assert told("Fais toujours des réponses courtes. J'habite à Lyon.") == [
        "Fais toujours des réponses courtes.",
        "J'habite à Lyon.",
    ]
    assert told("Diario de Ana. Vivo en Lugo.") == []
