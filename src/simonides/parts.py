"""The parts of a Memory that have verbs of their own: palace, review, sessions, audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from simonides.compose import Parts
from simonides.domain.ids import is_id
from simonides.domain.item import Item, Status
from simonides.domain.records import AuditEvent, Place, Session
from simonides.domain.scope import GLOBAL, Scope, Scopes
from simonides.domain.selection import Selection, visible
from simonides.domain.text import valid_text
from simonides.domain.verdict import Verdict
from simonides.errors import NotFound
from simonides.ports.store import StoredVerdict


def look(scope: str | Scopes | None) -> Scopes:
    """From where a read looks."""
    if scope is None:
        return GLOBAL
    return Scope(scope) if isinstance(scope, str) else scope


def item_of(parts: Parts, item_id: str) -> Item:
    """The item with this id.

    Raises:
        NotFound: There is none.
    """
    item = None
    if is_id(item_id):
        with parts.store.read() as reader:
            item = reader.get([item_id]).get(item_id)
    if item is None:
        raise NotFound(f"there is no item {str(item_id)[:80]!r}")
    return item


class Palace:
    """The browsing hierarchy domain / room / shelf / card."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self, domain: str | None = None, room: str | None = None, *, scope: str | Scopes | None = None
    ) -> dict[str, int]:
        """What stands on one level, with how many cards: domains; rooms of a domain; shelves of a room."""
        with self._parts.store.read() as reader:
            places = reader.places(self._selection(scope), domain, room)
        counts: Counter[str] = Counter()
        for place, count in places:
            name = place.domain if domain is None else place.room if room is None else place.shelf
            counts[name] += count
        return dict(sorted(counts.items()))

    def get(
        self, domain: str, room: str | None = None, shelf: str | None = None, *,
        scope: str | Scopes | None = None, limit: int = 100,
    ) -> list[Item]:  # fmt: skip
        """The cards of a domain, a room or a shelf, newest first."""
        with self._parts.store.read() as reader:
            return reader.cards(self._selection(scope), (domain, room, shelf), limit)

    def assign(
        self, item_id: str, *, room: str, domain: str | None = None, shelf: str | None = None
    ) -> Place:
        """Put an item into a room; domain and shelf stay as they were where they are not given.

        Raises:
            NotFound: There is no such item.
        """
        item_of(self._parts, item_id)
        with self._parts.store.read() as reader:
            before = reader.place(item_id)
        assert before is not None
        return self._parts.curator.assign(
            Place(
                item_id,
                valid_text(domain or before.domain, name="the domain").strip(),
                valid_text(room, name="the room").strip(),
                valid_text(shelf or before.shelf, name="the shelf").strip(),
            )
        )

    def where(self, item_id: str) -> Place:
        """Where an item stands."""
        item_of(self._parts, item_id)
        with self._parts.store.read() as reader:
            found = reader.place(item_id)
        assert found is not None
        return found

    def _selection(self, scope: str | Scopes | None) -> Selection:
        return Selection(scopes=visible(look(scope)), live_at=self._parts.clock.now())


@dataclass(frozen=True, slots=True)
class Quarantined:
    """An item that waits for a decision, and why it was held back."""

    item: Item
    verdict: StoredVerdict

    def to_dict(self) -> dict[str, Any]:
        return {
            "item": self.item.to_dict(),
            "reasons": list(self.verdict.reasons),
            "why_store": self.verdict.why_store,
            "actor": self.verdict.actor,
        }


class Review:
    """What the policy held back."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, *, scope: str | Scopes | None = None, limit: int = 100) -> list[Quarantined]:
        """Items that wait for a decision, oldest first; what has expired waits no longer."""
        with self._parts.store.read() as reader:
            found = reader.review_queue(visible(look(scope)), limit, self._parts.clock.now())
        return [Quarantined(item, verdict) for item, verdict in found]

    def approve(self, item_id: str, reason: str = "") -> Verdict:
        """Let an item in: `accepted`, or `merged` where its content is known by now.

        Raises:
            NotFound: There is no such item.
            Conflict: It is not quarantined.
        """
        return self._parts.curator.approve(item_of(self._parts, item_id), reason)

    def reject(self, item_id: str, reason: str = "") -> Verdict:
        """Turn an item down: it is archived and stays out of recall.

        Raises:
            NotFound: There is no such item.
            Conflict: It is not quarantined.
        """
        return self._parts.curator.refuse(item_of(self._parts, item_id), reason)


class Sessions:
    """Conversations."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, *, scope: str | Scopes | None = None, limit: int = 100) -> list[Session]:
        """Sessions, last heard of first."""
        with self._parts.store.read() as reader:
            return reader.sessions(visible(look(scope)), limit)

    def get(self, session_id: str, *, scope: str | Scopes | None = None) -> list[Item]:
        """The turns of a session in their order.

        Raises:
            NotFound: No session of this name is visible from there.
        """
        selection = Selection(
            scopes=visible(look(scope)),
            live_at=None,
            statuses=frozenset(Status) - {Status.QUARANTINED},
            session_id=session_id,
            types=frozenset({"episode"}),
        )
        with self._parts.store.read() as reader:
            turns = reader.find(selection, limit=1_000_000)
        if not turns:
            raise NotFound(f"there is no session {session_id!r}")
        return sorted(turns, key=lambda item: (item.ordinal or 0, item.id))


class Audit:
    """The log of every change."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def events(self, *, item_id: str | None = None, limit: int = 100) -> list[AuditEvent]:
        """Events, newest first."""
        with self._parts.store.read() as reader:
            return reader.events(item_id=item_id, limit=limit)

    def verify(self) -> Sequence[str]:
        """Every place where the chain of hashes does not hold; nothing if all is well."""
        return [problem.message for problem in self._parts.store.check_audit()]

    def record(self, event: AuditEvent, content: str | None = None) -> None:
        """Append an event, which happens now where its instant is 0; of a content only its keyed hash is kept."""
        event = replace(event, at=event.at or self._parts.clock.now())
        self._parts.store.write(
            lambda tx: tx.record(
                [event if content is None else replace(event, content_hash=tx.keyed_hash(content))]
            )
        )
