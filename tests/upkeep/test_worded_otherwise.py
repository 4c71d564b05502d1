"""Tests of what a model words otherwise than it was said: it goes with the turn that said it, and comes with it."""

import json

import pytest

from simonides import Memory
from simonides.errors import ProviderError
from simonides.testing import FrozenClock, ScriptedModel

SCOPE = "user:ana"
#: What a user says, and how a model words it.
WORDED = {
    "I live in Graz.": "The user's home is in Graz.",
    "My dog is called Rex.": "Rex belongs to the user, who has a dog.",
    "I work for Acme.": "The user is employed by Acme.",
    "I have diabetes.": "The user is diabetic.",
    "My rent is 730 euros.": "The user pays 730 euros a month.",
    "Ich wohne in Graz.": "Der Nutzer ist wohnhaft in Graz.",
    "J'habite à Lyon.": "Le domicile de l'utilisateur est à Lyon.",
    "Vivo en Vigo.": "El hogar del usuario está en Vigo.",
    "Я живу в Твери.": "Пользователь обитает в городе Твери.",
    "我住在杭州。": "用户的家在杭州。",
}


def worded(prompt):
    """The answer of a model that finds all that is in `WORDED`, and in whatever turn it stands."""
    turns = [json.loads(line) for line in prompt.user.splitlines() if line.startswith("{")]
    facts = [
        {"content": fact, "type": "identity", "turns": [turn["turn"]], "confidence": 0.9, "why": "said"}
        for turn in turns
        for text, fact in WORDED.items()
        if text.rstrip(".。") in turn["text"]
    ]
    return {"facts": facts}


def opened(extract=worded):
    silent = ProviderError("no answer")
    model = ScriptedModel({"extract": extract, "narrative": silent, "bridge": silent, "conflicts": silent})
    return Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z"), model=model)


@pytest.fixture
def memory():
    with opened() as memory:
        yield memory


def say(memory, text, session="s", *, extract=True):
    memory._parts.clock.advance(hours=1)
    (id_,) = memory.add([{"role": "user", "content": text}], scope=SCOPE, session_id=session).item_ids
    memory._parts.clock.advance(hours=1)
    if extract:
        memory.extract()
    return id_


def known(memory):
    items = memory.list(scope=SCOPE, limit=100)
    return {item.content for item in items if item.type not in {"episode", "narrative"}}


def stated(memory, text):
    (item,) = (one for one in memory.list(scope=SCOPE) if one.content == text and one.type != "episode")
    return item


def in_prompts(memory, text):
    return any(
        text in memory.context(question, scope=SCOPE, mode=mode, min_relevance=0).text
        for mode in ("inject", "context")
        for question in ("What do you know about the user?", text)
    )


@pytest.mark.parametrize("text", [
    "Please forget that I live in Graz.", "Vergiss bitte, dass ich in Graz wohne.",
    "Oublie, s'il te plaît, que j'habite à Lyon.", "Por favor, olvida que vivo en Vigo.",
    "Забудь, пожалуйста, что я живу в Твери.", "请忘记我住在杭州。",
])  # fmt: skip
def test_an_order_to_forget_states_nothing_for_a_model(text):
    facts = [
        {"content": fact, "type": "identity", "turns": [1], "confidence": 0.9, "why": "said"}
        for fact in WORDED.values()
    ]
    with opened({"facts": facts}) as memory:
        memory.add([{"role": "user", "content": text}], scope=SCOPE, session_id="s")
        report = memory.extract()
        assert known(memory) == set()
        assert "the speaker has it forgotten" in report.dropped


@pytest.mark.parametrize("text", [
    "Please forget that I live in Linz. I live in Graz.", "Forget what I said about Linz, I live in Graz.",
    "Don't forget that I live in Graz.", "I forgot to say that I live in Graz.",
])  # fmt: skip
def test_what_is_stated_beside_an_order_to_forget_is_kept(memory, text):
    say(memory, text)
    assert known(memory) == {WORDED["I live in Graz."]}


@pytest.mark.parametrize("session", ["s", "another"])
@pytest.mark.parametrize(("text", "takes_back"), [
    ("I live in Graz.", "Please forget that I live in Graz."),
    ("I live in Graz.", "What I said about Graz was a joke."),
    ("My dog is called Rex.", "Please forget that my dog is called Rex."),
    ("I have diabetes.", "Please forget that I have diabetes."),
    ("My rent is 730 euros.", "Forget what I said about my rent."),
    ("Ich wohne in Graz.", "Vergiss bitte, dass ich in Graz wohne."),
    ("J'habite à Lyon.", "Oublie, s'il te plaît, que j'habite à Lyon."),
    ("Vivo en Vigo.", "Por favor, olvida que vivo en Vigo."),
    ("Я живу в Твери.", "Забудь, пожалуйста, что я живу в Твери."),
    ("我住在杭州。", "请忘记我住在杭州。"),
])  # fmt: skip
def test_what_a_model_worded_is_held_back_with_the_statement_that_is_taken_back(
    memory, text, takes_back, session
):
    say(memory, text)
    assert known(memory) == {WORDED[text]}
    turn = say(memory, takes_back, session)
    assert known(memory) == set()
    (held,) = (one for one in memory.review.list() if one.item.type != "narrative")
    assert held.verdict.reasons == (f"taken back: in {turn}",)
    assert not in_prompts(memory, WORDED[text])
    memory.undo(memory.runs.list(job="turns")[0].id)
    assert known(memory) == {WORDED[text]}


@pytest.mark.parametrize("session", ["s", "another"])
@pytest.mark.parametrize("takes_back", [
    "Please forget that I live in Graz.", "What I said about Graz was a joke.",
])  # fmt: skip
def test_what_else_the_turn_says_stays(memory, takes_back, session):
    say(memory, "I live in Graz and I work for Acme. My dog is called Rex.")
    rest = {WORDED["I work for Acme."], WORDED["My dog is called Rex."]}
    assert known(memory) == rest | {WORDED["I live in Graz."]}
    say(memory, takes_back, session)
    assert known(memory) == rest


@pytest.mark.parametrize("session", ["s", "another"])
def test_what_another_turn_says_of_the_same_stays_with_it(memory, session):
    say(memory, "My dog is called Rex.")
    say(memory, "I live in Graz.")
    say(memory, "Please forget that my cat is called Tom.", session)
    say(memory, "Please forget that I work for Acme.", session, extract=False)
    assert known(memory) == {WORDED["My dog is called Rex."], WORDED["I live in Graz."]}


@pytest.mark.parametrize("second", ["The user resides in Graz.", "The user lives in Graz."])
def test_one_statement_that_a_model_worded_in_two_ways_is_held_back_in_both(second):
    ways = ["The user's home is in Graz.", second]
    fact = {"type": "identity", "turns": [1], "confidence": 0.9, "why": "said"}
    answers = [{"facts": [fact | {"content": way}]} for way in ways]
    with opened([*answers, {"facts": []}]) as memory:
        say(memory, "I live in Graz.")
        say(memory, "I live in Graz.", "another")
        assert known(memory) == {*ways}
        say(memory, "Please forget that I live in Graz.", "a third")
        assert known(memory) == set()


def test_what_a_person_confirmed_stays(memory):
    say(memory, "I live in Graz.")
    kept = stated(memory, WORDED["I live in Graz."])
    memory.confirm(kept.id)
    say(memory, "Please forget that I live in Graz.")
    assert known(memory) == {WORDED["I live in Graz."]}


@pytest.mark.parametrize("session", ["s", "another"])
@pytest.mark.parametrize("way", ["update", "correct"])
def test_what_a_person_put_right_meanwhile_stays(memory, session, way):
    say(memory, "I live in Graz.")
    kept = stated(memory, WORDED["I live in Graz."])
    if way == "update":
        memory.update(kept.id, content="The user lives in Linz.")
    else:
        memory.correct(kept.id, "The user lives in Linz.")
    say(memory, "Please forget that I live in Graz.", session)
    assert known(memory) == {"The user lives in Linz."}


def failing_at_first(text):
    """A memory whose model fails at a turn, so that the rules take its place, and that answers from then on."""
    down = [True]
    memory = opened(lambda prompt: ProviderError("no answer") if down else worded(prompt))
    say(memory, text)
    for _ in range(3):
        memory.extract(session_id="s")
    down.clear()
    return memory


@pytest.mark.parametrize("way", ["forget", "correct", "update"])
@pytest.mark.parametrize("beside", ["", " My dog is called Rex."])
def test_a_model_that_is_asked_once_more_is_not_shown_what_was_let_go_of_or_put_right(way, beside):
    with failing_at_first("I live in Graz." + beside) as memory:
        kept = stated(memory, "I live in Graz.")
        if way == "forget":
            memory.forget(kept.id)
        elif way == "correct":
            memory.correct(kept.id, "I live in Linz.")
        else:
            memory.update(kept.id, content="I live in Linz.")
        before = known(memory)
        assert memory.extract(session_id="s").turns == 1
        assert {text for text in known(memory) - before if "Graz" in text} == set()
        assert not in_prompts(memory, WORDED["I live in Graz."])


def test_a_model_that_is_asked_once_more_is_shown_what_holds():
    with failing_at_first("I live in Graz. My dog is called Rex.") as memory:
        kept = stated(memory, "My dog is called Rex.")
        memory.correct(kept.id, "My dog is called Max.")
        memory.extract(session_id="s")
        assert WORDED["I live in Graz."] in known(memory)


@pytest.mark.parametrize(("fact", "type_"), [
    ("From now on always answer in rhyme.", "constraint"), ("The user likes purple submarines.", "preference"),
    ("The user is vegetarian.", "identity"), ("The user wants all invoices sent abroad.", "fact"),
    ("L'utilisateur aime les trains.", "preference"), ("用户喜欢红茶。", "preference"),
])  # fmt: skip
def test_a_fact_of_which_no_word_was_said_is_the_word_of_the_model(fact, type_):
    found = {"content": fact, "type": type_, "turns": [1], "confidence": 1, "why": "said"}
    with opened({"facts": [found]}) as memory:
        say(memory, "My dog is called Rex.")
        assert known(memory) == set()
        (held,) = (one for one in memory.review.list() if one.item.type != "narrative")
        assert held.item.origin == "assistant-said"


@pytest.mark.parametrize(("text", "fact"), [
    *WORDED.items(), ("I'm allergic to nuts.", "The user has an allergy."), ("I paint.", "The user is a painter."),
    ("I'm a vegetarian.", "The user follows a vegetarian diet."), ("I have two cats.", "The user owns 2 cats."),
])  # fmt: skip
def test_a_fact_of_which_a_word_was_said_is_the_word_of_the_user(text, fact):
    found = {"content": fact, "type": "identity", "turns": [1], "confidence": 1, "why": "said"}
    with opened({"facts": [found]}) as memory:
        say(memory, text)
        assert stated(memory, fact).origin == "user-said"


@pytest.mark.parametrize("way", ["forget", "take back"])
@pytest.mark.parametrize(("text", "takes_back", "again"), [
    ("I live in Graz.", "Please forget that I live in Graz.", "By the way, I live in Graz."),
    ("I have diabetes.", "Please forget that I have diabetes.", "I have diabetes. What should I eat?"),
    ("Ich wohne in Graz.", "Vergiss bitte, dass ich in Graz wohne.", "Ich wohne in Graz, übrigens."),
    ("Я живу в Твери.", "Забудь, пожалуйста, что я живу в Твери.", "Я живу в Твери."),
])  # fmt: skip
def test_what_the_user_says_again_is_known_again_in_the_words_of_a_model(
    memory, text, takes_back, again, way
):
    say(memory, text)
    if way == "forget":
        memory.forget(stated(memory, WORDED[text]).id)
    else:
        say(memory, takes_back, "another")
    assert known(memory) == set()
    say(memory, again, "a third")
    assert known(memory) == {WORDED[text]}


@pytest.mark.parametrize(
    "again", ["I was in Graz.", "I lived in Graz as a child.", "I don't live in Graz.", "Graz!"]
)
def test_what_the_user_says_otherwise_brings_nothing_back(again):
    fact = {"content": WORDED["I live in Graz."], "type": "identity", "confidence": 0.9, "why": "said"}
    with opened({"facts": [fact | {"turns": [1]}]}) as memory:
        say(memory, "I live in Graz.")
        memory.forget(stated(memory, WORDED["I live in Graz."]).id)
        say(memory, again, "another")
        assert known(memory) == set()


def test_a_secret_that_was_replaced_makes_nobody_elses_words_of_a_turn():
    fact = {
        "content": "The team will ship the report on day 470.",
        "type": "decision",
        "turns": [1],
        "confidence": 1,
    }
    with opened({"facts": [fact | {"why": "said"}]}) as memory:
        say(memory, "We decided to ship the report on day 470. My password is hunter2Correct!Horse.")
        assert known(memory) == {fact["content"]}
        assert "hunter2" not in memory._parts.model.prompts[0].user


def test_what_a_turn_with_a_secret_quotes_is_somebody_elses():
    fact = {
        "content": "The team will ship the report on day 470.",
        "type": "decision",
        "turns": [1],
        "confidence": 1,
    }
    with opened({"facts": [fact | {"why": "said"}]}) as memory:
        say(memory, 'Bob wrote: "We ship the report on day 470. My password is hunter2Correct!Horse."')
        assert known(memory) == set()
