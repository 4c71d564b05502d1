"""Scanning text for what must not be stored as it is: secrets, orders to the model, spoofed structure.

Pure and deterministic; the text itself is never changed. Rules are data (`rules/*.toml`) and
run on a linear-time engine over views of the text (`views.py`).
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simonides.domain.pattern import later
from simonides.governance.checks import FoundValue
from simonides.governance.rulebook import Category, Ranges, Rule, Rulebook, rulebook
from simonides.governance.views import TextView, derived_views, readings
from simonides.values import dataclass

__all__ = [
    "Category",
    "Finding",
    "SecretPlace",
    "SeenFinding",
    "redact",
    "scan",
    "secret_places",
    "seen_findings",
]

#: How many decodings deep a view may lie: an escaped base64 blob is two.
_DEEPEST = 2

#: Characters of decoded views that are read per text. What is decoded beyond that is not looked
#: at; the text as written and what it looks like always are, whole.
_DECODED_CHARACTERS = 1 << 20

#: Characters of a value that its check sees, and before it.
_LONGEST_CHECKED = 512
_CONTEXT = 80

#: Secrets whose repetitions are looked for, the longest first: each costs a pass over the text.
_MOST_SOUGHT = 100
_LONG_SECRET = 8
#: Changes between digits and other characters by which a secret is told from words and names: Tr0ub4dor has them, and
#: neither Ed25519Key nor scram-sha-256.
_MIXED: Final = 4

_ORDERS = frozenset({"injection", "mimicry"})

#: Of a byte that goes on with a character in UTF-8.
_TOP_BITS: Final = 0xC0
_CONTINUES: Final = 0x80

#: Characters after which the end of a value is no longer looked for.
_LONGEST_VALUE: Final = 512
_CLOSING: Final = dict(zip("\"'`“„«‘「『", ('"', "'", "`", "”", "“”", "»", "’", "」", "』"), strict=True))
#: A value that nothing quotes ends at white space, and where a script that puts none between words goes on.
_UNQUOTED: Final = later(r"[^\s“”„«»\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]*")
#: What stands for a secret already.
_REDACTED: Final = later(r"\[secret: [^\]\n]{1,40}\](?![^\s.,;:!?)}\]\"'“”`/|])")
_MARKS_BEGIN: Final = "[secret: "
#: As kinds are called. In JSON what follows it would count as part of a value: `[secret: password]","user":"ana"`.
_KIND_IN_MARK: Final = later(r"[A-Za-z][A-Za-z ]{0,39}\]")
MARK_OF_SECRET: Final = later(r"\[secret: [^\]\n]{1,40}\]")
#: Before a value that such a word, not a name of its own, introduces; what has the form of a secret needs no name.
_REDACTED_BEFORE: Final = re.compile(r"\[secret: [^\]\n]{1,40}\][^\w\n]{0,8}\w?\Z")
#: Of a sentence, not of the value: one mark at its end.
_SENTENCE_MARKS: Final = ".,;:"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One rule's hit, placed in the text as written."""

    start: int
    end: int
    category: Category
    rule: str
    kind: str


@dataclass(frozen=True, slots=True, order=True)
class SeenFinding:
    """A finding, and how the text was read to find it.

    Attributes:
        view: Steps of the reading, such as `decoded` and `look-alikes`; none where it stands there as written.
    """

    finding: Finding
    view: tuple[str, ...]


class SecretPlace(NamedTuple):
    """Characters of a text that are to be replaced, and the kind of secret that they are."""

    start: int
    end: int
    kind: str

    @property
    def mark(self) -> str:
        """Text that stands in its place."""
        return f"[secret: {self.kind}]"


def scan(text: str, book: Rulebook | None = None) -> tuple[Finding, ...]:
    """All findings of all categories, ordered by start, then end, category and rule.

    Args:
        text: Anything; lone surrogates and NUL are characters like others.
        book: The rules; the packaged ones by default.

    Spans count characters of `text`. What was found in a decoded view has the span of what
    hides it. Never raises.

    Cost: linear in the text; at most a megabyte of decoded views is read besides it.
    """
    return _tidy(finding for finding, _ in _findings(text, book or rulebook()))


def seen_findings(text: str, book: Rulebook | None = None) -> tuple[SeenFinding, ...]:
    """Results of `scan`, in its order, each with the plainest view in which it was seen."""
    views: dict[Finding, tuple[str, ...]] = {}
    for finding, view in _findings(text, book or rulebook()):
        known = views.get(finding)
        if known is None or len(view.readings) < len(known):
            views[finding] = view.readings
    return tuple(SeenFinding(finding, views[finding]) for finding in _tidy(views))


def redact(text: str, findings: Iterable[Finding]) -> str:
    """`text` with `[secret: kind]` for every secret among the findings, at `secret_places`."""
    parts: list[str] = []
    last = 0
    for place in secret_places(text, findings):
        parts += (text[last : place.start], place.mark)
        last = place.end
    return "".join([*parts, text[last:]]) if parts else text


def secret_places(text: str, findings: Iterable[Finding], *, reach: int | None = None) -> list[SecretPlace]:
    """Places of the secrets among the findings, in order and apart.

    Overlapping secrets become one. What is a secret in one place is one wherever else it stands by itself. Findings of
    other categories are ignored.

    Args:
        reach: Characters around a secret in which it is looked for, where it may as well be a word or a name; None for
            the whole text.
    """
    spans = [(f.start, f.end, f.kind) for f in findings if f.category == "secret" and f.end > f.start]
    return list(_merged(sorted([*spans, *_repetitions(text, spans, reach)]))) if spans else []


def _repetitions(
    text: str, spans: list[tuple[int, int, str]], reach: int | None
) -> Iterator[tuple[int, int, str]]:
    """Further places of the secrets: by themselves, or anywhere if they are long."""
    kinds = {text[start:end]: kind for start, end, kind in spans}
    for value in sorted(kinds, key=len, reverse=True)[:_MOST_SOUGHT]:
        for low, high in _sought(text, value, spans, reach):
            at = text.find(value, low, high)
            while at >= 0:
                end = at + len(value)
                joined = _are_joined(text[at - 1 : at], value[0]) or _are_joined(
                    value[-1], text[end : end + 1]
                )
                if len(value) >= _LONG_SECRET or not joined:
                    yield at, end, kinds[value]
                at = text.find(value, end, high)


def _sought(
    text: str, value: str, spans: list[tuple[int, int, str]], reach: int | None
) -> Iterator[tuple[int, int]]:
    """Ranges of a text in which a secret is looked for."""
    if reach is None or sum(one.isdigit() != other.isdigit() for one, other in pairwise(value)) >= _MIXED:
        yield 0, len(text)
    else:
        yield from (
            (max(start - reach, 0), end + reach) for start, end, _ in spans if text[start:end] == value
        )


def _are_joined(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum()


def _merged(spans: list[tuple[int, int, str]]) -> Iterator[SecretPlace]:
    """Overlapping spans joined; the longest names the kind."""
    start, end, kind = spans[0]
    longest = end - start
    for next_start, next_end, next_kind in spans[1:]:
        if next_start >= end:
            yield SecretPlace(start, end, kind)
            start, end, kind, longest = next_start, next_end, next_kind, next_end - next_start
            continue
        if next_end - next_start > longest:
            kind, longest = next_kind, next_end - next_start
        end = max(end, next_end)
    yield SecretPlace(start, end, kind)


class _Read:
    """A text and its UTF-8, which the engine reads: its byte spans as spans of the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        # A lone surrogate becomes a question mark, so that positions stay as they are.
        self.data = text.encode("utf-8", "replace")

    def in_characters(self, spans: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        """Spans that begin and end between characters."""
        if len(self.text) == len(self.data):
            return spans
        return ((int(self._before[start]), int(self._before[end])) for start, end in spans)

    @cached_property
    def _before(self) -> NDArray[np.int32]:
        """Number of characters that begin before each byte: counted once, whatever the number of rules that hit."""
        begins = (np.frombuffer(self.data, np.uint8) & _TOP_BITS) != _CONTINUES
        return np.concatenate([np.zeros(1, np.int32), np.cumsum(begins, dtype=np.int32)])


def _findings(text: str, book: Rulebook) -> Iterator[tuple[Finding, TextView]]:
    *plain, last = readings(TextView(text))
    # What is encoded is in all of these alike: it is looked for in the last.
    waiting = [*((view, _DEEPEST, False) for view in plain), (last, 0, False)]
    decoded = 0
    while waiting:
        view, depth, derived = waiting.pop()
        read = _Read(view.text)
        suspects = book.suspects(read.data)
        rules = (
            ((rule, ((0, len(read.data)),)) for rule in book.squashed) if view.squashed else suspects.rules
        )
        for rule, ranges in rules:
            if view.full or rule.category in _ORDERS:
                for start, end in _hits(rule, ranges, read):
                    low, high = view.span(start, end)
                    # What stands there as written was judged by all that stands around it.
                    as_written = derived and not (view.squashed or view.spelled_out)
                    if as_written and text[low:high] == view.text[start:end]:
                        continue
                    yield Finding(low, high, rule.category, rule.name, rule.kind), view
        if depth == _DEEPEST or not view.full or not suspects.triggers:
            continue
        stretches = {name: list(read.in_characters(ranges)) for name, ranges in suspects.triggers}
        for another in derived_views(view, stretches):
            decoded += len(another.text)
            if decoded > _DECODED_CHARACTERS:
                break
            waiting += ((reading, depth + 1, True) for reading in readings(another))


def _hits(rule: Rule, ranges: Ranges, read: _Read) -> Iterator[tuple[int, int]]:
    """Character spans of what the rule finds in a text."""
    for low, high in ranges:
        yield from rule.pattern.read(read.data, low, high, partial(_hit, rule, read))


def _hit(rule: Rule, read: _Read, low: int, high: int) -> tuple[int, int] | None:
    """Characters of what a rule takes from a span of bytes; None where it passes that by."""
    text = read.text
    [(start, cut)] = read.in_characters([(low, high)])
    if rule.category == "secret" and _stands_already(rule, text, start):
        return None
    if rule.whole:
        end = _end_of_value(text, start, cut)
    else:
        # The end of the sentence is not part of the secret.
        end = start + len(text[start:cut].rstrip(_SENTENCE_MARKS)) if rule.category == "secret" else cut
    # What belongs to a value only because it is in doubt says nothing about it.
    seen = min(end, cut)
    around = text[max(start - _CONTEXT, 0) : start], text[seen : seen + 1]
    value = text[start : min(seen, start + _LONGEST_CHECKED)]
    return (start, end) if rule.check is None or rule.check(FoundValue(value, *around)) else None


def _stands_already(rule: Rule, text: str, start: int) -> bool:
    """True if the value was redacted already, has no name but that of a redacted one, or is the kind in its mark."""
    before = text[max(start - _CONTEXT, 0) : start]
    return (
        _REDACTED.match(text, start) is not None
        or (rule.whole and _REDACTED_BEFORE.search(before) is not None)
        or (before.endswith(_MARKS_BEGIN) and _KIND_IN_MARK.match(text, start) is not None)
    )


def _end_of_value(text: str, start: int, cut: int) -> int:
    """End of a value that begins at `start` and reaches at least to `cut`.

    At the quote that opened it, else at white space: what is in doubt belongs to it.
    """
    closing = _CLOSING.get(text[start - 1 : start])
    if closing:
        line = text.find("\n", start, start + _LONGEST_VALUE)
        match = _closed(closing).search(text, start, line if line >= 0 else start + _LONGEST_VALUE)
        if match:
            return max(match.start() + 1, start + 1)
    match = _UNQUOTED.match(text, cut, cut + _LONGEST_VALUE)
    end = match.end() if match else cut
    return end - 1 if end - start > 1 and text[end - 1] in _SENTENCE_MARKS else end


@cache
def _closed(marks: str) -> re.Pattern[str]:
    """The last character before a closing mark; within a value marks stand too, but more of it follows them."""
    return re.compile(rf"""[^\s](?=[{marks}](?:[.,;:!?)\]}}>]*(?:\s|\Z)|[,}}\]:]+["'{{\[]|[^\x00-\x7f]))""")


def _tidy(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sorted, each once; a hit within a longer one of the same rule is left out."""
    distinct = set(findings)
    if not distinct:
        return ()
    ends: dict[str, int] = {}
    kept: list[Finding] = []
    for finding in sorted(distinct, key=lambda f: (f.start, -f.end, f.category, f.rule)):
        if ends.get(finding.rule, -1) < finding.end:
            ends[finding.rule] = finding.end
            kept.append(finding)
    return tuple(sorted(kept))
