"""Contents that are taken: no two items that take part in recall say the same in one scope."""

from __future__ import annotations

from collections.abc import Sequence

from simonides.domain.item import Item, Status, changed_at
from simonides.domain.scope import Scope
from simonides.ports.store import Writer


def holders(
    tx: Writer, scope: Scope, hashes: Sequence[bytes], at: int, *, quarantined: bool = False
) -> dict[bytes, str]:
    """The items that hold these contents in a scope, by content hash.

    One that has expired is archived first and holds nothing: whoever says the same again is not
    answered with a memory that nobody can see.
    """
    held: dict[bytes, str] = {}
    for digest, item in tx.holders(scope, hashes, quarantined=quarantined).items():
        if item.expires_at is not None and item.expires_at <= at:
            expired = changed_at(item, at, status=Status.ARCHIVED)
            tx.revise(expired, reason="expire", action="expire", actor="upkeep")
        else:
            held[digest] = item.id
    return held


def holder(tx: Writer, item: Item, at: int) -> str | None:
    """The item that says already, in the same scope, what this one says; None for turns, chunks and records."""
    if item.type in {"episode", "chunk", "record"}:
        return None
    digest = item.content_hash
    return holders(tx, item.scope, [digest], at).get(digest)
