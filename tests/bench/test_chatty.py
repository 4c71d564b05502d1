"""Turns of chats: a statement is right where it says a fact, in whichever form its words have."""

import pytest

from benchmarks import chatty


@pytest.mark.parametrize(
    ("text", "facts", "right"),
    [
        ("I live in Graz.", ["I live in Graz"], [True]),
        ("I live in Graz.", ["I work in Linz"], [False]),
        ("Мы живём на пятом этаже.", ["мы живем на пятом этаже"], [True]),
        ("我对花生过敏。", ["我对花生过敏"], [True]),
        ("我对花生过敏。", ["我住在杭州"], [False]),
        ("What time is it?", [], []),
    ],
)
def test_a_statement_is_right_where_it_says_a_fact(text, facts, right):
    assert chatty._right({"id": "r1", "text": text, "facts": facts}) == right


def test_halves_and_languages_hold_as_many_turns():
    turns = chatty.written()
    shares = [(turn["half"], turn["language"]) for turn in turns]
    assert {shares.count(share) for share in shares} == {40}
    assert len({turn["text"] for turn in turns}) == len(turns)
