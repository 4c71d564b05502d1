"""Turns of small chats are read closely, and one with a pronoun is about whom the turn before it named."""

import pytest

from simonides import Memory
from simonides.language.terms import STOP_WORDS
from simonides.language.terms import terms as terms_of
from simonides.testing import FrozenClock

FILLING = [
    "can you shorten this mail for me?",
    "what goes well with lentils?",
    "thanks, that helps",
    "the weather is awful today",
    "write a haiku about rain",
    "how do I get wax off a table?",
]


@pytest.fixture
def memory(path):
    with Memory(path, clock=FrozenClock("2026-03-01T12:00:00Z")) as opened:
        yield opened


def talk(memory, *turns):
    """Sessions of one turn and its answer, and those that are told beside them."""
    for number, said in enumerate([*FILLING, *turns]):
        session = [said] if isinstance(said, str) else said
        for text in session:
            memory.add(
                [{"role": "user", "content": text}, {"role": "assistant", "content": "I see."}],
                session_id=f"s{number}",
                user_id="dana",
            )
            memory._parts.clock.advance(seconds=40)
        memory._parts.clock.advance(days=1)


def first(memory, question):
    return memory.search(question, user_id="dana").hits[0].item.content


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("we're paying 1250 a month for the flat in Bedminster", "what's our rent?"),
        ("she put me on lisinopril", "which pills do I take?"),
        ("we get the keys on 20 June", "when can we move in?"),
        ("my flatmates are Ben and Saoirse", "who do I live with?"),
        ("I've stopped eating meat", "am I a vegetarian?"),
    ],
)
def test_a_turn_is_found_by_what_it_means(memory, said, question):
    talk(memory, "my lease runs out on the 30th", said, "I got the job and start on Monday")
    assert first(memory, question) == said


@pytest.mark.parametrize(
    ("said", "question", "chance"),
    [
        ("the certificate on the gateway had run out", "what made the login fail in August?",
         "August is too hot for me"),
        ("the goods lift was broken", "why was the relocation put off by a week?", "I read for a week"),
        ("Leo configures the 5G box", "who sets up our wireless internet?", "the wireless doorbell is silent"),
        ("refunds over 200 need Marcus", "who has to approve large reimbursements?", "the large pan is gone"),
        ("we renewed for 18 months", "how long is the customer bound to us now?", "the long road is closed"),
    ],
)  # fmt: skip
def test_in_a_short_talk_a_word_by_chance_hides_no_turn_that_answers(memory, said, question, chance):
    talk(memory, chance, said)
    assert first(memory, question) == said


@pytest.mark.parametrize(
    ("named", "said", "question", "others"),
    [
        ("Raj lost his job at the airline", "he wants to retrain as an electrician", "what does Raj want to become?",
         ["dinner with Raj was lovely", "Raj's brother came by"]),
        ("my cousin Lucy leaves for camp on 6 July", "it's near Bend, and she's eleven", "how old is Lucy?",
         ["Lucy rang in the evening", "we picked Lucy up from school"]),
        ("I went to see Marisol off", "she loves sailing and puns", "what are the hobbies of Marisol?",
         ["Marisol's train was late", "I owe Marisol a coffee"]),
        ("I met Yuki at the lab", "she studies jellyfish", "which animals does Yuki research?",
         ["Yuki sent me a photo", "Yuki's flight was cancelled"]),
        ("J'ai revu Camille hier", "elle veut devenir apicultrice", "Quel métier veut faire Camille ?",
         ["Camille a appelé", "Camille était en retard"]),
        ("Ayer vi a Lucía", "ella trabaja de enfermera", "¿En qué trabaja Lucía?",
         ["Lucía llamó por la noche", "Le debo un café a Lucía"]),
    ],
)  # fmt: skip
def test_a_pronoun_speaks_of_whom_the_turn_before_named(memory, named, said, question, others):
    talk(memory, [named, said], *others)
    assert said in [hit.item.content for hit in memory.search(question, user_id="dana").hits[:2]]


@pytest.mark.parametrize(("sentences", "about"), [(1, True), (2, True), (6, False), (20, False)])
def test_a_pronoun_in_a_long_answer_speaks_of_nobody_else(memory, sentences, about):
    reply = " ".join(["He will find it, and the union pays for the courses it wants."] * sentences)
    talk(memory, "Raj rang from the station", "dinner with Raj was lovely", "Raj's brother came by")
    turns = [
        {"role": "user", "content": "Raj lost his job at the airline"},
        {"role": "assistant", "content": reply},
    ]
    memory.add(turns, session_id="job", user_id="dana")
    hits = memory.search("what will Raj find?", user_id="dana", k=10).hits
    links = next(hit.signals.get("links", 0.0) for hit in hits if hit.item.content == reply)
    assert (links > 0.5) is about


@pytest.mark.parametrize("apart", ["another session", "hours later", "no pronoun", "somebody nobody named"])
def test_no_other_turn_is_about_them(memory, apart):
    named = "Raj lost his job at the airline"
    said = {
        "no pronoun": "the electrician is called Joe",
        "somebody nobody named": "nobody likes the electrician",
    }.get(apart, "he wants to retrain as an electrician")
    talk(memory, named if apart == "another session" else [named])
    if apart == "hours later":
        memory._parts.clock.advance(hours=3)
    session = "other" if apart == "another session" else "s6"
    memory.add([{"role": "user", "content": said}], session_id=session, user_id="dana")
    spoken = memory.search("what does Raj want?", user_id="dana", explain=True)
    assert spoken.hits[0].item.content == named


@pytest.mark.parametrize(
    ("before", "later", "question"),
    [
        (
            "Maya starts nursery on 4 September",
            "Maya calls him Banana for now",
            "when does Maya start nursery?",
        ),
        ("My father lives in Hull", "My father lets the flat until now", "Where does my father live?"),
        ("Ben sings in the choir", "Ben visits us every now and then", "where does Ben sing?"),
        ("Maya geht in die Kita Eiche", "Maya nennt ihn bis jetzt Banane", "In welche Kita geht Maya?"),
        ("Maya va a la guardería Roble", "Maya lo llama Plátano por ahora", "¿A qué guardería va Maya?"),
        (
            "Maya va à la crèche Les Lilas",
            "Maya l'appelle Banane pour l'instant",
            "À quelle crèche va Maya ?",
        ),
    ],
)
def test_what_holds_for_a_while_changes_nothing_else(memory, before, later, question):
    talk(memory, before, later)
    assert first(memory, question) == before


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("what's my son called?", {"son", "called"}),
        ("how much hay do the horses get?", {"hay", "horses", "get"}),
        ("what do I pour on it?", {"pour"}),
        ("who is allergic to soy?", {"allergic", "soy"}),
        ("which song was the encore?", {"song", "encore"}),
        ("in which dir are the logs?", {"dir", "logs"}),
        ("¿en qué mes nací?", {"mes", "nací"}),
        ("Où est son vélo que j'ai prêté ?", {"vélo", "prêté"}),
        ("what do I do now?", set()),
    ],
)
def test_a_word_is_none_of_another_language(question, terms):
    assert {term for term in terms_of(question) if term.casefold() not in STOP_WORDS} == terms
