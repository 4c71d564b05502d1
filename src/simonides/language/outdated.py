"""Statements of which a part is over by what their speaker says later, while the rest may hold as ever.

"I live with Kate in Leeds." and "We moved to Ilkley."; "I'm an analyst at Acme." and "I now work for Globex."; "I love
reading crime novels." and "I don't read crime novels any more.". Pure; linear in the texts.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from simonides.language import tables
from simonides.language.aliases import COMMON
from simonides.language.clause_names import LOCATING, ClauseName
from simonides.language.clauses import Clause, clauses
from simonides.language.contradiction import Difference, told_of_one
from simonides.language.words import ENDED, EVENTS, HAN_CHANGES, NAMING, NOW

_SPEAKING: Final = frozenset({"user", "we"})
_USER: Final = frozenset({"user"})
#: Before the name of whom somebody works for, or is something at.
_EMPLOYING: Final = tables.words("employing", among="clauses")
_ARTICLES: Final = tables.words("indefinite", among="clauses")
_BEING: Final = tables.words("being", among="clauses")
#: Say that it is so no more.
_MORE: Final = tables.words("no_longer", among="clauses")
_HAN_NOW: Final = str(tables.han("now"))
#: Before nothing but whom somebody is with or works for; words for what somebody is, folded.
_AT_EMPLOYERS: Final = tables.words("at_employers", among="clauses")
_PROFESSION: Final = tables.worded("clauses", "{profession}", flags=0)
_PROFESSION_SOMEWHERE: Final = tables.worded("clauses", "{profession_somewhere}", flags=0)
_WORKING_AS: Final = tables.worded("clauses", "{working_as}", flags=0)
#: Say whom somebody is with, and that they are no more.
_COUPLED: Final = tables.words("coupled", among="clauses")
_PARTED: Final = tables.worded("clauses", r"(?<!\w){parted}(?!\w)", flags=0)
_LEAST_BEFORE: Final = 3
#: Verbs of languages that have one word for where and for whom somebody works.
_WORKING_SOMEWHERE: Final = tables.words("employer", of="es", among="naming") | tables.words(
    "employer", of="ru", among="naming"
)


def outdated(former: str, text: str) -> Difference | None:
    """Point in which a part of what speakers say of themselves is over by what they say later.

    Where they live or whom they work for, told with something else, and now told otherwise; or what they do or are no
    more, in a statement that says more.
    """
    former, text = COMMON.together(former, text)
    by_now = told_by_now(text)
    ended = [clause for clause in clauses(text) if _tells_an_end(clause)]
    parted = [clause for clause in clauses(text) if _tells_a_parting(clause)]
    for mine in clauses(former) if by_now or ended or parted else ():
        if not mine.plain or mine.negated or mine.past or mine.manner.time or not _of_speaker(mine):
            continue
        for role, name in by_now.items():
            names = _places(mine) if role == "place" else _employers(mine)
            if names and not any(one.agrees(name) for one in names):
                return Difference("name", (names[-1].words, name.words))
        for later in parted:
            if _is_with(mine, later):
                return Difference("negation", (_words(mine), _words(later)))
        for later in ended:
            if _holds(mine, later):
                return Difference("negation", (_words(mine), f"{later.negated}: {_words(later)}"))
    return None


def told_by_now(text: str) -> dict[str, ClauseName]:
    """The `place` where a speaker lives and the `employer`, where a text says that it is by now, or that they moved."""
    by_now: dict[str, ClauseName] = {}
    for clause in clauses(text):
        if not clause.plain or clause.negated or clause.adds or not _of_speaker(clause):
            continue
        now = any(token.fold in NOW for token in clause.tokens) or _HAN_NOW in _written(clause)
        moved = any(token.fold in EVENTS for token in clause.tokens) or any(
            sign in _written(clause) for sign in HAN_CHANGES
        )
        places = told_of_one(text).get(("place", _USER), ())
        if places and (now or moved):
            by_now["place"] = places[-1]
        if now and (employers := _employers(clause, being=False)):
            by_now["employer"] = employers[-1]
    return by_now


def tells_an_end(text: str) -> bool:
    """True if speakers say in a text what they do or are no more, or from whom they parted."""
    return any(_tells_an_end(clause) or _tells_a_parting(clause) for clause in clauses(text))


def _of_speaker(clause: Clause) -> bool:
    return bool(clause.persons) and clause.persons <= _SPEAKING


def _places(clause: Clause) -> Sequence[ClauseName]:
    lives = any(NAMING.get(token.stem) == "place" for token in clause.tokens)
    return [
        name for name in clause.names if name.role == "place" or (lives and _behind(name, clause, LOCATING))
    ]


def _employers(clause: Clause, *, being: bool = True) -> Sequence[ClauseName]:
    """Names for whom a speaker works, or is something: "I'm a nurse at St Mary's"."""
    folds = {token.fold for token in clause.tokens}
    works = any(NAMING.get(token.stem) == "employer" for token in clause.tokens)
    works = works or (being and bool(folds & _ARTICLES) and bool(folds & _BEING))
    # "Ich arbeite in Teilzeit" names no employer; "trabajo en Mapfre" does.
    somewhere = not folds.isdisjoint(_WORKING_SOMEWHERE)
    names = [
        name
        for name in clause.names
        if (works and _behind(name, clause, _EMPLOYING))
        or (
            name.role == "employer"
            and (_is_han(name) or (works and (somewhere or not _behind(name, clause, LOCATING))))
        )
    ]
    return names or [name for name in clause.names if being and _is_something_at(name, clause)]


def _is_han(name: ClauseName) -> bool:
    return "\u4e00" <= name.words[0] <= "\u9fff"


def _is_something_at(name: ClauseName, clause: Clause) -> bool:
    """True if what a speaker is, or works as, stands before where: Ich bin Ärztin bei …, бухгалтером в …."""
    at = next((at for at, token in enumerate(clause.tokens) if token.stem in name.parts), 0)
    if at < _LEAST_BEFORE:
        return False
    before, noun = clause.tokens[at - 1].fold, clause.tokens[at - 2]
    folds = {token.fold for token in clause.tokens[: at - 1]}
    if before in _AT_EMPLOYERS and folds & _BEING:
        return noun.capital or _PROFESSION.fullmatch(noun.fold) is not None
    if before not in LOCATING:
        return False
    works = any(NAMING.get(token.stem) == "employer" for token in clause.tokens)
    is_so = folds & _BEING or at - 2 == 1  # Я медсестра в …
    return bool(
        (works and _WORKING_AS.fullmatch(noun.fold)) or (is_so and _PROFESSION_SOMEWHERE.fullmatch(noun.fold))
    )


def _behind(name: ClauseName, clause: Clause, words: Container[str]) -> bool:
    """True if one of some words stands before a name, or before its article."""
    at = next((at for at, token in enumerate(clause.tokens) if token.stem in name.parts), 0)
    return any(token.fold in words for token in clause.tokens[max(at - 2, 0) : at])


def _tells_an_end(clause: Clause) -> bool:
    ended = any(token.fold in _MORE or token.fold == ENDED for token in clause.tokens)
    return clause.plain and bool(clause.negated) and ended and _of_speaker(clause)


def _tells_a_parting(clause: Clause) -> bool:
    of_speaker = clause.plain and not clause.negated and not clause.persons.isdisjoint(_SPEAKING)
    return of_speaker and _PARTED.search(" ".join(token.fold for token in clause.tokens)) is not None


def _is_with(mine: Clause, parted: Clause) -> bool:
    """True if a clause says that somebody is with one from whom they parted: I'm engaged to Max."""
    with_whom = {part for name in mine.names for part in name.parts}
    return any(token.fold in _COUPLED for token in mine.tokens) and any(
        with_whom.issuperset(name.parts) for name in parted.names
    )


def _holds(mine: Clause, ended: Clause) -> bool:
    """True if a clause says all that has ended.

    Of one word it has to be what somebody is: "I don't run any more" does not end "I run a bakery".
    """
    # "…, nur noch Sachbücher" tells what is so instead.
    end = next((at for at, token in enumerate(ended.tokens) if token.text == ","), len(ended.tokens))
    stems = {token.stem for token in ended.tokens[:end]}
    over = ended.topic & stems - {token.stem for token in ended.tokens if token.fold in _MORE | _BEING}
    if not over or not over <= mine.topic:
        return False
    first = next((at for at, token in enumerate(mine.tokens) if token.stem in over), 0)
    is_so = any(token.fold in _BEING for token in ended.tokens)
    return len(over) > 1 or (
        is_so and any(token.fold in _BEING for token in mine.tokens[max(first - 2, 0) : first])
    )


def _words(clause: Clause) -> str:
    return " ".join(dict.fromkeys(word for _, word in clause.words if word))


def _written(clause: Clause) -> str:
    return "".join(token.text for token in clause.tokens)
