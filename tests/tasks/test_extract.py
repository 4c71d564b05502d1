"""The task `extract`: facts that the turns bear out, and why the others were dropped."""

import pytest

from simonides.errors import InvalidAnswer, ProviderError
from simonides.language.faithfulness import unsaid
from simonides.tasks.extract import Utterance, extract_facts
from simonides.testing import ScriptedModel

TURNS = [
    Utterance(1, "Ana", "2026-03-01T12:00:00Z", "We ship release 4.2 to 1,200 users on Friday."),
    Utterance(2, "assistant", "2026-03-01T12:01:00Z", "Noted."),
    Utterance(3, "Ana", "2026-03-01T12:02:00Z", "I have three cats, Tofu among them."),
]


def fact(content, turns=(1,), **fields):
    return {"content": content, "type": "fact", "turns": list(turns), "confidence": 0.9, "why": "w"} | fields


def asked(*facts):
    return extract_facts(ScriptedModel({"extract": {"facts": list(facts)}}), TURNS)


def test_facts_that_their_turns_bear_out_are_kept():
    found = asked(fact("Ana ships release 4.2 to 1200 users on Friday."), fact("Ana has 3 cats.", [3]))
    assert [(one.content, one.turns, one.confidence) for one in found.kept] == [
        ("Ana ships release 4.2 to 1200 users on Friday.", (1,), 0.9),
        ("Ana has 3 cats.", (3,), 0.9),
    ]
    assert found.dropped == ()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (fact("Ana ships to 1,300 users."), "invented: 1,300"),
        (fact("Ana ships with Boris."), "invented: Boris"),
        (fact("Ana has a cat, Tofu.", [1]), "invented: Tofu"),
        (fact("Ana ships.", []), "names no turn"),
        (fact("Ana ships.", [9]), "names a turn that does not exist"),
        (fact("Ana ships.", ["1"]), "names a turn that does not exist"),
        (fact(" \n"), "without content"),
        (fact(None), "without content"),
        (fact("Ana ships. " * 99), "longer than 500 characters"),
        ("Ana ships.", "no object"),
    ],
)
def test_one_bad_fact_of_two_loses_one(wrong, why):
    found = asked(wrong, fact("Ana ships on Friday."))
    assert [one.content for one in found.kept] == ["Ana ships on Friday."]
    assert [said.startswith(why) for said in found.dropped] == [True], found.dropped


def test_unknown_types_are_facts_and_odd_confidences_are_ordinary():
    found = asked(
        fact("Ana ships.", type="wish", confidence=7), fact("Ana ships it.", confidence=True, why=None)
    )
    assert [(one.type, one.confidence) for one in found.kept] == [("fact", 0.8), ("fact", 0.8)]


def test_no_more_facts_than_were_asked_for_are_looked_at():
    found = asked(*[fact("Ana ships.")] * 100)
    assert len(found.kept) == 60
    assert found.dropped == ("more than 60 facts in one answer",)


@pytest.mark.parametrize("answer", ["", "no facts", "[]", '{"facts": 1}', '{"fact": []}', '{"facts": [}'])
def test_an_answer_without_facts_is_no_answer(answer):
    with pytest.raises(InvalidAnswer, match="extract"):
        extract_facts(ScriptedModel({"extract": answer}), TURNS)


def test_a_model_that_fails_says_so():
    with pytest.raises(ProviderError, match="cut"):
        extract_facts(ScriptedModel({"extract": ProviderError("cut")}), TURNS)


def test_the_prompt_shows_each_turn_with_its_number_and_speaker():
    model = ScriptedModel({"extract": {"facts": []}})
    extract_facts(model, TURNS)
    (prompt,) = model.prompts
    assert '"turn": 3, "speaker": "Ana"' in prompt.user
    assert "emory of a person" in prompt.system


@pytest.mark.parametrize(
    ("text", "source", "missing"),
    [
        ("Likes tea.", "I like tea", ()),
        ("Prefers tea.", "I prefer tea", ()),
        ("Marcus likes tea.", "I like tea", ("Marcus",)),
        ("The user likes tea.", "I like tea", ()),
        ("It costs 1,200 euros.", "1200 euros", ()),
        ("It costs 1,201 euros.", "1200 euros", ("1,201",)),
        ("Three cats.", "3 cats", ()),
        ("3 cats.", "three cats", ()),
        ("Ana's cat.", "Ana has a cat", ()),
        ("Живёт в Казани.", "я живу в Казани", ()),
        ("Живёт в Твери.", "я живу в Казани", ("Твери",)),
        ("住在成都", "我住在成都", ()),
        ("5 岁", "六岁", ("5",)),
    ],
)
def test_numbers_and_names_that_no_source_holds_are_found(text, source, missing):
    assert unsaid(text, [source]) == missing
