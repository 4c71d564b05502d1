"""Turns that still stand: their speaker meant them, and did not take them back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.item import Item
from simonides.domain.provenance import FROM_USER
from simonides.governance.speakers import speaker
from simonides.language.contradiction import difference
from simonides.language.earnest import in_earnest
from simonides.language.put_right import put_right
from simonides.language.sentences import sentences
from simonides.language.taken_back.turns import takes_back, unsays
from simonides.values import dataclass

#: Turns that take something back are short.
_LONGEST: Final = 240


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A turn of a user that a later one of the same speaker takes back.

    Attributes:
        named: The later one says what; else it is the next one, and may point at the former as a whole.
        answers: What others said between the two.
    """

    former: Item
    by: Item
    named: bool
    answers: tuple[str, ...] = ()

    def reaches(self, statement: str) -> bool:
        """True if a statement of the former turn is taken back with it."""
        if self.named:
            return unsays(statement, self.by.content)
        return takes_back(statement, self.answers, self.by.content)


def latest_first(turns: Sequence[Item]) -> list[Item]:
    """Turns, none before one that stands before it in its session, whatever a clock said; else by their times."""
    since: dict[str, int] = {}
    latest: dict[tuple[str, str | None], int] = {}
    for turn in sorted(turns, key=lambda one: one.ordinal or 0):
        session = str(turn.scope), turn.session_id
        since[turn.id] = latest[session] = max(latest.get(session, turn.said_at), turn.said_at)
    return sorted(turns, key=lambda one: (since[one.id], one.ordinal or 0), reverse=True)


def standing(turns: Sequence[Item]) -> list[Item]:
    """Turns of a session without those of a user that the same speaker takes back, or says otherwise in the next.

    Without those, too, that were said in a game.

    Args:
        turns: Whatever was said in the session, the latest first.

    Returns:
        In the same order.
    """
    meant = in_earnest([*reversed(turns)])
    fallen = {one.former.id for one in taken_back(meant)}
    for former, _, later in _next_turns(meant):
        if len(later.content) <= _LONGEST and _says_otherwise(former.content[:_LONGEST], later.content):
            fallen.add(former.id)
    return [turn for turn in reversed(meant) if turn.id not in fallen]


def _says_otherwise(former: str, later: str) -> bool:
    """True if a turn says something else than one before, or puts a part of it right: "Correction: Linz."."""
    return difference(former, later) is not None or any(
        put_right(former[start:end], later) is not None for start, end, _ in sentences(former)
    )


def taken_back(turns: Sequence[Item]) -> Iterator[TakenBack]:
    """Yield the turns that are taken back, and by which.

    Args:
        turns: Of a session, in their order, those that were meant.
    """
    by_speaker: dict[str, list[Item]] = defaultdict(list)
    for turn in turns:
        if turn.origin in FROM_USER:
            for former in by_speaker[speaker(turn)]:
                if unsays(former.content, turn.content):
                    yield TakenBack(former, turn, named=True)
            by_speaker[speaker(turn)].append(turn)
    for former, answers, turn in _next_turns(turns):
        if takes_back(former.content, answers, turn.content):
            yield TakenBack(former, turn, named=False, answers=tuple(answers))


def _next_turns(turns: Sequence[Item]) -> Iterator[tuple[Item, list[str], Item]]:
    """Yield each turn of a user with what was answered, and the same speaker's next turn."""
    last: dict[str, tuple[Item, list[str]]] = {}
    for turn in turns:
        if turn.origin in FROM_USER:
            if former := last.get(speaker(turn)):
                yield *former, turn
            last[speaker(turn)] = turn, []
        else:
            for _, answers in last.values():
                answers.append(turn.content)
