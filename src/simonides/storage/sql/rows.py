"""Items as rows of `memory_items` and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar, cast

from simonides.domain.item import Item, Status, Usage, Validation, canonical_json, from_snapshot, snapshot
from simonides.domain.kept import kept
from simonides.domain.provenance import Origin, Provenance, SourceKind, Trust
from simonides.domain.scope import Scope
from simonides.domain.taxonomy import Tier
from simonides.domain.text import derived_tokens
from simonides.errors import StoreDamaged

# Enum members by value: calling the enum costs several times as much, for each of six fields.
_TIERS = {tier.value: tier for tier in Tier}
_STATUSES = {status.value: status for status in Status}
_VALIDATIONS = {validation.value: validation for validation in Validation}
_ORIGINS = {origin.value: origin for origin in Origin}
_TRUSTS = {trust.value: trust for trust in Trust}
_SOURCES = {kind.value: kind for kind in SourceKind}


#: A store has few scopes: each is read once.
_scope = kept(4096, longest=None)(Scope)
#: What code that reads a row stumbles over where its bytes were changed.
ILLEGIBLE: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
    MemoryError,
    OverflowError,
)
P = ParamSpec("P")
T = TypeVar("T")


def legible(read: Callable[P, T]) -> Callable[P, T]:
    """Let what reads a row say so, in our words, where the row cannot be read."""

    @wraps(read)
    def reading(*args: P.args, **named: P.kwargs) -> T:
        try:
            return read(*args, **named)
        except ILLEGIBLE as error:
            raise StoreDamaged(
                f"a row of the store cannot be read ({type(error).__name__}: {error!s:.100}): run `simonides doctor`"
            ) from error

    return reading


parsed = legible(json.loads)
#: The item of a snapshot that a revision holds.
item_of = legible(from_snapshot)


def _item(row: Sequence[Any]) -> Item:
    """The item of a row of `memory_item_rows`, columns in the view's order."""
    (
        _key, id_, scope, tier, type_, status, validation, origin, trust, injectable, pinned, _base, confidence,
        importance, decay_rate, created_at, updated_at, event_at, valid_from, valid_until, expires_at,
        superseded_by, session_id, ordinal, task_id, narrative_id, corpus_id, rule_id, source_kind, source_id,
        source_role, source_details, metadata, title, content, tags, entities, reinforcement, usage_count,
        last_used_at, last_hit_at, *_rest,
    ) = row  # fmt: skip
    details: dict[str, Any] = json.loads(source_details) if source_details else {}
    span = cast("list[int] | None", details.get("span"))
    return Item(
        id=id_,
        content=content,
        type=type_,
        created_at=created_at,
        updated_at=updated_at,
        scope=_scope(scope),
        tier=_TIERS[tier],
        title=title,
        tags=_lines(tags),
        entities=_lines(entities),
        provenance=Provenance(
            _SOURCES[source_kind],
            source_id,
            source_role,
            tuple(details.get("chunk_ids", ())),
            tuple(details.get("content_hashes", ())),
            (span[0], span[1]) if span else None,
        ),
        confidence=confidence,
        importance=importance,
        validation=_VALIDATIONS[validation],
        status=_STATUSES[status],
        injectable=injectable == 1,
        pinned=pinned == 1,
        decay_rate=decay_rate,
        event_at=event_at,
        valid_from=valid_from,
        valid_until=valid_until,
        expires_at=expires_at,
        superseded_by=superseded_by,
        session_id=session_id,
        task_id=task_id,
        narrative_id=narrative_id,
        corpus_id=corpus_id,
        rule_id=rule_id,
        ordinal=ordinal,
        origin=_ORIGINS[origin],
        trust=_TRUSTS[trust],
        metadata=json.loads(metadata) if metadata else {},
        usage=Usage(reinforcement or 0.0, usage_count or 0, last_used_at, last_hit_at),
    )


to_item = legible(_item)


@legible
def to_items(rows: Iterable[Sequence[Any]], place: int = 0) -> dict[Any, Item]:
    """The items of rows, by the value at a place: the key, or the id at 1."""
    return {row[place]: _item(row) for row in rows}


#: Columns of `memory_items` in the order of `to_row`, after `key`.
COLUMNS = (
    "id", "scope_key", "tier", "type", "status", "validation", "origin", "trust", "injectable", "pinned",
    "confidence", "importance", "decay_rate", "created_at", "updated_at", "event_at", "valid_from",
    "valid_until", "expires_at", "superseded_by", "session_id", "ordinal", "task_id", "narrative_id",
    "corpus_id", "rule_id", "source_kind", "source_id", "source_role", "source_details", "metadata", "title",
    "content", "tags", "entities", "derived", "content_hash", "row_hash",
)  # fmt: skip


_WORDS = tuple(COLUMNS.index(name) for name in ("title", "content", "tags", "entities", "derived"))


def words_of(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The words of a row of `to_row` that the text index holds."""
    return tuple(row[n] for n in _WORDS)


def to_row(item: Item, scope_key: int, content_hash: bytes, row_hash: bytes) -> tuple[Any, ...]:
    """The values of `COLUMNS` for an item."""
    provenance = item.provenance
    derived = derived_tokens(item.text)
    if any(not tag.isascii() for tag in item.tags + item.entities):
        derived = f"{derived} {derived_tokens(' '.join(item.tags + item.entities))}".strip()
    return (
        item.id, scope_key, item.tier.value, item.type, item.status.value, item.validation.value,
        item.origin.value, item.trust.value, int(item.injectable), int(item.pinned),
        item.confidence, item.importance, item.decay_rate,
        item.created_at, item.updated_at, item.event_at, item.valid_from,
        item.valid_until, item.expires_at, item.superseded_by, item.session_id, item.ordinal, item.task_id,
        item.narrative_id, item.corpus_id, item.rule_id, provenance.source_kind.value, provenance.source_id,
        provenance.source_role, _details(provenance), canonical_json(dict(item.metadata)) if item.metadata else None,
        item.title, item.content, "\n".join(item.tags), "\n".join(item.entities), derived, content_hash, row_hash,
    )  # fmt: skip


def row_hash(item_snapshot: str) -> bytes:
    """The hash that `doctor` compares a row or revision with: the first 16 bytes of the SHA-256 of the snapshot."""
    return hashlib.sha256(item_snapshot.encode()).digest()[:16]


def stored_hash(item: Item) -> bytes:
    """The row hash that an item must have."""
    return row_hash(snapshot(item))


def is_sound(row: Sequence[Any], item: Item) -> bool:
    """True if an item's row, in the order of `memory_item_rows`, is as it was written."""
    # The view's confidence holds what use added; the hash covers the row's own, in column 11.
    written = item if item.confidence == row[11] else replace(item, confidence=row[11])
    return stored_hash(written) == row[-1] and written.content_hash == row[-2]


def _details(provenance: Provenance) -> str | None:
    details = {
        "chunk_ids": provenance.chunk_ids,
        "content_hashes": provenance.content_hashes,
        "span": provenance.span,
    }
    details = {name: value for name, value in details.items() if value}
    return canonical_json(details) if details else None


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()
