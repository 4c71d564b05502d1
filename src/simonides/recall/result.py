"""Questions to a memory, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Final, overload

from simonides.domain.item import Item, Status
from simonides.domain.link import Link
from simonides.domain.records import AuditEvent, Place, Revision, events_seen
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.written import as_written, each, read_back
from simonides.ports.store import StoredVerdict
from simonides.recall.question.speech import Act, act_of
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.recall.agenda.trace import Trace

#: Verdicts of what the policy held back, and of what a person turned down.
_HELD: Final = frozenset({"quarantined", "rejected"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, with everything that restricts its answer.

    Attributes:
        at: The date of the question, from which "last week" is counted.
        as_of: Answer from what was known at this instant.
        profile: The way of ranking; None for the settings' own.
        agenda: Whether to go on from what was found; None lets the question decide: where it names something known,
            and nothing that was found settles it.
        min_relevance: Hits below it are hidden; None for the settings' own.
        explain: Whether the answer also tells of the best candidates that are no hits.
        session_id: The session that asks: its uses count once.
        by_session: Whether sessions are the answers: one hit for each, its best turn.
        noted: Whether it leaves a trace: what it serves counts as used, and a text for a prompt as an injection.
    """

    text: str
    selection: Selection
    k: int
    at: int
    as_of: int | None = None
    profile: str | None = None
    agenda: bool | None = None
    min_relevance: float | None = None
    explain: bool = False
    session_id: str | None = None
    by_session: bool = False
    noted: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    """An item that answers, and why.

    Attributes:
        score: What the hits are ordered by; below 0 where more speaks against an item than for it.
        relevance: How well it matches the question by itself, in [0, 1], before priors.
        signals: What the score is made of, by name: the parts add up to it, times `factor` where there is one.
        matches: What each channel saw, by name, each in [0, 1]: `lex`, `vec`, `coverage`, `tag`, `entity`,
            `spread`, `time`; those that saw nothing are left out.
        moved: Whether it is in the archive file beside the store; `restore` brings it back.
        excerpt: Of a long content the passages that match best, "…" where it goes on; empty for a short one.
        superseded_by: Id of what holds instead of what a turn or a narrative says; None where it holds as far as is
            known, or where the question is about the past. An item that was itself replaced says so itself.
        superseded_parts: Statements of a turn that hold no more while others do, to the ids of what holds instead.
        outdated_by: Id of a later hit that seems to answer otherwise by now ("I'm dating Oscar now" after "My partner
            is Lena"): read from the words alone, so that nothing was archived; None where none does.
    """

    item: Item
    score: float
    relevance: float
    signals: Mapping[str, float] = field(default_factory=dict[str, float])
    matches: Mapping[str, float] = field(default_factory=dict[str, float])
    moved: bool = False
    excerpt: str = ""
    superseded_by: str | None = None
    superseded_parts: Mapping[str, str] = field(default_factory=dict[str, str])
    outdated_by: str | None = None

    @property
    def told(self) -> Item:
        """The item as it is told to people and models: as replaced, where what it says no longer holds."""
        return (
            self.item if self.superseded_by is None else replace(self.item, superseded_by=self.superseded_by)
        )

    @property
    def act(self) -> Act:
        """Kind of utterance: it states something, asks, does not know or acknowledges."""
        return act_of(self.item)

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Hit:
        """The hit that `to_dict` wrote.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return read_back(cls, written, item=Item.from_dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "item": self.item.to_dict(),
            "act": self.act.value,
            "score": self.score,
            "relevance": self.relevance,
            "signals": dict(self.signals),
            "matches": dict(self.matches),
            "moved": self.moved,
            "excerpt": self.excerpt,
            "superseded_by": self.superseded_by,
            "superseded_parts": dict(self.superseded_parts),
            "outdated_by": self.outdated_by,
        }


@dataclass(frozen=True, slots=True)
class Missed:
    """A candidate that is no hit, and why it is none."""

    item: Item
    score: float
    relevance: float
    reason: str

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Missed:
        """The candidate that `to_dict` wrote.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return read_back(cls, written, item=Item.from_dict)

    to_dict = as_written


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a question.

    Attributes:
        hits: Best first, of equal ones the newest first.
        abstained: Nothing stored seems to answer. Hits are then what is nearest all the same, for whoever
            wants to look; where not even that is worth a look, there are none.
        hidden: How many candidates were kept back: by the relevance bound, or all of them where nothing
            stored seems to answer.
        strategy: Which channels gave candidates, and what was done beyond: `text+vectors+agenda`; `none`.
        degradations: What did not work as it should, in words.
        confidence: The likelihood that anything stored answers, in [0, 1].
        analysis: What was read out of the question.
        trace: What an agenda did, as values; `str(trace)` is a tree to read. None without one.
        missed: The best candidates that are no hits, each with the reason; only of a query with `explain`.
        hints: Of an answer without hits, which filters nothing in sight has, and which names are near.
    """

    hits: tuple[Hit, ...]
    abstained: bool = False
    hidden: int = 0
    strategy: str = "none"
    degradations: tuple[str, ...] = ()
    confidence: float = 0.0
    analysis: Mapping[str, object] = field(default_factory=dict[str, object])
    trace: Trace | None = None
    missed: tuple[Missed, ...] = ()
    hints: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> SearchResult:
        """The answer that `to_dict` wrote, without the trace of an agenda.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return read_back(
            cls,
            written,
            trace=lambda _: None,
            hits=each(Hit.from_dict),
            degradations=tuple,
            missed=each(Missed.from_dict),
            hints=tuple,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "degradations": list(self.degradations),
            "hits": [hit.to_dict() for hit in self.hits],
            "abstained": self.abstained,
            "hidden": self.hidden,
            "strategy": self.strategy,
            "confidence": self.confidence,
            "analysis": dict(self.analysis),
            "trace": None if self.trace is None else self.trace.to_dict(),
            "missed": [candidate.to_dict() for candidate in self.missed],
            "hints": list(self.hints),
        }


@dataclass(frozen=True, slots=True)
class Candidates:
    """Items that words may have meant, where none is meant beyond doubt; nothing was changed."""

    hits: tuple[Hit, ...]
    reason: str

    def to_dict(self) -> dict[str, Any]:
        found = [
            {"id": hit.item.id, "content": hit.item.content, "relevance": hit.relevance} for hit in self.hits
        ]
        return {"candidates": found, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class WeakItem:
    """An item that is fading."""

    item: Item
    effective_confidence: float

    to_dict = as_written


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Provenance of an item, and its present weight.

    Attributes:
        effective_confidence: What decay left of its confidence, in [0, 1].
        retention: Share of its weight that it keeps, in [0, 1].
        verdict: What the policy said, where it said anything.
    """

    item: Item
    effective_confidence: float
    retention: float
    verdict: StoredVerdict | None
    revisions: tuple[Revision, ...]
    links: tuple[Link, ...]
    events: tuple[AuditEvent, ...]
    place: Place | None

    @property
    def is_held(self) -> bool:
        """True if the item waits for a review, or never passed one: only a reviewer's decision lets it in."""
        out = self.item.status is not Status.ACTIVE
        return out and self.verdict is not None and self.verdict.verdict in _HELD

    def seen(self, sees: Callable[[Scope], bool], shows: Callable[[str], bool]) -> Explanation:
        """The account without what belongs to scopes that whoever asks cannot see.

        Args:
            sees: True of a scope that they see.
            shows: True of the id of an item that they see.
        """
        ends = {end: shows(end) for end in {end for link in self.links for end in (link.src, link.dst)}}
        return replace(
            self,
            links=tuple(link for link in self.links if ends[link.src] and ends[link.dst]),
            revisions=tuple(one for one in self.revisions if sees(one.item.scope)),
            events=tuple(events_seen(self.events, sees)),
        )

    def to_dict(self) -> dict[str, Any]:
        verdict = self.verdict
        return {
            "item": self.item.to_dict(),
            "effective_confidence": self.effective_confidence,
            "retention": self.retention,
            "verdict": None if verdict is None else verdict.to_dict(),
            "revisions": [revision.to_dict() for revision in self.revisions],
            "links": [link.to_dict() for link in self.links],
            "events": [event.to_dict() for event in self.events],
            "place": None if self.place is None else self.place.to_dict(),
        }
