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
        ("meine schwester und ich wohnen in graz", "Meine schwester und ich wohnen in graz."),
        (
            "meine partnerin Lena und ich sind seit 4 jahren zusammen",
            "Meine partnerin Lena und ich sind seit 4 jahren zusammen.",
        ),
        ("meine schwester eva und ich haben zwei kinder", "Meine schwester eva und ich haben zwei kinder."),
        ("my sister and i live in leeds", "My sister and i live in leeds."),
        ("mi hermana y yo vivimos en vigo", "Mi hermana y yo vivimos en vigo."),
        ("ma soeur et moi habitons à nantes", "Ma soeur et moi habitons à nantes."),
        ("моя сестра и я живём в твери", "Моя сестра и я живём в твери."),
        ("我和姐姐住在成都", "我和姐姐住在成都。"),
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
        ("mein bruder und ich bin vegan", "Ich bin vegan."),
        ("yes and I work at Acme", "I work at Acme."),
        ("It rained and I moved to Leeds", "I moved to Leeds."),
        ("Tom visits and I live in Graz", "I live in Graz."),
        ("we talked and i quit my job", "I quit my job."),
    ],
)
def test_what_only_stands_before_it_does_not(text, own):
    assert stated(text) == [own]


def test_two_who_each_tell_something_in_small_letters_are_kept_apart():
    assert stated("meine schwester mag tee und ich mag kaffee") == [
        "Meine schwester mag tee.",
        "Ich mag kaffee.",
    ]
