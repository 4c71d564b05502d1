"""Selection of the hits that a context tells, and their order: statements before questions, each thing once. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from statistics import median
from typing import Final

from simonides.domain.instant import CLOCKS_DIFFER_US
from simonides.domain.item import Item, Validation
from simonides.domain.kept import kept
from simonides.domain.provenance import Origin, Trust
from simonides.domain.text import count_tokens, normalised
from simonides.language.decoration import other_links, plain_form
from simonides.language.sentences import read
from simonides.recall.question.asks import ONE_THING, asks_about, expected, is_complex
from simonides.recall.question.speech import (
    TELLING_OF_TURNS,
    Act,
    act_of,
    asks_for_questions,
    quotations,
    stated,
    states,
)
from simonides.recall.result import Hit, SearchResult
from simonides.values import dataclass

#: What is longer is kept by few, and not together with thousands of others.
_LONG_CHARS: Final = 20_000
_FROM_ELSEWHERE: Final = frozenset({Origin.WEB, Origin.TOOL, Origin.DOCUMENT, Origin.IMPORT})
_TURNS: Final = frozenset({"episode", "chunk"})
#: Hits of a context, of which the first few stand in any; chosen on development data: docs/decisions/0013-frames.md.
_MOST_TOLD: Final = 25
_ALWAYS_TOLD: Final = 3
#: Share of the distance between the best and the last score, and of the best relevance.
_NEAR: Final = 0.8
_RELEVANT: Final = 1 / 3
#: What is left where one statement is meant, from which likelihood of an answer on; how relevant it is, what share of
#: that those behind it have at most, and how far its score is above theirs: docs/decisions/0049-one-is-meant.md.
_BESIDE_IT: Final = 2
_LIKELY: Final = 0.7
_STANDS_OUT: Final = 0.4
_BEHIND: Final = 0.6
_ABOVE: Final = 2.0
#: Tokens of a statement: the middle one of the first hits has no more.
_MOST_STATED: Final = 24
_FIRST: Final = 6
#: Of a search, what counts as used: so many hits at most, of a search that is so sure, so relevant by themselves and
#: beside the most relevant.
_MOST_SERVED: Final = 3
_SURE: Final = 0.5
_SERVES: Final = 0.5
_SERVES_TOO: Final = 2 / 3
#: A text of more sentences is no repetition of another.
_MOST_SENTENCES: Final = 4
_MOST_COMPARED: Final = 8
#: Markdown that says nothing: what begins a heading, a quotation or an entry of a list, and emphasis.


def holds(item: Item, now: int) -> bool:
    """True if an item holds at an instant, as far as it says when it does, and was not replaced."""
    begun = item.valid_from is None or item.valid_from <= now + CLOCKS_DIFFER_US
    lasts = item.valid_until is None or now < item.valid_until
    return begun and lasts and item.superseded_by is None


def lasting(items: Sequence[Item], now: int | None) -> list[Item]:
    """Items without those that have ended: a profile tells what holds, or will."""
    return [item for item in items if item.valid_until is None or now is None or now < item.valid_until]


def in_context_order(hits: Sequence[Hit], question: str, now: int, *, most: int | None = None) -> list[Hit]:
    """Hits as they are told at an instant, the first `most` of them.

    What states comes before what asks or does not know; within each the order stays. A turn that only acknowledges is
    left out. The question that is asked is no answer to itself and is left out. A question that is after questions
    ("what did I ask about …?") leaves the order as it is. Of what is about the same, what holds now comes before what
    has ended or not begun, and what was verified before what is contested. What several say is told once: by what was
    stored of it rather than by a turn, by the user's turn rather than its echo, by that rather than a narrative, in
    the place of the best of them.
    """
    asked = plain(question)
    told = once([hit for hit in hits if not (question and _is_the_question(hit.item, asked))])
    told = _behind(told, lambda item: not holds(item, now), lambda item: holds(item, now))
    told = _behind(told, _contested, _verified)
    most = len(told) if most is None else most
    if question and asks_for_questions(read(question)):
        return told[:most]
    stating: list[Hit] = []
    others: list[Hit] = []
    for hit in told:
        if len(stating) == most:
            break
        done = act_of(hit.item)
        if done is not Act.ACKNOWLEDGES or hit.item.type != "episode":
            (stating if done is Act.STATES else others).append(hit)
    return (stating + others)[:most]


def _behind(hits: Sequence[Hit], low: Callable[[Item], bool], high: Callable[[Item], bool]) -> list[Hit]:
    """The hits with the low ones behind the high ones that are about the same; the rest as they were."""
    if not any(low(hit.item) for hit in hits):
        return list(hits)
    better = [
        (place, _words_in(hit.item.content))
        for place, hit in enumerate(hits)
        if high(hit.item) and states(hit.item)
    ]
    # What is high stays where it is. A low one goes right behind the last high one that is about the same.
    behind: dict[int, list[Hit]] = {}
    moved: set[int] = set()
    for place, hit in enumerate(hits if better else ()):
        if low(hit.item):
            words = _words_in(hit.item.content)
            later = (at for at, theirs in reversed(better) if at < place or _about_the_same(words, theirs))
            last = next(later, place)
            if last > place:
                behind.setdefault(last, []).append(hit)
                moved.add(place)
    found: list[Hit] = []
    for place, hit in enumerate(hits):
        if place not in moved:
            found.append(hit)
        found += reversed(behind.get(place, ()))
    return found


def _about_the_same(words: frozenset[str], theirs: frozenset[str]) -> bool:
    return 2 * len(words & theirs) >= min(len(words), len(theirs)) > 0


def _contested(item: Item) -> bool:
    return item.validation is Validation.CONTESTED


def _verified(item: Item) -> bool:
    return item.validation is Validation.VERIFIED


def selected_hits(
    hits: Sequence[Hit], question: str, *, now: int, closely: bool = False, likely: float = 0.0
) -> list[Hit]:
    """The best hits, in the order of `in_context_order`: a budget need not be filled with what happens to be there.

    Args:
        likely: How likely it is that any of them answers. Where a question asks for one thing, statements answer it,
            and the first of them stands out, only the first two are left.
        closely: Leave out turns and narratives whose statement no longer holds, where what holds is told, and, behind
            the first three, what is far behind the best by its score and by its relevance. The distance is measured
            within the scores that there are, so that it does not matter where their scale has its zero. What an
            agenda put in was looked for on purpose.
    """
    told = in_context_order(hits, question, now, most=_MOST_TOLD)
    if closely:
        current = {hit.item.id for hit in told}
        told = [hit for hit in told if hit.superseded_by not in current]
    stating = [hit for hit in told if states(hit.item)] or told
    if not closely or not told:
        return told
    if likely >= _LIKELY and _one_is_meant(told, question):
        return told[:_BESIDE_IT]
    best, relevant = (max(getattr(hit, name) for hit in stating) for name in ("score", "relevance"))
    lowest = best - _NEAR * (best - min(hit.score for hit in hits))
    return [
        hit
        for place, hit in enumerate(told)
        if place < _ALWAYS_TOLD
        or hit.score >= lowest
        or hit.relevance >= _RELEVANT * relevant
        or "agenda" in hit.signals
    ]


def _one_is_meant(told: Sequence[Hit], question: str) -> bool:
    """True where a question asks for one thing, and of short statements one is far above what follows."""
    if len(told) <= _BESIDE_IT or any("agenda" in hit.signals for hit in told):
        return False
    first, behind = told[0], told[_BESIDE_IT:]
    if first.relevance < _STANDS_OUT or max(hit.relevance for hit in behind) > _BEHIND * first.relevance:
        return False
    if first.score - max(hit.score for hit in behind) < _ABOVE:
        return False
    reading = read(question)
    if is_complex(reading) or expected(reading, asks_about(reading)) not in ONE_THING:
        return False
    return median(count_tokens(hit.item.content) for hit in told[:_FIRST]) <= _MOST_STATED


def served(result: SearchResult) -> list[str]:
    """Ids of the hits that may have served whoever searched, best first: what is merely listed serves nobody.

    The first three that state something and are relevant by themselves, of a search that is sure that something
    answers: docs/decisions/0029-use-is-use.md.
    """
    if result.abstained or result.confidence < _SURE:
        return []
    best = max((hit.relevance for hit in result.hits), default=0.0)
    bound = max(_SERVES, _SERVES_TOO * best)
    near = (hit.item.id for hit in result.hits if hit.relevance >= bound and states(hit.item))
    return list(islice(near, _MOST_SERVED))


def merged(one: SearchResult, other: SearchResult) -> SearchResult:
    """Two answers to one question as one, best first."""
    hits = {hit.item.id: hit for hit in (*other.hits, *one.hits)}
    return replace(
        one,
        hits=tuple(sorted(hits.values(), key=lambda hit: -hit.score)),
        abstained=one.abstained and other.abstained,
        confidence=max(one.confidence, other.confidence),
        degradations=tuple(dict.fromkeys((*one.degradations, *other.degradations))),
    )


def once(hits: Sequence[Hit]) -> list[Hit]:
    """Hits without those that say nothing but what another one states, which takes the best place of them all."""
    grades = [_grade(hit.item) for hit in hits]
    # Of the best grade, nothing but the same text speaks for another: their claims are not looked at.
    best = min(grades, default=0)
    forms = [_Compared.of(hit.item, grade, grade > best) for hit, grade in zip(hits, grades, strict=True)]
    weighty = sorted(range(len(hits)), key=lambda place: (forms[place].grade, place))
    kept: dict[int, int] = {}
    by_text: dict[str, int] = {}
    for place in weighty:
        form = forms[place]
        same = by_text.get(form.plain)
        if same is not None and other_links(form.item.content, forms[same].item.content):
            same = None
        speaker = same
        if form.claims:
            speaker = next((other for other in kept if other == same or forms[other].speaks_for(form)), None)
        if speaker is None:
            kept[place] = by_text[form.plain] = place
        else:
            kept[speaker] = min(kept[speaker], place)
    return [hits[place] for place in sorted(kept, key=lambda place: (kept[place], place))]


@dataclass(frozen=True, slots=True)
class _Compared:
    """An item as one form of what is told; all that comparing it with many others needs, worked out once.

    Attributes:
        grade: See `_grade`.
        claims: What it claims, sentence by sentence; empty where another form can't say all of it.
    """

    item: Item
    grade: int
    plain: str
    claims: tuple[str, ...]

    @classmethod
    def of(cls, item: Item, grade: int, compared: bool) -> _Compared:
        claims = _claims(item) if compared else ()
        claims = claims if len(claims) <= _MOST_SENTENCES else ()
        return cls(item, grade, plain(item.content), claims)

    def speaks_for(self, other: _Compared) -> bool:
        """True if this says all that another says in other words, and is the better form of it."""
        if self.grade == other.grade:
            return False
        own = _words_in(self.item.content)
        # What is compared closely has all words of each claim; mostly not even those of the first.
        if not all(map(own.issuperset, map(_words_in, other.claims))) or _apart(self.item, other.item):
            return False
        from simonides.governance.known import restates  # noqa: PLC0415 - where two hits say nearly the same

        said = (self.item.content, *_stated(self.item.content)[:_MOST_COMPARED])
        return all(any(restates(claim, one) for one in said) for claim in other.claims)


def _grade(item: Item) -> int:
    """Distance of an item from what was settled: the form in which a thing is told is the lowest.

    What comes from elsewhere speaks for nobody.
    """
    if item.trust is Trust.LOW or item.origin in _FROM_ELSEWHERE:
        return 4
    if item.type in TELLING_OF_TURNS:
        return 3
    if item.type not in _TURNS:
        return 0
    return 2 if item.origin is Origin.ASSISTANT_SAID else 1


@kept(8192)
def _words_in(text: str) -> frozenset[str]:
    from simonides.governance.known import words_of  # noqa: PLC0415 - where a prompt is made

    return frozenset(words_of(text))


def _apart(one: Item, other: Item) -> bool:
    """True if two speak of different people in the same words: "I" of one is not "I" of another."""
    senders = {_sender(item) for item in (one, other) if item.origin is not Origin.ASSISTANT_SAID} - {""}
    return len(senders) > 1 or one.scope != other.scope


def _sender(item: Item) -> str:
    return normalised(str(item.metadata.get("sender") or "")).casefold()


@kept(4096)
def _stated(text: str) -> tuple[str, ...]:
    return stated(text)


def _claims(item: Item) -> tuple[str, ...]:
    """Claims of an item, sentence by sentence; of a narrative what it quotes, if it does."""
    if item.type in TELLING_OF_TURNS and (quoted := quotations(item.content)):
        return tuple(sentence for quotation in quoted for sentence in _stated(quotation))
    return _stated(item.content)


def _is_the_question(item: Item, question: str) -> bool:
    """True if an item is the question itself; a statement that is asked for in its own words is its answer.

    Args:
        question: As `plain` has it.
    """
    if plain(item.content) != question:
        return False
    return item.type in _TURNS or not states(item)


@kept(8192)
def plain(text: str) -> str:
    """A text without what only decorates it, or makes a question of it; what is left alike says the same."""
    return _plain_of_long(text) if len(text) > _LONG_CHARS else _plain(text)


#: A pasted file is held against each other text several times in every context for as long as it is found.
@kept(4, longest=None)
def _plain_of_long(text: str) -> str:
    return _plain(text)


def _plain(text: str) -> str:
    return plain_form(text).strip(" .!?。！？")
