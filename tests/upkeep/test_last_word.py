"""The last word counts, in whatever order what was said is stored."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain.item import Validation
from simonides.testing import FakeEmbedder, FrozenClock

#: Each line is said from left to right, on one day after the other.
SAID = """
The meeting is on Friday.|The meeting was moved to Monday.|The meeting was moved to Tuesday.
My rent is 900 euros.|My rent is now 950 euros.|My rent is now 990 euros.
My dentist is Dr. Moss.|My dentist isn't Dr. Moss but Dr. Hale.
I live in Graz.|I moved to Linz.|I moved to Bonn.
I have two cats.|I have three cats.|I have four cats.
Ich wohne in Graz.|Ich wohne jetzt in Linz.|Ich bin nach Bonn gezogen.
Meine Miete ist 900 Euro.|Meine Miete ist jetzt 950 Euro.
J'habite à Nantes.|J'habite maintenant à Rennes.
Mon loyer est de 900 euros.|Mon loyer est de 950 euros.
Vivo en Valencia.|Ahora vivo en Soria.
Mi alquiler es de 900 euros.|Mi alquiler es de 950 euros.
Я живу в Казани.|Теперь я живу в Уфе.
我住在杭州。|我搬到南京了。
我现在定居成都。|我搬到厦门了。
Je bosse chez Bosch depuis mars.|Je bosse maintenant chez Siemens.
"""
LINES = [line.split("|") for line in SAID.strip().splitlines()]


def _told(order, *, each, nights):
    """Contents that hold, of turns of three days stored in some order, and those that do not."""
    clock = FrozenClock("2026-03-20T10:00:00Z")
    with Memory(":memory:", clock=clock, embedder=FakeEmbedder(8)) as memory:
        for day, text in order:
            turn = {"role": "user", "content": text, "at": f"2026-03-0{day}T10:00:00Z"}
            memory.add([turn], session_id=f"s{day}", scope="user:x")
            if each:
                memory.extract()
            if nights:
                clock.advance(hours=20)
                memory.maintain()
            clock.advance(seconds=60)
        memory.extract()
        memory.maintain()
        items = memory.list(scope="user:x", archived=True)
        kept = [one for one in items if one.type not in {"episode", "narrative"}]
        return [
            one.content for one in kept if one.status == "active" and one.validation is Validation.UNVERIFIED
        ], [one.content for one in kept]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LINES), st.data())
def test_of_what_was_said_in_turn_the_last_word_counts(line, data):
    order = data.draw(st.permutations([*enumerate(line, start=1)]))
    holds, kept = _told(order, each=data.draw(st.booleans()), nights=data.draw(st.booleans()))
    assert holds == [line[-1]], (order, kept)


@pytest.mark.parametrize("line", LINES)
def test_it_counts_however_often_it_was_stored_first(line):
    order = [*enumerate(line, start=1)][::-1]
    holds, kept = _told(order, each=True, nights=False)
    assert holds == [line[-1]], kept


@pytest.mark.parametrize(
    "line",
    [
        ("The meeting is on Friday.", "The meeting was moved to Monday.", "The meeting is on Friday."),
        ("I live in Graz.", "I now live in Linz.", "I live in Graz."),
        ("Meine Miete ist 900 Euro.", "Meine Miete ist jetzt 950 Euro.", "Meine Miete ist 900 Euro."),
        ("我住在杭州。", "我现在住在南京。", "我住在杭州。"),
    ],
)
def test_what_was_said_again_later_was_not_forgotten_before_it(line):
    holds, kept = _told([*enumerate(line, start=1)], each=True, nights=False)
    assert holds == [line[-1]], kept
