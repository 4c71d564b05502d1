"""Causes: turns that say in so many words why something came about are linked to what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from simonides.domain.item import Item
from simonides.domain.link import Link, Relation
from simonides.domain.pattern import later
from simonides.domain.scope import ALL
from simonides.domain.selection import ItemOrder
from simonides.domain.text import CJK
from simonides.language.sameness import read
from simonides.language.synonyms import group_of
from simonides.language.tokens import folded, stemmed
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


def _beginning(*phrases: str) -> re.Pattern[str]:
    """A pattern for the beginning of a turn: a word or two of assent, then one of these phrases.

    A blank in a phrase stands for any, an apostrophe for either form of it; Han phrases need no end of a word.
    """
    told = [phrase if _HAN.search(phrase) else rf"{phrase}\b" for phrase in phrases]
    told = [phrase.replace(" ", r"\s+").replace("'", "['’]") for phrase in told]
    return later(rf"(?:(?:{_ASSENT})[,，.!]?\s*){{0,2}}(?:{'|'.join(told)})", re.IGNORECASE)


_HAN: Final = re.compile(f"[{CJK}]")
_ASSENT: Final = r"ok|okay|yes|right|well|and|mainly|mostly|да|и|ну|oui|et|bon|嗯|是的"
#: Begins a turn that tells what came of the turn before it.
_EFFECT: Final = _beginning(
    "therefore", "hence", "consequently", "thus", "as a (?:result|consequence)", "for (?:that|this) reason",
    "that's why", "that (?:is|was) why", "this (?:is|was) why", "which is why", "because of (?:that|this|it)",
    "due to (?:that|this|it)", "(?:that|this|it|which) led to", "(?:that|this|it|which) has led to",
    "so (?:i|we|they|he|she)", "so now (?:i|we)",
    "поэтому", "из-за этого", "вследствие этого", "в результате", "так что", "следовательно",
    "donc", "c'est pourquoi", "c'est pour (?:ça|cela)", "par conséquent", "à cause de (?:ça|cela)", "du coup",
    "所以", "因此", "因而", "于是", "正因为如此", "这就是为什么",
)  # fmt: skip
#: Begins a turn that tells why what the turn before it tells, or asks about, came about.
_REASON: Final = _beginning(
    "because(?! of that| of this| of it)", "that's because", "(?:that|this|it) (?:is|was) because", "it's because",
    "due to(?! that| this| it)", "that's (?:due|thanks) to", "(?:that|this|it) (?:is|was) (?:due|thanks) to",
    "the reason (?:is|was)", "the reason for (?:that|this|it) (?:is|was)",
    "потому что", "это (?:из-за|потому)", "из-за(?! этого)", "так как", "причина в",
    "parce que", "parce qu'(?=.)", "car", "c'est parce que", "à cause(?! de ça| de cela)", "en raison",
    "因为", "由于", "原因是", "是因为",
)  # fmt: skip


#: What people answer that tells nothing of its own: a cause or an effect needs another word.
_ANSWERS: Final = """
explain explains explained understand understands understood see sees seen saw know knows knew hear hears heard sound
sounds make makes made sense help helps helped thank thanks great good bad nice fine true right wrong sure sorry wow
interesting exactly agree agreed done clear got gotcha cool perfect lovely pity shame same problem matter lot
bit idea point
question answer reason think thought believe guess hope fair enough indeed course funny oh hm hmm ah aha yeah yep nope
everything anything nothing something someone everyone noted awesome amazing terrible awful weird strange
surprising expected figures happened happen happens case
comprends compris vois sais entendu merci accord super parfait dommage explique ca cela clair normal bon vrai sens
понимаю понятно ясно знаю вижу спасибо хорошо отлично жаль правда точно объясняет согласен согласна конечно интересно
логично ага угу
"""
_SAYS_NOTHING: Final = frozenset(group_of(stemmed(folded(word))) for word in _ANSWERS.split())
_HAN_ASSENT: Final = (
    "原来如此", "怪不得", "难怪", "明白了", "明白", "知道了", "知道", "好的", "谢谢", "是的", "没问题", "太好了",
    "解释了", "解释",
    "懂了", "理解", "真的", "可惜", "有道理", "没错", "对的", "一切", "清楚",
)  # fmt: skip


#: Asks for a reason.
_WHY: Final = re.compile(
    r"\b(?:why|how\s+come|what\s+for|почему|зачем|отчего|pourquoi)\b|为什么|为何|为啥|怎么会", re.IGNORECASE
)
#: A reason with what follows from it, in one sentence.
_TWO_PARTS: Final = re.compile(r"[,，;；]|\bso\b|所以")


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
    said, asked = second.strip(), first.rstrip()[-1:] in QUESTION_MARKS
    if not _tells(first):
        return Cause.NEITHER
    if found := _REASON.match(said):
        rest = _sentence(said[found.end() :])
        why = bool(asked and _WHY.search(first))
        if rest is None or (asked and not why) or (_TWO_PARTS.search(rest) and not why):
            return Cause.NEITHER
        return Cause.SECOND
    found = _EFFECT.match(said)
    if found is None or asked or _sentence(said[found.end() :]) is None:
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
    for phrase in _HAN_ASSENT:
        text = text.replace(phrase, " ")
    return len(read(text).content - _SAYS_NOTHING) >= _LEAST_WORDS


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
    said = text[:_CHARS].strip()
    return bool(_EFFECT.match(said) or _REASON.match(said))


def _before(reader: Reader, ground: Ground, turns: Sequence[Item]) -> Mapping[str, Item]:
    """The turn before each of these, by the id of that."""
    keys = [key for turn in turns if (key := reader.key(turn.id)) is not None]
    turns_only = ground.selection(types=frozenset({"episode"}))
    beside = reader.near(Nearing(selection=turns_only, text=keys, surrounded=len(keys), reach=1)).around
    around = reader.load(beside)
    places = {(turn.scope, turn.session_id, turn.ordinal): turn for turn in around.values()}
    found: dict[str, Item] = {}
    for turn in turns:
        first = places.get((turn.scope, turn.session_id, (turn.ordinal or 0) - 1))
        if first is not None:
            found[turn.id] = first
    return found


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
