"""Occasions that are told again and again, and the last or the first of them that a question is after."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.sentences import read
from simonides.recall.question.asks import Occasion, occasion_asked
from simonides.recall.ranking.laws import of_the_occasion
from simonides.testing import FrozenClock
from tests.recall.conftest import sketch

#: What was noted, two days apart, and by question the place of what answers it.
DIARY = {
    "en": (
        (
            "watered the plants", "gym, legs day", "the cat was sick on the rug", "changed the bed sheets",
            "watered the plants, the fern too", "gym again, shoulders", "watered all the plants",
            "the cat was sick again", "gym, just cardio", "backed up the laptop",
        ),
        {
            "when did I last water the plants?": 6,
            "when was the last time I went to the gym?": 8,
            "when did the cat last throw up?": 7,
            "when did I first go to the gym?": 1,
            "most recent time the cat was sick?": 7,
        },
    ),
    "de": (
        ("Blumen gegossen", "Fitnessstudio, Beine", "Bett frisch bezogen", "wieder im Fitnessstudio, Schultern",
         "alle Blumen gegossen", "Fitnessstudio, nur Ausdauer"),
        {
            "Wann habe ich zuletzt die Blumen gegossen?": 4,
            "Wann war ich das letzte Mal im Fitnessstudio?": 5,
            "Wann war ich zum ersten Mal im Fitnessstudio?": 1,
        },
    ),
    "fr": (
        ("j'ai arrosé les plantes", "le chat a vomi sur le tapis", "lit refait", "le chat a encore vomi",
         "arrosé toutes les plantes"),
        {
            "Quand ai-je arrosé les plantes pour la dernière fois ?": 4,
            "Quand est-ce que le chat a vomi la dernière fois ?": 3,
        },
    ),
    "es": (
        ("regué las plantas", "gimnasio, piernas", "cambié las sábanas", "regué todas las plantas",
         "gimnasio, solo cardio"),
        {
            "¿Cuándo regué las plantas por última vez?": 3,
            "¿Cuándo fui al gimnasio por última vez?": 4,
        },
    ),
    "ru": (
        ("полил цветы", "спортзал, ноги", "сменил постель", "полил все цветы", "спортзал, кардио"),
        {
            "Когда я последний раз поливал цветы?": 3,
            "Когда я последний раз был в спортзале?": 4,
        },
    ),
    "zh": (
        ("浇了花", "去健身房练腿", "换了床单", "浇了所有的花", "去健身房做有氧"),
        {"我上次浇花是什么时候?": 3, "我最近一次去健身房是什么时候?": 4},
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", DIARY)
def test_the_last_and_the_first_of_what_was_told_again_come_first(tmp_path, code):
    clock = FrozenClock("2026-05-01T09:00:00Z")
    notes, questions = DIARY[code]
    with Memory(tmp_path / "diary.db", clock=clock) as memory:
        for note in notes:
            memory.add(note)
            clock.advance(days=2)
        for question, place in questions.items():
            assert memory.search(question).hits[0].item.content == notes[place], question


def test_what_tells_itself_that_it_is_the_first_keeps_its_place(tmp_path):
    clock = FrozenClock("2026-05-01T09:00:00Z")
    told = "My first car was a green Fiesta."
    with Memory(tmp_path / "cars.db", clock=clock) as memory:
        for text in ("My car is a Skoda.", "The car is due for a service in May.", told):
            memory.add(text)
            clock.advance(days=2)
        assert memory.search("What was my first car?").hits[0].item.content == told


@pytest.mark.parametrize(
    ("question", "occasion"),
    [
        ("When did I last see Ana?", Occasion.LAST),
        ("What's the last thing I told you about my knee?", Occasion.LAST),
        ("When was the first time we met?", Occasion.FIRST),
        ("What is my last name?", None),
        ("What was my last name before I changed it?", None),
        ("Where did the first two meetings take place?", None),
        ("Who lives in Porto?", None),
        ("We last met in May. Where does she live?", None),
    ],
)
def test_what_is_asked_for_is_read_from_the_question(question, occasion):
    assert occasion_asked(read(question)) is occasion


@given(
    st.lists(
        st.tuples(st.floats(-5, 5), st.floats(0, 1), st.integers(0, 50), st.floats(0, 1)),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([None, *Occasion]),
)
def test_one_text_at_most_gains_and_none_loses(rows, occasion):
    scores, coverage, cosine = (np.array([row[column] for row in rows]) for column in (0, 1, 3))
    sketches = [sketch(key=number, content="gym", event_at=row[2]) for number, row in enumerate(rows)]
    gain = of_the_occasion(sketches, occasion, coverage, cosine, scores)
    assert (gain >= 0).all()
    assert np.count_nonzero(gain) <= (occasion is not None)
    if gain.any():
        first = int((scores + gain).argmax())
        assert gain[first] > 0
        assert (rows[first][2] - rows[int(scores.argmax())][2]) * (
            1 if occasion is Occasion.LAST else -1
        ) >= 0
