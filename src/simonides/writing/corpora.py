"""Two corpora beside each other: which chunks of one are those of the other. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from simonides.domain.document import Comparison, citation
from simonides.domain.item import Item
from simonides.domain.link import Relation
from simonides.domain.text import normalised, sha256_hex
from simonides.writing.document_delta import delta


class JoinedChunks(NamedTuple):
    """A chunk of the second corpus and what it was in the first."""

    chunk: Item
    former: Item
    rel: Relation


class Beside(NamedTuple):
    """Two corpora beside each other.

    Attributes:
        joined: Chunks of both that belong together.
    """

    comparison: Comparison
    joined: Sequence[JoinedChunks]


def by_path(chunks: Iterable[Item]) -> dict[str, list[Item]]:
    """Chunks of each document in the order of its text.

    Args:
        chunks: In the order in which they were stored, which an earlier release kept no more than their lines beside.
    """
    chunks_of_path: dict[str, list[Item]] = {}
    for chunk in chunks:
        chunks_of_path.setdefault(chunk.provenance.source_id or "", []).append(chunk)
    for some in chunks_of_path.values():
        some.sort(key=place_of)
    return chunks_of_path


def place_of(chunk: Item) -> tuple[int, int]:
    """Line on which a chunk begins, and which of those that begin there it is."""
    match chunk.metadata.get("lines"), chunk.metadata.get("part", 0):
        case [int(first), int(_)], int(part):
            return first, part
        case _:
            return 0, 0


def beside(
    first: str, second: str, mine: Mapping[str, Sequence[Item]], theirs: Mapping[str, Sequence[Item]]
) -> Beside:
    """Compare the chunks of two corpora, given by path: by `rule_id` where they have one, else by what they say."""
    added: list[str] = []
    removed: list[str] = []
    modified: list[tuple[Item, Item]] = []
    same: list[tuple[Item, Item]] = []
    mine_by_rule, theirs_by_rule = (
        {item.rule_id: item for some in side.values() for item in some if item.rule_id is not None}
        for side in (mine, theirs)
    )
    shared = mine_by_rule.keys() & theirs_by_rule.keys()
    for rule in sorted(shared):
        one, other = mine_by_rule[rule], theirs_by_rule[rule]
        says_the_same = normalised(one.content) == normalised(other.content)
        (same if says_the_same else modified).append((one, other))
    for path in sorted(mine.keys() | theirs.keys()):
        sides = [
            [
                (sha256_hex(normalised(item.content)), item)
                for item in side.get(path, ())
                if item.rule_id not in shared
            ]
            for side in (mine, theirs)
        ]
        changes = delta(sides[0], sides[1])
        same += changes.kept
        modified += changes.changed
        added += [citation(item) for item in changes.added]
        removed += [citation(item) for item in changes.removed]
    different = len(added) + len(removed) + len(modified)
    total = different + len(same)
    comparison = Comparison(
        first=first,
        second=second,
        added=tuple(added),
        removed=tuple(removed),
        modified=tuple((citation(one), citation(other)) for one, other in modified),
        unchanged=len(same),
        drift=different / total if total else 0.0,
    )
    joined = [JoinedChunks(other, one, Relation.SAME_RULE) for one, other in same]
    joined += [JoinedChunks(other, one, Relation.EVOLVED_FROM) for one, other in modified]
    return Beside(comparison, joined)
