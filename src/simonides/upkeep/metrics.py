"""Measures of merging: the length of chains, and the likeness of what was joined."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.ports.store import MergedItem, Reader
from simonides.values import dataclass

#: Merged items that are counted.
MOST_MERGES: Final = 100_000
#: Chains, and pairs of a chain, from which dispersion is computed.
MOST_CHAINS: Final = 500
_MOST_PAIRS: Final = 100


@dataclass(frozen=True, slots=True)
class MergeMetrics:
    """Measures of merging.

    Attributes:
        chains: Items that stand for others now.
        originals: Items that were written as they are, and for which these stand.
        mean, median, longest: Originals of a chain; 0 where there are no chains.
        same_document: Share of the chains whose originals all come from one source, in [0, 1].
        dispersion: Mean distance of two originals of a chain, 1 − cosine, in [0, 2]; None without vectors.
    """

    chains: int = 0
    originals: int = 0
    mean: float = 0.0
    median: float = 0.0
    longest: int = 0
    same_document: float = 0.0
    dispersion: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "chains": self.chains,
            "originals": self.originals,
            "mean": round(self.mean, 3),
            "median": self.median,
            "longest": self.longest,
            "same_document": round(self.same_document, 3),
            "dispersion": None if self.dispersion is None else round(self.dispersion, 4),
        }


def merge_metrics(reader: Reader, scopes: tuple[Scope, ...] | None) -> MergeMetrics:
    """Measure merging in some scopes, None for all; of the first `MOST_MERGES` merges."""
    chains = chains_of(
        reader.merged(Selection(scopes=scopes, live_at=None, statuses=frozenset(Status)), MOST_MERGES)
    )
    if not chains:
        return MergeMetrics()
    looked_at = [
        original.item_id for originals in islice(chains.values(), MOST_CHAINS) for original in originals
    ]
    largest = max(reader.models(), key=lambda model: model[1], default=None)
    vectors = {} if largest is None else reader.vectors_of(largest[0].fingerprint, looked_at)
    return measured(chains, vectors)


def chains_of(merges: Sequence[MergedItem]) -> dict[str, list[MergedItem]]:
    """The originals of each item that stands for others, by its id; what was merged again counts for the last."""
    successor = {merge.item_id: merge.successor_id for merge in merges}
    standing = set(successor.values())
    chains: dict[str, list[MergedItem]] = defaultdict(list)
    for merge in merges:
        if merge.item_id in standing:
            continue  # It was made of others itself.
        last = merge.successor_id
        seen = {merge.item_id}
        while last in successor and last not in seen:
            seen.add(last)
            last = successor[last]
        chains[last].append(merge)
    return dict(chains)


def measured(
    chains: Mapping[str, Sequence[MergedItem]], vectors: Mapping[str, NDArray[np.float32]]
) -> MergeMetrics:
    """Figures over all chains.

    Args:
        chains: As `chains_of` gives them.
        vectors: Of originals, by id, as far as they are at hand.
    """
    if not chains:
        return MergeMetrics()
    sizes = [len(originals) for originals in chains.values()]
    same = [len({original.source for original in originals}) == 1 for originals in chains.values()]
    distances = [
        distance
        for originals in islice(chains.values(), MOST_CHAINS)
        for distance in _distances([original.item_id for original in originals], vectors)
    ]
    return MergeMetrics(
        chains=len(chains),
        originals=sum(sizes),
        mean=statistics.fmean(sizes),
        median=statistics.median(sizes),
        longest=max(sizes),
        same_document=sum(same) / len(same),
        dispersion=statistics.fmean(distances) if distances else None,
    )


def _distances(ids: Sequence[str], vectors: Mapping[str, NDArray[np.float32]]) -> list[float]:
    known = [vectors[item_id] for item_id in ids if item_id in vectors]
    return [1 - float(one @ other) for one, other in islice(combinations(known, 2), _MOST_PAIRS)]
