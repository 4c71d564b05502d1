"""Patterns in the words of all languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from itertools import chain
from typing import Any

import pytest

from simonides.language.tables import worded


def test_a_pattern_holds_the_words_of_every_language_that_has_the_table():
    said = worded("framing", r"\b{said}\b")
    assert all(
        said.search(text) for text in ("she said so", "Anna sagte das", "Анна сказала", "Anna ha scritto")
    )


def test_a_table_that_no_language_has_is_an_error_at_the_first_use_and_no_pattern_that_matches_everywhere():
    pattern = worded("framing", "{no_such_table}")
    with pytest.raises(KeyError, match="no_such_table"):
        pattern.search("any text")


#: Opens a group, with what it says of it.
_GROUP = re.compile(r"\((?:\?(?:P<\w+>|<[=!]|[:=!]|-?i:))?")
_PUNCTUATION = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)
_FOLDERS = [
    resources.files("simonides.language") / "data",
    resources.files("simonides.writing.extract") / "languages",
]
_TABLES = [file for folder in _FOLDERS for file in folder.iterdir() if file.name.endswith(".toml")]


def twice(pattern: str) -> Iterator[str]:
    """Alternatives that a group of a pattern, or the pattern, has a second time."""
    pattern = re.sub(r"\n\s*", "", pattern)
    groups: list[tuple[int, set[str]]] = [(0, set())]
    for mark in (*_PUNCTUATION.finditer(pattern), None):
        place = len(pattern) if mark is None else mark.start()
        sign = ")" if mark is None else mark[0]
        if sign == "(" and (opened := _GROUP.match(pattern, place)):
            groups.append((opened.end(), set()))
        elif sign in {"|", ")"}:
            start, before = groups.pop()
            if (alternative := pattern[start:place]) in before and alternative:
                yield alternative
            if sign == "|":
                groups.append((place + 1, before | {alternative}))


def patterns_in(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from chain.from_iterable(map(patterns_in, content))
    elif isinstance(content, dict):
        kept = (one for name, one in content.items() if name not in {"stated", "not_stated"})
        yield from chain.from_iterable(map(patterns_in, kept))


def test_an_alternative_that_stands_twice_is_seen():
    assert list(twice(r"a|b(?:[|)]|c|(?:d|\|)|c)|a|(?P<x>e)|(?P<x>e)")) == ["c", "a", "(?P<x>e)"]


@pytest.mark.parametrize("file", _TABLES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_no_table_says_the_same_twice(file):
    found = [one for pattern in patterns_in(tomllib.loads(file.read_text("utf-8"))) for one in twice(pattern)]
    assert not found
