"""Decoration of a text, which says nothing: quotation marks around it, a label before it, an emoji behind it.

What is left without it is the one form in which texts are held against each other. Pure; linear.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import normalised
from simonides.language.quantities import UNITS

_DRAWN: Final = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ′‛", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("–—―−‑‒", "-"),
        "…": "...",
        "\ufe0f": None,
        "\u200b": None,
        "\u00ad": None,
    }
)
#: A link of a word or a few; its target is kept beside the text.
_LINK: Final = later(r"(?<!!)\[([^\[\]\n]{1,80})\]\((?P<target>[^()\s]{1,500})(?: \"[^\"\n]{0,80}\")?\)")
_BULLETS: Final = later(r"^(?:(?:[-*+•·>]|#{1,6}|\d{1,3}[.)])\s+)+")
_EMPHASIS: Final = later(r"(?<!\w)[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}(?!\w)")
_MARKED: Final = later("[*_`~]")
_UNDERLINES: Final = later(r"(?<!\w)[_`]{1,3}(?=\S)|(?<=\S)[_`]{1,3}(?!\w)")
_PAIRED: Final = later(
    r"^(?P<around>\*{2,3})(?=[^\s*/.])(?P<whole>.*[^\s*/])(?P=around)(?=\W*$)"
    r"|(?<![\w/.\\)*~])(?P<mark>\*{1,3}|~~)(?=[^\s*~])(?P<words>[^*~\n]{1,400})(?<=[^\s*~])(?P=mark)(?![\w/*~]|\.\w)"
)
#: Announces what is only told; "Correction:" and "Update:" say more.
_LABEL: Final = later(
    r"^(?:(?:(?:please |just a )?(?:note|notes|nb|n\.b\.|fyi|reminder|memo|for the record|side note|quick note)"
    r"|rappel|pour info|hinweis|notiz|merke|zur info|заметка|примечание|напоминание|к сведению)"
    r"(?:\s?:|\s-)\s+|(?:注意|备注|备忘|提醒|笔记|附注)[:：]\s*)(?=\S)",
    re.IGNORECASE,
)
_PAIRS: Final = {
    '"': '"',
    "'": "'",
    "(": ")",
    "[": "]",
    "{": "}",
    "「": "」",
    "『": "』",
    "（": "）",
    "《": "》",
}
#: These deny, doubt or grade what they stand behind.
_TELLING_SIGNS: Final = frozenset("👎❌❎🚫⛔❓❔❗✖✗✘☐☑✅✔✓🙅🤔😏🙃😜😉🤥🔴🟢🟡🟠👌🏻")
#: What stands before is looked at behind the first digit: a pattern that begins with a set is searched for much faster.
_UNIT: Final = later(r"(\d(?<![\w.,:].)[\d.,:]*)[ \u00a0]?(%|°c|[a-zµ]{1,4})(?![\w.]*\w)", re.IGNORECASE)
_APOSTROPHE: Final = re.compile(r"(?<=\w)'(?=\w)")
_CLOSING: Final = ".!。！"
_ENDS: Final = f" {_CLOSING}"
_MOST_LAYERS: Final = 6


def undecorated(text: str) -> str:
    """A text without what only decorates it; its case, its lines and its last full stop stay as they are."""
    return _without(text, lambda plain: _EMPHASIS.sub("", plain) if _MARKED.search(plain) else plain)


def with_signs(text: str) -> str:
    """As `undecorated`, but asterisks and tildes go only where they stand in pairs around words: others may be code."""
    return _without(text, lambda plain: _PAIRED.sub(r"\g<whole>\g<words>", _UNDERLINES.sub("", plain)))


def _without(text: str, emphasised: Callable[[str], str]) -> str:
    plain = unicodedata.normalize("NFC", text.strip()).translate(_DRAWN)
    plain = _LINK.sub(r"\1", plain) if "](" in plain else plain
    for _ in range(_MOST_LAYERS):
        bare = _behind(_LABEL, _behind(_BULLETS, _without_signs(plain)))
        bare = emphasised(_unwrapped(bare)).strip()
        if bare == plain:
            break
        plain = bare or plain
    return _UNIT.sub(_apart, plain)


def _behind(opening: re.Pattern[str], text: str) -> str:
    """A text without what it begins with."""
    match = opening.match(text)
    return text[match.end() :] if match else text


def plain_form(text: str) -> str:
    """A text as it is compared with others: undecorated, without case and the marks at its end."""
    return undecorated(normalised(text)).strip(_ENDS).casefold()


def other_links(one: str, other: str) -> bool:
    """True if both texts link to something, and not to the same."""
    first, second = _targets(one), _targets(other)
    return bool(first) and bool(second) and first != second


def _targets(text: str) -> set[str]:
    return {match["target"] for match in _LINK.finditer(text)} if "](" in text else set()


def _without_signs(text: str) -> str:
    """A text without the emoji at its end, before its last full stop or behind it."""
    core = text.rstrip(_CLOSING)
    end = len(core)
    while end and (core[end - 1].isspace() or _decorates(core[end - 1])):
        end -= 1
    return core[:end] + text[len(core) :] if end else text


def _decorates(sign: str) -> bool:
    return (unicodedata.category(sign) in {"So", "Sk"} and sign not in _TELLING_SIGNS) or sign == "\u200d"


def _unwrapped(text: str) -> str:
    """A text without marks that stand in pairs around all of it."""
    while len(core := text.rstrip(_CLOSING)) > 2:
        if core[-1] != _PAIRS.get(core[0]) or not _is_around(core[0], core[1:-1]):
            break
        text = core[1:-1].strip() + text[len(core) :]
    return text


def _is_around(opening: str, inner: str) -> bool:
    """True if a mark that opens before a text closes behind it, and not within: not "yes" or "no"."""
    closing = _PAIRS[opening]
    if opening == closing:
        inner = _APOSTROPHE.sub("", inner)
        at = inner.find(opening)
        if at < 0:
            return True
        opens = not inner[at + 1 : at + 2].isspace() and (at == 0 or not inner[at - 1].isalnum())
        return opens and at + 1 < len(inner)
    depth = 0
    for sign in inner:
        depth += (sign == opening) - (sign == closing)
        if depth < 0:
            return False
    return depth == 0


def _apart(match: re.Match[str]) -> str:
    """A number and its unit as two words: 5 pm, 80 %."""
    number, unit = match[1], match[2]
    known = unit.casefold() in {"%", "am", "pm", "°c"} or (unit.islower() and unit in UNITS)
    return f"{number} {unit}" if known else match[0]
