"""Statements about the user, in whatever words: what only the user may say.

A text that names the user tells of them, unless the word is known to stand for a kind of person ("users may", "each
user") or for a part of a thing's name ("the user table"). What is wrongly taken for one waits for a person; what is
missed would stand in prompts as if the user had said it. Pure and linear.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from simonides.governance.bearing import speaks_for_the_user
from simonides.governance.confusables import CLEAN, FOLD
from simonides.language.tokens import folded
from simonides.language.words import ADDRESSING, DEFINITE, OWNERS, THINGS_OF_USERS, UNSPECIFIC, USERS, VERBS

#: Words before "user" among which its article stands: any registered user.
_BEFORE: Final = 3
_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
_CLOSING: Final = " \t\r*_`~\"'”’»)]"
#: Words of "tell the" before "user".
_TOLD: Final = 2
#: Signs that make what stands right beside them a part of a name: `/srv/user/x`, `user@example.org`, user-defined.
_JOINED: Final = frozenset("/\\@$#-")
_WORD: Final = re.compile(r"[^\W_]+")
#: Signs that make what stands behind "user" the user's own: the user's settings, user settings: dark.
_OF_THEIRS: Final = frozenset("'’:：=→")
#: In languages that are not read the word alone counts.
_ELSEWHERE: Final = frozenset(
    {"anvandaren", "brukeren", "brugeren", "gebruiker", "kayttaja", "kullanıcı", "pengguna", "utente"}
    | {"utilizador", "utilizadora", "uzivatel", "uzytkownik", "користувач", "χρηστησ"}
)
_SIGNS: Final = re.compile(
    "(?<![每各新多单])(?<!每[个位名])(?<!任何)(?<!其他)用户(?!界面|表|名|体验|手册|数据|组|协议|注册|登录|账户|账号|权限|群|端|量|们|密码|反馈|需求|输入|服务|管理)"
    "|(?<!自)我(?![们国校司])|ユーザー|사용자|ผู้ใช้|المستخدم|उपयोगकर्ता|người dùng"
)


def tells_of_the_user(text: str) -> bool:
    """True if a statement of a text is about the user or in the first person, also disguised or turned round.

    "The user table", "Users may …", "each user" and questions are about something else.
    """
    clean = unicodedata.normalize("NFKC", text).translate(CLEAN)
    return speaks_for_the_user(clean) or any(
        _names_the_user(sentence)
        for reading in dict.fromkeys((clean, clean.translate(FOLD)))
        for sentence in _BETWEEN_SENTENCES.split(reading)
        if not sentence.rstrip(_CLOSING).endswith(("?", "？"))
    )


def _names_the_user(sentence: str) -> bool:
    if _SIGNS.search(sentence):
        return True
    words = list(_WORD.finditer(sentence))
    folds = [folded(word[0]) for word in words]
    for at, (word, fold) in enumerate(zip(words, folds, strict=True)):
        if fold in USERS:
            if not (
                _is_part_of_a_name(sentence, word, first=at == 0)
                or _is_of_a_kind(folds[max(at - _BEFORE, 0) : at])
                or _is_to_be_told(folds[max(at - _TOLD, 0) : at])
                or _names_a_thing(
                    folds[at + 1 : at + 3], sentence[word.end() : _end(sentence, words, at + 2)]
                )
            ):
                return True
        elif fold in _ELSEWHERE or (
            fold in OWNERS and word[0].islower() and not _is_part_of_a_name(sentence, word, first=at == 0)
        ):
            return True
    return False


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
    joined = before in _JOINED or before == "." or behind[:1] in _JOINED
    # These join where a word goes on behind them: user.name, and a scope in the midst of a sentence, user:ana.
    signs = "_." if first else "_.:"
    return joined or (behind[:1] in signs and behind[1:].isalnum())


def _is_to_be_told(before: list[str]) -> bool:
    """True of an order to the assistant in which the user is but the one to be told: "ask the user before …"."""
    return len(before) == _TOLD and before[0] in ADDRESSING and before[1] in DEFINITE


def _is_of_a_kind(before: list[str]) -> bool:
    """True if the article before the word says that any of them is meant."""
    for word in reversed(before):
        if word in DEFINITE:
            return False
        if word in UNSPECIFIC:
            return True
    return False
