"""Questions of other worlds that a world cannot answer. Pure."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.worlds import asked
from simonides.sample import Question, World

_WORD: Final = re.compile(r"\w+")
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
#: From this Jaccard index on, one turn says of something else what another says: the same form filled in.
#: Of the development sets' turns of different worlds, the nearest ones have a quarter of their words in
#: common, Chinese ones a twentieth of their pairs of characters.
_ALIKE: Final = 0.5
_ALIKE_CJK: Final = 0.25
#: An answer may list several things.
_PARTS: Final = re.compile(r"[;；\n]")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that its world answers.

    Attributes:
        evidence: The words of each turn that answers it.
    """

    world: str
    question: Question
    evidence: tuple[frozenset[str], ...]


def answerable(found: World) -> list[Asked]:
    """The questions of a world that its turns answer."""
    turns = found.turns
    return [
        Asked(
            found.id,
            question,
            tuple(words(turns[turn].text) for turn in question.evidence_turns if turn in turns),
        )
        for question in asked(found.questions, abstaining=False)
    ]


def foreign(found: World, pool: Sequence[Asked], count: int, seed: int) -> list[Question]:
    """Questions of other worlds that this one does not answer, as far as its making tells.

    Left out is a question that this world is asked as well, one whose answer stands in a turn here, and
    one whose evidence is here too or has its like here: a turn of nearly the same words.

    Args:
        pool: Questions of all worlds.
        count: How many are wanted; there may be fewer.

    Returns:
        A choice that depends on the seed and the world only.
    """
    texts = [turn.text for turn in found.turns.values()]
    said = [words(text) for text in texts]
    everything = "\n".join(texts).casefold()
    own = {_plain(question.text) for question in found.questions}
    others = [some for some in pool if some.world != found.id and _plain(some.question.text) not in own]
    random.Random(f"{seed} {found.id}").shuffle(others)
    chosen: list[Question] = []
    for some in others:
        if len(chosen) == count:
            break
        if not _holds(everything, some.question.answer) and not _alike(some.evidence, said):
            chosen.append(some.question)
    return chosen


def words(text: str) -> frozenset[str]:
    """The words of a text, case folded; of CJK the pairs of characters."""
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        found.add(_CJK.sub("", word))
        for run in _CJK.findall(word):
            found.update(run[n : n + 2] for n in range(max(1, len(run) - 1)))
    return frozenset(found - {""})


def _holds(text: str, answer: str) -> bool:
    """True if an answer, or a part of one that lists several, stands in a text as whole words."""
    parts = (part.strip(" .。").casefold() for part in _PARTS.split(answer))
    return any(_stands(text, part) for part in parts if part)


def _stands(text: str, part: str) -> bool:
    if _CJK.search(part):
        return part in text
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _alike(evidence: Iterable[frozenset[str]], said: Sequence[frozenset[str]]) -> bool:
    return any(_jaccard(some, turn) >= _bound(some) for some in evidence if some for turn in said)


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared)


def _bound(evidence: frozenset[str]) -> float:
    pairs = sum(_CJK.match(word) is not None for word in evidence)
    return _ALIKE_CJK if 2 * pairs > len(evidence) else _ALIKE


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
