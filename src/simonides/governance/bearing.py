"""Comparison of a claim about the user with a turn of theirs: the same, word for word, but for the grammar.

Strict by construction: all words of a clause have to be there, in order, but for articles and the like of the text's
own language; prepositions, negations and restrictions are words. What is not borne out is asked about, what is passes
for the user's word. In a language that has no tables every word counts. Pure and linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.kept import kept
from simonides.language.clauses import sentences_of, whole_cuts
from simonides.language.manner import manner
from simonides.language.pointing import points_back
from simonides.language.quoted import QUOTATION
from simonides.language.succession import changes_told
from simonides.language.synonyms import group_of
from simonides.language.tables import languages, words
from simonides.language.taken_back.orders import drops
from simonides.language.taken_back.within import words_that_stand
from simonides.language.tokens import MAX_CHARS, Shape, Token
from simonides.language.value import Value
from simonides.language.values import values
from simonides.language.words import (
    ADVERBS,
    AFFIRMING,
    ASKING_WORDS,
    ATTITUDES,
    CALLING,
    CORRECTING,
    COURTESIES,
    DEFINITE,
    EVENTS,
    FIRST_PERSON,
    FREE,
    HAN_ASKING,
    HAN_FREE,
    HAN_OPENERS,
    HAN_PERSONS,
    HAN_POINTING,
    HAN_PREFACES,
    HAN_REMEMBERING,
    HAN_REPORTS,
    HAN_SAYING,
    HAN_SAYS_NOTHING,
    HAN_SITUATING,
    HAN_SLIPS,
    HAN_STATING,
    HAN_STATING_OF_ONESELF,
    HAN_THANKING,
    HAN_WISHES,
    IMPERATIVES,
    JOINING,
    LEADS,
    LISTENERS,
    MANNERS,
    MATTERS_OF_TEXTS,
    NEGATORS,
    NO_REPORTS,
    OCCUPATIONS,
    OPENERS,
    OWNERS,
    OWNERS_ADDRESSED,
    POINTING,
    PRAISE,
    PREFACES,
    PREPOSITIONS,
    PRODUCING,
    PRONOUNS,
    RECEIVING,
    REMEMBERING,
    REPORTS,
    SAME_WORDS,
    SITUATING,
    SLIPS,
    STATING,
    STOP,
    SUBJECTS,
    SUBORDINATE,
    TAKING_BACK,
    THAT,
    UNSURE,
    USERS,
    VIEWS,
    WANTING,
    WISHES,
)
from simonides.values import dataclass

#: A turn has more clauses than these: it is a text, of which the beginning counts.
_MOST_PIECES: Final = 60
#: Words of the beginning of a clause among which its order, or its subject, stands.
_BEGINNING: Final = 5
_ATTITUDES: Final = frozenset(group_of(stem) for stem in ATTITUDES)
_LEADS: Final = frozenset(group_of(stem) for stem in LEADS)
_CALLED: Final = frozenset(group_of(stem) for stem in CALLING)
_OCCUPIED: Final = frozenset(group_of(stem) for stem in OCCUPATIONS)
#: Languages with Latin letters; of those with as many small words in a text, the first counts.
_LATIN: Final = ("en", "fr", *(code for code in languages() if code not in {"en", "fr", "ru", "zh"}))
#: Verbs that say that whoever speaks does it tell more of a language than a small word: "te" may be "té".
_OWN_VERBS: Final = {code: words("first_person", of=code) for code in _LATIN}
_USERS_IN_SPANISH: Final = frozenset({"usuario", "usuaria", "mi"})
#: Words that name somebody a second time, before a verb: al usuario le gusta, a mí me gusta.
_DOUBLING: Final = words("doubling")
_TO_SOMEBODY: Final = words("to_somebody")
_JOINTS: Final = frozenset(",，、;；") | JOINING
_DASHES: Final = frozenset("—–")
#: What stands before one as a label was judged with the speaker's own words.
_COLONS: Final = frozenset(":：")
#: Marks of how something is meant that a statement of a wish may lack, or "always" that it may leave out.
_FREE_MARKS: Final = frozenset({"want", "all"})
#: Sentences of these alone say nothing: Hi! Thanks. Ok.
_SAYS_NOTHING: Final = OPENERS | COURTESIES
#: Sentences of these and of praise say nothing.
_SMALL: Final = STOP | _SAYS_NOTHING | LISTENERS
#: Words, or Chinese signs, of what speaks of the sentence beside it.
_FEW_WORDS: Final = 5
_FEW_SIGNS: Final = 8
#: Words, or Chinese signs, that a preface of a statement has at most.
_LONGEST_PREFACE: Final = 6
#: Up to so many say in plain words that they take it back.
_MORE_WORDS: Final = 10
#: "Please translate" is an order to the assistant; "please, in French" may be about the sentence beside it.
_PLEASE: Final = COURTESIES - PRAISE
#: A question with one of these may be about the sentence beside it.
_OF_WHAT_WAS_SAID: Final = POINTING | REPORTS | MATTERS_OF_TEXTS
#: "My sister", "my own words" are no statement.
_OF_A_NAME: Final = 3
#: What was said, as a subject: c'était le correcteur.
_IT: Final = words("what_was_said")
#: Those who talk with each other.
_TALKING: Final = frozenset({"user", "we", "listener"})
#: "Please" alone asks for something now: "One ticket, please." states no wish that lasts.
_STATED_WISHES: Final = WISHES - COURTESIES
#: Who may stand for whom: the user is "they" to somebody who speaks of them, and one of "us".
_STANDS_FOR: Final = frozenset(
    {("they", "user"), ("user", "we"), ("own", "user"), ("user", "own"), ("they", "own")}
)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word that tells something.

    Attributes:
        key: Forms of a word, and words that say the same, have one.
        place: Of its token.
    """

    key: str
    place: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A clause to compare, with the persons of its pronouns, in order, and the place of the first."""

    tokens: tuple[Token, ...]
    words: tuple[_Word, ...]
    values: tuple[Value, ...]
    persons: tuple[str, ...]
    first_person: int


def bears_out(turn: str, text: str) -> bool:
    """True if the sender of a turn says, in own words, every statement of a text.

    Each statement has to be one clause of the turn, or two neighbouring ones: all words of both in their order, the
    same numbers and dates, of the same persons, with the same time and certainty.
    """
    pieces = [
        _piece(sentence[start:end])
        for sentence in (_bare(sentence) for sentence, _ in sentences_of(text))
        for start, end in whole_cuts(sentence)
    ]
    if not any(piece.words for piece in pieces):
        return False
    stretches = _stretches(words_that_stand(turn))
    return all(
        any(_says(heard, piece) for heard in stretches) for piece in pieces if piece.words or piece.values
    )


def speaks_for_the_user(text: str) -> bool:
    """True if a sentence of a text is in the first person: of what its subject is, has or does, it tells or asks."""
    return any(
        _is_in_first_person(sentence[start : start + _BEGINNING])
        or (asks and _is_in_first_person(sentence[start + 1 : start + _BEGINNING]))
        for sentence, asks in sentences_of(text[:MAX_CHARS])
        for start in _starts_of(sentence)
    )


def _starts_of(sentence: Sequence[Token]) -> Iterator[int]:
    """First words of what may be statements: at the beginning, and behind each joint, colon and "that"."""
    begins = True
    for at, token in enumerate(sentence):
        joins = token.fold in _JOINTS or token.fold in THAT or token.text in ":："
        light = token.shape is Shape.MARK or token.fold in OPENERS or token.fold in ADVERBS | SUBORDINATE
        if begins and not light:
            yield at
        begins = joins or (begins and light)


def _is_in_first_person(words: Sequence[Token]) -> bool:
    return (
        bool(words[1:])
        and words[1].text != "/"
        and not (words[0].fold in OWNERS and words[1].text == "-")
        and words[0].fold not in USERS
        and (
            words[0].fold in FIRST_PERSON
            or any(forms.get(words[0].fold) == "user" for language, forms in PRONOUNS.items() if language)
        )
    )


def undoubted(words: str) -> Iterator[Sequence[Token]]:
    """Yield the sentences of a speaker's own words that ask nothing and that nothing beside them leaves in doubt.

    What stands right beside a sentence in a few words may say whose it is, or take it back: "Her exact words.",
    "Only on Sundays.". No list of such words ends, so it has to be something that plainly does neither.
    """
    pairs = list(sentences_of(words))
    plain = [_is_plain(sentence, asks=asks) for sentence, asks in pairs]
    for place, (sentence, asks) in enumerate(pairs):
        led_up_to = place == 0 or plain[place - 1] or _is_a_no(pairs[place - 1][0])
        if not asks and led_up_to and all(plain[place + 1 : place + 2]):
            yield sentence


def takes_back(sentence: Sequence[Token], *, asks: bool) -> bool:
    """True if a few words take back the sentence before them: they deny it, call it a slip, or say who typed it.

    What goes on about the matter does not: "It is boring.", "No sugar."
    """
    words = [token for token in sentence if token.shape is not Shape.MARK]
    if points_back(sentence, asks=asks):
        return True
    if not words or _is_plain(sentence, asks=asks):
        return False
    han = "".join(token.text for token in words if token.shape is Shape.HAN)
    if han:
        return any(sign in han for sign in HAN_SLIPS)
    folds = {word.fold for word in words}
    denies = not folds.isdisjoint(NEGATORS | SUBORDINATE)
    return (
        _takes_back(words) or not folds.isdisjoint(SLIPS - NEGATORS) or (denies and folds <= STOP | NEGATORS)
    )


def governs(lead: Sequence[Token]) -> bool:
    """True if words before a claim within its sentence may deny it, or say whose it is: "He laughed, …".

    Like a sentence beside it, a few words have to be something that plainly does neither. More words may not end in
    "that", nor say that somebody says or believes something.
    """
    words = [token for token in lead if token.shape is not Shape.MARK]
    while words and words[0].fold in OPENERS | JOINING:
        words = words[1:]
    if not words or tuple(word.fold for word in words) in AFFIRMING or _tells_circumstances(words):
        return False
    if _is_in_first_person(words) and (
        any(word.fold in EVENTS for word in words) or changes_told(" ".join(word.text for word in words))
    ):
        return False  # "I moved, I live in Bath now."
    # What "and" joins is told of nobody else's mouth.
    plain = words[-1].fold in JOINING or _is_plain(words, asks=False)
    return words[-1].fold in THAT or not (plain and _claims(words))


def _tells_circumstances(words: Sequence[Token]) -> bool:
    """True if words tell when, where or why the claim behind them holds, and of nobody's view or words."""
    han = "".join(token.text for token in words if token.shape is Shape.HAN)
    if han:
        return han.startswith(HAN_SITUATING) and not any(sign in han for sign in HAN_SAYING)
    return words[0].fold in SITUATING and is_nobodys_view(words)


def is_nobodys_view(words: Sequence[Token]) -> bool:
    """True if words name no view, words or text of anybody's: "Because of my job", not "In your opinion"."""
    han = "".join(token.text for token in words if token.shape is Shape.HAN)
    return (
        {word.fold for word in words}.isdisjoint(VIEWS | REPORTS | LISTENERS | OWNERS_ADDRESSED | THAT)
        and not any(word.stem in LEADS for word in words)
        and not any(sign in han for sign in HAN_SAYING)
    )


@kept(256, longest=None)
def _stretches(words: str) -> tuple[_Piece, ...]:
    """Split off a speaker's claims: pieces of sentences neither in doubt, guessed nor somebody else's, and pairs."""
    stretches: list[_Piece] = []
    for sentence in undoubted(words):
        if not _claims(sentence) or drops(sentence):
            continue
        before: tuple[Token, ...] = ()
        if wanted := _wanted(sentence):
            stretches.append(_piece(wanted))
        for joint, piece in _pieces(_bare(sentence)):
            if joint in _COLONS or not governs(before):
                stretches.append(_piece(piece))
            if before:
                stretches.append(_piece((*before, *piece)))
            before = piece
            if len(stretches) > _MOST_PIECES:
                return tuple(stretches)
    return tuple(stretches)


def _is_plain(sentence: Sequence[Token], *, asks: bool) -> bool:
    """True if a sentence speaks for itself: a longer one, or in the first person, or thanks, or asks the listener."""
    words = [token for token in sentence if token.shape is not Shape.MARK]
    folds = {token.fold for token in words}
    han = "".join(token.text for token in words if token.shape is Shape.HAN)
    if not words or _is_small_talk(words) or _asks_to_remember(words):
        return True
    if (len(words) <= _MORE_WORDS and _takes_back(words)) or points_back(words, asks=asks):
        return False
    if len(words) > (_FEW_SIGNS if han else _FEW_WORDS):
        return True
    if (words[0].fold in _PLEASE and words[1].fold not in PREPOSITIONS) or any(
        sign in han for sign in HAN_THANKING
    ):
        return True
    if any(sign in han for sign in HAN_ASKING):
        return not any(sign in han for sign in HAN_POINTING)
    if han.startswith(HAN_STATING_OF_ONESELF) and not any(sign in han for sign in HAN_POINTING):
        return True
    if asks:
        return folds.isdisjoint(_OF_WHAT_WAS_SAID) and (
            words[0].fold in ASKING_WORDS
            or words[-1].fold in ASKING_WORDS
            or any(
                who in _TALKING for forms in PRONOUNS.values() for word, who in forms.items() if word in folds
            )
        )
    # "I don't", "I did until May", "My sister typed that" tell of the sentence beside them.
    states = not folds.isdisjoint(STATING) or any(sign in han for sign in HAN_STATING)
    return (
        states
        and words[0].fold not in NEGATORS | SUBORDINATE
        and folds.isdisjoint(_OF_WHAT_WAS_SAID)
        and not _points(words)
        and not (words[0].fold in OWNERS and len(words) <= _OF_A_NAME)
        and not folds <= STOP
        and any(_is_in_first_person(sentence[start : start + _BEGINNING]) for start in _starts_of(sentence))
    )


def _takes_back(words: Sequence[Token]) -> bool:
    """True if a few words of the first person say that what stands beside them is no claim: I joke, I read that."""
    folds = {word.fold for word in words}
    return not folds.isdisjoint(TAKING_BACK) or (not folds.isdisjoint(RECEIVING) and _points(words))


def _points(words: Sequence[Token]) -> bool:
    """True if a word of a sentence points at what was said: this; German das, where no noun stands behind it."""
    behind = (*(word.fold for word in words[1:]), "")
    return any(
        word.fold in POINTING or (word.fold in DEFINITE and (not next_ or next_ in RECEIVING | PREPOSITIONS))
        for word, next_ in zip(words, behind, strict=True)
    )


def _asks_to_remember(words: Sequence[Token]) -> bool:
    """True if a sentence orders no more than to remember what stands beside it."""
    if "".join(token.text for token in words) in HAN_REMEMBERING:
        return True
    folds = [token.fold for token in words]
    begun = next((len(asking) for asking in REMEMBERING if tuple(folds[: len(asking)]) == asking), 0)
    begun = begun or (folds[0] in {"remember", "note"})
    return begun > 0 and set(folds[begun:]) <= _SMALL | POINTING


def _is_a_no(sentence: Sequence[Token]) -> bool:
    """True of a no alone, which answers before a claim and takes it back behind it."""
    return all(token.shape is Shape.MARK or token.fold in NEGATORS for token in sentence)


def _claims(sentence: Sequence[Token]) -> bool:
    """True if a sentence says something as the speaker's own claim."""
    folds = [token.fold for token in sentence]
    han = "".join(token.text for token in sentence if token.shape is Shape.HAN)
    if any(token.text == QUOTATION for token in sentence) or any(sign in han for sign in HAN_REPORTS):
        return False
    reports = [
        place
        for place, fold in enumerate(folds)
        if fold in REPORTS and tuple(folds[place : place + 2]) not in NO_REPORTS
    ]
    if any(folds[max(place - 2, 0) : place] != ["as", "i"] for place in reports):
        return False
    unsure = UNSURE & set(folds)
    if "would" in unsure and {"like", "love", "prefer", "rather", "want"} & set(folds):
        unsure -= {"would"}
    return not unsure and not any(token.text == "may" for token in sentence)


def _bare(sentence: Sequence[Token]) -> Sequence[Token]:
    """A sentence without what leads up to it and changes nothing, a no that answers, and thanks behind it."""
    if not sentence:
        return sentence
    commas = [at for at, token in enumerate(sentence) if at and token.text in ",，"]
    if commas and _is_small_talk(sentence[commas[-1] + 1 :]):
        sentence = sentence[: commas[-1]]
    folds = [token.fold for token in sentence]
    led = next((len(one) for one in (*PREFACES, *CORRECTING) if tuple(folds[: len(one)]) == one), 0)
    han = "".join(token.text for token in sentence[:_LONGEST_PREFACE])
    led = led or next((len(one) for one in HAN_PREFACES if han.startswith(one)), 0)
    led = led or (folds[0] in NEGATORS and folds[1:2] == [","])
    behind = sentence[led + (folds[led : led + 1] == [","]) :]
    own = behind and (_begins(behind[0]) or behind[0].fold in FIRST_PERSON)
    return behind if led and own else sentence


def _wanted(sentence: Sequence[Token]) -> Sequence[Token]:
    """The order that a sentence wishes to be carried out: I want you to use tabs; nothing where it is none."""
    folds = [token.fold for token in sentence]
    led = next((len(one) for one in WANTING if tuple(folds[: len(one)]) == one), 0)
    return sentence[led:] if led and folds[led:] and folds[led] in IMPERATIVES else ()


def _is_small_talk(words: Sequence[Token]) -> bool:
    """True of words that thank, praise or greet, and say nothing else."""
    plain = [token for token in words if token.shape is not Shape.MARK]
    if len(plain) > 1 and plain[0].fold in COURTESIES & PRAISE and plain[-1].capital:
        plain = plain[:-1]  # Thanks, Bob.
    folds = {token.fold for token in plain}
    han = "".join(token.text for token in words if token.shape is Shape.HAN)
    return bool(folds) and (
        folds <= _SAYS_NOTHING
        or han in HAN_SAYS_NOTHING
        or (bool(folds & PRAISE) and folds - PRAISE <= _SMALL and folds.isdisjoint(NEGATORS))
    )


def _pieces(sentence: Sequence[Token]) -> Iterator[tuple[str, tuple[Token, ...]]]:
    """A sentence, cut where a whole clause ends and the next begins with its subject; each with the joint before it."""
    start, joint = 0, ""
    for at, token in enumerate(sentence[:-1]):
        if at <= start or not (token.text in _COLONS or token.text in _DASHES or token.fold in _JOINTS):
            continue
        before, following = sentence[start:at], sentence[at + 1]
        if (
            token.text in _COLONS
            or (token.text in _DASHES and not _names_somebody(before))
            or (token.fold in _JOINTS and _begins(following) and _is_whole(before))
        ):
            yield joint, tuple(before)
            start, joint = at + 1, token.text
    yield joint, tuple(sentence[start:])


def _begins(token: Token) -> bool:
    return token.fold in SUBJECTS or any(person.startswith(token.text) for person, _ in HAN_PERSONS)


def _is_whole(before: Sequence[Token]) -> bool:
    """True if the words before a joint are a clause of their own, or but an opener, and no circumstance of the next."""
    beginning = [token for token in before if token.shape is not Shape.MARK]
    while beginning and beginning[0].fold in OPENERS:
        beginning = beginning[1:]
    if not beginning:
        return True
    if beginning[0].fold in SUBORDINATE:
        return [token.fold for token in beginning] == ["by", "the", "way"]
    han = "".join(token.text for token in beginning)
    return (
        any(token.fold in SUBJECTS for token in beginning[:_BEGINNING])
        or beginning[0].fold in PRONOUNS[_language(before)]
        or han.startswith(tuple(person for person, _ in HAN_PERSONS))
    )


def _names_somebody(before: Sequence[Token]) -> bool:
    """True if the words before a colon may name who speaks behind it, or of what it is said."""
    return any(
        (token.shape is Shape.HAN and token.text not in HAN_OPENERS | HAN_FREE)
        or (
            _tells(token, "")
            and token.fold not in OPENERS | SUBJECTS | {"the", "as", "by"}
            and token.stem not in LEADS
        )
        for token in before
    )


def _language(words: Sequence[Token]) -> str:
    """The language of a text by its script and its small words; nothing in doubt."""
    if any("\u0400" <= token.fold[:1] <= "\u04ff" for token in words):
        return "ru"
    if any(token.shape is Shape.HAN for token in words):
        return "zh"
    counts = {
        code: sum(2 if token.fold in _OWN_VERBS[code] else _is_small(token, code) for token in words)
        for code in _LATIN
    }
    best = max(counts, key=counts.__getitem__)
    if counts[best] == 0:
        return "en" if any(token.fold in IMPERATIVES for token in words) else ""
    return best


def _is_small(token: Token, language: str) -> bool:
    """True if a token is an article, a pronoun or the like of a language. "Thé" is no "the"."""
    if language == "en" and token.text.casefold() != token.fold:
        return False
    return token.fold in FREE.get(language, ()) or token.fold in PRONOUNS.get(language, ())


def _piece(words: Sequence[Token]) -> _Piece:
    words = _named_once(_without_asking(_without_from_now_on(words)))
    taken = list(values(list(words)))
    inside = {place for start, end, _ in taken for place in range(start, end)}
    language = _language(words)
    keyed: list[_Word] = []
    persons: list[tuple[int, str]] = []
    skip = 0
    for place, token in enumerate(words):
        if place < skip or place in inside:
            continue
        following = "".join(other.text for other in words[place : place + 2])
        han = next(((sign, who) for sign, who in HAN_PERSONS if following.startswith(sign)), None)
        if token.shape is Shape.HAN and han is not None:
            persons.append((place, "listener" if han[0] in "你您" else han[1]))
            skip = place + len(han[0])
        elif token.shape is Shape.HAN:
            if token.text not in HAN_FREE:
                keyed.append(_Word(token.text, place))
        elif (who := _person(token, language)) is not None:
            persons.append((place, who))
        else:
            named = [words[at].fold for at, who in persons if who == "user"]
            # The me of "me llamo" is not who does it.
            if _is_first_person(token, language) and (not named or set(named) <= _DOUBLING):
                persons.append((place, "user"))
            if not _tells(token, language):
                continue
            key = SAME_WORDS.get(token.fold) or group_of(token.stem)
            keyed.append(_Word("name" if key in _CALLED else key, place))
    if language == "fr" and any(word.key in {"pas", "plus", "jamais", "rien"} for word in keyed):
        keyed = [word for word in keyed if word.key not in {"n", "ne"}]
    return _Piece(
        tuple(words), tuple(keyed), tuple(value for _, _, value in taken),
        tuple(who for _, who in persons), persons[0][0] if persons else -1,
    )  # fmt: skip


def _named_once(words: Sequence[Token]) -> Sequence[Token]:
    """A piece without what names the user twice: "al usuario le gusta", "a mí me gusta"."""
    folds = [token.fold for token in words]
    led = next((at for at, fold in enumerate(folds) if at and fold in _USERS_IN_SPANISH), 0)
    doubled = next((at for at in range(led + 1, min(led + 3, len(folds))) if folds[at] in _DOUBLING), 0)
    begin = led - 1 if folds[led - 1 : led] != ["la"] else led - 2
    if not led or not doubled or begin < 0 or folds[begin] not in _TO_SOMEBODY:
        return words
    return [*words[:begin], words[led], *words[led + 1 : doubled], *words[doubled + 1 :]]


def _without_from_now_on(words: Sequence[Token]) -> list[Token]:
    folds = [token.fold for token in words]
    for at in range(len(folds) - 2):
        if folds[at : at + 3] == ["from", "now", "on"]:
            return [*words[:at], *words[at + 3 :]]
    return list(words)


def _without_asking(words: Sequence[Token]) -> Sequence[Token]:
    """A piece without the order at its beginning to remember what it says: merk dir bitte, dass."""
    folds = [token.fold for token in words[: 2 * _BEGINNING]]
    for at in range(min(len(folds), _BEGINNING)):
        if at and folds[at - 1] not in OPENERS | COURTESIES and words[at - 1].shape is not Shape.MARK:
            break
        end = next(
            (at + len(asking) for asking in REMEMBERING if tuple(folds[at : at + len(asking)]) == asking), at
        )
        if end > at:
            while end < len(folds) and (folds[end] in THAT | COURTESIES or words[end].shape is Shape.MARK):
                end += 1
            return words[end:]
    return words


def _person(token: Token, language: str) -> str | None:
    if language == "ru" and token.fold.startswith("пользовател"):
        return "user"
    return PRONOUNS.get(language, {}).get(token.fold)


def _is_first_person(token: Token, language: str) -> bool:
    """True if the form of a verb says that whoever speaks does it: vivo, soy."""
    return token.fold in FIRST_PERSON and (_is_small(token, language) or _tells(token, language))


def _tells(token: Token, language: str) -> bool:
    if token.shape not in {Shape.WORD, Shape.IDENTIFIER} or token.fold in MANNERS:
        return False
    return not _is_small(token, language)


# Comparing


def _says(heard: _Piece, claim: _Piece) -> bool:
    return (
        _same_words(heard, claim)
        and _same_persons(heard, claim)
        and len(claim.values) == len(heard.values)
        and all(_equal(mine, theirs) for mine, theirs in zip(claim.values, heard.values, strict=True))
        and _same_manner(heard, claim)
    )


def _same_words(heard: _Piece, claim: _Piece) -> bool:
    """True if both have the same words in order, but for those that tell that somebody speaks, wishes or orders."""
    theirs = list(heard.words)
    orders = _orders(heard)
    at = matched = 0
    for word in claim.words:
        without = _goes_without(word, heard)
        while True:
            if at < len(theirs) and theirs[at].key == word.key:
                at, matched = at + 1, matched + 1
            elif without:
                pass
            elif at < len(theirs) and not matched and _goes_before(theirs[at], heard, orders=orders):
                at += 1
                continue
            else:
                return False
            break
    return all(_goes_behind(word, heard) for word in theirs[at:])


def _goes_without(word: _Word, heard: _Piece) -> bool:
    """True if a word of a statement about the user needs no word of theirs: who says so, and that they wish it."""
    if word.key in _LEADS:
        return True
    folds = [token.fold for token in heard.tokens]
    if word.key in _ATTITUDES:
        return bool(_STATED_WISHES & set(folds)) or _orders(heard)
    if word.key in HAN_WISHES:
        return any(token.text in HAN_WISHES for token in heard.tokens)
    present = [place for place, fold in enumerate(folds[:-1]) if fold in {"am", "suis"}]
    if word.key == "name":
        return any(heard.tokens[place + 1].capital for place in present)
    return word.key in _OCCUPIED | {"as"} and any(folds[place + 1] in {"a", "an"} for place in present)


def _goes_before(word: _Word, heard: _Piece, *, orders: bool) -> bool:
    """True if a word before all that matches only opens, wishes or orders."""
    token = heard.tokens[word.place]
    return (
        token.fold in OPENERS
        or token.fold in WISHES
        or token.text in HAN_WISHES
        or (token.fold in IMPERATIVES - PRODUCING and orders)
    )


def _goes_behind(word: _Word, heard: _Piece) -> bool:
    return heard.tokens[word.place].fold in COURTESIES


def _orders(heard: _Piece) -> bool:
    """True if a piece begins as an order does."""
    for token in [token for token in heard.tokens if token.shape is Shape.WORD][:_BEGINNING]:
        if token.fold in IMPERATIVES - COURTESIES:
            return True
        if token.fold in SUBJECTS:
            return False
    return any(token.text == "请" for token in heard.tokens[:2])


def _same_persons(heard: _Piece, claim: _Piece) -> bool:
    """True if both speak of the same persons in the same order; whom an order is from goes without saying."""
    theirs, mine = heard.persons, claim.persons
    asks = _orders(heard)
    first = min((word.place for word in heard.words), default=0)
    if len(mine) == len(theirs) + 1 and mine[0] == "user" and asks:
        mine = mine[1:]
    elif len(theirs) == len(mine) + 1 and theirs[0] in {"user", "we"} and heard.first_person < first:
        if mine or not _orders(claim):
            return False
        theirs = theirs[1:]
    return len(mine) == len(theirs) and all(
        one == other or (one, other) in (_STANDS_FOR if place else {("user", "we")})
        for place, (one, other) in enumerate(zip(mine, theirs, strict=True))
    )


def _equal(one: Value, other: Value) -> bool:
    if (
        one.kind is not other.kind
        or one.key != other.key
        or one.currency != other.currency
        or not one.agrees(other)
    ):
        return False
    if one.days:
        return all(
            _named_parts(mine) == _named_parts(theirs)
            for mine, theirs in zip(one.days, other.days, strict=False)
        )
    return (one.low, one.high) == (other.low, other.high) or bool(one.others or other.others)


def _named_parts(day: object) -> set[str]:
    return {name for name in ("year", "month", "day", "weekday", "quarter") if getattr(day, name) is not None}


def _same_manner(heard: _Piece, claim: _Piece) -> bool:
    theirs, mine = manner(heard.tokens), manner(claim.tokens)
    if theirs.time != mine.time or theirs.marks - _FREE_MARKS != mine.marks - _FREE_MARKS:
        return False
    if "all" in mine.marks and "all" not in theirs.marks:
        return False
    if "want" in mine.marks and "want" not in theirs.marks:
        return _orders(heard) or bool(_STATED_WISHES & {token.fold for token in heard.tokens})
    if "want" in mine.marks or "want" not in theirs.marks:
        return True
    return any(group_of(token.stem) in _ATTITUDES or token.text in HAN_WISHES for token in claim.tokens)
