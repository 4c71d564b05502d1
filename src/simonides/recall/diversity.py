"""The same text never twice, and nothing else: an order is kept as it is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from simonides.domain.text import normalised
from simonides.ports.store import Sketch


@dataclass(frozen=True, slots=True)
class Distinct:
    """Candidates without repeats.

    Attributes:
        kept: In the order they came in.
        folded: Keys that said the same, in their order, by the key of the one that was kept for them;
            only where there are any.
    """

    kept: tuple[Sketch, ...]
    folded: Mapping[int, tuple[int, ...]]


def distinct(ranked: Iterable[Sketch]) -> Distinct:
    """Drop what repeats the text of a better candidate, to the character.

    The text is title and content, in NFC with blanks folded. What is only similar stays where it is:
    trading relevance for variety loses more answers than it saves room.

    Args:
        ranked: Best first, none twice.
    """
    first: dict[str, Sketch] = {}
    folded: dict[int, list[int]] = {}
    for sketch in ranked:
        # A line break stands in no normalised text: title and content cannot run into each other.
        better = first.setdefault(f"{normalised(sketch.title)}\n{normalised(sketch.content)}", sketch)
        if better is not sketch:
            folded.setdefault(better.key, []).append(sketch.key)
    return Distinct(tuple(first.values()), {key: tuple(keys) for key, keys in folded.items()})
