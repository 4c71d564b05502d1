"""The audit log of a Memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simonides.compose import Parts
from simonides.domain.records import AuditEvent
from simonides.domain.text import valid_text
from simonides.errors import InvalidInput
from simonides.parts.arguments import acting, count, storable, word


class Audit:
    """The log of every change."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def events(self, *, item_id: str | None = None, limit: int = 100) -> list[AuditEvent]:
        """Events, newest first."""
        with self._parts.reading() as reader:
            chosen = word(item_id, "item_id")
            return reader.events(item_ids=None if chosen is None else [chosen], limit=count(limit, "limit"))

    def verify(self) -> Sequence[str]:
        """Every place where the chain of hashes does not hold; nothing if all is well."""
        return [problem.message for problem in self._parts.store.check(audit_only=True)]

    def record(self, event: AuditEvent, content: str | None = None) -> None:
        """Append an event, which happens now where its instant is 0; of a content only its keyed hash is kept.

        Raises:
            InvalidInput: It is no event; its actor cannot be named, or is what the engine calls itself; or the policy
                refuses what it names.
        """
        given: object = event
        if not isinstance(given, AuditEvent):
            raise InvalidInput(f"an event is an AuditEvent, not {type(given).__name__}")
        if content is not None:
            valid_text(content, name="the content")
        acting(self._parts, event.actor)
        for name, text in (("the action", event.action), ("the scope", str(event.scope or ""))):
            storable(self._parts, text, name)
        event = replace(event, at=event.at or self._parts.clock.now())
        self._parts.store.write(
            lambda tx: tx.record(
                [event if content is None else replace(event, content_hash=tx.keyed_hash(content))]
            )
        )
