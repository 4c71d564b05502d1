"""Statements of what somebody does or is no more contest what they said before, in six languages."""

import pytest

from simonides import Memory
from simonides.language.outdated import outdated
from simonides.testing import FrozenClock
from simonides.writing.extract.language import wordings

OVER = """
Je suis végétarienne.|Je ne suis plus végétarienne.
Je suis infirmière.|Je ne suis plus infirmière.
J'habite à Lyon.|Je n'habite plus à Lyon.
Я живу в Казани.|Я больше не живу в Казани.
Я врач.|Я больше не врач.
Я работаю в Газпроме.|Я больше не работаю в Газпроме.
Я вегетарианка.|Я больше не вегетарианка.
Ich arbeite bei Bosch.|Ich arbeite nicht mehr bei Bosch.
Ich bin Lehrerin.|Ich bin keine Lehrerin mehr.
我吃素。|我不再吃素了。
我是老师。|我不再是老师了。
我住在重庆。|我不住在重庆了。
Soy enfermera.|Ya no soy enfermera.
I have diabetes.|It turned out I don't have diabetes.
I'm engaged to Max.|Max and I broke up.
Estoy casada con Pablo.|Pablo y yo nos separamos.
Я замужем за Петром.|Мы с Петром развелись.
"""
#: Each is no statement of what lasts.
PASSING = """
fr|Je ne suis plus fatiguée
fr|Je ne suis plus là
ru|Я больше не сержусь
de|Ich bin nicht mehr müde
es|Ya no estoy cansada
zh|我不累了
en|I don't have time
"""


def _lines(table):
    return [line.split("|") for line in table.strip().splitlines()]


def _kept(path, turns):
    clock = FrozenClock("2026-03-02T18:00:00Z")
    with Memory(path, clock=clock) as memory:
        for place, content in enumerate(turns):
            memory.add([{"role": "user", "content": content}], session_id=f"s{place}", scope="user:x")
            clock.advance(hours=1)
            memory.extract()
            clock.advance(hours=9)
            memory.maintain()
            clock.advance(hours=14)
        items = memory.list(scope="user:x")
        return {
            one.content: one.validation.value for one in items if one.type not in {"episode", "narrative"}
        }


@pytest.mark.parametrize(("former", "over"), _lines(OVER))
def test_what_is_so_no_more_is_contested(tmp_path, former, over):
    kept = _kept(tmp_path / "m.db", (former, over))
    assert kept.pop(former) == "contested"
    assert len(kept) == 1


def test_a_move_to_a_town_with_a_sign_that_is_light_elsewhere_is_heard(tmp_path):
    assert list(_kept(tmp_path / "m.db", ("我住在重庆。", "我搬到成都了。"))) == ["我搬到成都了。"]


@pytest.mark.parametrize(("code", "clause"), _lines(PASSING))
def test_what_never_lasted_is_no_statement(code, clause):
    assert wordings(code).form_of(clause, whole=False) is None


@pytest.mark.parametrize(
    "text",
    ["Tom and I broke up.", "Max and I never broke up.", "Did Max and I break up?", "Max and Tom broke up."],
)
def test_another_parting_ends_no_engagement(text):
    assert outdated("I'm engaged to Max.", text) is None
