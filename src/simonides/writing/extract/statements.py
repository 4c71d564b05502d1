"""From turns to statements: whose words count, what is a clause, and which form it has."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from simonides.domain.item import Item
from simonides.domain.pattern import later
from simonides.domain.provenance import Origin
from simonides.domain.taxonomy import TAXONOMY
from simonides.domain.text import CJK, normalised
from simonides.governance.bearing import governs, is_nobodys_view, takes_back
from simonides.governance.speakers import sender, speaker
from simonides.language.clauses import begins_correction, clauses, stands_for_another, without_no
from simonides.language.contradiction import replacement
from simonides.language.corrected_name import names_what_it_corrects
from simonides.language.framing import confirms
from simonides.language.guess import language_of
from simonides.language.pointing import points_back
from simonides.language.put_right import (
    behind_wrong,
    brings_up,
    put_right,
    right_by_name,
    says_what_was_meant,
)
from simonides.language.quoted import QUOTATION
from simonides.language.spoken import own_words, sentences
from simonides.language.tables import words
from simonides.language.taken_back.turns import takes_back as takes_back_before
from simonides.language.taken_back.turns import unsays
from simonides.language.taken_back.within import words_that_stand
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.topics import with_its_topic
from simonides.language.words import (
    COURTESIES,
    JOINING,
    NEGATORS,
    OPENERS,
    PRAISE,
    QUESTION_MARKS,
    STOP,
    VERBS,
    is_past_form,
)
from simonides.values import dataclass
from simonides.writing.extract.language import Language, StatementForm, codes, wordings
from simonides.writing.extract.statement import Statement

_SURE: Final = 0.8
_HEDGED: Final = 0.7
#: May not come to be where its sentence names a condition; a habit holds with one: "I get hives if I eat nuts."
_PLANNED: Final = frozenset({"event", "decision", "todo"})
#: Asked to be remembered.
_ASKED: Final = 0.9
_ASKED_IMPORTANCE: Final = 0.7
_LONGEST: Final = 400
_LONGEST_JOINED: Final = 240
_LEAST_WORDS: Final = 2
#: Said by one alone.
_ALONE: Final = words("alone", among="clauses")
#: "Ah, and I …" is nobody's name.
_CALLS: Final = words("calls", among="clauses")
#: What somebody says at this length was written for something else: an article, a transcript, a brief.
_DOCUMENT_CHARS: Final = 2500
#: Of one turn; who says more at once hands over a document.
_MOST_OF_A_TURN: Final = 24
_USER: Final = frozenset({Origin.USER_SAID, Origin.USER_CONFIRMED})
#: Type and words of a statement.
_Key: TypeAlias = tuple[str, str]

#: A no that is a sentence of its own.
_NO: Final = words("no", among="clauses")
_AFTER_OPENER: Final = (",", ":", "，", "：")
_SMILEY: Final = re.compile(r"\s[:;=]-?[()]+\s*$")
#: None is the mouth of ":)".
_BRACKET: Final = re.compile(r"(?<![:;=^-])[()（）]")
_WORDS: Final = later(rf"[{CJK}]|[^\W{CJK}]+")


@dataclass(frozen=True, slots=True)
class _Found:
    """A statement before it is attributed.

    Attributes:
        corrects: What stands before it says so, or may: "No, I live in Linz" can also answer a question.
        announced: The words before it do not mean anything else: "Actually, …".
        instead_of: Statement whose place it takes, as its speaker put it right; empty where it is none.
        of: Person for whom the pronoun that it begins with stands, as named before; empty where none does.
    """

    text: str
    type: str
    asked: bool = False
    hedged: bool = False
    corrects: bool = False
    announced: bool = False
    instead_of: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True)
class _Last:
    """The one thing that a speaker stated in the turn before, with nothing asked since.

    Attributes:
        answered: Something else was said since, of which a few words may be as well.
    """

    speaker: str
    piece: _Found
    answered: bool = False


@dataclass(frozen=True, slots=True)
class _Before:
    """Statements of a speaker in the turn before, and the answers since.

    Attributes:
        stated: Keys of new statements, with their words.
    """

    stated: list[tuple[_Key, str]]
    answers: list[str]

    def taken_back(self, text: str) -> list[_Key]:
        """Keys of what the next turn of the same speaker takes back."""
        return [key for key, stated in self.stated if takes_back_before(stated, self.answers, text)]


def statements(turns: Sequence[Item], of: Collection[str] | None = None) -> tuple[Statement, ...]:
    """Clear statements of the users among the speakers, each in their own words.

    Taken from what they say themselves and claim: not from memories that were injected, quotations, code,
    logs, pasted texts, questions, conditions, guesses, jokes or what others said; nor from anybody but
    users: what an assistant says is its suggestion until a person takes it up.

    Args:
        turns: Episodes in their order. Those that are not injectable say nothing.
        of: Ids of the turns whose statements are given, all without it. Others were read before: these may put right
            what they say.

    Returns:
        In the order in which they were said last; what several turns say is one statement with all of them as its
        sources.
    """
    conversation = _Conversation()
    for turn in turns:
        conversation.hear(turn)
    every = conversation.kept.values()
    return tuple(every) if of is None else tuple(_said_in(every, of))


class _Conversation:
    """Statements kept of the turns heard so far, and what the next turn may be of.

    Attributes:
        kept: In the order in which they were said last.
    """

    def __init__(self) -> None:
        self.kept: dict[_Key, Statement] = {}
        self._speaker_of: dict[_Key, str] = {}
        self._before: dict[str, _Before] = {}
        self._last: _Last | None = None
        #: A "No" may be of something that was asked or brought up since.
        self._questioned = False

    def hear(self, turn: Item) -> None:
        """Keep what a turn states, and drop what it takes back."""
        who = speaker(turn)
        of_user = turn.origin in _USER
        if of_user and who in self._before:
            self._take_back(who, turn.content)
        for other in self._before.values():
            other.answers.append(turn.content)
        if not (of_user and turn.injectable):
            self._hear_answer(turn.content)
            return
        pieces = self._stated(who, turn.content)
        self._questioned = False
        self._last = _Last(who, pieces[0]) if len(pieces) == 1 else None
        self._before[who] = _Before([], [])
        for one in pieces:
            self._keep(one, turn, who)

    def _take_back(self, who: str, text: str) -> None:
        for key in self._before.pop(who).taken_back(text):
            if len(self.kept[key].source_ids) == 1:
                del self.kept[key]
        for key in [key for key in self.kept if self._speaker_of[key] == who]:
            if unsays(_words_of(self.kept[key]), text):
                del self.kept[key]

    def _hear_answer(self, text: str) -> None:
        """Note what stands between two turns of users, of which a "No" behind it may be."""
        if any(mark in text for mark in QUESTION_MARKS):
            self._last, self._questioned = None, True
        elif self._last is not None:
            answered = self._last.answered or brings_up(self._last.piece.text, text)
            self._last = replace(self._last, answered=answered)
            self._questioned = self._questioned or answered

    def _stated(self, who: str, text: str) -> list[_Found]:
        """Statements of a turn, or the one before as it puts it right."""
        rest = behind_wrong(text)
        pieces = _statements_of(rest)
        answers_no = len(pieces) == 1 and not self._questioned and without_no(text) != text
        if len(pieces) <= 1 and (right := self._right_by_name(who, text)):
            return [right]
        last = self._last if self._last is not None and self._last.speaker == who else None
        if last is not None and len(pieces) == 1 and says_what_was_meant(pieces[0].text):
            # "Je voulais dire Lille." reads like a wish.
            pieces = _put_right(last, text) or pieces
        elif pieces and (rest != text or answers_no):
            return [replace(pieces[0], announced=True, corrects=True), *pieces[1:]]
        return pieces if pieces or last is None else _put_right(last, text)

    def _right_by_name(self, who: str, text: str) -> _Found | None:
        """The one statement of a speaker of which a turn denies a part by name, as it puts that right."""
        if not names_what_it_corrects(text):
            return None
        stated = [
            (key[0], _words_of(self.kept[key]))
            for key, speaker in self._speaker_of.items()
            if speaker == who and key in self.kept
        ]
        righted = [
            _Found(right, type_, corrects=True, instead_of=former)
            for type_, former in stated
            if (right := right_by_name(former, text)) is not None
        ]
        return righted[0] if len(righted) == 1 else None

    def _keep(self, piece: _Found, turn: Item, who: str) -> None:
        statement = _attributed(piece, turn, sender(turn))
        key = _key(statement)
        known = self.kept.get(key)
        if known is None:
            self._before[who].stated.append((key, piece.text))
            self.kept[key], self._speaker_of[key] = statement, who
        elif turn.id not in known.source_ids:
            # Said again it is the last word, also behind what was said otherwise in between.
            del self.kept[key]
            self.kept[key] = replace(statement, source_ids=(*known.source_ids, turn.id))


def _words_of(statement: Statement) -> str:
    """Words of a statement without the name of who made it."""
    return statement.content.removeprefix("".join(f"{name}: " for name in statement.entities))


def _said_in(every: Iterable[Statement], turns: Collection[str]) -> Iterator[Statement]:
    """Those that some turns make, without the others that said the same before."""
    for statement in every:
        ids = tuple(id_ for id_ in statement.source_ids if id_ in turns)
        if ids:
            yield replace(statement, source_ids=ids)


def _key(statement: Statement) -> _Key:
    return statement.type, normalised(statement.content).casefold()


def _put_right(last: _Last, text: str) -> list[_Found]:
    """The statement just made, with what is put right in the place of another: "No, it's Linz."; none otherwise."""
    rest, former = behind_wrong(text), last.piece
    # "Let me correct that: …" hands on nothing.
    words = text if text != rest == own_words(rest) else own_words(text)
    right = put_right(former.text, words, by_name=last.answered)
    if right is None:
        if last.answered:
            return []
        instead = replacement(former.text, words, next_to=True) if stands_for_another(text) else None
        if instead is None or former.text.count(instead.words[0]) != 1:
            return []
        right = former.text.replace(*instead.words)
    return [replace(former, text=right, corrects=True, instead_of=former.text)]


def _attributed(piece: _Found, turn: Item, name: str) -> Statement:
    importance = TAXONOMY[piece.type].importance
    what = "a correction" if piece.corrects else f"{'an' if piece.type[0] in 'aei' else 'a'} {piece.type}"
    return Statement(
        content=_by(name, piece.text),
        type=piece.type,
        entities=(name,) if name else (),
        confidence=_HEDGED if piece.hedged else _ASKED if piece.asked else _SURE,
        importance=max(importance, _ASKED_IMPORTANCE) if piece.asked else importance,
        why_store=f"{name or 'the user'} {'asked to remember it' if piece.asked else f'stated {what}'}",
        source_ids=(turn.id,),
        event_at=turn.event_at,
        corrects=piece.announced,
        instead_of=_by(name, piece.instead_of) if piece.instead_of else "",
    )


def _by(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text


def _statements_of(text: str) -> list[_Found]:
    """Statements of a turn."""
    pieces: list[_Found] = []
    words = own_words(text)
    if len(words) > _DOCUMENT_CHARS:
        return pieces
    of_turn = language_of(words)
    in_order = list(sentences(words))
    # A joke takes back all that stands before it; who read only the rest would not hear it.
    if not any(_spoken(sentence, of_turn).takes_back.search(sentence) for sentence, _ in in_order):
        in_order = list(sentences(words_that_stand(text)))
    mocking = False
    for place, (sentence, is_question) in enumerate(in_order):
        if len(sentence) > 4 * _LONGEST:
            continue
        spoken = _spoken(sentence, of_turn)
        if spoken.takes_back.search(sentence):
            pieces.clear()
            continue
        mocking = mocking or _is_in(spoken.sarcasm, sentence)
        if mocking or spoken.joke.search(sentence):
            continue
        if not _left_in_doubt(in_order, place):
            before = in_order[place - 1][0] if place else ""
            pieces += _of_sentence(sentence, spoken, asked_for=is_question, before=before)
        if len(pieces) >= _MOST_OF_A_TURN:
            break
    return pieces[:_MOST_OF_A_TURN]


def _left_in_doubt(in_order: Sequence[tuple[str, bool]], place: int) -> bool:
    """True if a sentence right beside the one at a place says whose it is, or may take it back."""
    return any(
        points_back(tokens(one), asks=asks) for one, asks in in_order[max(place - 1, 0) : place]
    ) or any(
        takes_back(tokens(one), asks=asks) and not confirms(one)
        for one, asks in in_order[place + 1 : place + 2]
    )


def _spoken(sentence: str, turn: str | None) -> Language:
    """The language of a sentence, or where it does not tell that of its turn, or English."""
    code = language_of(sentence) or turn
    return wordings(code if code in codes() else "en")


def _is_in(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is not None and pattern.search(text) is not None


def _of_sentence(sentence: str, language: Language, *, asked_for: bool, before: str = "") -> Iterator[_Found]:
    """Yield the statements of a sentence: clauses with a form, each with what is added to it.

    What stands before a request states by itself: "I moved to Leeds, what should I see?". So does its reason.

    Args:
        before: The sentence before it.
    """
    if language.wishes is not None and language.wishes.match(sentence):
        asked_for = False
    request = _request(sentence, language)
    if request is None:
        yield from _of_stated(sentence, language, asked_for=asked_for, before=before)
        return
    head, rest = sentence[: request[0]], sentence[request[1] :]
    stated = list(_of_stated(head, language, asked_for=False, before=before)) if head else []
    yield from stated
    reason = language.reason.match(rest) if language.reason is not None else None
    why: list[_Found] = []
    if reason is not None:
        led = f"{before} {head} {reason[0]}"
        why = list(_of_stated(rest[reason.end() :], language, asked_for=False, before=led))
    if why:
        yield from why
    elif stated:
        yield from _of_stated(rest, language, asked_for=asked_for, before=f"{before} {head}")
    else:
        yield from _of_stated(sentence, language, asked_for=asked_for, before=before)


def _request(sentence: str, language: Language) -> tuple[int, int] | None:
    """End of what stands before the first thing that a sentence asks for or orders, and its start behind the joint."""
    if language.requests is None or language.joints is None:
        return None
    body, _ = _without_openers(sentence, 0, len(sentence), language)
    if language.requests.match(sentence, body):
        return 0, 0
    joints = language.joints.finditer(sentence, body)
    return next((joint.span() for joint in joints if language.requests.match(sentence, joint.end())), None)


def _of_stated(sentence: str, language: Language, *, asked_for: bool, before: str = "") -> Iterator[_Found]:
    """Yield the statements of a sentence, or of a piece of one that stands by itself."""
    sentence = sentence if asked_for else with_its_topic(sentence)
    led_up = _led_up(sentence, language)
    # "Comme je l'ai dit," hands on nothing.
    unsaid = language.unsaid.search(sentence, led_up)
    if unsaid or QUOTATION in sentence or _ends_in_a_no(sentence):
        return
    sentence = sentence if language.verb_last is None else _with_verb_second(sentence, language)
    stated = sentence if language.inverting is None or asked_for else _in_order(sentence, language.inverting)
    # "Por cierto," leads up to what follows, and is no circumstance of it.
    led = None if asked_for or led_up else language.circumstance.match(stated)
    if led is not None and is_nobodys_view(tokens(led[0])):
        pieces = _under_circumstances(sentence, stated, led.end(), language)
        yield from pieces or _of_clauses(sentence, language, asked_for=False, before=before)
    else:
        yield from _of_clauses(stated, language, asked_for=asked_for, before=before)


def _led_up(sentence: str, language: Language) -> int:
    """End of words that lead up to a sentence and are set apart from it, "By the way,"; 0 where none do."""
    opener = language.openers.match(sentence)
    return opener.end() if opener is not None and opener[0].rstrip()[-1:] in _AFTER_OPENER else 0


def _under_circumstances(sentence: str, in_order: str, led: int, language: Language) -> list[_Found]:
    """Statements of a sentence that begins with when or why the first of them holds, which stays with it.

    Args:
        in_order: The sentence with its subject before its verb; of the same length.
        led: Where that beginning ends.
    """
    pieces = list(_of_clauses(in_order[led:], language, asked_for=False))
    if not pieces:
        return []
    wording = pieces[0].text.removesuffix(language.full_stop)
    end = led + len(wording)
    if in_order[led:end].casefold() != wording.casefold():
        return []
    text = f"{sentence[0].upper()}{sentence[1:end]}{language.full_stop}"
    return [replace(pieces[0], text=text), *pieces[1:]]


def _of_clauses(sentence: str, language: Language, *, asked_for: bool, before: str = "") -> Iterator[_Found]:
    parts = list(_clauses(sentence, language))
    parts = _told_beside(sentence, parts, language) if asked_for else parts
    pending: tuple[int, int, _Found] | None = None
    subject: int | None = None
    told_to = 0
    last = parts[-1][1] if parts else 0
    for start, end in parts:
        begins = start
        body, opened = _without_openers(sentence, start, end, language)
        whole = _form(sentence[body:last], language, whole=True)
        stop = end if whole is None else last
        # "Actually" may be a clause of its own.
        opened = opened if pending else sentence[:body]
        piece = _classified(sentence[body:stop], language, opened, whole)
        if piece is not None and pending is None and subject is not None:
            # "dan and i split up": the first of two has no capital, and the second a verb that fits one.
            piece, begins = _of_both(piece, sentence, (subject, begins, stop), language)
        if piece is None and body > start and pending is None:
            # "No dairy for me.", "Everyone on my team is remote.": what opens others is a part of it.
            piece = _classified(sentence[start:end], language, "", None)
        if piece is None and pending is None and subject is not None:
            # "My wife and I are moving": the subject was cut in two.
            piece = _classified(sentence[subject:end], language, "", None)
            begins = start if piece is None else subject
        if piece is None and pending is None:
            piece = _with_subject(sentence, (start, body, end), language, before)
        if piece is not None and language.dependent.match(piece.text):
            if pending is None and told_to == 0 and begins > 0 and not language.asks.match(sentence):
                # "Priya gave us two more weeks for Kestrel, the new deadline is 13 March."
                first, _ = _without_openers(sentence, 0, end, language)
                piece = replace(piece, text=sentence[first:stop])
                begins = first
            else:
                piece = None
        if piece is not None and _is_governed(sentence, (told_to, begins, end), language):
            piece = None
        subject = body if piece is None and pending is None else None
        if piece is not None:
            told_to = stop
            if pending is not None and pending[2].of:
                pending = (pending[0], stop, pending[2])  # "Keisha, she's my oldest friend, we met at uni."
                continue
            if pending is not None:
                yield from _finished(sentence, pending, language)
            pending = (stop - len(piece.text), stop, piece)
            if whole is not None:
                break
        elif pending is not None:
            clause = sentence[body:end]
            if (
                language.asks.match(clause)
                or language.addressed.search(clause)
                or end - pending[0] > _LONGEST_JOINED
            ):
                yield from _finished(sentence, pending, language)
                pending = None
            else:
                pending = (pending[0], end, pending[2])
    if pending is not None:
        yield from _finished(sentence, pending, language)


def _of_both(
    piece: _Found, sentence: str, places: tuple[int, int, int], language: Language
) -> tuple[_Found, int]:
    """A statement with somebody whose name stands before it, joined by an "and", and where it begins.

    Args:
        places: Where the clause before the statement begins, where the statement does, and where it ends.
    """
    first, begins, stop = places
    before = tokens(sentence[first:begins])
    if len(before) != 2 or before[1].fold not in JOINING or not _may_be_a_name(before[0]):
        return piece, begins
    if any(word.fold in _ALONE for word in tokens(sentence[begins:stop])[:2]):
        return piece, begins
    whole = _classified(sentence[first:stop], language, "", None)
    if whole is None or not whole.text.casefold().startswith(before[0].text.casefold()):
        whole = replace(piece, text=sentence[first:stop])
    return whole, first


def _may_be_a_name(word: Token) -> bool:
    return (
        word.shape is Shape.WORD
        and word.fold not in VERBS | COURTESIES | OPENERS | PRAISE | STOP | _CALLS
        and (word.capital or not is_past_form(word))
    )


def _told_beside(
    sentence: str, parts: Sequence[tuple[int, int]], language: Language
) -> list[tuple[int, int]]:
    """The clauses of a question that ask nothing: before it, and "…, since I'm vegan?" behind."""
    first = next((n for n, (start, _) in enumerate(parts) if language.asks.match(sentence, start)), 0)
    if (aside := language.aside) is None:
        return [*parts[:first]]
    return [
        *parts[:first],
        *(part for part in parts[first:] if part[0] > 0 and aside.match(sentence, part[0])),
    ]


def _with_subject(
    sentence: str, places: tuple[int, int, int], language: Language, before: str
) -> _Found | None:
    """Statement of a clause that leaves out its subject, or has a pronoun for the one person named before it.

    Args:
        places: Where the clause begins, where its words behind what opens it do, and where it ends.
        before: The sentence before its own.
    """
    start, body, end = places
    clause = sentence[body:end]
    # "My daughter is three. Allergic to nuts.", "Tom visits us. Vegan since 2010.": who is meant was said before.
    greeted, _ = _without_openers(before, 0, len(before), language)
    for subject, pattern in language.dropped if start == 0 and not _WORDS.search(before, greeted) else ():
        if pattern.match(clause) and (piece := _classified(f"{subject}{clause}", language, "", None)):
            return replace(piece, text=clause)
    pronoun = language.pronoun.match(clause) if language.pronoun is not None else None
    if pronoun is None or language.person is None:
        return None
    led = f"{before} {sentence[:start]}"
    persons = {
        match["person"]
        for match in language.person.finditer(f"{led}{sentence[start:end]}")
        if match.end() <= len(led)
    }
    if len(persons) != 1:
        return None
    piece = _classified(f"{language.stand_in}{clause[pronoun.end() :]}", language, "", None)
    return None if piece is None else replace(piece, text=clause, of=persons.pop())


def _ends_in_a_no(sentence: str) -> bool:
    """True if a no at the end of a sentence takes back what stands before it: "I like tea, but no."."""
    spoken = tokens(sentence)
    words = [token for token in spoken if token.shape is not Shape.MARK]
    before = spoken[-2:-1]
    joined = any(token.shape is Shape.MARK or token.fold in JOINING for token in before)
    return len(words) > 1 and joined and spoken[-1].fold in NEGATORS | _NO


def _in_order(sentence: str, inverting: re.Pattern[str]) -> str:
    """A sentence whose subject stands before its verb: of "Eigentlich heiße ich …", "Eigentlich ich heiße …"."""
    match = inverting.match(sentence)
    return f"{match[1]}{match[3]} {match[2]}{sentence[match.end() :]}" if match else sentence


def _with_verb_second(sentence: str, language: Language) -> str:
    """A sentence whose verb stands behind its subject: of "Merk dir, dass ich hier wohne", "… ich wohne hier"."""
    body, _ = _without_openers(sentence, 0, len(sentence), language)
    remember = language.remember.match(sentence, body)
    if remember is None or language.verb_last is None:
        return sentence
    last = language.verb_last.match(sentence, remember.end())
    if last is None:
        return sentence
    reordered = f"{last['subject']} {last['verb']} {last['rest']}"
    return f"{sentence[: last.start()]}{reordered}{sentence[last.end() :]}"


def _clauses(sentence: str, language: Language) -> Iterator[tuple[int, int]]:
    start = joint = 0
    led_up = _led_up(sentence, language)
    for between in language.parts.finditer(sentence):
        if between.start() < joint:
            continue
        body, _ = _without_openers(sentence, start, len(sentence), language)
        jointly = language.company.match(sentence, body)
        joint = jointly.end() if jointly else 0
        if between.start() < joint:
            continue  # "My wife and I": what is said is said of both.
        if between.start() > max(start, led_up):
            yield start, between.start()
        start = between.end()
    if start < len(sentence):
        yield start, len(sentence)


def _without_openers(sentence: str, start: int, end: int, language: Language) -> tuple[int, str]:
    """Start of what a clause says, and the words before that."""
    body = start
    while (opener := language.openers.match(sentence, body, end)) and opener.end() > body:
        body = opener.end()
    return body, sentence[start:body]


def _is_governed(sentence: str, places: tuple[int, int, int], language: Language) -> bool:
    """True if what stands in a sentence before a clause may say that it is somebody else's, or no claim.

    Args:
        places: Where those words begin, where the clause does, and where it ends.
    """
    led, start, end = places
    while led < start and not sentence[led].isalnum():
        led += 1
    # "Comme je l'ai dit," is the speaker's own, and points to nobody else.
    apart = min(start, max(led, _led_up(sentence, language)))
    if any(points_back(tokens(sentence[at:to]), asks=False) for at, to in ((apart, start), (start, end))):
        return True  # "As my aunt puts it".
    if sentence[led:start].rstrip()[-1:] in {":", "："}:
        return False  # Whose label that is was judged with the speaker's own words.
    body, _ = _without_openers(sentence, led, start, language)
    return governs(tokens(sentence[body:start]))


def _holds_what_is_governed(clause: str, language: Language) -> bool:
    """True if a clause tells of a statement in it that somebody believes or denies it: "My boss is sure that I …"."""
    for led in () if language.inner is None else language.inner.finditer(clause, 1):
        rest = clause[led.end() :]
        own = led.lastgroup is not None or _form(rest, language) or _form(rest.partition(",")[0], language)
        if own and governs(tokens(clause[: led.end()])):
            return True
    return False


def _classified(clause: str, language: Language, opened: str, form: StatementForm | None) -> _Found | None:
    """Statement of a clause, if it has a form or is asked to be remembered."""
    hedged = bool(language.hedge.search(opened + clause))
    form = form or _form(clause, language)
    if form is not None:
        announced = begins_correction(opened + clause)
        corrects = announced or bool(language.corrects.match(opened))
        return _Found(clause, form.type, hedged=hedged, corrects=corrects, announced=announced)
    remember = language.remember.match(clause)
    if remember is None:
        return None
    rest = clause[remember.end() :]
    body, _ = _without_openers(rest, 0, len(rest), language)
    rest = rest[body:]
    form = _form(rest, language)
    if form is not None:
        return _Found(rest, form.type, asked=True, hedged=hedged)
    if language.no_memory.match(rest) or language.asks.match(rest):
        return None
    return _Found(rest, "fact", asked=True, hedged=hedged)


def _form(clause: str, language: Language, *, whole: bool = False) -> StatementForm | None:
    return language.form_of(clause, whole=whole) if len(clause) <= _LONGEST else None


def _finished(sentence: str, pending: tuple[int, int, _Found], language: Language) -> Iterator[_Found]:
    """A statement as a sentence of its own."""
    start, end, piece = pending
    text = _SMILEY.sub("", _with_its_aside(sentence, start, end))
    text = language.tails.sub("", text.strip()).strip(" ,;:–—-\t\n")
    if len(_WORDS.findall(text)) < _LEAST_WORDS or _holds_what_is_governed(text, language):
        return
    text = f"{piece.of}, {text[0].lower()}{text[1:]}" if piece.of else text
    # "Actually, I like coffee, too" adds to what was said, and puts nothing in its place.
    announced = piece.announced and not any(clause.adds for clause in clauses(sentence[start:end]))
    for one, type_ in _each_told(text, piece.type, language):
        stop = "" if one.endswith(language.full_stop) else language.full_stop  # "Ich nehme Variante B."
        hedged = piece.hedged or (type_ in _PLANNED and _is_in(language.conditional, text))
        content = f"{one[0].upper()}{one[1:]}{stop}"
        yield replace(piece, text=content, type=type_, announced=announced, hedged=hedged)


def _with_its_aside(sentence: str, start: int, end: int) -> str:
    """Words of a sentence, with all of an aside in brackets that was cut in two, or without the end of one before."""
    opened = 0
    for bracket in _BRACKET.finditer(sentence, start):
        at = bracket.start()
        if at >= end and (opened == 0 or at - start > _LONGEST_JOINED):
            break
        opened += 1 if bracket[0] in "(（" else -1
        if opened < 0:
            return sentence[start:at]
        if opened == 0 and at >= end:
            return sentence[start : at + 1]
    # Of one that nothing closes as well.
    first = _BRACKET.search(sentence, start, end)
    return sentence[start : first.start()] if opened and first else sentence[start:end]


def _each_told(text: str, type_: str, language: Language) -> list[tuple[str, str]]:
    """What is told of one subject, each with the subject, and its type: one may change while the other holds.

    So it is with what is told of two subjects: "I'm vegetarian and Tom hates mushrooms."
    """
    both = language.beside.match(text)
    if (
        both is not None
        and not language.company.match(text)
        and (form := _form(both["told"], language)) is not None
    ):
        rest, other = both["rest"], _form(both["rest"], language)
        return [
            *_each_told(both["told"], form.type, language),
            (rest, "fact" if other is None else other.type),
        ]
    shared = language.sharing.match(text) if language.sharing is not None else None
    if shared is not None:
        between = " " if " " in text else ""
        parts = (shared["told"], f"{shared['subject']}{between}{shared['rest']}")
        forms = [_form(part, language) for part in parts]
        if None not in forms:
            kind, rest = (form.type for form in forms if form is not None)
            return [(parts[0], kind), *_each_told(parts[1], rest, language)]
    return [(text, type_)]
