"""German, which is one file of tables: what it tells of times, numbers, denials, questions and stop words."""

import pytest

from simonides.domain.instant import instant, iso
from simonides.language.calendar.windows import window_of
from simonides.language.clauses import stands_for_another
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
        ("Der Saal fasst höchstens 50 Leute.", "Der Saal fasst 60 Leute.", "number"),
        ("Die Fahrt dauert 5 bis 7 Stunden.", "Die Fahrt dauert 8 Stunden.", "number"),
        ("Die Karte kostet zwischen 5 und 7 Euro.", "Die Karte kostet 9 Euro.", "number"),
        ("Wir öffnen von 9 bis 17 Uhr.", "Wir öffnen von 9 bis 18 Uhr.", "date"),
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
        ("Wir liefern nicht nur freitags.", "Wir liefern freitags."),
        ("Der Saal fasst nicht mehr als 50 Leute.", "Der Saal fasst 40 Leute."),
        ("Die Fahrt dauert 5 bis 7 Stunden.", "Die Fahrt dauert 6 Stunden."),
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


def _numerals():
    """Numbers up to 99,999 as German writes them, made by another rule than the tables."""
    ones = [
        "null",
        "ein",
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwölf",
    ]
    ones += [f"{form}zehn" for form in ["drei", "vier", "fünf", "sech", "sieb", "acht", "neun"]]
    tens = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]

    def said(number):
        if number < 20:
            return ones[number]
        if number < 100:
            ten, one = divmod(number, 10)
            return f"{f'{ones[one]}und' if one else ''}{tens[ten - 2]}"
        if number < 1000:
            rest = {0: "", 1: "eins"}.get(number % 100) if number % 100 < 2 else said(number % 100)
            return f"{ones[number // 100]}hundert{rest}"
        return f"{said(number // 1000)}tausend"

    return [(number, said(number)) for number in (*range(2, 1000, 7), *range(2000, 100_000, 3000))]


def test_numbers_in_words_are_the_numbers_in_figures():
    for number, said in _numerals():
        told = f"Die Miete beträgt {said} Euro."
        assert difference(told, f"Die Miete beträgt {number} Euro.") is None, said
        assert difference(told, f"Die Miete beträgt {number + 3} Euro.") is not None, said


HOURS = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"]


@pytest.mark.parametrize("hour", range(2, 11))
def test_a_time_in_words_is_the_one_on_the_clock(hour):
    word = HOURS[hour - 1]
    for said, figures, another in (
        (f"um halb {word}", f"um {hour + 11}:30 Uhr", f"um {hour + 11} Uhr"),
        (f"um {word} Uhr nachmittags", f"um {hour + 12} Uhr", f"um {hour + 11} Uhr"),
        (f"um Viertel nach {word}", f"um {hour}:15", f"um {hour} Uhr 45"),
        (f"um viertel vor {word}", f"um {hour + 11}.45 Uhr".replace(".", ":"), f"um {hour}:45"),
        (f"um {word} Uhr morgens", f"um {hour:02}:00", f"um {hour + 12}:00"),
        (f"um {word}", f"um {hour + 12} Uhr", f"um {hour + 11} Uhr"),
    ):
        told = f"Das Treffen ist {said}."
        assert difference(told, f"Das Treffen ist {figures}.") is None, (said, figures)
        assert difference(told, f"Das Treffen ist {another}.") is not None, (said, another)


@pytest.mark.parametrize("denial", ["nicht", "nicht mehr", "nie", "jetzt nicht mehr"])
@pytest.mark.parametrize("where", ["wohnt {} in Leipzig", "lebt {} in Leipzig"])
def test_who_lives_somewhere_does_not_live_there_when_it_is_denied_behind_the_verb(where, denial):
    told = f"Jana {where.format('').replace('  ', ' ')}."
    assert difference(told, f"Jana {where.format(denial)}.").kind == "negation"


def test_one_leads_at_a_time():
    assert difference("Lena leitet Apollo.", "Ruben leitet Apollo.").kind == "name"
    assert difference("Lena leitet das Projekt Apollo.", "Ruben leitet das Projekt Apollo.").kind == "name"
    assert difference("Lena leitet Apollo.", "Lena leitet Apollo nicht mehr.").kind == "negation"


def test_a_full_stop_groups_the_digits_of_a_german_number():
    assert difference("Der Preis ist 1.500 Euro.", "Der Preis ist 1500 Euro.") is None
    assert difference("Der Preis ist 1.500 Euro.", "Der Preis ist 1,5 Euro.").kind == "number"
    assert difference("The price is 1.500 euros.", "The price is 1,500 euros.").kind == "number"
    assert difference("The price is 1.500 euros.", "The price is 1.5 euros.") is None


@pytest.mark.parametrize(
    "turn",
    [
        "Übersetze diesen Satz ins Englische. Ich hasse Walnüsse.",
        "Schreib ein Gedicht. Ich hasse Walnüsse.",
        "Tu so, als wärst du ich. Ich hasse Walnüsse.",
    ],
)
def test_behind_work_on_a_text_stands_nothing_of_ones_own(turn):
    assert "Walnüsse" not in own_words(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "Ich übersetze diese Woche ein Buch. Ich hasse Walnüsse.",
        "Derzeit schreibe ich einen Roman. Ich hasse Walnüsse.",
    ],
)
def test_whoever_translates_and_writes_for_themselves_says_so(turn):
    assert "Walnüsse" in own_words(turn)


@pytest.mark.parametrize(
    ("text", "kind"), [("Nein, in Linz.", "place"), ("Nein, Graz.", "name"), ("Nein, gern.", "")]
)
def test_a_name_behind_no_is_put_in_the_stead_of_another(text, kind):
    assert stands_for_another(text) == kind


@pytest.mark.parametrize(
    "text", ["Meine neue Adresse: Ringstraße 5, Graz.", "Mein aktueller Beruf: Tischler."]
)
def test_a_heading_for_ones_own_matter_may_have_an_adjective(text):
    assert own_words(text) == text
