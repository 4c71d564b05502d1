"""Work on candidates that needs no store: a ruling where nothing is known of them, names, a vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simonides.domain.entity import Name
from simonides.domain.item import Item
from simonides.domain.verdict import Outcome
from simonides.governance.policy import Candidate, Policy, Ruling
from simonides.language.names import names_of
from simonides.ports.embedder import Embedder


class Alone(NamedTuple):
    """A candidate that is accepted where nothing is known that bears on it, with what its commit needs."""

    ruling: Ruling
    names: tuple[Name, ...]
    vector: NDArray[np.float32] | None


#: Of candidates of which nothing was worked out.
NOTHING_READY: Final[Mapping[int, Alone]] = MappingProxyType({})


class AlonePiece(NamedTuple):
    """Those of a piece that are accepted, small enough to be sent.

    Attributes:
        places: Theirs in the piece; what follows is in their order.
        vectors: Shape (len(places), dimension), float32.
        changed: By place, items that are stored in another form than they came in, and why.
    """

    places: Sequence[int]
    names: Sequence[tuple[Name, ...]]
    vectors: NDArray[np.float32]
    changed: Mapping[int, tuple[Item | None, tuple[str, ...]]]

    def of(self, candidates: Sequence[Candidate]) -> dict[int, Alone]:
        """Outcome of each, by its identity."""
        known: dict[int, Alone] = {}
        for place, names, vector in zip(self.places, self.names, self.vectors, strict=True):
            candidate = candidates[place]
            item, reasons = self.changed.get(place, (None, ()))
            ruling = Ruling(Outcome.ACCEPTED, item or candidate.item, reasons)
            known[id(candidate)] = Alone(ruling, names, vector)
        return known


def alone(candidates: Sequence[Candidate], policy: Policy, embedder: Embedder) -> AlonePiece:
    """Judge candidates as if nothing were known, name and embed those that are accepted.

    An instant takes no part in that: only what waits has an end, and what is known a time.
    """
    rulings = [policy.judge(candidate, 0) for candidate in candidates]
    kept = [place for place, ruling in enumerate(rulings) if ruling.outcome is Outcome.ACCEPTED]
    changed = {
        place: (None if ruling.item is candidates[place].item else ruling.item, ruling.reasons)
        for place in kept
        if (ruling := rulings[place]).reasons or ruling.item is not candidates[place].item
    }
    return AlonePiece(
        kept,
        [names_of(rulings[place].item) for place in kept],
        embedder.embed([rulings[place].item.text for place in kept]),
        changed,
    )
