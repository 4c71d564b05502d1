"""Turns that take back what their speaker said in the turn before: "Forget that.", "Sorry, wrong window.".

What names it reaches further back: "By the way, I don't live in Graz.", "What I said about Graz was a joke."

In doubt nothing is taken back: "That's wrong" may be about the answer, "Forget it" about what was offered in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.clauses import sentences_of
from simonides.language.tables import section, worded
from simonides.language.tables import words as words_of
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import COURTESIES, FIRST_PERSON, NEGATORS, OPENERS, PRAISE, PRONOUNS, STOP
from simonides.values import dataclass

#: Of a turn that takes back; what is longer says something of its own.
_LONGEST: Final = 240
_LONGEST_CLAUSE: Final = 100
#: Longer answers say something, whatever they acknowledge.
_LONGEST_ANSWER: Final = 400
#: Words that only lead up to it, or trail behind it; of a row of more nothing is known.
_MOST_AROUND: Final = 8
#: An answer of so few words acknowledges where all of them are such: "That's great."
_FEW_WORDS: Final = 4
_LITTLE: Final = PRAISE | COURTESIES | OPENERS | STOP
_HAN_BLANK: Final = later(rf"(?<=[{CJK}]) (?=[{CJK}])")
#: Words of whoever speaks: pronouns, and forms of verbs that need none.
_OWN: Final = FIRST_PERSON | {
    word for forms in PRONOUNS.values() for word, who in forms.items() if who == "user"
}
_DENYING: Final = NEGATORS | words_of("denying_of_owners")
#: Say that what was so is so no more: nobody takes anything back by that.
_ENDED: Final = words_of("ended", among="taken_back")
#: Say nothing of what they stand beside: "übrigens", "really".
_BESIDE: Final = words_of("beside", among="taken_back")
_RUSSIAN_I: Final = re.compile("[а-я]+(?:ю|у|юсь|усь)")
_HAN_NOT: Final = frozenset("不没")
#: Signs of a denial that name nothing: "其实我不住那儿".
_HAN_LITTLE: Final = frozenset("我不没也又是了的啊呀吧呢哦其实根本真并那这儿里在")


def takes_back(former: str, answers: Sequence[str], text: str) -> bool:
    """True if a turn takes back what its speaker said in the turn before.

    Said outright ("I was joking", "wrong window", "I don't live in Graz") that holds whatever was answered; what only
    points ("That's not true.", "Forget that.") counts where nothing was said between the two but that it was heard.

    Args:
        former: The turn before, or a statement of it.
        answers: Turns of others between the two.
    """
    if len(text) > _LONGEST:
        return False
    read = _read(text)
    if read.outright or (read.statement and _denies(read.statement, former)):
        return True
    points = read.points and all(_denies(clause, former) for clause in read.besides)
    return (points or read.dismisses) and all(map(acknowledges, answers))


def unsays(former: str, text: str) -> bool:
    """True if a turn takes back, by name, what its speaker said any time before, or all of it.

    Args:
        former: The former turn, or a statement of it.
    """
    if len(text) > _LONGEST:
        return False
    read = _read(text)
    if read.everything:
        return True
    claims = _claims(former) if read.about or read.denying else ()
    return any(_is_of(about, claim) for about in read.about for claim in claims) or any(
        _denies(clause, claim, by_name=True) for clause in read.denying for claim in claims
    )


def retracts(former: str, text: str) -> bool:
    """True if a turn takes back, outright and by name, what its speaker said in whatever conversation.

    "What I said about my dog was a joke.", "Forget that I have a dog.", "That was a joke, I don't have a dog." A denial
    alone does not: weeks later "I don't have a dog." tells what is so by now.

    Args:
        former: A statement of theirs.
    """
    if len(text) > _LONGEST:
        return False
    read = _read(text)
    claims = _claims(former) if read.about or read.denying else ()
    return any(_is_of(about, claim) for about in read.about for claim in claims) or any(
        _denies(clause, claim, by_name=True)
        for clause in read.denying
        if read.outright or drops(clause)
        for claim in claims
    )


def names_what_it_retracts(text: str) -> bool:
    """True if a turn may take back something by name, whenever that was said."""
    if len(text) > _LONGEST:
        return False
    read = _read(text)
    return bool(read.about) or any(read.outright or drops(clause) for clause in read.denying)


@dataclass(frozen=True, slots=True)
class _TakeBack:
    """A turn as far as it may take something back.

    Attributes:
        statement: Its first clause that says something.
        outright: It says so whatever was answered.
        points: Its first clause points at what was said.
        besides: Clauses behind that which say something else: they may put it right, or add to it.
        dismisses: It does nothing but dismiss that.
        everything: It takes back all that was ever said.
        about: What it names as what was not so, or is to be forgotten.
        denying: Clauses that may deny what was said before; none that says that something has ended.
    """

    statement: Sequence[Token]
    outright: bool
    points: bool
    besides: Sequence[Sequence[Token]]
    dismisses: bool
    everything: bool
    about: Sequence[str]
    denying: Sequence[Sequence[Token]]


@kept(512)
def _read(text: str) -> _TakeBack:
    sentences = list(sentences_of(text))
    clauses = [clause for sentence, asks in sentences if not asks for clause in _clauses(sentence)]
    telling = [clause for clause in clauses if _tells(clause)]
    points = bool(telling) and _is(_POINTING, telling[0])
    outright = bool(telling) and (
        any(_is(_OUTRIGHT, some) for some in (telling[0], sentences[0][0]))
        or (points and any(_is(_OUTRIGHT, clause) for clause in telling[1:2]))
    )
    dismissed = [_is(_DISMISSING, clause) for clause in clauses]
    only = all(done or _only_leads(clause) for done, clause in zip(dismissed, clauses, strict=True))
    asks_nothing = not any(asks for _, asks in sentences)
    return _TakeBack(
        statement=telling[0] if telling else (),
        outright=outright,
        points=points,
        besides=[clause for clause in telling[1:] if not (_is(_POINTING, clause) or _is(_OUTRIGHT, clause))],
        dismisses=any(dismissed) and only and asks_nothing,
        everything=any(_is(_EVERYTHING, sentence) for sentence, asks in sentences if not asks),
        about=[
            about
            for sentence, asks in sentences
            if not asks
            for about in map(_about, (sentence, *_clauses(sentence)))
            if about
        ],
        denying=[clause for clause in clauses if _may_deny(clause)],
    )


def _about(sentence: Sequence[Token]) -> str:
    """What a sentence says was a joke or a lie: of "What I said about my dog was a lie", "my dog"."""
    for wording in _led(_wording(sentence)):
        if match := _ABOUT.match(wording):
            return str(next(filter(None, match.groups()), ""))
    return ""


def _is_of(about: str, claim: str) -> bool:
    """True if all words for something are said in a claim."""
    words = tokens(about)
    if _PAY.fullmatch(about) and _PAID.search(_wording(tokens(claim))):
        return True
    if han := {sign for token in words if token.shape is Shape.HAN for sign in token.text} - _HAN_LITTLE:
        return han <= set(claim)
    stems = {token.stem for token in words if token.fold not in STOP | NEGATORS | _OWN | _BESIDE}
    return bool(stems) and stems <= {token.stem for token in tokens(claim)}


def _may_deny(clause: Sequence[Token]) -> bool:
    words = {token.fold for token in clause}
    han = "".join(token.text for token in clause if token.shape is Shape.HAN)
    if not words.isdisjoint(_ENDED) or any(ended in han for ended in _ENDED):
        return False
    return _has_denial(words, han) or _DROPPING.match(_led(_wording(clause))[-1]) is not None


def _has_denial(words: AbstractSet[str], han: str) -> bool:
    return not words.isdisjoint(_DENYING) or not _HAN_NOT.isdisjoint(han)


@kept(512)
def _claims(text: str) -> tuple[str, ...]:
    """Sentences of a text that claim something, and deny nothing."""
    claims: list[str] = []
    for sentence, asks in sentences_of(text):
        han = "".join(token.text for token in sentence if token.shape is Shape.HAN)
        if not asks and not _has_denial({token.fold for token in sentence}, han):
            claims.append(" ".join(token.text for token in sentence))
    return tuple(claims)


def drops(sentence: Sequence[Token]) -> bool:
    """True if a sentence orders to forget what it goes on to say: "Please forget that I'm a nurse"."""
    return _DROPPING.match(_led(_wording(sentence))[-1]) is not None


@kept(512)
def acknowledges(answer: str) -> bool:
    """True if an answer says no more than that what was said was heard; it may offer help, but ask nothing else."""
    if len(answer) > _LONGEST_ANSWER:
        return False
    sentences = list(sentences_of(answer))
    if not sentences:
        return True
    known = [_ACKNOWLEDGING.search(_wording(sentence)) is not None for sentence, _ in sentences]
    if sentences[-1][1]:
        return known[-1]
    words = [token for sentence, _ in sentences for token in sentence if token.shape is not Shape.MARK]
    return any(known) or (len(words) <= _FEW_WORDS and all(word.fold in _LITTLE for word in words))


def _clauses(sentence: Sequence[Token]) -> Iterator[list[Token]]:
    """Pieces of a sentence between its marks."""
    piece: list[Token] = []
    for token in sentence:
        if token.shape is not Shape.MARK:
            piece.append(token)
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def _wording(words: Sequence[Token]) -> str:
    """Folded words between single blanks, Chinese ones without any."""
    folds = " ".join(word.fold for word in words if word.shape is not Shape.MARK)
    return _HAN_BLANK.sub("", folds)


def _tells(clause: Sequence[Token]) -> bool:
    return _is(_OUTRIGHT, clause) or _is(_POINTING, clause) or not _only_leads(clause)


def _only_leads(clause: Sequence[Token]) -> bool:
    return "" in _led(_wording(clause))


def _led(wording: str) -> list[str]:
    """A wording with less and less of the words that only lead up to something: "no wait actually …"."""
    wordings = [wording]
    while wording and len(wordings) <= _MOST_AROUND and (lead := _LEAD.match(wording)):
        wording = wording[lead.end() :]
        wordings.append(wording)
    return wordings


def _is(pattern: re.Pattern[str], clause: Sequence[Token]) -> bool:
    """True if a clause is of a pattern, but for what stands around it."""
    whole = _wording(clause)
    for wording in _led(whole) if len(whole) <= _LONGEST_CLAUSE else ():
        rest = wording
        for _ in range(_MOST_AROUND):
            if pattern.fullmatch(rest):
                return True
            trail = _TRAIL.search(rest)
            if trail is None:
                break
            rest = rest[: trail.start()]
    return False


def _denies(clause: Sequence[Token], former: str, *, by_name: bool = False) -> bool:
    """True if a clause denies what its speaker said, in the words of it ("I don't live there"), or has it forgotten.

    Args:
        by_name: A name alone is enough ("I'm not Bob."), and something has to be named.
    """
    han = "".join(token.text for token in clause if token.shape is Shape.HAN)
    if han:
        signs = set(han) - _HAN_LITTLE
        return "我" in han and not _HAN_NOT.isdisjoint(han) and bool(signs) and signs <= set(former)
    wording = _led(_wording(clause))[-1]
    drops = _DROPPING.match(wording)
    words = clause[len(clause) - len((wording[drops.end() :] if drops else wording).split()) :]
    before = clause[: len(clause) - len(words)]
    denied = any(word.fold in _DENYING for word in words) or (
        before[-1:] and before[-1].fold in NEGATORS and words[:1] and words[0].fold in FIRST_PERSON
    )  # no vivo en Graz
    of_oneself = any(word.fold in _OWN or _RUSSIAN_I.fullmatch(word.fold) for word in words)
    own = {token.stem for token in tokens(former)}
    told_of = [word for word in words if word.fold not in STOP | NEGATORS | _BESIDE | _OWN - FIRST_PERSON]
    named = bool(told_of) if by_name else any(not word.capital for word in told_of)
    return bool(drops or (denied and of_oneself)) and named and all(word.stem in own for word in told_of)


def _any(kind: str) -> re.Pattern[str]:
    """One pattern of all of a kind, in every language."""
    fragments = [some[kind] for some in section("taken_back") if kind in some]
    patterns = [one for kinds in fragments for one in ([kinds] if isinstance(kinds, str) else kinds)]
    return worded("taken_back", "|".join(f"(?:{pattern})" for pattern in patterns), flags=0)


_OUTRIGHT: Final = later(lambda: _any("outright").pattern)
_POINTING: Final = later(lambda: _any("pointing").pattern)
_DISMISSING: Final = later(lambda: _any("dismissing").pattern)
_DROPPING: Final = later(lambda: rf"(?:{_any('dropping').pattern})(?: |$)")
_EVERYTHING: Final = later(lambda: _any("everything").pattern)
_ABOUT: Final = later(lambda: rf"(?:{_any('about').pattern})$")
_PAY: Final = later(lambda: _any("pay").pattern)
_PAID: Final = later(lambda: rf"(?:^|(?<= ))(?:{_any('paid').pattern})")
_ACKNOWLEDGING: Final = later(lambda: _any("acknowledging").pattern)
_LEAD: Final = later(lambda: rf"(?:{_any('around').pattern})(?: |$|(?<=[{CJK}]))")
_TRAIL: Final = later(lambda: rf"(?:^| |(?<=[{CJK}]))(?:{_any('around').pattern})$")
