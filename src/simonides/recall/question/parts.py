"""The questions in a message: people ask two things at once, and say other things before they ask."""

from __future__ import annotations

import re
from typing import Final

#: Most parts of a message that are looked for by themselves.
MAX_PARTS: Final = 3
#: Shorter parts ask nothing by themselves.
_LEAST_CHARS: Final = 4
#: What joins a question to the one before it.
_JOINED = re.compile(
    r"(?<=[?？。.!！])\s*(?:另外|此外|还有|而且|(?:also|another question|besides|secondly|one more thing|"
    r"а также|ещё вопрос|кроме того|aussi|autre question|par ailleurs)\b)[\s,，、:：]*",
    re.IGNORECASE,
)
#: What says that the question comes now, and that what was said before was not it.
_NOW = re.compile(
    r"(?:what i (?:really|actually) (?:want|wanted|meant) to (?:ask|know)(?: is| was)?|my (?:real|actual) question is|"
    r"на самом деле (?:я )?хо(?:чу|тел[аи]?) (?:спросить|узнать)|"
    r"ce que je voulais (?:vraiment )?(?:demander|savoir)(?:,? c'est)?|"
    r"真正(?:想|的|要)[^，。：:！？,]{0,12}(?:是这个|是|：|:)|问题是这个|本来想(?:说|问)的是|我想问(?:的是|一下)?)[\s,，:：]*",
    re.IGNORECASE,
)


def parts(message: str) -> tuple[str, ...]:
    """The questions that a message asks, in order; the message itself where it asks one.

    Args:
        message: At most some thousand characters; the cost is linear.

    Returns:
        One to `MAX_PARTS` texts, none blank unless the message is.
    """
    found = [_after_announcement(part) for part in _JOINED.split(message)]
    told = [part for part in found if len(part) >= _LEAST_CHARS]
    return tuple(told[:MAX_PARTS]) or (message,)


def _after_announcement(part: str) -> str:
    """Text behind the last announcement of a question, if anything does."""
    ends = [found.end() for found in _NOW.finditer(part)]
    return next(
        (rest for end in reversed(ends) if len(rest := part[end:].strip()) >= _LEAST_CHARS), part.strip()
    )
