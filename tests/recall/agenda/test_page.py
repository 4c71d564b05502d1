"""The page about the agenda: its examples work, and its numbers are the code's."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from simonides.recall.agenda.operators import OPERATORS
from simonides.recall.agenda.search import Agenda
from simonides.recall.agenda.settings import AgendaSettings

PAGE = Path(__file__).parents[3] / "docs" / "agenda.md"


@pytest.fixture(scope="module")
def page():
    return PAGE.read_text("utf-8")


@pytest.fixture(scope="module")
def shown(page):
    """Names that the page's Python defines."""
    names = {"__name__": "page"}
    exec("\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)), names)
    return names


@pytest.fixture
def run(fake):
    def of(items, **parts):
        goal = fake.goal("who leads Apollo?", items, entities=["Apollo"])
        return Agenda(clock=fake.time(), **parts).run(goal, fake.ground(goal, items))

    return of


def test_the_scorer_of_the_page_prefers_documents(run, fake, shown):
    items = [fake.sketch(1, "Lena leads Apollo.", type="chunk")]
    assert run(items, scorer=shown["Documented"]()).best.score == pytest.approx(run(items).best.score + 0.1)


def test_the_validator_of_the_page_knows_what_was_signed(run, fake, shown):
    items = [fake.sketch(1, "Lena leads Apollo.", type="decision"), fake.sketch(2, "Ana leads Apollo.")]
    assert run(items, validator=shown["Ledger"]({"Lena leads Apollo."})).refuted == ()
    alone = run(items[:1], validator=shown["Ledger"](set()))
    assert alone.refuted == (1,)


def test_every_operator_is_explained(page):
    assert [operator.__name__ for operator in OPERATORS if f"| `{operator.__name__}` |" not in page] == []


def test_every_setting_is_there_with_its_default(page):
    rows = re.findall(r"^\| (`[^|]*`) \| ([^|]*) \|", page, re.MULTILINE)
    told = {}
    for names, values in rows:
        told |= zip(re.findall(r"`(\w+)`", names), re.findall(r"[\d.]+", values), strict=False)
    settings = {name: value for name, value in asdict(AgendaSettings()).items() if name != "weights"}
    assert {name: float(told[name]) for name in settings} == settings
    formula = re.search(r"S = (.*)", page)[1]
    weights = asdict(AgendaSettings())["weights"].values()
    assert [float(number) for number in re.findall(r"\d\.\d\d", formula)] == list(weights)
