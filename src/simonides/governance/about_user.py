"""Statements about the user, in whatever words: what only the user may say.

A text that names the user tells of them, asked or stated, unless the word is known to stand for a kind of person
("users may", "each user") or for a part of a thing's name ("the user table"). What speaks to the user ("you prefer
tea") or leaves them out ("prefers tea", "allergies: nuts") tells of them as well. What is wrongly taken for one waits
for a person; what is missed would stand in prompts as if the user had said it. Pure and linear.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.provenance import FROM_USER
from simonides.domain.text import CJK
from simonides.governance.bearing import speaks_for_the_user
from simonides.governance.confusables import CLEAN, FOLD
from simonides.governance.views import decoded
from simonides.language.spoken import sentences
from simonides.language.tables import worded, words
from simonides.language.tokens import folded
from simonides.language.words import (
    ACCOUNT_KINDS,
    ADDRESSING,
    BEHIND_USER,
    DEFINITE,
    ENTRUSTED,
    INTERFACE,
    LISTENERS,
    MATTERS_OF_USERS,
    MODALS,
    OPENERS,
    OWNERS,
    OWNERS_ADDRESSED,
    PREDICATES_OF_OWNERS,
    PREDICATES_OF_USERS,
    PREFERRED,
    PRONOUNS,
    SUBORDINATE,
    THINGS_OF_USERS,
    UNSPECIFIC,
    USERS,
    USERS_IF_DEFINITE,
    VERBS,
)

#: Words before "user" among which its article stands: any registered user.
_BEFORE: Final = 3
#: Words behind "user" among which stands what any of them does: does not exist.
_BEHIND: Final = 5
#: So many words name a source and state nothing.
_WORDS_OF_A_NAME: Final = 2
_SIGN: Final = later(f"[{CJK}]")
_SAID_BY_THE_USER: Final = frozenset(origin.value.replace("-", " ") for origin in FROM_USER)
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: A text without blanks, of several words: the_user_is_vegetarian, theUserIsVegetarian.
_IDENTIFIER: Final = re.compile(r"([^\W\d_]+(?:[_-][^\W_]+){2,}|[^\W\d_]+(?<=[a-z])[A-Z][^\W_]+)[.!]?")
#: Words of "tell the" before "user".
_TOLD: Final = 2
#: Signs that make what stands right beside them a part of a name: `/srv/user/x`, `user@example.org`.
_JOINED: Final = frozenset("/\\@$#")
#: Before "-user" these say that it is a kind.
_KINDS: Final = words("kinds_of_users")
_WORD: Final = re.compile(r"[^\W_]+")
#: Stand before what somebody does not do, where it is left out who.
_DENYING: Final = words("denying_of_owners")
_DO: Final = words("auxiliaries_of_owners")
#: Each alone tells of whomever a scope belongs to: vegetarian.
_KINDS_OF_PEOPLE: Final = words("kinds_of_people")
#: Labels of what the owner of a scope is or likes: job title, favourite colour.
_MATTERS_OF_OWNERS: Final = words("matters_of_owners")
#: One who is spoken of without a name: this person, the account holder.
_SOMEBODY: Final = worded("address", r"\b{somebody}\b|{han_somebody}")
#: Begin a sentence that tells somebody of themselves; that leaves out of whom it is, where a scope says so.
_TOLD_TO_THEM: Final = worded("address", r"\W*(?:{told_to_user}|{han_told_to_user})")
_UNSAID: Final = worded("address", r"\W*(?:{unsaid}|{han_unsaid})")
#: Likewise, in words that may be of those named before: German Sie, Spanish su. They count where a text begins.
_SPOKEN_OF: Final = worded("address", r"\W*{spoken_of}")
#: A path, a call, an option: what is said of is a program.
_OF_CODE: Final = re.compile(r"\w[/_.:]\w|`|--|\(\)")
#: The same, but for figures and for what stands behind a label: 52.000, 家乡:杭州.
_NO_LABEL: Final = re.compile(rf"(?!\d\.\d|[{CJK}]:)\w[/_.:]\w|`|--|\(\)")
_UNDERSCORED: Final = re.compile(r"([^\W_]+)_\Z")
_HYPHENED: Final = re.compile(r"-([^\W_]+)")
#: Words of a sentence among which what it says of somebody begins.
_BEGINNING: Final = 6
#: Signs that make what stands behind "user" the user's own: the user's settings, user settings: dark.
_OF_THEIRS: Final = frozenset("'’:：=→")
#: In languages that are not read the word alone counts: for the first person, or for the user.
_ELSEWHERE: Final = frozenset(
    {
        "meu", "minha", "ik", "mijn", "jag", "jeg", "saya", "aku", "benim", "bana", "moj", "moja", "moje", "minun",
        "anvandaren", "brukeren", "brugeren", "gebruiker", "kayttaja", "kullanıcı", "pengguna", "utente", "utilizador",
        "utilizadora", "uzivatel", "uzytkownik", "користувач", "χρηστησ", "μου", "εγω",
    }
)  # fmt: skip
_SIGNS: Final = worded(
    "address",
    "{han_users}|[私僕](?=[はがのもを])|俺|わたし|나는|저는|제가|내가|ユーザー|사용자"
    r"|أنا|המשתמש|\bאני\b|मैं|मुझे|मेर[ाीे]|\btôi\b|ผู้ใช้|المستخدم|उपयोगकर्ता|người dùng",
    flags=0,
)


#: Letters with a sign between each two; a word run on behind "the"; signs for letters.
_APART: Final = re.compile(r"(?<![^\W_])[^\W\d_](?:([ .*|~·-])[^\W\d_](?![^\W_]))(?:\1[^\W\d_](?![^\W_]))+")
_RUN_ON: Final = re.compile(r"(?<![^\W_])(the|this|our|end)(?=user)", re.IGNORECASE)
_SIGNS_FOR_LETTERS: Final = str.maketrans("013457@$", "oieastas")
_IN_A_WORD: Final = re.compile(r"(?<=[a-zA-Z])[@$](?=[a-zA-Z])")
#: "I" without its apostrophe, or drawn by a sign that looks like it.
_I: Final = later(
    # "Im" is German before a noun or an adjective, "IAM" is no pronoun.
    r"(?:^|[.!?:,;]\s*)(?:(?:[Ii][Mm]|[Ii]am|[Ii]ve)(?=\s[^\W\d_A-ZÄÖÜ])(?!\s\w+en\b)"
    r"|l(?=\s(?:am|have|live|like|prefer|work|was|want|need|hate|love)\b))"
)


def tells_of_the_user(text: str, *, owned: bool = False) -> bool:
    """True if a text is about the user or in the first person, also disguised, turned round, asked or left out.

    "The user table", "Users may …" and "each user" are about something else.

    Args:
        owned: Its scope belongs to a user: more is about them that names nobody ("works as a nurse").
    """
    return any(
        _tells(reading, owned=owned)
        for reading in _readings(unicodedata.normalize("NFKC", text).translate(CLEAN))
    )


@kept(4096)
def is_name_of_a_source(name: str) -> bool:
    """True if the name of a source is no statement about the user, also with other signs between its words.

    A path, a URL, an id or a title is one, and so are up to two words, but for "user-said" itself.
    """
    kept = r"[^\w/@$#\\]+|_+" if name.startswith("/") or "://" in name else r"[\W_]+"
    words = re.sub(kept, " ", _CAMEL.sub(" ", name)).strip()
    if len(words.split()) <= _WORDS_OF_A_NAME and not _SIGN.search(words):
        return words.casefold() not in _SAID_BY_THE_USER
    return not (tells_of_the_user(words) or tells_of_the_user(name))


def speaks_to_somebody(text: str) -> bool:
    """True if a text says "you", but in what anybody can or has to do: "Noted: you are vegan", not "you can"."""
    folds = [folded(word[0]) for word in _WORD.finditer(text)]
    return any(
        fold in LISTENERS and not any(tuple(folds[at + 1 : at + 1 + len(modal)]) == modal for modal in MODALS)
        for at, fold in enumerate(folds)
    )


def _readings(text: str) -> Iterator[str]:
    """A text as it stands, as it looks, with letters joined and signs for letters read, and what it encodes."""
    folded_text = text.translate(FOLD)
    yield text
    if match := _IDENTIFIER.fullmatch(text.strip()):
        words = re.sub("[_-]", " ", _CAMEL.sub(" ", match[1])).split()
        # A flag of a program is no statement: user_is_admin, isUserLoggedIn.
        if folded(words[0]) in DEFINITE or folded(words[1]) in PREDICATES_OF_USERS:
            yield " ".join(words)
    plain = _RUN_ON.sub(r"\1 ", _APART.sub(lambda match: match[0].replace(match[1], ""), folded_text))
    yield from {
        folded_text,
        plain,
        _IN_A_WORD.sub(lambda sign: sign[0].translate(_SIGNS_FOR_LETTERS), plain),
    } - {text}
    yield from decoded(text)


def _tells(text: str, *, owned: bool) -> bool:
    return (
        _I.search(text) is not None
        or speaks_for_the_user(text)
        or (owned and _SPOKEN_OF.match(text) is not None)
        or any(
            _names_the_user(sentence) or _leaves_the_user_out(sentence, owned=owned)
            for sentence, _ in sentences(text)
        )
    )


def _leaves_the_user_out(sentence: str, *, owned: bool) -> bool:
    """True if a sentence speaks to the user, or begins with what is said of somebody: prefers tea, allergies: nuts."""
    words = list(islice(_WORD.finditer(sentence), _BEGINNING))
    folds = [folded(word[0]) for word in words]
    if owned and _is_label(sentence, words, folds):
        return True
    if _TOLD_TO_THEM.match(sentence) or (
        owned and _UNSAID.match(sentence) and not _NO_LABEL.search(sentence)
    ):
        return True
    while folds and folds[0] in OPENERS:
        words, folds = words[1:], folds[1:]
    denied = False
    while owned and folds[1:] and (folds[0] in _DENYING or (folds[0] in _DO and folds[1] in _DENYING)):
        words, folds, denied = words[1:], folds[1:], True  # Does not eat pork.
    if owned and len(folds) == 1 and folds[0] in _KINDS_OF_PEOPLE and not _OF_CODE.search(sentence):
        return True
    if not folds[1:]:
        return False
    between = sentence[words[0].end() : words[1].start()].strip()
    if folds[0] in LISTENERS:
        owns = folds[0] in OWNERS_ADDRESSED
        may = any(tuple(folds[1 : 1 + len(modal)]) == modal for modal in MODALS)
        return not may and not (owns and _names_a_thing(folds[1:3], sentence[: _end(sentence, words, 2)]))
    predicates = PREDICATES_OF_USERS | PREDICATES_OF_OWNERS if owned else PREDICATES_OF_USERS
    does = {folds[0], f"{folds[0]}s"} if denied else {folds[0]}
    is_said = (
        not does.isdisjoint(predicates)
        and between in {"", ":", "’", "'"}
        and (owned or folds[1] not in VERBS)
    )
    if is_said and not _OF_CODE.search(sentence):
        return True
    behind = sentence[words[1].end() : _end(sentence, words, 2)].strip()
    if folds[0] in PREFERRED:
        return behind[:1] in _OF_THEIRS or not VERBS.isdisjoint(folds[2:3])
    return (folds[0] in MATTERS_OF_USERS and between[:1] in _OF_THEIRS) or (
        folds[1] in MATTERS_OF_USERS and not between and behind[:1] in _OF_THEIRS
    )


def _is_label(sentence: str, words: list[re.Match[str]], folds: list[str]) -> bool:
    """True if one or two words before a colon name what somebody is or likes: job title: nurse."""
    return any(
        _MATTERS_OF_OWNERS.intersection(folds[:count])
        and sentence[words[count - 1].end() : _end(sentence, words, count)].strip()[:1] in {":", "："}
        for count in range(1, min(2, len(folds) - 1) + 1)
    )


def _names_the_user(sentence: str) -> bool:
    if _SIGNS.search(sentence) or _SOMEBODY.search(sentence):
        return True
    words = list(_WORD.finditer(sentence))
    folds = [folded(word[0]) for word in words]
    for at, (word, fold) in enumerate(zip(words, folds, strict=True)):
        if _is_the_user(fold) or (
            fold in USERS_IF_DEFINITE
            and folds[max(at - 1, 0) : at]
            and folds[at - 1] in DEFINITE
            and not (VERBS | PREDICATES_OF_USERS).isdisjoint(folds[at + 1 : at + 2])
        ):
            if not (
                _is_part_of_a_name(sentence, word, first=at == 0)
                or _is_of_a_kind(folds[max(at - _BEFORE, 0) : at])
                or _does_what_any_does(folds, at)
                or _is_to_be_told(folds[max(at - _TOLD, 0) : at])
                or (folds[at + 1 : at + 2] == ["s"] and _is_entrusted(folds[at + 2 :]))
                or _names_a_thing(
                    folds[at + 1 : at + 3], sentence[word.end() : _end(sentence, words, at + 2)]
                )
            ):
                return True
        elif _is_of_another_language(word[0], fold, folds[at + 1 : at + 2], sentence) or (
            fold in OWNERS
            and word[0].islower()
            and not sentence.startswith("-", word.end())
            and not _is_part_of_a_name(sentence, word, first=at == 0)
        ):
            return True
    return False


def _does_what_any_does(folds: list[str], at: int) -> bool:
    """True if a condition at the word tells what any user does with a program: if the user is not logged in."""
    return (
        not SUBORDINATE.isdisjoint(folds[max(at - _BEFORE, 0) : at])
        and not INTERFACE.isdisjoint(folds[at + 1 : at + _BEHIND])
        and _says_nothing_of_them(folds)
    )


def _is_entrusted(behind: list[str]) -> bool:
    """True if what is the user's is what a program keeps of each: the user's password."""
    return (
        behind[:1] != []
        and behind[0] in ENTRUSTED
        and behind[1:2] != []
        and behind[1] in VERBS
        and _says_nothing_of_them(behind)
    )


def _says_nothing_of_them(folds: list[str]) -> bool:
    return not any(
        who == "they" for forms in PRONOUNS.values() for word, who in forms.items() if word in folds
    )


def _is_of_another_language(word: str, fold: str, behind: list[str], sentence: str) -> bool:
    """True if a word, no abbreviation or name, is the user's or the first person's in a language that is not read."""
    if word == "Eu":
        return True
    names_one = (word.isupper() and len(word) > 1 and not sentence.isupper()) or (
        word[0].isupper() and behind and f"{word} {behind[0].title()}" in sentence
    )
    return fold in _ELSEWHERE and not names_one


def _is_the_user(fold: str) -> bool:
    """True if a word is the user's, also read from its end or with signs for letters."""
    return (
        fold in USERS
        or fold[::-1] in USERS
        or (not fold.isalpha() and fold.translate(_SIGNS_FOR_LETTERS) in USERS)
    )


def _end(sentence: str, words: list[re.Match[str]], at: int) -> int:
    return words[at].start() if at < len(words) else len(sentence)


def _names_a_thing(behind: list[str], between: str) -> bool:
    """True if "user" and the word behind it name a thing: the user table; of a plural a verb has to tell so.

    "The user limits are high", but not "the user limits sugar"; and "user settings: dark" tells of the user's.

    Args:
        behind: The next two words.
        between: The text behind "user" up to the second of them.
    """
    if not behind or behind[0] not in THINGS_OF_USERS or not _OF_THEIRS.isdisjoint(between):
        return False
    is_plural = behind[0].endswith("s") and not behind[0].endswith("ss")
    return not is_plural or len(behind) == 1 or behind[1] in VERBS


def _is_part_of_a_name(sentence: str, word: re.Match[str], *, first: bool) -> bool:
    before, behind = sentence[max(word.start() - 1, 0) : word.start()], sentence[word.end() : word.end() + 2]
    joined = (
        before in _JOINED
        or before == "."
        or _is_underscored(sentence, word)
        or behind[:1] in _JOINED
        or _is_hyphened(sentence, word)
    )
    # These join where a word goes on behind them: user.name, and a scope in the midst of a sentence, user:ana.
    signs = "_." if first else "_.:"
    return joined or (behind[:1] in signs and behind[1:].isalnum())


def _is_underscored(sentence: str, word: re.Match[str]) -> bool:
    """True if an underscore makes a name of a word and the one before it: get_user; not the_user."""
    before = _UNDERSCORED.search(sentence[: word.start()])
    return before is not None and folded(before[1]) not in DEFINITE


def _is_hyphened(sentence: str, word: re.Match[str]) -> bool:
    """True if hyphens make a name of a word and what is beside it: user-defined, multi-user; not user-prefers."""
    behind = _HYPHENED.match(sentence, word.end())
    before = sentence[: word.start()].rpartition("-")
    kind = _WORD.findall(before[0])[-1:] if before[1] and not before[2] else []
    return (behind is not None and folded(behind[1]) in THINGS_OF_USERS | BEHIND_USER) or (
        bool(kind) and folded(kind[0]) in _KINDS
    )


def _is_to_be_told(before: list[str]) -> bool:
    """True of an order to the assistant in which the user is but the one to be told: "ask the user before …"."""
    return len(before) == _TOLD and before[0] in ADDRESSING and before[1] in DEFINITE


def _is_of_a_kind(before: list[str]) -> bool:
    """True if the article before the word says that any of them is meant, or its own word that it is an account."""
    if before and before[-1] in ACCOUNT_KINDS:
        return True
    for word in reversed(before):
        if word in DEFINITE:
            return False
        if word in UNSPECIFIC:
            return True
    return False
