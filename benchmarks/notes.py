"""Ordinary notes, made up by a seed: what people write down, about orders, passwords and prompts too.

They hold no secret and no order: what a policy does to them when the user adds them is a false alarm.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "fr", "es", "ru", "zh")
#: Characters that one note in twenty is lengthened to, in turn.
_LENGTHS: Final = (3_500, 12_000, 40_000, 100_000)
_LONG_EVERY: Final = 20
_SLOT: Final = re.compile(r"\{([a-z]+\d?)\}")
_YEARS: Final = (1950, 2030)


@dataclass(frozen=True, slots=True)
class Note:
    """A note, the language that it is in, and what kind it is."""

    text: str
    language: str
    kind: str


def notes(count: int, seed: int, *, long: bool = True) -> Iterator[Note]:
    """Notes of all languages and kinds in turn.

    Args:
        count: How many.
        seed: The same seed makes the same notes.
        long: Whether one in twenty is put together to one of up to 100,000 characters.
    """
    draw = random.Random(seed)
    for index in range(count):
        language = LANGUAGES[index % len(LANGUAGES)]
        spoken = _spoken()[language]
        kind = draw.choice(list(spoken["kinds"]))
        text = _filled(draw, spoken, kind)
        if long and index % _LONG_EVERY == 0:
            text, kind = (
                _lengthened(draw, spoken, text, _LENGTHS[index // _LONG_EVERY % len(_LENGTHS)]),
                "long",
            )
        yield Note(text, language, kind)


def _lengthened(draw: random.Random, spoken: Mapping[str, Any], text: str, length: int) -> str:
    parts = [text]
    size = len(text)
    while size < length:
        parts.append(_filled(draw, spoken, draw.choice(list(spoken["kinds"]))))
        size += len(parts[-1]) + 1
    return "\n".join(parts)[:length]


def _filled(draw: random.Random, spoken: Mapping[str, Any], kind: str) -> str:
    slots: Mapping[str, Sequence[str]] = spoken["slots"]

    def fill(slot: re.Match[str]) -> str:
        match slot[1]:
            case "n" | "m":
                return str(draw.randint(2, 9))
            case "year":
                return str(draw.randint(*_YEARS))
            case "hash":
                return f"{draw.getrandbits(80):020x}"
            case name:
                return draw.choice(slots[name])

    return _SLOT.sub(fill, draw.choice(spoken["kinds"][kind]))


@cache
def _spoken() -> Mapping[str, Any]:
    file = resources.files("benchmarks") / "notes.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
