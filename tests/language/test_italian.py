"""Italian: whose words stand in a turn, and what it does."""

import pytest

from simonides.language.spoken import own_words
from simonides.recall.question.speech import Act, act

OWN = "Vivo a Trieste."
NOT_OWN = "Odio le noci."


@pytest.mark.parametrize(
    "turn",
    [
        f"{OWN}\nMia sorella ha scritto: {NOT_OWN}",
        f"{OWN}\nIl 3 marzo 2026 Anna ha scritto:\n{NOT_OWN}",
        f"{OWN}\nMessaggio inoltrato\n{NOT_OWN}",
        f"{OWN}\nOggetto: noci\n{NOT_OWN}",
        f"{OWN}\nGentile signora Rossi,\n{NOT_OWN}\nCordiali saluti\nAnna",
        f"{OWN}\nCosa ne pensi di questa frase: {NOT_OWN}",
        f"Traduci questa lettera. {NOT_OWN}",
        f"Scrivi una poesia. {NOT_OWN}",
        f"Immagina di vivere sola. {NOT_OWN}",
        f"{OWN} Ad esempio: {NOT_OWN}",
    ],
)
def test_what_a_turn_hands_on_is_not_its_senders_word(turn):
    assert "noci" not in own_words(turn)


@pytest.mark.parametrize(
    "turn",
    [
        f"{OWN} {NOT_OWN}",
        f"Ricorda: {NOT_OWN}",
        f"Il Sig. Rossi viene domani. {NOT_OWN}",
        "Mia: I hate walnuts, noci.",
    ],
)
def test_what_is_said_of_oneself_is_kept_and_a_name_is_no_pronoun(turn):
    assert ("noci" in own_words(turn)) is not turn.startswith("Mia")


@pytest.mark.parametrize(
    ("done", "text"),
    [
        (Act.ASKS, "Dov'è la chiave"),
        (Act.ASKS, "Ricordami dove ho messo la chiave"),
        (Act.ASKS, "Puoi dirmi come si chiama il gatto"),
        (Act.KNOWS_NOT, "Non lo so."),
        (Act.KNOWS_NOT, "Non ricordo dove abita Anna."),
        (Act.ACKNOWLEDGES, "Grazie mille!"),
        (Act.ACKNOWLEDGES, "Va bene, a presto"),
        (Act.STATES, "Non bevo caffè."),
        (Act.STATES, "Quando piove resto a casa e leggo."),
        (Act.STATES, "So dove abita Anna: a Trieste."),
    ],
)
def test_what_a_text_does_is_told_from_its_words(done, text):
    assert act(text) is done
