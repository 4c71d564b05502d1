"""The same text never twice, and nothing else: an order is kept as it is. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from simonides.domain.text import normalised
from simonides.language.sentences import whole_sentences
from simonides.ports.store import Sketch
from simonides.values import dataclass

#: What may quote turns: upkeep sums up a stretch of a conversation in sentences of it.
_QUOTING: Final = frozenset({"event", "narrative"})
#: Who said it, before a quoted sentence.
_SAID_BY: Final = re.compile(r"[^\s:：][^:：]{0,60}[:：]\s*")
#: Shorter sentences may stand anywhere.
_SHORTEST: Final = 12


@dataclass(frozen=True, slots=True)
class Distinct:
    """Candidates without repeats.

    Attributes:
        kept: In the order they came in.
        folded: Keys that said the same, in their order, by the key of the one that was kept for them;
            only where there are any.
    """

    kept: tuple[Sketch, ...]
    folded: Mapping[int, tuple[int, ...]]


def distinct(ranked: Iterable[Sketch], *, most: int | None = None, holding: bool = False) -> Distinct:
    """Drop what repeats the text of a better candidate, to the character.

    The text is title and content, in NFC with blanks folded. What is only similar stays where it is:
    trading relevance for variety loses more answers than it saves room. A turn and an item that was made of it
    may say the same and are two: one tells who said it when, the other what holds. A summary that quotes turns of
    its session says nothing that they do not say: it is left out where one of them is a candidate, too.

    Args:
        ranked: Best first, none twice.
        most: So many are kept at most; what comes after them is not looked at. None for all.
        holding: Whether one that holds is kept, in its place, for a better one that was replaced or forgotten.
    """
    candidates = list(ranked)
    quotable = _turns_by_session(candidates) if any(one.type in _QUOTING for one in candidates) else {}
    first: dict[str, Sketch] = {}
    folded: dict[int, list[int]] = {}
    for sketch in candidates:
        if len(first) == most:
            break
        if sketch.type in _QUOTING and (turn := _quoted(sketch, quotable)) is not None:
            folded.setdefault(turn.key, []).append(sketch.key)
            continue
        # A line break stands in no normalised text: title and content cannot run into each other.
        text = f"{normalised(sketch.title)}\n{normalised(sketch.content)}"
        if sketch.type == "record":  # The same under two keys are two.
            text = f"\n\n{sketch.key}"
        text = f"\n{text}" if sketch.type == "episode" else text
        better = first.setdefault(text, sketch)
        if better is sketch:
            continue
        if holding and _ended(better) and not _ended(sketch):
            first[text] = sketch
            folded[sketch.key] = [better.key, *folded.pop(better.key, ())]
        else:
            folded.setdefault(better.key, []).append(sketch.key)
    return Distinct(tuple(first.values()), {key: tuple(keys) for key, keys in folded.items()})


def _ended(sketch: Sketch) -> bool:
    return sketch.superseded_by is not None or sketch.validation == "retracted"


def _turns_by_session(candidates: Sequence[Sketch]) -> dict[tuple[int, str | None], list[Sketch]]:
    found: dict[tuple[int, str | None], list[Sketch]] = defaultdict(list)
    for sketch in candidates:
        if sketch.type == "episode":
            found[sketch.scope, sketch.session_id].append(sketch)
    return found


def _quoted(sketch: Sketch, turns: Mapping[tuple[int, str | None], Sequence[Sketch]]) -> Sketch | None:
    """The best of the turns that a summary quotes; None where it does not quote, or none of them is a candidate."""
    own = turns.get((sketch.scope, sketch.session_id), ())
    if not own:
        return None
    said = [
        sentence
        for part in whole_sentences(normalised(sketch.content))
        if len(sentence := _SAID_BY.sub("", part, count=1).rstrip("… ")) >= _SHORTEST
    ]
    return next((turn for turn in own if any(one in normalised(turn.content) for one in said)), None)
