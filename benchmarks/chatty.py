"""Turns of chats as people type them, and what the extraction without a model hears of them.

They were written by one who knew neither the wordings nor their tables, in six languages. The turns of one half were
read while wordings were made; of the other half nobody reads any, so that it goes on telling how new turns fare.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Table, finish, options_of, result
from simonides.domain.scope import GLOBAL
from simonides.domain.text import CJK
from simonides.writing.extract import statements
from simonides.writing.intake import message

HALVES: Final = ("read", "unread")
_AT: Final = 1_767_225_600_000_000
_WORD: Final = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
#: Letters of a word that count, and the share of the shorter of a statement and a fact that both have.
_STEM: Final = 5
_ALIKE: Final = 0.6


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = options_of(name, "What is heard of turns of chats that another wrote.").parse_args(arguments)
    turns = written()
    figures = {half: _figures([turn for turn in turns if turn["half"] == half]) for half in HALVES}
    sizes = {half: sum(turn["half"] == half for turn in turns) for half in HALVES}
    return finish(outcome := result(name, seed=None, sizes=sizes, figures=figures), tables(outcome), options)


def written() -> list[Mapping[str, Any]]:
    """The turns: id, half, language, text, and the facts that each states, in words of the writer."""
    text = Path(__file__).with_suffix(".jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    head = ("", "state something", "heard", "recall", "kept", "precision", "state nothing", "kept of these")
    return [
        Table(
            f"{half}: {outcome['sizes'][half]} turns",
            head,
            [[language, *figures.values()] for language, figures in outcome["figures"][half].items()],
        )
        for half in HALVES
    ]


def _figures(turns: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float | None]]:
    heard = [(turn, _right(turn)) for turn in turns]
    languages = ["all", *dict.fromkeys(turn["language"] for turn in turns)]
    return {
        language: _of([one for one in heard if language in {"all", one[0]["language"]}])
        for language in languages
    }


def _of(heard: Sequence[tuple[Mapping[str, Any], Sequence[bool]]]) -> dict[str, float | None]:
    stating = [right for turn, right in heard if turn["facts"]]
    silent = [right for turn, right in heard if not turn["facts"]]
    kept = [one for _, right in heard for one in right]
    found = sum(map(any, stating))
    return {
        "stating": len(stating),
        "heard": found,
        "recall": found / len(stating),
        "kept": len(kept),
        "precision": sum(kept) / len(kept) if kept else None,
        "silent": len(silent),
        "kept of silent": sum(map(len, silent)),
    }


def _right(turn: Mapping[str, Any]) -> list[bool]:
    """Of each statement that is kept of a turn, whether it says one of its facts."""
    said = message({"role": "user", "content": turn["text"]}).episode(GLOBAL, turn["id"], _AT)
    facts = [_words(fact) for fact in turn["facts"]]
    found = [_words(statement.content) for statement in statements([said])]
    return [any(_alike(words, fact) for fact in facts) for words in found]


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= _ALIKE * min(len(one), len(other)) > 0


def _words(text: str) -> set[str]:
    """Words by their beginnings, and of Chinese each pair of signs."""
    words: list[str] = _WORD.findall(text.casefold().replace("ё", "е"))
    signs = [word for word in words if re.match(f"[{CJK}]", word)]
    pairs = {run[at : at + 2] for run in signs for at in range(len(run) - 1)}
    return pairs | {word[:_STEM] for word in words if word not in signs and (len(word) > 1 or word.isdigit())}
