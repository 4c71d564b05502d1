"""The likelihood that anything answers, once statements of a small store were read closely. Pure.

How well the best statement fits speaks for an answer, as the ranking has it: by its words, its meaning and the matter
that it is of. A time or a number that is asked for and that none of the nearest tells speaks against one. Of some
questions ("Would a cable car be a good idea?") words say little even where they are answered: so the likelihood by all
else is held against what such questions reach with an answer, which a linear map of the question's vector tells.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.language.guess import language_of
from simonides.language.kin import kin_asked, kin_told
from simonides.language.matters import matters
from simonides.language.sentences import fold
from simonides.language.value import ValueKind
from simonides.language.values import kinds_told
from simonides.recall.candidates import CandidateTable, Floats, Indices
from simonides.recall.question.analysis import Analysis
from simonides.recall.question.answering import names_told
from simonides.recall.question.asks import Expects
from simonides.recall.ranking.confidence import ASKS_THE_SAME, holds_every_word
from simonides.recall.ranking.meaning import Closeness
from simonides.recall.ranking.succession import tells_what_is_asked
from simonides.values import dataclass

WEIGHTS_FILE: Final = "close_evidence.npz"
#: What is weighed up, beside a base.
WEIGHED: Final = ("odds", "best", "undated", "uncounted")
#: It was learned in stores of some dozen statements: of fewer it says less, and of so many nothing.
_FEW: Final = 12
_SMALL: Final = 64
_LARGE: Final = 500
#: Statements so much less near than the nearest may tell what is asked, too, and so many of them at most are looked at.
_AS_NEAR: Final = 0.08
_MOST_NEAR: Final = 3
_MOST_SURE: Final = 1 - 1e-4
_AT_LEAST: Final = 0.5
#: How likely an answer is at most where one of the speaker's kin is asked about and nothing tells of them.
_UNTOLD: Final = 0.25
#: Languages of texts whose names are not told from other words: every noun of theirs, or none, looks like one.
_NAMES_UNTOLD: Final = frozenset({"de", "zh"})
#: People tell of their children by name alone.
_TOLD_BY_NAME: Final = frozenset({"son", "daughter"})


@dataclass(frozen=True, slots=True)
class CloseEvidence:
    """Learned by `python -m benchmarks closely --write`.

    Attributes:
        weights: `base`, and of `WEIGHED`.
        usual: By the fingerprint of an encoder, the map of a question's vector to the log-odds that such questions have
            where they are answered: weights of the dimensions and a constant behind them, shape (dimension + 1,).
    """

    weights: Mapping[str, float]
    usual: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class ReadFigures:
    """Figures of a question and the statements of a store.

    Attributes:
        odds: Log-odds of the likelihood without the reading.
        best: Score of the statement that fits best, as far as it was learned.
        undated: A time is asked for, and neither the best statement nor any of the nearest tells one.
        uncounted: Another value or a name is asked for, and none of them tells one.
    """

    odds: float
    best: float
    undated: bool
    uncounted: bool


def likelihood_read(
    candidates: CandidateTable,
    rows: Indices,
    closeness: Closeness | None,
    scores: Floats,
    learned: CloseEvidence,
) -> float:
    """The likelihood that anything answers, given what was read closely; as it was where that tells nothing.

    What holds every word of the question, or tells of the change that is asked about, makes it a half at least, as
    before. Where it was asked before in vain, what is near makes an answer no likelier.

    Args:
        rows: Candidates that were looked at.
        scores: How well each of them fits, shape (rows,).
    """
    likely = candidates.confidence
    if (
        closeness is None
        or closeness.encoder not in learned.usual
        or not candidates.query.analysis.content_terms
    ):
        return likely
    counted = closeness.weight * counts(candidates.query.passing)
    reached = reached_by(candidates, rows, closeness, scores) if counted and likely else None
    if reached is None:
        return likely
    weighed = odds_of(learned, reached, closeness)
    odds = reached.odds + counted * (weighed - reached.odds)
    read = round(1 / (1 + math.exp(-odds)), 6)
    if (candidates.vain & (candidates.coverage >= ASKS_THE_SAME)).any():
        read = min(read, likely)
    if read < _AT_LEAST <= likely and (
        holds_every_word(candidates.query, candidates.coverage[~candidates.vain])
        or tells_what_is_asked(candidates)
    ):
        return _AT_LEAST
    return min(read, _UNTOLD) if _asks_of_untold_kin(candidates) else read


def _asks_of_untold_kin(candidates: CandidateTable) -> bool:
    """True if a question is about one of the speaker's kin of whom no candidate tells."""
    kin = kin_asked(candidates.query.analysis.text)
    if not kin.isdisjoint(_TOLD_BY_NAME):
        return False
    return bool(kin) and all(kin.isdisjoint(kin_told(sketch.content)) for sketch in candidates.sketches)


def counts(extent: int) -> float:
    """Share that a reading counts in a store of so many items, in [0, 1]."""
    return min(1.0, extent / _FEW) ** 2 * min(1.0, max(0.0, (_LARGE - extent) / (_LARGE - _SMALL)))


def reached_by(
    candidates: CandidateTable, rows: Indices, closeness: Closeness, scores: Floats
) -> ReadFigures | None:
    """The figures of a question; None where nothing was read but what was asked before."""
    read = np.flatnonzero(closeness.read & ~candidates.vain[rows])
    if not len(read):
        return None
    analysis, unmet = candidates.query.analysis, False
    if analysis.values:
        sketches = [candidates.sketches[row] for row in cast("list[int]", rows[read].tolist())]
        texts = [sketch.content for sketch in sketches]
        _, best_text = max(zip(scores[read].tolist(), texts, strict=True))
        nearest = [*_nearest(texts, closeness.near[read]), best_text]
        unmet = not any(_tells_what_is_asked(analysis, text) for text in nearest)
    timed = analysis.expects is Expects.TIME
    best = round(float(scores[read].max()), 6)
    return ReadFigures(log_odds(candidates.confidence), best, unmet and timed, unmet and not timed)


def _tells_what_is_asked(analysis: Analysis, text: str) -> bool:
    """True if a text tells a value that a question asks for, or may tell a name beside those of the question."""
    if ValueKind.NAME not in analysis.values:
        return not analysis.values.isdisjoint(kinds_told(text))
    return (
        language_of(text) in _NAMES_UNTOLD
        or any(matter.name == "naming" for matter in matters(text))
        or not names_told(text) <= frozenset(map(fold, analysis.names))
    )


def _nearest(texts: Sequence[str], near: Floats) -> list[str]:
    """The nearest of some statements; of equals the text decides which they are."""
    least = float(near.max()) - _AS_NEAR
    nearest = sorted((-one, text) for one, text in zip(near.tolist(), texts, strict=True) if one >= least)
    return [text for _, text in nearest[:_MOST_NEAR]]


def odds_of(learned: CloseEvidence, reached: ReadFigures, closeness: Closeness) -> float:
    """The log-odds that anything answers, in a store where the reading counts in full."""
    figures = {
        "odds": reached.odds - usual_odds(learned.usual[closeness.encoder], closeness.question),
        "best": reached.best,
        "undated": float(reached.undated),
        "uncounted": float(reached.uncounted),
    }
    return learned.weights["base"] + sum(learned.weights[name] * figures[name] for name in WEIGHED)


def log_odds(likely: float) -> float:
    """Log-odds of a likelihood, kept away from what is certain."""
    kept = min(max(likely, 1 - _MOST_SURE), _MOST_SURE)
    return math.log(kept / (1 - kept))


def usual_odds(usual: Floats, question: NDArray[np.float32]) -> float:
    """Value of a linear map at a question's vector."""
    # Without BLAS, whose sums differ with the machine.
    return float((question.astype(np.float64) * usual[:-1]).sum() + usual[-1])


@lru_cache(maxsize=1)
def bundled() -> CloseEvidence:
    """The weights that come along."""
    return unpacked(files("simonides.recall.ranking").joinpath(WEIGHTS_FILE).read_bytes())


def packed(learned: CloseEvidence) -> bytes:
    """A file of it; `unpacked` reads that."""
    buffer = BytesIO()
    columns: dict[str, Any] = {
        "weights": np.array([learned.weights[name] for name in ("base", *WEIGHED)], np.float64),
        **{encoder: usual.astype(np.float32) for encoder, usual in learned.usual.items()},
    }
    np.savez_compressed(buffer, **columns)
    return buffer.getvalue()


def unpacked(data: bytes) -> CloseEvidence:
    """Read what `packed` made."""
    with np.load(BytesIO(data), allow_pickle=False) as found:
        columns: dict[str, NDArray[Any]] = dict(found)
    weights: list[float] = columns.pop("weights").tolist()
    return CloseEvidence(
        dict(zip(("base", *WEIGHED), weights, strict=True)),
        {encoder: usual.astype(np.float64) for encoder, usual in columns.items()},
    )
