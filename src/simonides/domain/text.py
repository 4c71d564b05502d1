"""Text: what counts as valid, how it is normalised, hashed, counted and broken into tokens."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.errors import InvalidText

#: Scripts written without spaces: Han, kana, Hangul. Their words cannot be counted or cut by blanks.
CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f"
_CJK_RUN = later(f"[{CJK}]+")
_UNSTORABLE = later(r"[\x00\ud800-\udfff]")
_IDENTIFIER = later(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*")
_CAMEL = later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MAY_BE_IDENTIFIER = later(r"_|[a-z0-9][A-Z]")

#: Characters of whatever names something.
MAX_NAME_CHARS: Final = 1_000


def valid_text(text: object, *, name: str = "the text") -> str:
    """The text itself, if it can be stored.

    Raises:
        InvalidText: It is no string, blank, or holds NUL or a lone surrogate.
    """
    if not isinstance(text, str):
        raise InvalidText(f"{name} must be a string, not {type(text).__name__}")
    if not text or text.isspace():
        raise InvalidText(f"{name} is empty; give a word at least")
    if (bad := _UNSTORABLE.search(text)) is not None:
        what = "a NUL character" if bad[0] == "\0" else "half of a surrogate pair"
        raise InvalidText(f"{name} holds {what} at position {bad.start()}; remove it and try again")
    return text


def short_text(text: object, *, name: str) -> str:
    """The text itself, if it can be stored and names something: a session, a tag, a room, an id of a caller's own.

    Raises:
        InvalidText: As `valid_text`, or it is longer than 1,000 characters.
    """
    valid = valid_text(text, name=name)
    if len(valid) > MAX_NAME_CHARS:
        raise InvalidText(f"{name} has {len(valid):,} characters; give at most {MAX_NAME_CHARS:,}")
    return valid


def cleaned_text(text: str) -> str:
    """The text with what cannot be stored replaced by U+FFFD, for turns of a chat, which are never refused."""
    return _UNSTORABLE.sub("\ufffd", text)


def normalised(text: str) -> str:
    """NFC with blanks folded: the form in which two texts count as the same."""
    folded = " ".join(text.split())
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def content_hash(item_type: str, content: str) -> bytes:
    """SHA-256 of type and normalised content, 32 bytes. No two active items of a scope share one."""
    return hashlib.sha256(f"{item_type}\n{normalised(content)}".encode()).digest()


def sha256_hex(text: str) -> str:
    """SHA-256 of the text as written, hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


#: Words as tokenizers cut them, at each capital; capitals by themselves are cut more often.
_PIECE = later(r"[A-Za-z]?[a-z]+")
_CAPITALS = later(r"[A-Z]+(?![a-z])")
#: Digits, punctuation, line breaks and other controls, and runs of blanks.
_SIGN = later(r"[\x00-\x1f!-@\[-`{-\x7f]| {2,}")
_HAN_LETTER = later("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_CYRILLIC = later("[\u0400-\u04ff]+")
_OTHER_LETTER = later("[\u0080-\u03ff\u0500-\u1fff]")
_RARE = later("[\u2000-\u303f\u3100-\u4dbf\ua000-\uabff\ud7b0-\U0010ffff]")
_LONG_PIECE = 6
#: Of many names so many are told where none is near.
_NAMES_TOLD: Final = 8


@kept(8192)
def count_tokens(text: str) -> int:
    """Estimate of a language model's tokens, rather too many than too few.

    A word of up to six letters is one and a third more for each further letter, a capital by itself half of one, a
    digit, a mark or a line break one, a character of Chinese, Japanese or Korean 1.5, a Cyrillic letter .6, a letter of
    another script 1.4, a sign such as an emoji 3. Of lines it is never more than the sum of theirs and of the breaks.
    Weights chosen against five tokenizers: docs/context.md.
    """
    lines = text.split("\n")
    return math.ceil(round(sum(map(_weight, lines)) + len(lines) - 1, 6))


@kept(8192)
def _weight(line: str) -> float:
    """The tokens of a line, in parts of a token: nothing that is counted goes past a line's end."""
    pieces: list[str] = _PIECE.findall(line)
    total = len(pieces) + sum(len(piece) - _LONG_PIECE for piece in pieces if len(piece) > _LONG_PIECE) / 3
    total += sum(max(1.0, len(run) / 2) for run in _CAPITALS.findall(line)) + len(_SIGN.findall(line))
    if not line.isascii():
        total += 1.5 * len(_HAN_LETTER.findall(line)) + 1.4 * len(_OTHER_LETTER.findall(line))
        total += sum(max(1.0, 0.6 * len(run)) for run in _CYRILLIC.findall(line)) + 3 * len(
            _RARE.findall(line)
        )
    return total


def derived_tokens(text: str) -> str:
    """Tokens that the text index cannot see by itself, blank-separated.

    CJK runs become overlapping bigrams (a lone character itself), because the tokenizer makes one
    token of a whole run. Identifiers give their parts: `retryCount` → retry count,
    `max_size` → max size is done by the tokenizer, camelCase within it is not.
    """
    tokens: list[str] = []
    if not text.isascii():
        for run in _CJK_RUN.findall(text):
            tokens.extend(cjk_bigrams(run))
    if _MAY_BE_IDENTIFIER.search(text):
        for identifier in _IDENTIFIER.findall(text):
            parts: list[str] = _CAMEL.findall(identifier)
            if len(parts) > 1:
                tokens.extend(part.lower() for part in parts)
    return " ".join(tokens)


def cjk_runs(text: str) -> list[str]:
    """Maximal runs of CJK characters, in order."""
    return [] if text.isascii() else _CJK_RUN.findall(text)


def is_lone(term: str) -> bool:
    """True if a term is one CJK character: it may stand anywhere in a run, whose pairs alone are tokens."""
    return len(term) == 1 and not term.isascii() and _CJK_RUN.fullmatch(term) is not None


def cjk_bigrams(run: str) -> list[str]:
    """Overlapping pairs of a run of CJK characters; a lone character by itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def shortened(text: str, limit: int) -> str:
    """One line of at most `limit` characters, cut at a word where that keeps most of it, with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    cut = head.rfind(" ")
    return (head[:cut] if cut > limit // 2 else head).rstrip() + "…"


def known_names(name: str, known: Iterable[str], *, near: Iterable[str] = ()) -> str:
    """Wording of what may be used in place of a name that is not known: the nearest one, and all there are.

    Args:
        near: Names that may be meant and are not listed, such as aliases.
    """
    names = sorted(known)
    nearest = get_close_matches(name, [*names, *near], n=1)
    hint = f"did you mean {nearest[0]!r}? Known are" if nearest else "use one of"
    return f"{hint} {', '.join(names)}"


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """The one or two names that may be meant by one that is not known, compared without case; nearest first."""
    by_folded = {one.casefold(): one for one in known}
    return [by_folded[one] for one in get_close_matches(name.casefold(), by_folded, n=2)]


def near_names(name: str, known: Iterable[str]) -> str:
    """Wording of which of the names that there are may be meant: the nearest, else some of them; empty if none."""
    names = sorted(set(known))
    if nearest := nearest_names(name, names):
        return f"; did you mean {' or '.join(map(repr, nearest))}?"
    listed = ", ".join(map(repr, names[:_NAMES_TOLD]))
    return (
        f"; there {'are' if len(names) > 1 else 'is'} {listed}{' …' * (len(names) > _NAMES_TOLD)}"
        if names
        else ""
    )


def shown(value: object) -> str:
    """An argument as a message shows it: briefly, and by its type where it cannot be written out."""
    try:
        return f"{value!r:.80}"
    except (ValueError, RecursionError):  # An integer of thousands of digits; what is nested too deeply.
        return type(value).__name__
