"""A claim about the user is borne out by a turn that says the same words of the same person."""

import pytest

from simonides.governance.bearing import bears_out, tells_of_the_user


@pytest.mark.parametrize(
    ("turn", "claim"),
    [
        ("Ich wohne in Graz und ich arbeite bei Acme.", "Ich wohne in Graz."),
        ("Übrigens, ich bin sehr allergisch gegen Nüsse.", "Ich bin allergisch gegen Nüsse."),
        ("Vivo en Graz.", "Vivo en Graz."),
        ("Yo vivo en Graz.", "Vivo en Graz."),
        ("Soy muy alérgica a las nueces.", "Soy alérgica a las nueces."),
        ("Mi perro es negro.", "Mi perro es negro."),
    ],
)
def test_the_same_words_of_the_same_person_bear_a_claim_out(turn, claim):
    assert bears_out(turn, claim)


@pytest.mark.parametrize(
    ("turn", "claim"),
    [
        ("Ich wohne nicht in Graz.", "Ich wohne in Graz."),
        ("Mein Bruder wohnt in Graz.", "Ich wohne in Graz."),
        ("Ich wohnte in Graz.", "Ich wohne in Graz."),
        ("Ich würde in Graz wohnen.", "Ich wohne in Graz."),
        ("Vive en Graz.", "Vivo en Graz."),
        ("No vivo en Graz.", "Vivo en Graz."),
        ("Ya no vivo en Graz.", "Vivo en Graz."),
        ("Vivía en Graz.", "Vivo en Graz."),
        ("Mi hermano vive en Graz.", "Vivo en Graz."),
        ("Mi perro es negro.", "Tu perro es negro."),
        ("Quizás vivo en Graz.", "Vivo en Graz."),
    ],
)
def test_another_person_time_or_certainty_does_not(turn, claim):
    assert not bears_out(turn, claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Ich wohne in Graz.",
        "Der Nutzer wohnt in Graz.",
        "Vivo en Graz.",
        "Soy alérgico a las nueces.",
        "El usuario vive en Graz.",
        "Mi hermana vive en Graz.",
    ],
)
def test_a_claim_about_the_user_is_known_as_one(claim):
    assert tells_of_the_user(claim)


@pytest.mark.parametrize("claim", ["Die Tür ist blau.", "La puerta es azul.", "Graz es una ciudad."])
def test_a_claim_about_something_else_is_none(claim):
    assert not tells_of_the_user(claim)
