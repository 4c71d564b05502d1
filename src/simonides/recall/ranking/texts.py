"""Columns of the candidates' texts: the tokens of a question that each holds, its meaning, and where it stands. Pure.

What embeds the passages of long texts comes with the question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.instant import DAY_US, SECOND_US
from simonides.domain.kept import kept
from simonides.domain.text import derived_tokens, is_lone
from simonides.errors import ProviderError
from simonides.language.calendar.told import told_windows
from simonides.language.calendar.windows import Window
from simonides.language.search_tokens import search_tokens, tokens_of
from simonides.language.terms import terms
from simonides.language.tokens import tokens
from simonides.language.words import HAN_THIRD_PERSONS, THIRD_PERSONS
from simonides.ports.store import Sketch
from simonides.recall.candidates import CandidateTable, Floats, Indices, QueryContext, QueryMatch
from simonides.recall.passage import WHOLE_CHARS, Sought, read_of
from simonides.recall.question.tense import Tense
from simonides.recall.ranking.tags import question_tags, tag_overlap
from simonides.recall.ranking.text_words import TextTable

#: Characters of an assistant's turn from which on some pronoun stands in it anyway.
_LONG_ANSWER: Final = 300
#: Characters of a turn in which a pronoun speaks of whom an earlier one named.
_SPOKEN_CHARS: Final = 200
#: Of a longer time that is asked about, what happened then is looked at, and not what tells of it; and a time that is
#: told of is of it with one part in so many at least.
_LONGEST_TOLD: Final = 366 * DAY_US
_SHARED: Final = 3
#: So many candidates are looked at for a time that they tell of, those first that were said so shortly before it.
_LOOKED_AT: Final = 80
#: Likewise where something else is asked for as well.
_BESIDE_OTHERS: Final = 24
_SHORTLY: Final = 2 * DAY_US
#: A conversation that is silent for so long has ended.
_SILENCE_US: Final = 30 * 60 * SECOND_US
_REACH: Final = 4
#: Characters of long texts that are looked through for what is read of them, the best matches first: a search must
#: not take the longer the longer its candidates are.
_SEARCHED_CHARS: Final = 2_000_000
_STEPS: Final = tuple(step for step in range(-_REACH, _REACH + 1) if step)
#: More places than a session has turns.
_PLACES: Final = 1 << 40


def measured(candidates: CandidateTable) -> CandidateTable:
    """The candidates with the columns of their texts. Cost: what is read of these is cut into tokens once."""
    query, sketches = candidates.query, candidates.sketches
    asked = _wanted(query)
    sought = _sought(asked)
    read = _as_read(candidates, sought)
    bm25, long = candidates.bm25, read is not sketches
    candidates = candidates.having(read=read, sought=sought)
    if long:
        candidates = _with_passages_embedded(candidates)
    texts = _texts(read, asked)
    matches, repeated = _matches(candidates, asked, texts)
    lengths = texts.figures.tokens
    if long:
        in_part = np.array([some is not whole for some, whole in zip(read, sketches, strict=True)], bool)
        bm25 = _of_passages(bm25, best_of([among(match, lengths) for match in matches]), in_part)
    groups = _groups(sketches)
    neighbours = _neighbours(candidates, groups)
    entity = _spoken_of(candidates, neighbours)
    tags = np.zeros(len(candidates))
    if any(sketch.tags for sketch in sketches):
        tags = tag_overlap(question_tags(" ".join(query.parts), query.tags or ()), sketches)
    return candidates.having(
        texts=texts,
        lengths=lengths,
        words=texts.figures.words,
        matches=matches,
        repeated=repeated,
        bm25=bm25,
        cosine=best_of([match.cosine for match in matches]),
        coverage=best_of([match.coverage for match in matches]),
        tag=tags,
        window=_window(candidates),
        speaker=_said_by(query.names, sketches),
        answer=np.array([is_answer(sketch) for sketch in sketches], np.float64),
        groups=groups,
        neighbours=neighbours,
        entity=entity,
        spoken_of=entity > candidates.entity,
        session=held_by_session(groups, matches),
    )


def best_of(columns: Sequence[Floats]) -> Floats:
    """The highest value of each candidate."""
    return columns[0] if len(columns) == 1 else np.maximum.reduce(columns)


def is_answer(sketch: Sketch) -> bool:
    """True if a candidate is a turn of an assistant."""
    return sketch.role == "assistant" and sketch.type == "episode"


def among(match: QueryMatch, lengths: Floats, k1: float = 1.2, b: float = 0.75) -> Floats:
    """BM25 of the candidates among themselves: also of those that the text channel did not give."""
    mean = float(lengths.mean()) if len(lengths) else 0.0
    # Signs alone, "👍", are no tokens: where all candidates are such their mean length is 0.
    normal = k1 * (1 - b + b * lengths / (mean or 1.0))
    return (match.counts * (k1 + 1) / (match.counts + normal[:, None])) @ match.weights


class _Wanted(NamedTuple):
    """The words that a question of the message looks for.

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


def _wanted(query: QueryContext) -> list[_Wanted]:
    asked = worded(query.parts, query.unasked)
    written = [term for words in asked for term in words]
    of_term = dict(zip(written, search_tokens(written), strict=True))
    # The same question, asked before, makes none of its words commoner, or known.
    counts = {token: max(0, count - query.asked_before) for token, count in query.counts.items()}
    total = max(1, query.extent - query.asked_before)
    found: list[_Wanted] = []
    for words in asked:
        about = [term for term in words if term.casefold() not in query.names] or words
        wanted = tuple(dict.fromkeys(token for term in about for token in of_term[term]))
        weights = np.array([math.log(1 + total / (1 + counts[token])) for token in wanted])
        every = [token for term in words for token in of_term[term]]
        pairs = [pair for pair in pairwise(every) if counts[pair[0]] and counts[pair[1]]]
        found.append(_Wanted(tuple(words), wanted, weights / (weights.sum() or 1.0), pairs))
    return found


def _texts(read: Sequence[Sketch], parts: Sequence[_Wanted]) -> TextTable:
    """The words of texts; where a question names a single character, also each place where that stands in a run."""
    lone = frozenset(token for part in parts for token in part.tokens if is_lone(token))
    return TextTable.of([sketch.content for sketch in read], [_pieces_of(sketch) for sketch in read], lone)


def _sought(parts: Sequence[_Wanted]) -> Sought:
    """All that the questions look for; what the store does not hold at all is worth nothing."""
    weights: dict[str, float] = {}
    for part in parts:
        for token, weight in zip(part.tokens, part.weights.tolist(), strict=True):
            weights[token] = max(weight, weights.get(token, 0.0))
    return Sought.of([term for part in parts for term in part.terms], weights, search_tokens)


def _as_read(candidates: CandidateTable, sought: Sought) -> Sequence[Sketch]:
    """The candidates with the passages of long texts that matter in the place of the whole.

    Of a turn only where its beginning holds less of the question, and never of an assistant's: the trees learned of
    turns by their beginnings.
    """
    sketches = candidates.sketches
    if not any(len(sketch.content) > WHOLE_CHARS for sketch in sketches):
        return sketches
    read = list(sketches)
    left = _SEARCHED_CHARS
    best_first: list[int] = np.argsort(candidates.text_rank, kind="stable").tolist()
    for row in best_first:
        sketch = read[row]
        left -= len(sketch.content) if len(sketch.content) > WHOLE_CHARS else 0
        if left >= 0 and not _is_read_by_its_beginning(sketch, sought):
            text = read_of(sketch.content, sought)
            read[row] = sketch._replace(content=text, derived=derived_tokens(f"{sketch.title}\n{text}"))
    return read


def _is_read_by_its_beginning(sketch: Sketch, sought: Sought) -> bool:
    if len(sketch.content) <= WHOLE_CHARS or is_answer(sketch):
        return True
    beginning = sketch.content[:WHOLE_CHARS]
    return sketch.type == "episode" and sought.held(beginning) >= sought.held(sketch.content)


def _with_passages_embedded(candidates: CandidateTable) -> CandidateTable:
    """The candidates with the vectors of the passages that were read: that of a whole book is near nothing."""
    query, read = candidates.query, candidates.read
    if query.vectors is None or query.embed is None:
        return candidates
    rows = [row for row, sketch in enumerate(read) if sketch.content != candidates.sketches[row].content]
    if not rows:
        return candidates
    try:
        of_passages = query.embed([read[row].content for row in rows])
    except ProviderError as error:
        return candidates.having(degradations=(*candidates.degradations, f"vectors: {error}"))
    if of_passages is None:
        return candidates
    vectors = candidates.vectors.copy()
    vectors[rows] = of_passages
    return candidates.having(vectors=vectors)


def _pieces_of(sketch: Sketch) -> tuple[str, ...]:
    """The text that is read of a candidate; of a turn without its names, which tell who speaks and not of what."""
    named = "" if sketch.type == "episode" else sketch.entities
    content, derived = sketch.content, sketch.derived
    if len(content) > WHOLE_CHARS:
        content, derived = content[:WHOLE_CHARS], derived[:WHOLE_CHARS]
    return sketch.title, content, sketch.tags, named, derived


def _matches(
    candidates: CandidateTable, parts: Sequence[_Wanted], texts: TextTable
) -> tuple[list[QueryMatch], Floats]:
    """The candidates against each question of the message, and how many different words of it each repeats."""
    analysis, variants = candidates.query.analysis, candidates.query.variants
    forms = {
        token: [form.split() for form in variants.get(token, ())] for part in parts for token in part.tokens
    }
    paired = (token for part in parts for pair in part.pairs for token in pair)
    words = (word for some in forms.values() for form in some for word in form)
    written = dict.fromkeys(tokens_of(f"{analysis.text} {derived_tokens(analysis.text)}"))
    places = texts.find(list(dict.fromkeys([*forms, *paired, *words, *written])))
    counts = places.counts()
    repeated = np.add.reduce(counts[[places.numbers[token] for token in written]] > 0, 0, np.float64)
    found: list[QueryMatch] = []
    for number, part in enumerate(parts):
        columns = np.ascontiguousarray(counts[[places.numbers[token] for token in part.tokens]].T)
        for place, token in enumerate(part.tokens):
            for form in forms[token]:
                # One of several words as often as the rarest of them.
                columns[:, place] += counts[[places.numbers[word] for word in form]].min(axis=0)
        phrases = np.zeros(len(candidates))
        if part.pairs:
            phrases = places.sides(part.pairs) * (columns > 0).any(axis=1) / len(part.pairs)
        found.append(QueryMatch(part.tokens, columns, part.weights, phrases, _cosine(candidates, number)))
    return found, repeated


def _of_passages(bm25: Floats, own: Floats, long: NDArray[np.bool_]) -> Floats:
    """BM25 with that of their passages for long texts: as a whole, a text of a book's length holds any word thinly.

    Args:
        own: BM25 of what is read of the candidates, among themselves: of another scale.
    """
    if not long.any():
        return bm25
    both = ~long & (bm25 > 0) & (own > 0)
    scale = float(np.median(bm25[both] / own[both])) if both.any() else 1.0
    return np.where(long & (own > 0), np.maximum(bm25, scale * own), bm25)


def _cosine(candidates: CandidateTable, number: int) -> Floats:
    query = candidates.query
    if query.vectors is None:
        return np.zeros(len(candidates))
    question: NDArray[np.float32] = query.vectors[number]
    # Row by row: small matrix products start threads that cost more than they do.
    product = cast("NDArray[np.float32]", np.vecdot(candidates.vectors, question))
    return np.maximum(query.scale(product.astype(np.float64)).round(6), 0.0) * query.trusted[number]


def _window(candidates: CandidateTable) -> Floats:
    """1 for candidates of the time, or the session, that is asked about, else 0; shape (n,).

    What happened then is of it, and what tells of it. Where a question is not told in the past, what tells of the time
    to come counts alone, if anything does: "What do I have on Thursday?".
    """
    query, window = candidates.query, np.zeros(len(candidates))
    analysis = query.analysis
    if (asked := analysis.window) is not None:
        at = candidates.event_at
        window = ((at >= asked.start) & (at < asked.end)).astype(np.float64)
        if asked.end - asked.start <= _LONGEST_TOLD:
            past = analysis.tense in {Tense.PAST, Tense.FORMER}
            telling = _telling_of(candidates, analysis.coming or asked)
            window = np.maximum(window, telling) if past or not telling.any() else telling
    if query.session is not None:
        inside = [(sketch.scope, sketch.session_id) == query.session for sketch in candidates.sketches]
        window = np.maximum(window, np.array(inside, np.float64))
    return window


def _telling_of(candidates: CandidateTable, asked: Window) -> Floats:
    """1 for candidates that name a time of which at least a third lies within the one asked about; shape (n,)."""

    def within(told: Window) -> bool:
        shared = min(told.end, asked.end) - max(told.start, asked.start)
        return _SHARED * shared >= told.end - told.start

    telling = np.zeros(len(candidates))
    # What has words of the question, or for its time, and what was told shortly before ("tomorrow").
    lately = (candidates.event_at >= asked.start - _SHORTLY) & (candidates.event_at < asked.end)
    most = _BESIDE_OTHERS if candidates.query.analysis.content_terms else _LOOKED_AT
    best: list[int] = np.lexsort((candidates.text_rank, ~lately))[:most].tolist()
    for row in best:
        sketch = candidates.sketches[row]
        telling[row] = any(map(within, told_windows(sketch.content, sketch.event_at)))
    return telling


def _neighbours(candidates: CandidateTable, groups: Indices) -> dict[int, Indices]:
    """Rows of the turns so many places before and after each candidate, -1 for none; empty where none has any."""
    if not (groups >= 0).any():
        return {}
    sketches, at = candidates.sketches, candidates.event_at
    ordinals = np.array([-1 if sketch.ordinal is None else sketch.ordinal for sketch in sketches], np.int64)
    # A place is one number, far enough from the next session's for every step.
    places = groups.astype(np.int64) * _PLACES + ordinals + _REACH
    rows = ((groups >= 0) & (ordinals >= 0)).nonzero()[0]
    if not len(rows):
        return {}
    known = rows[places[rows].argsort(kind="stable")]
    wanted = places[rows] + np.array(_STEPS)[:, None]
    where = np.minimum(places[known].searchsorted(wanted), len(known) - 1)
    beside = known[where]
    # Turns that are further apart in time stand beside each other by chance: notes, not a conversation.
    near = (places[beside] == wanted) & (np.abs(at[beside] - at[rows]) <= _SILENCE_US)
    found = np.full((len(_STEPS), len(sketches)), -1, np.intp)
    found[:, rows] = np.where(near, beside, -1)
    return dict(zip(_STEPS, found, strict=True))


def _spoken_of(candidates: CandidateTable, neighbours: Mapping[int, Indices]) -> Floats:
    """Share of the named entities that each candidate mentions, shape (n,): those of a turn with a pronoun, too.

    "He wants to retrain." is of whom the turn before it named, or the speaker's own one before that.
    """
    entity = candidates.entity
    # Of people who talk to each other, each is named in what is said to them.
    if not neighbours or candidates.query.names or not entity.any():
        return entity
    found, sketches = entity.copy(), candidates.sketches
    last, own = neighbours[-1], neighbours[-2]
    # Twice: "Raj lost his job.", "He is looking for another.", "He wants to retrain."
    for _ in range(2):
        padded = np.append(found, 0.0)  # What has no neighbour reads the last value, 0.
        rows: list[int] = np.flatnonzero(np.maximum(padded[last], padded[own]) > found).tolist()
        for row in rows:
            one = sketches[row]
            of_own = own[row] >= 0 and sketches[int(own[row])].sender == one.sender
            named = max(float(padded[last[row]]), float(padded[own[row]]) if of_own else 0.0)
            long_answer = is_answer(one) and len(one.content) > _LONG_ANSWER
            if named > found[row] and not long_answer and _has_pronoun(one.content):
                found[row] = named
    return found


@kept(4096)
def _has_pronoun(text: str) -> bool:
    """True if a text speaks of somebody by a pronoun."""
    beginning = text[:_SPOKEN_CHARS]
    return not THIRD_PERSONS.isdisjoint(token.fold for token in tokens(beginning)) or any(
        sign in beginning for sign in HAN_THIRD_PERSONS
    )


def _said_by(names: frozenset[str], sketches: Sequence[Sketch]) -> Floats:
    """1 where one of the names said it."""
    if not names:
        return np.zeros(len(sketches))
    return np.array([float(first_name(sketch.sender) in names) for sketch in sketches])


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


def held_by_session(groups: Indices, matches: Sequence[QueryMatch]) -> Floats:
    """The share of the question that the candidates of each one's session hold together; 0 outside of sessions."""
    found = np.zeros(len(groups))
    members = (groups >= 0).nonzero()[0]
    if not len(members):
        return found
    order = members[groups[members].argsort(kind="stable")]
    starts = np.diff(groups[order], prepend=-1).nonzero()[0]
    if len(starts) < 2:
        return found  # Where there is one session only, it tells none of its turns from another.
    held = [np.maximum.reduceat(match.held[order], starts, axis=0).sum(axis=1) for match in matches]
    found[order] = np.max(held, axis=0)[np.cumsum(np.diff(groups[order], prepend=groups[order[0]]) > 0)]
    return found


def first_name(sender: str) -> str:
    """The first word of a sender's name, case folded."""
    return sender.split(" ", 1)[0].casefold()
