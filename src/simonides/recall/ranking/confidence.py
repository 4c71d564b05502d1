"""The likelihood that anything answers, from how well the best candidates match and stand out. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.scope import Scope
from simonides.language.calendar.told import READ_CHARS
from simonides.language.kin import kin_asked, kin_led_by
from simonides.language.roles import holds_any, others_named
from simonides.language.whose import (
    asked_of_ones_own,
    asks_of_ones_kin,
    asks_of_oneself,
    held_by_another,
    holds_ones_own,
    names_nobody,
    roots,
    speaks_of_oneself,
    tells_of_another,
    told_of_oneself,
)
from simonides.recall.candidates import CandidateTable, Floats, QueryContext
from simonides.recall.question.answering import may_answer
from simonides.recall.question.asks import Expects
from simonides.recall.question.speech import TELLING_OF_TURNS, Act, act_of_text, quotations
from simonides.recall.ranking.asked_for import asked_for
from simonides.recall.ranking.model import bundled

#: What the likelihood goes by, in this order. None of it depends on how candidates are ranked.
EVIDENCE: Final = (
    "coverage", "cosine", "linear", "linear_best", "coverage_best", "rare", "phrase", "both", "first_coverage",
    "first_cosine", "outstanding", "known", "session", "extent", "asked", "notes", "middling",
    "spread", "crowd",
)  # fmt: skip
#: More of it never makes an answer less likely.
RISING: Final = frozenset(EVIDENCE) - {"extent", "asked", "notes", "middling", "spread", "crowd"}
#: What there is to go by without vectors that know the script: `pairs` of characters of CJK, or `bare` words.
WITHOUT_VECTORS: Final[Mapping[str, tuple[str, ...]]] = {
    "pairs": ("coverage",),
    "bare": ("coverage",),
}
#: Best candidates of the first look that count together.
_BEST: Final = 5
#: From this trust in the embedder on, its cosines count.
TRUSTED: Final = 0.5
#: Where cosines hardly differ, none of them stands out.
_SPREAD: Final = 0.02
#: Coverage from which a text holds every word of a question, and how likely an answer is then at least. It
#: is for questions of a word or two, on which nothing was fitted: of 1,343 development questions that nothing
#: answers it lets one through.
_EVERY_WORD: Final = 0.99
#: Coverage from which a text may be the question itself, asked before: of it, and of the best, by which the likelihood
#: goes; or a cosine, where it was asked in other words. So many are looked at.
ASKS_THE_SAME: Final = 0.5
_MEANS_THE_SAME: Final = 0.75
_NEARLY_BEST: Final = 0.8
_MOST_ASKED: Final = 8
_HELD_IN_FULL: Final = 0.5
#: From this likelihood on, it counts what is asked of a subject that memory knows: weights by which the likelihood may
#: fall, as `python -m benchmarks subjects --learn` fits them, and the bounds in which they hold.
TOO_SURE: Final = 0.5
OF_SUBJECTS: Final[Mapping[str, float]] = {
    "base": -0.70,
    "odds": 0.43,
    "apart": 2.55,
    "near": 1.45,
    "unmet": -1.74,
}
_MOST_SURE: Final = 0.98
_APART: Final = (-0.4, 0.5)
_NEAR: Final = (0.0, 0.6)
#: Questions about one's kin that what is told of others may answer: who somebody is to them, and whether.
_OF_ANY_KIN: Final = {Expects.PERSON, Expects.YES_NO}
#: How likely an answer is at least where a question asks for a time and nothing else, and something is of it.
TIME_ALONE: Final = 0.5
#: How likely it is at most where nothing is of that time.
NOTHING_THEN: Final = 0.2


def evidence(candidates: CandidateTable) -> dict[str, float]:
    """The figures that speak for an answer being there, as `EVIDENCE` names them, and what else they say.

    * coverage, cosine: of the best candidate by it; `coverage_best` is the mean of the best five.
    * linear: the best first look; `linear_best` is the mean of the best five.
    * rare: share of the question's information that one text holds, rare words counting more.
    * phrase: share of the question's pairs of words that stand side by side in one text.
    * both: the best product of coverage and cosine.
    * first_coverage, first_cosine: of the candidate that is first by itself.
    * outstanding: how far the best cosine stands out from the others.
    * known: share of the question's information that the candidates hold together; `session` those of one session.
    * extent: how many items there are; asked: how many tokens are asked for; notes: share of the candidates that
      are no turns of a chat.
    * middling, spread: mean and standard deviation of the candidates' cosines: how near anything is to what is asked.
    * crowd: length of the mean of the candidates' vectors: how near anything is to anything here.
    """
    if not len(candidates):
        return dict.fromkeys(EVIDENCE, 0.0)
    coverage, cosine, linear = candidates.coverage, candidates.cosine, candidates.linear
    # Of equals the one that holds more, so that the order of candidates does not matter.
    first = int(np.lexsort((cosine, coverage, candidates.alone))[-1]) if len(candidates.alone) else 0
    matches = candidates.matches
    size, best, nearest = (
        len(candidates),
        float(np.maximum.reduce(coverage)),
        float(np.maximum.reduce(cosine)),
    )
    # In a small store all are candidates; those that are not related tell nothing of how near the others are.
    near = candidates.related
    some = float(np.count_nonzero(near)) or 1.0
    mean = float(np.add.reduce(cosine)) / some
    away = (cosine - mean)[near]
    deviation = math.sqrt(float(np.add.reduce(away * away)) / some)
    center = np.add.reduce(candidates.vectors[near], 0, np.float64) / some
    return {
        "coverage": best,
        "cosine": nearest,
        "linear": float(np.maximum.reduce(linear)),
        "linear_best": _mean_of_best(linear),
        "coverage_best": _mean_of_best(coverage),
        "rare": max((_rare(match.counts, match.weights) for match in matches), default=0.0),
        "phrase": max((float(np.maximum.reduce(match.phrases)) for match in matches), default=0.0),
        "both": float(np.maximum.reduce(coverage * cosine)),
        "first_coverage": float(coverage[first]),
        "first_cosine": float(cosine[first]),
        "outstanding": (nearest - mean) / (deviation + _SPREAD),
        "known": max((float(np.maximum.reduce(match.held).sum()) for match in matches), default=0.0),
        "session": float(np.maximum.reduce(candidates.session, initial=0.0)),
        "extent": float(candidates.query.extent),
        "asked": float(max((match.counts.shape[1] for match in matches), default=0)),
        "notes": sum(sketch.type != "episode" for sketch in candidates.sketches) / size,
        "middling": mean,
        "spread": deviation,
        "crowd": math.sqrt(max(0.0, candidates.query.scale(float(center.dot(center))))),
    }


def _mean_of_best(values: Floats) -> float:
    best = np.sort(values)[::-1][:_BEST]
    return float(np.add.reduce(best)) / len(best)


def asked_in_vain(candidates: CandidateTable) -> NDArray[np.bool_]:
    """Candidates that hold the question's words and are no evidence: asked before, and not answered; shape (n,).

    A question has all words of the question. One of the two turns behind it may answer: the second is mostly that of
    somebody who was asked back, or goes on with something else. What was said to it and states nothing is no answer;
    where none of them is, the question is no evidence either, if it is brief.
    """
    vain = np.zeros(len(candidates), np.bool_)
    if candidates.query.analysis.about_asking:
        return vain
    coverage = candidates.coverage
    alike = (coverage >= ASKS_THE_SAME) | ((candidates.cosine >= _MEANS_THE_SAME) & (coverage > 0))
    near = (alike & (coverage >= _NEARLY_BEST * float(coverage.max(initial=0.0)))).nonzero()[0]
    best: list[int] = near[(-coverage[near]).argsort(kind="stable")][:_MOST_ASKED].tolist()
    vain |= _of_others(candidates)
    brief = candidates.brief
    for row in best:
        done = _act(candidates, row)
        if done is Act.KNOWS_NOT:
            vain[row] = True
        elif done is Act.ASKS:
            behind = [
                int(beside[row])
                for step in (1, 2)
                if (beside := candidates.neighbours.get(step)) is not None and beside[row] >= 0
            ]
            answers = [_act(candidates, one) is Act.STATES for one in behind]
            if answers == [False, True]:
                answers[1] = _goes_on_with_it(candidates, behind[1])
            vain[row] = brief[row] and not any(answers)
            if behind and not answers[0]:
                vain[behind[0]] = True
    return vain


def _goes_on_with_it(candidates: CandidateTable, row: int) -> bool:
    """True if what was said after a question that was not answered may answer it."""
    known = candidates.query.trust >= TRUSTED and bool(candidates.vectors[row].any())
    cosine = float(candidates.cosine[row]) if known else None
    return may_answer(candidates.query.analysis, candidates.sketches[row].content, cosine)


def _of_others(candidates: CandidateTable) -> NDArray[np.bool_]:
    """True for those of the best that tell of somebody else what is asked of oneself, or of one's kin; shape (n,)."""
    others = np.zeros(len(candidates), np.bool_)
    analysis = candidates.query.analysis
    if len(candidates.query.parts) > 1 or not analysis.content_terms:  # Others come "on Saturday", too.
        return others
    text, about = analysis.text, roots(analysis.content_terms)
    of_oneself, asked, of_kin, kin = False, frozenset[str](), frozenset[str](), frozenset[str]()
    own = frozenset[str]()
    named = frozenset[str]()
    if names_nobody(text, analysis.names):
        of_oneself, asked = asks_of_oneself(text), asked_of_ones_own(text)
        own = asked
        of_kin = about if asks_of_ones_kin(text) else of_kin
        kin = kin_asked(text) if analysis.expects not in _OF_ANY_KIN else kin
    elif named := others_named(text, candidates.told_by_user(candidates.alone)):
        of_kin = about
    if of_oneself:  # "What car do I have?"
        asked |= about
    if not (of_oneself or asked or of_kin or kin):
        return others
    best: list[int] = candidates.order(candidates.alone)[:_MOST_ASKED].tolist()
    user = _scope_of_user(candidates) if of_oneself or asked or of_kin else None
    for row in best:
        sketch = candidates.sketches[row]
        told = quotations(sketch.content) if sketch.type in TELLING_OF_TURNS else []
        texts = told or [sketch.content]
        others[row] = not candidates.answer[row] and all(
            (of_oneself and tells_of_another(text) and not holds_ones_own(text, own, about))
            or not asked.isdisjoint(held_by_another(text))
            or not (of_kin.isdisjoint(told_of_oneself(text)) or holds_any(text, named))
            or (kin and (led_by := kin_led_by(text)) and kin.isdisjoint(led_by))
            for text in (texts if user is None else _as_the_user(texts, user))
        )
    return others


def _as_the_user(texts: Sequence[str], scope: Scope) -> list[str]:
    from simonides.governance.known import of_the_user  # noqa: PLC0415 - few scopes and stores name their user

    return [of_the_user(text, scope) for text in texts]


def _scope_of_user(candidates: CandidateTable) -> Scope | None:
    """The scope that asks, by which its user is known in texts that name them: "Ana plays the bass".

    Where it names none, the one of whom most is told is the user, if nothing is told in the first person.
    """
    scope = candidates.query.scope
    if scope is not None and "user" in dict(scope.parts):
        return scope
    texts = [sketch.content for sketch in candidates.sketches]
    led_by = Counter(text.partition(" ")[0].removesuffix("'s") for text in texts)
    name, count = max(led_by.items(), key=itemgetter(1), default=("", 0))
    if not name.istitle() or count <= len(texts) / 2 or any(map(speaks_of_oneself, texts)):
        return None
    return Scope.of(user=name)


def _act(candidates: CandidateTable, row: int) -> Act:
    sketch = candidates.sketches[row]
    return act_of_text(sketch.content, sketch.type, sketch.role)


def _rare(counts: Floats, weights: Floats) -> float:
    squares = weights**2
    return float(((counts > 0) @ (squares / (squares.sum() or 1.0))).max())


def likelihood(candidates: CandidateTable) -> float:
    """The likelihood that one of the candidates answers, in [0, 1]; 0 where there are none.

    It goes by the evidence, and falls where a subject is known and what is asked of it is not. It is a half at least
    where one text holds every word of a question that is about something, and where a question asks for a time and
    nothing else, and something is of it; a fifth at most where nothing is, and the best are no longer than what is
    read for its times. It is 0 where it asks for the last conversation alone, and there was none.
    """
    if not len(candidates):
        return 0.0
    query, analysis = candidates.query, candidates.query.analysis
    likely = by_evidence(candidates)
    if likely >= TOO_SURE and query.trust >= TRUSTED and (asked := of_subject(candidates, likely)):
        weighed = sum(OF_SUBJECTS[name] * value for name, value in asked.items())
        likely = min(likely, 1 / (1 + math.exp(-weighed)))
    if holds_every_word(query, candidates.coverage):
        likely = max(likely, _HELD_IN_FULL)
    timed = analysis.window is not None or analysis.last_session
    if timed and not analysis.content_terms:
        if candidates.window.any():
            likely = max(likely, TIME_ALONE)
        elif analysis.last_session:
            likely = 0.0
        else:
            best: list[int] = candidates.order(candidates.alone)[:_BEST].tolist()
            if all(len(candidates.sketches[row].content) <= READ_CHARS for row in best):
                likely = min(likely, NOTHING_THEN)
    return likely


def holds_every_word(query: QueryContext, coverage: Floats) -> bool:
    """True if one text holds every word of a question that is about something."""
    return query.topical and float(coverage.max(initial=0.0)) >= _EVERY_WORD


def by_evidence(candidates: CandidateTable) -> float:
    """The likelihood by the evidence alone; at least one candidate is needed."""
    query = candidates.query
    odds = _odds(evidence(candidates), trusted=query.trust >= TRUSTED, unspaced=query.unspaced)
    return 1 / (1 + math.exp(-odds))


def of_subject(candidates: CandidateTable, likely: float) -> dict[str, float] | None:
    """The figures that `OF_SUBJECTS` weighs; None where no subject of the question is known, or that cannot be told."""
    asked = asked_for(candidates)
    if asked is None:
        return None
    sure = min(likely, _MOST_SURE)
    return {
        "base": 1.0,
        "odds": math.log(sure / (1 - sure)),
        "apart": min(max(asked.apart, _APART[0]), _APART[1]),
        "near": min(max(asked.near, _NEAR[0]), _NEAR[1]),
        "unmet": float(asked.unmet),
    }


def _odds(found: Mapping[str, float], *, trusted: bool, unspaced: bool) -> float:
    """The log-odds: of trees where vectors count, else of a few weights."""
    if trusted:
        forest = bundled().confidence
        row = np.array([[found[name] for name in EVIDENCE]], np.float64).round(6)
        return float(forest.scores(forest.leaves(row))[0])
    weights = bundled().without_vectors["pairs" if unspaced else "bare"]
    return weights["base"] + sum(weight * found[name] for name, weight in weights.items() if name != "base")
