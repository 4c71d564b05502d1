"""One's own in the hands of others: "My landlord raised the rent." answers "How much is my rent?"."""

from itertools import product

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

#: By language: what else is known; others; what they did with one's own, and what they have themselves, by question.
OTHERS = {
    "en": (
        ("I keep four hens.", "The gym costs 31 euros a month.", "I plan to buy a house.", "I like window seats."),
        ("My wife", "My brother", "My neighbour", "The user's boss"),
        {
            "How much is my rent?": ("paid the rent of 900 euros.", "pays a rent of 900 euros."),
            "When is my flight?": ("has booked the flight for 3 May.", "has a flight on 3 May."),
            "Where is my car?": ("parked the car behind the church.", "parked her car behind the church."),
            "What colour is my bike?": ("painted the bike green.", "bought a green bike."),
            "When do I get the keys?": ("hands over the keys on Friday.", "gets the house on Friday."),
            "Which train do I take?": ("booked the train at 7:14.", "takes the bus at 7:14."),
        },
    ),
    "de": (
        ("Ich halte vier Hühner.", "Das Fitnessstudio kostet 31 Euro.", "Ich will ein Haus kaufen.", "Ich bin Maler."),
        ("Meine Frau", "Mein Bruder", "Mein Nachbar"),
        {
            "Wann geht mein Flug?": (
                "hat den Flug für den 3. Mai gebucht.", "hat einen Flug am 3. Mai.",
            ),
            "Wann bekomme ich die Schlüssel?": ("übergibt die Schlüssel am Freitag.", "bekommt Besuch am Freitag."),
            "Wo steht mein Auto?": (
                "hat das Auto hinter der Kirche geparkt.", "hat sein Auto hinter der Kirche geparkt.",
            ),
        },
    ),
    "fr": (
        ("J'ai quatre poules.", "La salle de sport coûte 31 euros.", "Je veux acheter une maison.", "Je suis peintre."),
        ("Ma femme", "Mon frère", "Mon voisin"),
        {
            "Quand est mon vol ?": ("a réservé le vol du 3 mai.", "a un vol le 3 mai."),
            "Quand est-ce que j'ai l'entraînement ?": ("a mis l'entraînement à six heures.", "a une heure de libre."),
            "Où est ma voiture ?": ("a garé la voiture derrière l'église.", "a garé sa voiture derrière l'église."),
        },
    ),
    "es": (
        ("Tengo cuatro gallinas.", "El gimnasio cuesta 31 euros.", "Quiero comprar una casa.", "Soy pintor."),
        ("Mi mujer", "Mi hermano", "Mi vecino"),
        {
            "¿Cuándo es mi vuelo?": ("reservó el vuelo del 3 de mayo.", "tiene un vuelo el 3 de mayo."),
            "¿Cuándo tengo el entrenamiento?": ("pasó el entrenamiento a las seis.", "tiene una hora libre."),
            "¿Dónde está mi coche?": (
                "aparcó el coche detrás de la iglesia.", "aparcó su coche detrás de la iglesia.",
            ),
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
def test_what_others_did_with_ones_own_is_found_and_what_they_have_is_not_taken_for_it(tmp_path, language):
    known, others, told = OTHERS[language]
    wrong = []
    for number, (who, (question, does)) in enumerate(product(others, told.items())):
        for what, ones_own in zip(does, (True, False), strict=True):
            path = tmp_path / f"{number}-{ones_own}.db"
            with Memory(path, clock=FrozenClock("2026-06-01T00:00:00Z")) as memory:
                memory.add([*known, f"{who} {what}"])
                found = memory.search(question)
            if (found.hits[0].item.content == f"{who} {what}") is not ones_own:
                wrong.append((question, who, what))
    assert wrong == []
