"""Turns of a session that state what their users mean: not those of a game, of handed-over texts, of somebody else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from simonides.domain.instant import HOUR_US
from simonides.domain.item import Item
from simonides.domain.kept import kept
from simonides.domain.provenance import FROM_USER, Origin
from simonides.language import played
from simonides.language.spoken import sentences

#: Of a turn that is looked through: such a stretch is proposed and ended at the beginning of what is said.
_MOST_CHARS: Final = 2_000
#: What was announced stands behind a colon already.
_GIVEN: Final = re.compile(r"[:：]\s*\w")
#: Of what stands behind the announcement of a text: what is longer is the text.
_MOST_BEHIND: Final = 120
#: It is over after so much silence.
_SILENCE_US: Final = 2 * HOUR_US


class _Stretches(NamedTuple):
    """What a turn says of stretches in which nobody speaks of themselves.

    Attributes:
        begins: It leaves one going.
        ends: It leaves none going that was.
        first: It says so before anything else.
        announces: It gives the next turn away.
    """

    begins: bool = False
    ends: bool = False
    first: bool = False
    announces: bool = False


def in_earnest(turns: Sequence[Item], *, since: int = 0) -> list[Item]:
    """The turns without those behind a user's proposal of a game, or its like (`played`), until its end.

    And without the next one where a user announces a text, or somebody else, in it.

    An assistant's proposal counts where the user's next turn agrees to it. It ends where a user says so, or after two
    hours of silence. It is the whole session's: whoever else speaks there may have a part in it, and repeats what is
    said there.

    Args:
        turns: In their order, whoever said them.
        since: Place of the first one to give.
    """
    meant: list[Item] = []
    heard_at: int | None = None
    offered = False
    announced_at: int | None = None
    for place, turn in enumerate(turns):
        stretches = _stretches(turn.content[:_MOST_CHARS])
        at = turn.created_at if turn.event_at is None else turn.event_at
        going = heard_at is not None and at - heard_at <= _SILENCE_US
        meant_so = not going
        if turn.origin in FROM_USER:
            going = going or (offered and played.agrees(turn.content))
            given_away = announced_at is not None and at - announced_at <= _SILENCE_US
            meant_so = not (going or given_away) or stretches.first
            announced_at = at if stretches.announces else None
            heard_at = at if stretches.begins or (going and not stretches.ends) else None
            offered = False
        elif turn.origin is Origin.ASSISTANT_SAID:
            offered = stretches.begins
        if meant_so and place >= since:
            meant.append(turn)
    return meant


@kept(512)
def _stretches(text: str) -> _Stretches:
    stretches = _Stretches()
    lines = [sentence for sentence, _ in sentences(text)]
    for place, sentence in enumerate(lines):
        if played.ends(sentence):
            stretches = _Stretches(ends=True, first=place == 0)
        elif played.opens(sentence, rest := " ".join(lines[place + 1 :])):
            stretches = _Stretches(begins=True, first=stretches.first)
        elif len(rest) <= _MOST_BEHIND and not _GIVEN.search(sentence) and played.announces(sentence):
            stretches = stretches._replace(announces=True)
    return stretches
