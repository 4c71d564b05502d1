"""Embedding: what has no vector of the present model gets one, statements one of a closer reading too.

Then the vectors of former models go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from simonides.domain.item import Item
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection, lacking_reading, lacking_vector
from simonides.ports.embedder import Embedder
from simonides.upkeep.change import DropVectors, SetVectors
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Step

#: Items that are embedded and written together.
_PIECE: Final = 128
#: Stands in a plan for a vector.
_PLANNED: Final = np.zeros(0, np.float32)


class Embed:
    """Embeds what was written while a slow embedder was not asked, and everything after a change of model.

    Searches go on with the vectors of the former model until those of the present one are complete; only
    then are the former ones set aside. An embedder that does not answer ends the run; the next one goes on.
    """

    name = "embed"
    about = "Embed what has no vector of the present model, and statements closely; set those of former models aside."

    def plan(self, ground: Ground) -> Iterator[Step]:
        with ground.read() as reader:
            if not reader.keys(lacking_vector(""), limit=1):
                return  # There is nothing to embed, so no provider is asked what it is.
        model = ground.embedder.identity
        lacking = lacking_vector(model.fingerprint)
        yield from _embedded(ground, ground.embedder, lacking, lambda item: item.text, "embedded items")
        kept = {model}
        for closer in ground.closers:
            kept.add(closer.identity)
            unread = lacking_reading(closer.identity.fingerprint, ground.taxonomy.specs)
            yield from _embedded(
                ground, closer, unread, lambda item: item.content, "statements read", closer.stores
            )
        with ground.read() as reader:
            complete = ground.dry_run or not reader.keys(lacking, limit=1)
            former = [(other, count) for other, count in reader.models() if other not in kept]
        for other, count in former if complete else ():
            yield Step((DropVectors(other, count),))


def _embedded(
    ground: Ground,
    embedder: Embedder,
    lacking: Selection,
    text: Callable[[Item], str],
    what: str,
    stores: Callable[[str], bool] = lambda _: True,
) -> Iterator[Step]:
    """Steps that give the items of a selection vectors of an embedder, and mark those whose texts it does not store."""
    done = 0
    for page in ground.pages(lacking, size=_PIECE):
        items = [
            item
            for item in page.values()
            if not isinstance(ground.scope, Scope) or item.scope == ground.scope
        ]
        if not items:
            continue
        if ground.dry_run:
            planned = {item.id: _PLANNED if stores(text(item)) else None for item in items}
            yield Step((SetVectors(embedder.identity, planned),))
            continue
        vectors = embedder.embed([text(item) for item in items])
        made = {
            item.id: vector if vector.any() else None for item, vector in zip(items, vectors, strict=True)
        }
        yield Step((SetVectors(embedder.identity, made),), reads=tuple(items))
        done += sum(vector is not None for vector in made.values())
        ground.tell(done, what=what)
