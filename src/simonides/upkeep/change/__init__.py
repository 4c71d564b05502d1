"""Changes: what a job may plan, how it is applied, shown and taken back; one file a kind of subject.

A change has a subject (`subject.Subject`), a value before and a value after. The runner applies it, undo gives the
subject its value before. What the store keeps of it (`domain.run.RunChange`) are ids, numbers of revisions and short
values, never text of items, which a purge would have to reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simonides.domain.run import RunChange
from simonides.upkeep.change.file import Compact, Move, NoteRefusal
from simonides.upkeep.change.item import Create, HoldBack, ItemState, Revise, new_item
from simonides.upkeep.change.link import AddLink, DropLink, LinkBetween
from simonides.upkeep.change.pair import Judged, PairMark
from simonides.upkeep.change.place import Assign, PlaceOf
from simonides.upkeep.change.session import EndSession, MarkSession, SessionEnd, SessionMark
from simonides.upkeep.change.subject import Change, Stale, Subject, Work
from simonides.upkeep.change.summary import Summarise, SummaryOf
from simonides.upkeep.change.turns import PutOff, TakeTurns, WaitingTurns
from simonides.upkeep.change.vectors import DropVectors, SetVectors, VectorsAside, VectorsMade

__all__ = [
    "AddLink",
    "Assign",
    "Change",
    "Compact",
    "Create",
    "DropLink",
    "DropVectors",
    "EndSession",
    "HoldBack",
    "Judged",
    "MarkSession",
    "Move",
    "NoteRefusal",
    "PutOff",
    "Revise",
    "SetVectors",
    "Stale",
    "Subject",
    "Summarise",
    "TakeTurns",
    "Work",
    "new_item",
    "subject_of",
]

#: What changes of a kind are about. Those of other kinds leave nothing to take back.
_SUBJECTS: Final[Mapping[str, type[Subject]]] = {
    Create.kind: ItemState,
    Revise.kind: ItemState,
    HoldBack.kind: ItemState,
    AddLink.kind: LinkBetween,
    DropLink.kind: LinkBetween,
    Assign.kind: PlaceOf,
    Summarise.kind: SummaryOf,
    MarkSession.kind: SessionMark,
    EndSession.kind: SessionEnd,
    Judged.kind: PairMark,
    TakeTurns.kind: WaitingTurns,
    PutOff.kind: WaitingTurns,
    SetVectors.kind: VectorsMade,
    DropVectors.kind: VectorsAside,
}


def subject_of(change: RunChange) -> Subject:
    """The subject of a stored change."""
    return _SUBJECTS.get(change.kind, Subject).of(change)
