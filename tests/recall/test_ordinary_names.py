"""Names that may be ordinary words, and statements about one subject that are no versions of each other."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

GERMAN = (
    "Das Archiv im Keller wird nach sieben Tagen geleert.",
    "Für freie Zeit muss Frau Brandt vier Wochen vorher zustimmen.",
    "Nordwind Energie zahlt nach Aufwand, höchstens achtzig Stunden.",
    "Die Rechnung geht immer am letzten Werktag hinaus.",
    "Der Schlüssel zum Lager hängt beim Empfang.",
    "Die Kaffeemaschine wird jeden Freitag entkalkt.",
    "Im großen Raum gibt es keinen Beamer mehr.",
    "Besuch meldet man vorn bei Herrn Otte an.",
    "Das Lastenheft liegt beim Einkauf.",
    "Der Drucker im Flur nimmt nur dickes Papier.",
    "Für Reisen gilt das Formular R7.",
    "Die Messe war ein Fehlschlag.",
)
ENGLISH = (
    "Incoming invoices are checked by Ruth.",
    "The old shop has an API that nobody may change.",
    "Credentials come from the vault, none is in the repository.",
    "The CI machine has no graphics card.",
    "Exports are made as CSV at night.",
    "Lunch is paid by the firm on Fridays.",
    "Refunds need a second signature.",
    "The mail server moved to the new rack.",
    "Drafts live in the shared folder.",
    "Passwords change every ninety days.",
    "The lift is out of order until May.",
    "Visitors wear a yellow badge.",
)
#: What is told of one customer, and what is asked of each in other words.
OF_ONE = {
    "Meridian Foods wants invoices as PDF/A.": "what format are bills for Meridian Foods in?",
    "The contact at Meridian Foods is Lena Ortiz.": "whom do I talk to at Meridian Foods?",
    "Meridian Foods pays after sixty days.": "how long does Meridian Foods take to settle up?",
    "Meridian Foods complained about late parcels.": "what is Meridian Foods unhappy about?",
}


@pytest.mark.parametrize(
    ("facts", "question", "right"),
    [
        (GERMAN, "Wer genehmigt mir ein paar Tage Urlaub?", 1),
        (GERMAN, "Wann wird die Maschine in der Küche sauber gemacht?", 5),
        (ENGLISH, "where is the API password stored?", 2),
    ],
)
def test_an_ordinary_word_in_common_hides_nothing_that_answers(tmp_path, facts, question, right):
    with Memory(tmp_path / "memory.db") as memory:
        for fact in facts:
            memory.add(fact)
        found = [hit.item.content for hit in memory.search(question)]
    assert found[0] == facts[right], found[:3]


@pytest.mark.parametrize("turned", range(len(OF_ONE)))
def test_what_is_told_of_one_subject_over_weeks_is_no_version_of_each_other(tmp_path, turned):
    facts = list(OF_ONE)
    clock = FrozenClock("2026-01-05")
    with Memory(tmp_path / "memory.db", clock=clock) as memory:
        for fact in (*facts[turned:], *facts[:turned], *ENGLISH):
            memory.add(fact)
            clock.advance(days=5)
        found = {question: memory.search(question)[0].item.content for question in OF_ONE.values()}
    assert found == {question: fact for fact, question in OF_ONE.items()}
