"""Rules of a language by which the times that a text names are found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cached_property, partial
from typing import Final, NamedTuple, TypeAlias, TypeVar

from simonides.language.calendar.spans import PartOfTime, Span
from simonides.values import dataclass

#: What the groups of a rule's pattern matched; None for one that took no part.
Groups: TypeAlias = "Sequence[str | None]"
Reader: TypeAlias = "Callable[[Groups, datetime], Span | None]"

_Meaning = TypeVar("_Meaning")
#: Characters before a time in which the words are that say how it is meant: "since the beginning of".
_BEFORE_CHARS: Final = 48
#: A pattern that matches nowhere.
NOTHING: Final = "(?!)"
#: A parenthesis that opens a group with a number.
_GROUP = re.compile(r"(?<!\\)\((?!\?)")


class TimeRelation(StrEnum):
    """Relations of a question to the time it names."""

    IN = "in"
    SINCE = "since"
    AFTER = "after"
    BEFORE = "before"
    UNTIL = "until"


@dataclass(frozen=True, slots=True)
class TimeRule:
    """One way to name a time.

    Attributes:
        pattern: For folded text.
        read: The time that a match means, counted from a moment; None where it means none.
        bare: The words mean other things too ("may", "2022"): they count only behind one that says how
            the time is meant, such as "in" or "since".
    """

    pattern: str
    read: Reader
    bare: bool = False


@dataclass(frozen=True, slots=True)
class EventRule:
    """One way to name a time by an event: "the day after", "since".

    Attributes:
        pattern: For folded text, of the words between the event and the rest.
        relation: Of the time to the event.
        measured: The time that is meant, counted from that of the event; None where it has no other end.
    """

    pattern: str
    relation: TimeRelation
    measured: Callable[[Groups, Span], Span] | None


class EventWords(NamedTuple):
    """Words at [start, end) of a text that name a time by an event, as of `EventRule`."""

    start: int
    end: int
    relation: TimeRelation
    measured: Callable[[Span], Span] | None


@dataclass(frozen=True, slots=True)
class TimeWords:
    """Words around times in a language, as regular expressions.

    Attributes:
        relations: Directly before a time.
        parts: Before a time too, behind the relation: "early", "the end of".
        after: Directly behind a time.
        joins: Between the two ends of a stretch, whatever stands before it.
        between: Before the first end, and then `ends` between both.
        ends: See `between`.
        never: Before a time, when it is none: "every".
        also: Between two times of which the second takes up where the first ends: "March and April".
        anchors: Between a time and the date that it is counted from: "last Friday before 5 March".
        measure: Before "before" or "after" and a date: "the week", "two days".
        measured: What such a measure means before, or else after, a time.
        events: Ways to name a time by an event; the first that a text has counts.
        event_triggers: What a text must hold for any of these.
    """

    relations: Mapping[TimeRelation, str]
    parts: Mapping[PartOfTime, str]
    after: Mapping[TimeRelation, str]
    joins: str
    between: str
    ends: str
    never: str
    also: str
    anchors: str = NOTHING
    measure: str = NOTHING
    measured: Callable[[Groups, Span, bool], Span] | None = None
    events: Sequence[EventRule] = ()
    event_triggers: str = NOTHING


@dataclass(frozen=True, slots=True)
class Point:
    """A time that a text names, at [start, end) of the text.

    Attributes:
        read: What it means, counted from a moment. Raises as the functions of `spans` do.
    """

    start: int
    end: int
    bare: bool
    read: Callable[[datetime], Span | None]


class _Compiled:
    """The patterns of a grammar."""

    def __init__(self, rules: Sequence[TimeRule], words: TimeWords, starts: str, *, apart: bool) -> None:
        left, right, gap = (r"(?<!\w)", r"(?!\w)", " +") if apart else ("", "", " *")
        self.rules: dict[int, tuple[TimeRule, int]] = {}
        pieces: list[str] = []
        group = 1
        for rule in rules:
            inner = group_count(rule.pattern)
            self.rules[group] = (rule, inner)
            pieces.append(f"({rule.pattern})")
            group += inner + 1
        self.point = re.compile(f"{left}(?={starts})(?:{'|'.join(pieces)}){right}")
        self.relations = [
            (relation, re.compile(f"{left}(?:{pattern}){gap}\\Z"))
            for relation, pattern in words.relations.items()
        ]
        self.parts = [
            (part, re.compile(f"{left}(?:{pattern})(?:{gap})?\\Z")) for part, pattern in words.parts.items()
        ]
        self.after = [
            (relation, re.compile(f" *(?:{pattern}){right}")) for relation, pattern in words.after.items()
        ]
        self.join = re.compile(f" *(?:{words.joins}) *")
        self.between = re.compile(f"{left}(?:{words.between}){gap}\\Z")
        self.ends = re.compile(f" *(?:{words.ends}) *")
        self.also = re.compile(f" *(?:{words.also}) *")
        self.anchor = re.compile(f",? *(?:{words.anchors}) *")
        self.measure = re.compile(f"{left}(?:{words.measure}){gap}\\Z")
        self.never = re.compile(f"{left}(?:{words.never}){gap}\\Z")
        self.event_trigger = re.compile(words.event_triggers)
        self.events = [(rule, re.compile(f"{left}(?:{rule.pattern}){right}")) for rule in words.events]


def group_count(pattern: str) -> int:
    """Number of a rule's groups; rules have no parentheses but those of groups."""
    return len(_GROUP.findall(pattern))


class Grammar:
    """The rules of a language. Where several fit at one place, the first of them counts.

    They are compiled when the first text that may name a time is read.

    Attributes:
        rules: As given.
        apart: Likewise.
    """

    def __init__(
        self, rules: Sequence[TimeRule], words: TimeWords, triggers: str, starts: str, *, apart: bool = True
    ) -> None:
        """Take rules.

        Args:
            triggers: What a text must hold for any rule to fit; makes the usual text cheap.
            starts: How a time may begin; makes the usual word cheap.
            apart: Whether the language separates words by blanks.
        """
        self.rules = rules
        self._words = words
        self._triggers = triggers
        self._starts = starts
        self.apart = apart

    @cached_property
    def _trigger(self) -> re.Pattern[str]:
        return re.compile(self._triggers)

    @cached_property
    def _compiled(self) -> _Compiled:
        return _Compiled(self.rules, self._words, self._starts, apart=self.apart)

    def fits(self, text: str) -> bool:
        """True if a time may be named at all."""
        return self._trigger.search(text) is not None

    def points(self, text: str, start: int, end: int) -> Iterator[Point]:
        """Times named in text[start:end], from left to right."""
        for match in self._compiled.point.finditer(text, start, end):
            if not self._compiled.never.search(
                text, max(start, match.start() - _BEFORE_CHARS), match.start()
            ):
                yield self._as_point(match)

    def point_at(self, text: str, start: int, end: int) -> Point | None:
        """The time named at the very beginning of text[start:end]."""
        match = self._compiled.point.match(text, start, end)
        return None if match is None else self._as_point(match)

    def relation_before(self, text: str, start: int, end: int) -> tuple[TimeRelation, int] | None:
        """Relation meant for a time that begins at `end`, and the start of the word for it."""
        return _ending(self._compiled.relations, text, start, end)

    def part_before(self, text: str, start: int, end: int) -> tuple[PartOfTime, int] | None:
        """Part meant of a time that begins at `end`, and the start of the words for it."""
        return _ending(self._compiled.parts, text, start, end)

    def relation_after(self, text: str, start: int, end: int) -> tuple[TimeRelation, int] | None:
        """Relation meant for a time that ends at `start`, and the end of the word for it."""
        for relation, pattern in self._compiled.after:
            if match := pattern.match(text, start, end):
                return relation, match.end()
        return None

    def join(self, text: str, start: int, point: Point, end: int) -> int | None:
        """Start of the other end of a stretch whose first end is `point`; None if it is no stretch."""
        if match := self._compiled.join.match(text, point.end, end):
            return match.end()
        opened = self._compiled.between.search(text, max(start, point.start - _BEFORE_CHARS), point.start)
        match = self._compiled.ends.match(text, point.end, end) if opened else None
        return match.end() if match else None

    def measured(self, text: str, start: int, end: int, span: Span, *, back: bool) -> tuple[Span, int] | None:
        """Meaning of "two weeks before" a time, if such words end at `end`, and their start."""
        match = self._compiled.measure.search(text, max(start, end - _BEFORE_CHARS), end)
        if match is None or self._words.measured is None:
            return None
        return self._words.measured(match.groups(), span, back), match.start()

    def anchor(self, text: str, start: int, end: int) -> Point | None:
        """The date behind a time that ends at `start`, if the time is to be counted from it."""
        match = self._compiled.anchor.match(text, start, end)
        return self.point_at(text, match.end(), end) if match else None

    def event_words(self, text: str, start: int, end: int) -> EventWords | None:
        """The words in text[start:end] that name a time by an event."""
        if not self._compiled.event_trigger.search(text, start, end):
            return None
        for rule, pattern in self._compiled.events:
            if match := pattern.search(text, start, end):
                measured = rule.measured and partial(rule.measured, match.groups())
                return EventWords(match.start(), match.end(), rule.relation, measured)
        return None

    def also(self, text: str, start: int, end: int) -> Point | None:
        """The time that is named together with one that ends at `start`."""
        match = self._compiled.also.match(text, start, end)
        return self.point_at(text, match.end(), end) if match else None

    def opening(self, text: str, start: int, end: int) -> int:
        """Start of the word that opens a stretch, such as "between"; `end` if there is none."""
        match = self._compiled.between.search(text, max(start, end - _BEFORE_CHARS), end)
        return match.start() if match else end

    def _as_point(self, match: re.Match[str]) -> Point:
        group = match.lastindex or 1
        rule, inner = self._compiled.rules[group]
        groups = [match[n] for n in range(group + 1, group + 1 + inner)]
        return Point(match.start(), match.end(), rule.bare, lambda now: rule.read(groups, now))


def _ending(
    patterns: Sequence[tuple[_Meaning, re.Pattern[str]]], text: str, start: int, end: int
) -> tuple[_Meaning, int] | None:
    for meaning, pattern in patterns:
        if match := pattern.search(text, max(start, end - _BEFORE_CHARS), end):
            return meaning, match.start()
    return None
