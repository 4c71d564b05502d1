"""Similar chunks: parts of different documents that say much the same are linked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simonides.domain.document import CHUNK
from simonides.domain.item import Item, Status
from simonides.domain.link import Link, Relation
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection
from simonides.errors import ProviderError
from simonides.ports.store import Reader
from simonides.upkeep.change import AddLink, Judged
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step
from simonides.values import dataclass

#: Cosine from which two chunks are similar. Of the 742 chunks of this project's docs and of docstrings of the standard
#: library a fifth has a neighbour that near in another document; below it, pairs share a subject at most.
LEAST_COSINE: Final = 0.75
#: Links of this kind that a chunk has, whichever end made them: a licence that stands in every file joins nothing.
MOST_NEIGHBOURS: Final = 5
#: The nearest of a new chunk that are looked at, for some of them have their links already.
_LOOKED_AT: Final = 16
#: New chunks that are compared together, and former ones that they are compared with at a time.
_SEEDS: Final = 512
_BLOCK: Final = 4_096
_DECIMALS: Final = 6
_ALL: Final = 1 << 62
#: Where the job came to in the chunks of a scope.
_BOOKMARK: Final = "similar:chunks"


class LinkSimilar:
    """Links each new chunk to the nearest ones of other documents of its scope, by the cosine of their vectors.

    A chunk is looked at once; what was changed is another chunk. Costs as much as the chunks of those scopes that have
    new ones, and about half a kilobyte of memory for each of these.
    """

    name = "similar"
    about = "Link parts of different documents that say much the same."

    def plan(self, ground: Ground) -> Iterator[Batch]:
        with ground.read() as reader:
            if not reader.keys(ground.selection(types=frozenset({CHUNK})), limit=1):
                return
        try:
            model = ground.embedder.identity.fingerprint
        except ProviderError as error:
            ground.degraded(f"embedder: {error}; no chunks were compared")
            return
        for scope in ground.scopes():
            yield from _of_scope(ground.within(scope), scope, model)


class _Pair(NamedTuple):
    """A new chunk and one that was there before it, as places among the chunks of their scope."""

    new: int
    former: int
    cosine: float


@dataclass(slots=True)
class _Chunks:
    """Active chunks of a scope that have vectors, in columns, oldest first.

    Attributes:
        documents: A number for each document.
        vectors: float16, shape (chunks, dimension).
        degrees: How many similar ones a chunk is linked to, by id, of those that were looked at.
    """

    ids: list[str]
    keys: NDArray[np.int64]
    documents: NDArray[np.int64]
    vectors: NDArray[np.float16]
    degrees: dict[str, int] = field(default_factory=dict[str, int])

    def near(self, seeds: NDArray[np.intp]) -> list[_Pair]:
        """The nearest of each seed among those that stand before it, of other documents; nearest pairs first."""
        rows = self.vectors[seeds].astype(np.float32)
        best = np.empty((0, 3))
        for start in range(0, int(seeds[-1]), _BLOCK):
            block = slice(start, min(start + _BLOCK, int(seeds[-1])))
            # By blocks: BLAS rounds the last bits by the form of its matrices.
            cosines = np.round(rows @ self.vectors[block].astype(np.float32).T, _DECIMALS)
            row, column = np.nonzero(cosines >= LEAST_COSINE)
            former, new = column + start, seeds[row]
            other = (former < new) & (self.documents[former] != self.documents[new])
            pairs = np.column_stack([new, former, cosines[row, column]])[other].astype(np.float64)
            best = _nearest_of_each(np.concatenate([best, pairs]))
        best = best[np.lexsort((best[:, 1], best[:, 0], -best[:, 2]))]
        return [_Pair(int(new), int(former), float(cosine)) for new, former, cosine in best]


def _nearest_of_each(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first few of each new chunk, by cosine; ties go to the oldest."""
    pairs = pairs[np.lexsort((pairs[:, 1], -pairs[:, 2], pairs[:, 0]))]
    _, first = np.unique(pairs[:, 0], return_index=True)
    rank = np.arange(len(pairs)) - np.repeat(first, np.diff([*first, len(pairs)]))
    return pairs[rank < _LOOKED_AT]


def _of_scope(ground: Ground, scope: Scope, model: str) -> Iterator[Batch]:
    place, selection = f"{_BOOKMARK}:{scope}", ground.selection(types=frozenset({CHUNK}))
    with ground.read() as reader:
        after = reader.bookmark(place)
        if not reader.keys(selection, ItemOrder.OLDEST, limit=1, after=after):
            return
    chunks, until = _chunks(ground, selection, after, model)
    new = np.flatnonzero((chunks.keys > after) & (chunks.keys <= until))
    for start in range(0, len(new), _SEEDS):
        seeds = new[start : start + _SEEDS]
        last = chunks.ids[int(seeds[-1])]
        with ground.read() as reader:
            links = _links(reader, chunks, chunks.near(seeds))
        yield (*links, Step((Judged(place, last, last),)))
        ground.tell(start + len(seeds), len(new), "chunks compared")


def _chunks(ground: Ground, selection: Selection, after: int, model: str) -> tuple[_Chunks, int]:
    """The chunks of a scope, and the key up to which all of the new ones have vectors."""
    ids: list[str] = []
    keys: list[int] = []
    documents: list[int] = []
    numbers: dict[tuple[str | None, str | None], int] = {}
    pieces: list[NDArray[np.float16]] = []
    until = _ALL
    for page in ground.pages(selection):
        by_id = {item.id: (key, item) for key, item in page.items()}
        with ground.read() as reader:
            vectors = reader.vectors_of(model, list(by_id))
            bare = [key for item_id, (key, _) in by_id.items() if item_id not in vectors and key > after]
            if bare and bare[0] < until and (lacking := _lacking(reader, model, bare)):
                until = min(until, lacking[0] - 1)
        for item_id in vectors:
            key, item = by_id[item_id]
            ids.append(item_id)
            keys.append(key)
            documents.append(numbers.setdefault(_document(item), len(numbers)))
        if vectors:
            pieces.append(np.array(list(vectors.values()), np.float16))
    if until < _ALL:
        ground.degraded("some chunks have no vectors of the present model: the job `embed` makes them")
    order = np.argsort(np.array(keys, np.int64), kind="stable")
    rows = np.concatenate(pieces) if pieces else np.empty((0, 1), np.float16)
    key_column, document_column = (np.array(some, np.int64)[order] for some in (keys, documents))
    return _Chunks([ids[n] for n in order], key_column, document_column, rows[order]), until


def _lacking(reader: Reader, model: str, keys: Sequence[int]) -> list[int]:
    """Those of some chunks that wait for a vector; the others say nothing that could have one."""
    state = reader.state()
    return sorted(reader.lacking_vector(model, keys, state.change, state.extent, len(keys)))


def _document(chunk: Item) -> tuple[str | None, str | None]:
    return chunk.corpus_id, chunk.provenance.source_id


def _links(reader: Reader, chunks: _Chunks, pairs: Sequence[_Pair]) -> Iterator[Step]:
    """Steps that link pairs which no link joins yet, as far as either end may have more."""
    ends = sorted({chunks.ids[place] for pair in pairs for place in (pair.new, pair.former)})
    there, links = reader.get(ends), reader.links(ends)
    joined = {frozenset((link.src, link.dst)) for link in links}
    similar = [link for link in links if link.rel is Relation.SIMILAR]
    standing = {id_ for id_, item in reader.get(_ends(similar)).items() if item.status is Status.ACTIVE}
    held = Counter(
        end for link in similar for end in (link.src, link.dst) if standing.issuperset(_ends([link]))
    )
    degrees = {end: held[end] for end in ends} | chunks.degrees
    for pair in pairs:
        new, former = chunks.ids[pair.new], chunks.ids[pair.former]
        free = all(end in there and degrees[end] < MOST_NEIGHBOURS for end in (new, former))
        if free and frozenset((new, former)) not in joined:
            degrees[new] += 1
            degrees[former] += 1
            link = Link(src=new, dst=former, rel=Relation.SIMILAR, weight=round(pair.cosine, 3))
            yield Step((AddLink(link),), reads=(there[new], there[former]))
    chunks.degrees.update(degrees)


def _ends(links: Sequence[Link]) -> list[str]:
    return sorted({end for link in links for end in (link.src, link.dst)})
