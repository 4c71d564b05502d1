"""Tests of what was forgotten or taken back: no prompt tells it by the turn that said it, nor by a narrative."""

from itertools import product

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

SCOPE = "user:ana"
#: By language: what is let go of, a word of it, what else is said, how that is taken back, a question about it.
LET_GO = {
    "en": ("My salary is 4000 euros.", "4000", "I live in Graz.", "Forget what I told you about my salary.",
           "What is my salary?"),
    "de": ("Mein Gehalt beträgt 4000 Euro.", "4000", "Ich wohne in Graz.",
           "Vergiss, was ich über mein Gehalt gesagt habe.", "Wie hoch ist mein Gehalt?"),
    "fr": ("Je suis allergique aux noix.", "noix", "J'habite à Lyon.", "Oublie ce que je t'ai dit sur les noix.",
           "À quoi suis-je allergique ?"),
    "es": ("Soy alérgica a las nueces.", "nueces", "Vivo en Vigo.", "Olvida lo que te dije sobre las nueces.",
           "¿A qué soy alérgica?"),
    "ru": ("У меня аллергия на орехи.", "аллергия на", "Я живу в Твери.", "Забудь то, что я говорил про орехи.",
           "На что у меня аллергия?"),
}  # fmt: skip


@pytest.fixture
def memory():
    with Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
        yield memory


def say(memory, *texts):
    """Say each text, hours apart, in one session; what it states is extracted at once."""
    ids = []
    for text in texts:
        ids += memory.add([{"role": "user", "content": text}], scope=SCOPE, session_id="s").item_ids
        memory._parts.clock.advance(hours=3)
        memory.extract()
        memory.maintain()
    return ids


def stated(memory, word):
    kept = (item for item in memory.list(scope=SCOPE, limit=100) if item.type not in {"episode", "narrative"})
    return [item.id for item in kept if word in item.content]


def told(memory, question, word):
    """The modes in which a prompt about a question holds a word."""
    texts = {
        mode: memory.context(question, scope=SCOPE, mode=mode, min_relevance=0).text
        for mode in ("inject", "context", "hybrid")
    }
    return [mode for mode, text in texts.items() if word in text]


@pytest.mark.parametrize(("language", "way"), [*product(LET_GO, ["forget", "take back"])])
def test_no_prompt_tells_what_was_let_go(memory, language, way):
    secret, word, _, takes_back, question = LET_GO[language]
    (turn,) = say(memory, secret)
    assert told(memory, question, secret)
    if way == "forget":
        for item_id in stated(memory, word):
            memory.forget(item_id)
    else:
        say(memory, takes_back)
    assert stated(memory, word) == []
    assert told(memory, question, secret) == []
    assert memory.get(turn).content == secret
    assert turn in {hit.item.id for hit in memory.search(question, scope=SCOPE)}


@pytest.mark.parametrize("language", LET_GO)
def test_a_turn_that_states_something_else_stays_in_prompts(memory, language):
    secret, word, other, *_ = LET_GO[language]
    (turn,) = say(memory, f"{secret} {other}")
    for item_id in stated(memory, word):
        memory.forget(item_id)
    assert memory.get(turn).injectable
    for item_id in stated(memory, other[-6:]):
        memory.forget(item_id)
    assert not memory.get(turn).injectable


def test_what_is_undone_is_told_again(memory):
    say(memory, "My salary is 4000 euros.")
    (fact,) = stated(memory, "4000")
    memory.forget(fact)
    (run,) = [run for run in memory.runs.list() if run.job == "retract"]
    memory.undo(run.id)
    memory.restore(fact)
    assert told(memory, "What is my salary?", "4000")


def test_of_another_scope_nothing_is_withheld(memory):
    ours, theirs = (
        memory.add("The mill is closed.", type="fact", scope=scope).item_ids[0]
        for scope in (SCOPE, "user:bo")
    )
    turn = memory.add([{"role": "user", "content": "The mill is closed."}], scope="user:bo").item_ids[0]
    memory.link(theirs, turn, "derived_from")
    memory.forget(ours)
    assert memory.get(turn).injectable
