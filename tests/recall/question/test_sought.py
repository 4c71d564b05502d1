"""Texts that only lead to the question where something is."""

import pytest

from simonides.recall.question.speech import act
from simonides.recall.result import Act

LEADS = (
    ("I need the alarm code sheet{} where is it?", "en"), ("I can't find the alarm code sheet{} where is it?", "en"),
    ("I'm looking for the alarm code sheet{} do you know where it is?", "en"),
    ("I've lost my keys{} have you seen them?", "en"), ("Ich suche den Schlüssel{} wo ist er?", "de"),
    ("Ich finde mein Handy nicht{} wo ist es?", "de"), ("Je ne trouve pas la clé{} où est-elle ?", "fr"),
    ("J'ai perdu la clé de la cave{} où est-elle ?", "fr"), ("No encuentro la llave{} ¿dónde está?", "es"),
    ("Я не могу найти ключ{} где он?", "ru"), ("我找不到备用钥匙{} 它在哪里？", "zh"),
)  # fmt: skip
HEADS = (
    "The alarm code sheet: where is it?", "My passport: where did I put it?", "Der Ersatzschlüssel: wo ist er?",
    "La clé de secours : où est-elle ?", "La llave de repuesto: ¿dónde está?",
)  # fmt: skip
STATED = (
    "I need a new passport by May. What do I have to bring?", "I need the alarm code sheet.",
    "I lost my keys in the park. It was dark.", "The meeting is at five: where is the room?",
    "The alarm code sheet is in the safe. Where is the key of the safe?", "I am looking for a flat in Graz.",
    "I am looking for a flat in Graz. Where does Ana live?", "Ich suche eine Wohnung in Graz.",
    "My address: Larch Lane 5.",
)  # fmt: skip


@pytest.mark.parametrize("joint", [",", ".", " –", ";"])
@pytest.mark.parametrize(("text", "language"), LEADS)
def test_what_is_sought_and_asked_for_states_nothing(text, language, joint):
    said = text.format({".": "。", ",": "，"}.get(joint, joint) if language == "zh" else joint)
    before, _, after = said.rpartition(joint + " ")
    said = f"{before}. {after[:1].upper()}{after[1:]}" if joint == "." and before else said
    assert act(said) is Act.ASKS


@pytest.mark.parametrize("text", HEADS)
def test_a_name_before_a_question_states_nothing(text):
    assert act(text) is Act.ASKS


@pytest.mark.parametrize("text", STATED)
def test_what_tells_more_states(text):
    assert act(text) is Act.STATES
