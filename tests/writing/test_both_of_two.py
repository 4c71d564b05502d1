"""Statements of two, of whom the first stands in small letters: both stay its subject."""

import pytest

from simonides import Memory
from simonides.testing import FakeEmbedder, FrozenClock


def stated(text):
    with Memory(":memory:", clock=FrozenClock("2026-01-05T18:00:00Z"), embedder=FakeEmbedder()) as memory:
        memory.add([{"role": "user", "content": text}], session_id="s", scope="user:ana")
        return [one.content for one in memory.extract().found]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("so. dan and i split up. he's moving out on saturday", "Dan and i split up."),
        ("ben and i moved to Leeds", "Ben and i moved to Leeds."),
        ("lea und ich wohnen in bonn", "Lea und ich wohnen in bonn."),
        ("Dan and I split up.", "Dan and I split up."),
        ("ana y yo vivimos en murcia", "Ana y yo vivimos en murcia."),
    ],
)
def test_both_stay(text, whole):
    assert stated(text) == [whole]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("tired and i'm vegan", "I'm vegan."),
        ("thanks and i live in Leeds", "I live in Leeds."),
        ("ah y vivo con mi gata Lola", "Vivo con mi gata Lola."),
        ("oh and i live in Leeds", "I live in Leeds."),
        ("ach und ich wohne in Bonn", "Ich wohne in Bonn."),
        ("yes and I work at Acme", "I work at Acme."),
        ("It rained and I moved to Leeds", "I moved to Leeds."),
        ("Tom visits and I live in Graz", "I live in Graz."),
        ("we talked and i quit my job", "I quit my job."),
    ],
)
def test_what_only_stands_before_it_does_not(text, own):
    assert stated(text) == [own]
