"""Acts of speech: statements, questions, not knowing, acknowledgements, in several languages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.sentences import read
from simonides.recall.question.speech import Act, act, act_of_answer, asks_for_questions, stated

TEXTS = {
    Act.ASKS: (
        "When does Apollo ship?",
        "what is my budget again",
        "who's my dentist",
        "What's the name of my dentist?",
        "By the way, who is my dentist?",
        "I forgot, who is my dentist?",
        "I was wondering, what is the name of my dentist?",
        "Do you remember when we ship?",
        "Can you tell me when Apollo ships?",
        "Remind me when Apollo ships.",
        "tell me about my dentist",
        "In which city do I live?",
        "how many cats do I have",
        "Hey! When is the release?",
        "And the budget?",
        "When we were in Oslo, what did we eat?",
        "You moved to Turku?",
        "Could you remind me what my dentist is called, please?",
        "Is Apollo shipping on Fridays?",
        "Do we ship on Fridays",
        "which day does apollo go out",
        "Thanks. When do we ship?",
        "Когда выходит Аполлон?",
        "когда мы выпускаем релиз",
        "Как зовут моего стоматолога?",
        "Напомни, когда у нас релиз.",
        "Ты помнишь, когда релиз?",
        "Аполлон выходит по пятницам?",
        "помнишь ли ты мой адрес",
        "в каком городе я живу",
        "Quand sort Apollo ?",
        "quel est mon budget",
        "Comment s'appelle mon dentiste ?",
        "Rappelle-moi quand sort Apollo.",
        "Est-ce que tu sais quand sort Apollo ?",
        "où habite Ana",
        "阿波罗什么时候发布？",
        "我的牙医叫什么名字",
        "你知道我住在哪里吗",
        "我们几点开会",
        "Wann erscheint Apollo?",
        "wann erscheint apollo",
        "wo wohnt Ana",
        "Erinnere mich daran, wann wir liefern.",
        "Weißt du, wo Ana wohnt?",
        "Kannst du mir sagen, wie mein Zahnarzt heißt",
        "¿Cuándo sale Apollo?",
        "cuándo sale apollo",
        "¿En qué ciudad vivo?",
        "Recuérdame cuándo entregamos.",
        "Dime cómo se llama mi dentista",
        "What did I say about the red, green and blue boxes?",
        "Sorry to bother you, but when do we ship?",
        "So what's the plan then?",
        "Any news on the release?",
        "Looking for a dentist in Turku.",
        "Let me know where Ana lives.",
        "Please let me know when we ship.",
        "Is there anything else I can help you with?",
        "How can I help you today?",
        "My dentist's name is what?",
        "I want to know when Apollo ships",
        "I don't remember, when does Apollo ship?",
        "who lives in Turku",
        "On which day of the week do we release Apollo?",
    ),
    Act.KNOWS_NOT: (
        "Das weiß ich leider nicht.",
        "Ich weiß nicht, wo Ana wohnt.",
        "Ich habe dazu keine Informationen.",
        "Ich kann mich nicht erinnern.",
        "No lo sé.",
        "No me acuerdo.",
        "No tengo información sobre tu dentista.",
        "I am not sure.",
        "I'm not sure about that.",
        "I don't know",
        "I don't know when Apollo ships.",
        "Sorry, I don't have any information about your dentist.",
        "I have no idea.",
        "no idea",
        "I do not remember.",
        "I can't recall that.",
        "Hmm, I'm not sure.",
        "Not sure yet.",
        "You haven't told me that yet.",
        "Я не знаю.",
        "не знаю",
        "Я не уверен.",
        "Не помню, когда релиз.",
        "Понятия не имею.",
        "К сожалению, у меня нет такой информации.",
        "Je ne sais pas.",
        "Je ne suis pas sûr.",
        "Aucune idée.",
        "Désolé, je ne sais pas quand sort Apollo.",
        "je sais pas",
        "我不知道。",
        "我不确定",
        "不清楚",
        "抱歉，我不知道阿波罗什么时候发布。",
        "我没有关于您牙医的信息。",
        "I am not sure, sorry.",
        "I don't know, let me check.",
        "Ich weiß es nicht.",
        "There is no information about that.",
        "I'm afraid I don't know when you ship.",
    ),
    Act.ACKNOWLEDGES: (
        "Danke, alles klar!",
        "Hallo",
        "Vale, gracias.",
        "Muchas gracias",
        "ok thanks",
        "OK",
        "Thank you!",
        "got it, thanks",
        "Noted.",
        "Sounds good!",
        "спасибо",
        "хорошо, понял",
        "merci beaucoup",
        "d'accord",
        "好的，谢谢",
        "明白了",
        "Great, thank you so much!",
        "👍",
        "Good morning!",
        "You're welcome!",
    ),
    Act.STATES: (
        "Ich weiß nicht viel über Wein, aber ich mag Veltliner.",
        "Was ich mag, ist Tee.",
        "Wo ich wohne, ist es ruhig.",
        "Ich habe keine Katze.",
        "Danke, ich wohne jetzt in Graz.",
        "Cuando llueve, me quedo en casa.",
        "No me gusta el pescado.",
        "Lo que más me gusta es el té.",
        "No tengo gato.",
        "Gracias, ahora vivo en Granada.",
        "Apollo ships on Fridays.",
        "My dentist is Dr. Ozols.",
        "What I like most is tea.",
        "When I was young I lived in Oslo.",
        "Luna is a Maine Coon, right?",
        "I've been using my new Fitbit for three weeks, can you tell me how to sync it?",
        "I just got a new puppy and was wondering if you have tips on training?",
        "Remind me to call mum on Friday.",
        "Remember that I am vegetarian.",
        "I'm looking for a flat in Graz.",
        "We are looking for a nurse.",
        "I don't know how to swim.",
        "I'm not sure, but I think the meeting is at 5.",
        "Where we live there are bears.",
        "I can't find my keys since Monday because the dog hid them.",
        "Have the kids fed by 6.",
        "Do the dishes on Monday.",
        "Will is my brother.",
        "Who dares wins is her motto.",
        "Where is my passport? I fly to Oslo on Friday.",
        "Когда я был маленьким, я жил в Омске.",
        "Мы выпускаем релиз по пятницам.",
        "Что касается бюджета, он 500 евро.",
        "Мой стоматолог — доктор Озолс.",
        "Quand j'étais petit j'habitais à Lyon.",
        "Mon dentiste s'appelle Ozols.",
        "Apollo sort le vendredi.",
        "阿波罗每周五发布。",
        "我的牙医是张医生。",
        "我什么都吃",
        "无论什么时候都可以",
        "几个月前我搬到了上海",
        "We decided that Apollo ships on Fridays.",
        "Noted: Apollo ships on Fridays.",
        "Got it, Apollo ships on Fridays.",
        "Yes, on Tuesday.",
        "On Fridays.",
        "42",
        "No longer 450 but 480.",
        "Mice live in the barn.",
        "I asked Ana about the budget.",
        "The question is settled: we ship on Fridays.",
        "How I fixed it: restart the router.",
        "Can openers are in the drawer.",
        "Since I'm vegan, what should I cook?",
        "I do not eat meat.",
        "Not sure it matters, the pier is 4 m wide.",
        "Never.",
        "Turku.",
        "Как я и говорил, релиз в пятницу.",
        "I don't know Maria.",
        "Remind us to pay rent.",
        "Напомни мне позвонить маме.",
        "提醒我周五去买牛奶",
        "Rappelle-moi d'appeler maman.",
        "Any apples left go to Ben.",
        "There is no parking at the office.",
        "There is no elevator in our house.",
        "I have no data plan abroad.",
        "Is it raining? I hate it, and my coat is in Riga.",
        "I don't remember my grandmother.",
        "We do not know Russian.",
    ),
}
EACH = [(done, text) for done, texts in TEXTS.items() for text in texts]


@pytest.mark.parametrize(("done", "text"), EACH)
def test_what_a_text_does_is_told_from_its_words(done, text):
    assert act(text) is done


@given(text=st.text(max_size=300))
def test_any_text_does_something(text):
    assert act(text) in Act


@settings(max_examples=120)
@given(
    statement=st.sampled_from(TEXTS[Act.STATES]),
    others=st.lists(st.sampled_from([text for done, text in EACH if done is not Act.STATES]), max_size=3),
    place=st.integers(0, 3),
)
def test_a_message_states_where_any_sentence_of_it_does(statement, others, place):
    sentences = [text if text[-1] in ".?!。？！" else f"{text}." for text in others]
    sentences.insert(place, statement)
    assert act("\n".join(sentences)) is Act.STATES


def test_what_is_stated_is_found_without_what_opens_or_surrounds_it():
    assert stated("Got it, Apollo ships on Fridays. Is that right? Thanks!") == ("Apollo ships on Fridays",)
    assert stated("When does Apollo ship?") == stated("ok thanks") == stated("...") == ()


@pytest.mark.parametrize(
    "question",
    [
        "What did I ask about the ferry?",
        "о чём я спрашивал вчера?",
        "Quelles questions ai-je posées ?",
        "我问过什么？",
    ],
)
def test_a_question_after_questions_is_told_from_others(question):
    assert asks_for_questions(read(question))
    assert not asks_for_questions(read("When does the ferry leave?"))


#: What tells nothing of what it names: nobody knows it, it has to be looked up, it is but named, or asked for.
NOTHING_TOLD = [
    (Act.KNOWS_NOT, "Nobody knows where the passport is."),
    (Act.KNOWS_NOT, "It is unclear where the passport is."),
    (Act.KNOWS_NOT, "There's nothing in my memory about where the passport is."),
    (Act.KNOWS_NOT, "Hmm, I'd have to check where the passport is."),
    (Act.ACKNOWLEDGES, "Thanks for the passport info!"),
    (Act.ACKNOWLEDGES, "Got it, the passport, thanks."),
    (Act.ASKS, "passport where"),
    (Act.KNOWS_NOT, "Aucune idée d'où est le passeport."),
    (Act.KNOWS_NOT, "No one remembers when we leave."),
    (Act.KNOWS_NOT, "It's still unknown who wins."),
    (Act.KNOWS_NOT, "Никто не знает, где паспорт."),
    (Act.KNOWS_NOT, "Неизвестно, где паспорт."),
    (Act.KNOWS_NOT, "Personne ne sait où est le passeport."),
    (Act.KNOWS_NOT, "没人知道护照在哪。"),
    (Act.KNOWS_NOT, "I need to check when the ferry leaves."),
    (Act.ACKNOWLEDGES, "Merci pour l'info sur le passeport !"),
    (Act.ACKNOWLEDGES, "Спасибо за паспорт!"),
    (Act.ASKS, "паспорт где"),
    (Act.ASKS, "passeport où"),
    (Act.ASKS, "spare key where"),
]
#: Look alike and tell something.
TOLD = [
    "Nobody knows how to fix the pump.",
    "The passport is in the desk.",
    "Thanks for telling me that the passport is in the desk.",
    "Ok, Tuesday.",
    "I have to check the oven at six.",
    "I need to look after Ben.",
    "I know where.",
    "The mystery guest is Ben.",
    "It is clear where the passport is: in the desk.",
    "Got it, the passport is in the desk, thanks.",
    "Thanks, the passport was in the desk.",
    "Let me think of Ben.",
    "Nobody knows that I moved to Oslo.",
    "There's nothing in the fridge.",
    "I have nothing on Monday.",
    "Thanks, Ben will come.",
    "We have to look for a flat.",
    "None of us eats meat.",
    "The unknown caller was Ben.",
    "Nobody likes rye bread.",
    "Noted, rye bread.",
]


@pytest.mark.parametrize(("kind", "text"), NOTHING_TOLD)
def test_what_only_names_a_thing_tells_nothing_of_it(kind, text):
    assert act(text) is kind


@pytest.mark.parametrize("text", TOLD)
def test_what_looks_alike_and_tells_something_states(text):
    assert act(text) is Act.STATES


@pytest.mark.parametrize("thing", ["passport", "spare key", "red bike"])
@pytest.mark.parametrize(
    "frame",
    [
        "Nobody knows where the {} is.",
        "No one remembers who has the {}.",
        "It is unclear where the {} is.",
        "It's unknown when the {} comes.",
        "There's nothing in my notes about the {}.",
        "I'd have to check where the {} is.",
        "Thanks for the {} info!",
        "Got it, the {}, thanks.",
        "{} where",
    ],
)
def test_whatever_thing_it_is_nothing_is_told_of_it(frame, thing):
    text = frame.format(thing)
    assert act(text) is not Act.STATES
    assert act(f"{text.rstrip('.!')}. The {thing} is in the hall.") is Act.STATES


@pytest.mark.parametrize(
    ("answer", "done"),
    [
        ("Lovely to hear that!", Act.ACKNOWLEDGES),
        ("Oh, how exciting! Enjoy it.", Act.ACKNOWLEDGES),
        ("Nice. Take it with you.", Act.ACKNOWLEDGES),
        ("I'm really sorry to hear this.", Act.ACKNOWLEDGES),
        ("Das freut mich sehr!", Act.ACKNOWLEDGES),
        ("Félicitations, c'est super !", Act.ACKNOWLEDGES),
        ("Me encanta, felicidades", Act.ACKNOWLEDGES),
        ("Очень рада это слышать!", Act.ACKNOWLEDGES),
        ("恭喜你！", Act.ACKNOWLEDGES),
        ("It was! And how are you? When does Kevin start school?", Act.ASKS),
        ("Lovely! Take the umbrella with you.", Act.STATES),
        ("Great, it is at 7.", Act.STATES),
        ("Enjoy Porto!", Act.STATES),
        ("It was not good.", Act.STATES),
    ],
)
def test_what_an_assistant_says_without_naming_anything_acknowledges(answer, done):
    assert act_of_answer(answer) is done


#: What an assistant says to what it hears, and short answers that say something; one language after the other.
HEARD = """
C'est noté. | Noté. | Enchanté ! | Je comprends. | Bonne chance ! | Bon courage. | Bravo ! | Bravo !!! |
Félicitations ! | Tant mieux. | Mince, désolé. | Aïe. | Je suis désolé. | Désolé pour toi. | Prends soin de toi. |
Super nouvelle ! | Ouf. | D'accord. | Bienvenue chez toi. | C'est corrigé. | Oh, chouette ! | Ah, zut. | Bonne
route. | Je m'en souviendrai. | Bon voyage. | Dommage. | Écolo ! | Toutes mes condoléances. | Quelle galère ! |
Trop mignon ! | Quel joli nom. | C'est super ! | Génial ! | Bonne idée. | Pas de chance. | Bien sûr. | Compris. |
Excellent. | C'est une étape. | C'est son choix. | Repose-toi bien. | Pas de souci. | Avec plaisir. | Courage ! |
Belle semaine. | Merci de me l'avoir dit. | Bon appétit ! | Joyeux anniversaire ! | Ça arrive. | C'est fait. | Bon
choix.

Apuntado. | Entiendo. | ¡Qué bien! | ¡Qué mono! | ¡Ánimo! | Divertido. | Vale. | Vaya. | ¡Enhorabuena! | Lo siento.
| Lo siento mucho. | ¡Perdón! | ¡Suerte! | Jaja. | Gran cambio. | A la próxima. | Bueno. | Cuídate. | ¡Genial! |
¡Fuerte! | ¡Felicidades! | Anotado. | Que se mejore. | De acuerdo. | Lo recuerdo. | ¡Qué ilusión! | Corregido. |
¡Qué nombres! | ¡Dale! | Lindo. | Bien. | Uf. | ¡Felicitaciones! | ¡Grande! | ¡Qué bueno! | ¡Excelente! | ¡Qué
plan! | Bien por ella. | Lindo nombre. | Entendido. | Listo. | ¡Éxitos! | ¡Qué linda! | ¡Claro! | Me alegro. | Me
alegro mucho por ti. | ¡Buen viaje! | ¡Feliz cumpleaños! | Qué pena. | ¡Qué horror! | Buena idea. | Por supuesto.

Понимаю. | Записал. | Понял. | Учту. | Да, недёшево. | Здорово. | Милая, наверное. | Поздравляю! | Отличный выбор.
| Полезно. | Ого. | Уже лучше. | Хорошо. | Красивый город. | Поздравляю с покупкой. | Мне очень жаль. | Сочувствую.
| С новосельем! | Молодец. | Какая прелесть! | Здоровье важнее. | Запомнил. | Хорошего полёта! | Обидно. | Ура! |
Рад за тебя. | Берегите себя. | Ясно. | Хорошее дело. | Молодцы. | Отлично! | Ещё лучше. | Удачи. | Бывает. |
Извините. | Тоже полезно. | Подумаем. | С началом учёбы! | Мило. | Не вините себя. | Забавно. | С возвращением. |
Принято. | Конечно! | Как здорово! | Держись! | С днём рождения! | Приятного аппетита! | Жаль. | Как жаль!

了解。 | 好可爱。 | 记住了。 | 很好。 | 好的。 | 不错的计划。 | 已更正。 | 加油。 | 恭喜！ | 有点贵。 | 可惜。 |
抱抱你。 | 嗯。 | 恭喜乔迁。 | 开心最重要。 | 真棒。 | 记下了。 |
太好了。 | 也好。 | 明白。 | 惬意。 | 祝顺利。 | 辛苦了。 | 了不起。 | 抱歉。 | 不错。 | 支持。 | 一家人一起。 |
真好。 | 真热闹。 | 稳妥。 | 注意身体。 | 暖和。 | 真难过。 |
收到！ | 没问题。 | 哈哈，真有趣。 | 祝你好运！ | 生日快乐！ | 一路顺风！ | 别难过。 | 好主意。
"""
ANSWERS = """
Un curry de pois chiches. | Lyon. | Le TGV de 8h. | Docteur Weber. | Le jeudi. | Prends le 12. | Bon, prends le
train de 8h. | Excellent restaurant : Chez Paul. | Bon choix de vin : le Chablis. | Désolé, le musée ferme lundi. |
Le choix est fait : Nantes. | Bravo est le nom du chat. | Pas de gluten. | Merlin.

Un curry de garbanzos. | Madrid. | El tren de las 8. | Doctora Ferrer. | Los jueves. | Toma el 12. | Buen vino: el
Rioja. | Lo siento, el museo cierra el lunes. | ¡Qué bien que vivas en Lugo! | Sin gluten. | Bueno, el lunes a las
9. | Lindo es el gato. | Grande es el perro de Ana.

Карри с нутом. | Москва. | Поезд в 8. | Доктор Вебер. | По четвергам. | Садись на 12-й. | Красивый город — Казань.
| Жаль, музей закрыт в понедельник. | Без глютена. | Хорошо, в понедельник в 9. | Молодец — это кот.

鹰嘴豆咖喱。 | 杭州。 | 八点的火车。 | 王医生。 | 每周四。 | 坐12路。 | 抱歉，博物馆周一休息。 | 不含麸质。 |
好的，周一九点。 | 恭喜发财是店名。
"""


def _each(table):
    return [one.strip() for one in table.replace("\n\n", " | ").replace("\n", " ").split("|")]


@pytest.mark.parametrize("answer", _each(HEARD))
def test_what_an_assistant_says_to_what_it_hears_acknowledges(answer):
    assert act_of_answer(answer) is Act.ACKNOWLEDGES


@pytest.mark.parametrize("answer", _each(ANSWERS))
def test_a_short_answer_of_an_assistant_states(answer):
    assert act_of_answer(answer) is Act.STATES


@pytest.mark.parametrize("asked", ["¿Qué nombre?", "Quel nom ?", "Какой город?", "好吗？"])
def test_what_an_assistant_asks_back_is_not_only_heard(asked):
    assert act_of_answer(asked) is Act.ASKS


@pytest.mark.parametrize(
    "answer",
    ["Yes, latex.", "Yes, Leeds.", "yes, Lena", "No, lemons.", "Yes, Theo.", "Ja, Latex.", "Ja, Lena.", "Sí, látex.",
     "Oui, Léa.", "Oui, lait.", "Да, латекс.", "有，乳胶。"],
)  # fmt: skip
def test_a_yes_and_a_word_that_begins_like_an_article_is_an_answer(answer):
    assert act(answer) is Act.STATES


def test_a_yes_and_a_word_stands_in_a_context_behind_what_was_asked(tmp_path):
    turns = [("user", "ugh, mondays"), ("assistant", "Do you have any allergies?"), ("user", "Yes, latex.")]
    with Memory(tmp_path / "m.db") as memory:
        said = [{"role": role, "content": content} for role, content in turns]
        memory.add(said, session_id="s", scope="user:ana")
        for mode in ("context", "inject"):
            text = memory.context("What am I allergic to?", scope="user:ana", mode=mode, min_relevance=0).text
            assert "Yes, latex." in text
