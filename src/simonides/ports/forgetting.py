"""Forgetting: items that have faded, items made from others, and moving items to the archive file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from simonides.domain.link import Link, Relation
from simonides.domain.selection import Selection


class Faint(NamedTuple):
    """An item that may be moved out, by its key, with about how many bytes of the file it takes."""

    key: int
    bytes: int


class ForgettingReader(Protocol):
    """Reading for the jobs that forget."""

    def faintest(self, selection: Selection, now: int, quiet_since: int, limit: int) -> list[Faint]:
        """Items that may be moved out, faintest first.

        First what is archived, of that what was superseded; then by `retention.faintness`; ties by key. Of
        what is active that leaves out what is pinned, verified, in `ltm` or protected by its type, what waits
        for extraction, and turns of sessions that were heard of after `quiet_since`; and always what is
        quarantined, and chunks, which belong to their documents.
        """
        ...

    def links_of(
        self, rel: Relation, after: tuple[int, int], limit: int
    ) -> list[tuple[tuple[int, int], Link]]:
        """Links of a relation with their place, behind a place, in their order."""
        ...

    def expect(self, item_ids: Sequence[str]) -> None:
        """Say of which items is asked next what was made from them: a store that is far away reads that in one go."""
        ...

    def made_from(self, item_ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """Items whose provenance names any of these as its source or among its chunks, and which it names."""
        ...


class MovingWriter(ForgettingReader, Protocol):
    """Moving items between the store and its archive file."""

    def set_aside(self, item_ids: Sequence[str]) -> None:
        """Move items out, with revisions, links, vectors, usage, verdict and place.

        They are durable in the archive file before they leave the store: where the transaction fails
        afterwards, both have them, and the store's are the ones that count.

        Raises:
            NotFound: An item does not exist here.
        """
        ...

    def bring_back(self, item_ids: Sequence[str]) -> list[str]:
        """Move items back as they are; the ids of those that came.

        The archive keeps its copies until `Store.settle_archive`.

        Raises:
            Conflict: What may be there once is there by now: the session holds the turn again.
        """
        ...
