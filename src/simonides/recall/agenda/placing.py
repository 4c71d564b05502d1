"""From the best explanation to an order of hits: the ordinary one, with what the agenda found put in."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from simonides.domain.written import as_written
from simonides.recall.agenda.node import PRECISION, AgendaNode, Piece
from simonides.recall.agenda.run import AgendaRun
from simonides.recall.agenda.score import covered_share
from simonides.recall.agenda.source import Evidence
from simonides.recall.agenda.subgoals import anchored, open_subgoals, reached
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class PlacedItem:
    """An item in its place.

    Attributes:
        operator: What found it; `find` for the question itself.
        contribution: Share of the question that the best explanation would leave open without it; None for
            what is no part of that.
    """

    key: int
    operator: str = "find"
    contribution: float | None = None

    to_dict = as_written


def placed(
    run: AgendaRun, best: AgendaNode, ordinary: Sequence[Evidence], operators: Mapping[int, str]
) -> tuple[PlacedItem, ...]:
    """The hits of the ordinary search in their order, with what the agenda found where it earns a place.

    The first `kept` hits stay. What the question's own words and names lead to has been weighed by the
    ordinary search, and stays where that has it, or goes to the end. An item that was reached by other
    names, and closes more than `earned` of the question, comes before the first hit behind the kept ones
    that closes less, at the latest behind those that the run looked at.

    Args:
        operators: By key, what brought in each item of the best explanation that it did not begin with.
    """
    worths = _Worths(run, best)
    place = [evidence.key for evidence in ordinary]
    found = [piece for piece in best.support if piece.key in operators]
    moved: set[int] = set()
    for piece in sorted(found, key=lambda piece: (-worths.of(piece.key), piece.key)):
        target = len(place)
        if reached(best.goal, best.support, piece) and worths.of(piece.key) > run.settings.earned:
            target = _target(worths.of(piece.key), place, worths, run.settings.kept)
        if _put(piece.key, place, target):
            moved.add(piece.key)
    return tuple(
        PlacedItem(
            key=key,
            operator=operators[key] if key in moved else "find",
            contribution=worths.of(key) if key in best.keys else None,
        )
        for key in place
    )


class _Worths:
    """Share of the question that each item closes.

    That of an explanation's own is what it leaves open without them, of others what they would close besides.
    Its score says nothing here: it is a mean in most parts, and the links of a chain look less like the
    question one by one, so that each of them lowers it. Of what the run did not look at nothing is known,
    and that counts less than nothing.
    """

    def __init__(self, run: AgendaRun, best: AgendaNode) -> None:
        self._run = run
        self._best = best
        self._covered = self._share(best.support)
        self._pieces = {piece.key: piece for piece in run.known}
        self._worth: dict[int, float] = {}

    def of(self, key: int) -> float:
        if key not in self._pieces:
            return -math.inf
        if key not in self._worth:
            self._worth[key] = round(self._measured(self._pieces[key]), PRECISION)
        return self._worth[key]

    def _measured(self, piece: Piece) -> float:
        best = self._best
        without = tuple(other for other in best.support if other.key != piece.key)
        if len(without) < len(best.support):
            return self._covered - self._share(without)
        return self._share((*best.support, piece)) - self._covered

    def _share(self, support: tuple[Piece, ...]) -> float:
        goal = self._run.goal
        if anchored(goal, self._best.support) and not anchored(goal, support):
            return 0.0  # Nothing is left that tells which of the others belong together.
        return covered_share(goal, open_subgoals(goal, support))


def _target(worth: float, place: Sequence[int], worths: _Worths, kept: int) -> int:
    """Place among the hits where an item of this worth belongs."""
    lesser = (n for n in range(kept, len(place)) if worths.of(place[n]) < worth)
    return next(lesser, len(place))


def _put(key: int, place: list[int], target: int) -> bool:
    """Insert a key, or move it up; whether that changed anything."""
    present = place.index(key) if key in place else None
    if present is not None:
        if present <= target:
            return False
        del place[present]
    place.insert(target, key)
    return True
