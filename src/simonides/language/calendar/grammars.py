"""Grammars of times, read from the section `times` of a language's tables.

A pattern is a regular expression in which `{month}` stands for a word that names a month and `{month:CLEAR}` for one
that the piece `CLEAR` matches; `{CLEAR}` alone stands for the piece. A rule is a meaning and a pattern, then perhaps
`bare` and what is named without a word (`near=-1 part=night`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from simonides.language.calendar.meanings import Meaning, Named, far_from, meaning
from simonides.language.calendar.numeric import NUMERIC
from simonides.language.calendar.rule import (
    NOTHING,
    EventRule,
    Grammar,
    Groups,
    Reader,
    TimeRelation,
    TimeRule,
    TimeWords,
)
from simonides.language.calendar.spans import Occurrence, PartOfTime, Season, Span, Unit
from simonides.language.tables import han, languages, pairs, table

_PIECE: Final = re.compile(r"\{([A-Z_]+)\}")
_SLOT: Final = re.compile(r"\{([a-z_]+)(?::([A-Z_]+))?\}")
#: Slots that are named like another one.
_KINDS: Final = {"first": "day", "last": "day", "upto": "count", "whole": "unit"}
_FIGURES: Final = {"day": r"\d{1,2}", "year": r"(?:19|20)\d\d", "quarter": "[1-4]"}
#: Numerals below this one count units; "five hundred" is none of them.
_MOST_COUNTED: Final = 100
_TWENTY: Final = 20


@cache
def grammars(script: str) -> tuple[Grammar, ...]:
    """Grammars of the languages that are written in a script."""
    tables = ((code, table(code, "times")) for code in languages())
    return tuple(grammar(code) for code, times in tables if times.get("script") == script)


@cache
def grammar(code: str) -> Grammar:
    """The grammar of a language."""
    return _Source(code).grammar()


class _Source:
    """The tables of a language, as a grammar is made of them."""

    def __init__(self, code: str) -> None:
        self._times: Mapping[str, Any] = table(code, "times")
        calendar: Mapping[str, Any] = table(code, "calendar")
        weekdays: Sequence[str] = calendar.get("weekdays") or ["|".join(day) for day in han("weekdays")]
        self._tables: dict[str, Mapping[str, str]] = {
            "month": {str(n): forms for n, forms in enumerate(calendar.get("months", ()), 1)},
            "weekday": {str(n): forms for n, forms in enumerate(weekdays)},
            **{
                name: self._times.get(name, {})
                for name in ("count", "step", "other_year", "unit", "season", "part", "near", "ordinal")
            },
        }
        self._numerals = {
            form: int(value)
            for value, forms in table(code, "numerals").items()
            for form in forms.split()
            if 0 < int(value) < _MOST_COUNTED
        }
        self._pieces = {
            "MONTHS": _longest_first(self._tables["month"]),
            "WEEKDAYS": _longest_first(self._tables["weekday"]),
            "SEASONS": "|".join(self._tables["season"].values()),
            "NUMERALS": self._numeral_words(),
            **self._times.get("pieces", {}),
        }

    def _numeral_words(self) -> str:
        """Numerals by themselves, and tens with ones behind them: twenty-one."""
        tens = "|".join(word for word, value in self._numerals.items() if value >= _TWENTY)
        ones = "|".join(word for word, value in self._numerals.items() if value < 10)
        every = "|".join(sorted(self._numerals, key=len, reverse=True))
        return f"(?:{tens})[ -](?:{ones})|{every}" if tens else every

    def grammar(self) -> Grammar:
        times = self._times
        words = TimeWords(
            relations={TimeRelation(name): one for name, one in self._expanded("relations")},
            parts={PartOfTime(name): one for name, one in self._expanded("parts")},
            after={TimeRelation(name): one for name, one in self._expanded("after")},
            joins=self._pattern(times["joins"]),
            between=self._pattern(times["between"]),
            ends=self._pattern(times["ends"]),
            never=self._pattern(times["never"]),
            also=self._pattern(times["also"]),
            anchors=self._pattern(times.get("anchors", NOTHING)),
            measure=self._pattern(times.get("measure", NOTHING)),
            measured=self._measured,
            events=[self._event(*parts) for parts in times.get("events", ())],
            event_triggers=self._pattern(times.get("event_triggers", NOTHING)),
        )
        rules = [self._rule(*parts) for parts in times["rules"]]
        triggers, starts = self._pattern(times["triggers"]), self._pattern(times["starts"])
        return Grammar((*NUMERIC, *rules), words, triggers, starts, apart=times.get("apart", True))

    def _expanded(self, name: str) -> Iterator[tuple[str, str]]:
        return ((key, self._pattern(one)) for key, one in self._times.get(name, {}).items())

    def _rule(self, name: str, pattern: str, given: str = "") -> TimeRule:
        reader = self._reader(meaning(name), pattern, self._fixed(given))
        return TimeRule(self._pattern(pattern), reader, bare="bare" in given.split())

    def _event(self, name: str, pattern: str, given: str = "") -> EventRule:
        relation, slots, fixed = TimeRelation(name), self._slots(pattern), self._fixed(given)

        def measured(groups: Groups, span: Span) -> Span:
            if relation is TimeRelation.IN:
                return span
            named = {**fixed, **self._named(slots, groups)}
            return far_from(named, span, back=relation is TimeRelation.BEFORE)

        return EventRule(self._pattern(pattern), relation, measured if slots or fixed else None)

    def _fixed(self, given: str) -> Named:
        """What is named without a word: "near=-1 part=night"."""
        pairs = (word.partition("=") for word in given.split())
        return {slot: self._meant(_KINDS.get(slot, slot), key) for slot, _, key in pairs if key}

    def _reader(self, means: Meaning, pattern: str, fixed: Named) -> Reader:
        slots = self._slots(pattern)
        return lambda groups, now: means({**fixed, **self._named(slots, groups)}, now)

    def _measured(self, groups: Groups, span: Span, back: bool) -> Span:
        return far_from(self._named(self._slots(self._times["measure"]), groups), span, back=back)

    def _slots(self, pattern: str) -> list[str]:
        return [slot[1] for slot in _SLOT.finditer(self._with_pieces(pattern))]

    def _named(self, slots: Sequence[str], groups: Groups) -> dict[str, Any]:
        pairs = zip(slots, groups, strict=True)
        return {slot: self._value(_KINDS.get(slot, slot), word) for slot, word in pairs if word}

    def _with_pieces(self, pattern: str) -> str:
        while _PIECE.search(pattern):
            pattern = _PIECE.sub(lambda piece: self._pieces[piece[1]], pattern)
        return pattern.replace("\n", "")  # Long ones stand on several lines.

    def _pattern(self, pattern: str) -> str:
        """A pattern with each slot as a group."""
        return _SLOT.sub(lambda slot: f"({self._words(*slot.groups())})", self._with_pieces(pattern))

    def _words(self, slot: str, piece: str | None) -> str:
        if piece is not None:
            return self._with_pieces(self._pieces[piece])
        kind = _KINDS.get(slot, slot)
        if kind in _FIGURES:
            return _FIGURES[kind]
        if kind in ("month", "weekday"):
            return _longest_first(self._tables[kind])
        words = "|".join(self._tables[kind].values()).replace("\n", "")
        return rf"\d{{1,4}}|{words}|{self._pieces['NUMERALS']}" if kind == "count" else words

    def _value(self, kind: str, word: str) -> Any:
        """Value of a word of a kind."""
        if kind == "count" and all(part in self._numerals for part in re.split("[ -]", word)):
            number = sum(self._numerals[part] for part in re.split("[ -]", word))
            return number, number
        matched = [
            (match.end(), key)
            for key, forms in self._tables.get(kind, {}).items()
            if (match := re.match(forms.replace("\n", ""), word))
        ]
        if matched:
            return self._meant(kind, max(matched, key=lambda one: one[0])[1])
        number = _number(word)
        return (number, number) if kind == "count" else number

    def _meant(self, kind: str, key: str) -> Any:
        """Meaning of a key of a table."""
        match kind:
            case "unit":
                return Unit(key)
            case "season":
                return Season(key)
            case "part":
                return PartOfTime(key)
            case "step":
                return Occurrence(key) if key.isalpha() else int(key)
            case "count":
                fewest, _, most = key.partition("-")
                return int(fewest), int(most or fewest)
            case _:
                return int(key)


def _longest_first(table: Mapping[str, str]) -> str:
    return "|".join(sorted("|".join(table.values()).split("|"), key=len, reverse=True))


_DIGITS: Final = {sign: int(value) for sign, value in pairs(han("numerals")) if int(value) < 10}


def _number(word: str) -> int:
    """A number in figures, whatever stands behind them, or below 100 in Chinese; of a year each sign is a figure.

    Raises:
        ValueError: The signs make no number: 十十.
    """
    if figures := re.match(r"\d+", word):
        return int(figures[0])
    tens, ten, ones = word.rpartition("十")
    if not ten:
        return int("".join(str(_DIGITS[sign]) for sign in word))
    if "十" in tens or len(tens) > 1 or len(ones) > 1:
        raise ValueError(f"{word} is no number")
    return 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)
