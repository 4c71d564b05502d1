"""Denials by name put what is so in the place of what was said before, in six languages."""

import pytest

from simonides import Memory
from simonides.language.contradiction import difference
from simonides.testing import FrozenClock

DENIED = """
I live in Leeds.|You have my town wrong. I live in York, not in Leeds.|I live in York, not in Leeds.
I work at Bosch.|By the way, I work at Bayer, not at Bosch.|I work at Bayer, not at Bosch.
I earn 900 euros a month.|I earn 950 euros a month, not 900.|I earn 950 euros a month, not 900.
I play the piano.|I play the violin, not the piano.|I play the violin, not the piano.
I'm allergic to peanuts.|I'm allergic to walnuts, not peanuts.|I'm allergic to walnuts, not peanuts.
I'm a nurse.|I'm a midwife, not a nurse.|I'm a midwife, not a nurse.
Ich wohne in Graz.|Ich wohne in Linz, nicht in Graz.|Ich wohne in Linz, nicht in Graz.
Ich arbeite bei Bosch.|Übrigens arbeite ich bei Bayer, nicht bei Bosch.|Ich arbeite bei Bayer, nicht bei Bosch.
Vivo en Soria.|Vivo en Lugo, no en Soria.|Vivo en Lugo, no en Soria.
J'habite à Nantes.|J'habite à Rennes, pas à Nantes.|J'habite à Rennes, pas à Nantes.
Я живу в Казани.|Я живу в Самаре, а не в Казани.|Я живу в Самаре, а не в Казани.
我住在杭州。|我住在南京，不是杭州。|我住在南京，不是杭州。
My dentist is Dr. Moss.|My dentist isn't Dr. Moss but Dr. Hale.|My dentist isn't Dr. Moss but Dr. Hale.
Mein Chef ist Otto.|Mein Chef ist nicht Otto, sondern Hugo.|Mein Chef ist nicht Otto, sondern Hugo.
Ich wohne in Graz.|Ich wohne nicht in Graz, sondern in Linz.|Ich wohne nicht in Graz, sondern in Linz.
Meine Miete ist 900 Euro.|Meine Miete ist 950 Euro, nicht 900.|Meine Miete ist 950 Euro, nicht 900.
Mon chef est Marc.|Mon chef n'est pas Marc mais Paul.|Mon chef n'est pas Marc mais Paul.
Mi jefe es Marcos.|Mi jefe no es Marcos, sino Pablo.|Mi jefe no es Marcos, sino Pablo.
Мой врач — Иванов.|Мой врач не Иванов, а Петров.|Мой врач не Иванов, а Петров.
我的牙医是王医生。|我的牙医不是王医生，而是李医生。|我的牙医不是王医生，而是李医生。
"""
#: The second denies something else, or tells of another time, person or place beside it.
LEFT = """
I live in Leeds.|I live in York, not in Bath.
I lived in Leeds.|I live in York, not in Leeds.
I don't live in Leeds.|I live in York, not in Leeds.
My sister lives in Leeds.|I live in York, not in Leeds.
I drink coffee.|I drink tea in the morning, not coffee.
I like tea.|I like tea, not coffee.
I like Leeds.|I live in York, not in Leeds.
Ich wohne in Graz.|Mein Bruder wohnt in Linz, nicht in Graz.
我住在杭州。|我妹妹住在南京，不是杭州。
My dentist is Dr. Moss.|My brother is not Dr. Moss but Dr. Hale.
I drink coffee.|I drink not coffee but tea at night.
I play the piano.|I play the violin today, not the piano.
Я пью кофе.|Я пью не кофе, а чай вечером.
Ich fahre nach Rom.|Ich fahre nicht aus Rom, sondern aus Paris.
Ich trinke Tee.|Ich trinke nicht nur Tee, sondern auch Kaffee.
Mein Zahnarzt ist Dr. Moos.|Mein Nachbar ist nicht Dr. Moos, sondern Dr. Hahn.
"""


def _lines(table):
    return [line.split("|") for line in table.strip().splitlines()]


def _current(memory):
    return [
        (one.content, one.validation.value)
        for one in memory.list(scope="user:x")
        if one.type not in {"episode", "narrative"}
    ]


@pytest.mark.parametrize(("former", "turn", "told"), _lines(DENIED))
def test_what_a_later_session_denies_by_name_is_replaced(tmp_path, former, turn, told):
    clock = FrozenClock("2026-03-02T18:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        for place, content in enumerate((former, turn)):
            memory.add([{"role": "user", "content": content}], session_id=f"s{place}", scope="user:x")
            clock.advance(hours=1)
            memory.extract()
            clock.advance(hours=9)
            memory.maintain()
        assert _current(memory) == [(told, "unverified")]


@pytest.mark.parametrize(
    ("former", "told"),
    [
        ("I live in Leeds.", "I live in York, not in Leeds."),
        ("I play the piano.", "I play the violin, not the piano."),
        ("Ich wohne in Graz.", "Ich wohne in Linz, nicht in Graz."),
        ("Vivo en Soria.", "Vivo en Lugo, no en Soria."),
    ],
)
def test_a_note_that_denies_another_by_name_takes_its_place(tmp_path, former, told):
    clock = FrozenClock("2026-03-02T18:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        for content in (former, told):
            memory.add(content, type="fact", scope="user:x")
            clock.advance(hours=1)
        memory.maintain()
        assert _current(memory) == [(told, "unverified")]


@pytest.mark.parametrize(("former", "told"), [(former, told) for former, _, told in _lines(DENIED)])
def test_each_order_of_two_names_the_same_difference(former, told):
    there, back = difference(former, told), difference(told, former)
    assert there is not None
    assert back is not None
    assert there.words == back.words[::-1]


@pytest.mark.parametrize(("former", "text"), _lines(LEFT))
def test_what_denies_something_else_contradicts_nothing(former, text):
    assert difference(former, text) is None
