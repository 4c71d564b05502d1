"""Sentences that name what they are of before they say something of it."""

import pytest

from simonides import Memory
from simonides.language.topics import with_its_topic
from simonides.testing import FakeEmbedder, FrozenClock

SAID = """
About my salary: it's 950, not 900.|my salary is 950, not 900.
Regarding our rent, I said 900 but it's 950.|our rent is 950.
As for my sister, she lives in Linz.|my sister lives in Linz.
Concerning my keys, they're at the Berlin office.|my keys are at the Berlin office.
I was wrong about my dentist, it's Dr. Hale.|i was wrong, my dentist is Dr. Hale.
I'm not allergic to peanuts, it's walnuts.|I'm allergic to walnuts, not peanuts
Zu meiner Miete: es sind 950, nicht 900.|meine Miete ist 950, nicht 900.
Bezüglich unserem Budget: es sind 5000 Euro.|unser Budget ist 5000 Euro.
Ich habe mich bei meiner Miete vertan, es sind 950.|falsch: meine Miete ist 950.
Concernant mon loyer, c'est 950, pas 900.|mon loyer est 950, pas 900.
Je me suis trompée sur mon dentiste, c'est le docteur Hale.|je me suis trompé, mon dentiste est le docteur Hale.
Sobre mi alquiler: es 950, no 900.|mi alquiler es 950, no 900.
关于我的工资：是950，不是900。|我的工资是950，不是900。
"""
#: They ask, tell of something else, or name nobody's.
ELSE = """
About my car, what do you think?
About my salary: can you keep it secret?
About the salary: it's 950.
About your salary: it's 950.
I was wrong, it's Dr. Hale.
As for my sister, I don't know.
I'm not tired.
I'm not from Berlin, but I live there.
I'm not allergic to peanuts, but my son is.
I'm not allergic to wheat, it's my son.
I'm not allergic to cats, it's just dust.
I'm not allergic to nuts, it's fine.
I'm not allergic to nuts, it's true.
I'm not allergic to nuts, it's obvious.
I'm not allergic to nuts, it's Tom.
I'm not from Graz, it's Linz.
About my job: it was at Bosch.
About my dog: it's a long story.
About my car: it's got a new engine.
As for my brother, he's moved to Linz.
About my exam: it's been moved.
Wegen meiner Frau: es ist ihr Geburtstag.
Pour mon fils, c'est difficile.
Sobre mi mesa: es de madera.
关于我的工作：是很累。
Zu meiner Miete fällt mir nichts ein.
Sobre mi alquiler no digo nada.
"""
#: Said days later, they take the place of what was said.
LATER = """
My salary is 900 euros.|About my salary: it's 950, not 900.|My salary is 950, not 900.
My dentist is Dr. Moss.|About my dentist: it's Dr. Hale, not Dr. Moss.|My dentist is Dr. Hale, not Dr. Moss.
My dentist is Dr. Moss.|I was wrong about my dentist, it's Dr. Hale.|My dentist is Dr. Hale.
My sister lives in Graz.|You have it wrong, my sister lives in Linz.|My sister lives in Linz.
My dentist is Dr. Moss.|I misspoke the other day: my dentist is Dr. Hale.|My dentist is Dr. Hale.
I'm allergic to peanuts.|I'm not allergic to peanuts, it's walnuts.|I'm allergic to walnuts, not peanuts.
Meine Miete ist 900 Euro.|Zu meiner Miete: es sind 950, nicht 900.|Meine Miete ist 950, nicht 900.
Ma soeur habite à Lyon.|Tu t'es trompé, ma soeur habite à Lille.|Ma soeur habite à Lille.
Mi alquiler es de 900 euros.|Sobre mi alquiler: es 950, no 900.|Mi alquiler es 950, no 900.
我姐姐住在南京。|你记错了，我姐姐住在北京。|我姐姐住在北京。
"""


def _lines(table):
    return [line.split("|") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("sentence", "plain"), _lines(SAID))
def test_what_is_said_of_a_topic_is_said_of_it_plainly(sentence, plain):
    assert with_its_topic(sentence) == plain


@pytest.mark.parametrize("sentence", ELSE.strip().splitlines())
def test_anything_else_stays_as_it_is(sentence):
    assert with_its_topic(sentence) == sentence


def test_a_long_sentence_stays_as_it_is():
    sentence = f"About my salary: it's {'very ' * 40}low."
    assert with_its_topic(sentence) == sentence


@pytest.mark.parametrize(("former", "said", "kept"), _lines(LATER))
def test_days_later_it_takes_the_place_of_what_was_said(tmp_path, former, said, kept):
    clock = FrozenClock()
    with Memory(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(8)) as memory:
        for n, text in enumerate((former, said)):
            memory.add({"role": "user", "content": text}, session_id=f"s{n}")
            memory.extract()
            clock.advance(days=3)
        facts = {item.content: item for item in memory.list(archived=True) if item.type != "episode"}
        assert facts[former].superseded_by == facts[kept].id
