"""Records kept about items beside the items: revisions, audit events, sessions, injections, places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from simonides.domain.instant import instant, iso
from simonides.domain.item import Item, Status
from simonides.domain.scope import Scope
from simonides.domain.written import Written, refusing
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Revision(Written):
    """The full state of an item as one change left it; numbers count from 1."""

    number: int
    item: Item
    at: int
    reason: str
    run_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent(Written):
    """One entry of the audit log. It holds ids and keyed hashes, never text.

    Attributes:
        number: Position in the chain, from 1; 0 before it is written.
        action: What was done: create, update, merge, purge, tool:memory.search, …
        actor: Who did it: user, model, upkeep, tool …
        content_hash: Keyed hash of the content concerned, hexadecimal; empty where there is none.
    """

    number: int = 0
    at: int
    action: str
    item_id: str | None = None
    scope: Scope | None = None
    actor: str = "user"
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])
    content_hash: str = ""


def events_seen(events: Iterable[AuditEvent], sees: Callable[[Scope], bool]) -> list[AuditEvent]:
    """Events without those of scopes that whoever asks cannot see: who did what there, and when, is not theirs.

    Their numbers are 0: gaps between places in the log would tell how much was done elsewhere.
    """
    return [replace(event, number=0) for event in events if event.scope is None or sees(event.scope)]


@dataclass(frozen=True, slots=True)
class Session(Written):
    """A conversation: the scope it belongs to, and when it was first and last heard of.

    Attributes:
        ended_at: When it was found to be over; None while it goes on.
    """

    session_id: str
    scope: Scope
    first_seen_at: int
    last_seen_at: int
    turns: int
    consolidated_at: int | None = None
    ended_at: int | None = None

    def heard(self, at: int, turns: int) -> Session:
        """The session with so many more turns; it is not over then."""
        return replace(
            self,
            first_seen_at=min(self.first_seen_at, at),
            last_seen_at=max(self.last_seen_at, at),
            turns=self.turns + turns,
            ended_at=None,
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """Fate of an item since it was put into a prompt.

    Attributes:
        state: `unchanged`, `changed` (it says something else now), `superseded`, `archived`, `quarantined`,
            `expired`, or `gone` where the store no longer has it.
        item: As it is now; None where it is gone.
        text: Title and content as they were put in, where the item says something else now.
    """

    state: str
    item: Item | None
    text: str | None = None

    @classmethod
    def of(cls, item: Item | None, revisions: Sequence[Revision], then: int, now: int) -> Standing:
        """Compare an item as it is now with what it was when it was put into a prompt.

        Args:
            revisions: Of the item, oldest first; none where it did not change since.
        """
        if item is None:
            return cls("gone", None)
        before = [revision.item.text for revision in revisions if revision.at <= then]
        text = before[-1] if before and before[-1] != item.text else None
        if item.superseded_by is not None:
            return cls("superseded", item, text)
        if item.status is not Status.ACTIVE:
            return cls(item.status.value, item, text)
        if item.expires_at is not None and item.expires_at <= now:
            return cls("expired", item, text)
        return cls("unchanged" if text is None else "changed", item, text)

    def to_dict(self) -> dict[str, Any]:
        item = self.item
        return {
            "state": self.state,
            "content": None if item is None else item.content,
            "title": None if item is None else item.title,
            "superseded_by": None if item is None else item.superseded_by,
            "injected_text": self.text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """Record of what was put into one prompt, with which scores and why.

    Attributes:
        signals: What spoke for each item, by its id; rounded, and without those that were 0.
        now: How each item stands at present, by its id; only filled where `why` tells of one injection.
    """

    id: str
    at: int
    scope: str
    mode: str
    query: str
    items: tuple[tuple[str, float], ...]
    tokens: int
    session_id: str | None = None
    signals: Mapping[str, Mapping[str, float]] = field(
        default_factory=dict[str, Mapping[str, float]], hash=False
    )
    now: Mapping[str, Standing] = field(default_factory=dict[str, Standing], compare=False)

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "at": iso(self.at),
            "scope": self.scope,
            "mode": self.mode,
            "query": self.query,
            "items": [self._entry(item_id, score) for item_id, score in self.items],
            "tokens": self.tokens,
            "session_id": self.session_id,
        }

    @classmethod
    @refusing
    def from_dict(cls, written: Mapping[str, Any]) -> Injection:
        """The record that `to_dict` wrote, without how its items stand.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        named = ("id", "scope", "mode", "query", "tokens", "session_id")
        return cls(
            at=instant(written["at"]),
            items=tuple((one["id"], one["score"]) for one in written["items"]),
            signals={one["id"]: one["signals"] for one in written["items"] if "signals" in one},
            **{name: written[name] for name in named},
        )

    def _entry(self, item_id: str, score: float) -> dict[str, Any]:
        written: dict[str, Any] = {"id": item_id, "score": score}
        if (signals := self.signals.get(item_id)) is not None:
            written["signals"] = dict(signals)
        if (standing := self.now.get(item_id)) is not None:
            written |= standing.to_dict()
        return written


@dataclass(frozen=True, slots=True)
class Place:
    """Position of an item in the palace: domain, room, shelf and card (its id)."""

    item_id: str
    domain: str
    room: str
    shelf: str

    def to_dict(self) -> dict[str, Any]:
        return {"domain": self.domain, "room": self.room, "shelf": self.shelf, "card": self.item_id}

    @classmethod
    @refusing
    def from_dict(cls, written: Mapping[str, Any]) -> Place:
        """The place that `to_dict` wrote.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return cls(written["card"], written["domain"], written["room"], written["shelf"])
