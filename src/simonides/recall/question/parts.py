"""The questions in a message: people ask two things at once, and say other things before they ask."""

from __future__ import annotations

from typing import Final

from simonides.language.tables import worded

#: Most parts of a message that are looked for by themselves.
MAX_PARTS: Final = 3
#: Shorter parts ask nothing by themselves.
_LEAST_CHARS: Final = 4
#: What joins a question to the one before it.
_JOINED: Final = worded("parts", r"(?<=[?？。.!！])\s*(?:{han_another}|{another}\b)[\s,，、:：]*")
#: What says that the question comes now, and that what was said before was not it.
_NOW: Final = worded("parts", r"{announced}[\s,，:：]*")


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
