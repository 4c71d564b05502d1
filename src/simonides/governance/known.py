"""Excerpt of the memory that a candidate would join, for the policy."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from simonides.domain.item import Item, Validation
from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.provenance import Origin
from simonides.domain.scope import Scope
from simonides.domain.text import CJK
from simonides.governance.bearing import bears_out
from simonides.governance.confusables import CLEAN, FOLD
from simonides.governance.speakers import speaker
from simonides.governance.views import decoded, unhidden
from simonides.language.aliases import COMMON, Aliases
from simonides.language.clauses import clauses, sentences_of, whole_cuts
from simonides.language.common_words import COMMON as COMMON_WORDS
from simonides.language.contradiction import Difference, difference, differences, overrules
from simonides.language.quoted import plain
from simonides.language.sameness import exchanged, read
from simonides.language.spoken import own_words, sentences
from simonides.language.tables import as_written
from simonides.language.tokens import Shape, Token, folded, stemmed, tokens
from simonides.language.value import Value
from simonides.language.values import values
from simonides.language.words import (
    JOINING,
    NEGATORS,
    OPENERS,
    PERSONS,
    STOP,
    SUBORDINATE,
    THAT,
    UNSURE,
    VERBS,
)
from simonides.values import dataclass

#: Share of a proposal's words, and of its pairs of neighbouring words, that the item has which it repeats.
_SAME_WORDS: Final = 0.85
_SAME_PAIRS: Final = 0.7
#: An item that is so much longer says something else: what a proposal leaves out may be what matters.
_SAME_LENGTH: Final = 0.6
#: Share of a text's runs of four words that were put into the prompt before.
_ECHOED: Final = 0.75
_RUN: Final = 4
#: One word comes back by chance.
_LEAST_WORDS: Final = 3
#: Words of a name; of one that is run together, by their capitals.
_NAME: Final = later(r"[^\W\d_](?:(?![A-ZА-ЯЁ])[^\W\d_])*")
_CJK: Final = later(f"[{CJK}]")
_JOINTS: Final = frozenset(",，、;；") | JOINING
_PARTING: Final = _JOINTS | frozenset("()[]{}（）【】–—")
_IN_BRACKETS: Final = later(r"\([^()]*\)|\[[^][]*\]|\{[^{}]*\}|（[^（）]*）|【[^【】]*】")
#: Words that a sentence says at least, to be more than a call: "Thanks!" was not forgotten with what stood beside it.
_LEAST_TOLD: Final = 2
_BEFORE_A_SENTENCE: Final = ("", *".!?:;")
#: Words with a capital in a row, which may name somebody.
_NAMED: Final = later(r"\b[A-ZÀ-ÞА-ЯЁ][^\W\d_]+(?: [A-ZÀ-ÞА-ЯЁ][^\W\d_]+)*")
#: Stems of words by which somebody says that he repeats something, or how it came about.
_LEADS: Final = frozenset(map(stemmed, as_written("repeating")))
#: Stems of words for who speaks.
_SPEAKER: Final = frozenset(map(stemmed, as_written("speakers")))
#: Stems of words for who is spoken to; Chinese ones by their characters.
_ADDRESSED: Final = frozenset(
    {stemmed(word) for word, person in PERSONS.items() if person in {"user", "we"}} | set("我你您们咱")
)
_LATIN: Final = later("[A-Za-z]")
#: Signs that stand for blanks: the_spare_key.
_JOINED: Final = later(r"(?<=\w)[_+~|]+(?=\w)|_+")
_FROM_USER: Final = frozenset({Origin.USER_SAID, Origin.USER_CONFIRMED})


@dataclass(frozen=True, slots=True)
class KnownMemories:
    """Memories that bear on one candidate.

    Attributes:
        settled: Verified and pinned items of the visible scope that are about the same.
        near: Items of the visible scope that may say the same; looked for where a model proposes.
        forgotten: Items that may say the same and were forgotten, rejected or corrected.
        told_by: Their ids, each beside a turn of the user that it was made of.
        recalled: Texts that were put into a prompt of this session.
        heard: What the user said in this session, each turn as an episode, that may be taken at its word.
        aliases: Further names of what the candidate names.
    """

    settled: tuple[Item, ...] = ()
    near: tuple[Item, ...] = ()
    forgotten: tuple[Item, ...] = ()
    told_by: tuple[tuple[str, Item], ...] = ()
    recalled: tuple[str, ...] = ()
    heard: tuple[Item, ...] = ()
    aliases: Aliases = COMMON


NOTHING_KNOWN: Final = KnownMemories()


def contradicted(item: Item, known: KnownMemories, at: int) -> tuple[Item, Difference] | None:
    """The settled item that a candidate contradicts, and in what; None where it contradicts none.

    What is no longer true, or true at another time, is not contradicted.
    """
    for settled in known.settled:
        if settled.id == item.id or _apart_in_time(settled, item, at):
            continue
        texts = known.aliases.together(settled.content, item.content)
        of_user = of_the_user(texts[0], settled.scope), of_the_user(texts[1], item.scope)
        if differs := difference(*texts) or (difference(*of_user) if of_user != texts else None):
            return settled, differs
    return None


def of_the_user(text: str, scope: Scope) -> str:
    """A text in which whoever a scope belongs to is "the user", where that is called by name."""
    owner = dict(scope.parts).get("user", "")
    if owner and "@" in text:
        text = re.sub(rf"(?<![\w@.])@(?={re.escape(owner)}(?![\w@.]))", "", text, flags=re.IGNORECASE)
    names = frozenset(
        stemmed(folded(part))
        for part in _NAME.findall(owner.lower() if owner.isupper() else owner)
        if len(part) > 1
    )
    if names:
        text = _NAMED.sub(lambda match: _renamed(match[0], names, begins=_begins_there(match)), text)
    called = bool(owner) and owner in text and _is_telling(owner)
    return re.sub(_as_written(owner), _user(owner), text) if called else text


def _as_written(owner: str) -> str:
    return re.escape(owner) if _CJK.search(owner) else rf"(?<![\w.@:/-]){re.escape(owner)}(?![\w@]|[.-]\w)"


def _is_telling(owner: str) -> bool:
    """True if what a scope calls its user means nobody and nothing else where it stands in a text as it is."""
    letters = any(map(str.isalpha, owner))
    return letters and len(owner) > 1 and folded(owner) not in COMMON_WORDS | STOP | VERBS


def _begins_there(match: re.Match[str]) -> bool:
    return match.string[: match.start()].rstrip()[-1:] in _BEFORE_A_SENTENCE


def _renamed(name: str, names: frozenset[str], *, begins: bool) -> str:
    """Words that are all names of the same one, as "the user"; others as they are.

    Args:
        begins: They begin a sentence, where every word has a capital.
    """
    first, _, rest = name.partition(" ")
    if begins and rest and folded(first) in (STOP | SUBORDINATE) - VERBS:  # "Since Ana …"
        return f"{first} {_renamed(rest, names, begins=False)}"
    own = {stemmed(folded(part)) for part in _NAME.findall(name)}
    common = begins and folded(name) in COMMON_WORDS | STOP | VERBS
    return name if common or not own <= names else _user(name)


def _user(name: str) -> str:
    if _CJK.search(name):
        return "用户"
    return "пользователь" if "\u0400" <= name[0] <= "\u04ff" else "user"


def _apart_in_time(settled: Item, item: Item, at: int) -> bool:
    if settled.valid_until is not None and settled.valid_until <= (item.valid_from or at):
        return True
    return (
        settled.valid_from is not None
        and item.valid_until is not None
        and item.valid_until <= settled.valid_from
    )


def repeated(text: str, known: KnownMemories, source_id: str | None = None) -> Item | None:
    """The near item that says already all that a text says: in nearly the same words and order, no value another.

    Args:
        source_id: The turn that the text was taken from. In what else was taken from it "I" and "the user" are one.
    """
    text = known.aliases.unified(text)
    own = _content(text)
    for item in known.near if own else ():
        other = known.aliases.unified(item.content)
        theirs = _content(other)
        if not (_says(own, theirs) or (_one_turn(item, source_id) and _alike(own, theirs))):
            continue
        if not _adds_values(text, other) and not differences(text, other) and not _turned(text, other):
            return item
    return None


def _turned(text: str, other: str) -> bool:
    """True if other signs of code, or what two things have exchanged, make something else of the same words."""
    mine, theirs = read(text), read(other)
    return mine.signs != theirs.signs or exchanged(mine, theirs)


def _says(own: Sequence[str], theirs: Sequence[str]) -> bool:
    return (
        len(own) >= _SAME_LENGTH * len(theirs)
        and _share(own, theirs) >= _SAME_WORDS
        and _share(_runs(own, 2), _runs(theirs, 2)) >= _SAME_PAIRS
    )


def restates(text: str, other: str) -> bool:
    """True if another text says all that a text does, whoever speaks.

    "Noted: you ship on Fridays" says nothing more than "I ship on Fridays": no word that the other lacks, nearly the
    same order, no value another.
    """
    mine, theirs = words_of(text), words_of(other)
    if not mine or not set(mine) <= set(theirs) or not _says(mine, theirs) or _adds_values(text, other):
        return False
    kinds = {one.kind for one in differences(text, other)}
    # "We decided that …" tells of the past how it came about, not what it says.
    return not kinds or (
        kinds == {"manner"} and any(token.stem in _LEADS for token in (*tokens(text), *tokens(other)))
    )


@kept(8192, longest=None)
def words_of(text: str) -> tuple[str, ...]:
    """Stems of the words that carry something, in their order, without who says it to whom."""
    return tuple(word for word in _content(text) if word not in _SPEAKER and word not in _ADDRESSED)


def _one_turn(item: Item, source_id: str | None) -> bool:
    return source_id is not None and item.provenance.source_id == source_id


def _alike(own: Sequence[str], theirs: Sequence[str]) -> bool:
    """True if two texts say the same of the speaker, each all that the other does."""
    mine, other = ([word for word in words if word not in _SPEAKER] for words in (own, theirs))
    return bool(mine) and _says(mine, other) and _says(other, mine)


def echoes(text: str, earlier: Sequence[str]) -> bool:
    """True if a text is put together from what stood in the prompt, and says nothing else.

    A text that differs from what it repeats in a value, a name or a denial is none.
    """
    own = _words(text)
    if len(own) < _LEAST_WORDS or not earlier:
        return False
    size = min(_RUN, len(own))
    runs = _runs(own, size)
    others = [(_runs(_words(other), size), other) for other in earlier]
    everything = {run for theirs, _ in others for run in theirs}
    if _share(runs, everything) < _ECHOED:
        return False
    nearest = max(others, key=lambda pair: len(set(runs) & set(pair[0])))[1]
    return not differences(text, nearest) and not _adds_values(text, "\n".join((nearest, *earlier)))


def borne_out(text: str, known: KnownMemories) -> bool:
    """True if the user said in this session what a text says of them: in one turn, and in their own words.

    And has said nothing else of it since.
    """
    turns = [turn for turn in known.heard if turn.origin in _FROM_USER]
    return any(bears_out(turn.content, text) and not _is_overruled(turn, text, turns) for turn in turns)


def _is_overruled(turn: Item, text: str, turns: Sequence[Item]) -> bool:
    """True if the same speaker says later something else of what a text takes from a turn."""
    own = [sentence for sentence, _ in sentences(own_words(turn.content)) if bears_out(sentence, text)]
    return any(
        overrules(sentence, later.content)
        for later in turns
        if _is_later(later, turn) and speaker(later) == speaker(turn)
        for sentence in own
    )


def _is_later(turn: Item, other: Item) -> bool:
    """True if a turn was said after another: in one session its place tells, whatever a clock said."""
    one_session = turn.session_id is not None and turn.session_id == other.session_id
    if one_session and turn.scope == other.scope and turn.ordinal is not None and other.ordinal is not None:
        return turn.ordinal > other.ordinal
    return (turn.said_at, turn.ordinal or 0) > (other.said_at, other.ordinal or 0)


def forgotten(
    texts: Iterable[str],
    scope: Scope,
    known: KnownMemories,
    said_at: int | None = None,
    source_id: str | None = None,
) -> Item | None:
    """The item that was forgotten, or corrected, and that a clause of texts says again; not what the user said since.

    Args:
        texts: As they are to be stored.
        scope: Where they are to stand; whoever that belongs to may be called by name.
        said_at: When the user said just that, where it is known.
        source_id: The turn in which they said it.
    """
    gone_since = [
        gone
        for gone in known.forgotten
        if said_at is None or said_at <= _gone_at(gone) or source_id in _made_of(gone, known)
    ]
    if not gone_since:
        return None
    read = dict.fromkeys(reading for text in texts for reading in readings(text))
    clauses = [clause for text in read for clause in (text, *clauses_of(of_the_user(text, scope)))]
    for gone in gone_since:
        once = [*dict.fromkeys(reading for one in _told_by(gone) for reading in readings(one))]
        made_of = _made_of(gone, known)
        heard = (turn for turn in known.heard if turn.said_at > _gone_at(gone) and turn.id not in made_of)
        since = replace(known, heard=tuple(heard))
        for clause in clauses:
            repeats = [one for one in once if restates(clause, one)]
            if repeats and not borne_out(clause, since) and not _said_anew(repeats[0], gone, since):
                return gone
    return None


def _made_of(gone: Item, known: KnownMemories) -> set[str]:
    """Ids of what an item was made of: that was said before the item was let go of, whatever a clock said."""
    named = {gone.provenance.source_id} if gone.provenance.source_id else set[str]()
    return named | {turn.id for id_, turn in known.told_by if id_ == gone.id}


def _said_anew(text: str, gone: Item, since: KnownMemories) -> bool:
    """True if the user said once more what a text of an item was made of, which a model may have put otherwise."""
    turns = [turn for id_, turn in since.told_by if id_ == gone.id]
    pieces = [sentence for turn in turns for sentence, _ in sentences(own_words(turn.content))]
    told_by = tellers(text, pieces)
    return bool(told_by) and all(borne_out(text, since) for text in told_by)


def readings(text: str) -> Iterator[str]:
    """Yield a text, how it is read, how it looks and what it encodes, each where it differs."""
    read: dict[str, None] = {}
    for one in dict.fromkeys((text, *unhidden(text))):
        clean = unicodedata.normalize("NFKC", plain(one)).translate(CLEAN)
        seen = clean.translate(FOLD) if not clean.isascii() and _LATIN.search(clean) else clean
        read |= dict.fromkeys((one, clean, seen, _JOINED.sub(" ", seen), *decoded(clean)))
    yield from read


def _told_by(gone: Item) -> list[str]:
    """Texts of an item that is gone: the whole, and each sentence that what took its place cannot still say."""
    whole = of_the_user(gone.content, gone.scope)
    if gone.validation is not Validation.RETRACTED:
        return [whole]
    each = (" ".join(token.text for token in sentence) for sentence, _ in sentences_of(whole))
    return [whole, *(one for one in each if len(words_of(one)) >= _LEAST_TOLD)]


def clauses_of(text: str) -> Iterator[str]:
    """Every clause of a text, and what stands between commas, brackets and joining words: what is joined was two."""
    parts = dict.fromkeys((text, _IN_BRACKETS.sub(" ", text), *text.splitlines()))
    for sentence in (sentence for part in parts for sentence, _ in sentences_of(part)):
        joints = [at for at, token in enumerate(sentence) if token.fold in _PARTING]
        cuts = [*whole_cuts(sentence), *pairwise((-1, *joints, len(sentence)))]
        cuts += [
            (behind, end)
            for start, end in cuts
            if (behind := _behind_what_leads_on(sentence, max(start, 0), end)) is not None
        ]
        for start, end in cuts:
            yield " ".join(
                token.text for token in sentence[max(start, 0) : end] if token.fold not in _PARTING
            )


def tellers(text: str, pieces: Sequence[str]) -> list[str]:
    """Parts of sentences that a text was made of, in whatever words: clauses with most of its words, else all.

    "The user's home is in Graz." was made of the first clause of "I live in Graz and work for Acme.".
    """
    words = set(words_of(text))
    shared = {
        clause: len(words.intersection(words_of(clause))) for piece in pieces for clause in clauses_of(piece)
    }
    most = max(shared.values(), default=0)
    return [clause for clause, count in shared.items() if count == most] if most else list(pieces)


def _behind_what_leads_on(sentence: Sequence[Token], start: int, end: int) -> int | None:
    """Place behind "since" or "she said that", where a statement begins; None where there is none, or it is denied."""
    for place in range(start, end):
        fold = sentence[place].fold
        if fold in NEGATORS or fold in UNSURE:
            return None
        begins = all(token.fold in _PARTING or token.fold in OPENERS for token in sentence[start:place])
        if fold in THAT or (begins and fold in SUBORDINATE):
            return place + 1
    return None


def _agree(one: Value, other: Value) -> bool:
    return one.comparable(other) and one.agrees(other)


def _adds_values(text: str, other: str) -> bool:
    """True if a text gives a number, date or name that another lacks."""
    mine, theirs = clauses(text), clauses(other)
    known = [value for clause in theirs for value in clause.values]
    names = {
        part
        for clause in theirs
        for part in (*(p for name in clause.names for p in name.parts), *clause.topic)
    }
    return any(
        not any(_agree(value, given) for given in known) for clause in mine for value in clause.values
    ) or any(not {*name.parts} <= names | _LEADS for clause in mine for name in clause.names)


def _content(text: str) -> list[str]:
    """Stems of the words that carry something, in their order; two is 2."""
    words = tokens(text)
    taken = {start: (end, value) for start, end, value in values(words)}
    terms: list[str] = []
    at = 0
    while at < len(words):
        if at in taken:
            end, value = taken[at]
            terms.append(f"{value.kind} {value.low:g} {value.days}")
            at = end
            continue
        if _counts(words[at]):
            terms.append(words[at].stem)
        at += 1
    return terms


def _counts(token: Token) -> bool:
    return token.shape is not Shape.MARK and token.fold not in STOP and token.stem not in _LEADS


def _words(text: str) -> list[str]:
    return [token.fold for token in tokens(text) if token.shape is not Shape.MARK]


def _runs(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(words[place : place + size]) for place in range(len(words) - size + 1)]


def _share(own: Sequence[object], theirs: Sequence[object] | set[tuple[str, ...]]) -> float:
    """Share of the first that is among the second; 1 of nothing."""
    known = set(theirs)
    return sum(one in known for one in own) / len(own) if own else 1.0


def _gone_at(gone: Item) -> int:
    """Instant since when an item is no more: what another took the place of ended when that was said.

    Not what ended before it was said: the clock was set back.
    """
    if gone.superseded_by is None or gone.valid_until is None or gone.valid_until < gone.said_at:
        return gone.updated_at
    return min(gone.updated_at, gone.valid_until)
