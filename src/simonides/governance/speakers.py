"""Decision whose word a turn is: that of the user of its scope, or of somebody else whom the chat names. Pure.

A message of a user may carry the name of whoever wrote it. Where nobody can tell who of several the user is, nobody is:
in doubt a word is somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final
from unicodedata import normalize

from simonides.domain.item import Item
from simonides.domain.pattern import later
from simonides.domain.provenance import FROM_USER
from simonides.domain.scope import Scope
from simonides.language.tables import words
from simonides.language.tokens import folded
from simonides.language.words import FIRST_PERSON, STOP, USERS

#: Stands in `metadata.sender` for a name that may not be kept: it was somebody's all the same.
UNNAMED: Final = "[name]"
#: Parts of a name: of "AnaMaria" two, as of "ana_maria".
_PARTS: Final = later(r"[^\W\d_](?:(?![A-ZÀ-ÖØ-ÞА-ЯЁ])[^\W\d_])*")
_SIGNS: Final = later(r"[^\W_]+")
_FIGURES: Final = later(r"\d+")
_ADDRESS: Final = later(r"[^@\s]+@[^@\s]+")
#: Letters that are written out where a keyboard has none.
_WRITTEN_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ẞ": "Ss", "Ø": "Oe", "Å": "Aa", "Æ": "Ae", "Œ": "Oe"}
)
#: A name and further names, and nothing that says whose friend that is.
_FULL_NAME: Final = later(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
#: Name a role or a program, also beside other words; and only among their like: "web page", not "Jimmy Page".
_NO_PERSONS: Final = words("no_persons")
_NO_SENDERS: Final = words("no_senders")
_BESIDE_THEM: Final = _NO_SENDERS | STOP
#: Name whoever uses the assistant, and nobody else.
_THE_USER: Final = USERS | {"human", "用户"}
#: Name a party of the dialogue with an assistant, or a program, in all languages; folded.
ROLES: Final = _NO_PERSONS | _THE_USER
#: Ids that call the user of a scope by no name, as those with a digit do.
_NO_OWNERS: Final = words("no_owners") | _NO_PERSONS | _NO_SENDERS | FIRST_PERSON | _THE_USER


def users_among(names: Iterable[str], scope: Scope) -> frozenset[str]:
    """The names in a chat by which the user of its scope speaks; of whatever else is said there, somebody else does.

    No name, and a name such as "user", is the user's. So is one that is what the scope calls its user, whatever the
    case and the accents (of "Müller" also as "Mueller"), or one part or more of that, or a longer name that begins so,
    if only one such name speaks, however it is spelt. An address of mail is another such address, or a name, only
    where all of it is the same, of a name without what stands behind the @. A short form ("agarcia" of "Ana García")
    may be another's.
    Where the scope calls them by no name ("project:x", "user:u17"), the only one who speaks is the user. What names a
    role, a program or a text ("tool", "web page") is nobody's.

    Args:
        names: Of all messages of users in the chat; empty for those without one.
    """
    given = dict.fromkeys(names)
    owner = _owner(scope)
    unnamed = frozenset(name for name in given if _is_unnamed(name))
    persons = [name for name in given if name not in unnamed and not _is_no_person(name, owner)]
    near = {name for name in persons if _may_be(name, owner)}
    if exact := {name for name in near if _is_exactly(name, owner)}:
        near = {name for name in exact if _is_address(name) is _is_address(owner)} or exact
    elif not near and not unnamed and not _is_telling(owner):
        near = {name for name in persons if not _is_numbered_otherwise(name, owner)}
    is_one = bool(near) and bool(frozenset[str].intersection(*map(_keys, near)))
    # Of "Müller", "Mueller" and "Muller" no spelling is that of all, but each is the user's.
    is_one = is_one or (bool(exact) and not any(map(_is_address, near)))
    return unnamed | near if is_one else unnamed


def by_the_user(turns: Sequence[Item], item: Item | None = None) -> list[Item]:
    """Turns of one conversation that are the word of the user of its scope, in their order.

    Args:
        item: What is spoken of: of what another person stated, that person's turns as well.
    """
    spoken = [turn for turn in turns if turn.origin in FROM_USER]
    names = {sender(turn) for turn in spoken}
    if names <= {""}:
        return spoken
    own = users_among(names, max((turn.scope for turn in spoken), key=lambda scope: bool(_owner(scope))))
    other = "" if item is None else speaker(item)
    return [turn for turn in spoken if sender(turn) in own or (other and speaker(turn) == other)]


def is_users_word(item: Item) -> bool:
    """True of what a user said or confirmed, unless it is stated under the name of somebody else."""
    return item.origin in FROM_USER and not is_somebody_elses(item)


def is_somebody_elses(item: Item) -> bool:
    """True of what somebody said or stated whose name is not that by which its scope calls its user, nor a person's."""
    owner = _owner(item.scope)
    return speaker(item) != "" and (_is_telling(owner) or _is_no_person(sender(item), owner))


def speaker(item: Item) -> str:
    """Key of the person who said or stated an item: empty for the user of its scope, and for no name."""
    name, owner = sender(item), _owner(item.scope)
    # A longer name that begins so may be another's: only the whole chat tells.
    own = _is_unnamed(name) or (not _is_no_person(name, owner) and _is_called(name, owner))
    return "" if own else _key(name)


def may_speak_of(turn: Item, item: Item) -> bool:
    """True if what is said in one item may end what another one says: one person stated both, or it is the user."""
    one, other = speaker(turn), speaker(item)
    return one == other or ("" in {one, other} and not is_somebody_elses(turn))


def sender(item: Item) -> str:
    """The name of whoever said or stated an item, as the chat has it; empty where it names nobody."""
    return str(item.metadata.get("sender") or "").strip()


def without_sender(item: Item) -> str:
    """The content of an item without the name of its sender, which stands before a statement of a chat of several."""
    name = sender(item)
    return item.content.removeprefix(f"{name}: ") if name else item.content


def _owner(scope: Scope) -> str:
    """The name, id or address of mail by which a scope calls its user."""
    return dict(scope.parts).get("user", "")


def _is_address(name: str) -> bool:
    return _ADDRESS.fullmatch(name) is not None


def _without_host(owner: str) -> str:
    """Of an address of mail what stands before the @."""
    return owner.partition("@")[0]


def _is_telling(owner: str) -> bool:
    """True if a scope calls its user by a name: no id with digits, and nothing that may be anybody."""
    name = _without_host(owner)
    parts = _parts(name)
    return bool(parts) and not any(map(str.isdigit, name)) and not _NO_OWNERS.issuperset(parts)


def _is_unnamed(name: str) -> bool:
    return not name or _key(name) in _THE_USER


def _is_no_person(name: str, owner: str) -> bool:
    """True of the name of a role, a program or a text, unless the scope calls its user so: Will, May."""
    parts = _parts(name)
    return not _is_exactly(name, owner) and (
        name == UNNAMED
        or any(part in _NO_PERSONS for part in parts)
        or (bool(parts) and _BESIDE_THEM.issuperset(parts) and not STOP.issuperset(parts))
    )


def _may_be(name: str, owner: str) -> bool:
    """True if a name may be that of a scope's user: what it calls them, or one that goes on: Ana, Ana García."""
    if _is_called(name, owner):
        return True
    if not name.istitle() or _FULL_NAME.fullmatch(name) is None or not _same_figures(name, owner):
        return False
    return any(theirs and mine[: len(theirs)] == theirs for mine, theirs in _spelt_alike(name, owner))


def _is_exactly(name: str, owner: str) -> bool:
    """True if a name is all of what a scope calls its user."""
    if not _is_address(name):
        owner = _without_host(owner)
    elif _is_address(owner):
        return name.casefold() == owner.casefold()
    else:
        name = _without_host(name)
    return bool(owner) and not _keys(name).isdisjoint(_keys(owner))


def _is_called(name: str, owner: str) -> bool:
    """True if a name is what a scope calls its user, or parts of that."""
    if _is_exactly(name, owner):
        return True
    if _is_address(name) or not _same_figures(name, owner):
        return False
    return any(
        set(mine) <= set(theirs) and any(len(part) > 1 for part in mine)
        for mine, theirs in _spelt_alike(name, owner)
    )


def _same_figures(name: str, owner: str) -> bool:
    """False of names with other figures: ana1 is not ana2; Ana may be ana2."""
    figures = _FIGURES.findall(name)
    return not figures or figures == _FIGURES.findall(_without_host(owner))


def _is_numbered_otherwise(name: str, owner: str) -> bool:
    """True of the user's name with other figures, also as an address or spelt out: Müller 3 is not mueller2."""
    name = _without_host(name)
    return not _same_figures(name, owner) and any(
        mine == theirs for mine, theirs in _spelt_alike(name, owner)
    )


def _spelt_alike(name: str, owner: str) -> list[tuple[list[str], list[str]]]:
    """Parts of a name and of what a scope calls its user, in each pair of their spellings."""
    return [
        (_parts(mine), _parts(theirs))
        for mine in _spellings(name)
        for theirs in _spellings(_without_host(owner))
    ]


def _spellings(name: str) -> set[str]:
    """A name, and as it is written where there are no such letters."""
    return {name, normalize("NFC", name).translate(_WRITTEN_OUT)}


def _keys(name: str) -> frozenset[str]:
    return frozenset(_key(spelt) for spelt in _spellings(name))


def _parts(name: str) -> list[str]:
    return [folded(part) for part in _PARTS.findall(name.lower() if name.isupper() else name)]


def _key(name: str) -> str:
    return "".join(map(folded, _SIGNS.findall(name))) or name
