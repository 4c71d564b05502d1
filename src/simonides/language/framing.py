"""Sentences of a turn about the words around them: that they are somebody else's, work to do, or not meant.

A label, a speaker's name or an introduction makes what follows somebody else's, unless it introduces oneself; a wish
to work on a text makes the rest of the turn that text; what is taken back was not said. Structure comes first, word
lists second. English, and the commonest forms in French, German, Spanish, Italian, Russian and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.common_words import COMMON
from simonides.language.narration import narrates
from simonides.language.tables import worded
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import VERBS, is_past_form

#: Of a sentence that is looked through: what frames a text says so at its beginning or its end.
_HEAD: Final = 240
#: Characters of an opener ("Sorry, I meant …"), in which nothing has been said yet.
_OPENING: Final = 8

# The words of `{name}` in a pattern stand in the section `framing` of each language.
_framed: Final = partial(worded, "framing")
_HAN_TEXTS: Final = "{han_texts}"
_OPENERS: Final = r"(?:{openers}[\s,!.]{0,3})"
_I: Final = _framed(r"\b{i}\b|{han_i}")

# Labels

#: A sad face behind a statement makes no label of it.
_LABEL: Final = later(r"^(?P<label>[^\n：]{0,120}?)(?::(?!['’-]?\(+(?:\s|$))(?=\s|$|[*_\"“'‘«„(])|：)")
_BETWEEN_CLAUSES: Final = worded("changes", r"[,;，；]|(?<!\w)(?:{and})(?!\w)")
_DASH_LABEL: Final = later(
    r"^(?P<label>(?!\d)[\w@#][\w.'’@#]{0,30}(?: [\w.'’@#]{1,30}){0,3}) {0,3}(?:[–—→»|]|->|=>|>{1,3}"
    r"|(?<= )-{1,2}) {0,3}(?=\S)"
)
_BULLET: Final = later(r"^[*•·][ \t]{1,3}|^-[ \t]{1,3}(?=[^\W\d_][\w.' ]{0,30} [–—-] )")
_BARE_DASHES: Final = later(r"^(?:--+|[–—]|\((?P<label>[\w.' ]{1,30})\)) ?(?=\S)")
_TRIM: Final = later(r"^[\s*_#•>()\[\].,\d-]{0,20}|[\s*_()\[\]]{1,10}$")
_OPENED: Final = _framed(rf"{_OPENERS}{{1,4}}")
_OWN_LABEL: Final = _framed(
    rf"^{_OPENERS}{{0,4}}(?:{{own_labels}}"
    r"|{possessives}[ ]?"
    r"(?:{own_adjectives}[ ]){0,3}"
    r"{own_matters}"
    r"|{own_headings}"
    r"|{about_me}"
    r"|{i} (?!.{0,60}\b(?:{taken_over}|{texts}|{others})\b).{0,80}"
    r"|{han_own_label}"
    r")$"
)
_FIRST_PERSON: Final = _framed(r"\b{first_person}\b|{han_i}")

# Headings

#: Name a text, or a piece of one, where they stand in a heading.
_HEADING_TEXTS: Final = "(?:{texts}|{heading_texts})"
_HAN_HEADING_TEXTS: Final = rf"(?:{_HAN_TEXTS}|{{han_heading_texts}})"
_HEADING_TEXT: Final = _framed(rf"\b{_HEADING_TEXTS}\b|{_HAN_HEADING_TEXTS}$")
#: A piece of a text by its number.
_NUMBERED: Final = _framed(
    r"\b{numbered}\.? {0,2}(?:no\.?|nr\.?|number|n°|№|#)? {0,2}(?:\d{1,4}|[ivx]{1,6})\b|{han_numbered}"
)
#: Whose a text is: "of Anne", "от Паши".
_OF_SOMEBODY: Final = _framed(r"(?<=\w )(?:{of_whom} |d['’])[A-ZÀ-ÞА-ЯЁ][\w'’]+", flags=0)
#: Begin what people say of themselves without a verb: "back from Graz", "no coffee for me", "my order".
_NO_HEADING: Final = _framed(
    rf"^(?:(?!(?:an?|the|one|another|some|first|second|third|last) ){_OPENERS}(?!\w)|{{no_heading}}(?!\w))"
)
#: Introduces what whoever speaks has to say.
_OWN_NOTE: Final = _framed(r"^{little} {notes}\W*$")
#: Begins what is said of a text of the listener's, or to thank for one.
_REACTS: Final = _framed(r"^(?:{reactions}(?!\w)|{han_reactions})(?!.*\b{not_of_whom}\b)")
#: Words with which a sentence has a verb, so that it is no heading.
_SPEAKING: Final = _framed(r"(?<!\w){i}(?!\w)|{han_persons}|\b{listeners}\b")
_HEADING_CHARS: Final = 70
_HEADING_WORDS: Final = 8

# Lines

#: A line that holds a name and, at most, a time.
_NAME_LINE: Final = later(
    r"^[ \t]{0,4}(?:#{1,6} ?|[*_]{1,3}|@)?(?P<name>[^\W\d_][^\n.!?。！？:：,，;]{0,40}?)[*_]{0,3}"
    r"[ \t,–—(-]{0,4}(?:\[?\d{1,2}[:.h]\d\d(?:[:.]\d\d)? ?(?:[ap]m)?[\])]?)?[ \t]{0,4}$",
    re.IGNORECASE,
)
_TIMED: Final = later(r"\d{1,2}[:.h]\d\d")
#: The same in the other order, or with a day: "10:32 Tom", "Tom R. · 3 days ago".
_CLOCK: Final = r"[\[(]?\d{1,2}[:.h]\d\d(?:[:.]\d\d)? ?(?:[ap]m)?[\])]?"
_NAME: Final = r"[^\W\d_][\w.'’ -]{0,30}"
_POSTED: Final = _framed(
    rf"^[ \t]{{0,4}}(?:(?:\d{{1,4}}[-./]\d{{1,2}}[-./]\d{{1,4}},? )?{_CLOCK}[ \t,–—-]{{1,4}}@?(?P<name>{_NAME})"
    rf"|@?(?P<poster>{_NAME}?)[ \t]{{0,2}}[·•|,–—-][ \t]{{0,2}}(?:{{when}}|{{han_when}}|{_CLOCK})"
    rf"(?: (?:at|um|à|a las|в) {_CLOCK})?)[ \t]{{0,4}}$"
)
#: "10:30 Gym": what is on that day. A capital behind it makes it a name, if it is no noun: "10:30 Coffee Tom".
_DIARY_LINE: Final = _framed(
    rf"^[ \t*_-]*{_CLOCK}[ \t,–—-]*{{agenda}}(?!\w)"
    r"(?!\W{1,3}(?!(?:{agenda}|{beside_agenda})(?!\w))(?-i:[A-ZÀ-ÞА-ЯЁ]))"
)
_RECORD: Final = later(rf"(?<=[^\W\d{CJK}])[,;](?=[^\W\d_])|\S\t+\S|[^\n|]\|[^\n|]")
_SENT_FROM: Final = _framed("^{sent_from}")
#: Somebody whom people call theirs, and who may have said it: "my boss", "meine Mutter".
_OWN_PERSON: Final = worded(
    "whose",
    r"(?:{possessive})\s+(?:[\w-]+\s+)?(?:{kin}|{kin_words})|{han_owner}(?:{han_kin}|{han_kin_words})",
)
#: A name behind what was said: "— Bob", "- Bob, 2024", "(Bob)".
_SIGNED: Final = later(r"^(?:[–—―‒−⸺⸻~]|--?)[ \t]{0,3}(?P<name>[^\W\d_][^\n]{0,40})$")

# Sentences

_MADE_OF: Final = r"(?:{made_of}|{texts}|\w+['’]s)"
_POLITE: Final = r"(?:(?:[<^→-]{1,3}|{politeness})[\s,:]{1,3})"
_TASK: Final = _framed(
    rf"^[¿¡]?{_POLITE}{{0,5}}(?:"
    r"(?:{these} )?{work}(?:\W*$|(?:\W|\W.{0,80}\W)"
    rf"(?:{_MADE_OF}|{{work_leads_to}}|{{this_text}})(?:\W|$)|\W{{1,3}}{{please}}\W*$)"
    rf"|{{work_on_text}}\b.{{0,80}}\b{_MADE_OF}\b(?!.{{0,40}}\b{{each_time}}\b)"
    rf"|{{tasks_at_start}})|{{tasks}}|\b{{opinion_of}} .{{0,40}}\b{_MADE_OF}\b"
)
_COMPOSE: Final = _framed(
    rf"^{_POLITE}{{0,5}}{{composing}}\b.{{0,40}}\b{{texts}}\b|{{han_composing}}|{{pretending}}"
)
#: Makes what follows somebody else's text.
_INTRODUCES: Final = _framed(
    r"{introduces}|^(?!(?:{thanks}|{i})\b).{1,160}\b{this}[\s.:!…]*$"
    r"|\b{here}\b.{0,50}\b{texts}\b|{han_introduces}|^{here_is}[ ,]{0,2}{what}\b.{0,60}$|{came_by}"
)
_FRAGMENT: Final = _framed(
    rf"^(?:[^\W_][\w'’]{{0,30}} ){{0,5}}{{texts}}\W*$|^.{{0,12}}{_HAN_HEADING_TEXTS}[。.]?$"
)
_STATES: Final = _framed(r"\b(?:{i}|{states})\b|{han_states}")
#: Somebody else is said to speak, and nothing is told of what they say.
_REPORTS: Final = _framed(
    rf"^(?!{_OPENERS}{{0,3}}{{i}}\b).{{1,80}}\b{{said}}(?: {{told_to}}){{0,3}}\W*$"
    r"|{han_said}[了过]?[。.]?$"
)
#: The sentence itself is what somebody else said.
_SPOKEN_BY: Final = _framed(
    r"^(?!{i}\b)(?:[\w'’]{1,20} ){1,3}{is_like}\s?[,:—-]"
    r"|^{uttered} (?!{i}\b)[^\W\d_][\w'’]{0,20}\s?[,:]"
)
#: The sentence itself is but an example, or irony.
_EXAMPLE: Final = _framed(r"^(?:(?:{examples}|{irony})(?!\w)|{han_examples}|[*_][^*_\n]{1,200}[*_](?!\w))")
#: Says of what stands before it that somebody else said it.
_SAID_BEFORE: Final = _framed(
    r"\b{as_said} (?!{i}\b)(?:[\w'’]{1,20} ){1,3}{said}\b"
    r"|\b{what_was} ?(?!{i}\b)(?:[\w'’]{1,20} ){0,3}{said}\b|\b{said} {nobody}\b"
    r"|\b{their_words}\b|{said_so}|{han_said_before}"
)

#: Says that somebody who knows it said so, too, of what stands before it.
_CONFIRMED: Final = _framed("{confirmed}")
#: Says behind a comma who said it.
_SAID_BY: Final = _framed(
    r"[,，] ?(?:{said}|quote) (?!{i}\b)[^\W\d_][\w'’ ]{0,24}[.!]?$"
    r"|{han_said_by}"
)
#: What an account, an offer or an appointment says behind a label that also names sources: "Credit: 300 euros".
_AMOUNT: Final = r"[$€£¥₽]|\d[\d.,]* ?(?:[%$€£¥₽]|{units}(?!\w))"
#: Names behind what was said where that is from: "[source: Tom]", "(via Tom)", "Quelle: Tom".
_SOURCE: Final = _framed(
    r"^(?:[\[(（【]\s?(?:{sources}|{han_sources})(?!\w)[ :：-][^\])）】\n]{1,80}[\])）】]"
    rf"|(?!{{not_only_sources}} ?:\W{{0,3}}(?:{{appointed}}|{_AMOUNT}))"
    r"(?:{sources}|{han_sources}) ?[:：](?!\W{0,3}{first_person}\W*$)"
    r".{1,80})\W*$"
)
#: Somebody says who is there: "Tom here."
_PRESENT: Final = _framed(
    r"^(?P<name>(?-i:[A-ZÀ-ÞА-ЯЁ])[\w-]{1,20}|\w{2,8} (?:[\w-]{1,20} )?[\w-]{2,20}) {at_the_keyboard}\W*$"
)
_SIGNED_BY: Final = _framed(r"^(?:{signed}\b|{han_signed})[,:，：]? ?\w")

# Taken back

_JOKE: Final = _framed("{jokes}")
_DENIES: Final = _framed(r"^(?:{denials}[\s,.!…。！]{0,4}){1,4}$|^(?:{hesitations},? )?{corrections}")
#: Has no subject, so that it speaks of the sentence before it.
_ABOUT_BEFORE: Final = _framed(r"^{about_before}\b(?!.{0,200}\?\W*$)")
_INSIDE: Final = _framed(r"[,;.–—(-] {0,2}(?:oh,? |well,? )?{inside}")

#: Says of the whole turn that none of it is meant.
_FOOLS: Final = _framed("{fools}")
#: Begins a sentence that its speaker does not claim, or ends one.
_UNCLAIMED: Final = _framed(r"^(?:(?:{untrue}|{han_untrue})\s?[,:—–：，-]|{with_love}\b)|(?:^|\s)/s\W*$")
#: Doubts the sentence before it, or mocks it: "Or do I?"
_DOUBTS: Final = _framed(r"^{doubts}\b.{0,16}[?？]$|{han_doubts}|^/s\W*$")
#: Asks of what stands before it which wording is better, or says that it is but a text.
_WORDING: Final = _framed("{wordings}")
#: Asks how the words before it are said, or for them in another language: they are but an example.
_OF_WORDING: Final = _framed("{of_wording}|{han_of_wording}")
#: Words that may lead to such a request without stating anything: "and please".
_LEADING_WORDS: Final = 2


def own_part(text: str, ends: Sequence[int]) -> str:
    """A turn without the sentences that its other sentences say are not the speaker's own word.

    Args:
        ends: Where its sentences end, in order.
    """
    places = [0, *ends]
    if places[-1] < len(text):
        places.append(len(text))
    parts = [text[start:end] for start, end in pairwise(places)]
    sentences = [part.strip() for part in parts]
    kept = _without_examples(sentences, parts, _outside_tales(sentences, _kept(sentences, parts)))
    return "".join(part if place in kept else "\n" for place, part in enumerate(parts))


def confirms(sentence: str) -> bool:
    """True if a sentence says of the one before it that an expert said so: "My cardiologist said so."."""
    return _CONFIRMED.match(sentence) is not None


def _kept(sentences: Sequence[str], parts: Sequence[str]) -> set[int]:
    """Places of the sentences that stand as the speaker's own."""
    tasks = {place for place, sentence in enumerate(sentences) if sentence and _TASK.search(sentence[:_HEAD])}
    if tasks:
        return {place for place in tasks if not _LABEL.match(sentences[place][:_HEAD])}
    first, dropped = 0, set[int]()
    begins_line = True
    last = max((place for place, sentence in enumerate(sentences) if sentence), default=-1)
    for place, sentence in enumerate(sentences):
        starts, begins_line = begins_line, parts[place].endswith("\n")
        if not sentence:
            continue
        head, tail = sentence[:_HEAD], sentence[-_HEAD:]
        before = place > first
        if _FOOLS.search(sentence) or (_WORDING.search(tail) and before):
            return set()
        if confirms(sentence):
            continue
        if before and (_SOURCE.match(head) or (place == last and _signs(sentences))):
            first = place + 1
            continue
        if _is_speakers(head) or _is_present(head):
            return set(range(first, place)) - dropped
        if _SENT_FROM.match(head):
            return set()
        if before and _is_signature(head, last=place == last):
            first = place + 1
        elif _SAID_BEFORE.search(tail) or (before and _JOKE.search(tail)):
            first = place + 1
            if _SAID_BEFORE.search(tail):
                return set()
        elif _JOKE.search(tail) and len(sentence) > 40:
            dropped.add(place)
        elif before and (_ABOUT_BEFORE.match(head) or _is_aside(head)):
            dropped |= {_before(sentences, place), place}
        elif _DENIES.match(head) or _DOUBTS.match(head):
            if before:
                dropped.add(_before(sentences, place))
        elif (
            _UNCLAIMED.search(sentence)
            or _INSIDE.search(sentence, _OPENING)
            or _RECORD.search(sentence)
            or _SAID_BY.search(tail)
        ):
            dropped.add(place)
        elif _SPOKEN_BY.match(head) or _EXAMPLE.match(head):
            return set(range(first, place)) - dropped
        elif starts and _names_a_speaker(sentence, parts[place], place < last):
            # A head in the first person ("my mum 10:32") states something where it is left alone.
            return set(range(first, place if _FIRST_PERSON.search(head) else place + 1)) - dropped
        elif _hands_over(head, sentence):
            return set(range(first, place + 1)) - dropped
    return set(range(first, len(sentences))) - dropped


def _without_examples(sentences: Sequence[str], parts: list[str], kept: set[int]) -> set[int]:
    """The places without the sentence whose wording the next one asks about.

    Of one that asks it of its own beginning, the request alone stays in the parts: it leaves the next in doubt, too.
    """
    for place, sentence in enumerate(sentences):
        if request := _OF_WORDING.search(sentence):
            led = [token for token in tokens(sentence[: request.start()]) if token.shape is not Shape.MARK]
            # The blank parts it from the sentence before it.
            parts[place] = f" {sentence[request.start() :]}"
            if place > 0 and len(led) <= _LEADING_WORDS:
                kept = kept - {_before(sentences, place)}
    return kept


def _outside_tales(sentences: Sequence[str], kept: set[int]) -> set[int]:
    """The places without what is said in the first person between sentences that tell of others."""
    tale_places: list[int] = []
    tale = False
    for place in sorted(kept):
        sentence = sentences[place]
        if sentence and narrates(sentence):
            kept = kept - set(tale_places) if tale else kept
            tale, tale_places = True, []
        elif sentence and _FIRST_PERSON.search(sentence[:_HEAD]):
            tale_places.append(place)
        elif sentence:
            tale, tale_places = False, []
    return kept


def _before(sentences: Sequence[str], place: int) -> int:
    while place > 0 and not sentences[place - 1]:
        place -= 1
    return max(place - 1, 0)


def _is_speakers(head: str) -> bool:
    """True if a sentence begins with a label that introduces somebody else."""
    head = _BULLET.sub("", head)
    match = _LABEL.match(head)
    if match is not None:
        label = _TRIM.sub("", match["label"])
        if _is_own_person(label):
            return True
        if _OWN_LABEL.search(label) or _is_opener(label):
            return False
        # "My wife is Kate, we have two kids: Tom and Lily."
        *_, last = _BETWEEN_CLAUSES.split(label)
        return not _OWN_LABEL.search(last.strip()) or _FIRST_PERSON.search(head, match.end()) is not None
    match = _BARE_DASHES.match(head)
    if match is not None and (match["label"] or _FIRST_PERSON.search(head)) and len(head.split()) > 3:
        return True
    match = _DASH_LABEL.match(head)
    if match is None or _FIRST_PERSON.search(match["label"]) or _OWN_LABEL.search(match["label"]):
        return False
    return not _is_opener(match["label"]) and _FIRST_PERSON.search(head, match.end()) is not None


def _is_signature(head: str, *, last: bool) -> bool:
    match = _SIGNED.match(head)
    if _SIGNED_BY.match(head) or (last and _is_name(head)):
        return True
    if match is not None and len(match["name"].split()) <= 4 and not _FIRST_PERSON.search(head):
        return True
    return last and bool(_TIMED.search(head)) and _NAME_LINE.match(head) is not None


def _signs(sentences: Sequence[str]) -> bool:
    """True if somebody whom people call theirs stands behind a dash at the end, and in no list: "— my boss"."""
    *_, match = signed = [match for sentence in sentences if (match := _SIGNED.match(sentence[:_HEAD]))] or [
        None
    ]
    return len(signed) == 1 and match is not None and _is_own_person(match["name"])


def _is_own_person(name: str) -> bool:
    return _OWN_PERSON.fullmatch(name.rstrip(" .!,。！，")) is not None


def _is_present(head: str) -> bool:
    """True if somebody with a name says that they are there: "Tom here.", not "Same here."."""
    match = _PRESENT.match(head)
    return match is not None and (_is_own_person(match["name"]) or _is_name(match["name"]))


def _is_name(line: str) -> bool:
    """True if all of the last sentence is a name: of whoever said what stands above."""
    words = line.split()
    return len(words) <= 3 and all(
        word[:1].isupper() and word.isalpha() and word.casefold() not in COMMON for word in words
    )


def _is_aside(head: str) -> bool:
    """True if a sentence in brackets says whose the one before it is: "(Bob)", "(his words)", "(not really)"."""
    if head[:1] not in "(（" or len(head.split()) > 6:
        return False
    return not _I.search(head) or _is_own_person(head.strip("()（） ."))


def _hands_over(head: str, sentence: str) -> bool:
    if _COMPOSE.search(head) or _REPORTS.search(sentence[:_HEAD]):
        return True
    if _INTRODUCES.search(head):
        return True
    if _OWN_NOTE.match(head) or _REACTS.match(head):
        return False
    fragment = len(sentence) <= 60 and _FRAGMENT.match(head) is not None and not _STATES.search(head)
    return fragment or _is_heading(head)


def _is_heading(head: str) -> bool:
    """True if a short sentence without a verb names a text, a piece of one, or somebody whose words follow."""
    heading = _TRIM.sub("", head.rstrip(" .…。"))
    if (
        len(heading) > _HEADING_CHARS
        or head[-1:] in "!?！？"
        or _NO_HEADING.match(heading)
        or _SPEAKING.search(heading)
    ):
        return False
    if len(heading.split()) > _HEADING_WORDS or any(_is_verb(word) for word in tokens(heading)[1:]):
        return False
    named = _HEADING_TEXT.search(heading) or _NUMBERED.search(head) or _OF_SOMEBODY.search(heading)
    return named is not None and not _OWN_LABEL.search(heading)


def _is_verb(word: Token) -> bool:
    if word.shape is not Shape.WORD or _HEADING_TEXT.fullmatch(word.text):
        return False
    return word.fold in VERBS or (not word.capital and is_past_form(word))


def _names_a_speaker(sentence: str, part: str, more: bool) -> bool:
    """True if a line is but a name, or a heading, with something behind it."""
    if not more or not part.endswith("\n") or is_diary_line(sentence):
        return False
    posted = _POSTED.match(sentence)
    match = posted or _NAME_LINE.match(sentence)
    if match is None or len(name := next(filter(None, match.groups())).strip()) > 40:
        return False
    if _is_own_person(name):
        return posted is not None or _TIMED.search(sentence) is not None
    words = 1 + name.count(" ")
    if words > 4 or (re.search(f"[{CJK}]", name) and len(name) > 6) or _STATES.search(name):
        return False
    return not (_FIRST_PERSON.search(name) or _OWN_LABEL.search(name) or _is_opener(name))


def is_diary_line(line: str) -> bool:
    """True if a line says what is on at a time of the day, as in a diary: "10:30 Gym"."""
    return _DIARY_LINE.match(line) is not None


def _is_opener(words: str) -> bool:
    return bool(words) and _OPENED.fullmatch(f"{words} ") is not None
