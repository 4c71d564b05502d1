"""The read path: analyse → gather → rank → (agenda, rerank) → hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from simonides.domain.instant import iso
from simonides.domain.item import Item, Status
from simonides.domain.selection import Selection
from simonides.domain.taxonomy import Taxonomy
from simonides.domain.text import shortened
from simonides.domain.tuning import TUNED, tuned
from simonides.errors import InvalidSettings, ProviderError
from simonides.language.terms import is_topical
from simonides.ports.embedder import Embedder
from simonides.ports.reranker import Reranker
from simonides.ports.store import Reader, Store
from simonides.ports.vectors import Exemplars, VectorIndex
from simonides.recall.agenda.ground import Wording
from simonides.recall.agenda.search import Agenda, AgendaResult, Stop
from simonides.recall.agenda.settings import AgendaSettings
from simonides.recall.agenda.trace import Trace
from simonides.recall.balanced import Balanced
from simonides.recall.confidence import TRUSTED, confidence
from simonides.recall.diversity import distinct
from simonides.recall.gather import WIDTH, Gathered, Gatherer
from simonides.recall.ground import StoreGround, goal_of
from simonides.recall.passage import excerpt_of
from simonides.recall.pool import Indices, Pool, Ranking
from simonides.recall.profiles import PROFILES, Plan, ProfileSettings, profile_named
from simonides.recall.profiles.enhanced import Enhanced, Expand
from simonides.recall.question.analysis import Analysis, Tense, analyse
from simonides.recall.question.intent import IntentClassifier
from simonides.recall.reread import REREAD, checked, read_text, reread
from simonides.recall.result import Hit, Missed, Query, SearchResult
from simonides.recall.serving import Serving
from simonides.recall.signals import comparable, lexical, order
from simonides.recall.snapshot import Snapshot
from simonides.recall.sound import sound

_PRECISION: Final = 6
#: How likely an answer is at least where a question asks for a time and nothing else, and something is of it.
TIME_ALONE: Final = 0.5
#: Candidates that are no hits, of which a search with `explain` tells.
_MISSED: Final = 5
#: How far apart two hits stand where nothing else says it.
_STEP: Final = 0.1
_OUT_OF_TIME: Final = "agenda: it ran out of time; what it had found until then counts"


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Bounds of the read path.

    Attributes:
        profile: The way of ranking, where a search names none.
        min_relevance: Hits below it are hidden, in [0, 1].
        abstain_below: Where the likelihood that anything answers is below it, a search says that it
            abstains; its hits are what is nearest all the same.
        hide_below: Where it is below this, a search returns no hits at all, and a context stays empty; 0 hides
            nothing; not above `abstain_below`.
        unsettled_below: A complex question goes on to an agenda where that likelihood is below this; where
            a question says that it asks memory, it always does.
        prior_span: How far what speaks for an item whatever the question moves a score of `balanced`.
        profiles: Numbers of the other profiles.
        agenda: How far an agenda goes.
    """

    profile: str = "balanced"
    min_relevance: float = 0.0
    abstain_below: float = 0.19
    hide_below: float = 0.0
    unsettled_below: float = tuned(0.5)
    prior_span: float = tuned(0.25)
    profiles: ProfileSettings = field(default_factory=ProfileSettings, metadata=TUNED)
    agenda: AgendaSettings = field(default_factory=AgendaSettings, metadata=TUNED)

    def __post_init__(self) -> None:
        for name in ("min_relevance", "abstain_below", "hide_below", "unsettled_below"):
            if not 0 <= (value := getattr(self, name)) <= 1:
                raise InvalidSettings(f"recall.{name} lies in [0, 1], got {value}")
        if self.hide_below > self.abstain_below:
            raise InvalidSettings("recall.hide_below must not be above recall.abstain_below")
        if not 0 <= self.prior_span <= 1:
            raise InvalidSettings(f"recall.prior_span lies in [0, 1], got {self.prior_span}")
        if self.profile not in PROFILES:
            raise InvalidSettings(f"recall.profile is one of {', '.join(PROFILES)}, not {self.profile!r}")


@dataclass(frozen=True, slots=True)
class Found:
    """A ranked answer, before its items are loaded."""

    gathered: Gathered
    pool: Pool
    ranking: Ranking
    degradations: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


class Recall:
    """Finds the items that answer a question. Reading changes nothing.

    Args:
        serving: Chooses the model whose vectors are compared.
        expand: Words a question otherwise, with a model; None without one.
        word: Words the queries of an agenda, with a model; None without one.
        agenda: Takes the place of the one that the settings describe.
        exemplars: Keeps vectors of what questions are compared with.
        reranker: Reads question and candidates together; None without one.
    """

    def __init__(
        self,
        store: Store,
        serving: Serving,
        embedder: Embedder,
        taxonomy: Taxonomy,
        settings: RecallSettings,
        *,
        expand: Expand | None = None,
        word: Wording | None = None,
        reranker: Reranker | None = None,
        agenda: Agenda | None = None,
        exemplars: Exemplars | None = None,
    ) -> None:
        self._store = store
        self._serving = serving
        self._gatherer = serving.present
        self._intents = IntentClassifier(embedder, exemplars)
        self._taxonomy = taxonomy
        self._settings = settings
        self._balanced = Balanced(settings.prior_span)
        self._expand = expand
        self._reranker = reranker
        self._agenda = agenda or Agenda(settings.agenda, word=word)

    @property
    def index(self) -> VectorIndex:
        """What compares vectors; made when it is first asked for.

        Raises:
            ProviderError: The embedder cannot say what its vectors are.
        """
        return self._gatherer.index

    def close(self) -> None:
        """End what is under way in the background."""
        self._serving.close()

    def analyse(self, text: str, at: int) -> Analysis:
        """What a question asks for."""
        return analyse(text, at, self._intents)

    def search(self, query: Query) -> SearchResult:
        """The best hits for a question, with what stood in the way.

        Never raises because of what the question says; a channel that fails is left out and named in
        `degradations`.
        """
        if query.as_of is None:
            with self._store.read() as reader:
                state = reader.state()
                gatherer, said = self._serving.gatherer(reader, state)
                said = said if self._plan(query).vectors else None
                return _with(said, self._answer(Snapshot(reader, state), query, gatherer))
        past = self._store.as_of(query.as_of, query.selection.scopes)
        try:
            with past.read() as reader:
                state = reader.state()
                chosen, said = self._serving.gatherer(reader, state, past=True)
                said = said if self._plan(query).vectors else None
                with chosen.of_the_past() as gatherer:
                    return _with(said, self._answer(Snapshot(reader, state), query, gatherer))
        finally:
            past.close()

    def gather(self, reader: Reader, query: Query) -> tuple[Gathered, Analysis]:
        """A question's candidates with all that ranking looks at."""
        analysis = self.analyse(query.text, query.at)
        return self._gatherer.gather(Snapshot(reader, reader.state()), query, analysis), analysis

    def _answer(self, view: Snapshot, query: Query, gatherer: Gatherer) -> SearchResult:
        analysis = self.analyse(query.text, query.at)
        query = replace(query, selection=_holding(query, analysis))
        reader = view.reader
        found = self._found(view, query, analysis, gatherer)
        steps, degradations = list(found.steps), [*found.degradations]
        if analysis.degraded is not None:
            degradations.append(analysis.degraded)
        gathered = found.gathered
        sure = confidence(
            gathered.pool,
            gathered.scene,
            trust=gathered.trust,
            unspaced=gathered.unspaced,
            topical=is_topical(query.text),
        )
        timed = analysis.window is not None or analysis.last_session
        if timed and not analysis.content_terms and gathered.pool.window.any():
            sure = max(sure, TIME_ALONE)
        rows, hidden = self._rows(found, query, sure)
        trace: Trace | None = None
        placed: Mapping[int, float] | None = None
        # Who asks for an agenda gets one, also where nothing seems to answer: that is what it is for.
        if (rows or (query.agenda and len(found.pool))) and self._goes_on(query, analysis, sure):
            result = self._searched(view, query, analysis, found, gatherer)
            steps.append("agenda")
            degradations += result.degradations
            trace = _named(reader, found.pool, result)
            placed = _scored(found, result)
        keys = [int(found.pool.keys[row]) for row in rows]
        if placed is not None:
            keys = _presentable(reader, found, list(placed), self._bound(query))
        items, altered = sound(reader, reader.load(keys[: query.k]))
        degradations += altered
        hits = _hits(items, found, keys[: query.k], placed or {})
        missed = self._missed(reader, query, found, frozenset(keys[: query.k]), sure) if query.explain else ()
        return SearchResult(
            hits=hits,
            abstained=not hits or sure < self._settings.abstain_below,
            hidden=hidden,
            strategy="+".join((*found.gathered.channels, *steps)) or "none",
            degradations=tuple(dict.fromkeys(degradations)),
            confidence=round(sure, _PRECISION),
            analysis=_told(analysis, found.gathered.entities),
            trace=trace,
            missed=missed,
        )

    def _missed(
        self, reader: Reader, query: Query, found: Found, hits: frozenset[int], sure: float
    ) -> tuple[Missed, ...]:
        """The best candidates that are no hits, best first."""
        ranking, bound = found.ranking, self._bound(query)
        ranked: list[int] = order(found.pool, ranking.score).tolist()
        rows = [row for row in ranked if int(found.pool.keys[row]) not in hits and not ranking.dropped[row]]
        items, _ = sound(reader, reader.load([int(found.pool.keys[row]) for row in rows[:_MISSED]]))
        folded = distinct(found.pool.sketches[row] for row in ranked if not ranking.dropped[row]).folded
        repeats = {key: kept for kept, keys in folded.items() for key in keys}
        missed: list[Missed] = []
        for row in rows[:_MISSED]:
            key = int(found.pool.keys[row])
            if key not in items:
                continue
            relevance = round(float(ranking.relevance[row]), _PRECISION)
            if not hits and query.min_relevance is None and sure < self._settings.hide_below:
                reason = f"nothing stored seems to answer: {sure:.0%} certain"
            elif relevance < bound:
                reason = f"relevance {relevance:.2f} is below {bound:.2f}"
            elif key in repeats:
                reason = "says the same as a better one"
            else:
                reason = f"behind the first {query.k}"
            missed.append(Missed(items[key], round(float(ranking.score[row]), _PRECISION), relevance, reason))
        return tuple(missed)

    def _goes_on(self, query: Query, analysis: Analysis, sure: float) -> bool:
        """Whether an agenda goes on from what was found: said, or asked for, or the question is not settled."""
        if query.agenda is not None:
            return query.agenda
        settings = self._settings
        unsettled = settings.abstain_below <= sure < settings.unsettled_below
        return analysis.recall_intent or (analysis.complex and unsettled)

    def _plan(self, query: Query) -> Plan:
        return profile_named(query.profile or self._settings.profile)

    def _found(self, view: Snapshot, query: Query, analysis: Analysis, gatherer: Gatherer) -> Found:
        plan = self._plan(query)
        if plan.name == "enhanced":
            return self._enhanced(view, query, analysis, gatherer)
        profiles, asked = self._settings.profiles, None
        if plan.ask is not None:
            asked = plan.ask(profiles)(view.reader, query, analysis.text, max(WIDTH, query.k * plan.fetch))
        gathered = gatherer.gather(
            view,
            query if asked is None else asked.query,
            analysis,
            vectors=plan.vectors,
            fetch=plan.fetch,
            matches=None if asked is None else asked.text,
        )
        if plan.pure is not None:
            ranking = plan.pure(profiles).rank(gathered.pool, self._taxonomy)
            if asked is not None and asked.only:
                others = ~np.isin(gathered.pool.keys, asked.text.keys)
                ranking = replace(ranking, dropped=ranking.dropped | others)
                gathered = replace(gathered, channels=("text",) if len(asked.text.keys) else ())
            steps = () if asked is None or asked.step is None else (asked.step,)
            return Found(gathered, gathered.pool, ranking, gathered.degradations, steps)
        ranking = self._balanced.rank(gathered.pool, gathered.scene, analysis, query.k, self._taxonomy)
        return self._reread(
            query, analysis.text, Found(gathered, gathered.pool, ranking, gathered.degradations)
        )

    def _enhanced(self, view: Snapshot, query: Query, analysis: Analysis, gatherer: Gatherer) -> Found:
        first: list[Gathered] = []

        def search(text: str) -> tuple[Pool, Ranking]:
            read = analysis if text == analysis.text else self.analyse(text, query.at)
            gathered = gatherer.gather(view, query, read)
            first.append(gathered)
            ranking = self._balanced.rank(gathered.pool, gathered.scene, read, query.k, self._taxonomy)
            return gathered.pool, ranking

        profiles = self._settings.profiles
        enhanced = Enhanced(search, self._expand, self._reranker, profiles.enhanced, profiles.classic)
        ranked = enhanced.rank(analysis.text, self._taxonomy)
        return Found(
            first[0],
            ranked.pool,
            ranked.ranking,
            (*(said for some in first for said in some.degradations), *ranked.degradations),
            ranked.steps,
        )

    def _reread(self, query: Query, question: str, found: Found) -> Found:
        """Let the reranker, where there is one, put the best in its own order."""
        if self._reranker is None or not len(found.pool):
            return found
        ranked: list[int] = order(found.pool, found.ranking.score).tolist()
        chosen = [row for row in ranked if not found.ranking.dropped[row]][: max(REREAD, query.k)]
        texts = [read_text(found.pool.sketches[row], found.pool.sought) for row in chosen]
        try:
            said = checked(self._reranker.rerank(question, texts), len(texts), self._reranker.name)
        except ProviderError as error:
            return replace(found, degradations=(*found.degradations, f"rerank: {error}"))
        return replace(found, ranking=reread(found.ranking, chosen, said), steps=(*found.steps, "rerank"))

    def _bound(self, query: Query) -> float:
        """The relevance below which nothing is shown."""
        return self._settings.min_relevance if query.min_relevance is None else query.min_relevance

    def _rows(self, found: Found, query: Query, sure: float) -> tuple[list[int], int]:
        """Rows that may be hits, best first and the same text never twice; and how many were hidden."""
        ranking, bound = found.ranking, self._bound(query)
        ranked: list[int] = order(found.pool, ranking.score).tolist()
        stood = [row for row in ranked if not ranking.dropped[row]]
        if query.min_relevance is None and sure < self._settings.hide_below:
            return [], len(stood)
        rows = [row for row in stood if ranking.relevance[row] >= bound]
        hidden = len(stood) - len(rows)
        by_key = {found.pool.sketches[row].key: row for row in rows}
        kept = distinct((found.pool.sketches[row] for row in rows), most=query.k).kept
        return [by_key[sketch.key] for sketch in kept], hidden

    def _searched(
        self, view: Snapshot, query: Query, analysis: Analysis, found: Found, gatherer: Gatherer
    ) -> AgendaResult:
        goal = goal_of(view, analysis, found.gathered.entities)
        degradations: list[str] = []

        def search(text: str, selection: Selection) -> tuple[Pool, Ranking]:
            if text == goal.text and selection == query.selection:
                return found.pool, found.ranking
            asked = replace(query, text=text, selection=selection)
            again = self._found(view, asked, self.analyse(text, query.at), gatherer)
            degradations.extend(again.degradations)
            return again.pool, again.ranking

        # Cosines of a script that the embedder does not know say nothing: there, words tell what is near.
        known = found.gathered.trust >= TRUSTED
        vector, index = (found.gathered.vector, found.gathered.index) if known else (None, None)
        ground = StoreGround(view, query.selection, goal, search, vector, index)
        result = self._agenda.run(goal, ground, hits=query.k)
        if result.stop is Stop.TIME:
            degradations.append(_OUT_OF_TIME)
        return replace(result, degradations=(*result.degradations, *degradations))


def _hits(
    items: Mapping[int, Item], found: Found, keys: Sequence[int], placed: Mapping[int, float]
) -> tuple[Hit, ...]:
    rows = {key: row for row, key in enumerate(found.pool.keys.tolist())}
    # As they are ordered: what ties there shows the same score.
    scores: list[float] = np.round(comparable(found.ranking.score), _PRECISION).tolist()
    shown = np.array([rows[key] for key in keys if key in rows], np.intp)
    seen = dict(zip(shown.tolist(), _seen(found.pool, shown), strict=True))
    hits: list[Hit] = []
    for key in keys:
        if key not in items:
            continue
        row = rows.get(key)
        own = 0.0 if row is None else scores[row]
        score = round(placed.get(key, own), _PRECISION)
        excerpt = excerpt_of(items[key].content, found.pool.sought)
        if row is None:
            hits.append(Hit(items[key], score, 0.0, _moved({}, own, score), excerpt=excerpt))
            continue
        hits.append(
            Hit(
                item=items[key],
                score=score,
                relevance=round(float(found.ranking.relevance[row]), _PRECISION),
                signals=_moved(_signals(found.ranking, row), own, score),
                matches=seen[row],
                excerpt=excerpt,
            )
        )
    return tuple(hits)


def _holding(query: Query, analysis: Analysis) -> Selection:
    """The selection with what a question takes for granted: it asks for what holds, unless it says otherwise.

    Asked for a former time, what has ended may answer; asked for a later one, what has not begun. Whoever names an
    instant (`valid_at`) or wants everything (`archived`) said it by that.
    """
    selection = query.selection
    if selection.valid_at is not None or Status.ARCHIVED in selection.statuses:
        return selection
    at = query.at if query.as_of is None else query.as_of
    return replace(
        selection,
        begun_at=None if analysis.tense is Tense.FUTURE else at,
        lasting_at=None if analysis.tense in {Tense.PAST, Tense.FORMER} else at,
    )


def _with(said: str | None, result: SearchResult) -> SearchResult:
    return result if said is None else replace(result, degradations=(said, *result.degradations))


def _presentable(reader: Reader, found: Found, keys: Sequence[int], bound: float) -> list[int]:
    """What an agenda gave, in its order, without what is below the bound of relevance or says the same again."""
    own = dict(zip(found.pool.keys.tolist(), found.ranking.relevance.tolist(), strict=True))
    wanted = [key for key in keys if own.get(key, 0.0) >= bound]
    sketches = reader.look(wanted).sketches
    return [sketch.key for sketch in distinct(sketches[key] for key in wanted if key in sketches).kept]


def _scored(found: Found, result: AgendaResult) -> dict[int, float]:
    """Scores of an agenda's hits: their own, and between its neighbours' for what it put in or moved."""
    own = dict(zip(found.pool.keys.tolist(), comparable(found.ranking.score).tolist(), strict=True))
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


def _signals(ranking: Ranking, row: int) -> dict[str, float]:
    """What made a score: its parts, and the factor on their sum where it is not 1."""
    found = {name: round(float(column[row]), _PRECISION) for name, column in ranking.parts.items()}
    factor = round(float(ranking.factor[row]), _PRECISION)
    return found if factor == 1.0 else found | {"factor": factor}


def _moved(signals: dict[str, float], own: float, score: float) -> dict[str, float]:
    """Signals with what an agenda added: what it put in, or moved, stands between its neighbours by its score too."""
    if score == own:
        return signals
    factor = signals.get("factor", 1.0)
    if factor == 0:  # Whatever the parts are, they come to nothing.
        return {"agenda": score}
    return signals | {"agenda": round((score - own) / factor, _PRECISION)}


def _seen(pool: Pool, rows: Indices) -> list[dict[str, float]]:
    """What each channel saw in each of these candidates; those that saw nothing are left out."""
    columns = {
        "lex": lexical(pool.bm25, pool.coverage),
        "vec": pool.cosine,
        "coverage": pool.coverage,
        "tag": pool.tag,
        "entity": pool.entity,
        "spread": pool.activation,
        "time": pool.window,
    }
    table: list[list[float]] = np.round(
        np.stack([column[rows] for column in columns.values()], axis=1), _PRECISION
    ).tolist()
    return [{name: value for name, value in zip(columns, row, strict=True) if value} for row in table]


def _told(analysis: Analysis, entities: Sequence[str]) -> Mapping[str, object]:
    """What was read out of a question, for people."""
    window = analysis.window
    return {
        "intent": analysis.intent.value,
        "asks": analysis.asks.value,
        "expects": analysis.expects.value,
        "complex": analysis.complex,
        "entities": list(entities),
        "window": None if window is None else [iso(window.start), iso(window.end), window.words],
    }


def _named(reader: Reader, pool: Pool, result: AgendaResult) -> Trace:
    """What an agenda did, with what to call the items of the question and of all that it tried."""
    tried = (piece.sketch for node in result.trace.nodes for piece in node.support)
    names = {sketch.key: shortened(sketch.title or sketch.content, 60) for sketch in (*pool.sketches, *tried)}
    keys = {key for node in result.trace.nodes for key in (*node.keys, *node.step.dropped)}
    ids = {key: item.id for key, item in sorted(reader.load(sorted(keys)).items())}
    return replace(result.trace, names=names, ids=ids)
