"""Pairs of statements drawn from a grammar, of which it is known by their making what they are to each other.

The same thing with another value contradicts, and revises; another subject, time, place or direction does not; the same
with other marks around it is the same. Verdicts come from how a pair was put together, never from the code.
"""

from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.contradiction import difference
from simonides.language.revision import revises
from simonides.language.sameness import read, same
from simonides.testing import FrozenClock


@dataclass(frozen=True)
class Tongue:
    """A language in templates: {s} is a subject, {v} a value, {w} where or when it is otherwise."""

    #: Statement, and its values.
    told: dict[str, tuple[str, ...]]
    subjects: tuple[str, ...]
    #: The same statement with another value, in other words; in the order of `told`, empty where there are none.
    changed: tuple[tuple[str, ...], ...]
    #: What is said of another time, or only guessed; in the order of `told`.
    apart: tuple[tuple[str, ...], ...]
    #: Stand behind a statement, or before it where they begin with ^; restrict it.
    exceptions: tuple[str, ...]
    #: Two that tell of two things.
    directions: tuple[tuple[str, str], ...]
    #: Of whom something is told, by name, and the places.
    lives: str
    names: tuple[str, ...]
    places: tuple[str, ...]
    ending: str = "."
    before: tuple[str, ...] = field(default=())


EN = Tongue(
    told={
        "{s} opens at {v}": ("9:00", "9:30", "10:15", "11 am", "noon"),
        "{s} costs {v} euros": ("450", "480", "512.50", "1,200", "90"),
        "{s} has {v} rooms": ("two", "3", "14", "twenty", "31"),
    },
    subjects=(
        "the corner shop",
        "the north gate",
        "our old library",
        "the museum of glass",
        "the rooftop terrace",
    ),
    changed=(
        ("{s} now opens at {v}", "{s} opens at {v} now"),
        (
            "{s} now costs {v} euros",
            "{s} went up to {v} euros",
            "{s} has dropped to {v} euros",
            "{s} rose by 2% to {v} euros",
        ),
        ("{s} now has {v} rooms",),
    ),
    apart=(
        (
            "{s} opened at {v}",
            "maybe {s} opens at {v}",
            "{s} might open at {v}",
            "{s} closes at {v}",
            "does {s} open at {v}?",
        ),
        (
            "{s} cost {v} euros in 2019",
            "{s} used to cost {v} euros",
            "perhaps {s} costs {v} euros",
            "{s} earns {v} euros",
        ),
        ("{s} had {v} rooms", "{s} once had {v} rooms", "{s} has {v} doors", "if {s} has {v} rooms, we come"),
    ),
    exceptions=(
        "on Sundays",
        "in August",
        "in summer",
        "at Christmas",
        "during holidays",
        "on 24 December",
        "^in winter",
    ),
    directions=(
        ("The flight to {p} leaves at {v}", "The flight from {p} leaves at {v}"),
        ("The break before lunch in {p} starts at {v}", "The break after lunch in {p} starts at {v}"),
        ("The shelf above the sink in {p} is from {v}", "The shelf below the sink in {p} is from {v}"),
        ("The bus via {p} leaves at {v}", "The bus to {p} leaves at {v}"),
    ),
    lives="{n} lives in {p}",
    names=("Ana", "Robert Stone", "Mira", "Ben Vale", "I"),
    places=("Oslo", "Riga", "Turku", "Leiden", "New York"),
    before=("", "Actually, ", "Correction: ", "Note: ", "Update: "),
)
FR = Tongue(
    told={
        "{s} ouvre à {v}": ("9h", "9h30", "10h15", "midi"),
        "{s} coûte {v} euros": ("450", "480", "1 200", "90"),
    },
    subjects=("le magasin du coin", "la bibliothèque municipale", "notre petit musée"),
    changed=(("{s} ouvre maintenant à {v}",), ("{s} est passé à {v} euros", "{s} a augmenté à {v} euros")),
    apart=(
        ("{s} ouvrait à {v}", "peut-être que {s} ouvre à {v}", "{s} ferme à {v}"),
        ("{s} coûtait {v} euros", "{s} rapporte {v} euros"),
    ),
    exceptions=("le dimanche", "en août", "en été", "à Noël", "pendant les vacances"),
    directions=(
        ("Le vol pour {p} part à {v}", "Le vol de {p} part à {v}"),
        ("La pause avant le cours à {p} est à {v}", "La pause après le cours à {p} est à {v}"),
    ),
    lives="{n} habite à {p}",
    names=("Anne", "Marc", "Chloé"),
    places=("Lyon", "Oslo", "Namur"),
    before=("", "En fait, ", "Correction : "),
)
RU = Tongue(
    told={
        "{s} открывается в {v}": ("9:00", "9:30", "10:15", "11:45"),
        "{s} стоит {v} рублей": ("450", "480", "1200", "90"),
    },
    subjects=("угловой магазин", "наш старый музей", "дворец культуры"),
    changed=(("{s} теперь открывается в {v}",), ("{s} теперь стоит {v} рублей", "{s} вырос до {v} рублей")),
    apart=(
        ("{s} открывался в {v}", "возможно, {s} открывается в {v}", "{s} закрывается в {v}"),
        ("{s} стоил {v} рублей", "{s} приносит {v} рублей"),
    ),
    exceptions=("по воскресеньям", "в августе", "летом", "на Рождество", "по праздникам"),
    directions=(
        ("Рейс в {p} отправляется в {v}", "Рейс из {p} отправляется в {v}"),
        ("Перерыв до обеда начинается в {v}", "Перерыв после обеда начинается в {v}"),
    ),
    lives="{n} живёт в {p}",
    names=("Анна", "Борис", "Мила"),
    places=("Москве", "Казани", "Перми"),
    before=("", "На самом деле ", "Поправка: "),
)
DE = Tongue(
    told={
        "{s} öffnet um {v} Uhr": ("9", "10", "11", "8"),
        "{s} kostet {v} Euro": ("450", "480", "1200", "90"),
    },
    subjects=("der Laden am Eck", "das alte Museum", "die Stadtbibliothek"),
    changed=(("{s} öffnet jetzt um {v} Uhr",), ("{s} kostet jetzt {v} Euro",)),
    apart=(
        ("{s} öffnete um {v} Uhr", "vielleicht öffnet {s} um {v} Uhr", "{s} schließt um {v} Uhr"),
        ("{s} kostete {v} Euro", "{s} bringt {v} Euro"),
    ),
    exceptions=("an Sonntagen", "im August", "im Sommer", "an Weihnachten", "in den Ferien"),
    directions=(
        ("Der Flug nach {p} geht um {v} Uhr", "Der Flug aus {p} geht um {v} Uhr"),
        ("Der Tee mit {p} kostet {v} Euro", "Der Tee ohne {p} kostet {v} Euro"),
    ),
    lives="{n} wohnt in {p}",
    names=("Ana", "Jonas"),
    places=("Oslo", "Riga"),
    before=("", "Korrektur: "),
)
ZH = Tongue(
    told={
        "{s}{v}开门": ("9点", "10点", "11点", "8点"),
        "{s}的价格是{v}元": ("450", "480", "1200", "90"),
    },
    subjects=("街角商店", "老博物馆", "市图书馆"),
    changed=(("{s}现在{v}开门",), ("{s}的价格涨到{v}元", "{s}的价格降到了{v}元", "{s}的价格现在是{v}元")),
    apart=(
        ("{s}以前{v}开门", "{s}可能{v}开门", "{s}{v}关门"),
        ("{s}的价格以前是{v}元", "{s}的房租是{v}元"),
    ),
    exceptions=("^周日", "^八月", "^夏天", "^春节", "^节假日"),
    directions=(("去{p}的航班{v}点起飞", "从{p}来的航班{v}点起飞"),),
    lives="{n}住在{p}",
    names=("张伟", "李娜"),
    places=("北京", "上海", "广州"),
    ending="。",
    before=("", "更正：", "其实"),
)
TONGUES = {"en": EN, "fr": FR, "ru": RU, "de": DE, "zh": ZH}
HOURS = ("8", "9", "11", "12")
MARKS = ("", "!", " 🚀", " 👍", "...")
tongues = pytest.mark.parametrize("tongue", TONGUES.values(), ids=TONGUES)
drawn = settings(max_examples=60)


def written(tongue, words):
    return f"{words[0].upper()}{words[1:]}" + ("" if words.endswith("?") else tongue.ending)


def shown(one, other):
    return f"{one!r} and {other!r}: {difference(one, other)}"


def contradict(one, other):
    found, back = difference(one, other), difference(other, one)
    assert found is not None, shown(one, other)
    assert back is not None, shown(other, one)
    assert not same(read(one), read(other)), shown(one, other)


def agree(one, other):
    assert difference(one, other) is None, shown(one, other)
    assert difference(other, one) is None, shown(other, one)
    assert not revises(one, other), f"{other!r} does not revise {one!r}"


def two(draw, values):
    return draw(st.lists(st.sampled_from(values), min_size=2, max_size=2, unique=True))


@st.composite
def told(draw, tongue):
    """A statement's number and form, its subject, and two values."""
    place = draw(st.integers(0, len(tongue.told) - 1))
    form = list(tongue.told)[place]
    return place, form, draw(st.sampled_from(tongue.subjects)), two(draw, tongue.told[form])


@tongues
@given(data=st.data())
@drawn
def test_another_value_of_the_same_contradicts_and_revises(tongue, data):
    place, form, subject, (value, other) = data.draw(told(tongue))
    one = written(tongue, form.format(s=subject, v=value))
    plain = written(tongue, form.format(s=subject, v=other))
    contradict(one, plain)
    put = data.draw(st.sampled_from((form, *tongue.changed[place])))
    changed = written(tongue, put.format(s=subject, v=other))
    opener = data.draw(st.sampled_from(tongue.before))
    contradict(one, f"{opener}{changed[0].lower()}{changed[1:]}" if opener else changed)
    contradict(one, changed.lower())
    if tongue is EN:
        contradict(one, changed.upper())


@tongues
@given(data=st.data())
@drawn
def test_another_subject_time_or_certainty_contradicts_nothing(tongue, data):
    place, form, subject, (value, other) = data.draw(told(tongue))
    one = written(tongue, form.format(s=subject, v=value))
    another = data.draw(st.sampled_from([one for one in tongue.subjects if one != subject]))
    agree(one, written(tongue, form.format(s=another, v=other)))
    agree(one, written(tongue, data.draw(st.sampled_from(tongue.apart[place])).format(s=subject, v=other)))


@tongues
@given(data=st.data())
@drawn
def test_an_exception_contradicts_no_rule(tongue, data):
    _, form, subject, (value, other) = data.draw(told(tongue))
    one = written(tongue, form.format(s=subject, v=value))
    when = data.draw(st.sampled_from(tongue.exceptions))
    if tongue is ZH:
        words = form.format(s=f"{subject}{when[1:]}", v=other)
    elif when.startswith("^"):
        words = f"{when[1:]} {form.format(s=subject, v=other)}"
    else:
        words = f"{form.format(s=subject, v=other)} {when}"
    agree(one, written(tongue, words))


@tongues
@given(data=st.data())
@drawn
def test_what_goes_there_is_not_what_comes_from_there(tongue, data):
    forms = data.draw(st.sampled_from(tongue.directions))
    place, (value, other) = data.draw(st.sampled_from(tongue.places)), two(data.draw, HOURS)
    forth, back = (
        written(tongue, form.format(p=place, v=hour))
        for form, hour in zip(forms, (value, other), strict=True)
    )
    agree(forth, back)
    contradict(forth, written(tongue, forms[0].format(p=place, v=other)))
    contradict(back, written(tongue, forms[1].format(p=place, v=value)))


@tongues
@given(data=st.data())
@drawn
def test_one_lives_in_one_place_and_another_in_another(tongue, data):
    if tongue is DE:
        return  # German names are nouns like any other by their looks.
    (name, other), (place, there) = two(data.draw, tongue.names), two(data.draw, tongue.places)

    def lives(who, where):
        words = tongue.lives.format(n=who, p=where)
        return written(tongue, words.replace("I lives", "I live"))

    contradict(lives(name, place), lives(name, there))
    agree(lives(name, place), lives(other, there))
    if tongue is EN and " " not in there:
        contradict(lives(name, place), lives(name, there).lower())
        contradict(lives(name, place), lives(name, there).upper())
        assert difference(lives(name, place), lives(name, place).lower()) is None


@tongues
@given(data=st.data())
@drawn
def test_marks_around_it_change_nothing(tongue, data):
    _, form, subject, (value, _) = data.draw(told(tongue))
    one = written(tongue, form.format(s=subject, v=value))
    other = (
        data.draw(st.sampled_from(tongue.before[:1] + tongue.before[-1:]))
        + one.rstrip(".。")
        + data.draw(st.sampled_from(MARKS))
    )
    agree(one, other)


# By the doors of a memory


@pytest.fixture(scope="module")
def shared():
    """A memory in which each example has a scope of its own."""
    clock = FrozenClock("2026-03-02T09:00:00Z")
    with Memory(":memory:", clock=clock) as memory:
        yield memory, clock, count()


@tongues
@given(data=st.data())
@settings(max_examples=12)
def test_a_memory_holds_back_what_contradicts_and_nothing_else(shared, tongue, data):
    memory, clock, numbers = shared
    place, form, subject, (value, other) = data.draw(told(tongue))
    scope = f"user:{next(numbers)}"
    another = data.draw(st.sampled_from([one for one in tongue.subjects if one != subject]))
    memory.add(written(tongue, form.format(s=subject, v=value)), scope=scope, type="fact", pinned=True)
    clock.advance(seconds=60)
    put = data.draw(st.sampled_from((form, *tongue.changed[place])))
    (held,) = memory.add(written(tongue, put.format(s=subject, v=other)), scope=scope, type="fact")
    assert (held.outcome, held.reasons[0].partition(":")[0]) == ("quarantined", "contradiction")
    (taken,) = memory.add(written(tongue, form.format(s=another, v=other)), scope=scope, type="fact")
    assert (taken.outcome, taken.reasons) == ("accepted", ())


@pytest.mark.parametrize("around", ["“{}”", "({})", "Note: {}", "{} 🚀", "**{}**", "{}!"])
def test_what_is_only_decorated_is_told_once_and_merged_into_what_is_not(shared, around):
    memory, clock, numbers = shared
    scope, plain = f"user:{next(numbers)}", "We meet at Ana's desk at 5 pm"
    memory.add(around.format(plain.replace("'", "’").replace(" pm", "pm")), scope=scope, type="fact")
    clock.advance(seconds=60)
    memory.add(f"{plain}.", scope=scope, type="fact")
    assert memory.context("When do we meet?", scope=scope).text.count("desk") == 1
    memory.consolidate(scope=scope)
    assert [item.content for item in memory.list(scope=scope)] == [f"{plain}."]


@pytest.mark.parametrize(
    ("settled", "said", "held"),
    [
        ("Robert lives in Oslo.", "bob lives in Riga.", True),
        ("Robert lives in Oslo.", "bob lives in riga", True),
        ("Robert lives in Oslo.", "BOB LIVES IN RIGA.", True),
        ("Robert lives in Oslo.", "bob lives in poverty", False),
        ("William lives in Oslo.", "I will live in Riga.", False),
        ("The NYC office opens at 9.", "The nyc office opens at 10.", True),
        ("The NYC office opens at 9.", "The new york city office opens at 10.", True),
        ("I live in Berlin.", "i live in riga", True),
        ("My name is Lena.", "my name is mia", True),
    ],
)
def test_names_are_known_in_any_case(shared, settled, said, held):
    memory, clock, numbers = shared
    scope = f"user:{next(numbers)}"
    memory.add(settled, scope=scope, pinned=True)
    for name, alias in (("Robert", "Bob"), ("William", "Will")):
        if name in settled:
            memory.entities.alias(name, alias, scope=scope)
    clock.advance(seconds=60)
    (verdict,) = memory.add(said, scope=scope)
    assert verdict.outcome == ("quarantined" if held else "accepted")
