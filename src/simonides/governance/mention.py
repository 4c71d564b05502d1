"""Orders and tokens of templates that a note talks about, rather than gives: quoted, or told of by its sentence.

For what the user adds in person. A note about prompts is kept like any other, only out of prompts; whatever gives an
order, or spoofs a turn, is refused whoever it comes from.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from simonides.domain.pattern import later
from simonides.governance.scan import Finding
from simonides.language.quoted import quoted_spans
from simonides.language.tables import worded

# The words of `{name}` in a pattern stand in the section `mention` of each language.
_worded: Final = partial(worded, "mention", flags=0)
#: Words of a sentence that tells of orders and tokens: what they are, who uses them, and what stops them.
_TELLS: Final = _worded(r"\b{tells}\b|{han_tells}")

#: What stands in a line before an order that it tells of: who asked whom for it, or whose order it is.
_REPORTS: Final = _worded(r"{reports}")
#: A decree by its number, or an idea for what a prompt might say.
_HEADED: Final = _worded(
    r"^\W{0,3}{decrees} {0,2}(?:no\.?|nr\.?|n°|№|#)? {0,2}\d{1,6}[^\n:]{0,40}[:：]"
    r"|^第 ?[\d一二三四五六七八九十百]{1,6} ?号{han_decrees}[^\n：:]{0,20}[：:]"
    r"|^\W{0,3}(?:idea|ideas|draft|plan|sketch) for (?:the |a |my |our )?(?:\w+ )?(?:prompt|bot|chatbot)\b[^\n:]{0,40}:"
)
#: A rule of a game, where somebody plays it.
_GAME: Final = later(
    r"^\W{0,3}(?:house |board |card )?(?:rules?(?: \d+)? of (?:the|our|this) (?:\w+ )?game|(?:\w+ )?game)\s?:"
)
_PLAYS: Final = later(
    r"\b(?:players?|cards?|jokers?|dice|die|wizard|king|queen|knight|dragon|ring|turns?|round|board|points|level|team"
    r"|draws?|rolls?|plays?|pieces?)\b"
)
#: A prompt that is kept, and told of.
_KEPT: Final = later(
    r"^\W{0,3}(?:my )?(?:saved|old|stored|usual|favou?rite|emergency|go-to|standard) prompt\b[^\n:]{0,30}:"
)
_TYPED: Final = later(
    r"\b(?:which|that|what) (?:i|we|people) (?:type|use|paste|send|keep|say|write)\b"
    r"|\bwhen(?:ever)? (?:chat ?gpt|claude|gpt\S*|gemini|copilot|the (?:bot|model|assistant|ai))"
    r" (?:gets?|is|goes|does|forgets)\b"
)
_ENDS: Final = later(r"[.!?]+(?=\s)|[。！？\n]+")
_WORD: Final = later(r"[^\W\d_]+")
#: Words at least that stand around a quotation, or in a sentence beside what is mentioned.
_LEAST_AROUND: Final = 3


#: Characters of a sentence, and of the head of its line, that are read around a place.
_AROUND: Final = 500
_HEAD: Final = 200


def mentioned(text: str, findings: Iterable[Finding]) -> bool:
    """True if a text only talks about what was found in it. Linear in the text.

    Args:
        findings: Places in the text as it is written.
    """
    quoted = list(quoted_spans(text))
    left = "".join(text[last:start] for (_, last), (start, _) in pairwise([(0, 0), *quoted, (len(text), 0)]))
    around = quoted if len(_WORD.findall(left)) >= _LEAST_AROUND else []
    ends = [(end.start(), end.end()) for end in _ENDS.finditer(text)]
    lines = [0, *(place + 1 for place, sign in enumerate(text) if sign == "\n")]
    return all(_lies_in(around, finding) or _told_of(text, finding, ends, lines) for finding in findings)


def _lies_in(spans: Sequence[tuple[int, int]], finding: Finding) -> bool:
    """True if one of some spans, in order and apart, holds a place."""
    place = bisect_right(spans, finding.start, key=lambda span: span[0]) - 1
    return place >= 0 and finding.end <= spans[place][1]


def _told_of(text: str, finding: Finding, ends: Sequence[tuple[int, int]], lines: Sequence[int]) -> bool:
    """True if the other words of the sentences that it lies in tell of it.

    Args:
        ends: Where sentences of the text end, in order.
        lines: Where its lines begin.
    """
    begins = lines[bisect_right(lines, finding.start) - 1]
    head = text[begins : min(finding.start, begins + _HEAD)].casefold()
    before = text[max(begins, finding.start - _HEAD) : finding.start].casefold()
    if _REPORTS.search(before) or _HEADED.search(head):
        return True
    last = bisect_right(ends, finding.start, key=lambda end: end[1]) - 1
    following = bisect_left(ends, finding.end, key=lambda end: end[0])
    start = max(ends[last][1] if last >= 0 else 0, finding.start - _AROUND)
    end = min(ends[following][0] if following < len(ends) else len(text), finding.end + _AROUND)
    beside = f"{text[start : finding.start]} … {text[finding.end : end]}".casefold()
    if len(_WORD.findall(beside)) < _LEAST_AROUND:
        return False
    return (
        _TELLS.search(beside) is not None
        or (_GAME.search(head) is not None and _PLAYS.search(beside) is not None)
        or (_KEPT.search(head) is not None and _TYPED.search(beside) is not None)
    )
