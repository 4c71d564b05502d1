"""Own words of a message's sender: without memories that were put in, quotations, code, logs and pasted texts.

The one place that tells a speaker's own words from words of others that they hand on. In doubt a word is somebody
else's: what is lost is asked for again, what is taken for the user's word is believed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language import played
from simonides.language.framing import is_diary_line, own_part
from simonides.language.quoted import plain, without_quotations
from simonides.language.sentences import is_ordinal
from simonides.language.tables import worded
from simonides.language.tokens import tokens
from simonides.language.words import POINTING

#: Characters of a turn that are looked through. What is longer is a document, whose beginning tells what is asked.
_MOST_CHARS: Final = 20_000

_FRAME: Final = later(r"<<memory ([0-9a-f]+)>>.*?<</memory \1>>|<<memory [0-9a-f]+>>.*", re.DOTALL)
_BLOCK: Final = later(r"\[MEMORY: [^\n]*.*?(?:\[/MEMORY\]|\Z)", re.DOTALL)
_PROPOSALS: Final = later(r"<MEMORY_PROPOSALS_JSON>.*?(?:</MEMORY_PROPOSALS_JSON>|\Z)", re.DOTALL)
_CATALOG: Final = later(r'\{\s*"memory_catalog"[^\n]*')
_HEADER: Final = later(r"Reference material from long-term memory\.[^\n]*")
_SECTIONS: Final = later(
    r"^## (?:Facts|Profiles|Timeline|Evidence)\n(?:[ \t]*-[^\n]*(?:\n|\Z))+", re.MULTILINE
)

#: The same, where somebody is shown what is left.
LEFT_OUT: Final = "[…]"

# The words of `{name}` in a pattern stand in the section `spoken` of each language.
_spoken: Final = partial(worded, "spoken")

# Blocks that say themselves where they end

_FENCED: Final = later(r"(?P<fence>```+|~~~+).*?(?:(?P=fence)|\Z)", re.DOTALL)
_TAG: Final = r"[a-z][\w-]{0,30}"
_CLOSING: Final = later(rf"</(?P<tag>{_TAG})\s*+>", re.IGNORECASE)
#: A block as far as it goes, or the tag that one between tags begins with.
_MARKED: Final = _spoken(
    rf"<(?P<tag>{_TAG})(?:\s[^<>\n]{{0,200}})?>"
    r"|\[(?P<bracket>quote|code|cite)\b[^\]\n]{0,80}\].*?(?:\[/(?P=bracket)\]|\Z)"
    r'|(?P<triple>"""|\'\'\').*?(?:(?P=triple)|\Z)'
    r"|\b{begins_text}\b.*?(?:\b{ends_text}\b|\Z)",
    re.DOTALL | re.IGNORECASE,
)
#: Struck out: ~~so~~, or by strokes that are drawn through each letter.
_STRUCK_OUT: Final = later(r"~~(?=\S)[^~\n]{1,2000}?(?<=\S)~~|(?:\w[\u0335-\u0338]\W{0,2}){2,}+")
#: Round brackets around all that is said: an aside, or a direction for a stage.
_BRACKETED: Final = later(r"\s*[(（][^()（）]*[)）][.!。！\s]*\Z")
_RULER: Final = later(
    r"^[ \t]*+(?:[-=_*~#—]{3,}+|[-=_*~#]{2,}+[^\n\w]{0,3}[\w ]{1,40}[^\n\w]{0,3}[-=_*~#]{2,}+)[ \t]*+$",
    re.MULTILINE,
)

# Words that hand on a text

#: A line that announces a text which was pasted below it.
_ANNOUNCED: Final = _spoken(
    r"^[^\n]*(?:\b{texts}\b|{han_texts})[^\n:：]{0,40}[:：][ \t]*(?=\n|\Z)", re.MULTILINE | re.IGNORECASE
)
#: The same, with the text behind it on the line.
_SHOWN: Final = _spoken(r"(?:\b{this}\s+(?:[\w'’-]+\s+){0,3}{texts}\b[^.!?\n:：]{0,60}|{shown})[:：]")
#: An order to write or say words, with what leads up to it. Writing down is what a memory does.
_DICTATED: Final = (
    r"(?:\A|(?<=\n)|(?<=[.!?;,:，。！？；]\s)|(?<=[，。！？；]))(?:{leading},? ?){0,12}+{dictated}"
)
#: Asks for work on a text that stands behind a colon.
_WORKED_ON: Final = _spoken(
    rf"{_DICTATED}\b(?![^.!?\n:：]{{0,20}}\b{{down}}\b)[^.!?\n:：]{{0,40}}[:：]"
    r"|\b{worked_on}\b[^.!?\n:：]{0,120}[:：](?=\s|[\"“«„'‘「『]|$)"
    r"|{han_worked_on}[^。！？\n:：]{0,40}[:：]"
)
#: Somebody else speaks behind the colon.
_SAYS: Final = _spoken(r"(?:\b{says}\b|{han_says})[^.!?\n:：]{0,60}[:：]")
_BY_ONESELF: Final = _spoken(r"(?:\b{i}(?: \w+){0,2}|{i_have}|{han_i})\s*$")
#: Behind the sentence stands a text to work on, or a part to play.
_TASK: Final = _spoken(
    rf"{{tasks}}|{{supposing}}|{_DICTATED} (?:[\w'’]+ ){{0,2}}{{verbatim}}\b"
    r"|(?:\A|(?<=\n)|(?<=[.!?] ))(?:{in_a_story}\b|{example}[ \t]*[:：,，])"
)
#: Begins an order or a wish behind a statement: "I moved to Leeds, can you …".
_REQUEST: Final = _spoken(r"(?:(?<=[,;–—] )|(?<= - )){requests}(?!\w)")
_WITH_A_TEXT: Final = later(r"[^.!?\n:：]{0,160}[:：]")
#: Words of such an order among which what it is to be carried out on stands: "translate this".
_OBJECT_WORDS: Final = 4
_ORDER_CHARS: Final = 60
#: Speaks of a text that stands above.
_ABOVE: Final = _spoken(r"{above}|^[^\S\n]*+\^", re.IGNORECASE | re.MULTILINE)
#: From here on somebody else's letter. Dutch, of which a mail program may write too, has no file.
_LETTER: Final = _spoken(
    r"^[ \t>*-]*+(?:"
    r"(?:{letter_on}|Op) [^\n]{4,160}(?:{letter_wrote}|schreef)[^\n]{0,60}:"
    r"|[^\n]{4,160}{letter_writes}[^\n]{0,20}[:：][ \t]*+$"
    r"|(?:{letter_begins} )?[-_=> ]*+{letter_original}[ -]*+{letter_messages}?[^\n]{0,60}$"
    r"|{letter_heads}"
    r"|{letter_marks}\s?[:：]"
    r"|{letter_fields} ?[:：] ?\S)",
    re.MULTILINE | re.IGNORECASE,
)
_SALUTATION: Final = _spoken(
    r"(?:^|(?<=[.!?] ))[ \t]*+{salutations}[^\n.]{0,60}[,:!，：！]?[ \t]*+\n", re.MULTILINE | re.IGNORECASE
)
_FAREWELL: Final = _spoken(
    r"(?=(^[ \t]*+{farewells}[,!.，。！]?[ \t]*+(?:\n[ \t]*[^\n]{1,40})?$))", re.MULTILINE | re.IGNORECASE
)
#: A letter is no longer than this.
_LETTER_CHARS: Final = 6_000

# Lines

#: Times between which a line of a film is shown.
_SUBTITLE: Final = later(r"[ \t]*(?:\d{1,2}:)?\d{1,2}:\d\d(?:[.,]\d{1,3})?[ \t]*-{1,2}>")
_QUOTED_LINE: Final = later(r"[ \t]*(?:[>＞|│┃┆┇┊┋║▌▎▏❘❙❚⎜⎪]|»(?! *$))")
_LABELLED: Final = later(
    r"[ \t*_-]*+(?:[\[(]?\d{1,4}[-:./\d ,apmAPM]{2,20}[\])]?[ \t,-]*+)?[*_]{0,2}"
    r"(?P<label>(?!https?\b)[^\W\d_][\w.'’ -]{0,30}?)[*_]{0,2}"
    r"(?: ?[\[(][^\])\n]{1,30}[\])])?[*_]{0,2} ?[:：][*_]{0,2}[ \t]*+(?=(?P<said>\S))"
)
_TIMED: Final = later(
    r"[ \t*_-]*+[\[(]?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?[\])]?[ \t,-]+\S", re.IGNORECASE
)
#: Who may stand before a colon in a chat.
_SPEAKERS: Final = _spoken("{speakers}")
#: What people put before what they say themselves.
_OWN_LABELS: Final = _spoken("{own_labels}")
_FIRST_PERSON: Final = _spoken(r"\b{first_person}\b|{han_first_person}")
_DASHED: Final = later(r"[ \t]*[—–―][ \t]*\S")

_NOT_SAID: Final = later(
    r"\s*+(?:>|\||<[/!?a-zA-Z]|[\[{}\]]|\$ |#!|#{1,6} |//|/\*|Traceback |at [\w.$]+\(|File \"|\"[\w ]+\" ?:"
    r"|def \w+\(|class \w+[:({]|from [\w.]+ import |import [\w.{*]+(?: from| as|;|$)|return [\w.({\[]+;?$"
    r"|(?:const|let|var) \w+ ?=|function \w*\(|(?:public|private|protected) (?:static|void|class|final|int|string)\b"
    r"|(?:SELECT|INSERT|UPDATE|CREATE|DELETE|ALTER) [\w*]|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d)"
    r"|.*\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b[ :\]]"
)
_SIGNS: Final = later(r"[{}()\[\];=<>\\|$_/]")
_MOST_SIGNS: Final = 0.08
#: A face, sad or glad, is no sign of code.
_FACE_SIGNS: Final = r"(?<!\S)[:;=]['’-]?[()\[\]|/\\DP]+(?!\S)"
_FACE: Final = later(_FACE_SIGNS)
#: Nor is what stands between brackets apart from the word before: "Tom (7) and Lily (4)", unlike "f(x)".
_UNCODED: Final = later(rf"{_FACE_SIGNS}|(?<=[^\W_] )\((?=\w)[^()\[\]{{}};=<>\\|$_\n]{{1,60}}\)")
#: Its colon announces nothing, and what it stands behind is said.
_FACE_AT_THE_END: Final = later(r"(?:\s[:;=]['’-]?[()\[\]|/\\DP]+)+\s*\Z")

_CJK: Final = later(f"[{CJK}]")
_END: Final = later(r"(?<![.!?…])[.!?…]++[\"”»')\]]*+(?=\s|$)|[。！？；…]+[”」）]*|\n+|(?<=\w);(?=\s)")
_ABBREVIATION: Final = _spoken(r"(?:\b{abbreviations}|\b[A-Z])\.$", flags=0)
#: Signs around a sentence, and by which of them something is opened that another closes.
_AROUND: Final = ' \t\n"“”«»()*#•-–'
_CLOSES: Final = {")": "(", "»": "«", "”": "“„", "“": "„", '"': '"'}
#: The same before a number.
_NUMBER: Final = _spoken(r"\b{before_numbers}\.$")
_ABBREVIATION_CHARS: Final = 12


def without_recalled(text: str) -> str:
    """A message without what memory put into it, and without a model's proposals: nothing of it is news."""
    if "emory" not in text and "MEMORY" not in text and "## " not in text:
        return text
    for pattern in (_FRAME, _BLOCK, _PROPOSALS, _CATALOG, _HEADER, _SECTIONS):
        text = pattern.sub(" ", text)
    return text.strip()


def own_words(text: str) -> str:
    """Own words of a message's sender, line by line; `QUOTATION` stands for longer quotations."""
    return _own_words(text[:_MOST_CHARS])


@kept(512, longest=None)
def _own_words(text: str) -> str:
    text = _STRUCK_OUT.sub(" ", _FENCED.sub("\n", plain(without_recalled(text))))
    if _BRACKETED.match(text):
        return ""
    text = _before_games(_behind_ends(_outside_marks(text)))
    text = own_part(text, sorted([*(end.end() for end in _ends(text)), *_requests_for_work(text)]))
    text = _before_what_is_handed_on(_behind_what_stands_above(text))
    text = _without_letters(text)
    text = _outside_rulers(text)
    text = "\n".join(_spoken_lines(text.split("\n")))
    text = without_quotations(text)
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def hands_on(text: str) -> bool:
    """True if a message holds more than its sender's own words, memories apart."""
    whole = _behind_ends(plain(without_recalled(text)))
    return "".join(own_words(text).split()) != "".join(whole.split())


def sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, without their full stops, and whether each is a question."""
    start = 0
    for end in _ends(text):
        if sentence := _undressed(text[start : end.start()]):
            yield sentence, "?" in end[0] or "？" in end[0]
        start = end.end()
    if rest := _undressed(text[start:]):
        yield rest, False


def _undressed(text: str) -> str:
    """A sentence without the signs around it; one that closes what was opened within it stays."""
    text = _FACE_AT_THE_END.sub("", text)
    core = text.strip(_AROUND)
    start = text.find(core)
    for at in range(start + len(core), len(text)):
        opens = _CLOSES.get(text[at], "")
        opened = sum(map(core.count, opens))
        if opened % 2 if text[at] in opens else opened > core.count(text[at]):
            core = text[start : at + 1]
    return core


@kept(32)
def _ends(text: str) -> tuple[re.Match[str], ...]:
    """Ends of the sentences of a text; several steps ask for those of the same text."""
    return tuple(_found_ends(text))


def _found_ends(text: str) -> Iterator[re.Match[str]]:
    start = 0
    for end in _END.finditer(text):
        beginning = max(start, end.end() - _ABBREVIATION_CHARS)
        if end[0] == "." and (
            _ABBREVIATION.search(text, beginning, end.end())
            or (
                text[end.end() : end.end() + 2].strip().isdigit()
                and _NUMBER.search(text, beginning, end.end())
            )
            or is_ordinal(text, end.start())
        ):
            continue
        yield end
        start = end.end()


# Blocks


def _outside_marks(text: str) -> str:
    """Text outside marked blocks. A tag without an end begins none."""
    last = {match["tag"].lower(): match.start() for match in _CLOSING.finditer(text)}
    kept: list[str] = []
    start = at = 0
    while match := _MARKED.search(text, at):
        at = match.end()
        if tag := match["tag"]:
            if last.get(tag.lower(), -1) < at:
                at = match.start() + 1
                continue
            closings = (closing for closing in _CLOSING.finditer(text, at))
            at = next(closing.end() for closing in closings if closing["tag"].lower() == tag.lower())
        kept.append(text[start : match.start()])
        start = at
    return "\n".join([*kept, text[start:]])


def _before_games(text: str) -> str:
    """Text before the first sentence that begins a game, or something like it, or announces a text."""
    start = 0
    for end in [*(match.end() for match in _ends(text)), len(text)]:
        sentence = text[start:end].strip()
        if played.opens(sentence, text[end:]) or played.announces(sentence):
            return text[:start]
        start = end
    return text


def _behind_ends(text: str) -> str:
    """Text behind the sentences at its beginning that say that a game, or something like it, is over."""
    start = 0
    for end in [*(match.end() for match in _ends(text)), len(text)]:
        if not played.ends(text[start:end].strip()):
            break
        start = end
    return text[start:]


def _without_letters(text: str) -> str:
    """The text without letters in it that have a salutation and a farewell."""
    farewells = [match.span(1) for match in _FAREWELL.finditer(text)]
    kept: list[str] = []
    start = 0
    for match in _SALUTATION.finditer(text) if farewells else ():
        place = bisect_left(farewells, (match.end(), 0))
        if match.start() < start or place == len(farewells):
            continue
        begins, ends = farewells[place]
        if begins - match.end() <= _LETTER_CHARS:
            kept.append(text[start : match.start()])
            start = ends
    return "\n".join([*kept, text[start:]])


def _before_what_is_handed_on(text: str) -> str:
    """The text as far as the first words that hand on somebody else's, without the sentence that sets the task."""
    ends = [len(text)]
    seen = _FACE.sub(lambda face: " " * len(face[0]), text) if ":" in text else text
    before_colons = (_ANNOUNCED, _SHOWN, _WORKED_ON, _SAYS) if ":" in seen or "：" in seen else ()
    for pattern in (_LETTER, *before_colons):
        for match in pattern.finditer(seen):
            if pattern is _SAYS and _BY_ONESELF.search(text, max(match.start() - 40, 0), match.start()):
                continue
            ends.append(
                match.start() if pattern in (_LETTER, _ANNOUNCED) else _sentence_start(text, match.start())
            )
            break
    text = text[: min(ends)]
    task = _TASK.search(text)
    return text if task is None else text[: _sentence_start(text, task.start())]


def _requests_for_work(text: str) -> Iterator[int]:
    """Starts of requests within sentences that have the text to work on behind a colon."""
    for request in _REQUEST.finditer(text) if ":" in text or "：" in text else ():
        if _WITH_A_TEXT.match(text, request.end()):
            yield request.start()


def _sentence_start(text: str, place: int) -> int:
    start = max((end.end() for end in _END.finditer(text, 0, place)), default=0)
    for request in _REQUEST.finditer(text, start):
        if request.start() > place:
            break
        order = [token.fold for token in tokens(text[request.start() : request.start() + _ORDER_CHARS])]
        if _WITH_A_TEXT.match(text, request.end()) or POINTING.isdisjoint(order[:_OBJECT_WORDS]):
            return request.start()
    return start


def _behind_what_stands_above(text: str) -> str:
    """Without what stands before a paragraph that speaks of it as the text above."""
    match = _ABOVE.search(text)
    if match is None:
        return text
    start = text.rfind("\n", 0, match.start()) + 1
    return text[start:] if text[:start].strip() else text


def _outside_rulers(text: str) -> str:
    """Text before the first ruler, and between the second and the third: what a pair encloses was pasted."""
    pieces = _RULER.split(text)
    return "\n".join(pieces[::2])


# Lines


def _spoken_lines(lines: list[str]) -> Iterator[str]:
    """Lines that the sender says: no quoted ones, no transcript, no code, no log."""
    labelled = [_speaker(line) for line in lines]
    dashed = sum(_DASHED.match(line) is not None for line in lines) > 1
    posted = [_TIMED.match(line) is not None and not is_diary_line(line) for line in lines]
    timed = sum(posted) > 1
    transcript = sum(label == "chat" for label in labelled) > 1
    others = False
    for line, label, at_a_time in zip(lines, labelled, posted, strict=True):
        if not line.strip():
            others = False
        elif (
            _QUOTED_LINE.match(line)
            or _SUBTITLE.match(line)
            or label == "other"
            or (label == "chat" and transcript)
            or (dashed and _DASHED.match(line))
            or (timed and at_a_time)
        ):
            others = True
        elif not others and _is_said(line):
            yield _before_a_speaker(line)


def _before_a_speaker(line: str) -> str:
    """A line as far as a sentence in it that somebody named speaks: "Good morning. Ozan: I hate walnuts."."""
    ends = [end.end() for end in _END.finditer(line)]
    first_person = _last_first_person(line) if ends else -1
    return next((line[:end] for end in ends if end < len(line) and _speaks(line, end, first_person)), line)


def _speaks(line: str, start: int, first_person: int) -> bool:
    """True if somebody named speaks from a place of a line on: who is one, or speaks in the first person."""
    named = _named(line, start)
    return named is not None and (named[0] or named[1] <= first_person)


def _last_first_person(line: str) -> int:
    return max((match.start() for match in _FIRST_PERSON.finditer(line)), default=-1)


def _named(line: str, start: int = 0) -> tuple[bool, int] | None:
    """Look up the name before a colon: True if it is a speaker's, and the start of the words behind it."""
    labelled = _LABELLED.match(line, start)
    if labelled is None or _OWN_LABELS.fullmatch(label := labelled["label"].strip()):
        return None
    if _SPEAKERS.fullmatch(label):
        return True, labelled.start("said")
    words = label.split()
    named = all(word[:1].isupper() or _CJK.match(word) for word in words)
    if not named or len(words) > 3 or len(label) > 20 or _FIRST_PERSON.search(label):
        return None
    return False, labelled.start("said")


def _speaker(line: str) -> str:
    """Speaker of a line, where somebody named speaks: `other`, `chat` (in a row of such lines), or nothing."""
    named = _named(line)
    if named is None:
        return ""
    if named[0] or _FIRST_PERSON.search(line, named[1]):
        return "other"
    return "chat" if line.rstrip()[-1:] in ".!?…。！？" else ""


def _is_said(line: str) -> bool:
    """True if a line is something that people say, and no code, log or quoted letter."""
    if _NOT_SAID.match(line):
        return False
    return len(line) < 20 or len(_SIGNS.findall(_UNCODED.sub("", line))) <= _MOST_SIGNS * len(line)
