"""What is kept about items beside the items: revisions, audit events, sessions, injections, places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simonides.domain.instant import iso
from simonides.domain.item import Item
from simonides.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Revision:
    """The full state of an item as one change left it; numbers count from 1."""

    number: int
    item: Item
    at: int
    reason: str
    run_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "at": iso(self.at),
            "reason": self.reason,
            "run_id": self.run_id,
            "item": self.item.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One entry of the audit log. It holds ids and keyed hashes, never text.

    Attributes:
        number: Position in the chain, from 1; 0 before it is written.
        action: What was done: create, update, merge, purge, tool:memory.search, …
        actor: Who did it: user, model, upkeep, tool …
        content_hash: Keyed hash of the content concerned, hexadecimal; empty where there is none.
    """

    action: str
    at: int
    item_id: str | None = None
    scope: Scope | None = None
    actor: str = "user"
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])
    content_hash: str = ""
    number: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "at": iso(self.at),
            "action": self.action,
            "item_id": self.item_id,
            "scope": self.scope,
            "actor": self.actor,
            "details": dict(self.details),
            "content_hash": self.content_hash,
        }


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation: the scope it belongs to, and when it was first and last heard of."""

    session_id: str
    scope: Scope
    first_seen_at: int
    last_seen_at: int
    turns: int
    consolidated_at: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "session_id": self.session_id,
            "scope": self.scope,
            "first_seen_at": iso(self.first_seen_at),
            "last_seen_at": iso(self.last_seen_at),
            "turns": self.turns,
            "consolidated_at": None if self.consolidated_at is None else iso(self.consolidated_at),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """What was put into one prompt, and with which scores."""

    id: str
    at: int
    scope: str
    mode: str
    query: str
    items: tuple[tuple[str, float], ...]
    tokens: int
    session_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "at": iso(self.at),
            "scope": self.scope,
            "mode": self.mode,
            "query": self.query,
            "items": [{"id": item_id, "score": score} for item_id, score in self.items],
            "tokens": self.tokens,
            "session_id": self.session_id,
        }


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands in the palace: domain, room, shelf and card (its id)."""

    item_id: str
    domain: str
    room: str
    shelf: str

    def to_dict(self) -> dict[str, Any]:
        return {"domain": self.domain, "room": self.room, "shelf": self.shelf, "card": self.item_id}
