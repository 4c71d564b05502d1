"""The time that a question is about, read from its words: "last Friday", "in March 2023", "3 days ago"."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from simonides.domain.instant import instant, to_datetime
from simonides.domain.pattern import later
from simonides.language.calendar.grammars import grammars
from simonides.language.calendar.rule import Grammar, Point, TimeRelation
from simonides.language.calendar.spans import BEGINNING, END, Span, days
from simonides.language.cues import Cues
from simonides.language.sentences import QuestionText, read
from simonides.values import dataclass

#: Where "before March" begins and "after" what lies ahead ends.
EARLIEST: Final = instant("0001-01-03T00:00:00Z")
LATEST: Final = instant("9999-12-29T00:00:00Z")

_SCRIPTS: Final = {"han": later("[\u4e00-\u9fff]"), "cyrillic": later("[а-я]"), "latin": later("[0-9a-z]")}
#: Titles name no time: what did I think of "Yesterday"?
_QUOTED = later(r'"[^"]*"|«[^»]*»|“[^”]*”|„[^“]*“|「[^」]*」|《[^》]*》')
#: Before a date that says what somebody is like, not when something was said or done.
_OF_BIRTH = later(
    r"(?:\bborn|birthday|生日|出生|родил\w*|рождения|\bnée?s?\b|anniversaire)[^.!?。！？]{0,12}\Z"
)
#: A sentence that tells of a conversation may say when it was, for the question behind it.
_TELLS: Final = Cues("of_talk")


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time, half-open.

    Attributes:
        start: Microseconds since 1970 in UTC.
        end: The same, later than `start`.
        words: The words that named it, as written.
    """

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class PlacedTime:
    """A window, and where in the reading's text its words stand."""

    window: Window
    start: int
    end: int


def window_of(text: str, at: int) -> Window | None:
    """The time that a question names, counted from when it is asked.

    A name without a year, a week or a month means the latest that has begun ("in March", "on Friday"). "Last
    week" is the calendar's, from Monday; "the last week" the past seven days. "N weeks ago" gives or takes half
    a unit; N days ago is the day. "Since" and "after" reach up to the end of today, "before" back to `EARLIEST`.
    Seasons are those of the north. Of several times the first counts, in a sentence that asks something; one in a
    sentence that tells of a conversation, if those that ask name none. What stands in quotation marks, and
    "before" or "after" something that is no date, names none.

    Args:
        at: When the question is asked, microseconds UTC. Days begin in UTC too.

    Returns:
        None where nothing is named. Never raises, whatever the text or `at`.
    """
    placed = placed_window(read(text), at)
    return None if placed is None else placed.window


def named_window(words: str, at: int) -> Window | None:
    """The time that words name which name a time and nothing else: "last_week", "March 2023", "yesterday".

    Args:
        at: As of `window_of`.
    """
    plain = words.replace("_", " ").strip()
    # "March" by itself is a word like any other: what stands before it says that a time is meant.
    for before in ("", "in ", "on ", "в ", "en "):
        text = f"{before}{plain}"
        placed = placed_window(read(text), at)
        if placed is not None and placed.start <= len(before) and placed.end == len(text):
            return placed.window
    return None


def placed_window(reading: QuestionText, at: int) -> PlacedTime | None:
    """As `window_of`, with its place."""
    grammars = grammars_of(reading.folded)
    if not grammars:
        return None
    try:
        now = to_datetime(at).replace(tzinfo=None)
    except (OverflowError, ValueError):
        return None
    text = unquoted(reading.folded)
    telling = [p for p in reading.pieces if not p.asks and _TELLS.search(text, p.start, p.end)]
    for piece in (*(p for p in reading.pieces if p.asks), *telling):
        places = [first_time(grammar, text, piece.start, piece.end, now) for grammar in grammars]
        # Of two languages that read the same words, the one that reads more of them.
        for start, end, span in sorted(filter(None, places), key=lambda one: (one[0], -one[1])):
            if window := window_named(span, reading.text[start:end]):
                return PlacedTime(window, start, end)
    return None


def unquoted(folded: str) -> str:
    """A text of equal length without what stands in quotation marks."""
    return _QUOTED.sub(lambda match: "\0" * len(match[0]), folded)


def grammars_of(folded: str) -> list[Grammar]:
    """Grammars by which a text may name a time."""
    scripts = ("latin",) if folded.isascii() else _SCRIPTS
    some = (one for script in scripts if _SCRIPTS[script].search(folded) for one in grammars(script))
    return [grammar for grammar in some if grammar.fits(folded)]


def first_time(
    grammar: Grammar, text: str, start: int, end: int, now: datetime, *, bare: bool = False
) -> tuple[int, int, Span] | None:
    """The first time that a grammar reads in text[start:end], with its place.

    Args:
        bare: A day and a year count without a word before them that says so: "dentist Friday", "2023: moved".
    """
    for point in grammar.points(text, start, end):
        if _OF_BIRTH.search(text, max(start, point.start - 24), point.start):
            continue
        try:
            composed = _composed(grammar, text, start, end, point, now, bare=bare)
        except (OverflowError, ValueError):
            continue
        if composed is not None:
            return composed
    return None


def _composed(
    grammar: Grammar, text: str, start: int, end: int, point: Point, now: datetime, *, bare: bool
) -> tuple[int, int, Span] | None:
    """A time with the words around it: the part of it that is meant, the other end, what it bounds."""
    if stretch := _stretch(grammar, text, start, end, point, now):
        return stretch
    span, ends, anchored = _counted(grammar, text, end, point, now)
    if span is None:
        return None
    begins = point.start
    if part := grammar.part_before(text, start, begins):
        span, begins = span.part(part[0]), part[1]
    before = grammar.relation_before(text, start, begins)
    behind = grammar.relation_after(text, ends, end)
    alone = not anchored and part is None and before is None and behind is None
    if point.bare and alone and not (bare and _is_day_or_year(span)):
        return None
    if before is not None:
        begins = before[1]
        if before[0] in (TimeRelation.BEFORE, TimeRelation.AFTER) and (
            measured := grammar.measured(text, start, begins, span, back=before[0] is TimeRelation.BEFORE)
        ):
            return measured[1], ends, measured[0]
    else:
        begins = grammar.opening(text, start, begins)  # "From March onwards", "between 5 and 9 March".
    if behind is not None:
        ends = behind[1]
    relation = behind or before
    return begins, ends, _related(span, relation[0] if relation else TimeRelation.IN, now)


def _is_day_or_year(span: Span) -> bool:
    """True of what hardly means anything else in a statement; "may" and "spring" do."""
    return span.end - span.start <= timedelta(days=1) or span.end - span.start >= timedelta(days=365)


def _counted(
    grammar: Grammar, text: str, end: int, point: Point, now: datetime
) -> tuple[Span | None, int, bool]:
    """Span of a point, the end of its words, and True if it is counted from a date behind it."""
    if (anchor := grammar.anchor(text, point.end, end)) and (date := anchor.read(now)):
        return point.read(date.start), anchor.end, True
    span = point.read(now)
    other = grammar.also(text, point.end, end)
    if span and other and (further := other.read(now)) and further.start == span.end:
        return Span(span.start, further.end), other.end, False
    return span, point.end, False


def _stretch(
    grammar: Grammar, text: str, start: int, end: int, point: Point, now: datetime
) -> tuple[int, int, Span] | None:
    """From one time to another, if that is what the text says."""
    other_start = grammar.join(text, start, point, end)
    other = None if other_start is None else grammar.point_at(text, other_start, end)
    if other is None or (last := other.read(now)) is None or (first := point.read(now)) is None:
        return None
    if first.start >= last.end:  # "Between March and May 2022": the year counts for both.
        first = point.read(last.start) or first
    earlier, later = sorted((first, last), key=lambda span: span.start)
    return grammar.opening(text, start, point.start), other.end, Span(earlier.start, later.end)


def _related(span: Span, relation: TimeRelation, now: datetime) -> Span:
    today = days(now).end
    match relation:
        case TimeRelation.IN:
            return span
        case TimeRelation.SINCE | TimeRelation.AFTER:
            begin = span.start if relation is TimeRelation.SINCE else span.end
            return Span(begin, today if begin < today else END)
        case TimeRelation.BEFORE:
            return Span(BEGINNING, span.start)
        case TimeRelation.UNTIL:
            return Span(BEGINNING, span.end)


def window_named(span: Span, words: str) -> Window | None:
    """A span as a window; None where it is too far off to hold anything."""
    start, end = _utc(span.start), _utc(span.end)
    return Window(start, end, words) if start < end else None


def _utc(local: datetime) -> int:
    if local - BEGINNING < timedelta(days=2):
        return EARLIEST
    if END - local < timedelta(days=2):
        return LATEST
    return instant(local.replace(tzinfo=UTC))
