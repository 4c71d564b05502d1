"""Turns of `chats/`, a file a language: which of them state something, as people write in a hurry."""

from pathlib import Path

import pytest

from simonides.domain.scope import GLOBAL
from simonides.writing.extract import statements
from simonides.writing.intake import message

FILES = sorted(Path(__file__).with_name("chats").glob("*.txt"))
AT = 1_767_225_600_000_000


def stated(text):
    return [
        one.content
        for one in statements([message({"role": "user", "content": text}).episode(GLOBAL, "s", AT)])
    ]


def turns(file, sign):
    lines = file.read_text("utf-8").splitlines()
    return [line.removeprefix(f"{sign} ") for line in lines if line.startswith(f"{sign} ")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_most_turns_that_state_something_are_heard_in_their_own_words(file):
    stating = turns(file, "+")
    heard = [turn for turn in stating if stated(turn)]
    assert len(heard) >= 0.7 * len(stating), sorted(set(stating) - set(heard))
    for turn in heard:
        for statement in stated(turn):
            assert statement.rstrip(".。").casefold() in turn.casefold(), (turn, statement)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_passing_words_wishes_jests_and_words_of_others_state_nothing(file):
    assert {turn: stated(turn) for turn in turns(file, "-") if stated(turn)} == {}


@pytest.mark.parametrize(
    "turn",
    [
        "Du bist der Arzt und ich der Patient. Ich rauche seit zehn Jahren.",
        "Spiel mal einen Kellner und ich bin der Gast: Ich bin Veganer.",
        "Tu es le médecin et moi le patient. Je suis diabétique.",
        "On joue : tu es médecin, moi patient. Docteur, j'ai du diabète.",
        "Joue le serveur, je suis la cliente. Je suis végane.",
        "Tú eres el médico y yo el paciente. Soy diabético y vivo solo.",
    ],
)
def test_what_is_said_in_a_part_is_no_fact(turn):
    assert stated(turn) == []
