"""The candidates of a question: one table, to which each step of a search adds its columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.provenance import Trust
from simonides.domain.scope import Scope
from simonides.ports.store import Sketch
from simonides.recall.close_reader import CloseReader
from simonides.recall.cosines import PLAIN, CosineScale
from simonides.recall.passage import Sought
from simonides.recall.question.analysis import Analysis
from simonides.recall.ranking.text_words import NO_TEXTS, TextTable
from simonides.values import dataclass

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Decimals at which two values, scaled by the best, are the same: sums differ in the last bits with
#: the number of candidates they are computed beside, and an order must not follow that.
_DECIMALS: Final = 6
#: A text of so many words besides the question's is brief.
_FEW_WORDS: Final = 10
#: Of so many candidates, the likeliest, one may tell who somebody is of whom a question asks.
_LIKELIEST: Final = 24
#: Roles whose turns are no user's.
_NO_USERS: Final = frozenset({"assistant", "tool"})
#: Columns that candidates of several searches have in common.
_SHARED: Final = ("bm25", "cosine", "coverage", "tag", "entity", "activation", "changing", "window")


#: Columns that no step has added yet.
_NO_VALUES: Final[Floats] = np.zeros(0)
_NO_ROWS: Final[Indices] = np.zeros(0, np.intp)
_NO_VECTORS: Final = np.zeros((0, 1), np.float32)
_NONE_DROPPED: Final = np.zeros(0, np.bool_)


def is_users_own(sketch: Sketch) -> bool:
    """True of what a user may have told of themselves: no assistant's, tool's or document's, nothing of low trust."""
    return sketch.role not in _NO_USERS and sketch.type != "chunk" and sketch.trust != Trust.LOW.value


def _no_values() -> Floats:
    return _NO_VALUES


def _no_rows() -> Indices:
    return _NO_ROWS


def _no_vectors() -> NDArray[np.float32]:
    return _NO_VECTORS


def _none_dropped() -> NDArray[np.bool_]:
    return _NONE_DROPPED


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryContext:
    """A question together with what the store and the embedder know of it.

    Attributes:
        k: Hits that are wanted.
        now: The instant of the question, microseconds.
        parts: The questions of the message.
        counts: How many items of the store hold each token of the questions, or a variant of it.
        variants: What of the store's words stands for a token beside itself.
        extent: About how many items there are.
        scope: The one that asks; None where all are seen.
        asked_before: Number of turns that asked the same in the same words.
        passing: About how many of them pass the filters, where that is less than can be looked through; else all.
        names: First names of speakers that the question mentions, case folded.
        entities: Names of the known entities that the question names.
        untold: Nothing tells what any of these is, a person or a project; False where there are none.
        tags: Tags that were asked for.
        unasked: Words that name a time and are not looked for in texts, case folded.
        session: Key of the scope and name of the one that is asked about; its items count as of the time asked about.
        topical: It has a word that carries a topic.
        unspaced: The question is mostly of a script without spaces.
        vectors: Unit vectors of the parts; None without vectors.
        scale: Of the cosines of these.
        trusted: How far the embedder knows the script of each part, in [0, 1].
        embed: Embeds passages of long texts, None where they come to nothing; None where that would take too long.
            It may raise ProviderError.
        closer: Reads English statements more closely than the embedder does; None where nothing is at hand for that.
        reading: The question's vector by that, where candidates have stored ones; None elsewhere.
    """

    analysis: Analysis
    k: int
    now: int
    parts: Sequence[str] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    variants: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    extent: int = 0
    scope: Scope | None = None
    asked_before: int = 0
    passing: int = 0
    names: frozenset[str] = frozenset()
    entities: tuple[str, ...] = ()
    untold: bool = False
    tags: frozenset[str] | None = None
    unasked: frozenset[str] = frozenset()
    session: tuple[int, str] | None = None
    topical: bool = True
    unspaced: bool = False
    vectors: NDArray[np.float32] | None = None
    scale: CosineScale = PLAIN
    trusted: Sequence[float] = ()
    embed: Callable[[Sequence[str]], NDArray[np.float32] | None] | None = None
    closer: CloseReader | None = None
    reading: NDArray[np.float32] | None = None

    @property
    def trust(self) -> float:
        """Share of the script of the question that the embedder knows of the question, in [0, 1]; 0 without vectors."""
        return 0.0 if self.vectors is None else max(self.trusted)


@dataclass(frozen=True, slots=True)
class QueryMatch:
    """The candidates against one of the questions of a message.

    Attributes:
        tokens: The question's, each once.
        counts: How often each holds each of these, shape (n, tokens).
        weights: IDF share of each token; they sum to 1 where there are any.
        phrases: Share of the question's adjacent pairs of tokens that stand side by side in the text.
        cosine: With the question, >= 0.
        held: IDF share of each token where the text has it, else 0; shape (n, tokens).
        coverage: Share of the question's information (IDF) that each holds.
    """

    tokens: Sequence[str]
    counts: Floats
    weights: Floats
    phrases: Floats
    cosine: Floats
    held: Floats = field(init=False, repr=False, compare=False)
    coverage: Floats = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        held: Floats = (self.counts > 0) * self.weights
        object.__setattr__(self, "held", held)
        object.__setattr__(self, "coverage", np.add.reduce(held, 1))


@dataclass(frozen=True, kw_only=True)
class CandidateTable:
    """The candidates of a question, in columns of equal length n, in the order of their keys.

    A column that no step has added yet is empty.

    Attributes:
        keys: int64, ascending, no two the same.
        sketches: Their rows in the store.
        event_at: When each happened, microseconds.
        text_rank: The place that the text channel gave each, from 0; the number of its matches where it saw none.
        bm25: >= 0, of the text or of what it replaced; 0 where the text channel saw neither.
        vectors: Unit vectors, shape (n, dimension); rows of zeros where there is none.
        readings: Unit vectors of a closer reading that are stored, likewise; of no dimension where none was asked for.
        closeness: Cosine of these with the question's, 0 where there is none; empty where none was asked for.
        entity: Share of the entities that the question names that the item mentions, in [0, 1].
        activation: Received over links in one pass by the question's intent, in [0, 1].
        changing: 1 where it may tell of a change of what the question asks about, else 0.
        channels: Which channels gave any.
        degradations: What did not work as it should, in words.
        steps: What was done beyond gathering and ranking.

        read: The sketches as they are read: of a long text the passages that matter.
        sought: What is looked for in long texts.
        texts: The words of each; `lengths` is how many there are.
        words: About how many words each has.
        matches: Against each of the questions of the message.
        repeated: How many different words of the message each has.
        cosine: With the question, in [0, 1]; 0 where there is no vector.
        coverage: Share of the question's information (IDF) that the text holds, in [0, 1].
        tag: Jaccard index of the question's tags (given, else its words) and the item's, in [0, 1].
        window: 1 where it happened in the time that the question names, else 0.
        speaker: 1 where the question names who said it.
        answer: 1 for a turn of an assistant.
        groups: The number of each one's session, -1 outside of sessions.
        neighbours: Rows of the turns so many places before and after, -1 for none, by distance; empty without any.
        spoken_of: True for a turn that mentions by a pronoun whom the question names; empty without any.
        session: Share of the question's information that the candidates of the same session hold together.

        lexical: BM25 / the best BM25.
        alone, linear: The score of the first look, without and with what surroundings and session add.
        vain: True where the question was asked before and not answered, for the turn that did not answer, and for what
            is said of somebody else where it is asked of oneself.
        confidence: How likely it is that any of them answers, in [0, 1].
        outdated: By its key each that a later one seems to answer otherwise, and what that says.

        score: (sum of `parts`) · `factor`, which a test proves for each profile: what a hit shows is all there is.
        relevance: How well each matches by itself, in [0, 1], whatever other candidates there are.
        dropped: True where the profile leaves the candidate out altogether.
    """

    query: QueryContext
    keys: NDArray[np.int64]
    sketches: Sequence[Sketch]
    event_at: NDArray[np.int64]
    text_rank: Indices = field(default_factory=_no_rows)
    bm25: Floats = field(default_factory=_no_values)
    vectors: NDArray[np.float32] = field(default_factory=_no_vectors)
    readings: NDArray[np.float32] = field(default_factory=_no_vectors)
    closeness: Floats = field(default_factory=_no_values)
    entity: Floats = field(default_factory=_no_values)
    activation: Floats = field(default_factory=_no_values)
    changing: Floats = field(default_factory=_no_values)
    channels: tuple[str, ...] = ()
    degradations: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()

    read: Sequence[Sketch] = ()
    sought: Sought
    texts: TextTable = NO_TEXTS
    lengths: Floats = field(default_factory=_no_values)
    words: Floats = field(default_factory=_no_values)
    matches: Sequence[QueryMatch] = ()
    repeated: Floats = field(default_factory=_no_values)
    cosine: Floats = field(default_factory=_no_values)
    coverage: Floats = field(default_factory=_no_values)
    tag: Floats = field(default_factory=_no_values)
    window: Floats = field(default_factory=_no_values)
    speaker: Floats = field(default_factory=_no_values)
    answer: Floats = field(default_factory=_no_values)
    groups: Indices = field(default_factory=_no_rows)
    neighbours: Mapping[int, Indices] = field(default_factory=dict[int, Indices])
    spoken_of: NDArray[np.bool_] = field(default_factory=_none_dropped)
    session: Floats = field(default_factory=_no_values)

    lexical: Floats = field(default_factory=_no_values)
    alone: Floats = field(default_factory=_no_values)
    linear: Floats = field(default_factory=_no_values)
    vain: NDArray[np.bool_] = field(default_factory=_none_dropped)
    confidence: float = 0.0
    outdated: Mapping[int, str] = field(default_factory=dict[int, str])

    score: Floats = field(default_factory=_no_values)
    relevance: Floats = field(default_factory=_no_values)
    parts: Mapping[str, Floats] = field(default_factory=dict[str, Floats])
    factor: Floats = field(default_factory=_no_values)
    dropped: NDArray[np.bool_] = field(default_factory=_none_dropped)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def brief(self) -> NDArray[np.bool_]:
        """True where a text has few words besides the question's; shape (n,).

        A turn that asks or orders tells something all the same where it is long ("help me with the login of my shop,
        which runs on …").
        """
        return self.texts.figures.different - self.repeated <= _FEW_WORDS

    def having(self, **columns: Any) -> CandidateTable:
        """The candidates with these columns. As `dataclasses.replace`, which takes its time over so many fields."""
        other = object.__new__(CandidateTable)
        other.__dict__.update(self.__dict__, **columns)
        return other

    def only(self, kept: NDArray[np.bool_]) -> CandidateTable:
        """Some of the candidates, as they were gathered: without the columns that later steps add."""
        rows: list[int] = np.flatnonzero(kept).tolist()
        return CandidateTable(
            query=self.query,
            keys=self.keys[rows],
            sketches=[self.sketches[row] for row in rows],
            event_at=self.event_at[rows],
            text_rank=self.text_rank[rows],
            bm25=self.bm25[rows],
            vectors=self.vectors[rows],
            readings=self.readings[rows] if len(self.readings) else self.readings,
            closeness=self.closeness[rows] if len(self.closeness) else self.closeness,
            entity=self.entity[rows],
            activation=self.activation[rows],
            changing=self.changing[rows],
            sought=self.sought,
            channels=self.channels,
            degradations=self.degradations,
        )

    def scored(
        self,
        parts: Mapping[str, Floats],
        relevance: Floats,
        factor: Floats | None = None,
        dropped: NDArray[np.bool_] | None = None,
    ) -> CandidateTable:
        """The candidates with the scores that these parts make; none is dropped but for those that are named."""
        size = len(self)
        factor = np.ones(size) if factor is None else factor
        return self.having(
            score=sum(parts.values(), np.zeros(size)) * factor,
            relevance=relevance,
            parts=parts,
            factor=factor,
            dropped=np.zeros(size, np.bool_) if dropped is None else dropped,
        )

    @property
    def related(self) -> NDArray[np.bool_]:
        """True of what has a word of the question, or a meaning that is at all like it; shape (n,)."""
        related: NDArray[np.bool_] = (self.cosine > 0) | (self.coverage > 0)
        return related

    def order(self, values: Floats) -> Indices:
        """Rows from the highest value to the lowest, of equal ones the newest first.

        Args:
            values: Shape (n,), finite, of any scale; compared as `comparable` has them.
        """
        return np.lexsort((-self.keys, -self.event_at, -comparable(values)))

    def told_by_user(self, likely: Floats) -> Iterator[str]:
        """Texts of the likeliest that are the user's own, and neither dropped nor outdated.

        Args:
            likely: How likely each is to answer; shape (n,).
        """
        rows: list[int] = self.order(likely)[:_LIKELIEST].tolist()
        for row in rows:
            sketch = self.sketches[row]
            left = len(self.dropped) and self.dropped[row]
            if is_users_own(sketch) and sketch.key not in self.outdated and not left:
                yield sketch.content

    def ranked(self) -> list[int]:
        """Rows of those that are not dropped, best first."""
        rows = self.order(self.score)
        ranked: list[int] = rows[~self.dropped[rows]].tolist()
        return ranked


def comparable(values: Floats) -> Floats:
    """Values without what does not count: they tie where they differ by less than about a millionth of the largest.

    BM25 of a word that most texts hold is itself of the size of a millionth, so that rounding it to so many
    decimals would tie everything.
    """
    largest = float(np.maximum.reduce(np.abs(values), initial=0.0)) or 1.0
    return (values / largest).round(_DECIMALS) * largest


def united(several: Sequence[CandidateTable]) -> CandidateTable:
    """The candidates of several searches, by key, not ranked; one that is in several is as the first of these has it.

    Args:
        several: At least one; what is known of the question is the first's.
    """
    keys, first = np.unique(np.concatenate([some.keys for some in several]), return_index=True)
    sketches = [sketch for some in several for sketch in some.sketches]
    rows: list[int] = first.tolist()
    columns: dict[str, Floats] = {
        name: np.concatenate([getattr(some, name) for some in several])[first] for name in _SHARED
    }
    return CandidateTable(
        query=several[0].query,
        keys=keys,
        sketches=[sketches[row] for row in rows],
        event_at=np.concatenate([some.event_at for some in several])[first],
        sought=several[0].sought,
        channels=several[0].channels,
        degradations=tuple(said for some in several for said in some.degradations),
        confidence=several[0].confidence,
        bm25=columns["bm25"],
        cosine=columns["cosine"],
        coverage=columns["coverage"],
        tag=columns["tag"],
        entity=columns["entity"],
        activation=columns["activation"],
        changing=columns["changing"],
        window=columns["window"],
    )
