"""Other readings of a text: what somebody who decodes, unmasks or squints would see.

The stored text is never changed. A view knows where each of its characters comes from, so
that what is found in it can be reported in the text as written.
"""

import base64
import binascii
import codecs
import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from urllib.parse import unquote

from simonides.domain.pattern import later
from simonides.governance.confusables import CLEAN, FOLD
from simonides.values import dataclass

#: A stretch of a view and where it comes from: view start, view end, source start, source end.
Piece = tuple[int, int, int, int]

_LATIN = "abcdefghijklmnopqrstuvwxyz"
_GIVEAWAYS = ("ignore", "disregard", "instruction", "previous", "password")


def _shift(shift: int) -> dict[int, int]:
    """Moves every letter back by `shift`."""
    moved = _LATIN[-shift:] + _LATIN[:-shift]
    return str.maketrans(_LATIN + _LATIN.upper(), moved + moved.upper())


def _shifted_words(shift: int) -> list[str]:
    """Spell the words that give an order away with every letter moved on by `shift`."""
    return [word.translate(_shift(26 - shift)) for word in _GIVEAWAYS]


#: What in a text calls for a view; part of the gate.
TRIGGERS = {
    "control": r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]",
    "escapes": r"%[0-9a-f]{2}|&#?\w{2,8};|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[nrt]",
    "blob": r"[0-9a-z+/_-]{20}|(?:[0-9a-f]{2}[ :]){10}",
    "spaced": r"(?:\b[a-z0-9][ .*_|~-]{1,8}){5}[a-z0-9]\b",
    "leet": r"[a-z][013457@$!|][a-z]|\b[013457@$!|][a-z]{2}",
    "joined": r"(?:ignor|disregard|forget|overrid|bypass|reveal|delete|system)[a-z]*_[a-z]",
    "run-on": r"(?:ignore|disregard|forget|override|bypass)(?:all|any|every|the|your|previous|prior|above|earlier)",
    "marked": r"[a-z](?:\*\*?|__|~~|`|</?[a-z]{1,8}/?>)[a-z]",
    "stressed": r"(?:^|[^0-9a-z_])__?[^\s_]",
    "shifted": "|".join(word for shift in range(1, 26) for word in _shifted_words(shift)),
    "transposed": r"\bi[gnor]{4}e\b|\bd[isregad]{7}d\b|\bi[nstruico]{9,10}s\b|\bp[reviou]{6}s\b|\bs[yste]{4}m\b"
    r"|\bo[verid]{6}e\b",
    "digits": r"(?:[01]{8}[ ,]{0,2}){5}|(?:\b[01]?[0-7]{2}[ ,]{1,2}){8}|(?:\b[0-9]{2,3}[ ,]{1,2}){8}"
    r"|(?:0x[0-9a-f]{2}[ ,]{0,2}){6}",
    "morse": r"(?:[.-]{1,5}[ /]{1,3}){8}",
    "braille": r"[\x{2801}-\x{28FF}]{4}",
    "emoji": r"[a-z][\x{2600}-\x{27BF}\x{1F300}-\x{1FAFF}]{1,3}[a-z]",
    "reversed": r"erongi|drageresid|tegrof|snoitcurtsni|suoiverp|tpmorp|drowssap|_[oprsu]hg\b",
}

#: The longest run that is decoded at once, in characters.
_LONGEST_BLOB = 16_384
_SHORTEST_BLOB = 20


@dataclass(frozen=True)
class TextView:
    """A reading of a text, or of another view.

    `full` says whether all rules read it: a view in which letters stand for other letters is
    read for orders to a model only. `reading` says in words how it was come by; empty for the text itself.
    """

    text: str
    full: bool = True
    squashed: bool = False
    reading: str = ""
    source: "TextView | None" = None
    pieces: Callable[[], Sequence[Piece]] | None = field(default=None, compare=False)

    @property
    def readings(self) -> tuple[str, ...]:
        """Steps by which the text as written was read to come by this, in order."""
        before = self.source.readings if self.source else ()
        return (*before, self.reading) if self.reading else before

    @property
    def spelled_out(self) -> bool:
        """True of what is read with its escapes spelled out or unstressed: blanks and marks stand where none stood."""
        return self.reading in (_UNESCAPED, _UNSTRESSED) or (
            self.source is not None and self.source.spelled_out
        )

    @cached_property
    def _pieces(self) -> Sequence[Piece]:
        return self.pieces() if self.pieces else ()

    @cached_property
    def _starts(self) -> list[int]:
        return [piece[0] for piece in self._pieces]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Place of `text[start:end]` in the text as written; at least the whole of what hides it."""
        if self.pieces is not None:
            low, high = self._place(start)
            last_low, last_high = self._place(max(end - 1, start))
            start, end = min(low, last_low), max(high, last_high)
        return self.source.span(start, end) if self.source else (start, end)

    def _place(self, position: int) -> tuple[int, int]:
        """Origin of one character: a character, or all of what was replaced by it and others."""
        piece = self._pieces[max(bisect_right(self._starts, position) - 1, 0)]
        view_start, view_end, source_start, source_end = piece
        if view_end - view_start != source_end - source_start:
            return source_start, source_end
        place = source_start + min(position, view_end - 1) - view_start
        return place, place + 1


def readings(view: TextView) -> list[TextView]:
    """`view` itself, or what it says and what it looks like where that is not plain ASCII."""
    return [view] if view.text.isascii() or not view.full else list(_unmasked(view))


def _unmasked(view: TextView) -> Iterator[TextView]:
    """Yield the characters as they are, and then, if it is something else, as what they look like."""
    clean = _translated(view.text, CLEAN)
    if clean == view.text:
        yield view
    else:
        yield TextView(clean, source=view, reading="cleaned", pieces=lambda: _by_character(view.text, CLEAN))
    folded = _translated(view.text, FOLD)
    if folded != clean:
        yield TextView(
            folded, source=view, reading="look-alikes", pieces=lambda: _by_character(view.text, FOLD)
        )


#: Characters that the tables may change, and what stands between them: most text has few.
_UNUSUAL = later(r"[^\t\n\r\x20-\x7e][^\x21-\x7e]*")


def _translated(text: str, table: dict[int, str]) -> str:
    return _UNUSUAL.sub(lambda run: run[0].translate(table), text)


def derived_views(view: TextView, triggers: Mapping[str, Sequence[tuple[int, int]]]) -> Iterator[TextView]:
    """The readings of `view` that the triggers in it call for, of the stretches that each stands in."""
    for name, stretches in triggers.items():
        yield from _DERIVE[name](_only(view, stretches))


_APART = "\n^\n"


def _only(view: TextView, stretches: Sequence[tuple[int, int]]) -> TextView:
    """The stretches of `view`, one a line, with a line between that no rule reaches across."""
    if len(stretches) == 1 and stretches[0] == (0, len(view.text)):
        return view
    pieces: list[Piece] = []
    length = 0
    for start, end in stretches:
        pieces.append((length, length + end - start, start, end))
        length += end - start + len(_APART)
    text = _APART.join(view.text[start:end] for start, end in stretches)
    return TextView(text, source=view, pieces=lambda: pieces)


def _by_character(text: str, table: dict[int, str]) -> list[Piece]:
    resized = "".join(c for c in sorted(set(text)) if len(table[ord(c)]) != 1)
    if not resized:
        return [(0, len(text), 0, len(text))]
    pieces: list[Piece] = []
    position = plain = 0  # where the view has got to, and the text
    for match in re.finditer(f"[{re.escape(resized)}]", text):
        index = match.start()
        if index > plain:
            pieces.append((position, position + index - plain, plain, index))
            position += index - plain
        length = len(table[ord(match[0])])
        if length:
            pieces.append((position, position + length, index, index + 1))
            position += length
        plain = index + 1
    if len(text) > plain or not pieces:
        pieces.append((position, position + len(text) - plain, plain, len(text)))
    return pieces


def _replaced(
    view: TextView, changes: Sequence[tuple[int, int, str]], reading: str, **kind: bool
) -> Iterator[TextView]:
    """`view` with stretches replaced; `changes` is in order and does not overlap."""
    if not changes:
        return
    parts: list[str] = []
    pieces: list[Piece] = []
    length = last = 0
    for start, end, new in [*changes, (len(view.text), len(view.text), "")]:
        if start > last:
            pieces.append((length, length + start - last, last, start))
            parts.append(view.text[last:start])
            length += start - last
        if new:
            pieces.append((length, length + len(new), start, end))
            parts.append(new)
            length += len(new)
        last = end
    yield TextView("".join(parts), source=view, reading=reading, pieces=lambda: pieces, **kind)


# -- escapes


_ESCAPES = later(
    r"(?:%[0-9A-Fa-f]{2})+|&#[0-9]{1,7};?|&#[xX][0-9A-Fa-f]{1,6};?|&[A-Za-z]{2,8};|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}"
    # What stands on a drive is no escape: C:\new\tables.
    r"|(?<![^\W_])[A-Za-z]:(?:\\{1,2}[\w .-]+)+|\\[nrt]"
)
_BLANKS = {"\\n": "\n", "\\r": "\n", "\\t": "\t"}
_UNESCAPED = "unescaped"


def _unescaped(view: TextView) -> Iterator[TextView]:
    escapes = [(m.start(), m.end(), _unescape(m[0])) for m in _ESCAPES.finditer(view.text)]
    yield from _replaced(view, [f for f in escapes if f[2] != view.text[f[0] : f[1]]], _UNESCAPED)


def _unescape(escape: str) -> str:
    if escape[1] == ":":
        return escape
    if escape[0] == "%":
        return unquote(escape, errors="replace")
    if escape[0] == "&":
        return html.unescape(escape)
    if escape in _BLANKS:
        return _BLANKS[escape]
    return chr(int(escape.lstrip("\\uxUX"), 16))


#: Marks by which what stands behind is read from right to left, up to the mark that ends it.
_TURNED = later("[\u202e\u2067]([^\u202c\u2069\\n]*)")
_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_LETTERS_APART = later(r"(?<![^\W_])[^\W_](?: [^\W_](?![^\W_])){2,}")
_INNER_CAPITAL = later(r"(?<=[^\W\d_A-ZÀ-ÞА-Я])(?=[A-ZÀ-ÞА-Я])")


def unhidden(text: str) -> Iterator[str]:
    """Yield what is escaped, unseen, turned round, letter by letter or run together in a text, as one reads it."""
    if "%" in text or "\\" in text:
        yield _ESCAPES.sub(lambda escape: _unescape(escape[0]), text)
    if not text.isascii():
        yield text.translate(_TAGS)
        yield _TURNED.sub(lambda turned: turned[1][::-1], text)
    yield _LETTERS_APART.sub(lambda apart: apart[0].replace(" ", ""), text)
    apart = _INNER_CAPITAL.sub(" ", text)
    if apart != text:  # Its capitals name nobody.
        yield apart.lower()


# -- base64 and hexadecimal

_BLOBS = later(r"[0-9A-Za-z+/_-]{20,}={0,2}|(?:[0-9A-Fa-f]{2}[ :]){9,}[0-9A-Fa-f]{2}")
_BLOB_PARTS = later(r"[0-9A-Za-z+]{20,}={0,2}")
_HEX = later(r"(?:[0-9A-Fa-f]{2})+")
_BASE32 = later(r"[A-Z2-7]{24,}={0,6}")
_TO_STANDARD = str.maketrans("-_", "+/")


def _decoded(view: TextView) -> Iterator[TextView]:
    """All that is encoded in `view`, one text a line."""
    parts: list[str] = []
    pieces: list[Piece] = []
    length = 0
    for start, end, plain in _blobs(view.text):
        parts.append(plain)
        pieces.append((length, length + len(plain), start, end))
        length += len(plain) + 1
    if parts:
        yield TextView("\n".join(parts), source=view, reading="decoded", pieces=lambda: _opaque(pieces))


def decoded(text: str) -> Iterator[str]:
    """Yield what runs of base64 or hexadecimal digits in a text stand for, where that is text."""
    return (plain for _, _, plain in _blobs(text))


def _blobs(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _BLOBS.finditer(text):
        plain = _decode(match[0])
        if plain:
            yield match.start(), match.end(), plain
        else:
            # A path or a name may precede it: its separators are digits of base64 too.
            for part in _BLOB_PARTS.finditer(match[0]):
                plain = _decode(part[0])
                if plain:
                    yield match.start() + part.start(), match.start() + part.end(), plain


def _opaque(pieces: list[Piece]) -> list[Piece]:
    """So that a place in decoded text is never taken for a place in the code, were they as long."""
    return [
        (start, end, low, high) if end - start != high - low else (start, end + 1, low, high)
        for start, end, low, high in pieces
    ]


def _decode(blob: str) -> str | None:
    """The text that a run of base64 or hexadecimal digits stands for, if it is text."""
    digits = blob.translate({ord(" "): None, ord(":"): None}) if blob[2] in " :" else blob
    if len(digits) % 2 == 0 and _HEX.fullmatch(digits):
        return _as_text(bytes.fromhex(digits[:_LONGEST_BLOB]))
    if _BASE32.fullmatch(blob):
        plain = _as_text(base64.b32decode(blob.rstrip("=")[: len(blob.rstrip("=")) // 8 * 8]))
        if plain:
            return plain
    standard = blob.rstrip("=").translate(_TO_STANDARD)[:_LONGEST_BLOB]
    if len(standard) % 4 == 1:
        standard = standard[:-1]
    try:
        # The first characters say whether it is text: most runs are names, hashes and images.
        if _as_text(base64.b64decode(standard[:_SHORTEST_BLOB])) is None:
            return None
        return _as_text(base64.b64decode(standard + "=" * (-len(standard) % 4)))
    except binascii.Error:
        return None


def _as_text(data: bytes) -> str | None:
    if data[1::2].count(0) == len(data) // 2 and len(data) > 1:
        data = data[::2]  # UTF-16 of ASCII, as PowerShell encodes its commands
    try:
        # The sample may end within a character.
        text = codecs.utf_8_decode(data, "strict", False)[0]
    except UnicodeDecodeError:
        return None
    return text if sum(c.isprintable() or c in "\n\r\t" for c in text) >= 0.9 * max(len(text), 1) else None


# -- letters apart

_SPACED = later(r"(?<![^\W_])[^\W_](?:[ \t.*_|~·\-]{1,8}[^\W_](?![^\W_])){5,}")
_GAPS = later(r"[^\w]+|_+")


def _despaced(view: TextView) -> Iterator[TextView]:
    words: list[tuple[int, int, str]] = []
    squashed: list[tuple[int, int, str]] = []
    for match in _SPACED.finditer(view.text):
        gaps = [g.end() - g.start() for g in _GAPS.finditer(match[0])]
        least = min(gaps)
        even = max(gaps) == least
        joined = _GAPS.sub(lambda g, least=least: "" if g.end() - g.start() == least else " ", match[0])
        (squashed if even else words).append((match.start(), match.end(), joined))
    yield from _replaced(view, words, "letters joined")
    yield from _replaced(view, squashed, "letters joined", squashed=True)


# -- letters for letters

_LEET = str.maketrans("013457@$!|", "oieastasil")
_LEET_L = str.maketrans("013457@$!|", "oleastasll")


def _unleeted(view: TextView) -> Iterator[TextView]:
    yield TextView(view.text.translate(_LEET), full=False, source=view, reading="leet")
    if "1" in view.text or "!" in view.text:
        yield TextView(view.text.translate(_LEET_L), full=False, source=view, reading="leet")


def _unjoined(view: TextView) -> Iterator[TextView]:
    yield TextView(view.text.replace("_", " "), full=False, source=view, reading="underscores")


def _run_on(view: TextView) -> Iterator[TextView]:
    yield TextView(view.text, full=False, squashed=True, source=view, reading="run-on words")


_MARKS = later(r"\*\*?|__|~~|`|</?[A-Za-z]{1,8}/?>")


def _unmarked(view: TextView) -> Iterator[TextView]:
    yield from _replaced(
        view, [(m.start(), m.end(), "") for m in _MARKS.finditer(view.text)], "without markup"
    )


#: Between Markdown's underscores, which are a part of words otherwise: no word of a rule would begin there.
_STRESSED = later(
    r"(?<![0-9A-Za-z_])(__?)(?=[^\s_])(?:[^\n]{6,100}?|\S{6,250}?)(?<=[^\s_])\1(?![0-9A-Za-z_])"
)
_UNSTRESSED = "without stress"


def _unstressed(view: TextView) -> Iterator[TextView]:
    marks = [
        (place, place + len(match[1]), " " * len(match[1]))
        for match in _STRESSED.finditer(view.text)
        for place in (match.start(), match.end() - len(match[1]))
    ]
    yield from _replaced(view, marks, _UNSTRESSED)


def _unshifted(view: TextView) -> Iterator[TextView]:
    plain = view.text.lower()
    for shift in range(1, 26):
        if any(word in plain for word in _shifted_words(shift)):
            yield TextView(
                view.text.translate(_shift(shift)),
                full=False,
                source=view,
                reading=f"letters moved by {shift}",
            )


_TRANSPOSED = later(r"\b[A-Za-z]{5,14}\b")
#: Words of orders by their first letter, their last, and the letters between them in order.
_KNOWN_WORDS = {
    (word[0], word[-1], "".join(sorted(word[1:-1]))): word
    for word in (
        "ignore",
        "disregard",
        "forget",
        "override",
        "bypass",
        "previous",
        "prior",
        "earlier",
        "above",
        "instruction",
        "instructions",
        "directives",
        "orders",
        "prompt",
        "prompts",
        "rules",
        "guidelines",
        "system",
        "reveal",
        "print",
        "output",
        "password",
        "passwords",
        "everything",
        "developer",
        "assistant",
        "without",
        "restrictions",
        "delete",
        "memory",
        "conversation",
        "forward",
        "secret",
        "secrets",
        "follow",
        "execute",
        "always",
        "never",
        "before",
    )
}


def _untransposed(view: TextView) -> Iterator[TextView]:
    changes: list[tuple[int, int, str]] = []
    for match in _TRANSPOSED.finditer(view.text):
        word = match[0].lower()
        known = _KNOWN_WORDS.get((word[0], word[-1], "".join(sorted(word[1:-1]))))
        if known and known != word:
            changes.append((match.start(), match.end(), known))
    yield from _replaced(view, changes, "letters in order", full=False)


# -- numbers and signs for letters


_DIGITS = later(
    r"(?:(?:[01]{8})[ ,]{0,2}){5,}|(?:\b[0-9]{2,3}[ ,]{1,2}){7,}[0-9]{2,3}\b|(?:0x[0-9A-Fa-f]{2}[ ,]{0,2}){6,}"
)
_BINARY = later(r"[01]{8}")
_NUMBERS = later(r"[0-9]{2,3}")
_OCTETS = later(r"0x([0-9A-Fa-f]{2})")
_BYTE = 256


def _numbered(view: TextView) -> Iterator[TextView]:
    changes: list[tuple[int, int, str]] = []
    for match in _DIGITS.finditer(view.text):
        word = next((word for word in _spelled(match[0]) if word), None)
        if word:
            changes.append((match.start(), match.end(), f"{word} "))
    yield from _replaced(view, changes, "numbers as letters")


def _spelled(run: str) -> Iterator[str | None]:
    if run.startswith("0x"):
        yield _as_text(bytes.fromhex("".join(_OCTETS.findall(run))))
        return
    if not run.strip(" ,01"):
        yield _as_text(bytes(int(bits, 2) for bits in _BINARY.findall(run)))
    for base in (10, 8):
        try:
            values = [int(number, base) for number in _NUMBERS.findall(run)]
        except ValueError:
            continue
        if all(value < _BYTE for value in values):
            yield _as_text(bytes(values))


_MORSE_RUN = later(r"(?:[.\-]{1,5}[ /]{1,3}){7,}[.\-]{1,5}")
_SIGNS = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
_MORSE = dict(zip(re.findall(r"\S+", _SIGNS), _LATIN, strict=True))
_WORD_GAP = later(r" ?/ ?| {2,}")


def _telegraphed(view: TextView) -> Iterator[TextView]:
    changes: list[tuple[int, int, str]] = []
    for match in _MORSE_RUN.finditer(view.text):
        words = ["".join(_MORSE.get(sign, "") for sign in word.split()) for word in _WORD_GAP.split(match[0])]
        changes.append((match.start(), match.end(), " ".join(words)))
    yield from _replaced(view, changes, "morse", full=False)


_BRAILLE_RUN = later(r"[\u2800-\u28ff ]{4,}")
_CELLS = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"
_BRAILLE = {ord(cell): letter for cell, letter in zip(_CELLS, _LATIN, strict=True)} | {0x2800: " "}


def _embossed(view: TextView) -> Iterator[TextView]:
    runs = [(m.start(), m.end(), m[0].translate(_BRAILLE)) for m in _BRAILLE_RUN.finditer(view.text)]
    yield from _replaced(view, runs, "braille", full=False)
    # The blank cell is a character that nobody sees: it may be gone already.
    yield from _replaced(view, runs, "braille", full=False, squashed=True)


_EMOJI = later("[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]+")


def _without_emoji(view: TextView) -> Iterator[TextView]:
    yield from _replaced(
        view, [(m.start(), m.end(), " ") for m in _EMOJI.finditer(view.text)], "without emoji"
    )


_REVERSIBLE = later(r"[^\W_]{2,}")


def _reversed(view: TextView) -> Iterator[TextView]:
    yield from _replaced(
        view,
        [(m.start(), m.end(), m[0][::-1]) for m in _REVERSIBLE.finditer(view.text)],
        "words reversed",
        full=False,
    )
    length = len(view.text)
    backwards = view.text[::-1]
    yield TextView(
        backwards,
        source=view,
        reading="reversed",
        pieces=lambda: [(i, i + 1, length - i - 1, length - i) for i in range(length)],
    )


_DERIVE: dict[str, Callable[[TextView], Iterator[TextView]]] = {
    "control": _unmasked,
    "escapes": _unescaped,
    "blob": _decoded,
    "spaced": _despaced,
    "leet": _unleeted,
    "joined": _unjoined,
    "run-on": _run_on,
    "marked": _unmarked,
    "stressed": _unstressed,
    "shifted": _unshifted,
    "transposed": _untransposed,
    "digits": _numbered,
    "morse": _telegraphed,
    "braille": _embossed,
    "emoji": _without_emoji,
    "reversed": _reversed,
}
