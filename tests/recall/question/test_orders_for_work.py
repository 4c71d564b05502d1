"""Orders for a piece of work state nothing in a chat; rules, procedures and tasks do."""

import pytest

from simonides.recall.question.speech import Act, act, act_of_turn
from simonides.texts import states

ORDERS = (
    "Draft a short thank-you note for a colleague",
    "Write a limerick about a lazy cat.",
    "Invent three names for a bakery",
    "Could you outline a talk on bees for me",
    "Please list five quick breakfasts.",
    "summarize the following text: We live in Graz and have two dogs.",
    "Translate into German: I am a nurse.",
    "Give me a packing list for a weekend in the mountains, please.",
    "Suggest some gifts for a ten-year-old.",
    "Explain how tides work.",
    "I need ideas for a rainy Sunday.",
    "I'd like you to rewrite this paragraph.",
    "Plan a week of vegetarian dinners for two people. Keep it cheap.",
    "Help me choose a bike",
    "Recommend a film for tonight",
    "Hi! Write me a haiku.",
    "Describe a storm at sea",
    "Three ideas for a team event? ",
    "Plane einen Wandertag für eine Schulklasse",
    "Schreib mir ein Gedicht über den Herbst.",
    "Fass das zusammen",
    "Nenne drei Rezepte mit Kürbis.",
    "Könnten Sie mir eine Rede entwerfen",
    "Bitte erkläre mir die Photosynthese.",
    "Übersetze ins Englische: Ich wohne in Graz.",
    "Ich brauche ein paar Ideen für den Geburtstag.",
    "Gib mir fünf Namen für einen Hund",
    "Escribe un cuento sobre un dragón.",
    "Dame tres ideas para una cena",
    "Resume este texto",
    "¿Puedes ayudarme a redactar una carta?",
    "Podrías recomendarme un libro",
    "Planifica unas vacaciones para una familia de cuatro",
    "Explícame la fotosíntesis",
    "Écris une histoire courte sur un chat",
    "Donne-moi trois idées de repas",
    "Résume ce texte",
    "Pourrais-tu me proposer un film",
    "Traduis en anglais : j'habite à Graz.",
    "Organise un week-end pour quatre personnes",
    "Напиши короткий рассказ о собаке по кличке Рекс",
    "Придумай три имени для кота",
    "Составь план поездки на троих.",
    "Перескажи этот текст",
    "Не могли бы вы посоветовать фильм",
    "Расскажи анекдот",
    "Переведи на английский: Я живу в Граце.",
    "写一篇关于狗的短篇故事",
    "请帮我总结一下这段文字",
    "给我三个生日礼物的建议",
    "讲个笑话",
    "帮我计划一次四口之家的旅行",
    "推荐几本书",
    "翻译成英文：我住在格拉茨。",
    "Compose a fable about a greedy crow. It should rhyme.",
)
STATEMENTS = (
    "Remember that I am vegan.",
    "Remind me on Friday to pay the rent.",
    "Write commit messages in the imperative.",
    "Never write comments in German.",
    "From now on, give me short answers.",
    "Call me Bea.",
    "Give me a call on Friday.",
    "Suggest a dinner, I'm allergic to nuts.",
    "Plan a party for my son who is allergic to nuts.",
    "Write a mail to my boss: I'm sick today and will be back on Monday.",
    "Make a note that the key is under the mat.",
    "Keep it in the shed.",
    "Make a dentist appointment for Monday",
    "Explanations are in the annex.",
    "I need a new bike.",
    "Let's use pnpm for the frontend from now on.",
    "Design review is on Friday.",
    "Plan B is the ferry.",
    "List prices exclude VAT.",
    "Find my keys in the drawer.",
    "Answer briefly.",
    "Don't give me advice.",
    "Antworte immer auf Deutsch",
    "Merk dir, dass ich Veganerin bin.",
    "Erinnere mich am Freitag an die Miete.",
    "Kauf Milch",
    "Schreib mir ab jetzt immer kurze Antworten.",
    "Ich brauche ein neues Fahrrad.",
    "Responde siempre en francés",
    "Recuerda que soy vegana.",
    "Compra leche",
    "Dame siempre respuestas cortas.",
    "Necesito una bicicleta nueva.",
    "Réponds toujours en français",
    "Souviens-toi que je suis végane.",
    "Achète du lait",
    "Donne-moi toujours des réponses courtes.",
    "J'ai besoin d'un vélo.",
    "Всегда отвечай по-французски",
    "Запомни, что я веган.",
    "Купи молока",
    "Пиши всегда кратко",
    "Мне нужен новый велосипед.",
    "Дай мне знать в пятницу.",
    "请总是用法语回答",
    "记住我吃素",
    "提醒我周五交房租",
    "买牛奶",
    "以后都给我写短一点的回答",
    "我需要一辆新自行车",
    "我做了一个蛋糕",
    "Plan of the house is in the safe",
    "Write access needs a ticket.",
    "Check the oven at six.",
    "Review the contract before Friday.",
    "Test users live in the staging database.",
    "Always reply in Dutch.",
    "Indent with spaces.",
    "Rebuild the index before you deploy.",
    "Book a ride for two, the kids are 6 and 9.",
)
#: Of these a note is a task, the step of a procedure, or what was agreed.
TASKS = (
    "Write a letter to the landlord.",
    "Plan a workshop on welding.",
    "Compare the two offers.",
    "Explain the new rota to the team",
    "Schreib einen Bericht über die Messe.",
    "Prépare un dossier pour la mairie.",
    "Подготовь мне отчёт",
    "写一封信给房东",
)


@pytest.mark.parametrize("text", ORDERS)
def test_a_turn_that_orders_a_piece_of_work_asks(text):
    assert act_of_turn(text) is Act.ASKS
    assert not states(text)


@pytest.mark.parametrize("text", STATEMENTS)
def test_rules_wishes_tasks_and_what_is_told_beside_an_order_are_stated(text):
    assert act_of_turn(text) is Act.STATES


@pytest.mark.parametrize("text", TASKS)
def test_a_note_that_begins_with_an_order_states_it(text):
    assert act(text) is Act.STATES
    assert act_of_turn(text) is Act.ASKS


@pytest.mark.parametrize("text", ORDERS[:12])
@pytest.mark.parametrize("told", ["We keep two goats.", "My brother is a vet.", "The gate sticks."])
def test_an_order_beside_a_statement_takes_nothing_of_it(text, told):
    if ":" not in text:  # Behind a colon stands what is to be worked on.
        assert act_of_turn(f"{text.rstrip('.')}. {told}") is act_of_turn(f"{told} {text}") is Act.STATES
