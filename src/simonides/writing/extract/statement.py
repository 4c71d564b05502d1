"""A statement that is worth keeping."""

from __future__ import annotations

from simonides.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something that a speaker clearly stated.

    Attributes:
        content: The speaker's own words, as one sentence; behind the speaker's name where there is one.
        type: A type of the taxonomy.
        confidence: In [0, 1]; lower where the speaker hedged.
        importance: In [0, 1].
        source_ids: Episodes that say it, in their order.
        event_at: When it was said: what "next Friday" in it counts from.
        corrects: It was said as a correction of something else, in words that its content leaves out.
        invented: No word of it was said: it is the model's own.
        instead_of: The content of the statement that it puts right; empty where it puts none right.
    """

    content: str
    type: str
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    confidence: float
    importance: float
    why_store: str
    source_ids: tuple[str, ...]
    event_at: int | None
    corrects: bool = False
    invented: bool = False
    instead_of: str = ""
