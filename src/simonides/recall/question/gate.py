"""Gate before memory: whether it is worth asking for a message."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.cues import Cues
from simonides.language.sentences import QuestionText, fold, read
from simonides.language.tables import as_written, languages, worded
from simonides.values import dataclass

#: Shorter messages ask nothing; a CJK character counts for two.
_LEAST_CHARS: Final = 5
#: So many of these and so many line breaks are code.
_CODE_SIGNS: Final = 8
_CODE_BREAKS: Final = 2
_SIGN = re.compile(r"[{}()\[\];=<>/]")
#: Characters of a line of code, at most: a longer one takes too long to read, and is seldom written by hand.
_LONGEST_LINE: Final = 200
#: A line of code by its form: a definition, a declaration, a query, a call and nothing else. What asks is none.
_CODE_LINE = re.compile(
    r"\s*(?!.*[?？]\s*$)(?:(?:async )?def \w+\(.*\).*:|class \w+(?:\(.*\))?(?:: *(?:pass|\.\.\.)?$| ?\{)"
    r"|(?:const|let|var) \w+ ?= ?(?:[\d\"'\[({]|.*;$)|(?:async )?function ?\w*\(.*\) ?\{"
    r"|(?:public|private|protected) .*[;{]$|#include ?[<\"]|(?=.*[*=;(])SELECT .+ FROM \w"
    r"|(?=.*[=;(])(?:INSERT INTO|DELETE FROM|CREATE TABLE|ALTER TABLE) \w|(?:for|while|if) \(.+\) ?\{"
    r"|[a-z_]\w*(?:\.\w+)*\((?:[\"'][^()?]*)?\);?$"
    r"|[a-z_]\w* ?=[^=] ?[\[({].*[\])}];?$|for \w+ in [\w.]+\(.*\):)"
)
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_CJK_CHARACTER = later(f"[{CJK}]")
_SPEAKS = re.compile(r"[^\W_]")

#: Greetings and acknowledgements, one after the other: what asks nothing. The words stand in the section `acts` of each
#: language, the longer first where one begins the other.
_CHATTER: Final = worded(
    "acts", r"(?>\W*+(?:(?:{gives_up}|{chatter})(?!\w)|{han_gives_up}|{han_chatter}))++\W*+", flags=0
)
#: Orders for what entertains anybody alike.
_ENTERTAINING: Final = worded("acts", r"\W*(?:{openers}\W+)*(?:{entertaining}|{han_entertaining})", flags=0)
#: Questions that anybody may ask, and none who asks of themselves or their own: "What is the capital of France?".
_WORLDLY: Final = worded("acts", r"\W*(?:{openers}\W+)*(?:{worldly}|{han_worldly})", flags=0)
_WORD: Final = re.compile(r"[^\W_]+")
#: Longer messages say more than that.
_CHATTER_CHARS: Final = 80
#: A word for thanks at either end of so few words, none of which is a name or a number, says no more either.
_THANKS: Final = worded(
    "acts",
    r"\W*{thanks}(?!\w).*|.*(?<!\w){thanks}\W*|\W*(?:{han_thankful}).*|.*(?:{han_thankful})\W*",
    flags=0,
)
_MOST_THANKFUL: Final = 5
_NAME_OR_NUMBER: Final = later(rf"\d|(?<=[\w,] )(?!I\b)[^\W\d_{CJK}a-zß-ÿа-яё]")

_CUES: Final = Cues("gate")


@dataclass(frozen=True, slots=True)
class Gate:
    """Decision to ask memory or not, with a reason in a few words for logs."""

    open: bool
    reason: str


def gate(message: str, names: Collection[str] = ()) -> Gate:
    """Gate before memory: whether it is worth asking for a message.

    No: nothing to read in it, code and nothing else, a greeting, an acknowledgement, fewer than five characters.
    Yes: a known name, a question word or mark, words such as "my", "remember", "last time", "prefer", "settings".
    A message that says something else passes: a search that finds nothing costs less than a memory that is missed.

    Args:
        names: Known projects and entities, looked for as whole words without regard to case. Linear in their
            number, some 0.1 ms for a thousand.

    Returns:
        The verdict. Never raises, whatever the message; of a long one the beginning and the end are read.
    """
    whole = read(message)
    prose = _prose(whole.text)
    if prose is None:
        return Gate(open=False, reason="code")
    reading = whole if prose == whole.text else read(prose)
    text = reading.folded.strip()
    if not _SPEAKS.search(text):
        return Gate(open=False, reason="no words")
    if name := _named(reading, names):
        return Gate(open=True, reason=f"known name: {name}")
    if is_chatter(text) or _only_thanks(reading.text, text):
        return Gate(open=False, reason="greeting or acknowledgement")
    if len(text) <= _CHATTER_CHARS and _ENTERTAINING.match(text):
        return Gate(open=False, reason="entertainment")
    if len(text) + len(_CJK_CHARACTER.findall(text)) < _LEAST_CHARS:
        return Gate(open=False, reason="too short")
    if "?" in text or "？" in text:
        return Gate(open=True, reason="question mark")
    if cue := _CUES.search(text):
        return Gate(open=True, reason=f"cue: {cue[0]}")
    return Gate(open=True, reason="nothing speaks against it")


def is_chatter(folded: str) -> bool:
    """True if a text, folded as `reading.fold` does, greets, thanks, agrees or goes on, and says nothing else."""
    if len(folded) > _CHATTER_CHARS:
        return False
    return _CHATTER.fullmatch(folded) is not None or ("?" not in folded and is_idle(folded))


def asks_of_the_world(question: str) -> bool:
    """True if a question, by its form, is after general knowledge, a sum, a recipe, a translation or code."""
    return _WORLDLY.match(read(question).folded) is not None


def is_idle(folded: str, *, least: int = 1) -> bool:
    """True if a text has no words but those of small talk, in one language, at least so many of them its own.

    The others are pronouns and what else stands beside them: "wow, that was quick".
    """
    found = _WORD.findall(folded)
    return (
        bool(found)
        and _idle_words().issuperset(found)
        and any(
            all(word in own or word in beside for word in found)
            and sum(word in own for word in found) >= least
            for own, beside in _idle()
        )
    )


@cache
def _idle_words() -> frozenset[str]:
    """Words of `_idle` in all languages: most texts begin with another, and are compared with none."""
    return frozenset(word for both in _idle() for words in both for word in words)


@cache
def _idle() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Words of small talk and words beside them, by language; as `fold` writes them."""
    named = (
        [frozenset(map(fold, as_written(name, of=code, among="acts"))) for name in ("idle", "idle_beside")]
        for code in languages()
    )
    return tuple((own, beside) for own, beside in named if own)


def _only_thanks(text: str, folded: str) -> bool:
    """True of a few words of thanks that name nothing."""
    if "?" in folded or "？" in folded or _THANKS.fullmatch(folded) is None:
        return False
    signs = len(_CJK_CHARACTER.findall(folded))
    few = len(_CJK_CHARACTER.sub(" ", folded).split()) + signs / 2 <= _MOST_THANKFUL
    return few and _NAME_OR_NUMBER.search(text) is None


def _prose(text: str) -> str | None:
    """Prose besides code; None where it is code and nothing else."""
    outside = _FENCE.sub("\n", text) if "```" in text or "~~~" in text else text
    if outside is not text and not _SPEAKS.search(outside):
        return None
    lines = [line for line in outside.splitlines() if line.strip()]
    if lines and all(len(line) <= _LONGEST_LINE and _CODE_LINE.match(line) for line in lines):
        return None
    if len(_SIGN.findall(outside)) < _CODE_SIGNS or outside.count("\n") < _CODE_BREAKS:
        return outside
    asking = [line for line in outside.splitlines() if not _SIGN.search(line) and _asks(line)]
    return "\n".join(asking) or None


def _asks(line: str) -> bool:
    """True if a line without a sign of code is a question in words."""
    return line.rstrip().endswith(("?", "？")) and (
        len(line.split()) >= 3 or _CJK_CHARACTER.search(line) is not None
    )


def _named(reading: QuestionText, names: Collection[str]) -> str | None:
    """The first known name that the text mentions as a whole word."""
    text = reading.text.casefold()
    for name in names:
        wanted = fold(name).strip() if not name.isascii() else name.strip().casefold()
        for hay in (text, reading.folded) if wanted else ():
            place = hay.find(wanted)
            while place >= 0:
                if _stands_alone(hay, place, place + len(wanted)):
                    return name
                place = hay.find(wanted, place + 1)
    return None


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (_joined(text[start - 1 : start], text[start]) or _joined(text[end - 1], text[end : end + 1]))


def _joined(left: str, right: str) -> bool:
    """True if two characters belong to one word; CJK characters never do, as far as can be told."""
    if not left or not right or _CJK_CHARACTER.match(left) or _CJK_CHARACTER.match(right):
        return False
    return (left.isalnum() or left == "_") and (right.isalnum() or right == "_")
