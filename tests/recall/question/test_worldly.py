"""Questions of general knowledge, in six languages: by their form, and where memory holds next to nothing of them."""

import pytest

from simonides import Memory
from simonides.recall.assemble import Surroundings
from simonides.recall.question.gate import asks_of_the_world

WORLDLY = """
What is the capital of France?
How do you make a tortilla?
How do I reverse a list in Python?
Who wrote Hamlet?
What does HTTP 404 mean?
How many legs does a spider have?
Explain photosynthesis.
What's 17 times 23?
How far away is the moon?
Translate 'good morning' into Italian.
Was ist die Hauptstadt von Frankreich?
Wie macht man eine Tortilla?
Wie drehe ich in Python eine Liste um?
Wer hat Hamlet geschrieben?
Was bedeutet HTTP 404?
Wie viele Beine hat eine Spinne?
Erkläre die Photosynthese.
Was ist 17 mal 23?
Wie weit ist der Mond entfernt?
Übersetze „guten Morgen“ ins Italienische.
¿Cuál es la capital de Francia?
¿Cómo se hace una tortilla?
¿Cómo invierto una lista en Python?
¿Quién escribió Hamlet?
¿Qué significa HTTP 404?
¿Cuántas patas tiene una araña?
Explica la fotosíntesis.
¿Cuánto es 17 por 23?
¿A qué distancia está la luna?
Traduce «buenos días» al italiano.
Quelle est la capitale de la France ?
Comment fait-on une tortilla ?
Comment inverser une liste en Python ?
Qui a écrit Hamlet ?
Que signifie HTTP 404 ?
Combien de pattes a une araignée ?
Explique la photosynthèse.
Combien font 17 fois 23 ?
À quelle distance est la lune ?
Traduis « bonjour » en italien.
Какая столица Франции?
Как приготовить тортилью?
Как перевернуть список в Python?
Кто написал «Гамлета»?
Что означает HTTP 404?
Сколько ног у паука?
Объясни фотосинтез.
Сколько будет 17 умножить на 23?
Как далеко находится луна?
Переведи «доброе утро» на итальянский.
法国的首都是哪里？
玉米饼怎么做？
Python里怎么反转列表？
《哈姆雷特》是谁写的？
HTTP 404是什么意思？
蜘蛛有几条腿？
解释一下光合作用。
17乘以23等于多少？
月亮离我们有多远？
把“早上好”翻译成意大利语。
"""
#: Alike, but of the user's own or their team's.
OWN = """
What is the capital of our fund?
Who wrote our onboarding guide?
How do I make my risotto?
What does our error 17 mean?
Explain my diet.
How many legs does our table have?
What is the name of my dog?
Who is my dentist?
How do I deploy the billing service?
What is the password of the wifi?
Who owns search?
When is the party?
How far is the office?
How many kids do I have?
Was bedeutet unser Kürzel?
Wie heißt meine Frau?
Wer hat unser Logo entworfen?
¿Quién escribió nuestra guía?
¿Cómo se llama mi perro?
Qui a écrit notre guide ?
Comment s'appelle mon chien ?
Как зовут мою собаку?
Кто написал наш гайд?
我的狗叫什么？
我的咖啡怎么做？
谁写的我们的手册？
How do you make the sauce that I like?
What did I say about France?
What is the budget of the project?
Translate my last message.
Summarize the discussion about the childcare offer.
How far is the office?
Where do I live?
How old is my dog?
What am I allergic to?
Where do I work?
Which car do I have?
When do I play the cello?
Where does Ruth live?
When do we fly to Oslo?
What is my favourite dish?
Wo wohne ich?
Wie alt ist mein Hund?
Wogegen bin ich allergisch?
Wo arbeite ich?
Welches Auto habe ich?
Wann spiele ich Cello?
Wo wohnt Ruth?
Wann fliegen wir nach Oslo?
Was ist mein Lieblingsgericht?
¿Dónde vivo?
¿Cuántos años tiene mi perro?
¿A qué soy alérgico?
¿Dónde trabajo?
¿Qué coche tengo?
¿Cuándo toco el violonchelo?
¿Dónde vive Ruth?
¿Cuándo volamos a Oslo?
¿Cuál es mi plato favorito?
Où est-ce que j'habite ?
Quel âge a mon chien ?
À quoi suis-je allergique ?
Où est-ce que je travaille ?
Quelle voiture ai-je ?
Quand est-ce que je joue du violoncelle ?
Où habite Ruth ?
Quand partons-nous à Oslo ?
Quel est mon plat préféré ?
Где я живу?
Сколько лет моей собаке?
На что у меня аллергия?
Где я работаю?
Какая у меня машина?
Когда я играю на виолончели?
Где живёт Рут?
Когда мы летим в Осло?
Какое моё любимое блюдо?
我住在哪里？
我的狗几岁了？
我对什么过敏？
我在哪里工作？
我的车是什么？
我什么时候拉大提琴？
露丝住在哪里？
我们什么时候飞奥斯陆？
我最喜欢的菜是什么？
"""
#: Two statements, and a question that the first answers.
STORES = {
    "en": (
        "My dog Rex is three years old.",
        "I work at Huber as an accountant.",
        "How old is my dog?",
    ),
    "de": (
        "Mein Hund Rex ist drei Jahre alt.",
        "Ich arbeite bei Huber als Buchhalter.",
        "Wie alt ist mein Hund?",
    ),
    "es": (
        "Mi perro Rex tiene tres años.",
        "Trabajo en Huber como contable.",
        "¿Cuántos años tiene mi perro?",
    ),
    "fr": (
        "Mon chien Rex a trois ans.",
        "Je travaille chez Huber comme comptable.",
        "Quel âge a mon chien ?",
    ),
    "ru": (
        "Моей собаке Рексу три года.",
        "Я работаю в Хубере бухгалтером.",
        "Сколько лет моей собаке?",
    ),
    "zh": (
        "我的狗雷克斯三岁了。",
        "我在胡贝尔公司当会计。",
        "我的狗几岁了？",
    ),
}
UNASKED = Surroundings(sure=True)


def _lines(table: str) -> list[str]:
    return table.strip().splitlines()


@pytest.mark.parametrize("question", _lines(WORLDLY))
def test_a_question_that_anybody_may_ask_is_known_by_its_form(question: str) -> None:
    assert asks_of_the_world(question)


@pytest.mark.parametrize("question", _lines(OWN))
def test_a_question_about_ones_own_is_none(question: str) -> None:
    assert not asks_of_the_world(question)


@pytest.mark.parametrize("language", STORES)
def test_nothing_is_put_into_a_prompt_unasked_for_a_question_of_the_world(language: str) -> None:
    answer, other, own = STORES[language]
    with Memory(":memory:") as memory:
        for text in (answer, other):
            memory.add(text, type="fact")
        for question in _lines(WORLDLY):
            assert not memory.context(question, mode="inject", around=UNASKED).text, question
        assert answer in memory.context(own, mode="inject", around=UNASKED).text


def test_what_memory_holds_of_such_a_question_is_told() -> None:
    with Memory(":memory:") as memory:
        memory.add("HTTP 404 means at our shop that the article is sold out.", type="fact")
        memory.add("The tortilla of grandma is made with seven eggs.", type="fact")
        assert "sold out" in memory.context("What does HTTP 404 mean?", mode="inject", around=UNASKED).text
        assert (
            "seven eggs" in memory.context("How do you make a tortilla?", mode="inject", around=UNASKED).text
        )
