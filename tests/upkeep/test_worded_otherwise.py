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
