"""Statements that tell of a change: that something is over, put off, replaced or handed on, that somebody moved.

What was said before stands beside them in the store, and its words are nearer to the question: "Where do I live?" is
answered by "I moved to Malaga", however well "I live in Tallinn" fits. The tables are in the section `changes` of each
language. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Final, NamedTuple

from simonides.domain.instant import DAY_US
from simonides.domain.kept import kept
from simonides.language.calendar.windows import window_of
from simonides.language.sentences import fold, sentences
from simonides.language.tables import as_written, worded
from simonides.language.tables import words as word_table
from simonides.language.terms import STOP_WORDS
from simonides.language.tokens import tokens
from simonides.language.words import HAN_UNSURE, NEGATORS, PERSONS, STOP

#: Longer texts tell of much, and a change of one thing among it.
_MOST_CHARS: Final = 600
_MOST_OF_SENTENCE: Final = 200
#: As they are written: "würde" leaves in doubt what "wurde" tells.
_UNSURE: Final = as_written("unsure") | as_written("wished") | as_written("wishes")
#: Who speaks, or a question that names nobody.
_HAN_SPEAKER: Final = re.compile(r"[我咱俺]|^[\W现在目前]*(?:住|在哪|哪)")
_SPEAKING: Final = frozenset({"user", "we"})
#: Letters in which forms of a word agree.
_ROOT: Final = 5
_YEAR_US: Final = 365 * DAY_US


class ChangeKind(StrEnum):
    """Change of an earlier statement that a later one tells.

    DECIDED: otherwise than before, after all.
    MOVED, EMPLOYED: of where somebody lives, and works, whatever the earlier one said.
    """

    OVER = "over"
    PUT_OFF = "put off"
    REPLACED = "replaced"
    HANDED_ON = "handed on"
    DECIDED = "decided"
    MOVED = "moved"
    EMPLOYED = "employed"


def _change_pattern(name: str) -> re.Pattern[str]:
    return worded("changes", rf"\b(?:{{{name}}})(?!\w)|{{han_{name}}}", flags=0)


_TOLD: Final[Mapping[ChangeKind, re.Pattern[str]]] = {
    change: _change_pattern(change.name.casefold()) for change in ChangeKind
}
#: Say that something is so by now, that it is new, and that it has become so.
_BY_NOW: Final = _change_pattern("by_now")
_NEW: Final = _change_pattern("new")
_BECOME: Final = _change_pattern("become")
#: Say that something is so for a while only, or up to now: "for now", "every now and then".
_FOR_A_WHILE: Final = _change_pattern("for_a_while")
#: Those behind which nouns stand in a row, and what goes on behind the last of these.
_IN_ROWS: Final = worded("changes", "{in_rows}", flags=0)
_BEHIND_NEW: Final = worded("changes", "{behind_new}", flags=0)
_HAN_WISHED: Final = worded("stages", "{han_wished}", flags=0)
#: Is of the same matter as others, and none of them: a dentist is no GP, and a work phone not the phone.
_APART: Final = _change_pattern("apart")
#: Tell of a move that is to come; it may have come since.
_TO_MOVE: Final = _change_pattern("to_move")
#: Verbs that may tell of what was and of what will be, and words by which it was.
_WITHOUT_TENSE: Final = word_table("moves_without_tense", among="clauses")
_DONE_BY_NOW: Final = word_table("done_by_now", among="clauses")
_SPEAKER: Final = worded("changes", r"(?<!\w)(?:{speaker})(?!\w)|{han_speaker}", flags=0)
OTHERS: Final = worded("changes", r"(?<!\w)(?:{others})(?!\w)|{han_others}", flags=0)
JOINS: Final = worded("changes", r"[,;:()，；：–—]|\s-\s|(?<!\w)(?:{joins})(?!\w)", flags=0)
_AND: Final = worded("changes", r"(?<!\w)(?:{and})(?!\w)", flags=0)
#: What may stand before a verb whose subject is left out, or that of the clause before it.
LIGHT: Final = worded("changes", r"(?:[\W\d]|(?<!\w)(?:{light})(?!\w)|{han_light})*", flags=0)
_KIN: Final = worded("whose", r"(?<!\w)(?:{kin})(?!\w)|{han_kin}", flags=0)
#: "我姐姐" is no more the speaker than "my sister".
_OWN_KIN: Final = worded("whose", r"(?<!\w)(?:{kin})(?!\w)|[我咱俺]?们?的?{han_kin}", flags=0)
_ASKED: Final = {
    ChangeKind.MOVED: _change_pattern("asks_place"),
    ChangeKind.EMPLOYED: _change_pattern("asks_work"),
}
#: What is named as what was so; what nobody means who tells of a thing that is handed on.
_FORMER: Final = _change_pattern("former")
_NO_THING: Final = worded("changes", r"(?:{no_thing})", flags=0)
_DETERMINER: Final = worded("changes", r"(?:{determined})", flags=0)
_HAN_HANDED: Final = worded("changes", r"{han_handed}", flags=0)
_WORD: Final = re.compile(r"\w[\w'-]*")
#: Words that name nothing.
SMALL: Final = STOP_WORDS | STOP | PERSONS.keys()
_OF_A_THING: Final = frozenset({ChangeKind.HANDED_ON, ChangeKind.REPLACED, ChangeKind.OVER})
#: Verbs of what is done with something, in which a question and what answers it differ: "written in", "rewrote".
DONE: Final = as_written("done", among="changes")
_LOOKED: Final = {ChangeKind.MOVED: "looked_place", ChangeKind.EMPLOYED: "looked_work"}


class ToldChange(NamedTuple):
    """A change, as a text tells it.

    Attributes:
        sentence: That tells of it, as it is written.
        former: What it names as what was so: "from heron to".
        thing: What is handed on or replaced, words of its clause that name neither people nor duties.
        kin: Whose it is, where it is somebody of the speaker's: sister.
        own: Whether it is the speaker's, alone or with somebody of theirs.
        planned: Whether it was to come when it was told.
        untensed: Whether it names a time and has a verb that may tell of what was and of what will be.
    """

    change: ChangeKind
    sentence: str
    former: str
    thing: str
    kin: str
    own: bool
    planned: bool = False
    untensed: bool = False


@kept(4096)
def changes_told(text: str) -> tuple[ToldChange, ...]:
    """Changes that a text tells of, none where it denies them, guesses or wishes.

    A text of more than 600 characters tells of none.
    """
    if len(text) > _MOST_CHARS:
        return ()
    folded = _lasting(text)
    changes: list[ToldChange] = []
    for start, end, marks in sentences(text):
        if "?" not in marks and "？" not in marks and end - start <= _MOST_OF_SENTENCE:
            changes += _of_sentence(text[start:end], folded[start:end])
    return tuple(changes)


class ToldAnew(NamedTuple):
    """A sentence that tells how something is by now.

    Attributes:
        sentence: As it is written.
        before: What stands before the words that say so, folded.
        new: What it says is new, a word, folded; empty where it says something else.
        become: Whether it says that it has become so, and not only that it is.
    """

    sentence: str
    before: str
    new: str
    become: bool


@kept(4096)
def told_anew(text: str) -> tuple[ToldAnew, ...]:
    """Sentences that tell how something is by now, none where they deny it, guess or wish.

    "My rent is now 845 euros." tells it, "I have been made team lead." says that it has become so. A
    text of more than 600 characters has none.
    """
    if len(text) > _MOST_CHARS:
        return ()
    folded = _lasting(text)
    anew: list[ToldAnew] = []
    for start, end, marks in sentences(text):
        sentence = folded[start:end]
        become = _BECOME.search(sentence)
        new = None if become else _NEW.search(sentence)
        cue = become or new or _BY_NOW.search(sentence)
        if cue is None or "?" in marks or "？" in marks or end - start > _MOST_OF_SENTENCE:
            continue
        before = sentence[: cue.start()]
        if not (_is_unsure(before) or {token.fold for token in tokens(sentence)} & NEGATORS):
            named = "" if new is None else _named_new(text[start:end], sentence, new)
            anew.append(ToldAnew(text[start:end], before, named, become is not None))
    return tuple(anew)


def _lasting(text: str) -> str:
    """A text, folded, with blanks for words that say that something is so for a while only."""
    return _FOR_A_WHILE.sub(lambda words: " " * len(words[0]), fold(text))


def _named_new(written: str, sentence: str, new: re.Match[str]) -> str:
    """The word for what is new; where nouns stand in a row the last of them: insurance, of "my new car insurance".

    Args:
        written: The sentence that is folded in `sentence`.
        new: Says in it that something is new.
    """
    named, end = "", new.end()
    for word in _WORD.finditer(sentence, end):
        goes_on = sentence[end : word.start()] == " " and written[word.start()].islower()
        if named and (not goes_on or word[0] in SMALL or _BEHIND_NEW.fullmatch(word[0])):
            break
        named, end = word[0], word.end()
        if not _IN_ROWS.fullmatch(new[0]) or _KIN.fullmatch(named):
            break
    return named


@kept(4096)
def kinds_apart(text: str) -> frozenset[str]:
    """Names in a text for one kind of a matter beside others, cut and folded: of "dentist", of "work phone"."""
    return frozenset(name[:_ROOT] for name in _APART.findall(fold(text)))


def _is_unsure(before: str) -> bool:
    """True if the words before a cue, folded, leave in doubt what it tells."""
    return (
        bool({token.text.casefold() for token in tokens(before)} & _UNSURE)
        or any(sign in before for sign in HAN_UNSURE)
        or _HAN_WISHED.search(before) is not None
    )


def _of_sentence(written: str, sentence: str) -> list[ToldChange]:
    cues = {change: cue for change, pattern in _TOLD.items() if (cue := pattern.search(sentence)) is not None}
    to_move, moved = _TO_MOVE.search(sentence), cues.get(ChangeKind.MOVED)
    planned = to_move is not None and (
        moved is None
        or (to_move.start() <= moved.start() < to_move.end() and window_of(written, 0) is not None)
    )
    if to_move is not None and moved is None:
        cues[ChangeKind.MOVED] = to_move
    changes: list[ToldChange] = []
    for change, cue in cues.items():
        before = sentence[: cue.start()]
        if _is_unsure(before):
            continue
        words = {token.fold for token in tokens(sentence)}
        if change is ChangeKind.OVER or not words & NEGATORS:
            former = " ".join(former[0] for former in _FORMER.finditer(sentence))
            thing = _thing(written, sentence, cue) if change in _OF_A_THING else ""
            move = change is ChangeKind.MOVED
            untensed = (
                move and not (planned or words.isdisjoint(_WITHOUT_TENSE)) and _is_dated(written, words)
            )
            changes.append(
                ToldChange(
                    change, written, former, thing, *_whose(before, cue[0]), move and planned, untensed
                )
            )
    return changes


def _is_dated(written: str, words: AbstractSet[str]) -> bool:
    """True if a sentence, of these folded words, names a time and does not say that it is over."""
    return words.isdisjoint(_DONE_BY_NOW) and window_of(written, 0) is not None


def is_to_come(change: ToldChange, said_at: int, at: int) -> bool:
    """True if a change was planned, and the time that was named for it has not begun; or none was named.

    Where the verb does not tell, "nos mudamos en enero", the nearer January is meant: in March it was, in November it
    will be.

    Args:
        said_at: When it was told, microseconds UTC.
        at: The time of the question.
    """
    if change.untensed and (next_one := _next_one(change.sentence, said_at)) is not None:
        return at < next_one
    if not change.planned:
        return False
    then, by_now = window_of(change.sentence, said_at), window_of(change.sentence, at)
    if then is None or by_now is None:
        return True
    # "In May" means the last one to who asks, and the next one to who plans.
    return at < then.start if then.end > said_at else by_now.start <= said_at


def _next_one(sentence: str, said_at: int) -> int | None:
    """The beginning of the time that a sentence names, microseconds UTC, where that was to come when it was said.

    Of one that comes every year the nearer is meant. None where it had begun.
    """
    then, later = window_of(sentence, said_at), window_of(sentence, said_at + _YEAR_US)
    if then is None or later is None or then.start > said_at:
        return None if then is None else then.start
    nearer = said_at - then.end > later.start - said_at
    return later.start if nearer and later.start > said_at else None


def tells_of_a_planned_move(text: str) -> bool:
    """True if a text tells of a move that is to come."""
    return _TO_MOVE.search(fold(text)) is not None


def _thing(written: str, sentence: str, cue: re.Match[str]) -> str:
    if any("\u4e00" <= sign <= "\u9fff" for sign in sentence):
        return " ".join(handed[0] for handed in _HAN_HANDED.finditer(sentence))
    start = max(
        (joint.end() for joints in (JOINS, _AND) for joint in joints.finditer(sentence, 0, cue.start())),
        default=0,
    )
    joint = JOINS.search(sentence, cue.end())
    things: list[str] = []
    before = ""
    for word in _WORD.finditer(sentence, start, len(sentence) if joint is None else joint.start()):
        # In German a thing has a capital as a name has, and an article before it.
        name = written[word.start()].isupper() and not _DETERMINER.fullmatch(before)
        of_cue = word.start() == cue.start() or word.end() == cue.end()
        if not (
            name or of_cue or word[0] in SMALL or LIGHT.fullmatch(word[0]) or _NO_THING.fullmatch(word[0])
        ):
            things.append(word[0])
        before = word[0]
    return " ".join(things)


def _whose(before: str, cue: str) -> tuple[str, bool]:
    """The owner of a change: the relation to the speaker that its clause names, and whether it is the speaker's own.

    A clause that leaves its subject out has that of the one before it: "We got the keys and moved in".
    """
    clauses = JOINS.split(before)
    clause = next((one for one in reversed(clauses) if not LIGHT.fullmatch(one)), "")
    *others, last = _AND.split(clause)
    # "Tom and I moved", "I and Tom", "We packed and moved", but not "I stayed and Tom moved".
    alone = others and not (
        LIGHT.fullmatch(last) or _SPEAKER.search(last) or _SPEAKER.fullmatch(others[-1].strip())
    )
    subject = last if alone else clause
    kin = _KIN.search(subject)
    own = _SPEAKER.search(_OWN_KIN.sub(" ", subject) + cue) or not (subject or OTHERS.search(cue))
    return "" if kin is None else kin[0], bool(own)


def of_speaker(before: str) -> bool:
    """True if what follows some words, folded, is the speaker's own: they name the speaker, or nobody."""
    return _whose(before, "")[1]


def without_cues(text: str, change: ChangeKind) -> str:
    """A text, folded, without the words that tell of a change."""
    return _TOLD[change].sub(" ", fold(text))


def before_cue(text: str, change: ChangeKind) -> str:
    """The part of a text, folded, before the first words that tell of a change; nothing where none do."""
    folded = fold(text)
    cue = _TOLD[change].search(folded)
    return "" if cue is None else folded[: cue.start()]


def kin_named(text: str) -> str:
    """The first relation of the speaker that a text names, folded; empty where none is."""
    kin = _KIN.search(fold(text))
    return "" if kin is None else kin[0]


def kind_asked(question: str) -> ChangeKind | None:
    """The change that a question about where somebody lives, or works, has to know of; None for other questions.

    Args:
        question: Folded, as of `sentences.fold`.
    """
    return next((change for change, pattern in _ASKED.items() if pattern.search(question)), None)


def asks_of_speaker(question: str) -> bool:
    """True unless a question is about somebody else by a pronoun or, in Chinese, by any name or word.

    Args:
        question: Folded, as of `sentences.fold`.
    """
    if any("\u4e00" <= sign <= "\u9fff" for sign in question):
        return _HAN_SPEAKER.search(question) is not None
    persons = {PERSONS[token.fold] for token in tokens(question) if token.fold in PERSONS}
    return not persons or not persons.isdisjoint(_SPEAKING)


def asked_kin(question: str) -> str:
    """The relation of whom a question is about, as it is worded: sister; empty where it names none."""
    kin = _KIN.search(question)
    return "" if kin is None else kin[0]


def words_of(change: ChangeKind) -> tuple[str, ...]:
    """Words by which a move, or another job, is told, in all languages."""
    return tuple(sorted(as_written(_LOOKED[change], among="changes")))
