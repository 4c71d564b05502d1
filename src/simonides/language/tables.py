"""Tables of words by language, from `data/`: one file holds what a language is.

A new language is a new file there; `data/README.md` tells what it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from simonides.domain.pattern import factored, later
from simonides.language.tokens import folded
from simonides.packaged import toml

#: Stands in a pattern for the words of a table.
_TABLE: Final = re.compile(r"\{([a-z_]+)\}")
_FOLDER: Final = resources.files(__package__ or "") / "data"


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages that have a file, sorted."""
    files = (file.name for file in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


@cache
def _content(code: str) -> Mapping[str, Any]:
    return toml(_FOLDER / f"{code}.toml")


def table(code: str, name: str) -> Mapping[str, Any]:
    """A section of a language, empty where it has none."""
    return _content(code).get(name, {})


def section(name: str) -> Iterator[Mapping[str, Any]]:
    """A section of each language that has it, in the order of their codes."""
    return (table(code, name) for code in languages() if name in _content(code))


def words(name: str, *, of: str | None = None, among: str = "words") -> frozenset[str]:
    """Words that do one thing, folded: those of one language, or of all; from the section `among`."""
    return frozenset(map(folded, as_written(name, of=of, among=among)))


def as_written(name: str, *, of: str | None = None, among: str = "words") -> frozenset[str]:
    """As `words`, with their accents and whatever holds them together."""
    tables = section(among) if of is None else [table(of, among)]
    return frozenset(word for some in tables for word in some.get(name, "").split())


def by_kind(name: str) -> dict[str, str]:
    """The kind of each word of a section, folded; of two kinds that have a word, the later one counts."""
    return {
        folded(word): kind
        for kinds in section(name)
        for kind, words in kinds.items()
        for word in words.split()
    }


def phrases(name: str) -> tuple[tuple[str, ...], ...]:
    """Phrases of all languages, each as its words, folded."""
    return tuple(
        tuple(folded(word) for word in phrase.split())
        for some in section("phrases")
        for phrase in some.get(name, "").split("|")
        if phrase.strip()
    )


def worded(name: str, pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """A pattern with `{table}` for that table of a section, in the words of all languages; made when first used.

    A table is a pattern, a list of patterns of which any may match, or words under several names.
    """
    return later(lambda: factored(_filled(name, pattern)), flags)


def _filled(name: str, pattern: str) -> str:
    return _TABLE.sub(lambda match: _filled(name, alternatives(name, match[1])), pattern)


@cache
def alternatives(name: str, kind: str) -> str:
    """A table of a section as one group of a pattern, of all languages."""
    tables = [some[kind] for some in section(name) if kind in some]
    fragments = [line.replace("\n", "") for one in tables for line in _lines(one)]
    if not fragments:
        raise KeyError(
            f"no language has a table {kind!r} in its section {name!r}"
        )  # Nothing would match everywhere.
    return f"(?:{'|'.join(fragments)})"


def _lines(patterns: str | Sequence[str] | Mapping[str, str]) -> Sequence[str]:
    if isinstance(patterns, Mapping):
        words = {word for some in patterns.values() for word in some.split()}
        return sorted(words, key=lambda word: (-len(word), word))
    return [patterns] if isinstance(patterns, str) else patterns


def cues(name: str, kind: str | None = None) -> tuple[str, ...]:
    """Lines of cues by which questions are told, of all languages; see `cues.Lexicon`.

    `{piece}` in one stands for that piece of its own language.
    """
    pairs = ((questions, questions.get(name, {})) for questions in section("questions"))
    return tuple(
        _TABLE.sub(lambda piece, own=questions: f"(?:{own['pieces'][piece[1]]})", line)
        for questions, some in pairs
        for line in (some if kind is None else some.get(kind, ()))
    )


def han(name: str) -> Any:
    """A table of Chinese signs, as it stands in its file."""
    return table("zh", "han")[name]


def pairs(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Two words a line."""
    return tuple((one, other) for line in lines for one, other in (line.split(),))
