"""A question that was asked before and not answered is no evidence that memory knows the answer."""

import pytest

from simonides import Memory, Surroundings
from simonides.models.bundled import BundledEmbedder
from simonides.recall.question.analysis import analyse
from simonides.recall.question.answering import may_answer
from simonides.recall.question.speech import Act, act, act_of_answer
from simonides.testing import FrozenClock

FACTS = [
    "Tomasz is on call during the first week of each month.",
    "The mobile app is written in Flutter.",
    "We pinned Node to version 20.",
    "Pull requests need two approvals.",
    "Backups are kept for ninety days.",
    "The office in Kyoto opens at nine.",
]
QUESTION = "What is the phone number of Tomasz?"
NO_ANSWERS = [
    "I don't know the phone number of Tomasz.",
    "I'm sorry, I have no information about that.",
    "Could you tell me more about what you mean?",
    "As an AI language model I cannot know that. You could check your team's contact list.",
    "You haven't told me Tomasz's number yet. If you share it, I'll remember it.",
    "I do not have access to phone numbers, but you can look in the directory.",
    "There is no record of a phone number in our conversation.",
    "Das weiß ich leider nicht. Du kannst es mir gerne sagen.",
    "Je n'ai pas cette information.",
    "No tengo esa información.",
    "К сожалению, у меня нет информации об этом.",
    "抱歉，我没有这方面的信息。",
]
ANSWERS = [
    "It is 555 0199.",
    "I don't know his mobile number, but the office's is 555 0199.",
    "He has no phone number of his own; call the desk.",
]


@pytest.fixture
def memory(fresh):
    with Memory(fresh, clock=FrozenClock("2026-03-01")) as memory:
        memory.add(FACTS, user_id="sam")
        yield memory


def asked(memory, *answers):
    said = [one for one in (QUESTION, *answers) if one is not None]
    turns = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(said)]
    memory.add(turns, session_id="before", user_id="sam")
    memory._parts.clock.advance(days=2)
    return memory.search("what's Tomasz's phone number?", user_id="sam")


@pytest.mark.parametrize("answer", [None, *NO_ANSWERS])
def test_a_question_without_an_answer_makes_nothing_likelier(memory, answer):
    before = memory.search("what's Tomasz's phone number?", user_id="sam").confidence
    result = asked(memory, answer)
    assert result.confidence < before + 0.15
    assert result.hits[0].item.content == FACTS[0]


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_question_that_was_answered_still_counts(memory, answer):
    before = memory.search("what's Tomasz's phone number?", user_id="sam").confidence
    result = asked(memory, answer)
    assert result.confidence > max(0.85, before)
    assert answer in [hit.item.content for hit in result.hits[:2]]


@pytest.mark.parametrize("no_answer", NO_ANSWERS[:4])
def test_the_answer_of_somebody_who_was_asked_back_counts(memory, no_answer):
    before = memory.search("what's Tomasz's phone number?", user_id="sam").confidence
    result = asked(memory, no_answer, "It is 555 0199.", "Noted.")
    assert result.confidence > max(0.85, before)
    assert "It is 555 0199." in [hit.item.content for hit in result.hits[:2]]
    assert no_answer not in [hit.item.content for hit in result.hits[:2]]


@pytest.mark.parametrize("answered_first", [True, False])
def test_of_two_times_that_it_was_asked_the_answered_one_counts(memory, answered_first):
    for answer in (ANSWERS[0], NO_ANSWERS[0])[:: 1 if answered_first else -1]:
        turns = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": answer}]
        memory.add(turns, session_id=answer[:8], user_id="sam")
        memory._parts.clock.advance(days=1)
    result = memory.search("what's Tomasz's phone number?", user_id="sam")
    assert result.confidence > 0.85
    contents = [hit.item.content for hit in result.hits]
    assert ANSWERS[0] in contents[:2]
    assert NO_ANSWERS[0] not in contents[:2]


def test_who_asks_what_was_asked_is_given_the_question(memory):
    asked(memory, NO_ANSWERS[0])
    result = memory.search("What did I ask about Tomasz?", user_id="sam")
    assert QUESTION in [hit.item.content for hit in result.hits[:2]]
    assert result.confidence > 0.5


@pytest.mark.parametrize("answer", NO_ANSWERS)
def test_an_assistant_that_cannot_tell_states_nothing(answer):
    assert act_of_answer(answer) is not Act.STATES


@pytest.mark.parametrize(
    "text",
    [
        *ANSWERS, "There is no limit to the number of requests.", "You could take the train at 7:12.",
        "Please use spaces.", "I have no questions.", "If you like jazz, try Blue Note.",
    ],
)  # fmt: skip
def test_an_answer_is_one(text):
    assert act_of_answer(text) is Act.STATES


def test_the_same_words_of_a_user_may_tell_something():
    said = "I don't have access to the garage."
    assert act(said) is Act.STATES
    assert act_of_answer(said) is Act.KNOWS_NOT


#: By language: a question, how it is asked again, no answer; what the user said that answers it, and what does not.
GOES_ON = {
    "en": (
        "Where do I keep my passport?",
        "So where do I keep my passport?",
        "I don't know where you keep your passport.",
        ["It is in the blue drawer.", "In the blue drawer.", "The passport is in the safe.", "Found it, it was here."],
        ["Thanks anyway. I bought a bike.", "Never mind. We had pizza yesterday.", "I bought a bike."],
    ),
    "de": (
        "Wo bewahre ich meinen Pass auf?",
        "Wo habe ich meinen Pass aufbewahrt?",
        "Das weiß ich leider nicht.",
        ["Er liegt in der blauen Schublade.", "In der blauen Schublade.", "Der Pass ist im Tresor."],
        ["Trotzdem danke. Ich habe ein Fahrrad gekauft.", "Ich habe ein Fahrrad gekauft."],
    ),
    "es": (
        "¿Dónde guardo mi pasaporte?",
        "¿Dónde guardo yo mi pasaporte?",
        "No lo sé.",
        ["Está en el cajón azul.", "En el cajón azul.", "El pasaporte está en la caja fuerte."],
        ["Gracias de todos modos. He comprado una bicicleta.", "No pasa nada. Ayer comimos pizza."],
    ),
    "fr": (
        "Où est-ce que je range mon passeport ?",
        "Où je range mon passeport ?",
        "Je ne sais pas.",
        ["Il est dans le tiroir bleu.", "Dans le tiroir bleu.", "Le passeport est dans le coffre."],
        ["Merci quand même. J'ai acheté un vélo.", "J'ai acheté un vélo."],
    ),
    "ru": (
        "Где я храню паспорт?",
        "Где храню я свой паспорт?",
        "Я не знаю.",
        ["Он лежит в синем ящике.", "В синем ящике.", "Паспорт лежит в сейфе."],
        ["Всё равно спасибо. Я купил велосипед.", "Я купил велосипед."],
    ),
    "zh": (
        "我的护照放在哪里？",
        "我的护照放在哪儿？",
        "我不知道。",
        ["它在蓝色的抽屉里。", "在蓝色的抽屉里。", "护照在保险箱里。"],
        ["还是谢谢你。我买了一辆自行车。", "我买了一辆自行车。"],
    ),
}  # fmt: skip


def gone_on(memory, language, said):
    question, again, no_answer, _, _ = GOES_ON[language]
    turns = [
        {"role": "user", "content": question},
        {"role": "assistant", "content": no_answer},
        {"role": "user", "content": said},
    ]
    memory.add(turns, session_id="before", user_id="sam")
    memory._parts.clock.advance(days=2)
    return memory.search(again, user_id="sam")


@pytest.mark.parametrize(
    ("language", "said"), [(code, said) for code, family in GOES_ON.items() for said in family[3]]
)
def test_what_the_user_found_themselves_answers(memory, language, said):
    assert gone_on(memory, language, said).confidence > 0.5


@pytest.mark.parametrize(
    ("language", "said"), [(code, said) for code, family in GOES_ON.items() for said in family[4]]
)
def test_what_the_user_goes_on_with_is_no_answer(memory, language, said):
    assert gone_on(memory, language, said).confidence < 0.5


@pytest.mark.parametrize(
    ("asked", "answer", "other"),
    [
        ("What is the phone number of Tomasz?", "You can reach him at 555 0199.", "I bought a bike."),
        ("How much does the garage cost?", "85 pounds a month.", "My sister called."),
        ("What is my job?", "I'm a nurse.", "I bought a bike."),
        ("Who is my dentist?", "I see Dr. Amari in Market Street.", "I bought a bike."),
        ("Какой номер телефона у Томаша?", "555 0199", "Я купил велосипед."),
        ("王强的电话号码是多少？", "13905550188", "我买了自行车。"),
        ("¿Cuánto cuesta el garaje?", "Unos 85 euros.", "He comprado una bicicleta."),
        ("Quand est l'anniversaire de Camille ?", "Le 30 janvier.", "J'ai acheté un vélo."),
        ("Wie viel kostet die Garage?", "85 Euro im Monat.", "Ich habe ein Fahrrad gekauft."),
    ],
)
def test_the_kind_of_answer_tells_it_from_something_else(asked, answer, other):
    embed = BundledEmbedder().embed
    vectors = embed([asked, answer, other])
    near, far = (float(vectors[0] @ vectors[n]) for n in (1, 2))
    assert may_answer(analyse(asked, 0), answer, near)
    assert not may_answer(analyse(asked, 0), other, far)
    assert may_answer(analyse(asked, 0), answer, None)


def matched(memory, question, **options):
    """The hits but for the question itself, each with how near it is."""
    hits = memory.search(question, user_id="sam", k=6, **options).hits
    return {hit.item.content: hit.relevance for hit in hits if hit.item.content != question}


@pytest.mark.parametrize("injectable", [True, False])
@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        "Why is Node pinned?",
        "Which framework is the mobile app built with?",
        "Warum ist Node gepinnt?",
    ],
)
def test_what_answers_is_as_near_however_often_the_question_was_asked(memory, question, injectable):
    first = matched(memory, question)
    around = Surroundings(nearest=0.4)
    served = memory.context(question, user_id="sam", mode="inject", around=around).items
    for number in range(3):
        turn = {"role": "user", "content": question}
        [kept] = memory.add([turn], session_id=f"s{number}", user_id="sam")
        memory.update(kept.item_id, injectable=injectable)
    best = max(first, key=first.__getitem__)
    assert matched(memory, question)[best] == pytest.approx(first[best], abs=0.002)
    again = memory.context(question, user_id="sam", mode="inject", around=around).items
    assert [item.content for item in again] == [item.content for item in served]
