"""Names of those whom a speaker tells of by what they are to them: of "my husband", who is called Tom.

"What does my husband do?" has no word of "Tom is a plumber."; "My husband is called Tom." tells that it asks for him.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.language.kin import is_same_kin
from simonides.language.matters import matters
from simonides.language.tables import alternatives, languages, table, worded
from simonides.language.tokens import tokens
from simonides.language.whose import speaks_of_oneself, told_by_user
from simonides.values import dataclass

#: A name as it is written: a title, and up to three words with a capital.
_CAPITAL: Final = r"[^\W\d_a-zß-öø-ÿа-яё]"
_NAME: Final = rf"(?P<name>(?:{_CAPITAL}\w{{0,4}}\.?\s)?{_CAPITAL}[\w'’-]+(?:\s{_CAPITAL}[\w'’-]+){{0,2}})"
_ROLE: Final = r"(?P<role>[^\W\d_]+(?:-\w+)?(?:\s[^\W\d_]+)??)"
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_HAN_NAME: Final = r"(?P<name>[\u4e00-\u9fff]{2,4}|[A-Z]\w+)(?![\u4e00-\u9fff])"
#: What is asked of somebody in two words, and of whom in one, with what may stand behind: "my best friend's".
_ASKED: Final = later(
    lambda: (
        rf"(?<!\w)(?:{alternatives('whose', 'possessive')})\s+([^\W\d_]+(?:-\w+)?)(?:\s([^\W\d_]+))?"
        rf"|{alternatives('whose', 'han_owner')}({_han_roles()})"
    ),
    re.IGNORECASE,
)
_ASKS_OWN_NAME: Final = worded(
    "whose",
    r"(?<!\w)(?:{asks_own_name})(?=\W*$|,|\s(?:again|please|noch|déjà|entonces)\W*$)|{han_asks_own_name}",
)
#: The speaker's own name: of "I'm Dana, 34." and not of "I'm tired.".
_OWN_NAME: Final = worded(
    "whose",
    rf"(?<!\w)(?i:{{own_name}})\s{_NAME}|(?i:{{han_own_name}})(?P<han_name>[\u4e00-\u9fff]{{2,4}}|[A-Z]\w+)",
    flags=0,
)
#: Matters of what somebody is, and not called: "Mein Vater ist Lehrer.", "My son is German."
_NO_NAMES: Final = frozenset({"job", "tongue"})
#: Longer texts tell of more than one.
_MOST_CHARS: Final = 300
_MOST_ASKED: Final = 120
#: Names of one role at most: of a larger family the question tells nobody.
_MOST_NAMES: Final = 3


def _han_roles() -> str:
    return "|".join(alternatives("whose", kind) for kind in ("han_kin_words", "han_kin", "han_roles"))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Ways to tell who has a role, of each language."""
    han_role = f"(?P<role>{_han_roles()})"
    pieces = {"name": _NAME, "role": _ROLE, "han_name": _HAN_NAME, "han_role": han_role}
    return tuple(
        re.compile(re.sub(r"\{((?:han_)?(?:name|role))\}", lambda piece: pieces[piece[1]], pattern))
        for code in languages()
        for pattern in table(code, "whose").get("named_by_role", ())
    )


@dataclass(frozen=True, slots=True)
class AskedByRole:
    """A question about somebody by what they are to the speaker, and who that is.

    Attributes:
        role: The words for it, "best friend".
        names: Theirs.
        question: The same question with the names in place of these words.
    """

    role: tuple[str, ...]
    names: tuple[str, ...]
    question: str

    def is_all(self, text: str) -> bool:
        """True of a text that tells of them by their role alone: "My wife works nights."."""
        return not holds_any(text, self.names) and any(
            _begins(_words(match), self.role) for match in _ASKED.finditer(text)
        )


def asked_by_role(question: str, statements: Iterable[str]) -> AskedByRole | None:
    """Name those of whom a question asks by their role, "my husband", if statements tell it.

    None where it asks of nobody so, asks for the name or has it, or none or too many names are told.

    Args:
        statements: What the speaker told, of the likeliest to answer.
    """
    if len(question) > _MOST_ASKED or (match := _ASKED.search(question)) is None:
        return None
    if _is_naming(question):
        return None
    words = _words(match)
    named = [(role, name) for text in statements for role, name in _named(text) if _begins(words, role)]
    names = tuple(dict.fromkeys(name for _, name in named))
    if not 0 < len(names) <= _MOST_NAMES or holds_any(question, names):
        return None
    count = max(len(role) for role, _ in named)
    end = match.end(3) if match[3] else match.end(count)
    return AskedByRole(words[:count], names, f"{question[: match.start()]}{', '.join(names)}{question[end:]}")


def asks_own_name(question: str) -> bool:
    """True of a short question for the speaker's own name: "What's my name?", "Who am I?"."""
    return len(question) <= _MOST_ASKED and _ASKS_OWN_NAME.search(question) is not None


@kept(4096)
def tells_own_name(text: str) -> bool:
    """True if a text tells its speaker's name, in its first sentences: "I'm Dana, 34.", and not "I'm German."."""
    names = (match["name"] or match["han_name"] for match in _OWN_NAME.finditer(text[:_MOST_CHARS]))
    return any(
        not _POSSESSIVE.search(name) and _NO_NAMES.isdisjoint(matter.name for matter in matters(name))
        for name in names
    )


def others_named(question: str, statements: Iterable[str]) -> frozenset[str]:
    """Names in a short question of those whom statements name by what they are to the speaker.

    Jill, of "What is Jill's phone number?" beside "my neighbour Jill"; none of "What is Dana's?" beside "I'm Dana.".

    Args:
        statements: What the speaker told, of the likeliest to answer.
    """
    if len(question) > _MOST_ASKED or speaks_of_oneself(question):
        return frozenset()
    pairs = {(role, name) for text in statements for role, name in _named(text)}
    return frozenset(
        name for role, name in pairs if holds_any(question, [name]) and not _is_naming(" ".join(role))
    )


def _is_naming(text: str) -> bool:
    return any(matter.name == "naming" for matter in matters(text))


def holds_any(text: str, names: Iterable[str]) -> bool:
    """True if a text has one of these names, and not as a part of a longer word: "Al" is not in "also"."""
    return any(re.search(rf"(?<![a-zA-Z]){re.escape(name)}(?![a-z])", text) for name in names)


def _words(match: re.Match[str]) -> tuple[str, ...]:
    return (match[3],) if match[3] else tuple(word for word in match.groups()[:2] if word)


def _begins(words: Sequence[str], role: Sequence[str]) -> bool:
    """True if words begin with those of a role, in whatever forms."""
    return len(role) <= len(words) and all(map(_of_one_word, role, words))


def _of_one_word(one: str, other: str) -> bool:
    """True of forms of one word, "жена" and "жену", and of words for the same kin, "son" and "boy"."""
    return [token.stem for token in tokens(one)] == [token.stem for token in tokens(other)] or is_same_kin(
        one, other
    )


@kept(4096)
def _named(text: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Words for what somebody is to the speaker, and the name that a short statement tells of them."""
    if len(text) > _MOST_CHARS:
        return ()
    matches = (match for pattern in _patterns() for match in pattern.finditer(told_by_user(text)))
    return tuple(
        (tuple(match["role"].split()), _POSSESSIVE.sub("", match["name"]))
        for match in matches
        if _NO_NAMES.isdisjoint(matter.name for matter in matters(match["name"]))
    )
