"""Replies of an assistant come before the words that asked for them, and not before what a user tells."""

from itertools import pairwise

import pytest

from simonides import Memory
from simonides.recall.question.speech import asking_sentences
from simonides.testing import FrozenClock

#: A chat of each language: turns of a user and replies, one after the other, between blank lines.
CHATS = {
    language: [" ".join(turn.split()) for turn in chat.split("\n\n")]
    for language, chat in {
        "en": """
We have booked a flat in Porto for a week in April. Next thing: is the metro any good?

It is. Take the violet line to Trindade, half an hour, 2.25 euros with the card. In the centre you will mostly walk,
and everything else is cheap: the tram along the river, a car for the hills, the train to the coast.

My passport runs out in March, so I have applied for another. Should I insure the trip?

Yes, and declare the operation. Compare three policies by the excess and by whether a flight home with a companion
is included; your bank may cover you already, so ring them before you pay anybody else.

The garden is a mess after the storm and my back hurts. What would you plant along the wall?

For a dry wall that faces south I would choose a fig, two rows of lavender and a climbing rose such as Compassion;
put gravel on the soil, water them in the first summer, and cut the lavender in August.

What is the best way to plan now that the sound mixing with Jeremy was extended from eight to twelve days?

Plan the sound mixing with Jeremy first, and move the colour grading behind it: tell the lab today, put two days in
reserve, book the studio until the end of the month, and keep the trailer for a quiet week.
""",
        "de": """
Ich habe mich für drei Töpfe auf dem Balkon entschieden. Wie giesst man Tomaten richtig?

Morgens vor neun, zwei Liter am Tag, und nie über die Blätter. An heissen Tagen abends ein zweites Mal; ein
Untersetzer hält das Wasser, Mulch aus Stroh hält die Erde kühl, und gedüngt wird alle vierzehn Tage.

Meine Schwester zieht im Mai nach Bremen. Welches Geschenk passt zum Einzug?

Klassisch sind Brot und Salz. Persönlicher wäre ein Olivenbaum im Topf, ein Gutschein für den Wochenmarkt oder ein
Werkzeugkasten, der in einer ersten Wohnung immer fehlt; dazu eine Karte mit der alten Adresse.
""",
        "es": """
Hemos adoptado un galgo que se llama Churro. ¿Cuánto pienso come al día?

Unos trescientos gramos, en dos tomas. Pesadlo cada semana, dejadle agua siempre, y cambiad de marca poco a poco en
siete días; los premios cuentan también, así que quitad algo del plato cuando haya muchos.

El piso es viejo y oigo todo. ¿Qué hago con el ruido de los vecinos?

Poned burletes en las puertas, una alfombra gruesa y estanterías llenas contra la pared; una nota amable en el
ascensor ayuda más que el seguro, y las ventanas dobles solo si el ruido viene de la calle.
""",
    }.items()
}
#: Questions that a reply answers, with the number of its turn.
REPLIED = [
    ("en", "How much is the metro?", 1),
    ("en", "What is good about the metro?", 1),
    ("en", "Which line of the metro goes to the centre?", 1),
    ("en", "What did you tell me about the trip?", 3),
    ("en", "What did you say about my back?", 5),
    ("en", "What were your ideas for the garden?", 5),
    ("de", "Was hast du mir zu den Tomaten gesagt?", 1),
    ("de", "Welches Geschenk hast du empfohlen?", 3),
    ("es", "¿Qué me aconsejaste contra el ruido?", 3),
    ("es", "¿Cuánto pienso come el perro al día?", 1),
]
#: Questions that the user's own turn answers, whatever it asks besides. A long sentence that asks tells something.
STATED = [
    ("en", "Where have I booked a flat?", 0),
    ("en", "When does my passport run out?", 2),
    ("en", "What happened to the garden?", 4),
    ("en", "What did I ask about the metro?", 0),
    ("en", "How many days does the sound mixing with Jeremy take?", 6),
    ("de", "Wohin zieht meine Schwester?", 2),
    ("es", "¿Cómo se llama el galgo?", 0),
]


#: Each a turn that asks of something, one that tells of it later, and a question about oneself.
ASKED_OF_ONESELF = [
    (
        "The office was loud again. Which summary would you send?",
        "I sent the third one as the summary, it is the shortest.",
        "Which summary did I send?",
    ),
    (
        "Le bureau était bruyant. Quelle lampe dois-je acheter pour le couloir ?",
        "Pour le couloir j'ai acheté celle en laiton.",
        "Quelle lampe ai-je achetée ?",
    ),
    (
        "Сегодня дождь. Какую лампу мне купить в коридор?",
        "В коридор я купил лампу из латуни, она была со скидкой.",
        "Какую лампу я купил?",
    ),
]


def contents(tmp_path, language, question):
    """The texts of all hits, the best first."""
    clock = FrozenClock("2026-02-03T18:00:00Z")
    with Memory(tmp_path / "chat.db", clock=clock) as memory:
        for number, (asked, reply) in enumerate(list(pairwise(CHATS[language]))[::2]):
            turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]
            memory.add(turns, session_id=f"s{number}")
            clock.advance(days=5)
        return [hit.item.content for hit in memory.search(question, k=10)]


@pytest.mark.parametrize(("language", "question", "turn"), REPLIED)
def test_what_was_replied_comes_before_the_words_that_asked(tmp_path, language, question, turn):
    found = contents(tmp_path, language, question)
    chat = CHATS[language]
    assert found[0] == chat[turn]
    assert chat[turn - 1] in found


@pytest.mark.parametrize(("language", "question", "turn"), STATED)
def test_what_a_user_tells_stays_before_the_reply(tmp_path, language, question, turn):
    found = contents(tmp_path, language, question)
    chat = CHATS[language]
    assert found[0] == chat[turn]


@pytest.mark.parametrize(("asked", "told", "question"), ASKED_OF_ONESELF)
def test_what_one_told_comes_before_a_turn_that_only_asked_about_it(tmp_path, asked, told, question):
    clock = FrozenClock("2026-02-03T18:00:00Z")
    with Memory(tmp_path / "chat.db", clock=clock) as memory:
        for text in (asked, "My neighbour Gwil keeps bees.", told, "Gran comes on Sunday."):
            turns = [{"role": "user", "content": text}, {"role": "assistant", "content": "Noted."}]
            memory.add(turns, session_id=text)
            clock.advance(days=5)
        found = [hit.item.content for hit in memory.search(question)]
    assert found[0] == told


@pytest.mark.parametrize(
    ("turn", "asking"),
    [
        ("I'm Ana. Which tea is best?", ("Which tea is best",)),
        ("Plan a holiday for four. We like the sea.", ("Plan a holiday for four",)),
        ("Tom wants to see a match, is there one? He likes Porto.", ("Tom wants to see a match, is there one",)),
        ("Ich wohne in Ulm. Welcher Arzt ist gut?", ("Welcher Arzt ist gut",)),
        ("Vivo en Lugo. ¿Qué médico me aconsejas?", ("¿Qué médico me aconsejas",)),
        ("我住在成都。哪家医院好?", ("哪家医院好",)),
        ("We moved to Bath. The flat is lovely.", ()),
        ("", ()),
    ],
)  # fmt: skip
def test_the_sentences_of_a_turn_that_ask(turn, asking):
    assert asking_sentences(turn) == asking
