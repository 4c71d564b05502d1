"""Looks of characters: folding look-alikes, invisible and decorated characters to plain text.

Two tables for `str.translate`, filled as characters are met. The tables are small and our
own; they cover the letters that are used to disguise English, not Unicode's whole list.
"""

import unicodedata

# Each pair: a Latin letter and the letters of other scripts drawn like it.
_LOOK_ALIKES = {
    "a": "аαаɑ⍺ᴀ",
    "b": "ЬвʙḄᏏ",
    "c": "сϲᴄⅽᏟ",
    "d": "ԁɗᴅⅾᏧ",
    "e": "еєεҽᴇℯэ",
    "f": "ꜰƒϝ",
    "g": "ɡɢԍց",
    "h": "һʜհнℎ",
    "i": "іιıɪⅰӏɩ",
    "j": "јϳᴊ",
    "k": "кκᴋⲕ",
    "l": "ⅼʟℓ",
    "m": "мᴍⅿ",
    "n": "пηɴռո",
    "o": "оοσօᴏ๐০",
    "p": "рρᴘ",
    "q": "ԛգ",
    "r": "гʀⲅᴦ",
    "s": "ѕꜱʂ",
    "t": "тτᴛ",
    "u": "υսᴜʋц",
    "v": "ѵνᴠⅴ",
    "w": "ѡԝᴡωшա",
    "x": "хχⅹ",
    "y": "уγʏүყ",
    "z": "ᴢʐ",
    "A": "АΑᎪ",
    "B": "ВΒᏴ",
    "C": "СϹᏟ",
    "E": "ЕΕᎬ",
    "G": "ԌᏀ",
    "H": "НΗᎻ",
    "I": "ІΙӀ",
    "J": "ЈᎫ",
    "K": "КΚᏦ",
    "M": "МΜᎷ",
    "N": "Ν",
    "O": "ОΟՕ",
    "P": "РΡᏢ",
    "S": "ЅᏚ",
    "T": "ТΤᎢ",
    "U": "Ս",
    "V": "ѴᏙ",
    "W": "ԜᎳ",
    "X": "ХΧ",
    "Y": "УΥҮ",
    "Z": "ΖᏃ",
    "/": "∕⁄⧸",
    ":": "：ː∶",
    ".": "․。",
    # Latin letters with a stroke do not decompose.
    "D": "Đ",
    "L": "Ł",
}
# Punctuation that says the same in every script. What an ellipsis parts stands apart.
_PUNCTUATION = {
    other: plain
    for plain, others in {"-": "‐‑‒–—―−", "... ": "…", "'": "’‘ʼ′", '"': "“”„«»″"}.items()
    for other in others
}
_STROKED = {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ŧ": "t", "ß": "ss", "æ": "ae", "œ": "oe"}

_FIRST_VARIATION_BYTE = 16  # variation selectors 17 to 256 are used to carry the bytes 16 to 255


def _clean(code: int) -> str:
    """One character as read: compatibility forms plain, invisible ones gone, hidden ones shown."""
    if code < 0x80:
        return chr(code) if 0x20 <= code < 0x7F or code in {0x09, 0x0A, 0x0D} else ""
    if 0xE0020 <= code <= 0xE007E:  # tag characters: ASCII that is not drawn
        return chr(code - 0xE0000)
    if 0xE0100 <= code <= 0xE01EF:
        byte = code - 0xE0100 + _FIRST_VARIATION_BYTE
        return chr(byte) if 0x20 <= byte < 0x7F else ""
    if 0x1F130 <= code <= 0x1F189:  # squared and circled capitals, partly without a compatibility form
        return chr(ord("A") + (code - 0x1F130) % 0x20) if (code - 0x1F130) % 0x20 < 26 else chr(code)
    if 0x1F1E6 <= code <= 0x1F1FF:
        return chr(ord("A") + code - 0x1F1E6)
    character = chr(code)
    if character in _PUNCTUATION:
        return _PUNCTUATION[character]
    if code in _INVISIBLE or unicodedata.category(character) == "Cf":
        return ""
    if 0xAC00 <= code <= 0xD7A3:
        return character
    return unicodedata.normalize("NFKC", character)


def _folded(code: int) -> str:
    """One character as it looks to somebody who reads Latin letters: no accents, no look-alikes."""
    return "".join(_unaccented(c) for c in _clean(code))


def _unaccented(character: str) -> str:
    if character.isascii():
        return character
    plain = _LATIN.get(character)
    if plain is not None:
        return plain
    if ord(character) > _LAST_ACCENTED:
        return character
    letters = unicodedata.normalize("NFD", character)
    return "".join(_LATIN.get(c, c) for c in letters if not 0x300 <= ord(c) < 0x370)


_INVISIBLE = {
    0x034F,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    0x180B,
    0x180C,
    0x180D,
    0x180F,
    0x2800,
    0x3164,
    0xFFA0,
} | set(range(0xFE00, 0xFE10))
_LATIN = {other: latin for latin, others in _LOOK_ALIKES.items() for other in others} | _STROKED
_LAST_ACCENTED = 0x1FFF  # the end of the Greek and Latin letters that carry accents


class CleanTable(dict[int, str]):
    """For `str.translate`: characters to what they say. At most one entry per code point."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _clean(code)
        return plain


class FoldTable(dict[int, str]):
    """For `str.translate`: characters to the Latin letters that they look like."""

    def __missing__(self, code: int) -> str:
        self[code] = seen = _folded(code)
        return seen


CLEAN = CleanTable()
FOLD = FoldTable()
