"""Features of the learned ranking: a question's candidates in numbers. Pure.

Each feature stands for something that can be said in a sentence and belongs to one of a few groups, which
are what a hit's signals name. None knows which data it looks at; a channel that is missing (no vectors, no
sessions, no speakers) leaves its columns at 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from simonides.recall.candidates import CandidateTable, Floats, Indices
from simonides.recall.question.analysis import Asks, Expects
from simonides.recall.ranking.text_words import READ_CHARS
from simonides.recall.ranking.texts import among, held_by_session

#: Groups of features, in the order in which they are shown, with the features of each.
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "match": ("alone", "alone_share", "alone_rank", "linear", "linear_share", "linear_rank"),
    "words": (
        "lexical", "bm25", "coverage", "coverage_rare", "terms_held", "rarest", "phrase", "lexical_rank",
    ),
    "meaning": ("cosine", "cosine_rank"),
    "speaker": (
        "speaker", "other_speaker", "first_person", "answer", "long_answer", "long_lexical",
        "long_coverage", "long_cosine", "asked_answer", "asked_coverage", "asked_lexical",
    ),
    "neighbours": (
        "before", "after", "before_2", "after_2", "before_3", "after_3", "before_4", "after_4",
        "cosine_before", "cosine_after", "coverage_before", "coverage_after", "long_before", "long_after",
        "with_before", "with_after", "with_both", "with_four", "asked_before", "question_before", "near_best",
    ),
    "session": (
        "session_held", "session_lexical", "session_cosine", "session_held_all", "session_lexical_all",
        "session_cosine_all", "session_sum", "session_best", "session_rank",
    ),
    "feedback": ("like_best", "like_any", "words_of_best"),
    "form": (
        "length", "question", "tells_time", "tells_number", "time_for_when", "number_for_many", "code",
        "asks_time", "asks_number", "asks_answer", "asks_self", "asks_list",
    ),
    "time": ("window",),
    "links": ("entity", "activation", "tag", "pinned"),
}  # fmt: skip
NAMES: Final = tuple(name for names in GROUPS.values() for name in names)
_PLACES: Final = {name: place for place, name in enumerate(NAMES)}
#: Decimals that count: what comes after them differs with the shape of a product, not with the data.
DECIMALS: Final = 6

#: Turns of about so many words get half of what their surroundings give; longer ones say enough alone.
_TERSE_WORDS: Final = 165.0
_LONG_WORDS: Final = 70.0
#: Longer than so many words is no worse: that a long answer says less, `long_answer` tells.
_LENGTH_COUNTS: Final = 60
#: Best candidates that feedback looks at, and words of them that are looked for.
_BEST: Final = 5
_BEST_TEXTS: Final = 3
#: Best candidates beside which it counts to stand.
_NEAR_TO: Final = 3
#: Turns of a session whose cosines count.
_NEAREST: Final = 3
_BEST_WORDS: Final = 15
#: Ranks fade: the sixth counts half of the first.
_FADE: Final = 5.0
_RANKED: Final = ("alone", "linear", "lexical", "cosine")
#: How the best of a neighbour is called, by the way to it.
_STEPS: Final = {
    step * side: f"{name}_{step}" if step > 1 else name
    for side, name in ((-1, "before"), (1, "after"))
    for step in range(1, 5)
}
_ABOUT_SELF = re.compile(r"\b(?:I|my|me)\b")


def features(candidates: CandidateTable, rows: Indices) -> Floats:
    """The features of some of the candidates.

    Args:
        rows: Which; they are compared with all of them.

    Returns:
        Shape (rows, NAMES), rounded to `DECIMALS`.
    """
    best = _best_of(candidates, _BEST)
    terse = 1 / (1 + candidates.words / _TERSE_WORDS)
    columns = _match(candidates)
    columns |= _neighbours(candidates, columns, terse)
    if (candidates.groups >= 0).any():
        columns["near_best"] = _near_best(candidates, best[:_NEAR_TO])
        columns |= _sessions(candidates, columns, terse)
    columns |= {"window": candidates.window}
    columns |= {"entity": candidates.entity, "activation": candidates.activation, "tag": candidates.tag}
    columns["pinned"] = np.array([sketch.pinned for sketch in candidates.read], np.float64)
    chosen = dict(zip(columns, np.array(list(columns.values()))[:, rows], strict=True))
    chosen |= _feedback(candidates, best, chosen["cosine"], rows)
    chosen |= _texts(candidates, chosen, rows)
    # What no column tells of is 0.
    table = np.zeros((len(NAMES), len(rows)))
    table[[_PLACES[name] for name in chosen]] = list(chosen.values())
    return table.round(DECIMALS).T


def _match(candidates: CandidateTable) -> dict[str, Floats]:
    """The match of each by itself; of several questions, each candidate's best."""
    each: list[dict[str, Floats]] = []
    for match in candidates.matches:
        holds, squares = match.counts > 0, match.weights**2
        each.append({
            "bm25": _share(among(match, candidates.lengths)),
            "coverage": match.coverage,
            "coverage_rare": holds @ (squares / (squares.sum() or 1.0)),
            "terms_held": holds.mean(axis=1) if holds.shape[1] else np.zeros(len(holds)),
            "rarest": np.maximum.reduce(match.held, 1, initial=0.0)
            / float(np.maximum.reduce(match.weights, initial=0.0) or 1.0),
            "phrase": match.phrases,
        })  # fmt: skip
    columns = _best_of_each(each)
    columns |= {
        "lexical": candidates.lexical if len(each) == 1 else columns["bm25"],
        "cosine": candidates.cosine,
        "alone": candidates.alone,
        "linear": candidates.linear,
        "alone_share": _share(candidates.alone),
        "linear_share": _share(candidates.linear),
    }
    ranks = _ranks(np.array([columns[name] for name in _RANKED]))
    return columns | {f"{name}_rank": rank for name, rank in zip(_RANKED, ranks, strict=True)}


def _neighbours(
    candidates: CandidateTable, columns: Mapping[str, Floats], terse: Floats
) -> dict[str, Floats]:
    asked = candidates.texts.figures.question
    if not candidates.neighbours:
        alone = dict.fromkeys(("with_after", "with_both", "with_four"), terse * columns["coverage"])
        alone |= {"question": asked, "with_before": columns["coverage"]}
        return alone
    steps, size = sorted(candidates.neighbours), len(terse)
    alone = columns["alone_share"]
    # What has no neighbour reads the last value, 0.
    padded = np.zeros((5, size + 1))
    padded[:, :size] = alone, columns["cosine"], columns["coverage"], asked, asked * alone
    before, after = padded[:, candidates.neighbours[-1]], padded[:, candidates.neighbours[1]]
    beside_alone = terse * padded[0][np.array([candidates.neighbours[step] for step in steps])]
    found = {_STEPS[step]: column for step, column in zip(steps, beside_alone, strict=True)}
    _, cosine, coverage, asking, alone_asking = terse * before
    _, found["cosine_after"], found["coverage_after"], *_ = terse * after
    found |= {
        "long_before": (1 - terse) * before[0], "long_after": (1 - terse) * after[0], "cosine_before": cosine,
        "coverage_before": coverage, "question": asked, "asked_before": asking, "question_before": alone_asking,
    }  # fmt: skip
    each: list[dict[str, Floats]] = []
    for match in candidates.matches:
        own = match.held
        held = np.concatenate([own, np.zeros((1, own.shape[1]))])
        beside = {step: held[candidates.neighbours[step]] for step in (-2, -1, 1, 2)}
        with_before = np.maximum(own, beside[-1])
        both = np.maximum(with_before, beside[1])
        each.append({
            "with_before": np.add.reduce(with_before, 1),
            "with_after": np.add.reduce(np.maximum(own, beside[1]), 1),
            "with_both": np.add.reduce(both, 1),
            "with_four": np.add.reduce(np.maximum(np.maximum(both, beside[-2]), beside[2]), 1),
        })  # fmt: skip
    together = _best_of_each(each)
    found["with_before"] = together.pop("with_before")
    return found | {name: terse * column for name, column in together.items()}


def _best_of_each(each: Sequence[dict[str, Floats]]) -> dict[str, Floats]:
    """Of the columns of several questions the best of each candidate."""
    if len(each) == 1:
        return each[0]
    return {name: np.maximum.reduce([columns[name] for columns in each]) for name in each[0]}


def _near_best(candidates: CandidateTable, best: Indices) -> Floats:
    """1 beside one of the best of the same session, falling to 0 nine turns away."""
    distance = np.full(len(candidates.alone), 9.0)
    inside = [row for row in best.tolist() if candidates.groups[row] >= 0]
    ordinals = np.array([-1 if sketch.ordinal is None else sketch.ordinal for sketch in candidates.read])
    for row in inside:
        away = np.abs(ordinals - ordinals[row]).astype(np.float64)
        away[(candidates.groups != candidates.groups[row]) | (away == 0)] = 9.0
        distance = np.minimum(distance, away)
    return 1 - np.minimum(distance, 9.0) / 9.0


def _sessions(candidates: CandidateTable, columns: Mapping[str, Floats], terse: Floats) -> dict[str, Floats]:
    groups, alone = candidates.groups, candidates.alone
    size = len(alone)
    names = ("held", "lexical", "cosine", "sum", "best", "rank")
    found = {name: np.zeros(size) for name in names}
    members = np.flatnonzero(groups >= 0)
    # The turns of each session side by side, the best first.
    order = members[np.lexsort((-alone[members], groups[members]))]
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    if len(starts):
        counts = np.diff(starts, append=len(order))
        of = np.repeat(np.arange(len(starts)), counts)
        places = np.arange(len(order)) - starts[of]
        found["rank"][order] = 1 / (1 + places)
        found["sum"][order] = _firsts(alone[order], of, places, _BEST).sum(axis=1)[of]
        found["best"][order] = alone[order[starts]][of]
        if len(starts) > 1:  # One alone tells none of its turns from another.
            found["held"] = held_by_session(groups, candidates.matches)
            lexical, cosine = columns["lexical"], columns["cosine"]
            found["lexical"][order] = np.maximum.reduceat(lexical[order], starts)[of]
            rising = members[np.lexsort((cosine[members], groups[members]))]
            last = places - np.maximum(counts - _NEAREST, 0)[of]
            nearest = _firsts(cosine[rising][last >= 0], of[last >= 0], last[last >= 0], _NEAREST)
            found["cosine"][order] = (nearest.sum(axis=1) / np.minimum(counts, _NEAREST))[of]
    shown = {
        "session_rank": found["rank"],
        "session_sum": _share(found["sum"]),
        "session_best": _share(found["best"]),
    }
    for name in ("held", "lexical", "cosine"):
        shown[f"session_{name}"] = terse * found[name]
        shown[f"session_{name}_all"] = found[name]
    return shown


def _firsts(values: Floats, of: Indices, places: Indices, count: int) -> Floats:
    """The first values of each group, as rows of so many; 0 where there are fewer."""
    found = np.zeros((int(of[-1]) + 1, count))
    some = places < count
    found[of[some], places[some]] = values[some]
    return found


def _feedback(candidates: CandidateTable, best: Indices, cosine: Floats, rows: Indices) -> dict[str, Floats]:
    """Features of what the rows have in common with the best candidates, beyond the question.

    Args:
        cosine: Of the rows.
    """
    weights = np.maximum(candidates.alone[best], 0.0)
    leading = candidates.vectors[best]
    center = np.add.reduce(leading * weights[:, None])
    length = math.sqrt(float(center.dot(center)))
    vectors = candidates.vectors[rows]
    scale = candidates.query.scale
    like = np.zeros(len(rows))
    if length > 0:
        like = scale(np.vecdot(vectors, (center / length).astype(np.float32)).astype(np.float64))
    each = scale(np.vecdot(vectors[:, None, :], leading[None, :, :]).astype(np.float64))
    each[rows[:, None] == best[None, :]] = 0.0
    # An embedder that does not know the script says as little of texts among themselves.
    trust = (cosine > 0).astype(np.float64)
    return {
        "like_best": np.maximum(0.0, like) * trust,
        "like_any": np.maximum.reduce(each, 1, initial=0.0) * trust,
        "words_of_best": _words_of_best(candidates, best[:_BEST_TEXTS], rows),
    }


def _words_of_best(candidates: CandidateTable, best: Indices, rows: Indices) -> Floats:
    """The share of the rare words of the best texts that each row holds, the best row 1."""
    texts, size = candidates.texts, len(candidates)
    alone: list[float] = candidates.alone[best].tolist()
    # By code of a token, the sum of what the best that hold it score by themselves.
    shown: dict[int, float] = {}
    words: dict[int, str] = {}
    for row, value in zip(best.tolist(), alone, strict=True):
        tokens = texts.tokens(row)
        words |= tokens
        for code in tokens:
            shown[code] = shown.get(code, 0.0) + value
    held = texts.held(np.fromiter(shown, np.int64, len(shown)))
    counts = np.add.reduce(held, 1, np.intp)
    some_hold = ((counts >= 2) & (counts <= max(3, 0.05 * size))).nonzero()[0]
    codes = list(shown)
    rare = sorted(
        (words[codes[number]], number, count)
        for number, count in zip(some_hold.tolist(), counts[some_hold].tolist(), strict=True)
    )
    worth = {
        number: math.log1p(size / (1 + count)) * shown[codes[number]]
        for word, number, count in rare
        if len(word) > 1
    }
    # Of equals the first by its letters, and their sum in that order: that of a set differs from process to process.
    kept = frozenset(sorted(worth, key=lambda number: -worth[number])[:_BEST_WORDS])
    chosen = [number for number in worth if number in kept]
    found = np.zeros(len(rows))
    for number, some in zip(chosen, held[chosen][:, rows], strict=True):
        found += worth[number] * some
    return _share(found)


def _texts(candidates: CandidateTable, chosen: Mapping[str, Floats], rows: Indices) -> dict[str, Floats]:
    analysis, figures = candidates.query.analysis, candidates.texts.figures
    words, answer = candidates.words[rows], candidates.answer[rows]
    speaker = candidates.speaker[rows]
    says_time, says_number = figures.tells_time[rows], figures.tells_number[rows]
    asked_answer = float(analysis.asks is Asks.ASSISTANT)
    when, many = float(analysis.expects is Expects.TIME), float(analysis.expects is Expects.NUMBER)
    about_self = _ABOUT_SELF.search(analysis.text[:READ_CHARS]) is not None
    same = np.ones(len(rows))
    return {
        "speaker": speaker,
        "other_speaker": float(bool(candidates.query.names)) * (1 - speaker),
        "first_person": figures.first_person[rows],
        "length": np.log1p(np.minimum(words, _LENGTH_COUNTS)) / 5,
        "tells_time": says_time,
        "tells_number": says_number,
        "time_for_when": says_time * when,
        "number_for_many": says_number * many,
        "code": figures.code[rows],
        "asks_time": same * when,
        "asks_number": same * many,
        "asks_answer": same * asked_answer,
        "asks_self": same * float(about_self),
        "asks_list": same * float(analysis.expects is Expects.LIST),
        **_of_answers(chosen, words, answer, asked_answer),
    }


def _of_answers(
    chosen: Mapping[str, Floats], words: Floats, answer: Floats, asked_answer: float
) -> dict[str, Floats]:
    """Columns about turns of an assistant: other ones where those are asked for."""
    if not answer.any():
        return {}
    long = answer * (words > _LONG_WORDS) * (1 - asked_answer)
    return {
        "answer": answer * (1 - asked_answer),
        "long_answer": long,
        "long_lexical": long * chosen["lexical"],
        "long_coverage": long * chosen["coverage"],
        "long_cosine": long * chosen["cosine"],
        "asked_answer": answer * asked_answer,
        "asked_coverage": answer * asked_answer * chosen["coverage"],
        "asked_lexical": answer * asked_answer * chosen["lexical"],
    }


def _share(values: Floats) -> Floats:
    """Of the best, in [0, 1]; sums differ in their last bits, so that no more decimals count."""
    return (values / (float(np.maximum.reduce(values, initial=0.0)) or 1.0)).round(DECIMALS)


def _best_of(candidates: CandidateTable, count: int) -> Indices:
    """The best by themselves; of equal ones what their texts say decides, not which was stored first."""
    rounded = -candidates.alone.round(DECIMALS)
    if len(rounded) > count:
        bound = np.sort(rounded)[count - 1]
        rows: list[int] = (rounded <= bound).nonzero()[0].tolist()
    else:
        rows = list(range(len(rounded)))
    rows.sort(key=lambda row: (rounded[row], candidates.read[row].content))
    return np.array(rows[:count], np.intp)


def _ranks(values: Floats) -> Floats:
    """1 for the best of each row, fading; equal values share the best of their places."""
    falling = -values.round(DECIMALS)
    ordered = np.sort(falling, axis=1)
    places = [each.searchsorted(own) for each, own in zip(ordered, falling, strict=True)]
    return 1 / (1 + np.array(places) / _FADE)
