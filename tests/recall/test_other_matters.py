"""News of one matter, which changes nothing of another one, however it is worded: "I'm going to bed now."."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

#: By language, statements of one store, each with a question; and what is told later of none of them.
TOLD = {
    "en": (
        {
            "I'm allergic to penicillin.": "Which medicine must I avoid?",
            "I'm vegan.": "Do I eat meat?",
            "I'm learning Portuguese.": "Which language am I studying?",
            "I'm 182 cm tall.": "How tall am I?",
            "I've been into jazz since school.": "What music do I like?",
            "Our landlord is Mr Moss.": "Who is our landlord?",
            "My sister's called Ana.": "What is my sister called?",
        },
        [
            "I'm dating Oscar now.", "I'm in Linz now.", "I'm going to bed now.", "I'm no longer angry.",
            "I've switched to Zed.", "I’m a paramedic now.", "The rent went up to 900 pounds.", "It's raining now.",
            "We've sold the boat.", "Ana has quit smoking.",
        ],
    ),
    "de": (
        {
            "Ich bin allergisch gegen Penicillin.": "Welches Medikament muss ich meiden?",
            "Unser Vermieter ist Herr Maier.": "Wer ist unser Vermieter?",
            "Meine Partnerin ist Lena.": "Wer ist meine Partnerin?",
            "Ich bin 182 cm groß.": "Wie groß bin ich?",
        },
        [
            "Die Miete ist auf 900 Euro gestiegen.", "Ich bin jetzt am Flughafen.", "Ich gehe jetzt ins Bett.",
            "Ich bin jetzt Sanitäter.", "Lena hat den Bus verkauft.",
        ],
    ),
    "fr": (
        {
            "J'ai une Clio bleue.": "Quelle voiture j'ai ?",
            "J'apprends le portugais.": "Quelle langue j'apprends ?",
            "Ma copine s'appelle Léna.": "Qui est ma copine ?",
            "C'est Paul qui garde le chat.": "Qui garde le chat ?",
        },
        [
            "J'ai faim maintenant.", "J'ai fini le rapport maintenant.", "C'est fini avec le sport.",
            "J’ai démissionné.", "Mon loyer est maintenant de 900 euros.",
        ],
    ),
    "es": (
        {
            "Soy alérgico a la penicilina.": "¿Qué medicamento debo evitar?",
            "Mi novia se llama Lena.": "¿Quién es mi novia?",
            "Nuestro casero es Paco Ruiz.": "¿Quién es nuestro casero?",
        },
        [
            "Ahora estoy cansado.", "Mi alquiler es ahora de 900 euros.", "Ya no estoy enfadado.",
            "Lena ha vendido la moto.",
        ],
    ),
    "ru": (
        {
            "У меня аллергия на пенициллин.": "Какое лекарство мне нельзя?",
            "Мою девушку зовут Лена.": "Кто моя девушка?",
            "Я учу португальский.": "Какой язык я учу?",
        },
        [
            "Я теперь устал.", "Моя аренда теперь 900 евро.", "Я больше не злюсь.", "Теперь я фельдшер.",
            "Лена продала машину.",
        ],
    ),
    "zh": (
        {
            "我的女朋友叫李娜。": "我的女朋友是谁？",
            "我的医生是韦伯大夫。": "我的医生是谁？",
            "我对青霉素过敏。": "我对什么过敏？",
        },
        ["我的房租现在是3500元。", "我现在累了。", "我的手机坏了。", "我现在是急救员。"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "news"), [(language, news) for language, (_, told) in TOLD.items() for news in told]
)
def test_news_of_another_matter_outdates_nothing_and_stands_before_nothing(path, language, news):
    asked, _ = TOLD[language]
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with Memory(path, clock=clock) as memory:
        memory.add(list(asked), type="fact")
        clock.advance(days=20)
        before = {question: memory.search(question).hits[0].item.content for question in asked.values()}
        memory.add(news, type="fact")
        clock.advance(days=1)
        for content, question in asked.items():
            hits = {hit.item.content: hit for hit in memory.search(question)}
            assert hits[content].outdated_by is None, question
            assert next(iter(hits)) == before[question], question


#: By language, words that begin a statement, one statement and its question, and news of something else.
BEGUN = {
    "en": (
        ["Now", "Today", "Since May", "Actually,", "Well,", "Okay,", "Finally", "Hey,", "Next week"],
        "{} I learn Portuguese.", "Which language am I studying?", "{} I no longer smoke.",
    ),
    "de": (
        ["Jetzt", "Heute", "Seit Mai", "Aktuell", "Morgen", "Nun"],
        "{} lerne ich Portugiesisch.", "Welche Sprache lerne ich?", "{} rauche ich nicht mehr.",
    ),
    "fr": (
        ["Maintenant", "Aujourd'hui", "Depuis mai", "Demain", "Enfin,"],
        "{} j'apprends le portugais.", "Quelle langue j'apprends ?", "{} je ne fume plus.",
    ),
    "es": (
        ["Ahora", "Hoy", "Desde mayo", "Mañana", "Ya"],
        "{} estudio portugués.", "¿Qué idioma estudio?", "{} no fumo más.",
    ),
    "ru": (
        ["Теперь", "Сегодня", "Сейчас", "Завтра"],
        "{} я учу португальский.", "Какой язык я учу?", "{} я больше не курю.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "word"), [(language, word) for language, (words, *_) in BEGUN.items() for word in words]
)
def test_a_word_that_begins_two_statements_does_not_tie_them(path, language, word):
    _, told, question, news = BEGUN[language]
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with Memory(path, clock=clock) as memory:
        memory.add(told.format(word), type="fact")
        clock.advance(days=20)
        memory.add(news.format(word), type="fact")
        clock.advance(days=1)
        first = memory.search(question).hits[0]
        assert first.item.content == told.format(word)
        assert first.outdated_by is None
