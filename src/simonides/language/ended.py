"""Statements of speakers about themselves that are over by what they tell later, in passing and in other words.

"I'm vegan" and "so I stopped being vegan, missed cheese"; "I have a dog called Rufus" and "rufus died last night"; "I'm
pregnant" and "the baby's here!". Most of it is no statement to keep, and few of its words are those of the former one.
Pure; linear in the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.kept import kept
from simonides.language import tables
from simonides.language.bygone import tells_of_the_past
from simonides.language.calendar.windows import window_of
from simonides.language.clause_names import LOCATING
from simonides.language.clauses import Clause, clauses
from simonides.language.contradiction import difference
from simonides.language.outdated import outdated
from simonides.language.sentences import fold
from simonides.language.spoken import sentences
from simonides.language.succession import (
    JOINS,
    LIGHT,
    OTHERS,
    SMALL,
    ChangeKind,
    before_cue,
    changes_told,
    kin_named,
    of_speaker,
    without_cues,
)
from simonides.language.tables import worded
from simonides.language.tokens import Shape, Token
from simonides.language.words import ENDED, MOMENT, NAMING, NEGATORS, NOW

#: Longer turns tell of much else.
_MOST_CHARS: Final = 600
_SPEAKING: Final = frozenset({"user", "we"})
#: Letters in which two forms of a word agree: Veganerin, vegan. In Russian names end otherwise in each case.
_ROOT: Final = 5
_RUSSIAN_ROOT: Final = 3
#: Chinese signs that are over, at least.
_LEAST_SIGNS: Final = 2
_BEING: Final = tables.words("being", among="clauses")
_MORE: Final = tables.words("no_longer", among="clauses")
_SMALL: Final = SMALL | _BEING
#: Say no more of what is over than when, or how.
_BESIDE: Final = _SMALL | NEGATORS | MOMENT | NOW | _MORE | tables.words("beside", among="stages") | {ENDED}
_HAN_BESIDE: Final = frozenset(str(tables.table("zh", "stages")["han_beside"]))
#: What one is not to have, cannot bear or is afraid of: it stays so where one has had the last of it.
_AVERSE: Final = worded("stages", r"(?<!\w)(?:{averse})|{han_averse}")
#: Told of by a denial: "no cigs for 3 weeks".
_SMOKING: Final = "smoking"
#: States of life, each with what tells that it is over.
_STAGES: Final = tuple(
    (
        state,
        worded("stages", rf"(?<!\w)(?:{{{state}}})(?!\w)|{{han_{state}}}"),
        worded("stages", rf"^\W*(?:(?:{{lead}})\W+)*(?:{{{end}}})(?!\w)|{{han_{end}}}"),
    )
    for state, end in (
        ("pregnant", "born"),
        ("studying", "graduated"),
        ("jobless", "hired"),
        ("single", "coupled"),
        (_SMOKING, "smokeless"),
        ("meatless", "meat"),
    )
)
#: Any of these events, wherever it stands.
_EVENT: Final = worded(
    "stages",
    r"(?<!\w)(?:{born}|{graduated}|{hired}|{coupled}|{smokeless}|{meat})(?!\w)"
    r"|{han_born}|{han_graduated}|{han_hired}|{han_coupled}|{han_smokeless}|{han_meat}",
)
_ASKED_SHORT: Final = worded("stages", r"(?<!\w)(?:{brief})(?!\w)|{han_brief}")
_ASKED_LONG: Final = worded("stages", r"(?<!\w)(?:{ample})(?!\w)|{han_ample}")
_OF_ANSWERS: Final = worded("stages", r"(?<!\w)(?:{answering})|{han_answering}")
_REQUESTED: Final = worded("stages", r"(?<!\w)(?:{requested})(?!\w)|{han_requested}")
#: Whatever has not come about, or not yet.
_AWAITED: Final = worded("stages", r"(?<!\w)(?:{awaited})(?!\w)|{han_awaited}")
_WISHED: Final = worded("stages", r"(?<!\w)(?:{wished})(?!\w)|{han_wished}")
#: What others think, or somebody dreams, is told behind it.
_SUPPOSED: Final = worded("stages", r"(?<!\w)(?:{supposed})(?!\w)|{han_supposed}")
_CALLED_OFF: Final = worded("stages", r"(?<!\w)(?:{called_off})(?!\w)|{han_called_off}")
#: Says that somebody's job is over, beside what tells of a change of it.
_DISMISSED: Final = worded("stages", r"(?<!\w)(?:{dismissed})(?!\w)|{han_dismissed}")
_OF_A_DAY: Final = worded("stages", r"(?<!\w)(?:{of_a_day})(?!\w)|{han_of_a_day}")
_ANSWERED_ONCE: Final = worded("stages", r"(?<!\w)(?:{answered_once})(?!\w)|{han_answered_once}")
#: What is dated by a year is a story, and no news.
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
#: Names behind it what something takes the place of.
_INSTEAD_OF: Final = worded("stages", r"(?<!\w)(?:{instead})(?!\w)|{han_instead}")
#: Between two clauses of Chinese.
_BLANKS: Final = re.compile(r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_TELLING_OF: Final = {ChangeKind.MOVED: "place", ChangeKind.EMPLOYED: "employer"}


def ended(former: str, text: str) -> str:
    """The part of what a speaker said of themselves that a later turn tells is over, or never was; empty where none is.

    Args:
        former: A statement, or a turn.
        text: What the same speaker said later, in words of their own (`spoken.own_words`).
    """
    return _ended(f"{former}\0{text}") if may_end_something(text) else ""


@kept(8192)
def _ended(both: str) -> str:
    former, _, text = both.partition("\0")
    pieces = _pieces(text)
    return next((part for part in _parts(former) if any(_is_over(part, piece) for piece in pieces)), "")


@kept(4096)
def may_end_something(text: str) -> bool:
    """True if what a speaker says may tell that something is over."""
    return _hints(text) and any(
        changes_told(piece)
        or _INSTEAD_OF.search(fold(piece))
        or any(clause.negated for clause in clauses(piece))
        or any(end.search(fold(piece)) for *_, end in _STAGES)
        or (_OF_ANSWERS.search(fold(piece)) and (_ASKED_SHORT.search(piece) or _ASKED_LONG.search(piece)))
        for piece in _pieces(text)
    )


def _hints(text: str) -> bool:
    folded = fold(text)
    return len(text) <= _MOST_CHARS and bool(
        _EVENT.search(folded)
        or _INSTEAD_OF.search(folded)
        or (_OF_ANSWERS.search(folded) and _REQUESTED.search(folded))
        or changes_told(text)
        or any(clause.negated for clause in clauses(text))
    )


@kept(512)
def _pieces(text: str) -> tuple[str, ...]:
    """Parts of what a text states; nothing of what is asked, guessed or past."""
    return tuple(_claimed(text)) if len(text) <= _MOST_CHARS else ()


def _claimed(words: str) -> Iterator[str]:
    for sentence, is_question in sentences(words):
        if is_question or _AWAITED.search(fold(sentence)) or not all(one.plain for one in clauses(sentence)):
            continue
        for part in _parts(sentence):
            if _SUPPOSED.search(fold(part)):
                break
            if not tells_of_the_past(part) and not _WISHED.search(fold(part)):
                yield part


@kept(512)
def _parts(text: str) -> tuple[str, ...]:
    """A text, cut where one clause ends and another begins."""
    parts: list[str] = []
    for sentence, _ in sentences(text[:_MOST_CHARS]):
        folded, start = fold(sentence), 0
        joints = sorted([*JOINS.finditer(folded), *_BLANKS.finditer(folded)], key=re.Match[str].start)
        for end, following in (*(joint.span() for joint in joints), (len(sentence), 0)):
            parts.append(sentence[start:end].strip())
            start = following
    return tuple(part for part in parts if part)


def _holds(clause: Clause) -> bool:
    """True of what a speaker says of themselves, as it is so; what is not so does not end by being over."""
    return clause.plain and not clause.negated and not clause.past and clause.persons <= _SPEAKING


def _is_over(former: str, piece: str) -> bool:
    if _ends_stage(fold(former), fold(piece)):
        return True
    mine = [clause for clause in clauses(former) if _holds(clause)]
    if not mine or changes_told(former):
        return False
    if _is_denied(before_cue(piece, ChangeKind.OVER)):  # "I haven't sold the car."
        return False
    if _OF_A_DAY.search(fold(piece)) and any(clause.negated for clause in clauses(piece)):
        return False
    between = difference(former, piece)
    if (between is not None and between.kind == "negation") or outdated(former, piece):
        return True
    if any(
        change.own and not (change.planned or change.untensed) and _leaves(change.change, mine, piece)
        for change in changes_told(piece)
    ):
        return True
    if kin_named(piece) != "" and kin_named(piece) not in fold(former):
        return False
    if _tells_of_another_job(piece) and not any(_names_by(clause, "employer") for clause in mine):
        return False
    if any(_content(clause) == _content(one) for clause in _denied(piece) for one in mine if _content(one)):
        return True
    return (_AVERSE.search(former) is None or _AVERSE.search(piece) is not None) and any(
        _names_all(over, clause, denied=denied) for over, denied in _over(piece) for clause in mine
    )


def _leaves(change: ChangeKind, mine: Sequence[Clause], piece: str) -> bool:
    """True if one of some clauses says where its speaker lives, or works, and a piece tells of a move from there."""
    telling = _TELLING_OF.get(change)
    named = [name for clause in clauses(piece) for name in clause.names]
    return telling is not None and any(
        any(
            telling == NAMING.get(token.stem)
            and before not in LOCATING  # "I use Slack at work."
            and not OTHERS.fullmatch(token.fold)  # "A cat lives with us."
            for before, token in zip(
                ("", *(token.fold for token in clause.tokens)), clause.tokens, strict=False
            )
        )
        and not any(name.agrees(other) for name in clause.names for other in named)
        for clause in mine
    )


def _names_by(clause: Clause, telling: str) -> bool:
    return any(NAMING.get(token.stem) == telling for token in clause.tokens)


def _tells_of_another_job(piece: str) -> bool:
    """True of "Amy quit": with her job nothing else is over."""
    others = {change.change for change in changes_told(piece) if not change.own}
    return ChangeKind.EMPLOYED in others or (
        ChangeKind.OVER in others and _DISMISSED.search(fold(piece)) is not None
    )


def _denied(piece: str) -> Iterator[Clause]:
    """Clauses of what speakers say is not so, for good and whatever the number: "turns out I'm not allergic to it"."""
    for clause in clauses(piece):
        if clause.negated and not clause.past and not clause.values and not _spoken_of_another(piece):
            yield clause


def _over(piece: str) -> Iterator[tuple[frozenset[str], bool]]:
    """Words of what a piece says is over, and whether it says so by a denial: no longer so, or sold, dead, given up.

    Also of what something took the place of.
    """
    if _spoken_of_another(piece):
        return
    for clause in clauses(piece):
        if clause.negated == ENDED or (clause.negated and _is_final(piece)):
            yield _content(clause), True
    # Of what comes again one time may be called off.
    for change in () if _CALLED_OFF.search(fold(piece)) else changes_told(piece):
        if change.change is ChangeKind.REPLACED and change.own:
            for clause in clauses(change.former):
                yield _content(clause), False
        if change.change is ChangeKind.OVER or (change.change is ChangeKind.MOVED and not change.own):
            for clause in clauses(without_cues(piece, change.change)):
                yield _content(clause), False
    instead = _INSTEAD_OF.search(fold(piece))
    if instead is not None and window_of(piece, 0) is None:
        for clause in clauses(piece[instead.end() :]):
            yield _content(clause), False


def _is_final(piece: str) -> bool:
    return any(change.change is ChangeKind.OVER for change in changes_told(piece))


def _spoken_of_another(piece: str) -> bool:
    return any(clause.persons and clause.persons.isdisjoint(_SPEAKING) for clause in clauses(piece))


def _content(clause: Clause) -> frozenset[str]:
    """Stems of what a clause is about; of Chinese its signs."""
    words = {token.stem: token.fold for token in clause.tokens}
    return frozenset(
        stem
        for stem in clause.topic
        if stem not in _HAN_BESIDE
        and stem not in _BESIDE
        and words.get(stem, stem) not in _BESIDE
        and not LIGHT.fullmatch(words.get(stem, stem))
    )


def _names_all(over: frozenset[str], mine: Clause, *, denied: bool) -> bool:
    """True if a clause names all that is over: of one verb nothing but that, "I don't run any more" ends no bakery.

    What somebody is can only be denied: "the vegan place closed down".
    """
    signs = "".join(over)
    if any("\u4e00" <= sign <= "\u9fff" for sign in signs):
        return len(signs) >= _LEAST_SIGNS and all(any(one in other for other in mine.topic) for one in over)
    if not over or not all(any(_alike(one, other) for other in mine.topic) for one in over):
        return False
    content = [token for token in mine.tokens if token.fold not in _SMALL and token.shape is Shape.WORD]
    if len(over) > 1 or not content or not any(_alike(one, content[0].stem) for one in over):
        return True
    return denied if _is_something(mine, content[0]) else len(content) == 1


def _is_something(mine: Clause, word: Token) -> bool:
    """True if a word tells what somebody is: "I'm vegan"; in Russian nothing stands before it."""
    if "\u0400" <= word.fold[0] <= "\u04ff":
        return not word.fold.endswith(("ю", "у", "юсь", "усь"))
    at = mine.tokens.index(word)
    return any(token.fold in _BEING for token in mine.tokens[max(at - 2, 0) : at])


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    least = _RUSSIAN_ROOT if "\u0400" <= one[0] <= "\u04ff" else _ROOT
    shared = min(len(one), len(other), max(least, min(len(one), len(other)) - 1))
    return shared >= least and one[:shared] == other[:shared]


def _ends_stage(former: str, piece: str) -> bool:
    """True of what is over by an event without a word of it: a birth, a degree, a job."""
    for name, state, end in _STAGES:
        event = end.search(piece) if state.search(former) and not end.search(former) else None
        if event is not None and _has_happened(piece, event, by_denial=name == _SMOKING):
            return True
    if _ANSWERED_ONCE.search(piece) or not (
        _REQUESTED.search(piece) and _OF_ANSWERS.search(former) and _OF_ANSWERS.search(piece)
    ):
        return False
    short, long = _ASKED_SHORT.search(former), _ASKED_LONG.search(former)
    return bool(
        (short and not long and _ASKED_LONG.search(piece) and not _ASKED_SHORT.search(piece))
        or (long and not short and _ASKED_SHORT.search(piece) and not _ASKED_LONG.search(piece))
    )


def _has_happened(piece: str, event: re.Match[str], *, by_denial: bool) -> bool:
    """True if a piece, folded, tells of an event of the speaker's life as news: neither denied nor another's.

    Args:
        by_denial: The event is that something is done no more.
    """
    before = piece[: event.start()]
    if kin_named(before) or _YEAR.search(piece) or _CALLED_OFF.search(piece):
        return False
    # Elsewhere nothing stands before an event but what may lead to it.
    if any("\u4e00" <= sign <= "\u9fff" for sign in event[0]) and not of_speaker(before):
        return False
    return not _is_denied(before if by_denial else piece[: event.end()])


def _is_denied(words: str) -> bool:
    return any(clause.negated not in {"", ENDED} for clause in clauses(words))
