"""A statement of which a part is over is contested, and what it says besides is kept."""

from __future__ import annotations

import pytest

from simonides import Memory
from simonides.language.outdated import outdated
from simonides.testing import FrozenClock

SCOPE = "user:ana"
OVER = [
    ("I live with my partner Kate in Leeds.", "We moved to Ilkley."),
    ("I'm a data analyst at Acme in Leeds.", "I now work for Globex as a data engineer."),
    ("I'm a nurse at Acme.", "I now work for Globex."),
    ("I love reading crime novels.", "I don't read crime novels any more."),
    ("I'm vegetarian, among other things.", "I'm not vegetarian any more."),
    ("Ich lese am liebsten Krimis.", "Ich lese keine Krimis mehr."),
    (
        "Ich lese am liebsten Krimis, gerade einen von Wolf Haas.",
        "Ich lese keine Krimis mehr, nur noch Sachbücher.",
    ),
    ("Ich wohne mit meiner Freundin Katrin im Vauban.", "Wir sind nach Emmendingen umgezogen."),
    ("Ich arbeite als Pfleger an der Uniklinik.", "Ich arbeite jetzt als Lehrer an der Waldschule."),
]
HOLDS = [
    ("I live with my partner Kate in Leeds.", "Jess moved to Berlin."),
    ("I live with my partner Kate in Leeds.", "I now live with Kate in Leeds."),
    ("I work for Acme.", "I now also work for Globex."),
    ("I'm a nurse in Leeds.", "I now work for Globex."),
    ("I run a bakery in Lisbon.", "I don't run any more."),
    ("I love reading crime novels.", "I don't like crime novels with cats."),
    ("Ich lese am liebsten Krimis.", "Ich lese heute keine Krimis."),
    ("Ich arbeite bei Siemens.", "Ich arbeite jetzt in Teilzeit."),
]


def lived(*said):
    clock = FrozenClock("2026-01-05T18:00:00Z")
    memory = Memory(":memory:", clock=clock)
    for number, text in enumerate(said):
        memory.add([{"role": "user", "content": text}], session_id=f"s{number}", scope=SCOPE)
        clock.advance(hours=12)
        memory.maintain()
        clock.advance(days=2)
    return memory


@pytest.mark.parametrize(("former", "later"), OVER)
def test_what_is_over_in_part_is_contested_and_not_pinned(former, later):
    assert outdated(former, later) is not None
    with lived(former, later) as memory:
        assert former not in memory.core_profile(scope=SCOPE).text
        (stays,) = [
            item for item in memory.list(scope=SCOPE) if item.content == former and item.type != "episode"
        ]
        assert (stays.status.value, stays.validation.value) == ("active", "contested")
        assert len(memory.review.contradictions()) == 1


@pytest.mark.parametrize(("former", "later"), HOLDS)
def test_what_says_nothing_else_of_the_same_ends_nothing(former, later):
    assert outdated(former, later) is None
    with lived(former, later) as memory:
        kept = [
            item for item in memory.list(scope=SCOPE) if item.content == former and item.type != "episode"
        ]
        assert [item.validation.value for item in kept] == ["unverified"] * len(kept)


def test_a_correction_ends_nothing_that_says_something_else_besides():
    with lived("I live with my partner Kate in Leeds.", "Actually, we moved to Ilkley.") as memory:
        assert any(
            item.content == "I live with my partner Kate in Leeds."
            for item in memory.list(scope=SCOPE, types=["identity"])
        )
