"""Whether words that a model wrote may stand for the items that they are to replace. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.language.contradiction import differences
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import STOP
from simonides.upkeep.merge import Merged

#: Share of the words of a merged item that its sources hold, and of the words that they agree in that it holds.
_KNOWN: Final = 0.6
_KEPT: Final = 0.8
_EXACT: Final = frozenset({Shape.NUMBER, Shape.DATE, Shape.CLOCK, Shape.IDENTIFIER})


def problem_of(merged: Merged, sources: Sequence[tuple[str, str]]) -> str | None:
    """Why words may not stand for their sources; None if they may.

    They may not be longer than the sources together, leave out or add a number, a date, a name, an identifier or a
    denial, leave out what the sources agree in, or be other words, such as those of another language.

    Args:
        merged: The words.
        sources: Title and content of each.

    Returns:
        The reason; it quotes nothing of them.
    """
    texts = [f"{title}\n{content}" for title, content in sources]
    said = f"{merged.title}\n{merged.content}"
    if len(merged.content) > sum(len(content) for _, content in sources):
        return "it is longer than the notes together"
    known = [tokens(text) for text in texts]
    written = tokens(said)
    if invented := _exact(written) - {word for text in known for word in _exact(text)}:
        return f"it has {len(invented)} numbers or identifiers that no note has"
    if {word for text in known for word in _exact(text)} - _exact(written):
        return "it leaves out a number or an identifier"
    if _names(written) - {word for text in known for word in _words(text)}:
        return "it has a name that no note has"
    if {word for text in known for word in _names(text)} - _words(written):
        return "it leaves out a name"
    for _, content in sources:
        if differences(content, merged.content):
            return "it says something else than a note says"
    return _missed(_words(written), [_words(text) for text in known])


def _missed(written: frozenset[str], known: Sequence[frozenset[str]]) -> str | None:
    every = frozenset[str]().union(*known)
    agreed = frozenset(word for word in every if all(word in words for words in known))
    if not written or len(written & every) < _KNOWN * len(written):
        return "its words are not those of the notes; it may be in another language"
    if len(agreed & written) < _KEPT * len(agreed):
        return "it leaves out what the notes agree in"
    return None


def _exact(text: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.fold for token in text if token.shape in _EXACT)


def _words(text: Sequence[Token]) -> frozenset[str]:
    return frozenset(
        token.stem for token in text if token.shape in {Shape.WORD, Shape.HAN} and token.fold not in STOP
    )


def _names(text: Sequence[Token]) -> frozenset[str]:
    """Stems of capitalised words; a word that begins a text is taken for one, too."""
    return frozenset(
        token.stem for token in text if token.shape is Shape.WORD and token.capital and token.fold not in STOP
    )
