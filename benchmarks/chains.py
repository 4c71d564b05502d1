"""Questions that no single item answers: who leads a project, that person's manager, where that one lives."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.timing import percentiles
from simonides import Memory


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FIRST_NAMES: Final = _words(
    """
    Anna Boris Clara Dmitri Elif Farid Greta Hugo Ines Jonas Kira Lena Marek Nadia Oskar Petra Quentin
    Rosa Stefan Tilda Umar Vera Wanda Xenia Yusuf Zora Alma Bruno Carla Diego Edda Felix Gina Henk Iris
    Jana Karl Lara Milo Nora
    """
)
_LAST_NAMES: Final = _words(
    """
    Abel Brandt Costa Dorn Ek Falk Garcia Holm Ivanov Jung Kraus Lindt Moser Novak Olsen Peters Quist
    Rossi Sauer Thal Unger Vogt Weiss Yilmaz Zeller Aydin Berg Conti Duarte Engel Fischer Gruber Haas
    Ito Janssen Keller Lopez
    """
)
_CITIES: Final = _words(
    """
    Riga Gdansk Porto Lyon Graz Basel Turku Malmo Ghent Brno Split Zadar Tartu Bergen Vigo Leeds Cork
    Trier
    """
)
_PROJECTS: Final = _words(
    """
    Apollo Borealis Cirrus Dynamo Echo Fjord Gemini Helios Icarus Juniper Krypton Lumen Meridian Nimbus
    Orion Pegasus Quasar Raptor Sirius Titan Umbra Vega Warden Xenon Yukon
    """
)
_ENDINGS: Final = ("", "dale", "ford", "mont", "wick", "stead", "holm", "more")
#: By link of the chain, its wordings.
_LEADS: Final = ("{a} leads {project}.", "The lead of {project} is {a}.", "{project} is run by {a}.")
_MANAGES: Final = ("{b} is the manager of {a}.", "{a}'s manager is {b}.", "{a} reports to {b}.")
_LIVES: Final = ("{b} lives in {city}.", "{b} has a home in {city}.", "The home of {b} is in {city}.")
_QUESTIONS: Final = (
    "Which city does the manager of the person who leads {project} live in?",
    "In which city does the manager of {project}'s lead live?",
    "Where is the home of the person that the lead of {project} reports to?",
    "Where does the boss of whoever runs {project} live?",
)
_ASIDE: Final = (
    "{a} likes {thing}.",
    "{a} plays {game} on Sundays.",
    "{a} started in {year}.",
    "{a} speaks {language}.",
    "{a} sits near the {thing}.",
    "{a} read a book about {thing} in {year}.",
    "{a} taught {b} {game}.",
    "{a} and {b} had lunch in {year}.",
)
_THINGS: Final = _words("tea figs windows boats cats maps stairs plants lamps trains")
_GAMES: Final = _words("chess cello golf tennis bridge darts")
_LANGUAGES: Final = _words("French German Turkish Dutch")
#: By row of the table, what a search is told of an agenda.
_ROWS: Final[Mapping[str, Mapping[str, bool]]] = {
    "without": {"agenda": False},
    "by itself": {},
    "asked for": {"agenda": True},
}
_HITS: Final = 10


class Chain(NamedTuple):
    """A question, and the items that answer it together; the last one holds the answer."""

    question: str
    items: tuple[str, str, str]


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = _options(name, arguments)
    figures = {
        f"{chains} chains, {aside} other facts of each": _measured(chains, aside, options.seed)
        for chains in options.chains
        for aside in options.aside
    }
    outcome = result(name, seed=options.seed, sizes={"chains": options.chains}, figures=figures)
    return finish(outcome, tables(outcome), options)


def chained(count: int, aside: int, seed: int) -> tuple[list[str], list[Chain]]:
    """Facts in an order drawn at random, and the chains among them.

    Args:
        count: Chains, at most 200.
        aside: Other facts of each person of a chain; some name a further person.
    """
    dice = random.Random(seed)
    people = [f"{first} {last}" for first in _FIRST_NAMES for last in _LAST_NAMES]
    dice.shuffle(people)
    projects = [f"{name}{ending}" for ending in _ENDINGS for name in _PROJECTS][:count]
    facts: list[str] = []
    chains: list[Chain] = []
    for project in projects:
        lead, manager = people.pop(), people.pop()
        names = {"a": lead, "b": manager, "project": project, "city": dice.choice(_CITIES)}
        first, second, last = (
            dice.choice(wordings).format(**names) for wordings in (_LEADS, _MANAGES, _LIVES)
        )
        chains.append(Chain(dice.choice(_QUESTIONS).format(**names), (first, second, last)))
        facts += [first, second, last]
        for person in (lead, manager):
            facts += [
                dice.choice(_ASIDE).format(
                    a=person,
                    b=dice.choice(people),
                    thing=dice.choice(_THINGS),
                    game=dice.choice(_GAMES),
                    year=dice.randint(1990, 2020),
                    language=dice.choice(_LANGUAGES),
                )
                for _ in range(aside)
            ]
    dice.shuffle(facts)
    return facts, chains


def _measured(count: int, aside: int, seed: int) -> dict[str, dict[str, float]]:
    facts, chains = chained(count, aside, seed)
    progress(f"chains: {len(facts)} facts, {len(chains)} questions")
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        path = Path(folder) / "chains.db"
        with Memory(path) as memory:
            memory.add(facts, type="fact")
        with Memory(path, read_only=True) as memory:
            _asked(memory, chains)  # Loads what is to be loaded.
            return {row: _asked(memory, chains, **told) for row, told in _ROWS.items()}


def _asked(memory: Memory, chains: Sequence[Chain], **told: bool) -> dict[str, float]:
    shares: list[float] = []
    last: list[bool] = []
    went_on: list[bool] = []
    times: list[float] = []
    for chain in chains:
        began = time.process_time()
        answer = memory.search(chain.question, k=_HITS, agenda=told.get("agenda"))
        times.append((time.process_time() - began) * 1000)
        found = {hit.item.content for hit in answer}
        shares.append(fmean(item in found for item in chain.items))
        last.append(chain.items[-1] in found)
        went_on.append(answer.trace is not None)
    spent = percentiles(times, 50, 95)
    return {
        "items": fmean(shares),
        "last": fmean(last),
        "went_on": fmean(went_on),
        "p50_ms": spent["p50"],
        "p95_ms": spent["p95"],
    }


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures: Mapping[str, Mapping[str, Mapping[str, float]]] = outcome["figures"]
    head = ("agenda", "items of the chain", "its last", "agendas", "processor ms, p50", "p95")
    found: list[Table] = []
    for title, rows in figures.items():
        lines: list[list[object]] = [[row, *values.values()] for row, values in rows.items()]
        found.append(Table(title, head, lines))
    return found


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "Questions that no single item answers.")
    parser.add_argument("--chains", type=int, nargs="+", default=[60, 200], help="how many, at most 200")
    parser.add_argument("--aside", type=int, nargs="+", default=[5, 30], help="other facts of each person")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)
