"""Turns of a few words that put right one name or time of the statement before: "No, Linz, not Graz.", "不，是南京。".

The name or time is put in the other's place where that makes a sentence that its speaker might have said. Where a case
or an article may have to change with it, both are kept as they were said. Pure.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from simonides.language.clause_names import NO_NAME, is_word
from simonides.language.clauses import clauses
from simonides.language.tables import worded
from simonides.language.tokens import tokens
from simonides.language.value import Value, ValueKind
from simonides.language.words import COURTESIES, OPENERS, PRAISE, SLIPS, STOP
from simonides.values import dataclass

#: What is longer says something of its own.
_LONGEST: Final = 120
_MOST_OF_NAME: Final = 3
#: Letters of a word beside a time that is no word of its own: a las 11.
_SMALL: Final = 3
_GIVEN: Final = r"[^\s,.;!?](?:[^,;!?\n]{0,38}?[^\s,.;!?])??"
_SIGNS: Final = r"[^\W\d_我你您他她它吗呢了的是不没很太真还挺谢有好行请再等想说看就都也这那]{2,6}?"
_put_right: Final = partial(worded, "put_right")
_NEW: Final = r"(?:(?P<before>{before})\s+)?(?P<new>given)"
_NOT: Final = r"(?:{not})\s+(?:(?:{before})\s+)?(?P<old>given)"
_LED: Final = r"(?:(?:{lead})\s*[,.!;:—–-]+\s*)"
_IS: Final = r"(?:(?:{is})\s+)?"
_PUT: Final = tuple(
    _put_right(rf"\W*{pattern.replace('given', _GIVEN).replace('signs', _SIGNS)}\W*$")
    for pattern in (
        # No, it's Linz, not Graz; not Graz, Linz.
        rf"(?:{_LED}+{_IS}|(?:{{lead}}[\s,]+)*(?:{{meant}})\s+){_NEW}(?:\s*,?\s+{_NOT})?",
        rf"{_LED}*{_IS}{_NOT}\s*,\s*(?:(?:{{but}})\s+)?{_IS}{_NEW}",
        r"{han_lead}{han_is}?(?P<before>在)?(?P<new>signs)(?:[，,]?{han_not}(?P<old>signs))?",
        r"{han_lead}?{han_not}(?P<old>signs)[，,]?(?:{han_is}|在)(?P<before>在)?(?P<new>signs)",
    )
)
_BEFORE_IT: Final = _put_right(r"(?<!\w)(?:{before})\s+$")
_ARTICLE: Final = _put_right(r"(?<!\w)(?:{article})\s+$")
_NO_NAMES: Final = NO_NAME | COURTESIES | OPENERS | PRAISE | SLIPS | STOP


@dataclass(frozen=True, slots=True)
class PutRight:
    """A statement with what was put right.

    Attributes:
        whole: It is one sentence, and not the former with the words that put it right behind it.
        timed: A time was put right, and no name.
    """

    text: str
    whole: bool
    timed: bool


def put_right(former: str, text: str) -> PutRight | None:
    """Read a turn as what puts one name or time of a statement right; None where it does nothing of the kind."""
    if len(text) > _LONGEST:
        return None
    for pattern in _PUT:
        match = pattern.match(text)
        if match is None:
            continue
        before = match["before"] or ""
        old, timed = _old(former, before, match["new"], match["old"])
        if old and former.count(old) == 1:
            return _with(former, old, before, match["new"], text, timed=timed)
    return None


def _old(former: str, before: str, new: str, denied: str | None) -> tuple[str, bool]:
    """The part of a statement whose place something new takes, empty where none does; and whether it is a time."""
    if (time := _time(f"{before} {new}".strip())) is not None:
        return _time_like(former, time), True
    if not _is_name(new):
        return "", False
    names = [name.words for clause in clauses(former) for name in clause.names if name.role]
    if denied:
        stems = [token.stem for token in tokens(denied)]
        return next((name for name in names if [token.stem for token in tokens(name)] == stems), ""), False
    same = [name for name in names if before and _stands_before(former, name).casefold() == before.casefold()]
    names = same or names
    return (names[0] if len(names) == 1 and names[0] != new else ""), False


def _time(text: str) -> Value | None:
    """The one time that a text is, but for small words."""
    given = [value for clause in clauses(text) for value in clause.values]
    rest = text.replace(_as_written(text, given[0]), " ") if len(given) == 1 else text
    small = all(
        token.fold in STOP or not is_word(token) or len(token.text) <= _SMALL for token in tokens(rest)
    )
    return given[0] if len(given) == 1 and given[0].kind is ValueKind.DATE and small else None


def _time_like(former: str, time: Value) -> str:
    """The one time of a statement that is of the kind of another, and another one."""
    like = [
        value
        for clause in clauses(former)
        for value in clause.values
        if value.kind is time.kind and value.key == time.key
    ]
    another = len(like) == 1 and like[0].words.casefold() != time.words.casefold()
    return _as_written(former, like[0]) if another else ""


def _as_written(text: str, time: Value) -> str:
    """Words of a time as they stand in a text: 10h."""
    return time.words if time.words in text else time.words.replace(" ", "")


def _is_name(text: str) -> bool:
    words = [token for token in tokens(text) if is_word(token)]
    if all("\u4e00" <= sign <= "\u9fff" for sign in text):
        return True
    return 0 < len(words) <= _MOST_OF_NAME and all(
        word.capital and word.fold not in _NO_NAMES for word in words
    )


def _stands_before(former: str, name: str) -> str:
    """The preposition before a name, as it is written."""
    match = _BEFORE_IT.search(former[: former.find(name)])
    return match[0].strip() if match else ""


def _with(former: str, old: str, before: str, new: str, text: str, *, timed: bool) -> PutRight:
    at = former.find(old)
    led = _BEFORE_IT.search(former[:at])
    russian = any("\u0400" <= sign <= "\u04ff" for sign in new)
    if before and led:
        start, put = led.start(), f"{before} {new}"
    else:
        start, put = at, new
        changes_form = before if russian else _ARTICLE.search(former[:at])
        if (changes_form and not timed) or (russian and not _of_one_form(old, new)):
            return PutRight(f"{former} {text[:1].upper()}{text[1:]}", whole=False, timed=timed)
    whole = f"{former[:start]}{put}{former[at + len(old) :]}"
    return PutRight(f"{whole[0].upper()}{whole[1:]}", whole=True, timed=timed)


def _of_one_form(one: str, other: str) -> bool:
    """True if two Russian words end alike, as those of one case do."""
    last, end = one[-1].casefold(), other[-1].casefold()
    return last == end or (last not in _VOWELS and end not in _VOWELS)


_VOWELS: Final = frozenset("аеёиоуыэюя")
