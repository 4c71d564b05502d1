"""Sentences behind which a speaker's words are no statements of their own for several turns, and such as end that.

A game in which the speaker plays a part, texts that are handed over turn by turn to be worked on, and somebody else who
writes. A wish to the listener alone ("act as a nutritionist") is none of these: whoever asks that goes on to speak of
themselves.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from simonides.language.tables import worded

# The words of `{name}` in a pattern stand in the section `played` of each language.
_played: Final = partial(worded, "played")
_LED: Final = r"^\W{0,4}(?:{lead}(?:[\s,.:!…–—-]{1,3}|$)){0,6}"
_OPENS: Final = _played(
    rf"{_LED}(?:{{opens}}|{{handed}}|{{others}})|{{han_opens}}|{{han_handed}}|{{han_others}}"
)
_ANNOUNCED: Final = _played(rf"{_LED}{{announced}}|{{han_announced}}")
_GAME: Final = _played(rf"{_LED}{{games}}(?!\w)|{{han_games}}")
_PART: Final = _played(r"(?<!\w){parts}(?!\w)|{han_parts}")
_ENDS: Final = _played(rf"{_LED}{{ends}}(?:[\s,.:!…–—-]{{1,3}}{{trail}}){{0,3}}\W*$|{{han_ends}}")
_AGREES: Final = _played(r"^\W{0,4}(?:{agrees}(?!\w)|{han_agrees})")
#: What is longer says something of its own, whatever it ends.
_LONGEST_END: Final = 120


def opens(sentence: str, rest: str = "") -> bool:
    """True if a sentence begins such a stretch: "Let's role-play: you are …", "Translate everything I write.".

    Args:
        rest: What stands behind it in the turn, where a game's parts may be told.
    """
    if _OPENS.search(sentence):
        return True
    game = _GAME.search(sentence)
    return game is not None and _PART.search(f"{sentence[game.end() :]} {rest}") is not None


def announces(sentence: str) -> bool:
    """True if a sentence says that the next turn is somebody else's, or a text: "Next message is from my dad."."""
    return _ANNOUNCED.search(sentence) is not None


def ends(sentence: str) -> bool:
    """True if a sentence says that it is over, and nothing else: "End of the role play.", "It's me again."."""
    return len(sentence) <= _LONGEST_END and _ENDS.search(sentence) is not None


def agrees(text: str) -> bool:
    """True if a turn begins by agreeing to what was proposed: "Sure, let's go."."""
    return _AGREES.search(text) is not None
