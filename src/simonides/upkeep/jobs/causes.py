"""Causes: turns that say in so many words why something came about are linked to what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final, NamedTuple

from simonides.domain.item import Item
from simonides.domain.link import Link, Relation
from simonides.domain.scope import ALL
from simonides.domain.selection import ItemOrder
from simonides.language.sameness import read
from simonides.language.synonyms import group_of
from simonides.language.tables import table, worded, words
from simonides.language.tokens import stemmed
from simonides.language.words import QUESTION_MARKS
from simonides.ports.recalling import Nearing
from simonides.ports.runs import judged
from simonides.ports.store import Reader
from simonides.tasks.cause import Cause, cause_of
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.change import AddLink, Change, Judged
from simonides.upkeep.ground import PAGE, Ground
from simonides.upkeep.job import Step

NAME: Final = "causes"
#: Where the job came to in the turns.
_BOOKMARK: Final = "causes:turns"
CONFIDENCE: Final = 0.7
#: What of a turn is looked at, and shown to a model.
_CHARS: Final = 600
#: Words that the reason, or what follows, must have: "because." says nothing.
_LEAST_WORDS: Final = 1


# The words of `{name}` in a pattern stand in the section `causes` of each language.
_worded: Final = partial(worded, "causes")
_ASSENTED: Final = r"(?:{assent}[,，.!]?\s*){0,2}"
#: Begins a turn that tells what came of the turn before it.
_EFFECT: Final = _worded(rf"{_ASSENTED}(?:{{effect}}\b|{{han_effect}})")
#: Begins a turn that tells why what the turn before it tells, or asks about, came about.
_REASON: Final = _worded(rf"{_ASSENTED}(?:{{reason}}\b|{{han_reason}})")
#: Asks for a reason.
_WHY: Final = _worded(r"\b{why}\b|{han_why}")
#: A reason with what follows from it, in one sentence.
_TWO_PARTS: Final = _worded(r"[,，;；]|\b{so}\b|{han_so}", flags=0)


@cache
def _says_nothing() -> frozenset[str]:
    """Words of answers that tell nothing of their own: a cause or an effect needs another word."""
    return frozenset(group_of(stemmed(word)) for word in words("answers", among="causes"))


class Pair(NamedTuple):
    """Two turns of which the second follows the first."""

    first: Item
    second: Item


class InferCauses:
    """Links causes to effects among turns that follow each other.

    Only where the later turn begins with words that say so: because, so, therefore, that is why, due to, and their
    counterparts in Russian, Chinese and French. A model, if there is one, decides whether it means what it says;
    without one the wording does. Each pair is judged once, some pairs a run (`upkeep.pairs`); the next run goes on
    behind them.
    """

    name = NAME
    about = "Link causes to effects where a turn says so in so many words."

    def plan(self, ground: Ground) -> Iterator[Step]:
        asking = ModelAccess(ground, "the wording decided about causes")
        with ground.read() as reader:
            after = max(reader.bookmark(_BOOKMARK), reader.bookmark(_place(ground)))
        selection = ground.selection(types=frozenset({"episode"}))
        left, done = ground.settings.upkeep.pairs, 0
        while left:
            with ground.read() as reader:
                page = reader.select(selection, ItemOrder.OLDEST, limit=PAGE, after=after)
                if not page:
                    return
                pairs = _with_wording(reader, ground, list(page.values()))
            chosen = pairs[:left]
            for pair in chosen:
                yield _judged(asking, pair)
                if asking.silent:
                    return  # This pair and the next ones are left for the next run.
                left -= 1
                done += 1
                ground.tell(done, what="pairs")
            last = page[max(page)] if left else chosen[-1].second
            yield Step((Judged(_place(ground), last.id, last.id),))
            if len(page) < PAGE:
                return
            after = max(page)


def stated(first: str, second: str) -> Cause:
    """Find which of two turns that follow each other tells the cause, by the words that begin the second one.

    What is asked is no effect, unless the question is why; what asks itself claims no cause. "Because it rains, we
    stay" tells its own effect, and nothing of the turn before.
    """
    text, is_question = second.strip(), first.rstrip()[-1:] in QUESTION_MARKS
    if not _tells(first):
        return Cause.NEITHER
    if match := _REASON.match(text):
        rest = _sentence(text[match.end() :])
        why = bool(is_question and _WHY.search(first))
        if rest is None or (is_question and not why) or (_TWO_PARTS.search(rest) and not why):
            return Cause.NEITHER
        return Cause.SECOND
    match = _EFFECT.match(text)
    if match is None or is_question or _sentence(text[match.end() :]) is None:
        return Cause.NEITHER
    return Cause.FIRST


def _sentence(rest: str) -> str | None:
    """The rest of a sentence; None where it says nothing more, or asks."""
    end = re.search(r"[.!?…。！？\n]", rest)
    sentence, sign = (rest, "") if end is None else (rest[: end.start()], end[0])
    if sign in QUESTION_MARKS and sign:
        return None
    return sentence if _tells(sentence) else None


def _tells(text: str) -> bool:
    """True if a text tells anything: "That explains it." and "I see, thanks." do not."""
    for phrase in table("zh", "causes")["han_answers"].split():
        text = text.replace(phrase, " ")
    return len(read(text).content - _says_nothing()) >= _LEAST_WORDS


def _place(ground: Ground) -> str:
    """The name of the bookmark: one scope does not move that of the whole store."""
    return _BOOKMARK if ground.scope is ALL else f"{_BOOKMARK}:{ground.scope}"


def _with_wording(reader: Reader, ground: Ground, turns: Sequence[Item]) -> list[Pair]:
    """Pairs whose second turn is one of these and begins with words of cause, in their order; none judged before."""
    worded = [turn for turn in turns if turn.injectable and turn.ordinal and _may_state(turn.content)]
    before = _before(reader, ground, worded)
    pairs = [
        Pair(first, turn)
        for turn in worded
        if (first := before.get(turn.id)) is not None
        and first.injectable
        and stated(first.content[:_CHARS], turn.content[:_CHARS]) is not Cause.NEITHER
    ]
    known = judged(reader, NAME, [(pair.first.id, pair.second.id) for pair in pairs])
    return [pair for pair in pairs if (pair.first.id, pair.second.id) not in known]


def _may_state(text: str) -> bool:
    beginning = text[:_CHARS].strip()
    return bool(_EFFECT.match(beginning) or _REASON.match(beginning))


def _before(reader: Reader, ground: Ground, turns: Sequence[Item]) -> Mapping[str, Item]:
    """The turn before each of these, by the id of that."""
    keys = [key for turn in turns if (key := reader.key(turn.id)) is not None]
    turns_only = ground.selection(types=frozenset({"episode"}))
    beside = reader.near(Nearing(selection=turns_only, text=keys, surrounded=len(keys), reach=1)).around
    around = reader.load(beside)
    places = {(turn.scope, turn.session_id, turn.ordinal): turn for turn in around.values()}
    before: dict[str, Item] = {}
    for turn in turns:
        first = places.get((turn.scope, turn.session_id, (turn.ordinal or 0) - 1))
        if first is not None:
            before[turn.id] = first
    return before


def _judged(asking: ModelAccess, pair: Pair) -> Step:
    first, second = (turn.content[:_CHARS] for turn in pair)
    by_wording = stated(first, second)
    cause = asking.ask(lambda model: cause_of(model, first, second))
    changes: list[Change] = []
    if asking.silent:
        return Step(())
    cause = by_wording if cause is None else cause
    if cause is not Cause.NEITHER:
        src, dst = pair if cause is Cause.FIRST else reversed(pair)
        changes.append(AddLink(Link(src=src.id, dst=dst.id, rel=Relation.CAUSAL, confidence=CONFIDENCE)))
    changes.append(Judged(NAME, pair.first.id, pair.second.id))
    return Step(tuple(changes), reads=tuple(pair))
