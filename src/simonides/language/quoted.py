"""Quotation marks of every script, by what Unicode says of them; in doubt words between marks are quoted.

Linear: a text is read once.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.tables import worded

#: Stands for a quotation: what is stated around one is not understood without it.
QUOTATION: Final = "\ufffc"

#: All that Unicode calls initial or final punctuation, brackets other than round, square and curly ones, and what it
#: names quotation mark, prime, grave or acute.
DOUBLE: Final = (
    '"＂«»“”„‟⹂〝〞〟❝❞❠🙶🙷🙸″‴‶‷⁗˝˵˶ˮ⟪⟫《》〈〉〈〉⟨⟩「」『』｢｣﹁﹂﹃﹄【】〖〗〔〕〘〙〚〛⦅⦆｟｠⸨⸩⸢⸣⸤⸥⸦⸧⟦⟧⟬⟭⟮⟯'
    "⸂⸃⸄⸅⸉⸊⸌⸍⸜⸝⸠⸡❨❩❪❫❬❭❮❯❰❱❲❳❴❵⁅⁆⌈⌉⌊⌋︗︘︵︶︷︸︹︺︻︼︽︾︿﹀﹇﹈﹙﹚﹛﹜﹝﹞"
    "\u2329\u232a༺༻༼༽᚛᚜⁽⁾₍₎⟅⟆⦃⦄⦇⦈⦉⦊⦋⦌⦍⦎⦏⦐⦑⦒⦓⦔⦕⦖⦗⦘⧘⧙⧚⧛⧼⧽⹕⹖⹗⹘⹙⹚⹛⹜﴾﴿"
)
SINGLE: Final = "'＇‘’‚‛‹›`´｀❛❜❟ʹʺʼˊˋˎˏ՚′‵ߴߵ˴"

_MARK: Final = later(
    rf"(?P<double>[{re.escape(DOUBLE)}]|''|``|´´|``|\(\(|\)\)|<<|>>)|(?P<single>[{re.escape(SINGLE)}])"
)
#: Opens what is quoted even where nothing closes it. A straight mark may be an apostrophe, or inches.
_ONLY_OPENS: Final = frozenset("“„«「『〝‹｢⟪《❝﹁﹃‟⹂❛‚")
_ONLY_CLOSES: Final = frozenset("」』〞｣⟫》❞﹂﹄❜")
_MEASURES: Final = frozenset("\"'′″’”´")

#: Words, and Chinese characters, of the longest quotation that is but a name or a term.
_TERM_WORDS: Final = 2
_TERM_CHARS: Final = 4
_PLACES: Final = later(rf"[{CJK}]|[^\W{CJK}]+")
_CJK: Final = later(f"[{CJK}]")
_SPEAKS: Final = worded(
    "spoken",
    r"(?:\b{before_quotations}(?: \w+){0,2}[,:]?|{han_before_quotations}|[:：])[ \t\n]{0,3}\Z",
)

_ENTITY: Final = later(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8}\d{0,2});")
#: Full-width forms, but for the punctuation that Chinese is written with.
_NARROW: Final = {
    place: unicodedata.normalize("NFKC", chr(place))
    for place in range(0xFF01, 0xFF5F)
    if chr(place) not in "！，．：；？（）"
}


class _Unseen(dict[int, str | None]):
    """Table for `str.translate` that drops characters which are not seen, and narrows wide ones."""

    def __missing__(self, place: int) -> str | None:
        if unicodedata.category(chr(place)) in {"Cf", "Cc"} and chr(place) not in "\n\t":
            plain = "\n" if chr(place) in "\r\x0b\x0c\x85" else None
        else:
            plain = _NARROW.get(place, chr(place))
        self[place] = plain
        return plain


_UNSEEN: Final = _Unseen()


def plain(text: str) -> str:
    """A text as a reader sees it: entities resolved, nothing unseen, Latin letters and marks in their usual width."""
    text = text.replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n\n")
    if "&" in text:
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return text if text.isascii() and "\r" not in text else text.translate(_UNSEEN)


def without_quotations(text: str) -> str:
    """A text with `QUOTATION` for whatever stands between marks; a short name or term stays as it is."""
    kept: list[str] = []
    at = 0
    for start, end in quoted_spans(text):
        kept.append(text[at:start])
        quotation = text[start:end]
        kept.append(quotation if _is_term(text, start, quotation) else QUOTATION)
        at = end
    return "".join([*kept, text[at:]])


def _is_term(text: str, start: int, quotation: str) -> bool:
    least = _TERM_CHARS if _CJK.search(quotation) else _TERM_WORDS + 1
    return len(_PLACES.findall(quotation)) < least and not _SPEAKS.search(text, max(start - 40, 0), start)


def quoted_spans(text: str) -> Iterator[tuple[int, int]]:
    """Bounds of quotations. What was opened in a way that nothing closes goes on to the end."""
    opened: tuple[int, str, str] | None = None
    behind = 0
    for match in _MARK.finditer(text):
        kind, mark = match.lastgroup or "", match[0]
        if kind == "single" and _inside_a_word(text, match):
            continue
        if opened is not None and opened[1] == "single" and text.find("\n", opened[0], match.start()) >= 0:
            opened = None  # An apostrophe, as in "the parents' house".
        if opened is None:
            if _only_ends(text, match):
                if mark not in _MEASURES or kind == "double":
                    start = max(behind, text.rfind("\n", behind, match.start()) + 1)
                    if kind == "double" and not text[max(match.start() - 1, 0) : match.start()].isdigit():
                        yield start, match.end()
                        behind = match.end()
                continue
            if _begins(text, match):
                opened = match.start(), kind, mark
        elif kind == opened[1] and (kind == "double" or _ends(text, match) or mark in _ONLY_CLOSES):
            yield opened[0], match.end()
            behind, opened = match.end(), None
    if opened is not None and (opened[1] == "double" or opened[2] in _ONLY_OPENS):
        yield opened[0], len(text)


def _inside_a_word(text: str, match: re.Match[str]) -> bool:
    before, after = text[max(match.start() - 1, 0) : match.start()], text[match.end() : match.end() + 1]
    return before.isalnum() and after.isalnum() and not _CJK.match(before + after)


def _begins(text: str, match: re.Match[str]) -> bool:
    """True if a mark may begin a quotation: none does behind a figure or, if it is a straight one, before a gap."""
    if match[0] in _ONLY_OPENS:
        return True
    before, after = text[max(match.start() - 1, 0) : match.start()], text[match.end() : match.end() + 1]
    if match[0] in _MEASURES and before.isdigit():
        return False
    if match.lastgroup == "single":
        return not before.isalnum() and bool(after.strip())
    return True


def _ends(text: str, match: re.Match[str]) -> bool:
    after = text[match.end() : match.end() + 1]
    return not after.isalnum() or bool(_CJK.match(after))


def _only_ends(text: str, match: re.Match[str]) -> bool:
    """True if a mark that nothing was opened for ends words: what stands before it is quoted."""
    if match[0] in _ONLY_CLOSES:
        return True
    before, after = text[max(match.start() - 1, 0) : match.start()], text[match.end() : match.end() + 1]
    return (
        match[0] in '"”“«»'
        and bool(before.strip())
        and before not in "(（[:：,，"
        and not after.strip()
        and not before.isdigit()
    )
