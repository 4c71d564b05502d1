"""The values of the agenda: what is asked, what supports an answer, and partial explanations made of both."""

from __future__ import annotations

import math
from dataclasses import field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from simonides.domain.written import as_written
from simonides.errors import InvalidInput
from simonides.ports.store import Sketch
from simonides.recall.agenda.names import Bonds
from simonides.values import dataclass

#: Digits that scores are rounded to: ties are ties in every process.
PRECISION: Final = 6


class Want(NamedTuple):
    """Something that the question says and that an explanation should hold.

    Attributes:
        name: As `AgendaSource.holds` gives it back.
        words: As the question writes it.
        weight: > 0; how much of the question's information it is (IDF).
    """

    name: str
    words: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A question, as far as the agenda needs to know it.

    Attributes:
        terms, entities: What it says; a term whose name is also an entity's counts once, as the entity.
        intent: `why`, `when` and `who` ask for a facet of their own; others for none.
        several: It asks for more than one instance: a list, a count.
        window: From (inclusive) and until (exclusive), microseconds, None for open; None for any time.
        wants: Entities, then terms; no name twice.

    Raises:
        InvalidInput: A weight is not above 0.
    """

    text: str
    terms: tuple[Want, ...] = ()
    entities: tuple[Want, ...] = ()
    intent: str = "general"
    several: bool = False
    window: tuple[int | None, int | None] | None = None
    wants: tuple[Want, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        wants: dict[str, Want] = {}
        for want in self.entities + self.terms:
            wants.setdefault(want.name, want)
            if not 0 < want.weight < math.inf:
                raise InvalidInput(
                    f"the weight of {want.words!r} must be a number above 0, got {want.weight}"
                )
        object.__setattr__(self, "wants", tuple(wants.values()))


class SubgoalKind(StrEnum):
    """Origin of a subgoal. Entities and terms count for coverage, the others are only open or not."""

    ENTITY = "entity"
    TERM = "term"
    TIME = "time"
    FACET = "facet"


@dataclass(frozen=True, slots=True)
class Subgoal:
    """A part of the question that an explanation has to cover.

    Attributes:
        name: Of the want; `window`, `cause`, `time`, `person` or `several`.
        words: What a query for it says.
        weight: Of the want; 0 where it does not count for coverage.
    """

    kind: SubgoalKind
    name: str
    words: str
    weight: float = 0.0

    def __str__(self) -> str:
        return self.words if self.weight else self.name


@dataclass(frozen=True, slots=True)
class Piece:
    """An item as support: all that operators and scorers look at.

    Attributes:
        relevance: To the question, in [0, 1].
        holds: Names of the goal's wants that it holds.
        names: Names that it mentions, as written, the surest first, none of them its speaker's.
        bonds: What ties it to others by these names.
        tokens: Of its title and content.
    """

    key: int
    sketch: Sketch
    document: str | None
    relevance: float
    holds: frozenset[str]
    names: tuple[str, ...]
    bonds: Bonds
    tokens: int


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """Parts of a score, each in [0, 1].

    Attributes:
        relevance: R, mean over the support.
        provenance: P, mean over the support.
        coverage: C, share of the question's entities and terms.
        redundancy: D, mean pairwise similarity within the support.
        doubt: X, share of contested and retracted items.
        score: S, what they come to.
    """

    relevance: float = 0.0
    provenance: float = 0.0
    coverage: float = 0.0
    redundancy: float = 0.0
    doubt: float = 0.0
    score: float = 0.0

    to_dict = as_written


@dataclass(frozen=True, slots=True)
class NodeStep:
    """Step by which a node came from its parent.

    Attributes:
        operator: `start` for the first node.
        subgoal: What the operator was after, where it was after one.
        words: The query that it asked; empty where it asked none.
        added, dropped, confirmed: Keys of items.
    """

    operator: str
    subgoal: Subgoal | None = None
    words: str = ""
    added: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    confirmed: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "operator": self.operator,
            "subgoal": None if self.subgoal is None else str(self.subgoal),
            "words": self.words,
            "added": list(self.added),
            "dropped": list(self.dropped),
            "confirmed": list(self.confirmed),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaNode:
    """A partial explanation: items that together answer some of the question.

    Attributes:
        support: In the order in which they came in.
        open: Subgoals that the support does not cover: entities, then terms, the weightiest first; then others.
        similarity: Mean pairwise similarity within the support, in [0, 1].
        confirmed: Keys of items that a validator found to hold.
        id: Counts the nodes of a run in the order of their making.
        depth: Steps from the first node.
    """

    goal: Goal
    support: tuple[Piece, ...]
    open: tuple[Subgoal, ...]
    similarity: float
    confirmed: frozenset[int] = frozenset()
    step: NodeStep = NodeStep("start")
    id: int = 0
    parent: int | None = None
    depth: int = 0
    parts: ScoreParts = ScoreParts()

    @property
    def keys(self) -> tuple[int, ...]:
        """Keys of the supporting items, in the order in which they came in."""
        return tuple(piece.key for piece in self.support)

    @property
    def documents(self) -> tuple[str, ...]:
        """Supporting documents, in the order in which they came in."""
        return tuple(dict.fromkeys(piece.document for piece in self.support if piece.document))

    @property
    def tokens(self) -> int:
        """Of the whole support."""
        return sum(piece.tokens for piece in self.support)

    @property
    def score(self) -> float:
        """S, in [0, 1]."""
        return self.parts.score

    @property
    def order(self) -> tuple[float, int]:
        """Sorts nodes: best score first, ties by id."""
        return (-self.score, self.id)

    @property
    def signature(self) -> tuple[frozenset[int], frozenset[int]]:
        """Signature that two nodes of the same explanation share."""
        return frozenset(self.keys), self.confirmed

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "parent": self.parent,
            "depth": self.depth,
            "step": self.step.to_dict(),
            "support": list(self.keys),
            "documents": list(self.documents),
            "open": [str(subgoal) for subgoal in self.open],
            "tokens": self.tokens,
            "parts": self.parts.to_dict(),
        }
