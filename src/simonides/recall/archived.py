"""Searching the archive file along with the store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from simonides.errors import StoreError
from simonides.ports.store import Reader
from simonides.recall.result import Hit, Query, SearchResult
from simonides.recall.search import Recall


class ArchiveRecall:
    """Finds what was moved to the archive file.

    Args:
        make: Recall over that file; None as long as there is none. Called until there is one.
        problem: Why the file cannot be read, wholly or in part; None where it can.
    """

    def __init__(self, make: Callable[[], Recall | None], problem: Callable[[], str | None]) -> None:
        self._make = make
        self._problem = problem
        self._lock = threading.Lock()
        self._recall: Recall | None = None

    def search(self, query: Query) -> SearchResult | None:
        """The best hits there; None if there is no archive file. One that cannot be read is said, not raised."""
        try:
            with self._lock:
                if self._recall is None:
                    self._recall = self._make()
            found = None if self._recall is None else self._recall.search(query)
        except StoreError as error:
            return SearchResult((), abstained=True, degradations=(str(error),))
        if (problem := self._problem()) is None:
            return found
        found = found or SearchResult((), abstained=True)
        return replace(found, degradations=(*found.degradations, problem))

    def close(self) -> None:
        """End what is under way in the background."""
        with self._lock:
            if self._recall is not None:
                self._recall.close()


def joined(here: SearchResult, there: SearchResult, reader: Reader, k: int) -> SearchResult:
    """Two answers as one, best first; hits of the archive file say so.

    Scores are those of each file by itself, where a hit's match is weighed against the best one there.

    Args:
        reader: Of the store: an item that is in both files is the store's.
    """
    known = reader.get([hit.item.id for hit in there.hits])
    moved = [replace(hit, moved=True) for hit in there.hits if hit.item.id not in known]
    hits: list[Hit] = sorted([*here.hits, *moved], key=lambda hit: -hit.score)[:k]
    return replace(
        here,
        hits=tuple(hits),
        abstained=here.abstained and (there.abstained or not moved),
        hidden=here.hidden + there.hidden,
        confidence=max(here.confidence, there.confidence),
        strategy=f"{here.strategy}+archive" if moved else here.strategy,
        degradations=(*here.degradations, *(f"archive: {said}" for said in there.degradations)),
    )
