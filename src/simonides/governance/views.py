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
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import unquote

from simonides.governance.confusables import CLEAN, FOLD

#: A stretch of a view and where it comes from: view start, view end, source start, source end.
Piece = tuple[int, int, int, int]

#: What in a text calls for a view; part of the gate.
TRIGGERS = {
    "control": r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]",
    "escapes": r"%[0-9a-f]{2}|&#?\w{2,8};|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}",
    "blob": r"[0-9a-z+/_-]{20}|(?:[0-9a-f]{2}[ :]){10}",
    "spaced": r"(?:\b[a-z0-9][ .*_|~-]{1,8}){5}[a-z0-9]\b",
    "leet": r"[a-z][013457@$!|][a-z]|\b[013457@$!|][a-z]{2}",
    "joined": r"(?:ignor|disregard|forget|overrid|bypass|reveal|delete|system)[a-z]*_[a-z]",
    "run-on": r"(?:ignore|disregard|forget|override|bypass)(?:all|any|every|the|your|previous|prior|above|earlier)",
    "marked": r"[a-z](?:\*\*?|__|~~|`|</?[a-z]{1,8}/?>)[a-z]",
    "rot13": r"vtaber|qvfertneq|sbetrg|vafgehpgvba|cerivbhf|cebzcg|cnffjbeq",
    "reversed": r"erongi|drageresid|tegrof|snoitcurtsni|suoiverp|tpmorp|drowssap|_[oprsu]hg\b",
}

#: The longest run that is decoded at once, in characters.
_LONGEST_BLOB = 16_384
_SHORTEST_BLOB = 20


@dataclass(frozen=True)
class View:
    """A reading of a text, or of another view.

    `full` says whether all rules read it: a view in which letters stand for other letters is
    read for orders to a model only. `reading` says in words how it was come by; empty for the text itself.
    """

    text: str
    full: bool = True
    squashed: bool = False
    reading: str = ""
    source: "View | None" = None
    pieces: Callable[[], Sequence[Piece]] | None = field(default=None, compare=False)

    @property
    def readings(self) -> tuple[str, ...]:
        """How the text as written was read to come by this, one step after the other."""
        before = self.source.readings if self.source else ()
        return (*before, self.reading) if self.reading else before

    @cached_property
    def _pieces(self) -> Sequence[Piece]:
        return self.pieces() if self.pieces else ()

    @cached_property
    def _starts(self) -> list[int]:
        return [piece[0] for piece in self._pieces]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the text as written; at least the whole of what hides it."""
        if self.pieces is not None:
            low, high = self._place(start)
            last_low, last_high = self._place(max(end - 1, start))
            start, end = min(low, last_low), max(high, last_high)
        return self.source.span(start, end) if self.source else (start, end)

    def _place(self, position: int) -> tuple[int, int]:
        """Where one character comes from: a character, or all of what was replaced by it and others."""
        piece = self._pieces[max(bisect_right(self._starts, position) - 1, 0)]
        view_start, view_end, source_start, source_end = piece
        if view_end - view_start != source_end - source_start:
            return source_start, source_end
        place = source_start + min(position, view_end - 1) - view_start
        return place, place + 1


def readings(view: View) -> list[View]:
    """`view` itself, or what it says and what it looks like where that is not plain ASCII."""
    return [view] if view.text.isascii() or not view.full else list(_unmasked(view))


def _unmasked(view: View) -> Iterator[View]:
    """What the characters say, and then, if it is something else, what they look like."""
    clean = _translated(view.text, CLEAN)
    if clean == view.text:
        yield view
    else:
        yield View(clean, source=view, reading="cleaned", pieces=lambda: _by_character(view.text, CLEAN))
    folded = _translated(view.text, FOLD)
    if folded != clean:
        yield View(folded, source=view, reading="look-alikes", pieces=lambda: _by_character(view.text, FOLD))


#: Characters that the tables may change, and what stands between them: most text has few.
_UNUSUAL = re.compile(r"[^\t\n\r\x20-\x7e][^\x21-\x7e]*")


def _translated(text: str, table: dict[int, str]) -> str:
    return _UNUSUAL.sub(lambda run: run[0].translate(table), text)


def derived_views(view: View, triggers: Mapping[str, Sequence[tuple[int, int]]]) -> Iterator[View]:
    """The readings of `view` that the triggers in it call for, of the stretches that each stands in."""
    for name, stretches in triggers.items():
        yield from _DERIVE[name](_only(view, stretches))


def _only(view: View, stretches: Sequence[tuple[int, int]]) -> View:
    """The stretches of `view`, one a line."""
    if len(stretches) == 1 and stretches[0] == (0, len(view.text)):
        return view
    pieces: list[Piece] = []
    length = 0
    for start, end in stretches:
        pieces.append((length, length + end - start, start, end))
        length += end - start + 1
    text = "\n".join(view.text[start:end] for start, end in stretches)
    return View(text, source=view, pieces=lambda: pieces)


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
    view: View, found: Sequence[tuple[int, int, str]], reading: str, **kind: bool
) -> Iterator[View]:
    """`view` with stretches replaced; `found` is in order and does not overlap."""
    if not found:
        return
    parts: list[str] = []
    pieces: list[Piece] = []
    length = last = 0
    for start, end, new in [*found, (len(view.text), len(view.text), "")]:
        if start > last:
            pieces.append((length, length + start - last, last, start))
            parts.append(view.text[last:start])
            length += start - last
        if new:
            pieces.append((length, length + len(new), start, end))
            parts.append(new)
            length += len(new)
        last = end
    yield View("".join(parts), source=view, reading=reading, pieces=lambda: pieces, **kind)


# -- escapes


_ESCAPES = re.compile(
    r"(?:%[0-9A-Fa-f]{2})+|&#[0-9]{1,7};?|&#[xX][0-9A-Fa-f]{1,6};?|&[A-Za-z]{2,8};|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}"
)


def _unescaped(view: View) -> Iterator[View]:
    found = [(m.start(), m.end(), _unescape(m[0])) for m in _ESCAPES.finditer(view.text)]
    yield from _replaced(view, [f for f in found if f[2] != view.text[f[0] : f[1]]], "unescaped")


def _unescape(escape: str) -> str:
    if escape[0] == "%":
        return unquote(escape, errors="replace")
    if escape[0] == "&":
        return html.unescape(escape)
    return chr(int(escape.lstrip("\\uxUX"), 16))


# -- base64 and hexadecimal

_BLOBS = re.compile(r"[0-9A-Za-z+/_-]{20,}={0,2}|(?:[0-9A-Fa-f]{2}[ :]){9,}[0-9A-Fa-f]{2}")
_BLOB_PARTS = re.compile(r"[0-9A-Za-z+]{20,}={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+")
_TO_STANDARD = str.maketrans("-_", "+/")


def _decoded(view: View) -> Iterator[View]:
    """All that is encoded in `view`, one text a line."""
    parts: list[str] = []
    pieces: list[Piece] = []
    length = 0
    for start, end, said in _blobs(view.text):
        parts.append(said)
        pieces.append((length, length + len(said), start, end))
        length += len(said) + 1
    if parts:
        yield View("\n".join(parts), source=view, reading="decoded", pieces=lambda: _opaque(pieces))


def _blobs(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _BLOBS.finditer(text):
        said = _decode(match[0])
        if said:
            yield match.start(), match.end(), said
        else:
            # A path or a name may precede it: its separators are digits of base64 too.
            for part in _BLOB_PARTS.finditer(match[0]):
                said = _decode(part[0])
                if said:
                    yield match.start() + part.start(), match.start() + part.end(), said


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
        said = codecs.utf_8_decode(data, "strict", False)[0]
    except UnicodeDecodeError:
        return None
    return said if sum(c.isprintable() or c in "\n\r\t" for c in said) >= 0.9 * max(len(said), 1) else None


# -- letters apart

_SPACED = re.compile(r"(?<![^\W_])[^\W_](?:[ \t.*_|~·\-]{1,8}[^\W_](?![^\W_])){5,}")
_GAPS = re.compile(r"[^\w]+|_+")


def _despaced(view: View) -> Iterator[View]:
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


def _unleeted(view: View) -> Iterator[View]:
    yield View(view.text.translate(_LEET), full=False, source=view, reading="leet")
    if "1" in view.text or "!" in view.text:
        yield View(view.text.translate(_LEET_L), full=False, source=view, reading="leet")


def _unjoined(view: View) -> Iterator[View]:
    yield View(view.text.replace("_", " "), full=False, source=view, reading="underscores")


def _run_on(view: View) -> Iterator[View]:
    yield View(view.text, full=False, squashed=True, source=view, reading="run-on words")


_MARKS = re.compile(r"\*\*?|__|~~|`|</?[A-Za-z]{1,8}/?>")


def _unmarked(view: View) -> Iterator[View]:
    yield from _replaced(
        view, [(m.start(), m.end(), "") for m in _MARKS.finditer(view.text)], "without markup"
    )


def _rotated(view: View) -> Iterator[View]:
    yield View(codecs.encode(view.text, "rot13"), full=False, source=view, reading="rot13")


def _reversed(view: View) -> Iterator[View]:
    length = len(view.text)
    backwards = view.text[::-1]
    yield View(
        backwards,
        source=view,
        reading="reversed",
        pieces=lambda: [(i, i + 1, length - i - 1, length - i) for i in range(length)],
    )


_DERIVE: dict[str, Callable[[View], Iterator[View]]] = {
    "control": _unmasked,
    "escapes": _unescaped,
    "blob": _decoded,
    "spaced": _despaced,
    "leet": _unleeted,
    "joined": _unjoined,
    "run-on": _run_on,
    "marked": _unmarked,
    "rot13": _rotated,
    "reversed": _reversed,
}
