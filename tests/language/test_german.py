"""German, which is one file of tables: what it tells of times, numbers, denials, questions and stop words."""

import pytest

from simonides.domain.instant import instant, iso
from simonides.language.calendar.windows import window_of
from simonides.language.contradiction import difference
from simonides.language.sentences import read
from simonides.language.spoken import own_words
from simonides.language.terms import terms
from simonides.recall.question.asks import asks_about, expected

ASKED = instant("2023-05-17T15:30:00Z")  # a Wednesday


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Was habe ich gestern Abend gesagt?", "2023-05-16T17:00", "2023-05-17T00:00"),
        ("heute Morgen", "2023-05-17T05:00", "2023-05-17T12:00"),
        ("übermorgen", "2023-05-19T00:00", "2023-05-20T00:00"),
        ("in der letzten Nacht", "2023-05-16T18:00", "2023-05-17T06:00"),
        ("Wo waren wir vor drei Wochen?", "2023-04-23T00:00", "2023-04-30T00:00"),
        ("vor elf Tagen", "2023-05-06T00:00", "2023-05-07T00:00"),
        ("vor einem halben Jahr", "2022-10-02T00:00", "2023-01-02T00:00"),
        ("vor zweieinhalb Jahren", "2020-09-02T00:00", "2021-02-02T00:00"),
        ("am 5. März", "2023-03-05T00:00", "2023-03-06T00:00"),
        ("vom 3. bis 5. Mai", "2023-05-03T00:00", "2023-05-06T00:00"),
        ("zwischen dem 5. und dem 9. März", "2023-03-05T00:00", "2023-03-10T00:00"),
        ("im März 2022", "2022-03-01T00:00", "2022-04-01T00:00"),
        ("im März letzten Jahres", "2022-03-01T00:00", "2022-04-01T00:00"),
        ("seit April", "2023-04-01T00:00", "2023-05-18T00:00"),
        ("Ende März", "2023-03-21T00:00", "2023-04-01T00:00"),
        ("letzten Montag", "2023-05-15T00:00", "2023-05-16T00:00"),
        ("Freitagabend", "2023-05-12T17:00", "2023-05-13T00:00"),
        ("vorletzte Woche", "2023-05-01T00:00", "2023-05-08T00:00"),
        ("in den letzten drei Monaten", "2023-02-17T00:00", "2023-05-18T00:00"),
        ("am Wochenende", "2023-05-13T00:00", "2023-05-15T00:00"),
        ("im Sommer 2021", "2021-06-01T00:00", "2021-09-01T00:00"),
        ("im 3. Quartal", "2022-07-01T00:00", "2022-10-01T00:00"),
        ("Anfang des Jahres", "2023-01-01T00:00", "2023-05-03T00:00"),
    ],
)
def test_a_time_is_read_from_its_words(text, start, end):
    window = window_of(text, ASKED)
    assert (iso(window.start)[:16], iso(window.end)[:16]) == (start, end)


@pytest.mark.parametrize("text", ["guten Morgen", "jeden Montag", "Frau Sonntag", "ein Jahr", "die Mai"])
def test_words_that_name_no_time_are_no_window(text):
    assert window_of(text, ASKED) is None


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Wir liefern freitags.", "Wir liefern nicht freitags.", "negation"),
        ("Wir liefern freitags.", "Wir liefern nicht mehr freitags.", "negation"),
        ("Ich esse Fleisch.", "Ich esse kein Fleisch.", "negation"),
        ("Das Tor ist offen.", "Das Tor ist geschlossen.", "negation"),
        ("Die Miete kostet 500 Euro.", "Die Miete kostet 700 Euro.", "number"),
        ("Wir haben drei Katzen.", "Wir haben fünf Katzen.", "number"),
        ("Die Sitzung ist am 3. Mai.", "Die Sitzung ist am 4. Mai.", "date"),
        ("Die Sitzung ist am Montag.", "Die Sitzung ist am Dienstag.", "date"),
        ("Ich wohne in Graz.", "Ich wohne in Wien.", "name"),
        ("Ich heiße Ana.", "Ich heiße Eva.", "name"),
    ],
)
def test_statements_that_contradict_each_other_are_told_apart(one, other, kind):
    found = difference(one, other)
    assert found is not None
    assert found.kind == kind
    assert difference(other, one).kind == kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wir haben drei Katzen.", "Wir haben 3 Katzen."),
        ("Die Sitzung ist am 3. Mai.", "Die Sitzung ist am 3.5.2024."),
        ("Wir liefern freitags.", "Vielleicht liefern wir nicht freitags."),
        ("Ich wohne in Graz.", "Er wohnt in Wien."),
    ],
)
def test_statements_that_may_both_hold_contradict_nothing(one, other):
    assert difference(one, other) is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Wann ziehen wir um?", "time"),
        ("Wie viele Katzen haben wir?", "number"),
        ("Warum hat er gekündigt?", "reason"),
        ("Wo wohnt Ana?", "place"),
        ("Wer ist der Vermieter?", "person"),
        ("Was ist mein Beruf?", "other"),
    ],
)
def test_a_question_word_tells_what_kind_of_answer_is_expected(question, kind):
    reading = read(question)
    assert expected(reading, asks_about(reading)) == kind


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Wann sind die Hunde mit dem Ball in der Stadt?", ("Hunde", "Ball", "Stadt")),
        ("Did the plants die in the war?", ("plants", "die", "war")),
        ("Who wore the hat?", ("wore", "hat")),
    ],
)
def test_stop_words_that_english_has_too_count_in_german_only(question, found):
    assert terms(question) == found


@pytest.mark.parametrize(
    "text",
    [
        "Mein Budget: 900 Euro.",
        "Die Entscheidung ist gefallen: Wir fahren Zug.",
        "Korrektur: Ich wohne in Graz.",
    ],
)
def test_what_stands_behind_an_own_label_is_the_speakers_word(text):
    assert own_words(text)


@pytest.mark.parametrize("text", ["Meine Schwester sagte: Ich wohne in Graz.", "Eva: Ich wohne in Graz."])
def test_what_another_is_said_to_say_is_not(text):
    assert not own_words(text)
