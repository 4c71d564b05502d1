"""Precision and recall of the extraction without a model, on labelled turns.

A statement is right where nearly all of its words are labelled in its turn, or where it holds most words of a label
and not much else: the rest of a sentence is no error. A label is found where right statements of its turn hold most of
its words. The type counts by itself: what is found under another type is found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from statistics import median
from typing import Any, Final

from benchmarks.measures import share_interval
from benchmarks.report import Table, finish, options_of, result
from benchmarks.timing import times_ms
from simonides import sample
from simonides.domain.item import Item
from simonides.domain.scope import GLOBAL
from simonides.domain.text import CJK
from simonides.writing.extract import Statement, statements
from simonides.writing.intake import message

HALVES: Final = ("development", "held-out")
_AT: Final = 1_767_225_600_000_000
#: Share of a statement's words that are labelled, where it is a part of what was labelled.
_RIGHT: Final = 0.8
#: Share of a label's words that must be found, and of a statement's words that are labelled then.
_FOUND: Final = 0.6
_MOSTLY: Final = 0.45
_WORD: Final = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:['’][^\W_{CJK}]+)*")


@dataclass(frozen=True, slots=True)
class Label:
    """Something that a turn states."""

    turn: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Guess:
    """Something that was taken for a statement."""

    turn: str
    type: str
    text: str


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, "Precision and recall of the extraction without a model, by type and language.")
    parser.add_argument("--half", choices=HALVES, help="one half only; both if not given")
    parser.add_argument("--misses", action="store_true", help="list what is wrong or missed")
    options = parser.parse_args(arguments)
    halves = HALVES if options.half is None else (options.half,)
    outcome = measure(halves, misses=options.misses)
    return finish(outcome, tables(outcome), options)


def measure(halves: Sequence[str] = HALVES, *, misses: bool = False) -> dict[str, Any]:
    """Precision and recall on halves of the labelled turns that come with the package."""
    figures: dict[str, Any] = {}
    sizes: dict[str, Any] = {}
    for half in halves:
        rows = [row for row in labelled() if row["half"] == half]
        sizes[half] = {"turns": len(rows), "without": sum(not row["keep"] for row in rows)}
        figures[half] = _figures(rows, misses=misses)
    figures["ms_a_turn"] = _time(labelled())
    return result("extract", seed=None, sizes=sizes, figures=figures)


def labelled() -> list[Mapping[str, Any]]:
    """Turns with what they state: id, chat, half, language, role, name, text, keep (type and text of each)."""
    text = (files(sample) / "extraction.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def judged(labels: Sequence[Label], guesses: Sequence[Guess]) -> tuple[list[bool], list[bool], list[bool]]:
    """Judge which guesses are right, which labels are found, and which of these under their own type."""
    words = {label: _words(label.text) for label in labels}
    right: list[bool] = []
    covered: dict[Label, set[str]] = {label: set() for label in labels}
    typed: dict[Label, bool] = dict.fromkeys(labels, False)
    for guess in guesses:
        said = _words(guess.text)
        own = [label for label in labels if label.turn == guess.turn]
        known = set[str]().union(*(words[label] for label in own))
        holds = any(len(said & words[label]) >= _FOUND * len(words[label]) for label in own)
        least = _MOSTLY if holds else _RIGHT
        right.append(bool(said) and len(said & known) >= least * len(said))
        if right[-1]:
            for label in own:
                covered[label] |= said & words[label]
                typed[label] |= guess.type == label.type and bool(said & words[label])
    found = [len(covered[label]) >= _FOUND * len(words[label]) for label in labels]
    return right, found, [hit and typed[label] for hit, label in zip(found, labels, strict=True)]


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    shown: list[Table] = []
    for half in HALVES:
        figures = outcome["figures"].get(half)
        if figures is None:
            continue
        rows: list[list[object]] = [
            [group, one["stated"], one["found"], one["right"], one["precision"], one["recall"], one["typed"]]
            for group, one in figures["groups"].items()
        ]
        size = outcome["sizes"][half]
        title = f"{half}: {size['turns']} turns, {size['without']} of them with nothing to keep"
        head = ("", "stated", "found", "right", "precision", "recall", "recall with its type")
        shown.append(Table(title, head, rows))
        if "misses" in figures:
            rows = [[kind, turn, text] for kind, turn, text in figures["misses"]]
            shown.append(Table(f"{half}: wrong or missed", ("", "turn", "text"), rows))
    return shown


def _figures(rows: Sequence[Mapping[str, Any]], *, misses: bool) -> dict[str, Any]:
    labels = [Label(row["id"], one["type"], one["text"]) for row in rows for one in row["keep"]]
    guesses = _guesses(rows)
    right, found, typed = judged(labels, guesses)
    language = {row["id"]: row["language"] for row in rows}
    groups: dict[str, Any] = {}
    names = ["all", *sorted(set(language.values())), *sorted({label.type for label in labels})]
    for name in names:

        def counts(turn: str, kind: str, name: str = name) -> bool:
            return name in {"all", language[turn], kind}

        mine = [hit for hit, guess in zip(right, guesses, strict=True) if counts(guess.turn, guess.type)]
        places = [n for n, label in enumerate(labels) if counts(label.turn, label.type)]
        groups[name] = {
            "stated": len(places),
            "found": len(mine),
            "right": sum(mine),
            "precision": _share(mine),
            "recall": _share([found[n] for n in places]),
            "typed": _share([typed[n] for n in places]),
        }
    told: dict[str, Any] = {"groups": groups}
    if mine := list(right):
        told["precision_interval"] = share_interval(sum(mine), len(mine))
    if misses:
        told["misses"] = [
            *(
                ["wrong", guess.turn, guess.text]
                for guess, hit in zip(guesses, right, strict=True)
                if not hit
            ),
            *(
                ["missed", label.turn, label.text]
                for label, hit in zip(labels, found, strict=True)
                if not hit
            ),
        ]
    return told


def _guesses(rows: Sequence[Mapping[str, Any]]) -> list[Guess]:
    guesses: list[Guess] = []
    for turns, ids in _chats(rows):
        for statement in statements(turns):
            guesses.append(Guess(ids[statement.source_ids[0]], statement.type, _own(statement)))
    return guesses


def _own(statement: Statement) -> str:
    """A statement without the name of who said it, which is no part of the turn."""
    return statement.content.partition(": ")[2] if statement.entities else statement.content


def _chats(rows: Iterable[Mapping[str, Any]]) -> list[tuple[list[Item], dict[str, str]]]:
    """Turns chat by chat, as they would be recorded, with their ids among the rows."""
    chats: dict[str, tuple[list[Item], dict[str, str]]] = {}
    for row in rows:
        said = message({"role": row["role"], "content": row["text"], "name": row.get("name")})
        if said.skipped is None:
            turn = said.episode(GLOBAL, row["chat"], _AT)
            turns, ids = chats.setdefault(row["chat"], ([], {}))
            turns.append(turn)
            ids[turn.id] = row["id"]
    return list(chats.values())


def _time(rows: Sequence[Mapping[str, Any]]) -> float:
    """Median milliseconds of a chat, by its turns."""
    chats = [turns for turns, _ in _chats(rows)]
    spent = times_ms(statements, [*chats, *chats])[len(chats) :]  # The first round reads the languages.
    return median(ms / len(turns) for ms, turns in zip(spent, chats, strict=True))


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
