"""Statements that touch a memory, and those that only go on with a talk."""

import pytest

from simonides.recall.question.touching import only_states, qualifies, speaks_of_oneself, touches

GOES_ON = [
    ("I'm so tired today.", "I had lunch with Jess today."),
    ("I'm so tired today.", "I'm so tired today."),
    ("As always then.", "Hummus and carrots always work."),
    ("No need.", "I need to buy leek and batteries tomorrow."),
    ("Peppermint tea.", "I'm back on coffee. Decaf only though."),
    ("Ja, bis sechs Uhr.", "Ja, bis 5 Uhr."),
    ("Wie immer.", "Ich trinke meinen Kaffee immer schwarz."),
    ("Unter vier Stunden.", "Nein, Emil ist neun."),
    ("Morgen muss ich Kürbis und Batterien kaufen.", "Morgen muss ich Linsen und Batterien kaufen."),
    ("Je suis très fatigué aujourd'hui.", "Aujourd'hui, on a mangé chez Paul."),
    ("Comme toujours.", "Je bois toujours mon café noir."),
    ("Estoy muy cansado hoy.", "Hoy comí con Pilar."),
    ("Como siempre.", "Siempre tomo el café solo."),
    ("Сегодня я очень устала.", "Сегодня я обедала с Леной."),
    ("Всё как всегда.", "Я всегда пью чёрный кофе."),
    ("今天好累。", "今天和小李吃了饭。"),
    ("还是一样。", "我一直喝黑咖啡。"),
]
NAMES = [
    ("Ella woke me at five.", "We live in Headingley, my husband Tom and our daughter Ella."),
    ("Kestrel went live on Thursday.", "My boss wants the Kestrel dashboard by 27 February."),
    ("I'm back on coffee.", "I've given up coffee. It was giving me headaches."),
    ("My wrist is fine again.", "I sprained my wrist bouldering."),
    ("Emil mag sie.", "Ich wohne mit meinem Sohn Emil im Vauban."),
    ("Den Golf habe ich verkauft.", "Mein Golf springt bei Kälte schlecht an."),
    ("Ich bin aus dem Musikverein ausgetreten.", "Ich spiele Posaune im Musikverein."),
    ("Camille a réussi son examen.", "Ma fille Camille a neuf ans."),
    ("J'ai vendu la Clio.", "Ma Clio démarre mal quand il fait froid."),
    ("A Pilar le gusta.", "Vivo con mi hermana Pilar en Soria."),
    ("Ya no toco el trombón.", "Los jueves toco el trombón en la banda."),
    ("Лена переехала в Берлин.", "Моя подруга Лена живёт в Казани."),
    ("Операция прошла хорошо.", "Маме назначили операцию на колене."),
    ("我妈妈的手术推迟了。", "我妈妈三月做膝盖手术。"),
    ("小华喜欢恐龙。", "我儿子小华六岁。"),
]


@pytest.mark.parametrize(("said", "known"), GOES_ON)
def test_what_only_goes_on_touches_nothing(said, known):
    assert only_states(said)
    assert not touches(said, [(known, 0.0)])


@pytest.mark.parametrize(("said", "known"), NAMES)
def test_what_names_somebody_or_something_known_touches_what_tells_of_it(said, known):
    assert only_states(said)
    assert touches(said, [(known, 0.0)])
    assert touches(said, [*((one, 0.0) for _, one in GOES_ON[:3]), (known, 0.0)])


@pytest.mark.parametrize(
    "message",
    [
        "How old is Ella?",
        "I need a recipe for dinner.",
        "Well, I'd like to cook something special.",
        "I can't decide what to wear.",
        "I don't know where my keys are.",
        "Tell me about my mum.",
        "Plan a holiday for four.",
        "Wie alt ist Emil?",
        "Ich brauche ein Rezept für heute Abend.",
        "Zeig mir meine Termine.",
        "Je cherche un restaurant pour ce soir.",
        "Il me faut une idée de cadeau.",
        "Necesito una receta.",
        "Busco un restaurante.",
        "Мне нужен рецепт.",
        "Я ищу ресторан на вечер.",
        "我需要一个食谱。",
        "帮我找一家餐厅。",
    ],
)
def test_what_asks_orders_or_wishes_is_no_mere_statement(message):
    assert not only_states(message)


def test_of_no_texts_none_is_touched():
    assert not touches("Ella woke me at five.", [])


def test_what_means_nearly_the_same_touches_unless_it_only_says_it_again_or_names_nothing():
    assert touches("The surgery went fine.", [("She had her operation.", 0.7)])
    assert not touches("The surgery went fine.", [("They went for a stroll.", 0.4)])
    assert not touches("As always then.", [("As always.", 0.9)])
    assert not touches("Ja, bis sechs Uhr.", [("Ja, bis 5 Uhr.", 0.83)])


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("It's too warm for soup.", "What can I cook tonight?"),
        ("Keine Lust auf Ofen.", "Was koche ich heute mit Linsen?"),
        ("Il fait trop chaud pour la soupe.", "Que cuisiner ce soir ?"),
        ("No me apetece el horno.", "¿Qué cocino hoy?"),
        ("Духовку включать лень.", "Что приготовить на ужин?"),
        ("不想开烤箱。", "今晚做什么菜？"),
    ],
)
def test_what_names_something_behind_a_question_says_more_of_what_was_asked(said, asked):
    assert qualifies(said, asked)
    assert not qualifies(said, "")
    assert not qualifies(said, "I had lunch with Jess today.")


@pytest.mark.parametrize("said", ["As always then.", "Wie immer.", "Comme toujours.", "Como siempre."])
def test_what_names_nothing_behind_a_question_asks_no_more(said):
    assert not qualifies(said, "What's the weather like in May?")


@pytest.mark.parametrize(
    ("message", "own"),
    [
        ("I'm making a lasagne tonight.", True),
        ("We're booking a table.", True),
        ("My flight leaves at seven.", True),
        ("Ich backe heute einen Kuchen.", True),
        ("Je prépare une lasagne.", True),
        ("Estoy haciendo una lasaña.", True),
        ("Сегодня я делаю лазанью.", True),
        ("我今晚做千层面。", True),
        ("Peppermint tea.", False),
        ("As always then.", False),
        ("Ja, bis sechs Uhr.", False),
        ("Comme toujours.", False),
        ("Как всегда.", False),
        ("还是一样。", False),
    ],
)
def test_what_somebody_says_of_themselves_may_need_what_memory_knows(message, own):
    assert speaks_of_oneself(message) is own
