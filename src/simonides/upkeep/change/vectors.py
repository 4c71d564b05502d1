"""Vectors of items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.run import LeftAlone, RunChange
from simonides.upkeep.change.subject import Change, Subject, Work, reversal
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class VectorsMade(Subject):
    """Vectors of a model, of items that had none of it."""

    fingerprint: str

    def take_back(self, work: Work, change: RunChange) -> RunChange:
        """Drop those of texts that are the same since."""
        # Runs of earlier releases only tell how many they were; their vectors stay.
        made = dict(
            zip(change.details.get("item_ids", ()), change.details.get("revisions", ()), strict=False)
        )
        items = work.tx.get(list(made))
        keys: list[int] = []
        for item_id, number in made.items():
            was, key = work.tx.revisions(item_id, number), work.tx.key(item_id)
            if was and key is not None and was[0].item.text == items[item_id].text:
                keys.append(key)
        work.tx.drop_vectors(self.fingerprint, keys)
        return reversal(change)

    def after(self, change: RunChange) -> Any:
        return change.details.get("count")

    def lines(self, _before: Any, after: Any, /) -> tuple[str, ...]:
        return (f"+ vectors of {after} items",) if after else ()


@dataclass(frozen=True, slots=True)
class SetVectors(Change):
    """Vectors of a model by item id, of items that have none of it; None marks a text that embeds to nothing."""

    model: EmbedderIdentity
    vectors: Mapping[str, NDArray[np.float32] | None] = field(hash=False, compare=False)

    kind: ClassVar[str] = "vectors"

    def counts(self) -> tuple[str, int]:
        return "embedded", sum(vector is not None for vector in self.vectors.values())

    def lines(self) -> tuple[str, ...]:
        return VectorsMade(self.model.fingerprint).lines(None, self.counts()[1])

    def details(self) -> dict[str, Any]:
        return {"count": self.counts()[1]}

    def apply(self, work: Work) -> RunChange:
        keyed = {item_id: work.tx.key(item_id) for item_id in self.vectors}
        known = {item_id: key for item_id, key in keyed.items() if key is not None}
        work.tx.put_vectors(self.model, [(key, self.vectors[item_id]) for item_id, key in known.items()])
        return VectorsMade(self.model.fingerprint).row(
            self.kind,
            count=sum(self.vectors[item_id] is not None for item_id in known),
            item_ids=list(known),
            revisions=[work.tx.revision_numbers(item_id).last for item_id in known],
        )


@dataclass(frozen=True, slots=True)
class VectorsAside(Subject):
    """Vectors of a former model, set aside where nothing reads them."""

    fingerprint: str
    model: str

    def take_back(self, work: Work, change: RunChange) -> RunChange:
        if not work.tx.set_vectors_aside(self.fingerprint, work.source, back=True):
            gone = f"the vectors of {self.model or 'a former model'} are gone"
            work.left.append(LeftAlone((), f"{gone}: the job `embed` makes new ones"))
        return reversal(change)

    def before(self, change: RunChange) -> Any:
        return change.details.get("count")

    def lines(self, before: Any, _after: Any, /) -> tuple[str, ...]:
        return (f"- {before} vectors of {self.model or 'a former model'}",)


@dataclass(frozen=True, slots=True)
class DropVectors(Change):
    """The end of a model's vectors, once another model has one of every item.

    They are set aside, where nothing reads them, for an undo. When a later run sets others aside, or the file is
    compacted, they go for good.
    """

    model: EmbedderIdentity
    count: int

    kind: ClassVar[str] = "dropped vectors"

    @property
    def _subject(self) -> VectorsAside:
        return VectorsAside(self.model.fingerprint, self.model.name)

    def lines(self) -> tuple[str, ...]:
        return self._subject.lines(self.count, None)

    def details(self) -> dict[str, Any]:
        return {"model": self.model.name, "count": self.count}

    def apply(self, work: Work) -> RunChange:
        work.tx.set_vectors_aside(self.model.fingerprint, work.run_id)
        return self._subject.row(self.kind, count=self.count)
