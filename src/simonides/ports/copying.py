"""Copies of stores: all that goes from one to another beside items and links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Entity, Name
from simonides.domain.item import Item
from simonides.domain.records import Place, Revision
from simonides.domain.scope import Scope
from simonides.errors import Conflict
from simonides.ports.buffer import Buffered
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.ports.store import StoredVerdict


class KnownEntity(NamedTuple):
    """An entity with the ids of those that were merged into it."""

    key: int
    entity: Entity
    merged: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """An item of another store, with all that hangs on it but its links.

    Attributes:
        revisions: All of its states, from the first.
        usage: The item as it stands, with its use and the confidence that it gained by use.
        names: What its text mentions; None leaves it unnamed until somebody has looked.
        mentions: Keys of the entities that it mentions, instead of `names`; of its own scope.
        uses: Sessions that used it, with when.
        waits: Of a turn that waits for extraction, or failed at it.
    """

    revisions: Sequence[Revision]
    usage: Item
    names: Sequence[Name] | None = ()
    mentions: Sequence[int] | None = None
    uses: Sequence[tuple[str, int]] = ()
    vector: NDArray[np.float32] | None = None
    place: Place | None = None
    verdict: StoredVerdict | None = None
    waits: Buffered | None = None


class Attached(NamedTuple):
    """Rows that hang on an item beside its revisions.

    Attributes:
        uses: Sessions that used it, with when, by session.
        waits: Of a turn that waits for extraction or failed at it.
    """

    uses: Sequence[tuple[str, int]] = ()
    waits: Buffered | None = None


class CopyReader(Protocol):
    """Reading for copies, as far as nothing else asks for it."""

    def known_entities(
        self, scopes: tuple[Scope, ...] | None, after_key: int, limit: int
    ) -> list[KnownEntity]:
        """Entities of these scopes with a key above this one, by key."""
        ...

    def attached(self, keys: Sequence[int]) -> dict[int, Attached]:
        """Uses of items, and how they wait for extraction, by key; items that have neither are left out."""
        ...

    def judged_keys(self) -> list[tuple[str, int, int, int]]:
        """Pairs that jobs have looked at, by job and keys, with when; also of items that are in the archive file."""
        ...


class CopyWriter(CopyReader, Protocol):
    """Taking in what another store held."""

    def take_in(
        self, copies: Sequence[Copied], model: EmbedderIdentity | None = None, *, vouched: bool = True
    ) -> list[Conflict | None]:
        """Store items of another store with their own ids; why not, for each that cannot be.

        A history that is there already up to some revision is continued from there; one that is there with
        another history, and a turn that its session holds already, is left as it is. No id may occur twice.

        Args:
            model: Whose vectors the copies bring; None where they bring none.
            vouched: Whether somebody vouches for them; the audit log keeps it.
        """
        ...

    def drop_unneeded(self, keys: Sequence[int]) -> None:
        """Remove those of these entities that nothing mentions and nobody said anything about."""
        ...
