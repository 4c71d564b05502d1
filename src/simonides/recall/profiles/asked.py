"""What the text channel is asked where a profile has its own way of asking it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from simonides.ports.store import Reader, TextMatches
from simonides.recall.result import Query


@dataclass(frozen=True, slots=True)
class Asked:
    """What a profile asked, and what it was given.

    Attributes:
        query: With the selection that all channels keep to.
        text: What the text channel found.
        step: How it was asked, as `strategy` names it; None where that needs no word.
        only: Whether nothing is an answer that the text channel did not find.
    """

    query: Query
    text: TextMatches
    step: str | None = None
    only: bool = False


#: Reader, query, the question as it is read, most matches.
Ask: TypeAlias = Callable[[Reader, Query, str, int], Asked]
