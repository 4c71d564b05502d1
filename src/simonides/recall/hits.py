"""From ranked candidates to the answer: the hits that are shown, and a word on the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from simonides.domain.instant import iso
from simonides.domain.item import Item
from simonides.domain.text import shortened
from simonides.ports.store import Reader
from simonides.recall.candidates import CandidateTable, Floats, Indices, comparable
from simonides.recall.diversity import distinct
from simonides.recall.integrity import left_out
from simonides.recall.passage import excerpts_of
from simonides.recall.question.speech import TELLING_OF_TURNS
from simonides.recall.question.tense import Tense
from simonides.recall.ranking.match import lexical
from simonides.recall.replaced import replaced, replaced_parts
from simonides.recall.result import Hit, Missed, Query, SearchResult
from simonides.recall.retrieve import Retrieval
from simonides.recall.settings import RecallSettings
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.recall.agenda.search import AgendaResult
    from simonides.recall.agenda.trace import Trace

_PRECISION: Final = 6
_SCALE: Final = 10.0**_PRECISION
#: More than a product below `_COARSE` can be off.
_BETWEEN: Final = 1e-3
_COARSE: Final = 1e9
#: Candidates that are no hits, of which a search with `explain` tells.
_MISSED: Final = 5
#: Best candidates among which what holds instead of a hit is looked for, where fewer are wanted.
_LOOKED_AT: Final = 10
#: Types of what may tell what holds no more.
_TOLD: Final = TELLING_OF_TURNS | {"episode"}
#: How far apart two hits stand where nothing else says it.
_STEP: Final = 0.1


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidates that are to be shown.

    Attributes:
        keys: Best first, the same text never twice.
        hidden: How many were kept back.
        scores: By key, where an agenda gave them.
        trace: What the agenda did; None without one.
    """

    keys: Sequence[int]
    hidden: int
    scores: Mapping[int, float] | None = None
    trace: Trace | None = None


def chosen(candidates: CandidateTable, query: Query, settings: RecallSettings) -> Choice:
    """The candidates that are relevant enough, as many as are wanted."""
    ranked = candidates.ranked()
    if settings.hides_all(query, candidates.confidence):
        return Choice((), len(ranked))
    relevance: list[float] = candidates.relevance.tolist()
    bound = settings.least_relevance(query)
    rows = [row for row in ranked if relevance[row] >= bound]
    sketches = (candidates.sketches[row] for row in rows)
    kept = distinct(sketches, most=max(query.k, _LOOKED_AT), holding=_asks_what_holds(candidates)).kept
    return Choice([sketch.key for sketch in kept], len(ranked) - len(rows))


def rearranged(
    choice: Choice, reader: Reader, candidates: CandidateTable, result: AgendaResult, bound: float
) -> Choice:
    """A choice as an agenda puts it, without what is below the bound of relevance or says the same again."""
    own = dict(zip(candidates.keys.tolist(), candidates.relevance.tolist(), strict=True))
    scores = _scored(candidates, result)
    wanted = [key for key in scores if own.get(key, 0.0) >= bound]
    sketches = reader.look(wanted).sketches
    ranked = (sketches[key] for key in wanted if key in sketches)
    kept = distinct(ranked, holding=_asks_what_holds(candidates)).kept
    return replace(
        choice, keys=[sketch.key for sketch in kept], scores=scores, trace=_named(reader, candidates, result)
    )


def answer(
    view: Retrieval, query: Query, candidates: CandidateTable, choice: Choice, settings: RecallSettings
) -> SearchResult:
    """The answer that shows a choice, without what was changed outside Simonides."""
    keys, reader = choice.keys[: query.k], view.reader
    taken = None
    if view.snapshot.state.superseded and _asks_what_holds(candidates):
        keys = choice.keys[: max(query.k, _LOOKED_AT)]
        facts = {sketch.key for sketch in candidates.sketches if sketch.type not in _TOLD}
        if not facts.issuperset(keys):
            taken = reader.taken(keys, TELLING_OF_TURNS, query.selection.scopes)
    items, altered = reader.intact(keys)
    hits = _hits(items, candidates, keys, choice.scores or {})
    if taken is not None:
        told = [hit.item for hit in hits]
        heirs, parts = replaced(told, taken), replaced_parts(told, taken)
        hits = tuple(
            replace(hit, superseded_by=heirs.get(hit.item.id), superseded_parts=parts.get(hit.item.id, {}))
            for hit in hits
        )
        hits = _behind_heirs(hits)
    hits = hits[: query.k]
    confidence = candidates.confidence
    degradations = dict.fromkeys((*candidates.degradations, *left_out(altered)))
    return SearchResult(
        hits=hits,
        abstained=not hits or confidence < settings.abstain_below,
        hidden=choice.hidden,
        strategy="+".join((*candidates.channels, *candidates.steps)) or "none",
        degradations=(*(() if view.notice is None else (view.notice,)), *degradations),
        confidence=round(confidence, _PRECISION),
        analysis=_readings(candidates),
        trace=choice.trace,
        missed=_missed(reader, query, candidates, _told_of(keys, items, hits), settings)
        if query.explain
        else (),
    )


def _asks_what_holds(candidates: CandidateTable) -> bool:
    """False of a question for what held once, which is answered by what was replaced."""
    return candidates.query.analysis.tense not in {Tense.PAST, Tense.FORMER}


def _told_of(keys: Sequence[int], items: Mapping[int, Item], hits: Sequence[Hit]) -> frozenset[int]:
    """Keys of the hits, and of what is left out since it was changed outside Simonides."""
    ids = {hit.item.id for hit in hits}
    return frozenset(key for key in keys if key not in items or items[key].id in ids)


def _behind_heirs(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The hits with each turn that tells what no longer holds behind the hit that holds instead.

    They exchange their scores, as other versions of one thing do.
    """
    ordered = list(hits)
    for hit in hits:
        places = {one.item.id: place for place, one in enumerate(ordered)}
        place, heir = places[hit.item.id], places.get(hit.superseded_by or "", -1)
        if heir > place:
            ordered.insert(heir, ordered.pop(place))
    return tuple(
        hit
        if hit.score == other.score
        else replace(
            hit, score=other.score, signals=_moved(dict(hit.signals), hit.score, other.score, "versions")
        )
        for hit, other in zip(ordered, hits, strict=True)
    )


def _missed(
    reader: Reader, query: Query, candidates: CandidateTable, hits: frozenset[int], settings: RecallSettings
) -> tuple[Missed, ...]:
    """The best candidates that are no hits, best first."""
    ranked, bound = candidates.ranked(), settings.least_relevance(query)
    rows = [row for row in ranked if int(candidates.keys[row]) not in hits][:_MISSED]
    items = reader.intact([int(candidates.keys[row]) for row in rows]).items
    every = (candidates.sketches[row] for row in ranked)
    folded = distinct(every, holding=_asks_what_holds(candidates)).folded
    repeats = {key: kept for kept, keys in folded.items() for key in keys}
    missed: list[Missed] = []
    for row in rows:
        key = int(candidates.keys[row])
        if key not in items:
            continue
        relevance = round(float(candidates.relevance[row]), _PRECISION)
        if not hits and settings.hides_all(query, candidates.confidence):
            reason = f"nothing stored seems to answer: {candidates.confidence:.0%} certain"
        elif relevance < bound:
            reason = f"relevance {relevance:.2f} is below {bound:.2f}"
        elif key in repeats:
            reason = "says the same as a better one"
        else:
            reason = f"behind the first {query.k}"
        missed.append(Missed(items[key], round(float(candidates.score[row]), _PRECISION), relevance, reason))
    return tuple(missed)


def _hits(
    items: Mapping[int, Item], candidates: CandidateTable, keys: Sequence[int], placed: Mapping[int, float]
) -> tuple[Hit, ...]:
    rows = {key: row for row, key in enumerate(candidates.keys.tolist())}
    # As they are ordered: what ties there shows the same score.
    scores: list[float] = comparable(candidates.score).round(_PRECISION).tolist()
    shown = np.array([rows[key] for key in keys if key in rows], np.intp)
    seen = dict(zip(shown.tolist(), _seen(candidates, shown), strict=True))
    signals = dict(zip(shown.tolist(), _signals(candidates, shown), strict=True))
    shown_keys = [key for key in keys if key in items]
    excerpts = excerpts_of([items[key].content for key in shown_keys], candidates.sought)
    # Of what says the same only one is shown.
    saying = {items[key].content: items[key].id for key in shown_keys} if candidates.outdated else {}
    outdated = {key: saying.get(text) for key, text in candidates.outdated.items()}
    hits: list[Hit] = []
    for key, excerpt in zip(shown_keys, excerpts, strict=True):
        row = rows.get(key)
        own = 0.0 if row is None else scores[row]
        score = round(placed.get(key, own), _PRECISION)
        if row is None:
            hits.append(Hit(items[key], score, 0.0, _moved({}, own, score), excerpt=excerpt))
            continue
        hits.append(
            Hit(
                item=items[key],
                score=score,
                relevance=round(float(candidates.relevance[row]), _PRECISION),
                signals=_moved(signals[row], own, score),
                matches=seen[row],
                excerpt=excerpt,
                outdated_by=outdated.get(key),
            )
        )
    return tuple(hits)


def _scored(candidates: CandidateTable, result: AgendaResult) -> dict[int, float]:
    """Scores of an agenda's hits: their own, and between its neighbours' for what it put in or moved."""
    own = dict(zip(candidates.keys.tolist(), comparable(candidates.score).tolist(), strict=True))
    scores: dict[int, float] = {}
    above: float | None = None
    for place, hit in enumerate(result.ranking):
        if hit.operator == "find" and hit.key in own:
            scores[hit.key] = own[hit.key]
        else:
            below = next(
                (
                    own[other.key]
                    for other in result.ranking[place + 1 :]
                    if other.operator == "find" and other.key in own
                ),
                (0.0 if above is None else above) - _STEP,
            )
            scores[hit.key] = below + _STEP if above is None else (above + below) / 2
        above = scores[hit.key]
    return scores


def _signals(candidates: CandidateTable, rows: Indices) -> list[dict[str, float]]:
    """The parts of scores, and the factor on their sum where it is not 1."""
    columns = {**candidates.parts, "factor": candidates.factor}
    table: list[list[float]] = _rounded(np.array([column[rows] for column in columns.values()])).T.tolist()
    signals: list[dict[str, float]] = []
    for values in table:
        found = dict(zip(columns, values, strict=True))
        if found["factor"] == 1.0:
            del found["factor"]
        signals.append(found)
    return signals


def _rounded(values: Floats) -> Floats:
    """The values at so many decimals, each as `round` has it to the last bit; hardly any is asked for by itself.

    A whole number over a power of ten is the same either way: only where a value stands about between two such, or is
    so large that its product is coarse, may rounding that product find the other one.
    """
    scaled = values * _SCALE
    whole = np.rint(scaled)
    found = whole / _SCALE
    unsure = (np.abs(np.abs(scaled - whole) - 0.5) < _BETWEEN) | ~(np.abs(scaled) < _COARSE)
    for place in np.argwhere(unsure).tolist():
        found[*place] = round(float(values[*place]), _PRECISION)
    return found


def _moved(signals: dict[str, float], own: float, score: float, by: str = "agenda") -> dict[str, float]:
    """Signals with what moved a hit: it stands between its neighbours by its score too."""
    if score == own:
        return signals
    factor = signals.get("factor", 1.0)
    if factor == 0:  # Whatever the parts are, they come to nothing.
        return {by: score}
    return signals | {by: round(signals.get(by, 0.0) + (score - own) / factor, _PRECISION)}


def _seen(candidates: CandidateTable, rows: Indices) -> list[dict[str, float]]:
    """The match that each channel saw in each of these candidates; those that saw nothing are left out."""
    columns = {
        "lex": lexical(candidates.bm25, candidates.coverage),
        "vec": candidates.cosine,
        "coverage": candidates.coverage,
        "tag": candidates.tag,
        "entity": candidates.entity,
        "spread": candidates.activation,
        "time": candidates.window,
    }
    table: list[list[float]] = (
        np.array([column[rows] for column in columns.values()]).round(_PRECISION).T.tolist()
    )
    return [{name: value for name, value in zip(columns, row, strict=True) if value} for row in table]


def _readings(candidates: CandidateTable) -> Mapping[str, object]:
    """The reading of a question, for people."""
    analysis = candidates.query.analysis
    window = analysis.window
    return {
        "intent": analysis.intent.value,
        "asks": analysis.asks.value,
        "expects": analysis.expects.value,
        "complex": analysis.complex,
        "entities": list(candidates.query.entities),
        "window": None if window is None else [iso(window.start), iso(window.end), window.words],
    }


def _named(reader: Reader, candidates: CandidateTable, result: AgendaResult) -> Trace:
    """The trace of an agenda, with names for the items of the question and of all that it tried."""
    tried = (piece.sketch for node in result.trace.nodes for piece in node.support)
    names = {
        sketch.key: shortened(sketch.title or sketch.content, 60) for sketch in (*candidates.sketches, *tried)
    }
    keys = {key for node in result.trace.nodes for key in (*node.keys, *node.step.dropped)}
    ids = {key: item.id for key, item in sorted(reader.load(sorted(keys)).items())}
    return replace(result.trace, names=names, ids=ids)
