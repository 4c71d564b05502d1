"""Answers in words that name no value to what is asked with when, how often and how many."""

import pytest

from simonides import Memory
from simonides.language.value import ValueKind
from simonides.language.values import kinds_told, tells_value
from simonides.recall.question.analysis import analyse

NUMBER, DATE, FREQUENCY = ValueKind.NUMBER, ValueKind.DATE, ValueKind.FREQUENCY
COLOUR, SIZE, MASS, NAME = ValueKind.COLOUR, ValueKind.SIZE, ValueKind.MASS, ValueKind.NAME
PHONE, MAIL = ValueKind.PHONE, ValueKind.MAIL
OFTEN = [
    "I water the plants twice a week.", "The backup runs daily.", "We meet on Mondays.",
    "I see my therapist every other Wednesday.", "The alarm code is changed every quarter.",
    "Ich gehe jeden Tag schwimmen.", "Die Filter werden monatlich gewechselt.", "Wir treffen uns freitags.",
    "Je vais à la piscine tous les jours.", "Elle vient une fois par mois.", "Voy al gimnasio todos los días.",
    "Viene cada dos semanas.", "Vado in piscina ogni giovedì.", "Я бегаю каждый день.", "Мы видимся раз в месяц.",
    "我每天跑步。", "她每两周来一次。",
]  # fmt: skip
WHEN = [
    "I review code first thing in the morning.", "I shower before bed.", "I work nights.",
    "Christmas is at my parents'.",
    "Ich dusche abends.", "Ich laufe nach der Arbeit.", "Je lis le soir.", "On se voit après le travail.",
    "Estudio antes de cenar.", "Leggo dopo cena.", "Я читаю перед сном.", "我睡前看书。",
]  # fmt: skip
HOW_MANY = [
    "I have several cousins.", "I have no siblings.", "Ich habe keine Geschwister.", "J'ai plusieurs cousins.",
    "No tengo hermanos.", "У меня несколько кошек.", "我有好多表兄弟。",
]  # fmt: skip
COLOURS = [
    "The blue sofa is my sister's.", "We repainted the fence dark green.", "Das Zimmer ist salbeigrün.",
    "Wir haben den Zaun rot gestrichen.", "Le canapé bleu est à ma sœur.", "La porte est peinte.",
    "El sofá azul es de mi hermana.", "Тимур ездит на жёлтом Фиате.", "Дверь синяя.", "浩然开一辆黄色的车。",
    "门漆成了灰色。",
]  # fmt: skip
#: Look like words for colours, or hold them.
NO_COLOURS = [
    "The bread is old.", "Das Brot ist alt.", "Wir nehmen das Boot.", "Die Trauung war im Mai.", "Le rouget est frais.",
    "Los azulejos son caros.", "Сервер стоит в Белграде.", "Белла живёт в Сербии.", "白先生住在金山。",
]  # fmt: skip
SIZES = [
    "I'm 1.80 m tall.", "I'm six foot two.", "Ich bin 1,85 groß.", "Hugo mesure 1 m 20.", "Mido 1,75.",
    "Мой рост 180 см.", "The flat has 90 square metres.", "我身高一米八。",
]  # fmt: skip
MASSES = [
    "I weigh 82 kilos.",
    "Keks wiegt 30 kg.",
    "Biscuit pèse 12 kilogrammes.",
    "Я вешу 80 кг.",
    "Peso 70 kg.",
]
PHONES = [
    "You can reach Gareth at 555 0142.", "Ring the plumber on +44 (0)161 496-0321.", "Her extension is 417.",
    "Frau Petersen hat die Durchwahl 417.", "Henrik ist unter 0170 5550199 zu erreichen.",
    "On peut appeler Bastien au 06 55 50 19 90.", "Le poste de Denis est le 12.", "Andrés contesta en el 600 555 019.",
    "Сергею можно звонить по номеру 555-01-77.", "Добавочный Ольги 42.", "王强的电话是13800138000。",
]  # fmt: skip
MAILS = [
    "Write to fergus@dunnbooks.example.",
    "Invoices: accounts+eu@larch.example",
    "安娜的邮箱是 anna@qq.example。",
]
#: Tell no number to call, whatever they count, and no address.
NO_CONTACTS = [
    "The release is on 2026-03-14 at 10:30.", "It costs 1,250 euros.", "We meet on 14.3.2026.", "Her phone is new.",
    "Sein Handy ist kaputt.", "Lena mails us every Friday.", "Use @ in front of a name.", "Am 6. Februar war Ausfall.",
]  # fmt: skip
#: Tell a number that is neither.
AGES_AND_PRICES = [
    "Mats is seven.", "Jule ist acht.", "Hugo a sept ans.", "Матвею семь лет.", "小杰七岁。", "It costs 30 euros.",
    "I work 20 hours a week.", "The meeting is on 3 May at 14:30.", "Le loyer est de 900 euros.", "Mateo tiene 7 años.",
]  # fmt: skip
NEITHER = [
    "I'm allergic to peanuts.", "My dog is called Rex.", "Mein Hund heißt Rex.", "Mon chien s'appelle Rex.",
    "Mi perro se llama Rex.", "Мою собаку зовут Рекс.", "我的狗叫旺财。", "I use tabs, not spaces.",
]  # fmt: skip


def asked(question):
    return analyse(question, 0).values


@pytest.mark.parametrize("text", OFTEN)
def test_how_often_is_told_in_words(text):
    assert {FREQUENCY, DATE} <= kinds_told(text)


@pytest.mark.parametrize("text", WHEN)
def test_a_time_of_the_day_or_the_year_is_told_in_words(text):
    assert DATE in kinds_told(text)


@pytest.mark.parametrize("text", HOW_MANY)
def test_how_many_is_told_in_words(text):
    assert NUMBER in kinds_told(text)


@pytest.mark.parametrize(
    ("texts", "kind"),
    [(COLOURS, COLOUR), (SIZES, SIZE), (MASSES, MASS), (PHONES, PHONE), (MAILS, MAIL)],
    ids=["colour", "size", "mass", "phone", "mail"],
)
def test_a_colour_size_mass_or_contact_is_told(texts, kind):
    assert [text for text in texts if kind not in kinds_told(text)] == []


def test_what_looks_like_a_colour_is_none():
    assert [text for text in NO_COLOURS if COLOUR in kinds_told(text)] == []


def test_a_date_a_price_or_a_word_for_a_phone_is_no_number_to_call():
    assert [text for text in NO_CONTACTS if {PHONE, MAIL} & kinds_told(text)] == []


def test_an_age_a_price_or_a_time_is_no_size_and_no_mass():
    assert [text for text in AGES_AND_PRICES if {SIZE, MASS} & kinds_told(text)] == []


@pytest.mark.parametrize("kind", [COLOUR, SIZE, MASS])
def test_a_colour_size_or_mass_is_no_answer_to_what_else_is_asked(kind):
    assert tells_value("The car is 4.2 m long.", frozenset({kind})) == (kind is SIZE)
    assert not tells_value("The car is grey.", frozenset({NUMBER}))
    assert tells_value("The car is grey.", frozenset({COLOUR}))


@pytest.mark.parametrize("text", NEITHER)
def test_what_tells_no_value_is_left_alone(text):
    assert not kinds_told(text)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How often do I run?", {NUMBER, FREQUENCY}), ("Wie oft laufe ich?", {NUMBER, FREQUENCY}),
        ("À quelle fréquence je cours ?", {NUMBER, FREQUENCY}), ("Как часто я бегаю?", {NUMBER, FREQUENCY}),
        ("How old is Theo?", {NUMBER, DATE}), ("Wie alt ist Theo?", {NUMBER, DATE}),
        ("¿Cuántos años tiene Theo?", {NUMBER, DATE}), ("How many cousins do I have?", {NUMBER}),
        ("When do we meet?", {DATE}), ("Where do I live?", set()), ("What did I ask about the rent?", set()),
        ("What colour is the door?", {COLOUR}), ("Welche Farbe hat die Tür?", {COLOUR}),
        ("De quelle couleur est la porte ?", {COLOUR}), ("¿De qué color es la puerta?", {COLOUR}),
        ("Какого цвета дверь?", {COLOUR}), ("门是什么颜色的？", {COLOUR}), ("How tall is Mats?", {SIZE}),
        ("Wie groß ist Jule?", {SIZE}), ("Combien mesure Hugo ?", {SIZE}), ("¿Cuánto mide Mateo?", {SIZE}),
        ("Какой рост у Матвея?", {SIZE}), ("小杰身高多少？", {SIZE}), ("How much does Rex weigh?", {MASS}),
        ("Wie schwer ist Rex?", {MASS}), ("Combien pèse Rex ?", {MASS}), ("¿Cuánto pesa Rex?", {MASS}),
        ("Сколько весит Рекс?", {MASS}), ("旺财有多重？", {MASS}), ("What is our cat called?", {NAME}),
        ("What's the name of the client?", {NAME}), ("Comment s'appelle notre chat ?", {NAME}),
        ("¿Cómo se llama el gato?", {NAME}), ("Как зовут нашу кошку?", {NAME}),
        ("What is Renate's phone number?", {PHONE}), ("Tomasz mobile number", {PHONE}),
        ("Welche Telefonnummer hat Henrik?", {PHONE}), ("Durchwahl Petersen", {PHONE}),
        ("Quel est le numéro de téléphone de Camille ?", {PHONE}), ("¿Cuál es el teléfono de Lucía?", {PHONE}),
        ("¿Cuál es el correo de Lucía?", {MAIL}),
        ("Какой номер телефона у Ольги?", {PHONE}), ("李娜的电话号码是多少？", {PHONE}),
        ("What is my manager's e-mail?", {MAIL}), ("email address of Luis", {MAIL}),
        ("E-Mail-Adresse von Jens", {MAIL}),
        ("Quelle est l'adresse mail de Denis ?", {MAIL}), ("李娜的邮箱是什么？", {MAIL}),
        ("Which phone company am I with?", set()), ("What is in Anna's e-mail about the fair?", set()),
        ("Who painted the door in that colour?", set()), ("Where is the big box?", set()),
    ],
)  # fmt: skip
def test_a_question_asks_for_some_kinds_of_values(question, kinds):
    assert asked(question) == kinds


FACTS = [
    "The alarm code is changed every quarter.", "Rye bread sells best on Thursdays.", "Kenji does the night shift.",
    "Our bakery opens at 6:30.", "Flour comes from Harlan Mills.", "Mrs Adler is allergic to sesame.",
    "The starter is called Gertrude.", "We don't take cheques.", "Our van is a white Renault Kangoo.",
    "The card terminal is from SumUp.", "Our accountant is Beatrix Holm.", "Leftover bread goes to the food bank.",
    "Theo was born on 9 November 2020.", "Theo sleeps with a rabbit called Lapin.", "Theo is lactose intolerant.",
    "Theo has swimming lessons on Fridays at 4.", "Nora is afraid of dogs.", "Nora plays the cello.",
    "Nora's teacher is Mrs Pham.", "Nora got glasses last spring.",
]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Memory(tmp_path_factory.mktemp("store") / "m.db") as memory:
        for fact in FACTS:
            memory.add(fact, user_id="p")
        yield memory


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How often do we change the alarm code?", "The alarm code is changed every quarter."),
        ("How old is Theo?", "Theo was born on 9 November 2020."),
        ("Can Theo drink milk?", "Theo is lactose intolerant."),
        ("What scares Nora?", "Nora is afraid of dogs."),
        ("Who teaches Nora?", "Nora's teacher is Mrs Pham."),
        ("Does Nora see well?", "Nora got glasses last spring."),
    ],
)
def test_what_is_told_of_somebody_in_other_words_stands_first(store, question, answer):
    result = store.search(question, user_id="p")
    assert result.hits[0].item.content == answer
    assert not result.abstained


#: What is told of things and animals, and what is asked of them that nothing tells.
OF_THINGS = {
    "en": (
        ["Ingrid's parents gave us the piano.", "Our son Mats is seven.", "The cat flap locks at ten at night.",
         "My dog sleeps in the hall.", "We promised the client dark mode by May.", "I sing in a choir on Tuesdays.",
         "We pay 1,350 euros a month.", "I broke my left wrist in 2019.", "The boiler was installed in 2016.",
         "The tap in the kitchen drips.", "I cycle to the practice.", "We are saving up for a boat."],
        ["What colour is the piano?", "How tall is Mats?", "What is the cat called?", "How much does my dog weigh?"],
    ),
    "de": (
        ["Das Klavier haben uns meine Schwiegereltern geschenkt.", "Unsere Tochter Jule ist acht.",
         "Unser Hund schläft im Flur.", "Wir zahlen 870 Euro Miete.", "Ich vertrage keine Milch.",
         "Dienstags gehe ich zum Yoga.", "Ich arbeite in einer Apotheke.", "Wir sparen auf ein Wohnmobil.",
         "Die Heizung ist von 2016.", "Der Wasserhahn tropft.", "Ich fahre mit dem Rad.", "Ich spreche Tschechisch."],
        ["Welche Farbe hat das Klavier?", "Wie groß ist Jule?", "Wie schwer ist unser Hund?"],
    ),
    "fr": (
        ["Le piano nous a été offert par mes beaux-parents.", "Notre fils Hugo a sept ans.",
         "Les clients se sont plaints.", "Nous payons 950 euros de loyer.", "Je vais au travail à vélo.",
         "Je déteste la coriandre.", "Le mardi, je chante dans une chorale.", "Le robinet goutte.",
         "La chaudière date de 2016.", "J'ai grandi près de Quimper.", "Je suis kinésithérapeute.",
         "Nous économisons pour un voilier."],
        ["De quelle couleur est le piano ?", "Combien mesure Hugo ?", "Comment s'appelle notre chat ?"],
    ),
    "ru": (
        ["Пианино нам подарили родители Ирины.", "Нашему сыну Матвею семь лет.", "Мы обещали заказчику тёмную тему.",
         "За квартиру мы платим 40 тысяч.", "По вторникам я пою в хоре.", "Я терпеть не могу кинзу.",
         "На работу я езжу на велосипеде.", "Я вырос под Вологдой.", "Мы копим на яхту.", "Кран на кухне течёт.",
         "Котёл поставили в 2016 году.", "Я работаю физиотерапевтом."],
        ["Какого цвета пианино?", "Какой рост у Матвея?"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", OF_THINGS)
def test_a_colour_size_mass_or_name_that_nothing_tells_is_said_to_be_missing(language, tmp_path):
    facts, questions = OF_THINGS[language]
    with Memory(tmp_path / "m.db") as memory:
        for fact in facts:
            memory.add(fact, user_id="p")
        assert [
            question for question in questions if not memory.search(question, user_id="p").abstained
        ] == []


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("The piano is black.", "What colour is the piano?"), ("Mats is 1.20 m tall.", "How tall is Mats?"),
        ("Our cat Minka hates the flap.", "What is our cat called?"),
        ("My dog weighs 30 kilos.", "How heavy is my dog?"),
        ("The cluster is called heron.", "What is the name of the cluster?"),
    ],
)  # fmt: skip
def test_one_that_is_told_is_found(fact, question, tmp_path):
    with Memory(tmp_path / "m.db") as memory:
        for told_of in [*OF_THINGS["en"][0], fact]:
            memory.add(told_of, user_id="p")
        result = memory.search(question, user_id="p")
        assert result.hits[0].item.content == fact
        assert not result.abstained
