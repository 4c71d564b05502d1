"""Turns of a session that their users mean: not those in which they play a part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from simonides.domain.instant import HOUR_US
from simonides.domain.item import Item
from simonides.domain.kept import kept
from simonides.domain.provenance import FROM_USER
from simonides.language import played
from simonides.language.spoken import sentences

#: Of a turn that is looked through: games are proposed and ended at the beginning of what is said.
_MOST_CHARS: Final = 2_000
#: A game is over after so much silence.
_SILENCE_US: Final = 2 * HOUR_US


class _Games(NamedTuple):
    """What a turn says of games.

    Attributes:
        begins: It leaves one going.
        ends: It leaves none going that was.
        first: It says so before anything else.
    """

    begins: bool = False
    ends: bool = False
    first: bool = False


def in_earnest(turns: Sequence[Item], *, since: int = 0) -> list[Item]:
    """The turns without those of users that were said in a game, from the turn behind its proposal to its end.

    A game ends where a user says so, or after two hours of silence. It is the whole session's: whoever else speaks
    there may have a part in it.

    Args:
        turns: In their order, whoever said them.
        since: Place of the first one to give.
    """
    meant: list[Item] = []
    heard_at: int | None = None
    for place, turn in enumerate(turns):
        meant_so = True
        if turn.origin in FROM_USER:
            at = turn.created_at if turn.event_at is None else turn.event_at
            games = _games(turn.content[:_MOST_CHARS])
            playing = heard_at is not None and at - heard_at <= _SILENCE_US
            meant_so = not playing or games.first
            heard_at = at if games.begins or (playing and not games.ends) else None
        if meant_so and place >= since:
            meant.append(turn)
    return meant


@kept(512)
def _games(text: str) -> _Games:
    found = _Games()
    told = [sentence for sentence, _ in sentences(text)]
    for place, sentence in enumerate(told):
        if played.ends(sentence):
            found = _Games(ends=True, first=place == 0)
        elif played.opens(sentence, " ".join(told[place + 1 :])):
            found = _Games(begins=True, first=found.first)
    return found
