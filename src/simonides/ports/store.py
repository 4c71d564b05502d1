"""The store port: one file or database that holds everything a memory knows.

A store is asked in our own terms; nothing of its query language comes through. Items have an `id` for
the world and a `key` (a positive integer, unique in the store) for the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Name
from simonides.domain.item import Item
from simonides.domain.link import Link, Relation
from simonides.domain.records import AuditEvent, Injection, Place, Revision, Session
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.verdict import Outcome
from simonides.domain.written import INNER, Written, as_written
from simonides.ports.buffer import BufferReader, BufferWriter
from simonides.ports.copying import CopyReader, CopyWriter
from simonides.ports.entities import EntityReader, EntityWriter
from simonides.ports.forgetting import ForgettingReader, MovingWriter
from simonides.ports.governing import GoverningReader
from simonides.ports.growth import GrowthReader
from simonides.ports.recalling import RecallReader
from simonides.ports.runs import RunReader, RunWriter
from simonides.ports.vectors import VectorReader
from simonides.values import dataclass

T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class TextQuery:
    """Words to look for.

    Attributes:
        terms: Single words as they are written, without operators; matched by stem where the store knows one.
        every: All terms must occur, instead of any.
        prefixes: Terms match the beginning of words.
        above_bytes: Only contents of more bytes, in UTF-8.
        variants: By token of `language.search_tokens`, other tokens of the store that match as well; several with
            blanks between them where an item has to hold all of them.
    """

    terms: tuple[str, ...]
    every: bool = False
    prefixes: bool = False
    above_bytes: int = 0
    variants: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


@dataclass(frozen=True, slots=True)
class TextMatches:
    """Matches of the text channel.

    Attributes:
        keys: int64, best first; of equal ones what was stored last comes first.
        scores: float64 in the same order; BM25, > 0.
        terms: The terms that chose the rows; on large stores the commonest may have been left out.
        degraded: Why this is not the ordinary text search; None when it is.
    """

    keys: NDArray[np.int64]
    scores: NDArray[np.float64]
    terms: tuple[str, ...]
    degraded: str | None = None


class Sketch(NamedTuple):
    """A candidate as far as ranking needs it: read in one go, far cheaper than the whole item."""

    key: int
    type: str
    title: str
    content: str
    tags: str
    derived: str
    sender: str
    role: str | None
    scope: int
    session_id: str | None
    ordinal: int | None
    validation: str
    confidence: float
    importance: float
    decay_rate: float
    created_at: int
    event_at: int
    reinforcement: float
    last_used_at: int | None
    last_hit_at: int | None
    entities: str
    source_kind: str
    #: Whether its provenance names the hash of a source.
    hashed: int
    trust: str
    pinned: int
    valid_until: int | None
    superseded_by: str | None
    valid_from: int | None = None


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item to be stored for the first time, with what belongs to it.

    Attributes:
        names: What it mentions; nothing is registered of an item that is not active.
        wished: Of a quarantined item, what it was to be; a JSON object.
        links: Links from and to it. The other end is there, or stands before it.
        waits: It waits for extraction: a turn of its session.
    """

    item: Item
    outcome: Outcome
    vector: NDArray[np.float32] | None = None
    reasons: tuple[str, ...] = ()
    why_store: str | None = None
    action: str = "create"
    actor: str = "user"
    names: tuple[Name, ...] = ()
    wished: Mapping[str, Any] | None = None
    links: tuple[Link, ...] = ()
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """Things that a write will ask for: a store that is far away reads them in one go, with its lock.

    Attributes:
        contents: Hashes of contents whose holders are wanted, by scope and whether they are quarantined.
        settled: Scopes of which is asked what is settled where they see.
        new: Items that are likely to be stored, for their names.
        session: A session of a scope that is wanted, with so many of its last turns.
        source_ids: Ids that turns of the session may have come with.
        model: The model of vectors that will be stored.
        items: Ids of items that will be read, and revised or linked to.
    """

    contents: Mapping[tuple[Scope, bool], Sequence[bytes]] = field(
        default_factory=dict[tuple[Scope, bool], Sequence[bytes]]
    )
    settled: Sequence[Scope] = ()
    new: Sequence[NewItem] = ()
    session: tuple[Scope, str, int] | None = None
    source_ids: Sequence[str] = ()
    model: EmbedderIdentity | None = None
    items: Sequence[str] = ()


class Mentioned(NamedTuple):
    """Changes that the names of items made when these were written.

    Attributes:
        guessed: Ids of entities that were known, as concepts, and that their names tell more of.
        earlier: Active items, by ascending key, that hold the words of a name that became known since this was asked
            last; of each name the newest.
    """

    guessed: tuple[str, ...] = ()
    earlier: tuple[tuple[int, Item], ...] = ()


@dataclass(frozen=True, slots=True)
class StoredVerdict(Written):
    """A decision of the policy about an item.

    Attributes:
        wished: What a quarantined item was to be, as `writing.wishes` has it; None where nobody said.
    """

    verdict: str
    reasons: tuple[str, ...]
    why_store: str | None
    actor: str
    at: int
    wished: Mapping[str, Any] | None = field(default=None, metadata=INNER)


@dataclass(frozen=True, slots=True)
class MergedItem:
    """An item that upkeep merged into another.

    Attributes:
        source: What it was taken from: the id of its source, behind its corpus or session; empty where unknown.
    """

    item_id: str
    successor_id: str
    source: str


@dataclass(frozen=True, slots=True)
class Problem(Written):
    """Something that `check` found wrong.

    Attributes:
        area: What was looked at: file, rows, text index, links, vectors, audit, …
        message: What is wrong and what helps.
    """

    area: str
    message: str


@dataclass(frozen=True, slots=True)
class Report(Written):
    """Findings of `doctor`: none, if all is well."""

    problems: tuple[Problem, ...]
    backend: Mapping[str, Any]

    @property
    def healthy(self) -> bool:
        """True if nothing is wrong."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        return {"healthy": self.healthy} | as_written(self)


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A stored turn of a session, as far as recognising it again needs."""

    key: int
    id: str
    ordinal: int
    content_hash: bytes
    role: str | None
    event_at: int | None


class StoredConversation(NamedTuple):
    """A stored session, as far as going on with it needs.

    Attributes:
        session: None where it was never heard of.
        turns: Its episodes in their order.
        by_source: Ids of those that came with an id of their own, by that one.
    """

    session: Session | None
    turns: Sequence[StoredTurn]
    by_source: Mapping[str, str]


class Reader(
    VectorReader, EntityReader, RunReader, ForgettingReader, BufferReader, GoverningReader, GrowthReader,
    CopyReader, RecallReader, Protocol,
):  # fmt: skip
    """One consistent view of the store."""

    def key(self, item_id: str) -> int | None:
        """The key of an item, or None."""
        ...

    def load(self, keys: Sequence[int]) -> dict[int, Item]:
        """Items by key, with their usage; those that do not exist are left out."""
        ...

    def get(self, item_ids: Sequence[str]) -> dict[str, Item]:
        """Items by id, whatever their status; those that do not exist are left out."""
        ...

    def select(
        self,
        selection: Selection,
        order: ItemOrder = ItemOrder.NEWEST,
        *,
        limit: int,
        after: int | None = None,
    ) -> dict[int, Item]:
        """Items that pass, by key, in an order.

        Cost: what the selection leaves to look through. Of what happened in a time, and of what mentions an
        entity, no more than the limit is looked at, unless little of it passes.

        Args:
            after: Key of the last item of the page before. Where it is purged, nothing comes behind it but by key.
        """
        ...

    def keys(
        self,
        selection: Selection,
        order: ItemOrder = ItemOrder.NEWEST,
        *,
        limit: int,
        after: int | None = None,
    ) -> list[int]:
        """Keys of what `select` gives."""
        ...

    def count(self, selection: Selection) -> int:
        """Count the items that pass."""
        ...

    def addresses(self, selection: Selection) -> list[str]:
        """Addresses of the records that pass a selection with a `space`, in their order; reads no values."""
        ...

    def scopes(self) -> list[Scope]:
        """Every scope that something was ever stored in, in alphabetical order."""
        ...

    def search_text(self, query: TextQuery, selection: Selection, limit: int) -> TextMatches:
        """The items that match best by BM25 among those that pass."""
        ...

    def document_counts(self, tokens: Sequence[str]) -> dict[str, int]:
        """Count the items of the store that hold each token, as `language.search_tokens` gives it."""
        ...

    def holders(
        self, scope: Scope, hashes: Sequence[bytes], *, quarantined: bool = False
    ) -> dict[bytes, Item]:
        """Items that hold contents in a scope, by content hash."""
        ...

    def conversation(
        self, scope: Scope, session_id: str, *, last: int = 1 << 53, source_ids: Sequence[str] = ()
    ) -> StoredConversation:
        """A session with its turns.

        Args:
            last: So many turns, the last ones.
            source_ids: Ids that turns may have come with, among all of them.
        """
        ...

    def revisions(self, item_id: str, number: int | None = None) -> list[Revision]:
        """Every state of an item, oldest first, or the one of a number; none for an unknown one."""
        ...

    def links(
        self,
        item_ids: Sequence[str],
        relations: Iterable[Relation] | None = None,
        *,
        between: bool = False,
    ) -> list[Link]:
        """Links from and to items, or between these alone, by source, destination and relation."""
        ...

    def verdict(self, item_id: str) -> StoredVerdict | None:
        """The decision of the policy about an item, where there was any."""
        ...

    def events(
        self, *, item_ids: Sequence[str] | None = None, action: str | None = None, limit: int = 1 << 53
    ) -> list[AuditEvent]:
        """Audit events, newest first: of these items, of this action, or all."""
        ...

    def keyed_hash(self, text: str) -> str:
        """A hash of a text under the store's own secret key, hexadecimal, 128 bits."""
        ...

    def injections(
        self, limit: int, *, session_id: str | None = None, injection_id: str | None = None
    ) -> list[Injection]:
        """Records of what was put into prompts, newest first: of a session, or the one of an id."""
        ...

    def places(self, selection: Selection) -> list[tuple[Place, int]]:
        """Rooms and shelves that hold items that pass, with how many, in the order of their names."""
        ...

    def place(self, item_id: str, *, given: bool = False) -> Place | None:
        """The place of an item; with `given` only one that somebody gave it, not one that follows from what it is."""
        ...

    def statistics(self, scopes: tuple[Scope, ...] | None) -> Mapping[str, Any]:
        """Counts by tier, type, status and scope, and the size of the store."""
        ...

    def count_lacking_vector(self, fingerprint: str) -> tuple[int, int]:
        """Count the active items that lack a vector of a model, and all of them."""
        ...

    def lacking_vector(
        self, fingerprint: str, keys: Sequence[int], since: int, extent: int, limit: int
    ) -> list[int]:
        """Keys of active items that lack a vector of a model, of some: costs as much as these are.

        Args:
            keys: Items to look at.
            since: Items that changed after this change are looked at too.
            extent: Items with a key behind this one are looked at too.
        """
        ...

    def vectors_of(self, fingerprint: str, item_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Vectors of a model by id of the item, float32 of length 1; items without one are left out."""
        ...

    def merged(self, selection: Selection, limit: int) -> list[MergedItem]:
        """Items whose place another has taken in a merge, that other one passing; by their key."""
        ...

    def contradictions(self, selection: Selection, limit: int) -> list[Link]:
        """`contradicts` links of which both ends pass; latest first."""
        ...

    def models(self) -> list[tuple[EmbedderIdentity, int]]:
        """Models of the stored vectors, and how many vectors of each."""
        ...


class Writer(
    Reader, EntityWriter, RunWriter, MovingWriter, BufferWriter, CopyWriter, Protocol
):  # fmt: skip
    """A transaction: all of what is done through it becomes durable, or none."""

    def look_ahead(self, ahead: Ahead) -> None:
        """Say what the work will ask for. It may be asked for all the same, and more than that.

        Whoever says it hears of a Conflict when the work is done, at the latest.
        """
        ...

    def savepoint(self) -> AbstractContextManager[None]:
        """A part of the transaction: where its `with` block raises, what was written in it is taken back.

        Raises:
            Conflict: What was written breaks a rule of the store.
        """
        ...

    def insert(
        self,
        new: Sequence[NewItem],
        model: EmbedderIdentity | None,
        run_id: str | None = None,
        *,
        earlier: int = 0,
    ) -> Mentioned:
        """Store items with text index, vector, first revision, verdict, links and audit event.

        Args:
            earlier: Items that are given back, at most, because they may mention what became known.
        """
        ...

    def revise(
        self, item: Item, *, reason: str, action: str, actor: str = "user",
        run_id: str | None = None, vector: NDArray[np.float32] | None = None, model: EmbedderIdentity | None = None,
        names: Sequence[Name] | None = None, earlier: int = 0,
    ) -> Mentioned:  # fmt: skip
        """Store a new state of an item as its next revision.

        A vector is only given, and needed, where the text changed, or the item was quarantined; without one the old
        vector goes. What is quarantined loses its vector and mentions nothing, whatever is given.
        Where names are given, it mentions these from now on; else what it mentioned before. `earlier` is as that of
        `insert`.
        """
        ...

    def put_vectors(
        self, model: EmbedderIdentity, vectors: Sequence[tuple[int, NDArray[np.float32] | None]]
    ) -> None:
        """Store vectors by item key; None marks a text that embeds to nothing."""
        ...

    def drop_vectors(self, fingerprint: str | None, keys: Sequence[int] | None = None) -> None:
        """Forget the vectors of a model that some items have, or all; the model too where it has no others.

        Args:
            fingerprint: None for all that runs have set aside.
        """
        ...

    def set_vectors_aside(self, fingerprint: str, run_id: str, *, back: bool = False) -> bool:
        """Keep every vector of a model where nothing reads it, or bring those back that this run set aside.

        What another run had set aside goes for good. An item whose text changes, or that is purged, loses its vectors
        here as anywhere; one that has a vector of the model by the time they come back keeps that one.

        Returns:
            Whether there were any.
        """
        ...

    def link(self, link: Link) -> None:
        """Store or update a link between items. Unknown ends raise NotFound, `mentions` InvalidInput."""
        ...

    def use(self, item_ids: Sequence[str], session_id: str, at: int) -> frozenset[str]:
        """Count a use of each item, once per item and session; the ids of those that were counted.

        Its instant is `at`, but no earlier than the item's last change: a clock that was set back makes nothing old.
        """
        ...

    def strengthen(self, pairs: Sequence[tuple[str, str]], at: int) -> int:
        """Make `co_recalled` links between items that were used together, or make them stronger.

        There is one link for a pair, from the older to the newer item. Its weight becomes 1, or
        `retention.strengthened` of what it was since `valid_from`, which becomes `at`. Left out are
        pairs of which an item is unknown or quarantined, or neither's scope sees the other's.

        Returns:
            How many links were made or strengthened.
        """
        ...

    def judge(self, item_id: str, verdict: StoredVerdict | None) -> None:
        """Keep what was decided about an item; what it was to be stays where nothing is said of it. None forgets it."""
        ...

    def record(self, events: Sequence[AuditEvent]) -> None:
        """Append to the audit log."""
        ...

    def keep_injections(self, injections: Sequence[Injection]) -> None:
        """Keep what was put into prompts."""
        ...

    def assign(self, item_id: str, place: Place | None) -> None:
        """Put an item into the palace, from wherever it stood; None lets its place follow from what it is."""
        ...

    def put_session(self, session: Session) -> None:
        """Store what is known of a session, in the place of what was known."""
        ...


class ReadableStore(Protocol):
    """A store for reading alone."""

    def read(self) -> AbstractContextManager[Reader]:
        """A consistent view for the length of a `with` block."""
        ...

    def close(self) -> None:
        """Let go of it. Closing twice is fine."""
        ...


class Store(ReadableStore, Protocol):
    """Everything a memory knows, durable."""

    def write(self, work: Callable[[Writer], T]) -> T:
        """Run `work` in a transaction that may be shared with other threads' work; return when it is durable.

        `work` must do nothing but call the writer: when it raises, what it wrote is taken back and the
        error is passed on, without harm to the others.
        """
        ...

    def write_together(self, handler: Callable[[Writer, list[A]], list[R]], entry: A) -> R:
        """Write an entry, with the entries of other threads that wait with the same handler.

        The handler gets all of them at once and answers each, in order. If it raises, it is called
        again for each entry by itself, and only the callers whose entries are at fault get an error.
        """
        ...

    def as_of(self, at: int, scopes: tuple[Scope, ...] | None) -> ReadableStore:
        """A view of the items as their revisions stood at an instant. Cost: all of these items."""
        ...

    def purge(
        self,
        item_ids: Sequence[str],
        at: int,
        *,
        scope: str | None = None,
        actor: str = "user",
        first: Callable[[Reader], None] | None = None,
    ) -> Mapping[str, int]:
        """Remove items with every trace of their text from the files; counts of what went.

        Args:
            scope: The scope that goes as a whole: its sessions and what was asked from it go as well.
            actor: Who does it, for the audit log.
            first: Looks at the store in the transaction that removes them; where it raises, nothing is removed.
        """
        ...

    @property
    def archive(self) -> Store | None:
        """The store of what was moved out (`Writer.set_aside`), for reading; None if nothing ever was.

        An item that is in both, because a move was interrupted, is the store's.
        """
        ...

    def read_all(self, expecting: Sequence[str] = ()) -> AbstractContextManager[tuple[Reader, Reader | None]]:
        """A view as of `read`, and one of the archive; None for the archive if nothing ever was moved out.

        Args:
            expecting: Ids as of `Reader.expect`.
        """
        ...

    def freeing(self) -> AbstractContextManager[None]:
        """Room for a purge, or for taking items out of recall, where nothing else can be written: on a full disk."""
        ...

    @property
    def read_only(self) -> bool:
        """True if nothing is written: because that was asked for, or because it cannot be."""
        ...

    @property
    def archive_problem(self) -> str | None:
        """Reason for which what was moved out cannot be read, wholly or in part; None where it can be."""
        ...

    def settle_archive(self, item_ids: Sequence[str] | None = None) -> int:
        """Drop from the archive what the store has again, of these items or of all; how many."""
        ...

    def check(
        self, progress: Callable[[str, float], None] | None = None, *, audit_only: bool = False
    ) -> Iterator[Problem]:
        """Look for damage: the file, rows against hashes, text index, links, vectors, the audit chain.

        Args:
            audit_only: Look only for places where the audit log's chain of hashes does not hold.
        """
        ...

    def describe(self) -> Mapping[str, Any]:
        """Versions and settings of the backend, for `doctor`."""
        ...
