"""Names in statements, and of what each is the value."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import partial
from typing import Final

from simonides.domain.pattern import later
from simonides.language import tables
from simonides.language.common_words import COMMON
from simonides.language.tokens import Shape, Token
from simonides.language.words import (
    ADDING,
    BEHIND_NE,
    COPULAS,
    HAN_LIGHT,
    HAN_NAMING,
    HAN_WORKING,
    LEADING,
    LIGHT,
    NAMING,
    NEGATORS,
    PERSONS,
    PREPOSITIONS,
    SELDOM,
    STATES,
    STOP,
    UNSURE,
)
from simonides.values import dataclass

_words: Final = partial(tables.words, among="clauses")
_LONGEST_PLACE: Final = 6
_SHORTEST_NAME: Final = 3
_NO_TOPIC: Final = STOP | LIGHT | ADDING | PERSONS.keys() | NEGATORS | SELDOM | COPULAS
#: Written without its accent it were an article.
_NO_ARTICLE: Final = tables.as_written("no_articles", among="clauses")
NO_NAME: Final = STOP | PERSONS.keys() | NEGATORS | UNSURE | ADDING | COPULAS
LOCATING: Final = _words("locating")
_USING: Final = _words("using")
_USING_FOR: Final = _words("using_for")
_OURS: Final = (_words("before_nouns") - _words("indefinite")) | _words("ours")
_ONE_IN_USE: Final = tables.phrases("one_in_use")
_HAN_ONE_IN_USE: Final = tuple[str, ...](tables.han("one_in_use"))
_HAN_BEFORE_IN: Final = frozenset("现正实存")
#: What somebody is behind where they are it: 在阿里当会计.
_HAN_PROFESSION: Final = later(tables.han("profession"))
_HAN_USING: Final = tuple[str, ...](tables.han("using"))
_HAN_USING_FOR: Final = tuple[str, ...](tables.han("using_for"))
_HAN_IS: Final = str(tables.han("is"))
_DASHES: Final = frozenset("—–-")
_INDEFINITE: Final = _words("indefinite")
#: Subjects behind their verb: jetzt wohnen wir in Graz.
_INVERTED: Final = _words("inverted")
_OF: Final = _words("of")


@dataclass(frozen=True, slots=True)
class ClauseName:
    """A proper name or an identifier.

    Attributes:
        parts: Stems of its words.
        words: As it stands in the text.
        role: Of what it is the value, where one name at a time can be (`place`, `employer`, `is` …); empty otherwise.
        initial: Its only word begins the sentence, and may have its capital from that.
    """

    parts: tuple[str, ...]
    words: str
    role: str = ""
    initial: bool = False

    def agrees(self, other: ClauseName) -> bool:
        """True if both may name the same: Ben and Ben Miller, NYC and New York City, Postgres and PostgreSQL."""
        mine, theirs = set(self.parts), set(other.parts)
        if mine <= theirs or theirs <= mine:
            return True
        one, another = "".join(self.parts), "".join(other.parts)
        if one.startswith(another) or another.startswith(one):
            return min(len(one), len(another)) >= 2
        return any(
            len(short) == 1 and len(long) > 1 and short[0] == "".join(part[0] for part in long)
            for short, long in ((self.parts, other.parts), (other.parts, self.parts))
        )


def is_topical(token: Token) -> bool:
    """True if a word may tell what a statement is about."""
    return len(token.fold) > 1 and (token.fold not in _NO_TOPIC or token.text.casefold() in _NO_ARTICLE)


def is_word(token: Token) -> bool:
    """True if a token is no mark."""
    return token.shape is not Shape.MARK


def begins_with_signs(sentence: Sequence[Token], at: int, words: Sequence[str]) -> bool:
    """True if one of some Chinese words stands at a place."""
    if sentence[at].shape is not Shape.HAN:
        return False
    following = "".join(token.text for token in sentence[at : at + 4])
    return following.startswith(tuple(words))


def names_of_clause(
    sentence: Sequence[Token], places: Sequence[int], start: int
) -> tuple[tuple[ClauseName, ...], set[int], set[int]]:
    """The names of a clause in order, the places that they take up, and those of the verbs that give them a role."""
    names: list[ClauseName] = []
    used: set[int] = set()
    givers: set[int] = set()
    free = set(places)
    for at in places:
        if at in used:
            continue
        token = sentence[at]
        if token.shape is Shape.HAN:
            names += _han_names(sentence, at, free, used)
            continue
        if not _is_name(sentence, at):
            if (role := _written_small(sentence, at, start, free)) is not None:
                used.add(at)
                givers.add(role[1])
                names.append(ClauseName(parts=(token.stem,), words=token.text, role=role[0]))
            continue
        end = at + 1
        while end in free and _is_name(sentence, end) and token.shape is Shape.WORD:
            end += 1
        used |= set(range(at, end))
        run = sentence[at:end]
        role, giver = _role(sentence, at, start)
        givers.add(giver)
        names.append(
            ClauseName(
                parts=tuple(part.stem for part in run),
                words=" ".join(part.text for part in run),
                role=role,
                initial=at == 0 and len(run) == 1 and token.shape is Shape.WORD,
            )
        )
    taken = {at for at in used if sentence[at].shape is not Shape.HAN}
    return tuple(names), taken, givers


def _is_name(sentence: Sequence[Token], at: int) -> bool:
    token = sentence[at]
    if token.shape is Shape.IDENTIFIER:
        return True
    if token.shape is not Shape.WORD or not token.capital:
        return False
    if token.fold in LIGHT:  # New York
        return at > 0 and at + 1 < len(sentence) and _is_name(sentence, at + 1)
    return token.fold not in NO_NAME


#: Where a name is given, a word stands behind these that may be one though it has no capital: i live in riga.
_GIVING: Final = {"place": _words("giving_place"), "origin": _words("giving_origin")}
_NEVER_SMALL: Final = COMMON | STATES | NO_NAME | LIGHT
_BEFORE_SMALL: Final = COPULAS.union(*_GIVING.values())
#: Ends a word for a state or a kind of people and places.
_STATE: Final = tables.worded("clauses", r".*{state_endings}$", flags=0)
#: Places with a sign that is light elsewhere; all of one length.
_HAN_CITIES: Final = tuple[str, ...](tables.han("cities"))
_EMPLOYED: Final = _words("employed")
_EMPLOYED_BY: Final = _words("employed_by")


def _written_small(
    sentence: Sequence[Token], at: int, start: int, free: Container[int]
) -> tuple[str, int] | None:
    """The role of a name without a capital, which stands alone at the end, and who gives it; None if it is none."""
    token, before = sentence[at], sentence[at - 1]
    fold = token.fold
    if token.shape is not Shape.WORD or at <= start or len(fold) < _SHORTEST_NAME:
        return None
    if before.fold not in _BEFORE_SMALL and NAMING.get(before.stem) != "called":
        return None
    if any(is_word(word) and place in free for place, word in enumerate(sentence) if place > at):
        return None
    if not fold.isascii() or fold in _NEVER_SMALL or _STATE.match(fold):
        return None
    role, giver = _role(sentence, at, start)
    if role == "is":
        return (role, giver) if NAMING.get(sentence[giver - 1].stem) == "called" else None
    if role == "called":
        return (role, giver) if giver == at - 1 else None
    between = {word.fold for word in sentence[giver + 1 : at]}
    if len(between) != 1 or not between <= _GIVING.get(role, frozenset()):
        return None
    return role, giver


def _role(sentence: Sequence[Token], at: int, start: int) -> tuple[str, int]:
    """Of what a name is the value, by the words around it, and where the word stands that says so; -1 if none."""
    if at == start and any(token.fold in LEADING for token in sentence[at + 1 : at + 3]):
        return "leader", -1
    if _is_in_use(sentence, at):
        return "choice", at - 1
    if _is_the_one_in_use(sentence, at, start):
        return "is", at - 1
    place = at - 1
    between: list[str] = []
    while place >= start and sentence[place].fold in PREPOSITIONS and len(between) < 3:
        between.append(sentence[place].fold)
        place -= 1
    while (
        place > start
        and sentence[place].fold in BEHIND_NE | LIGHT | _INVERTED
        and sentence[place].stem not in NAMING
    ):
        place -= 1
    verb = place
    while verb > start and sentence[verb].fold in NEGATORS | LIGHT:
        verb -= 1
    if verb >= start and NAMING.get(sentence[verb].stem) in {"place", "employer"}:
        place = verb  # German denies behind the verb: wohnt nicht in Graz, arbeitet nicht mehr bei Bosch.
    if place < start:
        return "", -1
    token = sentence[place]
    role = NAMING.get(token.stem, "")
    if role == "employer" and token.fold in _EMPLOYED and not _EMPLOYED_BY & set(between):
        return "", -1
    if role:
        return role, place
    return (
        ("is", place) if token.fold in COPULAS and _is_value_of(sentence[start:place], between) else ("", -1)
    )


def _is_in_use(sentence: Sequence[Token], at: int) -> bool:
    """True of what is used for a thing of which there is one at a time: we use Redis for the cache."""
    if at == 0:
        return False
    behind = [token for token in sentence[at + 1 :] if token.shape is not Shape.MARK]
    if _han_before(sentence, 0, at).endswith(_HAN_USING):
        signs = "".join(token.text for token in behind)
        return any(signs == joint + one for joint in _HAN_USING_FOR for one in _HAN_ONE_IN_USE)
    joint = next((place for place, token in enumerate(behind[:3]) if token.fold in _USING_FOR), None)
    if sentence[at - 1].fold not in _USING or joint is None:
        return False
    thing = tuple(token.fold for token in behind[joint + 1 :])
    # As a database, one may use two; as the database, or as database, one.
    return thing in _ONE_IN_USE or (thing[:1] != () and thing[0] in _OURS and _ends_with_one(thing[1:]))


def _is_the_one_in_use(sentence: Sequence[Token], at: int, start: int) -> bool:
    """True of what a thing is of which there is one at a time: unser Cache ist Redis, наш кэш — Redis."""
    if at == start:
        return False
    before = sentence[at - 1]
    if before.shape is Shape.HAN:
        about = _han_before(sentence, start, at)
        return about.endswith(tuple(one + _HAN_IS for one in _HAN_ONE_IN_USE))
    if before.fold not in COPULAS and before.text not in _DASHES:
        return False
    first, *thing = (token.fold for token in sentence[start : at - 1]) if at - start > 1 else ("",)
    return first in _OURS and _ends_with_one(tuple(thing))


def _ends_with_one(thing: tuple[str, ...]) -> bool:
    return any(thing[-len(one) :] == one for one in _ONE_IN_USE)


def _han_before(sentence: Sequence[Token], start: int, at: int) -> str:
    """Chinese signs of a sentence before a place, and right at it."""
    first = at
    while first > start and sentence[first - 1].shape is Shape.HAN:
        first -= 1
    return "".join(token.text for token in sentence[first:at])


def _is_value_of(about: Sequence[Token], between: Sequence[str]) -> bool:
    """True if a name behind "is" is what something described, or somewhere, is; "Ana is Austrian" says otherwise."""
    if LOCATING & set(between):
        return bool(about)
    if _INDEFINITE & set(between) or _OF & {word.fold for word in about[:2]}:
        return False  # "is an Acme customer", "one of them is Acme"
    return any(
        word.shape is Shape.WORD and is_topical(word) and (not word.capital or word.text.isupper())
        for word in about
    )


def _han_names(sentence: Sequence[Token], at: int, free: set[int], used: set[int]) -> Iterator[ClauseName]:
    """The name behind words such as 住在 and 名叫, or between 在 and 工作."""
    if workplace := _han_workplace(sentence, at, free):
        used |= set(range(at, workplace[1]))
        yield workplace[0]
        return
    for frame, role in HAN_NAMING:
        if not begins_with_signs(sentence, at, (frame,)):
            continue
        first = last = at + len(frame)
        if first < len(sentence) and begins_with_signs(sentence, first, _HAN_CITIES):
            last += len(_HAN_CITIES[0])
        while (
            last in free
            and last - first < _LONGEST_PLACE
            and sentence[last].shape is Shape.HAN
            and sentence[last].text not in HAN_LIGHT
        ):
            last += 1
        if last - first >= 2:
            used |= set(range(at, last))
            name = "".join(token.text for token in sentence[first:last])
            yield ClauseName((name,), name, role)
        return


def _han_workplace(sentence: Sequence[Token], at: int, free: set[int]) -> tuple[ClauseName, int] | None:
    """The name between 在 and 工作, and where that ends."""
    # Not the second sign of 现在.
    if not begins_with_signs(sentence, at, ("在",)) or (at and sentence[at - 1].text in _HAN_BEFORE_IN):
        return None
    for last in range(at + 3, min(at + 2 + _LONGEST_PLACE, len(sentence))):
        if last not in free:
            return None
        if begins_with_signs(sentence, last, HAN_WORKING):
            name = "".join(token.text for token in sentence[at + 1 : last])
            return ClauseName((name,), name, "employer"), last + 2
        if _HAN_PROFESSION.match("".join(token.text for token in sentence[last : last + 8])):
            name = "".join(token.text for token in sentence[at + 1 : last])
            return ClauseName((name,), name, "employer"), last
    return None
