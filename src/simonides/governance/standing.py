"""Turns that still stand: their speaker meant them, and did not take them back in the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.domain.item import Item
from simonides.domain.provenance import FROM_USER
from simonides.language.contradiction import difference
from simonides.language.earnest import in_earnest
from simonides.language.taken_back import takes_back

#: Turns that take something back are short.
_LONGEST: Final = 240


def standing(turns: Sequence[Item]) -> list[Item]:
    """Turns of a session without those of a user that the same speaker takes back, or says otherwise, in the next.

    Without those, too, that were said in a game.

    Args:
        turns: Whatever was said in the session, the latest first.

    Returns:
        In the same order.
    """
    found: list[Item] = []
    later: dict[str, str] = {}
    answers: dict[str, list[str]] = {}
    for turn in reversed(in_earnest([*reversed(turns)])):
        speaker = str(turn.metadata.get("sender") or "")
        if turn.origin not in FROM_USER:
            for some in answers.values():
                some.append(turn.content)
        elif speaker in later and _is_undone(turn.content, answers[speaker], later[speaker]):
            later[speaker], answers[speaker] = turn.content, []
            continue
        else:
            later[speaker], answers[speaker] = turn.content, []
        found.append(turn)
    return found


def _is_undone(former: str, answers: Sequence[str], text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    return takes_back(former, answers, text) or difference(former[:_LONGEST], text) is not None
