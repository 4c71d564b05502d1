"""Secrets of a document replaced before it is cut: where a cut parts one, neither part looks like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simonides.documents.chunking import pieces_of
from simonides.domain.document import ReadDocument
from simonides.governance.policy import Policy
from simonides.governance.scan import SecretPlace


def without_secrets(reading: ReadDocument, policy: Policy) -> ReadDocument:
    """A document with a mark in place of each secret, in its text and headings; lines keep their numbers.

    Cost: its text is read once more, by the rules for secrets alone.
    """
    if reading.uncut is None:
        return reading
    places = policy.secrets(reading.uncut.text)
    if not places:
        return replace(reading, uncut=None)
    text, lines = _replaced(reading.uncut.text, places)
    # Lines of one that spans several become one: it has the number of the first, and of the last.
    title, pieces = pieces_of(reading.uncut._replace(text=text, numbers=()))
    numbers = reading.uncut.numbers or range(1, lines[-1][1] + 1)
    numbered = tuple(
        piece._replace(
            first=numbers[lines[piece.first - 1][0] - 1], last=numbers[lines[piece.last - 1][1] - 1]
        )
        for piece in pieces
    )
    return replace(reading, title=title, pieces=numbered, uncut=None)


def _replaced(text: str, places: Sequence[SecretPlace]) -> tuple[str, list[tuple[int, int]]]:
    """The text with its marks, and of each line of it the numbers of the first and the last that it was."""
    parts: list[str] = []
    lines: list[tuple[int, int]] = []
    first = last = 1
    at = 0
    for start, end, mark in [*((*place[:2], place.mark) for place in places), (len(text), len(text), "")]:
        for _ in range(text.count("\n", at, start)):
            lines.append((first, last))
            first = last = last + 1
        last += text.count("\n", start, end)
        parts += (text[at:start], mark)
        at = end
    return "".join(parts), [*lines, (first, last)]
