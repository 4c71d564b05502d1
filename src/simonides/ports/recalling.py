"""The calls of a search: few, each of which does much, so that a store may be far away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Entity
from simonides.domain.item import Item
from simonides.domain.link import Relation
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.ports.entities import Edge
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.ports.store import Sketch, TextMatches, TextQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """The state of a view of a store. Cheap to ask.

    Attributes:
        change: The number of the newest change; never reused.
        extent: About how many items there are: never fewer.
        models: Fingerprints of the models of the stored vectors.
        superseded: Some item was superseded once.
        documents: There are corpora of documents.
        pinned: Some active item is pinned.
        aside: Runs have set vectors aside.
    """

    change: int
    extent: int
    models: tuple[str, ...]
    superseded: bool
    documents: bool
    pinned: bool
    aside: bool


class Words(NamedTuple):
    """The words of a question: their items are counted, and variants of them looked for.

    Attributes:
        tokens: As the text index has them.
        named: Those that are written like names.
        language: Code of the question's language, where it is known.
    """

    tokens: Sequence[str] = ()
    named: frozenset[str] = frozenset()
    language: str | None = None


NO_WORDS: Final = Words()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The first request of a search. Every candidate passes the selection.

    Attributes:
        text: Words to look for.
        given: What the text channel gave already, where it was asked.
        width: Number of candidates from the text channel.
        long_bytes: A text of more bytes is a long one. Where `width` is reached, long ones are looked for too.
        long: Number of long texts to look for.
        words: Those of the question.
        names: Names of entities that may be known, folded.
        too_common: An entity that more items mention gives no candidates.
        narrow: Number of candidates that an entity, a time, a session, a former wording or a change gives.
        window: The time that is asked about.
        last_session: The session that was heard of last is asked about.
        asking: The session that asks, which does not count as the last one.
        former: Former wordings are looked for.
        changing: Words that tell of a change of what is asked about.
        pinned: Number of pinned candidates.
    """

    selection: Selection
    text: TextQuery
    given: TextMatches | None = None
    width: int
    long_bytes: int
    long: int
    words: Words = NO_WORDS
    names: Sequence[str] = ()
    too_common: int
    narrow: int
    window: tuple[int, int] | None = None
    last_session: bool = False
    asking: str | None = None
    former: bool = False
    changing: Sequence[str] = ()
    pinned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """All that a search knows before it compares vectors.

    Attributes:
        scopes: Keys of the selection's scopes; None for every scope.
        sketches: Of the matches of the text channel, by key.
        counts: How many items of the store hold each of the tokens, or a variant of it.
        variants: What of the store's vocabulary stands for a token (`language.variants`).
        entities: (name, key, entity) of the names that are known.
        mentioning: Items that mention the rarer of them, newest first.
        former: Items whose former wording matches, by key, with how well it does (BM25).
        changing: Items that may tell of a change.
        within: Items of the time or session that is asked about.
        session: Key of its scope, and name of the session that was heard of last.
        pinned: Pinned items, most important first.
    """

    scopes: Sequence[int] | None
    text: TextMatches
    sketches: Mapping[int, Sketch]
    counts: Mapping[str, int]
    variants: Mapping[str, Sequence[str]]
    entities: Sequence[tuple[str, int, Entity]]
    mentioning: Sequence[int]
    former: Mapping[int, float]
    changing: Sequence[int]
    within: Sequence[int]
    session: tuple[int, str] | None
    pinned: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearing:
    """A request for what surrounds the best candidates.

    Attributes:
        text: Matches of the text channel, best first.
        near: What an index of vectors gave for each question, best first.
        questions: Vectors for the store to compare itself, where it does; `near` and `asked` are empty then.
        model: Of these vectors.
        reading: Another model, whose vectors of all that comes are looked up as well.
        read: The question by that model, compared behind `questions`; None where it is not.
        asked: Number it was asked for, for each question; 0 where there are no more.
        wanted: Number of passing items wanted for each question.
        above: The cosine above which the store takes what it compares.
        surrounded: Number of the best of text and vectors whose neighbouring turns are wanted.
        reach: Distance of a neighbouring turn, at most.
        seeds: Number of items whose links are followed, half of them the best of text, half of vectors.
        relations: Relations that are followed.
        depth: Number of links in a row. An item that does not pass leads no further.
    """

    selection: Selection
    text: Sequence[int]
    near: Sequence[NDArray[np.int64]] = ()
    asked: Sequence[int] = ()
    questions: Sequence[NDArray[np.float32]] = ()
    model: EmbedderIdentity | None = None
    reading: EmbedderIdentity | None = None
    read: NDArray[np.float32] | None = None
    wanted: int = 0
    above: float = 0.0
    surrounded: int
    reach: int
    seeds: int = 0
    relations: frozenset[Relation] = frozenset()
    depth: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Neared:
    """Items near the best candidates.

    Attributes:
        near: Of each question what passes, best first, as many as are wanted at most.
        short: Numbers of the questions of which an index may have more that pass. Where there are any, nothing
            else was looked for.
        around: Turns around the best, by key.
        edges: Links from and to the seeds, and from and to what they lead to.
        passing: The ends of these that pass.
    """

    near: Sequence[NDArray[np.int64]]
    short: frozenset[int] = frozenset()
    around: Sequence[int] = ()
    edges: Sequence[Edge] = ()
    passing: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Looked:
    """Candidates with their mentions, as ranking sees them.

    Attributes:
        sketches: By key; those that do not exist are left out.
        mentions: (item key, entity key) for every entity that they mention.
    """

    sketches: Mapping[int, Sketch]
    mentions: Sequence[tuple[int, int]]


class Intact(NamedTuple):
    """Items without those that were changed outside the store, as far as it can tell.

    Attributes:
        items: By key, in the order in which they were asked for; those that do not exist are left out.
        altered: Ids of those that were changed.
    """

    items: Mapping[int, Item]
    altered: frozenset[str]


class TakenItem(NamedTuple):
    """An item that was taken from a turn, or took the place of one that was.

    Attributes:
        successor: Id of what took its place; None where it holds.
        content: Empty of what was taken and holds.
    """

    id: str
    updated_at: int
    successor: str | None
    content: str


class Taken(NamedTuple):
    """Items that were taken from turns.

    Attributes:
        items: By the id of the turn, or of the narrative that tells of the turn; of a narrative, what holds no more.
        successors: All that took their places, one after another, by id.
    """

    items: Mapping[str, Sequence[TakenItem]]
    successors: Mapping[str, TakenItem]


class VectorComparer(Protocol):
    """A view of a store that compares vectors: `near` takes questions."""

    def vectors(self, model: EmbedderIdentity, keys: Sequence[int]) -> NDArray[np.float32]:
        """Vectors of items, shape (keys, dimension); rows of zeros for those without one."""
        ...


class RecallReader(Protocol):
    """The calls of a search, in their order."""

    @property
    def comparer(self) -> VectorComparer | None:
        """The vectors of the view, where the store compares them itself; None where an index of the process does."""
        ...

    def expect_opening(self, opening: Callable[[ViewState], Opening]) -> None:
        """Expect `open` to be asked so, by the state of the view.

        A store that is far away may send it along with the next `state`, guessing from a state seen before; if `open`
        then asks something else, it is sent again.
        """
        ...

    def state(self) -> ViewState:
        """The state of this view."""
        ...

    def open(self, asked: Opening) -> Opened:
        """Candidates of all that needs no vectors, and what is known of the words and names of a question."""
        ...

    def near(self, asked: Nearing) -> Neared:
        """Those of the nearest that pass, and all that surrounds the best."""
        ...

    def look(self, keys: Sequence[int], mentioning: Sequence[int] = ()) -> Looked:
        """Sketches of items, and the entities that items mention: these, or others.

        The entities are of the items' own scopes: whoever may see the item may see what it mentions.

        Args:
            keys: Items to be sketched.
            mentioning: Items whose mentions are wanted.
        """
        ...

    def taken(
        self, keys: Sequence[int], narratives: Collection[str], scopes: tuple[Scope, ...] | None
    ) -> Taken:
        """Items that were taken from turns, with what replaced them since.

        A store that is far away reads the items themselves along, for `intact` of the same keys.

        Args:
            keys: Items, of which turns and narratives count.
            narratives: Types of those that tell of turns; they are not taken from them.
            scopes: Those that may be seen, None for all: what is of another one replaces nothing.
        """
        ...

    def intact(self, keys: Sequence[int]) -> Intact:
        """Items as `load` gives them, without those that were changed outside the store."""
        ...


def interleaved(rankings: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The rankings as one: every first, then every second, none twice."""
    if len(rankings) == 1:
        return rankings[0]
    longest = max(map(len, rankings), default=0)
    merged = (int(some[rank]) for rank in range(longest) for some in rankings if rank < len(some))
    return np.array(list(dict.fromkeys(merged)), np.int64)
