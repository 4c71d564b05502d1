"""Seven days of one person's talk in five languages: what holds now answers first, and of whom it is asked."""

import pytest

from simonides import Memory
from simonides.recall.question import speech
from simonides.testing import FrozenClock

TALK = {
    "de": (
        ["Hallo! Ich heiße Jonas und bin Krankenpfleger in Köln.", "Ich vertrage keine Laktose.",
         "Meine Schwester heißt Lena und wohnt in Bremen.", "Am 14. März habe ich einen Zahnarzttermin.",
         "Ich bin nach Bonn umgezogen.",
         "Ich habe bei der Uniklinik gekündigt und arbeite jetzt bei der Caritas.",
         "Der Zahnarzttermin ist auf den 21. März verschoben."],
        [("Was vertrage ich nicht?", "Laktose"), ("Wo wohne ich?", "Bonn"), ("Wo arbeite ich?", "Caritas"),
         ("Wann ist mein Zahnarzttermin?", "21."), ("Wo wohnt Lena?", "Bremen"), ("Wie heiße ich?", "Jonas")],
    ),
    "es": (
        ["¡Hola! Me llamo Marta y soy enfermera en Sevilla.", "Soy intolerante a la lactosa.",
         "Mi hermana se llama Lucía y vive en Bilbao.", "El 14 de marzo tengo cita con el dentista.",
         "Me he mudado a Cádiz.", "He dejado el hospital y ahora trabajo en Cáritas.",
         "La cita del dentista se ha aplazado al 21 de marzo."],
        [("¿A qué soy intolerante?", "lactosa"), ("¿Dónde vivo?", "Cádiz"), ("¿Dónde trabajo?", "Cáritas"),
         ("¿Cuándo es mi cita con el dentista?", "21"), ("¿Dónde vive Lucía?", "Bilbao"),
         ("¿Cómo me llamo?", "Marta")],
    ),
    "fr": (
        ["Bonjour ! Je m'appelle Léa et je suis infirmière à Lille.", "Je suis intolérante au lactose.",
         "Ma sœur s'appelle Zoé et habite à Brest.", "Le 14 mars j'ai rendez-vous chez le dentiste.",
         "J'ai déménagé à Nantes.", "J'ai quitté l'hôpital et je travaille maintenant chez Caritas.",
         "Le rendez-vous chez le dentiste est reporté au 21 mars."],
        [("À quoi suis-je intolérante ?", "lactose"), ("Où est-ce que j'habite ?", "Nantes"),
         ("Où est-ce que je travaille ?", "Caritas"), ("Quand est mon rendez-vous chez le dentiste ?", "21"),
         ("Où habite Zoé ?", "Brest"), ("Comment je m'appelle ?", "Léa")],
    ),
    "ru": (
        ["Привет! Меня зовут Олег, я медбрат в Твери.", "У меня непереносимость лактозы.",
         "Мою сестру зовут Лена, она живёт в Омске.", "14 марта у меня приём у стоматолога.",
         "Я переехал в Казань.", "Я уволился из больницы и теперь работаю в Каритас.",
         "Приём у стоматолога перенесли на 21 марта."],
        [("Чего мне нельзя есть?", "лактоз"), ("Где я живу?", "Казань"), ("Где я работаю?", "Каритас"),
         ("Когда у меня приём у стоматолога?", "21"), ("Где живёт Лена?", "Омск"),
         ("Как меня зовут?", "Олег")],
    ),
    "zh": (
        ["你好！我叫李雷，是杭州的一名护士。", "我对乳糖不耐受。", "我妹妹叫李娜，住在武汉。",
         "3月14日我要去看牙医。", "我搬到南京了。", "我从医院辞职了，现在在红十字会工作。",
         "牙医的预约改到3月21日了。"],
        [("我不能吃什么？", "乳糖"), ("我住在哪里？", "南京"), ("我在哪里工作？", "红十字会"),
         ("我什么时候看牙医？", "21"), ("李娜住在哪里？", "武汉"), ("我叫什么？", "李雷")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", TALK)
def test_what_holds_now_answers_first_after_a_week_of_talk_and_upkeep(language):
    turns, questions = TALK[language]
    clock = FrozenClock("2026-02-20T10:00:00Z")
    with Memory(":memory:", clock=clock) as memory:
        for number, turn in enumerate(turns):
            memory.add([{"role": "user", "content": turn}], session_id=f"s{number}", scope="user:u")
            clock.advance(days=1)
            memory.extract()
            memory.maintain()
        first = {asked: memory.search(asked, scope="user:u").hits[0].item.content for asked, _ in questions}
        prompts = {asked: memory.context(asked, scope="user:u", mode="inject").text for asked, _ in questions}
    assert [asked for asked, wanted in questions if wanted not in first[asked]] == []
    assert [asked for asked, wanted in questions if wanted not in prompts[asked]] == []


@pytest.mark.parametrize(
    "text",
    ["Le rendez-vous est reporté au 21 mars.", "J'ai rendez-vous le 3 mai.", "On mange chez-nous ce soir."],
)
def test_a_french_appointment_asks_nothing(text):
    assert speech.act(text) is speech.Act.STATES


@pytest.mark.parametrize("text", ["Avez-vous mon rendez-vous", "Parlez-vous français", "Rendez-vous où"])
def test_what_asks_in_french_without_a_mark_still_does(text):
    assert speech.act(text) is speech.Act.ASKS
