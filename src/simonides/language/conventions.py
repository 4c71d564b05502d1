"""Two values of one convention: sessions are stored in Redis, sessions are stored in Postgres.

Both statements have the same words but for one place, and what stands there is one at a time: behind "are stored in",
"are signed with", "are formatted"; one of a closed set (plural, singular); a bound (at most 100). Pure; linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from simonides.language.alignment import aligned
from simonides.language.clause_names import ClauseName
from simonides.language.clauses import Clause
from simonides.language.common_words import COMMON
from simonides.language.quantities import NUMERALS
from simonides.language.tables import phrases, words
from simonides.language.tokens import Shape, Token
from simonides.language.words import NOW, STOP

#: Behind "are" and these a value is given, of which one is kept to at a time; behind the verbs without "are".
_GIVEN: Final = frozenset(phrases("one_given"))
_KEPT_TO: Final = frozenset(phrases("one_kept_to"))
_LONGEST_GIVEN: Final = max(map(len, _GIVEN | _KEPT_TO))
_BEFORE_GIVEN: Final = words("before_given", among="clauses")
_ALTERNATIVES: Final = tuple(map(frozenset, phrases("alternatives")))
_LIMITS: Final = frozenset(phrases("limits"))
_BEHIND_LIMITED: Final = frozenset(phrases("limits_behind"))
_USED_FOR: Final = frozenset(phrases("used_for"))
_USING: Final = words("using", among="clauses")
_USING_FOR: Final = words("using_for", among="clauses")
_LONGEST_VALUE: Final = 8
_ARTICLES: Final = words("articles")


def other_value(mine: Clause, other: Clause) -> tuple[str, str] | None:
    """The values of one convention that two clauses give; None where they are of two, or may be the same value."""
    if any(
        clause.negated or clause.adds or clause.past or clause.persons - {"we"} for clause in (mine, other)
    ):
        return None
    if mine.manner != other.manner or mine.occasions != other.occasions or mine.persons != other.persons:
        return None
    one, another = _words_without_time(mine), _words_without_time(other)
    if (values := _only_differing(one, another)) is not None:
        before, first, second, behind = values
        if _are_bounds(before, first, second, behind) or _are_alternatives(first, second):
            return _written(first), _written(second)
        if _are_versions(before, first, second) or _are_used(before, first, second, behind):
            return _written(first), _written(second)
    return None if mine.persons else _given_twice(one, another)


def _words_without_time(clause: Clause) -> list[Token]:
    return [token for token in clause.tokens if token.fold not in NOW | _ARTICLES and token.text != ","]


def _folds(several: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.fold for token in several)


def _written(value: Sequence[Token]) -> str:
    return " ".join(token.text for token in value)


def _only_differing(
    one: Sequence[Token], another: Sequence[Token]
) -> tuple[Sequence[Token], Sequence[Token], Sequence[Token], Sequence[Token]] | None:
    """The beginning of both, the part in which each differs, and the end of both; None where one lacks a part."""
    alike = aligned(_folds(one), _folds(another))
    ends = len(one) - alike.behind
    first, second = one[alike.before : ends], another[alike.before : len(another) - alike.behind]
    return (one[: alike.before], first, second, one[ends:]) if alike.before and first and second else None


def _are_bounds(
    before: Sequence[Token], first: Sequence[Token], second: Sequence[Token], behind: Sequence[Token]
) -> bool:
    """True of two numbers that limit the same on the same side."""
    if not all(len(value) == 1 and value[0].shape is Shape.NUMBER for value in (first, second)):
        return False
    limited = any(_folds(before[-length:]) in _LIMITS for length in (1, 2, 3) if length < len(before))
    return limited or _folds(behind[-2:]) in _BEHIND_LIMITED


def _are_alternatives(first: Sequence[Token], second: Sequence[Token]) -> bool:
    """True of two words of a set of which one is chosen; their number may stand before them: four spaces, tabs."""
    one, other = (value[_counted(value) :] for value in (first, second))
    both = {*_folds(one), *_folds(other)}
    return len(one) == len(other) == 1 and len(both) == 2 and any(both <= some for some in _ALTERNATIVES)


def _counted(value: Sequence[Token]) -> int:
    """1 if a value of several words begins with a number."""
    return len(value) > 1 and (value[0].shape is Shape.NUMBER or value[0].fold in NUMERALS)


def _are_versions(before: Sequence[Token], first: Sequence[Token], second: Sequence[Token]) -> bool:
    """True of two identifiers behind "are" that only their figures tell apart: UUIDv4, UUIDv7."""
    if not all(len(value) == 1 and value[0].shape is Shape.IDENTIFIER for value in (first, second)):
        return False
    one, other = (
        "".join(" " if sign.isdigit() else sign for sign in value[0].fold) for value in (first, second)
    )
    return before[-1].fold in _BEFORE_GIVEN and one.split() == other.split()


def _are_used(
    before: Sequence[Token], first: Sequence[Token], second: Sequence[Token], behind: Sequence[Token]
) -> bool:
    """True of two tools of which a team uses one for a thing: yarn, pnpm for packages."""
    named = all(len(value) == 1 and value[0].shape is Shape.WORD for value in (first, second))
    if not named or len(before) > 2 or before[-1].fold not in _USING or len(behind) < 2:
        return False
    known = any(value[0].fold in COMMON | STOP for value in (first, second))
    return (
        not known
        and behind[0].fold in _USING_FOR
        and _folds(behind[1:]) in _USED_FOR
        and not _agree(first, second)
    )


def _given_twice(one: Sequence[Token], another: Sequence[Token]) -> tuple[str, str] | None:
    """Values behind the same "are stored in", of the same, with the same behind them."""
    for start, end in _givings(one):
        if _folds(another[:end]) != _folds(one[:end]):
            continue
        first, second = _value(one[end:]), _value(another[end:])
        same_rest = _folds(one[end + len(first) :]) == _folds(another[end + len(second) :])
        if same_rest and start and _are_named(first, second) and not _agree(first, second):
            return _written(first), _written(second)
    return None


def _givings(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Places where a value is given, and where that begins."""
    for start in range(1, len(tokens)):
        for length in range(_LONGEST_GIVEN, 0, -1):
            words = _folds(tokens[start : start + length])
            if words in _KEPT_TO or (words in _GIVEN and tokens[start - 1].fold in _BEFORE_GIVEN):
                yield start, start + length
                break


def _value(tokens: Sequence[Token]) -> Sequence[Token]:
    end = next((at for at, token in enumerate(tokens) if token.fold in STOP), len(tokens))
    return tokens[: min(end, _LONGEST_VALUE)]


def _are_named(first: Sequence[Token], second: Sequence[Token]) -> bool:
    return all(_is_named(value) for value in (first, second))


def _is_named(value: Sequence[Token]) -> bool:
    """True of a name, an identifier or a pattern: Redis, problem+json, feat/<ticket>."""
    if any(
        token.shape is Shape.IDENTIFIER or (token.capital and token.fold not in COMMON) for token in value
    ):
        return True
    return any(one.shape is Shape.MARK and other.shape is Shape.WORD for one, other in pairwise(value))


def _agree(first: Sequence[Token], second: Sequence[Token]) -> bool:
    if any(token.shape is Shape.MARK for token in (*first, *second)):
        return _folds(first) == _folds(second)
    one, other = (
        ClauseName(tuple(token.stem for token in value), _written(value)) for value in (first, second)
    )
    return one.agrees(other)
