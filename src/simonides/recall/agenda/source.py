"""The source that an agenda asks. Everything else in this package is pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simonides.ports.store import Sketch
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """An item that may support an answer.

    Attributes:
        document: The document that it is a piece of; None for what is no piece of one.
    """

    key: int
    sketch: Sketch
    document: str | None = None


class AgendaSource(Protocol):
    """The memory as seen by one question in one scope: every answer is already narrowed to what it may see.

    Answers do not change during a run. `find` and `documents` cost a whole search each, and their
    number is bounded by the settings; the others should take about a millisecond. Nothing is asked
    twice: neither a text nor anything about a key.
    """

    @property
    def has_documents(self) -> bool:
        """True if there are documents to ask. Costs nothing."""
        ...

    def find(self, text: str, limit: int) -> Sequence[Evidence]:
        """The ordinary search: best first, no key twice."""
        ...

    def documents(self, text: str, limit: int) -> Sequence[Evidence]:
        """Pieces of documents alone, best first. Only called where `has_documents`."""
        ...

    def sharing(
        self, entities: Sequence[str], tags: Sequence[str], exclude: Collection[int], limit: int
    ) -> Sequence[Evidence]:
        """Items that mention one of the entities or carry one of the tags, none of the excluded ones.

        Names are compared without case. Those that share most first, then the nearest to the
        question, ties by key.
        """
        ...

    def relevance(self, keys: Sequence[int]) -> NDArray[np.float64]:
        """Nearness of each item to the question, in [0, 1]: its cosine, or what it shares in words."""
        ...

    def similarities(self, keys: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        """Similarity of items, in [0, 1], shape (keys, others); symmetric: the cosine, or words shared."""
        ...

    def holds(self, keys: Sequence[int]) -> Sequence[frozenset[str]]:
        """For each item, the names of the goal's wants that it holds: terms in its text, entities it mentions."""
        ...


class Finding(StrEnum):
    """Opinion of a validator on a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"


class Validator(Protocol):
    """Judges claims: by looking at the source, by asking a model, by asking the world."""

    def check(self, claim: str, item: Sketch) -> Finding:
        """Judge whether what an item says holds.

        Args:
            claim: The item's text.
            item: What is known of it.

        Raises:
            ProviderError: It cannot say now; the claim stays as it was, and the run says so.
        """
        ...


#: Words a new query: question, subgoal in words, names to go on from → text. May raise ProviderError.
Wording: TypeAlias = Callable[[str, str, Sequence[str]], str]
