"""Times that statements tell of, counted from when they were told: "back on Saturday", "the trip is on 21 May".

And the coming one of a time that comes again, where a question is not told in the past: "What do I have on Thursday?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache, lru_cache
from typing import Final

from simonides.domain.instant import DAY_US, to_datetime
from simonides.domain.kept import keeps_texts, kept
from simonides.language.calendar.rule import Grammar
from simonides.language.calendar.spans import Span
from simonides.language.calendar.windows import (
    Window,
    first_time,
    grammars_of,
    placed_window,
    unquoted,
    window_named,
)
from simonides.language.cues import Cues
from simonides.language.guess import language_of
from simonides.language.manner import is_past_form, manner
from simonides.language.sentences import QuestionText, fold, sentences
from simonides.language.tables import han, table, worded
from simonides.language.tokens import tokens

#: Longer texts tell of much, and of many times.
READ_CHARS: Final = 400
_MOST_TIMES: Final = 6
#: After so long each season and each day of the year but the 29th of February has come again.
_LONG_AFTER: Final = 366
#: What happened so long ago is told by a date without its year.
_JUST_NOW: Final = 31 * DAY_US
#: Of a longer time the days of the week say nothing.
_MOST_DAYS: Final = 7
#: So many days after a moment the latest day of the week, of the month, and of the year is the next one behind it.
_NEXT: Final = (6, 30, 61, 365)
_BREAKS: Final = re.compile(r"[,;，；](?!\d)|\s[-–—]\s")
_HAN_PAST: Final = "了过"
#: German for "what" is a past tense of English, and "have I got" is none.
_NOT_PAST: Final = worded("parts", r"{not_past}(?!\w)", flags=0)
_PAST: Final = Cues("past")
_TOLD: Final = Cues("tense", "told")


def told_windows(text: str, at: int) -> tuple[Window, ...]:
    """The times that a statement names, at most six; none of a text of more than 400 characters.

    A day of the week, a date without a year and the like mean the latest in a sentence that is told in the past, else
    the coming one.

    Args:
        at: When it was told, microseconds UTC. Days begin in UTC too.
    """
    if len(text) > READ_CHARS or not _may_name_a_time(text):
        return ()
    return _windows_of_day(text, at // DAY_US * DAY_US)


def time_told(text: str, at: int) -> Window | None:
    """The one time that a statement names for what it tells; None where it names none, or several.

    In what is told in the past a time to come, or long ago, is of another matter: "Resigned, my last day is 29 May."

    Args:
        at: As of `told_windows`.
    """
    times = told_windows(text, at)
    if len(times) != 1:
        return None
    start, end = times[0].start, times[0].end
    just_now = at - _JUST_NOW <= end and start <= at
    return times[0] if just_now or not tells_of_the_past(text) else None


def _windows(text: str, day: int) -> tuple[Window, ...]:
    windows: list[Window] = []
    folded = fold(text)
    body = unquoted(folded)
    for grammar in grammars_of(folded):
        for begins, ends, _ in sentences(text):
            for start, end, span in _times(grammar, body, begins, ends, day, text):
                if (window := window_named(span, text[start:end])) and window not in windows:
                    windows.append(window)
    return tuple(windows[:_MOST_TIMES])


_windows_of_day: Final = keeps_texts(lru_cache(maxsize=8192)(_windows))


@kept(8192)
def _may_name_a_time(text: str) -> bool:
    return bool(grammars_of(fold(text)))


def _times(
    grammar: Grammar, body: str, start: int, end: int, at: int, text: str
) -> Iterator[tuple[int, int, Span]]:
    """Times of a sentence, from left to right.

    Args:
        body: The text, folded, without what stands in quotation marks.
        text: As written.
    """
    sentence = (start, end)
    try:
        now = to_datetime(at).replace(tzinfo=None)
        while (first := first_time(grammar, body, start, end, now, bare=True)) is not None:
            begins, start, span = first
            if span.end <= now and not _is_past(_clause(text, sentence, begins, start)):
                again = first_time(grammar, body, begins, start, span.start, bare=True)
                if again is not None and again[2] == span:  # "Last Friday" is another one then.
                    later = (
                        first_time(grammar, body, begins, start, now + timedelta(days=days), bare=True)
                        for days in _NEXT
                    )
                    span = next((one[2] for one in later if one and one[2].end > now), span)
            yield begins, start, span
    except (OverflowError, ValueError):
        return


def _clause(text: str, sentence: tuple[int, int], start: int, end: int) -> str:
    """What tells of a time at [start, end): "Check-up done, the next one is on 14 October." has it behind the comma.

    The whole sentence where nothing else stands between its commas: "On Friday, we met."
    """
    first = max((sign.end() for sign in _BREAKS.finditer(text, sentence[0], start)), default=sentence[0])
    after = _BREAKS.search(text, end, sentence[1])
    last = sentence[1] if after is None else after.start()
    alone = not any(map(str.isalpha, text[first:start] + text[end:last]))
    return text[slice(*sentence)] if alone else text[first:last]


def words_naming(window: Window, code: str | None) -> tuple[str, ...]:
    """The words by which a statement may name the days of a time, at most nine: "thursday", "21", "may".

    Args:
        code: The language of the question, of which the words are; English without one.
    """
    first, last = to_datetime(window.start), to_datetime(window.end - 1)
    days = [first + timedelta(days=number) for number in range((last.date() - first.date()).days + 1)]
    if len(days) > _MOST_DAYS:
        days = days[:: len(days) - 1]  # Of a month its own name is told.
        weekdays = set[int]()
    else:
        weekdays = {day.weekday() for day in days}
    if code == "zh":
        heads, signs = han("weekday_heads"), han("weekdays")
        named = [f"{head}{sign}" for head in heads for number in sorted(weekdays) for sign in signs[number]]
        return (*named, *dict.fromkeys(f"{day.month}月" for day in days))
    names = table(code or "en", "calendar") or table("en", "calendar")
    words = [names["weekdays"][number].split("|")[0] for number in sorted(weekdays)]
    words += [names["months"][number - 1].split("|")[0] for number in sorted({day.month for day in days})]
    return tuple(words) if len(days) > 1 else (*words, str(first.day))


@kept(4096)
def _is_past(sentence: str) -> bool:
    """True of a statement that is told in the past; in doubt it is not."""
    sentence = f"{sentence[:1].lower()}{sentence[1:]}"
    code = language_of(sentence)
    if code == "zh":
        return any(sign in sentence for sign in _HAN_PAST)
    if code in {None, "en"}:
        return sentence.isascii() and manner(tokens(sentence)).time == "past"
    if code == "de" and _TOLD.search(sentence):
        return True
    past = _past_of(str(code))
    # Names look like forms of verbs: "Осло".
    return past is not None and any(verb[0][0].islower() for verb in past.finditer(sentence))


@cache
def _past_of(code: str) -> re.Pattern[str] | None:
    past = "".join(table(code, "bygone").get("past", "").splitlines())
    return re.compile(rf"(?<!\w)(?:{past})(?!\w)") if past else None


def tells_of_the_past(text: str) -> bool:
    """True of a text with a form of the past in it: "Resigned, my last day is 29 May."."""
    return _is_past(text) or (text.isascii() and any(map(is_past_form, tokens(text))))


def told_in_the_past(folded: str) -> bool:
    """True of a question that is told in the past, in a participle as well: "Who came?", "Was habe ich gekauft?"."""
    if _NOT_PAST.match(folded):
        return False
    if _PAST.search(folded) or _TOLD.search(folded):
        return True
    english = folded.isascii() and language_of(folded) in {None, "en"}
    return english and manner(tokens(folded)).time == "past"


def comes_again(reading: QuestionText, window: Window) -> bool:
    """True of a time that comes again, named without its year or week: "on Friday", "in May", "on 3 June", "in spring".

    Asked when it began the same words mean it still, unlike "last May" or "a month ago"; later they mean another one,
    unlike "May 2025".
    """
    again = (
        placed_window(reading, window.start),
        placed_window(reading, window.end + _LONG_AFTER * DAY_US),
    )
    then, later = (None if placed is None else placed.window for placed in again)
    return then == window != later


def coming(reading: QuestionText, at: int) -> Window | None:
    """The next one of the time that a question names and that comes again; None where none begins within a year."""
    later = (placed_window(reading, at + days * DAY_US) for days in _NEXT)
    return next((placed.window for placed in later if placed and placed.window.start > at), None)
