"""Changes from one reading of a document to the next, chunk by chunk. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Generic, TypeVar

from simonides.values import dataclass

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class ChunkDelta(Generic[T, U]):
    """Chunks that are there beside those of a new reading.

    Attributes:
        kept: Pairs that say the same.
        changed: Pairs of one that no longer stands and what stands in its place.
        added: Those without a counterpart there.
        removed: Those without a counterpart in the new reading.
    """

    kept: tuple[tuple[T, U], ...]
    changed: tuple[tuple[T, U], ...]
    added: tuple[U, ...]
    removed: tuple[T, ...]


def delta(there: Sequence[tuple[str, T]], read: Sequence[tuple[str, U]]) -> ChunkDelta[T, U]:
    """Compare two sequences by the hashes of their members.

    What says the same is kept wherever it stands now. Between what is kept, a former chunk is taken to have become the
    new one at its place.
    """
    matcher = SequenceMatcher(None, [mark for mark, _ in there], [mark for mark, _ in read], autojunk=False)
    kept: list[tuple[T, U]] = []
    gone: list[tuple[int, str, T]] = []
    come: list[tuple[int, str, U]] = []
    group = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            kept += [(there[i][1], read[j][1]) for i, j in zip(range(i1, i2), range(j1, j2), strict=True)]
            continue
        group += 1
        gone += [(group, *there[i]) for i in range(i1, i2)]
        come += [(group, *read[j]) for j in range(j1, j2)]
    moved: dict[str, list[int]] = {}
    for n, (_, mark, _one) in enumerate(gone):
        moved.setdefault(mark, []).append(n)
    taken: set[int] = set()
    rest: list[tuple[int, U]] = []
    for where, mark, new in come:
        if waiting := moved.get(mark):
            n = waiting.pop(0)
            taken.add(n)
            kept.append((gone[n][2], new))
        else:
            rest.append((where, new))
    free = [(where, old) for n, (where, _, old) in enumerate(gone) if n not in taken]
    changed: list[tuple[T, U]] = []
    added: list[U] = []
    for where, new in rest:
        at = next((n for n, (place, _) in enumerate(free) if place == where), None)
        if at is None:
            added.append(new)
        else:
            changed.append((free.pop(at)[1], new))
    return ChunkDelta(tuple(kept), tuple(changed), tuple(added), tuple(old for _, old in free))
