"""Questions that name their time by an event, over diaries that were written day by day."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.testing import FrozenClock

#: By language: the day of March and what was noted, and by question what answers it.
DIARIES = {
    "en": (
        (
            (2, "Merged the new rate limiter behind a flag."),
            (6, "Dropped the legacy_orders table."),
            (9, "Turned the rate limiter on for ten percent of the tenants."),
            (10, "Outage: the checkout API returned 502 for forty minutes."),
            (11, "Raised the pool size to 80."),
            (13, "Hana joined the team, she takes over the mobile app."),
            (19, "Audit by Nordlys began."),
            (20, "Gave the auditors read access to the change log."),
            (24, "The audit ended with three minor findings."),
            (26, "Moved the cron jobs to the scheduler."),
            (28, "Hana shipped dark mode."),
        ),
        {
            "what did we change the day before the outage?": "ten percent",
            "what did we do after the outage?": "pool size",
            "what happened in the week before the outage?": "ten percent or legacy_orders",
            "did we touch the database before the outage?": "legacy_orders",
            "what has Hana done since she joined?": "dark mode",
            "what did we do while the audit was going on?": "read access",
            "what was the first thing we did after the audit ended?": "cron jobs",
        },
    ),
    "de": (
        (
            (2, "Habe den Mietvertrag für die Bergstraße unterschrieben."),
            (6, "Mit Jonas im Kino gewesen."),
            (13, "Umzug in die Bergstraße, sechs Freunde haben geholfen."),
            (14, "Alles tut weh, wir haben Pizza auf Kartons gegessen."),
            (27, "Die Probezeit ist vorbei, ich bleibe bei Vogt."),
            (28, "Wir haben im Biergarten gefeiert."),
        ),
        {
            "Was war am Tag nach dem Umzug?": "Pizza",
            "Was habe ich in der Woche vor dem Umzug gemacht?": "Kino",
            "Was haben wir nach dem Ende der Probezeit gemacht?": "Biergarten",
            "Was habe ich vor dem Umzug unterschrieben?": "Mietvertrag",
        },
    ),
    "fr": (
        (
            (2, "J'ai signé le bail rue Lamarck."),
            (6, "Ciné avec Paul."),
            (13, "Déménagement rue Lamarck, six amis m'ont aidée."),
            (14, "J'ai mal partout, on a mangé des pizzas sur les cartons."),
            (27, "Ma période d'essai est finie."),
            (28, "On a fêté ça en terrasse."),
        ),
        {
            "Qu'est-ce qui s'est passé le lendemain du déménagement ?": "pizzas",
            "Qu'est-ce que j'ai fait la semaine avant le déménagement ?": "Ciné",
            "Qu'ai-je fait après la fin de ma période d'essai ?": "terrasse",
        },
    ),
    "es": (
        (
            (2, "Firmé el contrato del piso de la calle Toledo."),
            (6, "Cine con Pablo."),
            (13, "Mudanza a la calle Toledo, me ayudaron seis amigos."),
            (14, "Me duele todo, cenamos pizza encima de las cajas."),
            (27, "Se acabó el periodo de prueba."),
            (28, "Lo celebramos en una terraza."),
        ),
        {
            "¿Qué pasó el día después de la mudanza?": "pizza",
            "¿Qué hice la semana antes de la mudanza?": "Cine",
            "¿Qué hice después de que acabara el periodo de prueba?": "terraza",
        },
    ),
    "ru": (
        (
            (2, "Подписала договор на квартиру на Лесной."),
            (6, "Ходили с Пашей в кино."),
            (13, "Переезд на Лесную, помогали шесть друзей."),
            (14, "Всё болит, ели пиццу на коробках."),
            (27, "Испытательный срок закончился."),
            (28, "Отметили на веранде."),
        ),
        {
            "Что было на следующий день после переезда?": "пиццу",
            "Что я делала за неделю до переезда?": "кино",
            "Что мы делали после испытательного срока?": "веранде",
        },
    ),
    "zh": (
        (
            (2, "签了望京那套房子的租约。"),
            (6, "和小周看了一部电影。"),
            (13, "今天搬家到望京，六个朋友来帮忙。"),
            (14, "浑身疼，坐在箱子上吃披萨。"),
            (27, "试用期结束了。"),
            (28, "大家去露台庆祝。"),
        ),
        {
            "搬家第二天发生了什么？": "披萨",
            "搬家前一周我做了什么？": "电影",
            "试用期结束后我们做了什么？": "露台",
        },
    ),
}


@contextmanager
def diary(path: Path, notes: Sequence[tuple[int, str]], *, turns: bool = False) -> Generator[Memory]:
    """A store of notes, each written on its day of March, and asked on 1 April."""
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with Memory(path, clock=clock) as memory:
        today = 1
        for day, text in notes:
            clock.advance(days=day - today)
            today = day
            if turns:
                memory.add([{"role": "user", "content": text}], session_id=f"day {day}")
            else:
                memory.add(text)
        clock.advance(days=32 - today)
        yield memory


@pytest.mark.parametrize("turns", [False, True], ids=["notes", "turns"])
@pytest.mark.parametrize("language", DIARIES)
def test_what_happened_then_comes_first(tmp_path: Path, language: str, turns: bool) -> None:
    notes, questions = DIARIES[language]
    with diary(tmp_path / "memory.db", notes, turns=turns) as memory:
        first = {question: memory.search(question).hits[0].item.content for question in questions}
    wrong = {
        question: text
        for question, text in first.items()
        if not any(word in text for word in questions[question].split(" or "))
    }
    assert not wrong


ACTIVITIES = (
    "baked sourdough",
    "fixed the bicycle",
    "planted tulips",
    "called the bank",
    "painted the fence",
    "watched a heron",
    "sorted old photos",
    "bought a kettle",
    "mended the blue jacket",
    "swam in the lake",
    "cooked lentils",
    "repaired the doorbell",
    "wrote to Aunt Petra",
    "cleaned the gutters",
    "picked blackberries",
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.permutations(ACTIVITIES), st.integers(5, 9), st.integers(1, 4), st.sampled_from(["before", "after"])
)
def test_any_day_before_or_after_an_event(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], place: int, days: int, side: str
) -> None:
    path = tmp_path_factory.mktemp("diary") / "memory.db"
    notes = [*order[:place], "Grandma's funeral in Kassel", *order[place:]]
    number = ("one day", "two days", "three days", "four days")[days - 1]
    with diary(path, [(day, text) for day, text in enumerate(notes, 1)]) as memory:
        result = memory.search(f"What did I do {number} {side} the funeral?")
    assert result.hits[0].item.content == notes[place + (days if side == "after" else -days)]
    assert not result.abstained


def test_of_a_day_of_which_nothing_is_told_it_is_said(tmp_path: Path) -> None:
    notes, _ = DIARIES["en"]
    with diary(tmp_path / "memory.db", notes) as memory:
        assert memory.search("what did we do the day before the audit began?").abstained
        assert not memory.search("what did we do the day after the audit began?").abstained


def test_an_event_in_a_talk_is_looked_for_with_what_came_of_it(tmp_path: Path) -> None:
    talk = (
        "We had a small accident on the road trip.",
        "Mel felt terrified after the accident, and grateful for her family.",
        "Then we drove on to the canyon.",
    )
    with Memory(tmp_path / "memory.db", clock=FrozenClock("2026-03-01T12:00:00Z")) as memory:
        for role in ("user", "assistant"):
            memory.add(
                [{"role": role, "content": text} for text in talk],
                session_id=f"of {role}",
                scope=f"talk:{role}",
            )
        for scope in ("user", "assistant"):
            result = memory.search("How did Mel feel after the accident?", scope=f"talk:{scope}")
            assert result.hits[0].item.content == talk[1]


def test_the_time_that_was_meant_is_shown(tmp_path: Path) -> None:
    notes, _ = DIARIES["en"]
    with diary(tmp_path / "memory.db", notes) as memory:
        result = memory.search("what did we change the day before the outage?")
    assert result.analysis["window"] == [
        "2026-03-09T00:00:00Z",
        "2026-03-10T00:00:00Z",
        "the day before the outage",
    ]
