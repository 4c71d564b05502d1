"""Closing contradictions: what somebody confirms, corrects or forgets decides between two sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from simonides.domain.item import Item, Status, Validation
from simonides.domain.link import Relation
from simonides.domain.reach import everywhere
from simonides.domain.scope import Scope
from simonides.governance.speakers import is_users_word
from simonides.language.contradiction import difference
from simonides.ports.store import Reader
from simonides.upkeep.change import AddLink, Change, Revise
from simonides.upkeep.conflicts import ended_by, supersedes
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Step


class Resolve:
    """Ends the side that lost, and frees the one that nothing contradicts any more.

    Not one of the nightly jobs: `confirm`, `correct` and `forget` run it behind themselves. What is verified or
    pinned is never ended by it, and only what a person settled ends anything.
    """

    name = "resolve"
    about = "Close contradictions of which somebody confirmed, corrected or forgot a side."

    def __init__(
        self, item_id: str, winner_id: str | None, reached: Callable[[Scope], bool] = everywhere
    ) -> None:
        """A side that somebody decided about, and the item that holds now: itself, its correction, or none."""
        self._item_id = item_id
        self._winner_id = winner_id
        self._reached = reached

    def plan(self, ground: Ground) -> Iterator[Step]:
        with ground.read() as reader:
            changes = self._changes(reader, ground.now())
        if changes:
            yield Step(tuple(changes), note="a side of a contradiction was decided")

    def _changes(self, reader: Reader, now: int) -> list[Change]:
        winner = reader.get([self._winner_id]).get(self._winner_id) if self._winner_id is not None else None
        sides = opponents(reader, self._item_id)
        lost = [
            side
            for side in sides
            if winner is not None and self._reached(side.scope) and _loses(side, winner, self._item_id)
        ]
        changes: list[Change] = []
        for side in lost:
            assert winner is not None
            changes += [
                Revise(side, ended_by(side, winner, now), reason="supersede"),
                AddLink(supersedes(winner, side)),
            ]
        gone = {side.id for side in lost}
        if self._winner_id != self._item_id:
            gone.add(self._item_id)
        freed: dict[str, Item] = {side.id: side for side in sides if side.id not in gone}
        for side in lost:
            freed |= {other.id: other for other in opponents(reader, side.id) if other.id not in gone}
        if winner is not None:
            freed.pop(self._item_id, None)
        for other in freed.values():
            stands_against = {one.id for one in opponents(reader, other.id)} - gone
            if other.validation is Validation.CONTESTED and not stands_against and self._reached(other.scope):
                changes.append(
                    Revise(other, replace(other, validation=Validation.UNVERIFIED), reason="resolve")
                )
        return changes


def opponents(reader: Reader, item_id: str) -> Sequence[Item]:
    """Active items that were found to contradict one."""
    links = reader.links([item_id], [Relation.CONTRADICTS])
    ids = sorted({link.dst if link.src == item_id else link.src for link in links} - {item_id})
    return [
        item
        for item in reader.get(ids).values()
        if item.status is Status.ACTIVE and item.validation is not Validation.RETRACTED
    ]


def _loses(side: Item, winner: Item, item_id: str) -> bool:
    """True if a side ends because another was settled."""
    if side.id == winner.id or side.settled:
        return False
    if winner.id == item_id:
        # Nobody's confirmation of a model's note ends what the user said.
        bound = is_users_word(side) and not is_users_word(winner)
        return winner.validation is Validation.VERIFIED and not bound
    return is_users_word(winner) and difference(winner.content, side.content) is not None
