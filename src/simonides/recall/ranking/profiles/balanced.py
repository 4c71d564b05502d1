"""The default profile: a linear first look at every candidate, and trees that weigh the best of them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.taxonomy import Taxonomy
from simonides.domain.text import cjk_runs
from simonides.errors import ProviderError
from simonides.language.search_tokens import tokens_of
from simonides.ports.store import Sketch
from simonides.recall.candidates import CandidateTable, Floats, Indices
from simonides.recall.question.analysis import Analysis, Intent, Tense
from simonides.recall.question.asks import Asks
from simonides.recall.question.speech import Act, act_of_text
from simonides.recall.ranking import close_evidence
from simonides.recall.ranking.close_evidence import CloseEvidence, likelihood_read
from simonides.recall.ranking.features import NAMES, features
from simonides.recall.ranking.first_look import SHORTLIST, shortlist
from simonides.recall.ranking.laws import (
    WordColumns,
    holding_literals,
    newest_first,
    of_the_occasion,
    said_lately,
    standing,
    stating_nothing,
    telling_ones_name,
    telling_what_is_asked,
)
from simonides.recall.ranking.match import relevance
from simonides.recall.ranking.meaning import Meaning, by_meaning
from simonides.recall.ranking.model import bundled
from simonides.recall.ranking.prior import priors
from simonides.recall.ranking.replies import behind_replies
from simonides.recall.ranking.succession import succeeding
from simonides.recall.ranking.trees import Trees
from simonides.values import dataclass

#: What a time that the question names, or an activated link, adds: the questions that the trees learned from
#: seldom name a time and have no links, so that the trees know little of either.
_IN_WINDOW: Final = 0.3
_WINDOW_ALONE: Final = 8.0
#: Beside likeness of meaning, of which there is some between any two texts, a time counts so much more.
_IN_WINDOW_ALIKE: Final = 3.0
_ACTIVATED: Final = 1.5
#: Less activation than that says nothing by itself: what was merely recalled together now and then.
_FAINT: Final = 0.25
#: What a pronoun that speaks of whom the question names counts: the name itself would be a word that is found.
_SPOKEN_OF: Final = 1.0
#: What a narrative loses: it is dense with the words of its session, and no evidence for any of them. The trees
#: never saw one.
_TOLD_IN_SHORT: Final = 3.0
#: Different words of a statement that says one thing, and pairs of signs of one without blanks.
_MOST_WORDS: Final = 12
_MOST_PAIRS: Final = 24


def _bundled_trees() -> Trees:
    return bundled().trees


@dataclass(frozen=True, slots=True)
class Balanced:
    """Ranks by what was learned from questions whose answers are known.

    score = base + what each group of features adds + prior + standing + versions, the prior in [−`prior_span`,
    `prior_span`]: it reorders near ties and never buries a clearly better match. A share of the score is likeness of
    meaning alone, a large one where the store is small and holds few of the question's words (`meaning_share`). What
    the last two add is law (`laws`) and nothing that was learned. Scores are comparable within one answer, and are
    log-odds in kind: a difference says how much better, not a ratio.
    """

    prior_span: float = 0.25
    trees: Trees = field(default_factory=_bundled_trees)
    closely: CloseEvidence = field(default_factory=close_evidence.bundled)

    def __post_init__(self) -> None:
        if self.trees.names != NAMES:
            raise ValueError("the trees were learned with other features; run benchmarks/train.py again")

    def rank(self, candidates: CandidateTable, taxonomy: Taxonomy) -> CandidateTable:
        """Score the candidates; what the first look puts behind the shortlist is dropped."""
        rows = shortlist(candidates, max(SHORTLIST, candidates.query.k))
        names = ("base", *self.trees.groups, "prior", "standing", "versions")
        table, dropped = np.zeros((len(names), len(candidates))), np.ones(len(candidates), bool)
        if len(rows):
            dropped[rows] = False
            candidates, meaning = _read(candidates, rows)
            columns = self.learned(candidates, rows, meaning)
            scores = sum(columns.values(), np.zeros(len(rows)))
            weighed = meaning.weighed(scores)
            likely = likelihood_read(candidates, rows, meaning.closeness, weighed, self.closely)
            columns, successors = self._by_law(candidates, rows, meaning, columns, taxonomy)
            numbers: list[int] = rows.tolist()
            outdated = {
                candidates.sketches[numbers[place]].key: candidates.sketches[numbers[since]].content
                for place, since in successors.items()
            }
            candidates = candidates.having(confidence=likely, outdated=outdated)
            table[:, rows] = [columns[name] for name in names]
        matched = relevance(candidates.coverage, candidates.cosine)
        return candidates.scored(dict(zip(names, table, strict=True)), matched, dropped=dropped)

    def learned(self, candidates: CandidateTable, rows: Indices, meaning: Meaning) -> dict[str, Floats]:
        """The parts of the scores of some of the candidates that were learned, each of shape (rows,)."""
        by_trees = 1 - meaning.share
        learned = by_trees * self.trees.parts_of(self.trees.leaves(features(candidates, rows))).T
        columns = {
            "base": np.full(len(rows), by_trees * self.trees.base),
            **dict(zip(self.trees.groups, learned, strict=True)),
        }
        columns["meaning"] += meaning.share * meaning.alike
        return columns

    def _by_law(
        self,
        candidates: CandidateTable,
        rows: Indices,
        meaning: Meaning,
        learned: dict[str, Floats],
        taxonomy: Taxonomy,
    ) -> tuple[dict[str, Floats], Mapping[int, int]]:
        """The parts of the scores of some of the candidates, the learned ones included, and `Succession.successors`."""
        query, analysis, columns = candidates.query, candidates.query.analysis, dict(learned)
        named = _IN_WINDOW + _IN_WINDOW_ALIKE * meaning.share if analysis.content_terms else _WINDOW_ALONE
        columns["time"] += named * candidates.window[rows]
        if candidates.spoken_of.any():
            columns["links"] += _SPOKEN_OF * candidates.spoken_of[rows]
        if analysis.intent is not Intent.WHEN:  # There the turns beside are what is activated.
            columns["links"] += _ACTIVATED * np.maximum(0.0, candidates.activation[rows] - _FAINT)
        numbers: list[int] = rows.tolist()
        chosen = [candidates.sketches[row] for row in numbers]
        narratives = [sketch.type == "narrative" for sketch in chosen]
        if any(narratives) and not analysis.last_session:  # There it is the very answer.
            columns["form"] -= _TOLD_IN_SHORT * np.array(narratives, np.float64)
        columns["prior"] = self.prior_span * (2 * priors(chosen, query.now, taxonomy) - 1)
        at = None if analysis.tense in {Tense.FORMER, Tense.FUTURE} else query.now
        stands = columns["standing"] = standing(chosen, at, former=analysis.former)
        # What is contested, over or found useless gains nothing by being new.
        columns["time"] += said_lately(chosen, analysis, query.now) * (stands >= 0)
        columns["standing"] += holding_literals(chosen, analysis.text)
        columns["form"] += telling_ones_name(analysis, chosen)
        if meaning.closely:
            columns["form"] += meaning.share * telling_what_is_asked(analysis, chosen)
        if not analysis.about_asking:
            different = candidates.texts.figures.different[rows]
            columns["standing"] += stating_nothing(
                chosen,
                different,
                candidates.repeated[rows],
                candidates.vain[rows],
                candidates.brief[rows],
                _replying(candidates, rows),
                sum(columns.values(), np.zeros(len(rows))),
            )
        columns["form"] += behind_replies(candidates, rows, sum(columns.values(), np.zeros(len(rows))))
        columns["versions"] = newest_first(
            chosen,
            _words(candidates, rows),
            sum(columns.values(), np.zeros(len(rows))),
            at,
            by_age=analysis.tense is not Tense.FORMER and not analysis.order,
            bygone=_place_of_the_past(analysis),
            former=analysis.former,
        )
        succession = succeeding(
            candidates, rows, sum(columns.values(), np.zeros(len(rows))), closely=meaning.closely
        )
        columns["versions"] += succession.gained
        columns["versions"] += of_the_occasion(
            chosen,
            analysis.occasion,
            candidates.coverage[rows],
            candidates.cosine[rows],
            sum(columns.values(), np.zeros(len(rows))),
            query.now,
        )
        return columns, succession.successors


def _read(candidates: CandidateTable, rows: Indices) -> tuple[CandidateTable, Meaning]:
    """The meaning of candidates, and themselves, with a word about it where they could not be read closely."""
    try:
        return candidates, by_meaning(candidates, rows)
    except ProviderError as error:
        said = (*candidates.degradations, f"close reading: {error}")
        plain = candidates.having(query=replace(candidates.query, closer=None), degradations=said)
        return plain, by_meaning(plain, rows)


def _place_of_the_past(analysis: Analysis) -> int:
    """The place among versions of a text that tells itself as past, as of `laws.newest_first`."""
    if analysis.order:
        return 0
    if analysis.former is not None and analysis.former.since is None:
        return -1
    return int(analysis.tense is Tense.PRESENT)


def _replying(candidates: CandidateTable, rows: Indices) -> NDArray[np.bool_]:
    """True for brief turns of an assistant to what a user stated, where nobody asks for its words; shape (rows,)."""
    replying = np.zeros(len(rows), np.bool_)
    if not candidates.neighbours or candidates.query.analysis.asks is Asks.ASSISTANT:
        return replying
    before = candidates.neighbours[-1][rows]
    answers = (candidates.answer[rows] > 0) & candidates.brief[rows] & (before >= 0)
    for place in np.flatnonzero(answers).tolist():
        one = candidates.sketches[int(before[place])]
        replying[place] = (
            one.role != "assistant" and act_of_text(one.content, one.type, one.role) is Act.STATES
        )
    return replying


def _words(candidates: CandidateTable, rows: Indices) -> WordColumns:
    """The words of candidates, as versions of one thing are told by them."""
    counts = [match.counts for match in candidates.matches]
    holds = (counts[0] if len(counts) == 1 else np.concatenate(counts, axis=1))[rows] > 0
    held, width = holds.tobytes(), holds.shape[1]
    matching: list[bool] = _holding_half(candidates, holds).tolist()
    numbers: list[int] = rows.tolist()
    different: list[float] = candidates.texts.figures.different[rows].tolist()
    return WordColumns(
        [candidates.texts.texts[row] for row in numbers],
        different,
        [held[at : at + width] for at in range(0, width * len(numbers), width)]
        if width
        else [b""] * len(numbers),
        [
            half and _says_one_thing(candidates.read[row], count)
            for row, count, half in zip(numbers, different, matching, strict=True)
        ],
    )


def _holding_half(candidates: CandidateTable, holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """True for what holds half of the question's words, or more, beside the names: of a subject much is told.

    In a script without blanks a word is several pairs of signs, and any of them will do.

    Args:
        holds: Whether each holds each of the question's tokens, shape (n, tokens).
    """
    query = candidates.query
    if query.unspaced:
        return np.ones(len(holds), np.bool_)
    names = frozenset(tokens_of(" ".join((*query.analysis.names, *query.entities))))
    beside = [token not in names for match in candidates.matches for token in match.tokens]
    return 2 * np.count_nonzero(holds[:, beside], axis=1) >= sum(beside)


def _says_one_thing(sketch: Sketch, different: float) -> bool:
    """True of a short statement: another one with the same words of the question is likely to be a version of it."""
    if sketch.type == "episode" or different > _MOST_PAIRS:
        return False
    return different <= _MOST_WORDS or bool(cjk_runs(sketch.content))
