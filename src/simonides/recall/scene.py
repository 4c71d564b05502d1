"""From candidates to columns: what each holds of the question, and where it stands among the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.instant import SECOND_US
from simonides.domain.text import derived_tokens, is_lone
from simonides.language.calendar.windows import Window
from simonides.language.search_tokens import search_tokens
from simonides.language.terms import terms
from simonides.ports.store import Sketch, TextMatches
from simonides.recall.features import Look, Scene, among
from simonides.recall.passage import WHOLE_CHARS, Sought, read_of
from simonides.recall.pool import Floats, Indices, Pool
from simonides.recall.rank import FIRST_LOOK, Features, Weights, scores
from simonides.recall.tags import question_tags, tag_overlap

#: A conversation that is silent for so long has ended.
_SILENCE_US: Final = 30 * 60 * SECOND_US
_REACH: Final = 4
#: Characters of long texts that are looked through for what is read of them, the best matches first: a search must
#: not take the longer the longer its candidates are.
_SEARCHED_CHARS: Final = 2_000_000
_STEPS: Final = tuple(step for step in range(-_REACH, _REACH + 1) if step)
#: More places than a session has turns.
_PLACES: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class Sighting:
    """Candidates as the channels gave them, in the order of their keys.

    Attributes:
        parts: The questions of the message.
        counts: How many items of the store hold each token of the questions.
        extent: About how many items there are.
        names: First names of speakers that the question mentions, case folded.
        questions: Unit vectors of the parts; None without vectors.
        vectors: Unit vectors of the candidates, zeros for none; None without vectors.
        trusted: How far the embedder knows the script of each part, in [0, 1].
        activation: What items received over links, by key.
        former: BM25 of what items replaced, by key: they answer for it.
        entities: Share of the entities named that each candidate mentions.
        tags: Tags that were asked for.
        embed: Embeds passages of long texts, or gives None where it cannot; None where that would take too long.
        session: Key of the scope and name of the one that is asked about; its items count as of the time asked about.
        unasked: Words that name a time and are not looked for in texts, case folded.
    """

    keys: NDArray[np.int64]
    sketches: Sequence[Sketch]
    text: TextMatches
    parts: Sequence[str]
    counts: Mapping[str, int]
    extent: int
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
    session: tuple[int, str] | None = None
    embed: Callable[[Sequence[str]], NDArray[np.float32] | None] | None = None


def scene_of(seen: Sighting, weights: Weights = FIRST_LOOK) -> tuple[Pool, Scene]:
    """Lay candidates out. Cost: their texts, as far as they are read, are cut into tokens once."""
    size = len(seen.sketches)
    parts = _asked(seen)
    sought = _sought(parts)
    sketches = _as_read(seen, sought)
    tokens = _tokens([_text_of(some) for some in sketches], parts)
    sets = [frozenset(some) for some in tokens]
    seen = _seen_as_read(seen, sketches)
    looks = [_look(seen, part, number, tokens, sets) for number, part in enumerate(parts)]
    scores_by_key = dict(zip(seen.text.keys.tolist(), seen.text.scores.tolist(), strict=True))
    lengths = np.array([float(len(some)) for some in tokens])
    bm25 = np.array(
        [max(scores_by_key.get(s.key, 0.0), seen.former.get(s.key, 0.0)) for s in seen.sketches], np.float64
    )
    long = np.array([some is not whole for some, whole in zip(sketches, seen.sketches, strict=True)], bool)
    if long.any():
        bm25 = _of_passages(bm25, np.max([among(look, lengths) for look in looks], axis=0), long)
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
        inside = np.array(
            [(sketch.scope, sketch.session_id) == seen.session for sketch in seen.sketches], np.float64
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
            words=np.array([sketch.content.count(" ") + 1.0 for sketch in sketches]),
            answer=np.array([float(_is_answer(sketch)) for sketch in seen.sketches]),
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
        sought=sought,
    )
    dimension = 1 if seen.vectors is None else seen.vectors.shape[1]
    scene = Scene(
        sketches=sketches,
        looks=looks,
        lexical=first.lexical,
        lengths=lengths,
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


def _is_answer(sketch: Sketch) -> bool:
    return sketch.role == "assistant" and sketch.type == "episode"


class _Part(NamedTuple):
    """What a question of the message looks for.

    Attributes:
        terms: Its words, as they are written.
        tokens: Theirs, each once, without those of names.
        weights: IDF share of each token; they sum to 1 where there are any.
        pairs: Tokens that stand side by side in the question, of which the store knows both.
    """

    terms: tuple[str, ...]
    tokens: tuple[str, ...]
    weights: Floats
    pairs: Sequence[tuple[str, str]]


def worded(parts: Sequence[str], unasked: frozenset[str]) -> list[list[str]]:
    """The words of each question that are looked for."""
    return [[term for term in terms(part) if term.casefold() not in unasked] for part in parts]


def _asked(seen: Sighting) -> list[_Part]:
    asked = worded(seen.parts, seen.unasked)
    written = [term for words in asked for term in words]
    of_term = dict(zip(written, search_tokens(written), strict=True))
    counts, total = seen.counts, max(1, seen.extent)
    found: list[_Part] = []
    for words in asked:
        about = [term for term in words if term.casefold() not in seen.names] or words
        wanted = tuple(dict.fromkeys(token for term in about for token in of_term[term]))
        weights = np.array([math.log(1 + total / (1 + counts[token])) for token in wanted])
        every = [token for term in words for token in of_term[term]]
        pairs = [pair for pair in pairwise(every) if counts[pair[0]] and counts[pair[1]]]
        found.append(_Part(tuple(words), wanted, weights / (weights.sum() or 1.0), pairs))
    return found


def _tokens(texts: Sequence[str], parts: Sequence[_Part]) -> Sequence[Sequence[str]]:
    """The tokens of texts; where a question names a single character, also each place where that stands in a run."""
    tokens = search_tokens(texts)
    lone = {token for part in parts for token in part.tokens if is_lone(token)}
    if not lone:
        return tokens
    return [
        [*(token for token in some if token not in lone), *(one for one in text if one in lone)]
        for some, text in zip(tokens, texts, strict=True)
    ]


def _sought(parts: Sequence[_Part]) -> Sought:
    """What the questions look for together; what the store does not hold at all is worth nothing."""
    weights: dict[str, float] = {}
    for part in parts:
        for token, weight in zip(part.tokens, part.weights.tolist(), strict=True):
            weights[token] = max(weight, weights.get(token, 0.0))
    return Sought.of([term for part in parts for term in part.terms], weights, search_tokens)


def _as_read(seen: Sighting, sought: Sought) -> Sequence[Sketch]:
    """The candidates with the passages of long texts that matter in the place of the whole.

    Of a turn only where its beginning holds less of the question, and never of an assistant's: the trees learned of
    turns by their beginnings.
    """
    if all(len(sketch.content) <= WHOLE_CHARS for sketch in seen.sketches):
        return seen.sketches
    found = {key: rank for rank, key in enumerate(seen.text.keys.tolist())}
    read = list(seen.sketches)
    left = _SEARCHED_CHARS
    for row in sorted(range(len(read)), key=lambda row: (found.get(read[row].key, len(found)), row)):
        sketch = read[row]
        left -= len(sketch.content) if len(sketch.content) > WHOLE_CHARS else 0
        if left >= 0 and not _is_read_by_its_beginning(sketch, sought):
            text = read_of(sketch.content, sought)
            read[row] = sketch._replace(content=text, derived=derived_tokens(f"{sketch.title}\n{text}"))
    return read


def _is_read_by_its_beginning(sketch: Sketch, sought: Sought) -> bool:
    if len(sketch.content) <= WHOLE_CHARS or _is_answer(sketch):
        return True
    beginning = sketch.content[:WHOLE_CHARS]
    return sketch.type == "episode" and sought.held(beginning) >= sought.held(sketch.content)


def _seen_as_read(seen: Sighting, read: Sequence[Sketch]) -> Sighting:
    """The candidates with the vectors of the passages that were read: that of a whole book is near nothing."""
    if seen.vectors is None or seen.embed is None:
        return seen
    rows = [row for row, sketch in enumerate(read) if sketch.content != seen.sketches[row].content]
    if not rows:
        return seen
    read_vectors = seen.embed([read[row].content for row in rows])
    if read_vectors is None:
        return seen
    vectors = seen.vectors.copy()
    vectors[rows] = read_vectors
    return replace(seen, vectors=vectors)


def _text_of(sketch: Sketch) -> str:
    """What is read of a candidate; of a turn without its names, which tell who speaks and not of what."""
    named = "" if sketch.type == "episode" else sketch.entities
    content, derived = sketch.content, sketch.derived
    if len(content) > WHOLE_CHARS:
        content, derived = content[:WHOLE_CHARS], derived[:WHOLE_CHARS]
    return f"{sketch.title} {content} {sketch.tags} {named} {derived}"


def _look(
    seen: Sighting,
    part: _Part,
    number: int,
    tokens: Sequence[Sequence[str]],
    sets: Sequence[frozenset[str]],
) -> Look:
    """What one part of the message sees."""
    held = [
        [some.count(token) if token in there else 0 for token in part.tokens]
        for some, there in zip(tokens, sets, strict=True)
    ]
    columns = np.array(held, np.float64).reshape(len(tokens), len(part.tokens))
    phrases = np.zeros(len(tokens))
    if part.pairs:
        needles = [f" {one} {two} " for one, two in part.pairs]
        rows: list[int] = np.flatnonzero((columns > 0).any(axis=1)).tolist()
        for row in rows:
            joined = f" {' '.join(tokens[row])} "
            phrases[row] = sum(needle in joined for needle in needles) / len(needles)
    return Look(columns, part.weights, phrases, _cosine(seen, number))


def _of_passages(bm25: Floats, own: Floats, long: NDArray[np.bool_]) -> Floats:
    """BM25 with that of their passages for long texts: as a whole, a text of a book's length holds any word thinly.

    Args:
        own: BM25 of what is read of the candidates, among themselves: of another scale.
    """
    both = ~long & (bm25 > 0) & (own > 0)
    scale = float(np.median(bm25[both] / own[both])) if both.any() else 1.0
    return np.where(long & (own > 0), np.maximum(bm25, scale * own), bm25)


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
