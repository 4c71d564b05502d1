"""Turns of which something was forgotten or taken back: they stay, and prompts tell the rest of them.

A turn, or a narrative, bears marks of such sentences in its metadata: hashes, which hold for a sentence wherever it
stands and repeat no word of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, cast

from simonides.domain.item import Item
from simonides.domain.text import sha256_hex
from simonides.language.sentences import sentences
from simonides.recall.question.speech import TELLING_OF_TURNS, quotations
from simonides.recall.result import Hit

#: The name of the marks in `metadata`, and their length in hexadecimal digits.
WITHHELD: Final = "withheld"
_DIGITS: Final = 12
#: Stands for what is left out.
_LEFT_OUT: Final = "[…]"


def mark_of(piece: str) -> str:
    """Mark of a sentence."""
    return sha256_hex(piece.strip().casefold())[:_DIGITS]


def marks_of(item: Item) -> frozenset[str]:
    """Marks of what prompts do not tell of an item."""
    marks: object = item.metadata.get(WITHHELD)
    if not isinstance(marks, list):
        return frozenset()
    return frozenset(mark for mark in cast("list[object]", marks) if isinstance(mark, str))


def marked(item: Item, marks: Iterable[str]) -> Item:
    """An item with these marks, and no others."""
    rest = {name: value for name, value in item.metadata.items() if name != WITHHELD}
    chosen = sorted(set(marks))
    return replace(item, metadata={**rest, WITHHELD: chosen} if chosen else rest)


def pieces_of(item: Item) -> list[str]:
    """Sentences of a turn, or quotations of a narrative, in their order."""
    if item.type in TELLING_OF_TURNS:
        return quotations(item.content)
    return [item.content[start:end].strip() for start, end, _ in sentences(item.content)]


def rest_of(item: Item) -> Item:
    """A turn with what prompts tell of it alone, for what is made of turns."""
    marks = marks_of(item)
    return replace(item, content=_without(item.content, marks, "")) if marks else item


def as_told(hit: Hit) -> Hit:
    """A hit as a prompt tells it: "[…]" stands for each row of sentences that are to be told no more.

    Of a long text no excerpt is left: its passages begin and end within sentences.
    """
    marks = marks_of(hit.item)
    if not marks:
        return hit
    return replace(hit, item=replace(hit.item, content=_without(hit.item.content, marks)), excerpt="")


def _without(text: str, marks: frozenset[str], left_out: str = _LEFT_OUT) -> str:
    kept: list[str] = []
    at = 0
    for start, end, closing in sentences(text):
        if mark_of(text[start:end]) in marks:
            before = text[at:start].strip()
            kept += [part for part in (before,) if part]
            if left_out and kept[-1:] != [left_out]:
                kept.append(left_out)
            at = end + len(closing)
    rest = text[at:].strip()
    return " ".join((*kept, rest) if rest else kept)
