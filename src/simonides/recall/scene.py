"""From candidates to columns: what each holds of the question, and where it stands among the others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.instant import SECOND_US
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.ports.store import Reader, Sketch, TextMatches
from simonides.recall.features import Look, Scene
from simonides.recall.pool import Floats, Indices, Pool
from simonides.recall.question.windows import Window
from simonides.recall.rank import FIRST_LOOK, Features, Weights, scores
from simonides.recall.tags import question_tags, tag_overlap
from simonides.recall.terms import terms

#: A conversation that is silent for so long has ended.
_SILENCE_US: Final = 30 * 60 * SECOND_US
_REACH: Final = 4
#: A text is read so far: a search must not take the longer the longer its candidates are.
_READ_CHARS: Final = 4_000
_STEPS: Final = tuple(step for step in range(-_REACH, _REACH + 1) if step)
#: More places than a session has turns.
_PLACES: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class Sighting:
    """Candidates as the channels gave them, in the order of their keys.

    Attributes:
        parts: The questions of the message.
        names: First names of speakers that the question mentions, case folded.
        questions: Unit vectors of the parts; None without vectors.
        vectors: Unit vectors of the candidates, zeros for none; None without vectors.
        trusted: How far the embedder knows the script of each part, in [0, 1].
        activation: What items received over links, by key.
        former: BM25 of what items replaced, by key: they answer for it.
        entities: Share of the entities named that each candidate mentions.
        tags: Tags that were asked for.
        session: The one that is asked about; its items count as of the time that is asked about.
        unasked: Words that name a time and are not looked for in texts, case folded.
    """

    keys: NDArray[np.int64]
    sketches: Sequence[Sketch]
    text: TextMatches
    parts: Sequence[str]
    names: frozenset[str]
    questions: NDArray[np.float32] | None
    vectors: NDArray[np.float32] | None
    trusted: Sequence[float]
    activation: Mapping[int, float]
    former: Mapping[int, float]
    entities: Floats
    window: Window | None
    tags: frozenset[str] | None
    now: int
    unasked: frozenset[str] = frozenset()
    session: tuple[Scope, str] | None = None


def scene_of(reader: Reader, seen: Sighting, weights: Weights = FIRST_LOOK) -> tuple[Pool, Scene]:
    """Lay candidates out. Cost: their texts, as far as they are read, are cut into tokens once."""
    size = len(seen.sketches)
    texts = [_text_of(some) for some in seen.sketches]
    tokens = reader.tokens(texts)
    sets = [frozenset(some) for some in tokens]
    looks = _looks(reader, seen, tokens, sets)
    scores_by_key = dict(zip(seen.text.keys.tolist(), seen.text.scores.tolist(), strict=True))
    bm25 = np.array(
        [max(scores_by_key.get(s.key, 0.0), seen.former.get(s.key, 0.0)) for s in seen.sketches], np.float64
    )
    cosine = np.max([look.cosine for look in looks], axis=0) if size else np.zeros(0)
    coverage = np.max([look.held.sum(axis=1) for look in looks], axis=0) if size else np.zeros(0)
    groups = _groups(seen.sketches)
    steps = _steps(seen.sketches, groups)
    speaker = np.array([float(first_name(sketch.sender) in seen.names) for sketch in seen.sketches])
    window = np.zeros(size)
    if seen.window is not None:
        at = np.array([sketch.event_at for sketch in seen.sketches], np.int64)
        window = ((at >= seen.window.start) & (at < seen.window.end)).astype(np.float64)
    if seen.session is not None:
        (key,) = reader.scope_keys(Selection(scopes=(seen.session[0],), live_at=None)) or (0,)
        place = (key, seen.session[1])
        inside = np.array(
            [(sketch.scope, sketch.session_id) == place for sketch in seen.sketches], np.float64
        )
        window = np.maximum(window, inside)
    activation = np.array([seen.activation.get(sketch.key, 0.0) for sketch in seen.sketches])
    tag = tag_overlap(question_tags(" ".join(seen.parts), seen.tags or ()), seen.sketches)
    first = scores(
        Features(
            keys=seen.keys,
            bm25=bm25,
            cosine=cosine,
            coverage=coverage,
            speaker=speaker,
            words=np.array([sketch.content.count(" ") + 1.0 for sketch in seen.sketches]),
            answer=np.array(
                [float(sketch.role == "assistant" and sketch.type == "episode") for sketch in seen.sketches]
            ),
            neighbours=(steps[-1], steps[1], steps[-2], steps[2]),
            session=_held_by_session(groups, looks),
        ),
        weights,
    )
    pool = Pool(
        keys=seen.keys,
        sketches=seen.sketches,
        bm25=bm25,
        cosine=cosine,
        coverage=coverage,
        tag=tag,
        entity=seen.entities,
        activation=activation,
        window=window,
        now=seen.now,
    )
    dimension = 1 if seen.vectors is None else seen.vectors.shape[1]
    scene = Scene(
        sketches=seen.sketches,
        looks=looks,
        lexical=first.lexical,
        lengths=np.array([float(len(some)) for some in tokens]),
        tokens=sets,
        vectors=np.zeros((size, dimension), np.float32) if seen.vectors is None else seen.vectors,
        speaker=speaker,
        named=bool(seen.names),
        steps=steps,
        groups=groups,
        alone=first.alone,
        linear=first.score,
        entity=seen.entities,
        activation=activation,
        tag=tag,
        window=window,
    )
    return pool, scene


def _text_of(sketch: Sketch) -> str:
    """What is read of a candidate; of a turn without its names, which tell who speaks and not of what."""
    named = "" if sketch.type == "episode" else sketch.entities
    return (
        f"{sketch.title} {sketch.content[:_READ_CHARS]} {sketch.tags} {named} {sketch.derived[:_READ_CHARS]}"
    )


def _looks(
    reader: Reader, seen: Sighting, tokens: Sequence[Sequence[str]], sets: Sequence[frozenset[str]]
) -> list[Look]:
    """What each part of the message sees."""
    worded = [[term for term in terms(part) if term.casefold() not in seen.unasked] for part in seen.parts]
    cut = reader.tokens([term for words in worded for term in words])
    of_term = dict(zip((term for words in worded for term in words), cut, strict=True))
    counts = reader.document_counts(sorted({token for some in cut for token in some}))
    total = max(1, reader.extent())
    joined: list[str] | None = None
    found: list[Look] = []
    for number, words in enumerate(worded):
        about = [term for term in words if term.casefold() not in seen.names] or words
        wanted = list(dict.fromkeys(token for term in about for token in of_term[term]))
        weights = np.array([math.log(1 + total / (1 + counts[token])) for token in wanted])
        weights = weights / (weights.sum() or 1.0)
        held = [
            [some.count(token) if token in there else 0 for token in wanted]
            for some, there in zip(tokens, sets, strict=True)
        ]
        columns = np.array(held, np.float64).reshape(len(tokens), len(wanted))
        every = [token for term in words for token in of_term[term]]
        pairs = [pair for pair in pairwise(every) if counts[pair[0]] and counts[pair[1]]]
        phrases = np.zeros(len(tokens))
        if pairs:
            joined = joined or [f" {' '.join(some)} " for some in tokens]
            needles = [f" {one} {two} " for one, two in pairs]
            rows = np.flatnonzero((columns > 0).sum(axis=1) >= 1).tolist()
            for row in rows:
                phrases[row] = sum(needle in joined[row] for needle in needles) / len(needles)
        found.append(Look(columns, weights, phrases, _cosine(seen, number)))
    return found


def _cosine(seen: Sighting, number: int) -> Floats:
    if seen.questions is None or seen.vectors is None:
        return np.zeros(len(seen.sketches))
    question: NDArray[np.float32] = seen.questions[number]
    # Row by row: small matrix products start threads that cost more than they do.
    product = cast("NDArray[np.float32]", np.vecdot(seen.vectors, question))
    return np.maximum(np.round(product.astype(np.float64), 6), 0.0) * seen.trusted[number]


def _steps(sketches: Sequence[Sketch], groups: Indices) -> dict[int, Indices]:
    """Rows of the turns so many places before and after each candidate, -1 for none."""
    ordinals = np.array([-1 if sketch.ordinal is None else sketch.ordinal for sketch in sketches], np.int64)
    at = np.array([sketch.event_at for sketch in sketches], np.int64)
    placed = (groups >= 0) & (ordinals >= 0)
    # A place is one number, far enough from the next session's for every step.
    places = groups.astype(np.int64) * _PLACES + ordinals + _REACH
    rows = np.flatnonzero(placed)
    known = rows[np.argsort(places[rows], kind="stable")]
    found: dict[int, Indices] = {}
    for step in _STEPS:
        column = np.full(len(sketches), -1, np.intp)
        if len(known):
            wanted = places[rows] + step
            where = np.minimum(np.searchsorted(places[known], wanted), len(known) - 1)
            beside = known[where]
            # Turns that are further apart in time stand beside each other by chance: notes, not a conversation.
            near = (places[beside] == wanted) & (np.abs(at[beside] - at[rows]) <= _SILENCE_US)
            column[rows[near]] = beside[near]
        found[step] = column
    return found


def _groups(sketches: Sequence[Sketch]) -> Indices:
    """The number of each candidate's session, -1 outside of sessions."""
    numbers: dict[tuple[int, str], int] = {}
    return np.array(
        [
            -1
            if sketch.session_id is None
            else numbers.setdefault((sketch.scope, sketch.session_id), len(numbers))
            for sketch in sketches
        ],
        np.intp,
    )


def _held_by_session(groups: Indices, looks: Sequence[Look]) -> Floats:
    """What the candidates of each one's session hold of the question together; 0 outside of sessions."""
    found = np.zeros(len(groups))
    count = int(groups.max(initial=-1)) + 1
    if count < 2:
        return found  # Where there is one session only, it tells none of its turns from another.
    held = [look.held for look in looks]
    for group in range(count):
        rows = np.flatnonzero(groups == group)
        found[rows] = max(some[rows].max(axis=0).sum() if some.shape[1] else 0.0 for some in held)
    return found


def first_name(sender: str) -> str:
    """The first word of a sender's name, case folded."""
    return sender.split(" ", 1)[0].casefold()
