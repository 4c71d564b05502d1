"""Readings of a question: whose words it is after, what answer it expects, and how much is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language.sentences import read
from simonides.recall.question.asks import (
    Asks,
    asks_about,
    asks_order,
    expected,
    is_complex,
    wants_recall,
)

ASKS = {
    "assistant": [
        "What did you suggest for the garden?",
        "Which tea did you recommend?",
        "You mentioned a bakery; which one?",
        "The list that you gave me, please",
        "Remind me what you said about yeast",
        "What was your advice on pruning?",
        "Had you already told me the price?",
        "In our last conversation, which varnish was it?",
        "What did you say when I told you about my knee?",
        "что ты мне посоветовал читать?",
        "Что вы говорили про дрожжи?",
        "какие были твои рекомендации?",
        "你上次推荐的那家面包店叫什么?",
        "你建议我买什么来着?",
        "你刚才说的是什么?",
        "qu'est-ce que tu m'as conseillé ?",
        "Que m'as-tu dit sur la levure ?",
        "Quelle était ta recommandation ?",
        "What are your tips against nerves?",
        "Which varnish was third on your list?",
        "Was war der dritte Punkt deiner Liste?",
        "¿Qué era lo tercero de tu lista?",
        "Qu'y avait-il sur ta liste ?",
        "Was hast du mir für den Garten empfohlen?",
        "Welchen Tee du mir geraten hattest, weiß ich nicht mehr",
        "Wie war dein Vorschlag für den Balkon?",
        "¿Qué me recomendaste para el jardín?",
        "¿Qué té me habías aconsejado?",
        "¿Cuáles eran tus consejos?",
    ],
    "user": [
        "What did I tell you about my knee?",
        "What did I say about the ferry?",
        "Where is my ladder?",
        "How many films have I seen?",
        "Which tea do I like?",
        "I said something about a lighthouse; what was it?",
        "In our last chat, what did I ask about yeast?",
        "что я тебе говорил про колено?",
        "где моя лестница?",
        "Что мне нравится?",
        "我跟你说过我的膝盖吗?",
        "我的梯子在哪里?",
        "我喜欢什么茶?",
        "Qu'ai-je dit sur mon genou ?",
        "Où est mon échelle ?",
        "Was habe ich dir über mein Knie gesagt?",
        "¿Qué te dije de mi rodilla?",
        "¿Qué he contado de la escalera?",
    ],
    "anyone": [
        "What does Oskar play?",
        "When did Greta move to Oslo?",
        "I wonder where Anna lives",
        "Tell me about the ferry",
        "Can you tell me who painted it?",
        "Would you recommend a good tea?",
        "What did we decide about the fence?",
        "The mystery of your name",
        "Где живёт Лина?",
        "напомни мне, когда концерт",
        "告诉我莉娜住在哪里",
        "你能推荐一本书吗?",
        "我们有多少把椅子?",
        "Qui a réparé la chaudière ?",
        "Was haben sie den Nachbarn gesagt?",
        "Wann hast du Geburtstag?",
        "Hast du den Tee im Schrank, den Oma empfohlen bekam?",
        "¿Quién dio la llave al vecino?",
        "¿Me recomiendas un libro?",
        "kettle",
    ],
}
EXPECTS = {
    "time": [
        "When is the rehearsal?",
        "What time does the choir meet?",
        "Can you remind me when the rent is due?",
        "How long ago did we sail?",
        "Когда приедет Лина?",
        "莉娜什么时候来?",
        "她的生日在哪个月?",
        "À quelle heure part le ferry ?",
    ],
    "number": [
        "How many chairs do we own?",
        "How long did the trip take?",
        "How old was I when the lighthouse closed?",
        "What is the total price of the tiles?",
        "Сколько у нас стульев?",
        "电话号码是多少?",
        "有几个活动在北京?",
        "Quel est le prix des tuiles ?",
        "Combien de chaises avons-nous ?",
    ],
    "person": [
        "Who fixed the boiler?",
        "Whose bicycle is it?",
        "Do you know who painted it?",
        "Кто починил котёл?",
        "谁修的锅炉?",
        "Avec qui suis-je parti ?",
    ],
    "place": [
        "Where is the ladder?",
        "Which city does Lina live in?",
        "Где живёт Лина?",
        "莉娜住在哪里?",
        "Où est l'échelle ?",
    ],
    "yes_no": [
        "Is the shed locked?",
        "So, has Lina called?",
        "Have I ever been to Norway?",
        "Лина приедет завтра?",
        "Был ли Оскар дома?",
        "莉娜去过挪威吗?",
        "Lina vient-elle demain ?",
        "Est-ce que Lina est là ?",
    ],
    "list": [
        "Which films have I seen?",
        "What colours has the fence had?",
        "List the tools in the shed",
        "What are all the islands we saw?",
        "Какие фильмы я видел?",
        "我看过哪些电影?",
        "Quels films ai-je vus ?",
    ],
    "reason": [
        "Why did the boiler fail?",
        "What made Greta stop?",
        "Почему сломался котёл?",
        "锅炉为什么坏了?",
        "Pourquoi la chaudière est-elle en panne ?",
    ],
    "preference": [
        "What is my favourite tea?",
        "Can you suggest some books?",
        "Which tea does Greta prefer?",
        "Any tips for the garden?",
        "посоветуй хороший чай",
        "我喜欢什么茶?",
        "Recommande-moi un bon thé",
    ],
    "other": [
        "What does Greta want?",
        "Which tea did you recommend?",
        "How does the winch work?",
        "Can you remind me of the varnish?",
        "What did I feel when she left?",
        "kettle",
        "call the hall",
        "那个活动的主题是什么?",
        "Qu'a dit Oscar ?",
    ],
}
SIMPLE = [
    "Where is the kettle?",
    "What did Anna call the small dog?",
    "Anna and Bert?",
    "recall it",
    "Where is the ball in the hall?",
    "下属的邮箱地址是多少来着?",
    "где лежит ключ от дачи?",
    "Où est la clé ?",
]
COMPLEX = [
    "What did Anna say to Bert about the kettle in Oslo?",
    "List the kettles",
    "all kettles?",
    "Compare tea, milk",
    "Anna and Bert and Greta?",
    "How many kettles?",
    "张欣怡和王宇轩谁的身高更高，他们的生日分别是什么时候?",
    "列出所有茶壶",
    "Ключи и чай или кофе?",
    "Résume tout",
    "Anna et Bert ou Greta ?",
]
ORDER = [
    "In what order did I visit the islands?",
    "Which did I buy first, the boat or the shed?",
    "Did the choir meet before or after the concert?",
    "Did I first go to Oslo or to Bergen?",
    "Which was built earlier, the mill or the lighthouse?",
    "Give me a timeline of the repairs",
    "List the trips from earliest to latest",
    "What happened first?",
    "В каком порядке я был на островах?",
    "Что было раньше: концерт или репетиция?",
    "按什么顺序参观的岛屿?",
    "灯塔和磨坊哪个更早?",
    "谁先到的，奥斯卡还是莉娜?",
    "Dans quel ordre ai-je visité les îles ?",
]
NO_ORDER = [
    "What do I do in order to sleep?",
    "What did we discuss earlier?",
    "Where is my order of tiles?",
    "What did Anna do first thing?",
    "Who met the first mate?",
    "что мы решили раньше?",
    "我先去了哪里?",
    "Quel est mon premier bateau ?",
]
RECALL = [
    "recall what we decided about the fence",
    "Do you recall the name of the ferry?",
    "What do we know about the ferry?",
    "As we decided earlier, ship it",
    "remember when we sailed?",
    "Do you remember that film?",
    "from memory, what is the code?",
    "the price previously discussed",
    "Can you remind me what the code was?",
    "вспомни, что мы решили",
    "Помнишь, как мы плыли?",
    "что мы знаем о пароме?",
    "как мы решили ранее",
    "напомни, где ключ",
    "你还记得渡轮的名字吗?",
    "我们之前讨论过什么?",
    "回忆一下渡轮",
    "Rappelle-moi ce que nous avons décidé",
    "Te souviens-tu du ferry ?",
    "comme convenu",
    "que savons-nous du ferry ?",
]
NO_RECALL = [
    "the product recall of the kettle",
    "the recall was expensive",
    "remind me to buy milk",
    "recalled parts",
    "recall@10 of the index",
    "What is the memory of this laptop?",
    "я решил задачу",
    "我记得带伞了",
    "il a décidé de partir",
    "kettle",
]


def rows(table):
    return [(text, kind) for kind, texts in table.items() for text in texts]


@pytest.mark.parametrize(("text", "asks"), rows(ASKS))
def test_whose_words_hold_the_answer(text, asks):
    assert asks_about(read(text)) == asks


@pytest.mark.parametrize(("text", "kind"), rows(EXPECTS))
def test_which_kind_of_answer_is_expected(text, kind):
    reading = read(text)
    assert expected(reading, asks_about(reading)) == kind


@pytest.mark.parametrize(("text", "is_so"), rows({False: SIMPLE, True: COMPLEX}))
def test_ten_words_an_aggregate_word_or_two_conjunctions_are_complex(text, is_so):
    assert is_complex(read(text)) is is_so


@pytest.mark.parametrize(("text", "is_so"), rows({True: ORDER, False: NO_ORDER}))
def test_questions_after_the_order_of_events(text, is_so):
    assert asks_order(read(text)) is is_so


@pytest.mark.parametrize(("text", "is_so"), rows({True: RECALL, False: NO_RECALL}))
def test_texts_that_ask_for_memory_itself(text, is_so):
    assert wants_recall(read(text)) is is_so


def test_what_is_said_before_the_question_does_not_count_as_its_kind():
    reading = read("I wonder why it rains so much. My knee hurts. Who fixed the boiler?")
    assert expected(reading, Asks.ANYONE) == "person"


@given(text=st.text(max_size=400), asks=st.sampled_from(Asks))
def test_any_text_is_judged_and_always_alike(text, asks):
    reading = read(text)
    for judge in (asks_about, lambda one: expected(one, asks), is_complex, asks_order, wants_recall):
        assert judge(reading) == judge(read(text))
