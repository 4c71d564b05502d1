"""Days that are asked for, and what was told of them: "What do I have on Thursday?"."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

#: Told on a Monday, asked on Wednesday: what each question comes to, None where nothing is told of its day.
WEEK = {
    "en": (
        {
            "dentist": "dentist on thursday at 11",
            "recital": "Lena's recital is on Saturday afternoon in the town hall",
            "boiler": "The boiler man comes tomorrow between 8 and 12",
            "oslo": "I'm flying to Oslo on 4 June",
            "pizza": "we had pizza with the Grants on sunday",
            "parents": "my parents visit next weekend",
            "run": "I ran 8k on Saturday",
            "cat": "The cat hates the vacuum cleaner.",
            "boss": "My boss is called Ruth.",
        },
        {
            "what do I have on thursday?": "dentist",
            "what do I have tomorrow?": "dentist",
            "what's on this saturday?": "recital",
            "what have I got on saturday?": "recital",
            "what did I do on sunday?": "pizza",
            "what did I do last saturday?": "run",
            "do I have plans next weekend?": "parents",
            "what happened yesterday?": "boiler",
            "am I free on 4 june?": "oslo",
            "anything on friday?": None,
            "what did I do on 3 april?": None,
        },
    ),
    "de": (
        {
            "dentist": "Zahnarzt am Donnerstag um 11",
            "recital": "Lenas Konzert ist am Samstagnachmittag im Rathaus",
            "boiler": "Der Heizungsmonteur kommt morgen zwischen 8 und 12",
            "oslo": "Am 4. Juni fliege ich nach Oslo",
            "run": "Ich bin am Samstag 8 km gelaufen",
            "cat": "Die Katze hasst den Staubsauger.",
        },
        {
            "Was habe ich am Donnerstag?": "dentist",
            "Was ist morgen?": "dentist",
            "Was mache ich am Samstag?": "recital",
            "Was habe ich letzten Samstag gemacht?": "run",
            "Was war gestern?": "boiler",
            "Was steht am 4. Juni an?": "oslo",
            "Habe ich am Freitag etwas vor?": None,
        },
    ),
    "fr": (
        {
            "dentist": "dentiste jeudi à 11 h",
            "recital": "Le concert de Léna est samedi après-midi à la mairie",
            "oslo": "Je pars à Oslo le 4 juin",
            "run": "J'ai couru 8 km samedi",
            "cat": "Le chat déteste l'aspirateur.",
        },
        {
            "Qu'est-ce que j'ai jeudi ?": "dentist",
            "Qu'est-ce que j'ai demain ?": "dentist",
            "Qu'est-ce que je fais samedi ?": "recital",
            "Qu'est-ce que j'ai fait samedi dernier ?": "run",
            "Qu'est-ce qui est prévu le 4 juin ?": "oslo",
        },
    ),
    "es": (
        {
            "dentist": "dentista el jueves a las 11",
            "recital": "El concierto de Lena es el sábado por la tarde en el ayuntamiento",
            "oslo": "El 4 de junio vuelo a Oslo",
            "run": "Corrí 8 km el sábado",
            "cat": "El gato odia la aspiradora.",
        },
        {
            "¿Qué tengo el jueves?": "dentist",
            "¿Qué tengo mañana?": "dentist",
            "¿Qué hago el sábado?": "recital",
            "¿Qué hice el sábado pasado?": "run",
            "¿Qué hay el 4 de junio?": "oslo",
        },
    ),
    "ru": (
        {
            "dentist": "к стоматологу в четверг в 11",
            "recital": "Концерт Лены в субботу днём в ратуше",
            "oslo": "4 июня лечу в Осло",
            "run": "В субботу пробежал 8 км",
            "cat": "Кошка ненавидит пылесос.",
        },
        {
            "Что у меня в четверг?": "dentist",
            "Что у меня завтра?": "dentist",
            "Что у меня в субботу?": "recital",
            "Что я делал в прошлую субботу?": "run",
            "Что будет 4 июня?": "oslo",
        },
    ),
    "zh": (
        {
            "dentist": "周四上午11点看牙医",
            "recital": "周六下午莉娜在市政厅有音乐会",
            "oslo": "6月4日飞奥斯陆",
            "run": "我周六跑了8公里",
            "cat": "猫讨厌吸尘器。",
        },
        {
            "我周四有什么安排?": "dentist",
            "我明天有什么事?": "dentist",
            "这个周六有什么事?": "recital",
            "上周六我做了什么?": "run",
            "6月4日我要做什么?": "oslo",
        },
    ),
}


@pytest.mark.parametrize("code", WEEK)
def test_what_is_told_of_a_day_comes_first_where_that_day_is_asked_for(tmp_path, code):
    clock = FrozenClock("2026-05-18T09:00:00Z")
    facts, questions = WEEK[code]
    with Memory(tmp_path / "week.db", clock=clock) as memory:
        for text in facts.values():
            memory.add(text)
            clock.advance(seconds=60)
        clock.advance(days=2)
        for question, name in questions.items():
            found = memory.search(question)
            if name is None:
                assert found.abstained, question
            else:
                assert found.hits[0].item.content == facts[name], question
                assert not found.abstained, question


PAGES = (
    "We walked along the river and talked about the house and the garden. ",
    "The committee met twice and voted on the budget for the harbour. ",
    "Rain all week, the boat stayed in the shed and I read by the stove. ",
)


@pytest.mark.parametrize(("times", "unlikely"), [(2, True), (7, False)])
def test_where_nothing_is_of_the_time_an_answer_is_unlikely_but_long_notes_are_not_read_for_times(
    tmp_path, times, unlikely
):
    with Memory(tmp_path / "diary.db", clock=FrozenClock("2026-05-18T09:00:00Z")) as memory:
        for number in range(12):
            page = PAGES[number % 3] * times
            memory.add(f"Diary page {number}, spring. What happened was this: {page}")
        assert (memory.search("What did we do last week?").confidence <= 0.2) is unlikely
