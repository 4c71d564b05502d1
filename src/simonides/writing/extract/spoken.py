"""What of a message its sender says: without memories that were put in, quotations, code, logs and pasted texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK

#: Characters of a turn that are looked through. What is longer is a document, whose beginning tells what is asked.
_MOST_CHARS: Final = 20_000

_FRAME: Final = re.compile(r"<<memory ([0-9a-f]+)>>.*?<</memory \1>>|<<memory [0-9a-f]+>>.*", re.DOTALL)
_BLOCK: Final = re.compile(r"\[MEMORY: [^\n]*.*?(?:\[/MEMORY\]|\Z)", re.DOTALL)
_PROPOSALS: Final = re.compile(r"<MEMORY_PROPOSALS_JSON>.*?(?:</MEMORY_PROPOSALS_JSON>|\Z)", re.DOTALL)
_CATALOG: Final = re.compile(r'\{\s*"memory_catalog"[^\n]*')
_HEADER: Final = re.compile(r"Reference material from long-term memory\.[^\n]*")
_SECTIONS: Final = re.compile(
    r"^## (?:Facts|Profiles|Timeline|Evidence)\n(?:[ \t]*-[^\n]*(?:\n|\Z))+", re.MULTILINE
)

_CODE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
#: From here on somebody else's letter.
_LETTER: Final = re.compile(
    r"^(?:(?:On|Am|Le|El) [^\n]{4,120}(?:wrote|schrieb|a écrit|escribió)[^\n]{0,60}:|[^\n]{4,120}(?:пишет|написала?):"
    r"|-{3,} ?(?:Original|Forwarded|Weitergeleitete|Пересланное)|(?:From|Sent|Von|De|От|发件人) ?[:：] ?\S)",
    re.MULTILINE | re.IGNORECASE,
)
#: A line that announces a text which was pasted.
_ANNOUNCED: Final = re.compile(
    r"^[^\n]*\b(?:logs?|errors?|output|e-?mails?|texts?|letters?|messages?|articles?|code|files?|paragraphs?|documents?|traces?|"
    r"configs?|posts?|reviews?|excerpts?|transcripts?|abstracts?|drafts?|essays?|chapters?|лог|письмо|текст|код|ошибка|"
    r"texte|courriel|lettre|article|日志|文章|邮件|代码|报错)\b[^\n:：]{0,40}[:：]\s*\n",
    re.MULTILINE | re.IGNORECASE,
)
#: Quotations of three words and more; shorter ones are names and terms.
_LONG: Final = r"[^\s\"“”«»„]+(?:\s+[^\s\"“”«»„]+){2,80}\s*"
_QUOTED: Final = later(
    rf"\"\s*{_LONG}\"|“\s*{_LONG}”|«\s*{_LONG}»|„\s*{_LONG}[“”]|(?<![^\s(])'[^'\n]{{16,300}}'(?![^\s.,;:!?)])"
    rf"|“[^“”\n]*[{CJK}]{{5}}[^“”\n]*”|「[^「」\n]{{6,}}」"
)
#: Stands for a quotation: what is stated around one is not understood without it.
QUOTATION: Final = "\ufffc"

_NOT_SAID: Final = re.compile(
    r"\s*(?:>|\||<[/!?a-zA-Z]|[\[{}\]]|\$ |#!|//|/\*|Traceback |at [\w.$]+\(|File \"|\"[\w ]+\" ?:"
    r"|def \w+\(|class \w+[:({]|from [\w.]+ import |import [\w.{*]+(?: from| as|;|$)|return [\w.({\[]+;?$"
    r"|(?:const|let|var) \w+ ?=|function \w*\(|(?:public|private|protected) (?:static|void|class|final|int|string)\b"
    r"|(?:SELECT|INSERT|UPDATE|CREATE|DELETE|ALTER) [\w*]|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d)"
    r"|.*\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b[ :\]]"
)
_SIGNS: Final = re.compile(r"[{}()\[\];=<>\\|$_/]")
_MOST_SIGNS: Final = 0.08

_END: Final = re.compile(r"[.!?…]+[\"”»')\]]*(?=\s|$)|[。！？；…]+[”」）]*|\n+|(?<=\w);(?=\s)")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|approx|Dr|Mrs?|Ms|Prof|St|vs|No|Nr|Inc|Ltd|Jr|Sr|ca|т\.?\s?е|т\.?\s?д|г|ул|M|Mme)|\b[A-Z])\.$"
)


def without_recalled(text: str) -> str:
    """A message without what memory put into it, and without a model's proposals: nothing of it is news."""
    if "emory" not in text and "MEMORY" not in text and "## " not in text:
        return text
    for pattern in (_FRAME, _BLOCK, _PROPOSALS, _CATALOG, _HEADER, _SECTIONS):
        text = pattern.sub(" ", text)
    return text.strip()


def own_words(text: str) -> str:
    """What the sender of a message says, line by line; `QUOTATION` stands for longer quotations."""
    text = _CODE.sub("\n", without_recalled(text[:_MOST_CHARS]))
    for pattern in (_LETTER, _ANNOUNCED):
        if found := pattern.search(text):
            text = text[: found.start()]
    text = "\n".join(line for line in text.split("\n") if _is_said(line))
    return _QUOTED.sub(QUOTATION, text) if _may_quote(text) else text


def sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, without their full stops, and whether each is a question."""
    start = 0
    for end in _END.finditer(text):
        if end[0].startswith(".") and len(end[0]) == 1 and _ABBREVIATION.search(text, start, end.end()):
            continue
        if sentence := text[start : end.start()].strip(' \t"“”«»()*#•-–'):
            yield sentence, "?" in end[0] or "？" in end[0]
        start = end.end()
    if rest := text[start:].strip(' \t\n"“”«»()*#•-–'):
        yield rest, False


def _may_quote(text: str) -> bool:
    return any(sign in text for sign in "\"“«„'「")


def _is_said(line: str) -> bool:
    """Whether a line is something that people say, and no code, log or quoted letter."""
    if _NOT_SAID.match(line):
        return False
    return len(line) < 20 or len(_SIGNS.findall(line)) <= _MOST_SIGNS * len(line)
