"""A profile's own search of the text channel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from simonides.ports.store import Reader, TextMatches
from simonides.recall.result import Query
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class ProfileSearch:
    """The outcome of such a search.

    Attributes:
        query: With the selection that all channels keep to.
        matches: Of the text channel.
        step: The way it was asked, as `strategy` names it; None where that needs no word.
        only: Nothing is an answer that the text channel did not find.
    """

    query: Query
    matches: TextMatches
    step: str | None = None
    only: bool = False


#: Reader, query, the question as it is read, most matches.
SearchText: TypeAlias = Callable[[Reader, Query, str, int], ProfileSearch]
