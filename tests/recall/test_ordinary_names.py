"""Names that may be ordinary words."""

import pytest

from simonides import Memory

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
