"""Times that a question names by an event, and the days that are meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US, instant
from simonides.language.calendar.events import event_time
from simonides.language.calendar.rule import TimeRelation
from simonides.language.calendar.told import time_told
from simonides.language.calendar.windows import EARLIEST, LATEST, placed_window
from simonides.language.sentences import read

AFTER, BEFORE, SINCE, IN = TimeRelation.AFTER, TimeRelation.BEFORE, TimeRelation.SINCE, TimeRelation.IN
EVENT = instant("2026-03-11T15:00:00Z")
NOW = instant("2026-04-20T12:00:00Z")


@pytest.mark.parametrize(
    ("question", "event", "rest", "relation"),
    [
        ("what did we change the day before the outage?", "the outage", "what did we change", BEFORE),
        ("After the outage, what did we change?", "the outage", "what did we change", AFTER),
        ("what has Hana done since she joined?", "she joined", "what has Hana done", SINCE),
        ("what happened while the audit was going on?", "the audit was going on", "what happened", IN),
        ("Was habe ich vor dem Umzug gekauft?", "dem Umzug", "Was habe ich gekauft", BEFORE),
        ("Was ist passiert, nachdem ich umgezogen bin?", "ich umgezogen bin", "Was ist passiert", AFTER),
        ("Was ist seit der Hochzeit passiert?", "der Hochzeit", "Was ist passiert", SINCE),
        ("Que s'est-il passé le lendemain du mariage ?", "mariage", "Que s'est-il passé", AFTER),
        ("J'ai fait quoi avant de déménager ?", "déménager", "J'ai fait quoi", BEFORE),
        ("¿Qué pasó al día siguiente de la caída?", "la caída", "Qué pasó", AFTER),
        ("¿Qué ha pasado desde que me mudé?", "me mudé", "Qué ha pasado", SINCE),
        ("Что было на следующий день после свадьбы?", "свадьбы", "Что было", AFTER),
        ("Что произошло с тех пор, как я переехала?", "я переехала", "Что произошло", SINCE),
        ("搬家前一周我做了什么？", "搬家", "我做了什么", BEFORE),
        ("手术之后发生了什么？", "手术", "发生了什么", AFTER),
    ],
)
def test_an_event_and_the_rest_are_told_apart(
    question: str, event: str, rest: str, relation: TimeRelation
) -> None:
    found = event_time(read(question), placed_window(read(question), NOW))
    assert found is not None
    assert (found.event, found.rest, found.relation) == (event, rest, relation)


@pytest.mark.parametrize(
    "question",
    [
        "What do I do before I leave?",  # Whenever one leaves.
        "What should we do after the outage?",
        "What did I do before that?",
        "What did I do since Monday?",
        "What did I do the day before yesterday?",
        "What did I do the week before 5 March?",
        "What happened after all?",
        "How long after the move did I get the cat?",
        "Mit wem bin ich nach Triest gefahren?",
        "We moved. What did I do the day after the move?",
        "what is my name?",
        "",
    ],
)
def test_no_event_names_a_time(question: str) -> None:
    reading = read(question)
    assert event_time(reading, placed_window(reading, NOW)) is None


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what did we do the day before the outage?", "2026-03-10", "2026-03-10"),
        ("what did we do the day after the outage?", "2026-03-12", "2026-03-12"),
        ("what did we do on the day of the outage?", "2026-03-11", "2026-03-11"),
        ("what did we do the morning after the outage?", "2026-03-12", "2026-03-12"),
        ("what did we do three days after the outage?", "2026-03-14", "2026-03-14"),
        ("what did we do in the week before the outage?", "2026-03-04", "2026-03-10"),
        ("what did we do in the week after the outage?", "2026-03-12", "2026-03-18"),
        ("what did we do the weekend after the outage?", "2026-03-14", "2026-03-15"),
        ("what did we do the weekend before the outage?", "2026-03-07", "2026-03-08"),
        ("what did we do a week before the outage?", "2026-03-01", "2026-03-07"),
        ("Was haben wir am Tag nach dem Ausfall gemacht?", "2026-03-12", "2026-03-12"),
        ("Was haben wir zwei Tage vor dem Ausfall gemacht?", "2026-03-09", "2026-03-09"),
        ("Qu'est-ce qu'on a fait la veille de la panne ?", "2026-03-10", "2026-03-10"),
        ("Qu'est-ce qu'on a fait deux jours après la panne ?", "2026-03-13", "2026-03-13"),
        ("¿Qué hicimos el día antes de la avería?", "2026-03-10", "2026-03-10"),
        ("¿Qué hicimos tres días después de la avería?", "2026-03-14", "2026-03-14"),
        ("Что мы делали накануне аварии?", "2026-03-10", "2026-03-10"),
        ("Что мы делали через три дня после аварии?", "2026-03-14", "2026-03-14"),
        ("停机第二天我们做了什么？", "2026-03-12", "2026-03-12"),
        ("停机三天后我们做了什么？", "2026-03-14", "2026-03-14"),
    ],
)
def test_days_are_counted_from_the_event(question: str, first: str, last: str) -> None:
    found = event_time(read(question), placed_window(read(question), NOW))
    assert found is not None
    window = found.window(EVENT, EVENT + 1, NOW)
    assert window is not None
    assert (window.start, window.end) == (
        instant(f"{first}T00:00:00Z"),
        instant(f"{last}T00:00:00Z") + DAY_US,
    )


def test_times_with_one_end_begin_or_end_at_the_event() -> None:
    for question, bounds in (
        ("what happened before the outage?", (EARLIEST, EVENT)),
        ("what happened after the outage?", (EVENT + 1, NOW + 1)),
        ("what happened since the outage?", (EVENT + 1, NOW + 1)),
    ):
        found = event_time(read(question))
        assert found is not None
        window = found.window(EVENT, EVENT + 1, NOW)
        assert window is not None
        assert (window.start, window.end) == bounds


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("My parents visit on Saturday.", "2026-05-16"),
        ("I moved yesterday.", "2026-05-13"),
        ("Delia resigned, her last day is 29 May.", None),
        ("The dentist is on Friday, the vet on Saturday.", None),
        ("The cat hates the vacuum cleaner.", None),
    ],
)
def test_the_time_of_what_is_told(text: str, first: str | None) -> None:
    found = time_told(text, instant("2026-05-14T17:00:00Z"))
    assert (found and found.start) == (first and instant(f"{first}T00:00:00Z"))


WORDS = [
    "what did I do", "we change", "the day", "before", "after", "since", "the outage", ",", "?", "9999", "years", "two",
    "a couple of", "weeks", "weekend", "on 5 May", "während", "nach dem", "Umzug", "Tag vor", "gemacht",
    "le lendemain du", "trois jours avant", "el día después de", "la mudanza", "что было", "после", "за неделю до",
    "накануне", "搬家", "前一周", "十十天后", "第二天", "之后", "发生了什么",
]  # fmt: skip


@given(
    st.lists(st.sampled_from(WORDS), max_size=14),
    st.sampled_from([" ", ""]),
    st.sampled_from([NOW, 0, EARLIEST, LATEST]),
)
def test_whatever_is_asked_at_whatever_time_nothing_is_raised(words: list[str], blank: str, at: int) -> None:
    reading = read(blank.join(words))
    found = event_time(reading, placed_window(reading, at))
    window = found and found.window(at, at + 1, at)
    assert window is None or window.start < window.end
