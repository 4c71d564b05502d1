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
        ("When's my next dentist appointment?", Occasion.NEXT),
        ("When do I next see Ana?", Occasion.NEXT),
        ("What do I have to do next?", None),
        ("What is the next step?", None),
        ("What do I have next week?", None),
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
    gain = of_the_occasion(sketches, occasion, coverage, cosine, scores, 60)
    assert (gain >= 0).all()
    assert np.count_nonzero(gain) <= (occasion is not None)
    if gain.any():
        first = int((scores + gain).argmax())
        assert gain[first] > 0
        assert occasion is not Occasion.NEXT  # "Gym" tells of no time to come.
        assert (rows[first][2] - rows[int(scores.argmax())][2]) * (
            1 if occasion is Occasion.LAST else -1
        ) >= 0


#: What was noted on 15 April, 13, 14 and 15 May, and the place of what answers a question on 24 May.
PLANS = {
    "en": (
        (
            "book club discussed Piranesi, next meeting 13 May at Anna's",
            "book club at Anna's, we read Stoner; next on 10 June",
            "vet for Biscuit on 2 June",
            "vet for Biscuit again on 30 June",
        ),
        {
            "when is the next book club?": 1,
            "when's my next vet appointment?": 2,
            "when do I next go to the vet?": 2,
        },
    ),
    "de": (
        (
            "Lesekreis über Piranesi, nächstes Treffen am 13. Mai bei Anna",
            "Lesekreis bei Anna, Stoner besprochen, nächstes Mal am 10. Juni",
            "Tierarzt mit Keks am 2. Juni",
            "Tierarzt mit Keks nochmal am 30. Juni",
        ),
        {"Wann ist der nächste Lesekreis?": 1, "Wann ist der nächste Termin beim Tierarzt?": 2},
    ),
    "fr": (
        (
            "club de lecture sur Piranesi, prochaine réunion le 13 mai chez Anna",
            "club de lecture chez Anna, on a parlé de Stoner ; la suite le 10 juin",
            "véto pour Biscuit le 2 juin",
            "encore le véto pour Biscuit le 30 juin",
        ),
        {"C'est quand, le prochain club de lecture ?": 1},
    ),
    "es": (
        (
            "club de lectura sobre Piranesi, la próxima reunión el 13 de mayo en casa de Ana",
            "club de lectura en casa de Ana, hablamos de Stoner; la siguiente el 10 de junio",
            "veterinario con Galleta el 2 de junio",
            "otra vez veterinario con Galleta el 30 de junio",
        ),
        {"¿Cuándo es el próximo club de lectura?": 1, "¿Cuándo es mi próxima cita con el veterinario?": 2},
    ),
    "ru": (
        (
            "книжный клуб: обсудили «Пиранези», следующая встреча 13 мая у Ани",
            "книжный клуб у Ани, говорили о «Стоунере», следующий 10 июня",
            "ветеринар с Кексом 2 июня",
            "опять ветеринар с Кексом 30 июня",
        ),
        {"Когда следующий книжный клуб?": 1, "Когда мой следующий приём у ветеринара?": 2},
    ),
    "zh": (
        (
            "读书会讨论了《皮拉内西》，下次5月13日在安娜家",
            "在安娜家开了读书会，聊了《斯通纳》，下次6月10日",
            "6月2日带饼干看兽医",
            "6月30日再带饼干看兽医",
        ),
        {"下次读书会是什么时候？": 1, "我下次看兽医是什么时候？": 2},
    ),
}


@pytest.mark.parametrize("language", PLANS)
def test_the_next_of_what_is_planned_comes_first(tmp_path, language):
    notes, questions = PLANS[language]
    clock = FrozenClock("2026-04-15T20:00:00Z")
    with Memory(tmp_path / "memory.db", clock=clock) as memory:
        for days, text in zip((28, 1, 1, 9), notes, strict=True):
            memory.add(text)
            clock.advance(days=days)
        for question, place in questions.items():
            assert memory.search(question).hits[0].item.content == notes[place], question


def test_what_is_planned_and_over_is_not_the_next(tmp_path):
    clock = FrozenClock("2026-05-01T09:00:00Z")
    with Memory(tmp_path / "memory.db", clock=clock) as memory:
        memory.add("vet for Biscuit on 12 May")
        memory.add("vet for Biscuit on 20 June")
        question = "when's my next vet appointment?"
        assert "12 May" in memory.search(question).hits[0].item.content
        clock.advance(days=20)
        assert "20 June" in memory.search(question).hits[0].item.content
