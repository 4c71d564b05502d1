"""Times that statements tell of, counted from when they were told."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US, instant, to_datetime
from simonides.language.calendar.told import coming, told_windows, words_naming
from simonides.language.calendar.windows import EARLIEST, LATEST, window_of
from simonides.language.sentences import read

#: A Monday.
TOLD = instant("2026-05-18T09:00:00Z")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def days(text, at=TOLD):
    return [
        (str(to_datetime(one.start))[:10], (one.end - one.start + DAY_US - 1) // DAY_US)
        for one in told_windows(text, at)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dentist on thursday at 11", [("2026-05-21", 1)]),
        ("dentist Friday 4 pm", [("2026-05-22", 1)]),
        ("we had pizza with the Grants on sunday", [("2026-05-17", 1)]),
        ("I ran 8k last Saturday", [("2026-05-16", 1)]),
        ("The boiler man comes tomorrow between 8 and 12", [("2026-05-19", 1)]),
        ("I'm flying to Oslo on 4 June", [("2026-06-04", 1)]),
        ("The wedding was on 4 June", [("2025-06-04", 1)]),
        ("my parents visit next weekend", [("2026-05-30", 2)]),
        ("Check-up done, next one 14 October", [("2026-10-14", 1)]),
        ("Delia resigned, her last day is 29 May.", [("2026-05-29", 1)]),
        ("On Friday, we had pizza", [("2026-05-15", 1)]),
        ("Zahnarzt war gut, nächster Termin am 14. Oktober", [("2026-10-14", 1)]),
        (
            "Corrí 8 km el domingo, la próxima carrera es el 3 de junio",
            [("2026-05-17", 1), ("2026-06-03", 1)],
        ),
        ("rent is due on the 1st", [("2026-06-01", 1)]),
        ("We met on Friday. The next one is on Tuesday.", [("2026-05-15", 1), ("2026-05-19", 1)]),
        ("Am 4. Juni fliege ich nach Oslo", [("2026-06-04", 1)]),
        ("Der Klempner war am Freitag da", [("2026-05-15", 1)]),
        ("Le concert est samedi à la mairie", [("2026-05-23", 1)]),
        ("J'ai couru 8 km samedi", [("2026-05-16", 1)]),
        ("Le plombier est passé vendredi", [("2026-05-15", 1)]),
        ("Tengo dentista el jueves", [("2026-05-21", 1)]),
        ("Corrí 8 km el sábado", [("2026-05-16", 1)]),
        ("В четверг к стоматологу", [("2026-05-21", 1)]),
        ("4 июня лечу в Осло", [("2026-06-04", 1)]),
        ("В субботу пробежал 8 км", [("2026-05-16", 1)]),
        ("周四上午去看牙医", [("2026-05-21", 1)]),
        ("我周六跑了8公里", [("2026-05-16", 1)]),
        ("2023: moved to Berlin", [("2023-01-01", 365)]),
        ("I may spring a leak, march on", []),
        ("The cat hates the vacuum cleaner.", []),
        ("", []),
    ],
)
def test_a_time_is_counted_from_when_it_was_told_and_by_the_tense_of_its_sentence(text, expected):
    assert days(text) == expected


@given(st.integers(0, 6), st.integers(0, 3_000), st.booleans())
def test_a_day_of_the_week_is_the_last_one_in_the_past_and_else_the_next(number, later, past):
    at = TOLD + later * DAY_US
    text = f"{'We met' if past else 'We meet'} on {WEEKDAYS[number]}."
    ((day, length),) = days(text, at)
    then = datetime.fromisoformat(day).replace(tzinfo=UTC)
    apart = (then.date() - to_datetime(at).date()) / timedelta(days=1)
    assert length == 1
    assert then.weekday() == number
    assert -7 < apart <= 0 if past else 0 <= apart < 7


@given(st.text(max_size=300), st.integers(EARLIEST, LATEST))
def test_whatever_a_text_holds_its_times_are_windows(text, at):
    assert all(one.start < one.end for one in told_windows(text, at))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What do I have on Saturday?", "2026-05-23"),
        ("What's on the 1st?", "2026-06-01"),
        ("Am I free on 4 June?", "2026-06-04"),
        ("What's due in June?", "2026-06-01"),
        ("Was mache ich am Samstag?", "2026-05-23"),
        ("¿Qué hago el sábado?", "2026-05-23"),
    ],
)
def test_the_coming_one_of_a_time_is_the_next_that_begins(question, expected):
    found = coming(read(question), TOLD)
    assert str(to_datetime(found.start))[:10] == expected


def test_words_for_a_day_are_its_weekday_its_number_and_its_month():
    day = window_of("on 4 June 2026", TOLD)
    assert words_naming(day, "en") == ("thursday", "june", "4")
    assert words_naming(day, "de") == ("donnerstag", "juni", "4")
    assert "周四" in words_naming(day, "zh")
    month = window_of("in June 2026", TOLD)
    assert words_naming(month, None) == ("june",)
