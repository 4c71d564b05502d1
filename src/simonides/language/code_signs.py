"""Signs that mean something in a text as they do in code: operators, signs of numbers, flags, bounds of intervals.

Tokens pass over marks, which mostly only decorate; these here do not: `-2` is not `+2`, `a && b` not `a || b`. Pure;
linear.
"""

from __future__ import annotations

import re
from typing import Final

from simonides.domain.pattern import later
from simonides.language.decoration import with_signs
from simonides.language.tokens import MAX_CHARS

#: Without one of these no text is read closer.
_ANY: Final = later(r"[-+*/<>=!&|^~%$#\\−–\[{]")
_ADDRESS: Final = later(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_BULLETS: Final = later(r"^[ \t]*(?:(?:[-+•·>]|\*{1,3}|#{1,6}|//)[ \t]+)+", re.MULTILINE)
#: A dash may stand close to a word.
_DASHES: Final = later(r"[—―]|–(?!\d)")
#: Tags of markup, and placeholders: `<br>`, `<ticket>`.
_TAG: Final = later(
    r"</?[A-Za-z][\w.-]{0,60}(?:\s+[\w-]{1,40}=(?:\"[^\"<>]{0,200}\"|'[^'<>]{0,200}'|\w+)){0,9}\s*/?>"
)
_SIGN: Final = later(
    r"""
      (?P<interval> \[ [^][()\n]{1,40}, [^][()\n]{1,40} [\])] | \( [^][()\n]{1,40}, [^][()\n]{1,40} \] )
    | (?P<alone> \[[xX]\] | \[\] | \{\} | (?<=\w)\+\+(?!\w) | (?<=\b[A-Z])\#(?!\w) | \$(?=[A-Za-z{(]) | \\\S )
    | (?P<flag> (?<![\w)\]}.:%&/+*=<>!~^|-]) (?: --? | \+ ) \w [\w.-]* )
    | (?P<run> (?: ->> | [<>=!&|^~+*/%-] ){1,20} )
    """,
    re.VERBOSE,
)
#: Of a sign that follows its word at once, as in `*.tmp` and `src/`, that word; else the one behind.
_NEXT: Final = later(r"[\s\"'`“”‘’(]{0,3}(\w*(?:\.\w+)*)")
_WORD_CHARS: Final = 40
#: Rules, smileys and calls repeat a sign; code hardly does.
_DRAWN: Final = later(r"-{2,}|={4,}|[*_~!]{3,}|!+|=|-|\^{2,}")


def signs_of_code(text: str) -> tuple[str, ...]:
    """The signs of a text that mean something as in code, each with the word that it belongs to, sorted.

    Of ordinary writing nothing counts: hyphens, dashes and bullets, emphasis, exclamation marks, per cent, "and/or",
    "R&D", an equals sign alone, what stands in addresses. Case counts in flags: `-r` is not `-R`.
    """
    text = text[:MAX_CHARS]
    if _ANY.search(text) is None:
        return ()
    text = _TAG.sub(lambda tag: f" {tag[0].strip('</>')} ", text)
    text = _BULLETS.sub("", with_signs(_DASHES.sub(", ", _ADDRESS.sub("", text))))
    return tuple(sorted(sign for match in _SIGN.finditer(text) if (sign := _meant(match))))


def _meant(match: re.Match[str]) -> str:
    """A sign as it is compared; empty where it means nothing."""
    written = match[0]
    if match.lastgroup == "interval":
        return "".join(written.split())
    if match.lastgroup == "flag":
        return written.rstrip(".-")
    if match.lastgroup == "alone" or not _decorates(match):
        return written + _word_of(match)
    return ""


def _word_of(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    if start and not text[start - 1].isspace() and not text[end : end + 1].isalnum():
        before = re.findall(r"\w+", text[max(start - _WORD_CHARS, 0) : start])
        return f" behind {before[-1].casefold()}" if before else ""
    following = _NEXT.match(text, end)
    return f" {following[1].casefold()}" if following and following[1] else ""


def _decorates(match: re.Match[str]) -> bool:
    """True if signs belong to ordinary writing where they stand."""
    run, text = match[0], match.string
    before, behind = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if run == "!":
        return not (behind.isalnum() or behind in {"(", "_", "$"}) or before.isalnum() or not behind
    if (
        "**" in run and "/" not in run
    ):  # Emphasis, or what is left of it; a power has something on both sides.
        rest = run.strip("*")
        power = (before.isalnum() and behind.isalnum()) or (before == behind == " ")
        return not power if not rest else _DRAWN.fullmatch(rest) is not None or rest in {">", "+"}
    if run in {"/", "&"}:
        between = before.isalnum() and behind.isalnum()
        return between or (run == "&" and before == behind == " ")
    if run == "%":
        return before.isdigit() or text[: match.start()].rstrip()[-1:].isdigit()
    if run in {"^", "~"} and not (behind.isalnum() or behind in set("\\[(/.") or before == behind == " "):
        return True
    return _DRAWN.fullmatch(run) is not None
