"""Tables of words by language, from `data/`: one file holds what a language is.

A new language is a new file there; `data/README.md` tells what it holds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from simonides.language.tokens import folded

_FOLDER: Final = resources.files(__package__ or "") / "data"


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages that have a file, sorted."""
    files = (file.name for file in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


@cache
def language(code: str) -> Mapping[str, Any]:
    """The tables of a language, read once."""
    return tomllib.loads((_FOLDER / f"{code}.toml").read_text("utf-8"))


def section(name: str) -> Iterator[Mapping[str, Any]]:
    """A section of each language that has it, in the order of their codes."""
    return (tables[name] for code in languages() if name in (tables := language(code)))


def words(name: str, *, of: str | None = None) -> frozenset[str]:
    """Words that do one thing, folded: those of one language, or of all."""
    return frozenset(map(folded, as_written(name, of=of)))


def as_written(name: str, *, of: str | None = None) -> frozenset[str]:
    """As `words`, with their accents and whatever holds them together."""
    tables = section("words") if of is None else [language(of).get("words", {})]
    return frozenset(word for table in tables for word in table.get(name, "").split())


def by_kind(name: str) -> dict[str, str]:
    """The kind of each word of a section, folded; of two kinds that have a word, the later one counts."""
    return {
        folded(word): kind
        for table in section(name)
        for kind, words in table.items()
        for word in words.split()
    }


def phrases(name: str) -> tuple[tuple[str, ...], ...]:
    """Phrases of all languages, each as its words, folded."""
    return tuple(
        tuple(folded(word) for word in phrase.split())
        for table in section("phrases")
        for phrase in table.get(name, "").split("|")
        if phrase.strip()
    )


def cues(name: str, kind: str | None = None) -> tuple[str, ...]:
    """Lines of cues by which questions are told, of all languages; see `cues.Lexicon`."""
    tables = (table.get(name, {}) for table in section("questions"))
    return tuple(line for table in tables for line in (table if kind is None else table.get(kind, ())))


def han(name: str) -> Any:
    """A table of Chinese signs, as it stands in its file."""
    return language("zh")["han"][name]


def pairs(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Two words a line."""
    return tuple((one, other) for line in lines for one, other in (line.split(),))
