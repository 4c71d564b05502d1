"""Taking back what a run changed: newest change first, exactly, and nothing that came since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from simonides.domain.link import Relation
from simonides.domain.run import LeftAlone, RunChange
from simonides.errors import ProviderError
from simonides.ports.embedder import Embedder
from simonides.ports.runs import RunReader
from simonides.ports.store import Reader
from simonides.upkeep.change import Revise, Subject, Work, subject_of
from simonides.upkeep.change.item import ItemState

#: Changes that are taken back in one transaction, at least; a step is never divided.
PIECE: Final = 200


def changed_since(reader: Reader, runs: Mapping[str, Sequence[RunChange]]) -> list[LeftAlone]:
    """What changed since these changes were made, in the order in which it is met: items, links, places and so on.

    Args:
        runs: Changes by id of their run, newest first; the later run first.
    """
    stands: dict[Subject, Any] = {}
    changed: dict[Subject, LeftAlone] = {}
    for run_id, change in ((run_id, change) for run_id, changes in runs.items() for change in changes):
        subject = subject_of(change)
        if (why := subject.changed()) is None:
            continue
        if subject not in stands:
            stands[subject] = subject.read(reader)
        as_left = (
            stands[subject] == subject.after(change) or change.details.get("rel") == Relation.CO_RECALLED
        )
        if not as_left or _went_on(reader, run_id, change, frozenset(runs)):
            changed.setdefault(subject, why)
        stands[subject] = subject.before(change)
    return list(changed.values())


def take_back(work: Work, change: RunChange) -> RunChange | None:
    """Take one change back; what the store is to keep of that, or None if it was left alone."""
    subject = subject_of(change)
    if (why := subject.changed()) is not None and (
        subject.read(work.tx) != subject.after(change) or _went_on(work.tx, work.source, change)
    ):
        work.left.append(why)
        return None
    return subject.take_back(work, change)


def _went_on(
    reader: RunReader, run_id: str, change: RunChange, taken_back: frozenset[str] = frozenset()
) -> bool:
    """Whether another run began with what this change left: it may have been changed back since, and look the same.

    Args:
        taken_back: Runs that are to be taken back as well.
    """
    subject = subject_of(change)
    if not subject.kinds:
        return False
    rel, left = change.details.get("rel"), subject.after(change)
    return any(
        later not in taken_back and details.get("rel") == rel and details.get("before") == left
        for later, details in reader.later_changes(run_id, change, subject.kinds)
    )


def pieces(changes: Sequence[RunChange]) -> Iterator[list[RunChange]]:
    """Changes of a run, newest first, in pieces of whole steps."""
    piece: list[RunChange] = []
    for change in changes:
        if len(piece) >= PIECE and piece[-1].step != change.step:
            yield piece
            piece = []
        piece.append(change)
    if piece:
        yield piece


def vectors_for(
    reader: Reader, piece: Sequence[RunChange], embedder: Embedder, degraded: Callable[[str], None]
) -> dict[str, Any]:
    """Vectors of the texts that a piece brings back, by text; none of a remote embedder."""
    texts: dict[str, None] = {}
    for change in piece:
        if change.kind == Revise.kind:
            was, made = ItemState.of(change).states(reader, change)
            if was is not None and made is not None and was.text != made.text:
                texts[was.text] = None
    if not texts or not embedder.local:
        return {}
    try:
        return dict(zip(texts, embedder.embed(list(texts)), strict=True))
    except ProviderError as error:
        degraded(f"embedder: {error}; `backfill` embeds what was brought back")
        return {}
