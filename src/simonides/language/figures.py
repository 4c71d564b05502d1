"""Numbers in figures and in words, and how a run of tokens is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.language.quantities import HAN_DIGITS, NUMERALS
from simonides.language.tables import words
from simonides.language.tokens import Shape, Token

ORDINAL_ENDINGS: Final = words("ordinal_endings", among="values")
_JOIN_NUMERALS: Final = words("joins_numerals", among="values") | {"-"}


def figure(text: str) -> float:
    """1,500.5 and 1 500,5 and 1.500.000 alike."""
    text = text.replace(" ", "").replace("'", "")
    if text.count(".") > 1:
        text = text.replace(".", "")
    head, _, tail = text.rpartition(",")
    if head and "." not in tail and (len(tail) != 3 or "." in head):
        text = f"{head.replace(',', '')}.{tail}"
    return float(text.replace(",", ""))


def whole(token: Token) -> int | None:
    """The whole number that a token is in figures; None where it is none."""
    return int(token.text) if token.shape is Shape.NUMBER and token.text.isdigit() else None


def number_words(tokens: Sequence[Token], at: int) -> tuple[float | None, int]:
    """Numerals in words from here on: three hundred and twenty, twenty-one, двадцать пять, vingt-deux."""
    total = current = 0.0
    end, last = at, 0.0
    while end < len(tokens):
        fold = tokens[end].fold
        value = NUMERALS.get(fold)
        if value is None:
            joins = fold in _JOIN_NUMERALS and end > at and end + 1 < len(tokens)
            following = NUMERALS.get(tokens[end + 1].fold) if joins else None
            if following is None or not (following < last or following >= 100):
                break
            end += 1
            continue
        if value in {100.0, 1000.0, 1e6, 1e9} and end > at:
            current = (current or 1.0) * value
            if value >= 1000:
                total, current = total + current, 0.0
        elif end > at and value >= max(last, 1.0) and not (last >= 100 > value):
            break
        else:
            current += value
        last, end = value, end + 1
    return (total + current, end) if end > at else (None, at)


def han_number(tokens: Sequence[Token], at: int) -> tuple[float | None, int]:
    """Figures, or a run of Chinese numerals."""
    if at < len(tokens) and tokens[at].shape is Shape.NUMBER:
        return figure(tokens[at].text), at + 1
    total = section = digit = 0.0
    end = at
    plain: list[str] = []
    while end < len(tokens) and (value := HAN_DIGITS.get(tokens[end].text)) is not None:
        if value < 10:
            digit = value
            plain.append(str(int(value)))
        elif value >= 10_000:
            total, section, digit = (total + section + digit or 1.0) * value, 0.0, 0.0
        else:
            section, digit = section + (digit or 1.0) * value, 0.0
        end += 1
    if end == at:
        return None, at
    if len(plain) == end - at and len(plain) > 1:
        return float("".join(plain)), end
    return total + section + digit, end


def folds_before(tokens: Sequence[Token], at: int) -> frozenset[str]:
    """The two words before a place."""
    return frozenset(token.fold for token in tokens[max(at - 2, 0) : at])


def signs(tokens: Sequence[Token], start: int, end: int) -> str:
    """Chinese signs of tokens, run together."""
    return "".join(token.text for token in tokens[max(start, 0) : end])


def written(tokens: Sequence[Token], start: int, end: int) -> str:
    """Tokens as they are written, Chinese without blanks."""
    text = ""
    for token in tokens[start:end]:
        joined = not text or token.shape is Shape.HAN or text[-1] in "$€£¥₽" or token.text in "%°-"
        text += token.text if joined or token.fold in ORDINAL_ENDINGS else f" {token.text}"
    return text
