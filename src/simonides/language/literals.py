"""Literals: flags, variables, paths, calls and other names of code in prose, which mean nothing but themselves."""

from __future__ import annotations

from typing import Final

from simonides.domain.pattern import later

#: Signs that surround a word and are not its own.
_AROUND: Final = "\"'`´“”„‘’‚«»‹›()[]{}<>,;:!?。，！？；：（）「」…*"
#: A literal is a flag, what begins with a sign, a call, a path, names joined by signs. Words joined by a hyphen,
#: stroke or full stop are none, nor are names with capitals within: people call things "YouTube" and "Node.js".
_LITERAL: Final = later(
    r"-{1,2}[^\W\d_][\w.-]*(?:=\S+)?"
    r"|[@#$][^\W\d]\S*|%[^\W\d_]\w*%?|\.{0,2}[/~\\]\S*\w\S*|\.[^\W\d]\S*"
    r"|\S*[^\W\d]\S*\(\)?|(?=\S*[^\W\d_])\S*(?:\w_\w|::|->|=|\\)\S*"
    r"|(?=\S*[^\W\d_])\w+(?:[./]\w[\w-]*){2,}|\w+/\w+\.\w+"
)
#: Longer texts ask about what stands in them.
_MOST_CHARS: Final = 400
_MOST: Final = 4


def literals(text: str) -> tuple[str, ...]:
    """The literals of a question, as written, each once; of a long text none."""
    if len(text) > _MOST_CHARS:
        return ()
    words: dict[str, None] = {}
    for chunk in text.split():
        left = chunk.strip(_AROUND)
        if f"{left}()" in chunk:
            left += "()"
        word = left.rstrip(".")
        if word and _LITERAL.fullmatch(word):
            words[word] = None
    return tuple(words)[:_MOST]


def stands_in(literal: str, text: str) -> bool:
    """True if a literal stands in a text as a whole: `--no-cache` is not `--no-cache-dir`."""
    place = text.find(literal)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(literal) : place + len(literal) + 1]
        if not (_joins(before) or before == literal[0]) and not _joins(after):
            return True
        place = text.find(literal, place + 1)
    return False


def _joins(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign in "_-@#$%")
