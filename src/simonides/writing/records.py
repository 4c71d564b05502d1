"""Keeping records: values under keys, each put a version, each past the policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.actor import is_model, is_person
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.ids import new_id
from simonides.domain.item import Item, Status, changed_at, checked_metadata
from simonides.domain.provenance import TRUST_OF, Origin, Provenance, SourceKind, trust_of_actor
from simonides.domain.record import PUT, RECORD, RecordPut, lasting_until, segments, stands
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.taxonomy import TAXONOMY
from simonides.domain.verdict import Outcome
from simonides.errors import Advice, InvalidText, NeedsApproval
from simonides.language.names import names_of
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.store import NewItem, Reader, Store, Writer
from simonides.values import dataclass
from simonides.writing.attaching import MOST_EARLIER, attach_earlier
from simonides.writing.embedded import embedded

if TYPE_CHECKING:
    from simonides.governance.policy import Candidate, Policy
    from simonides.writing.neighbours import Neighbours

#: A read makes a record last longer once a share of its time has passed, so that reads write little.
_REFRESHED_AFTER: Final = 1 / 16
_EVERY: Final = 1_000_000_000
#: Reasons of revisions, beside `put`.
DELETED: Final = "delete"
READ: Final = "read"


@dataclass(frozen=True, slots=True)
class PreparedRecord:
    """Parts of a put that are worked out before the transaction."""

    item: Item
    reasons: tuple[str, ...]
    vector: NDArray[np.float32] | None


class RecordKeeper:
    """Writes records. Safe to use from several threads."""

    def __init__(
        self, store: Store, embedder: Embedder, policy: Policy, clock: Clock, neighbours: Neighbours
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policy = policy
        self._clock = clock
        self._neighbours = neighbours

    def put(
        self, puts: Sequence[RecordPut], scope: Scope, *, actor: str, origin: Origin = Origin.USER_SAID
    ) -> list[Item | None]:
        """Keep values and delete keys, in their order; all of them, or none.

        Returns:
            The item of each value; None for each that was deleted.

        Raises:
            InvalidInput: A value cannot be written as JSON, or is too large.
            InvalidText: The policy refuses one.
            NeedsApproval: A model would change what a person put, pinned or confirmed.
        """
        at = self._clock.now()
        candidates = [
            _candidate(put, scope, at, actor, origin) if put.value is not None else None for put in puts
        ]
        # What a model keeps is compared with what was forgotten.
        known = [one for one in candidates if one is not None and is_model(actor)]
        introduced = iter(
            self._neighbours.introduce(known, at) if known else [one for one in candidates if one]
        )
        prepared = [None if one is None else self._ruled(next(introduced), at) for one in candidates]
        kept = [one for one in prepared if one is not None]
        made = embedded(self._embedder, [one.item.text for one in kept])
        vectors = iter(made.vectors)
        ready = [None if one is None else replace(one, vector=next(vectors)) for one in prepared]

        def write(tx: Writer) -> list[Item | None]:
            return [
                _deleted(tx, scope, put.address, at, actor)
                if one is None
                else write_record(tx, one, made.model, at, actor)
                for put, one in zip(puts, ready, strict=True)
            ]

        return self._store.write(write)

    def refreshed(self, items: Sequence[Item]) -> dict[str, Item]:
        """Records that were read, by id, with the later ends that this gives them.

        A store that must not change leaves them as they are.
        """
        at = self._clock.now()
        due = [item for item in items if _is_due(item, at)]
        if not due or self._store.read_only:
            return {item.id: item for item in items}

        def write(tx: Writer) -> dict[str, Item]:
            now = tx.get([item.id for item in due])
            for item in now.values():
                if stands(item, at) and _is_due(item, at):
                    ends = lasting_until(item.metadata.get("ttl_s"), at)
                    longer = replace(item, expires_at=ends)
                    tx.revise(longer, reason=READ, action=READ, actor="upkeep")
            return tx.get(list(now))

        return {item.id: item for item in items} | self._store.write(write)

    def sweep(self, scope: Scope) -> int:
        """Archive the records of a scope that have expired; how many."""
        at = self._clock.now()
        over = Selection(
            scopes=(scope,), live_at=None, statuses=frozenset({Status.ACTIVE}), expired_at=at, space=""
        )

        def write(tx: Writer) -> int:
            expired = tx.select(over, limit=_EVERY)
            for item in expired.values():
                gone = changed_at(item, at, status=Status.ARCHIVED)
                tx.revise(gone, reason="expire", action="expire", actor="upkeep")
            return len(expired)

        return self._store.write(write)

    def prepared(self, put: RecordPut, scope: Scope, at: int, actor: str, origin: Origin) -> PreparedRecord:
        """A put once the policy has seen it, to be written in a transaction.

        Raises:
            InvalidInput: The value cannot be written as JSON, or is too large.
            InvalidText: The policy refuses it.
        """
        return self._ruled(_candidate(put, scope, at, actor, origin), at)

    def _ruled(self, candidate: Candidate, at: int) -> PreparedRecord:
        ruling = self._policy.judge(candidate, at)
        if ruling.outcome is not Outcome.ACCEPTED:
            address = candidate.item.provenance.source_id or ""
            # A part of it may hide a secret by what is escaped.
            parts = segments(address)
            clean = tuple(map(self._policy.redacted, parts))
            address = self._policy.redacted(address if clean == parts else "/" + "/".join(clean))
            raise InvalidText(f"the record {address!r} cannot be stored ({'; '.join(ruling.reasons)})")
        return PreparedRecord(ruling.item, ruling.reasons, None)


def _candidate(put: RecordPut, scope: Scope, at: int, actor: str, origin: Origin) -> Candidate:
    from simonides.governance.policy import Candidate  # noqa: PLC0415 - reading records needs no policy

    spec, trust = TAXONOMY[RECORD], trust_of_actor(actor)
    metadata = checked_metadata(put.metadata, "the value")  # Before its text is read: it may have no end.
    item = Item(
        id=new_id(at),
        content=put.text,
        type=RECORD,
        created_at=at,
        updated_at=at,
        event_at=at,
        scope=scope,
        provenance=Provenance(SourceKind.TOOL, put.address),
        importance=spec.importance,
        decay_rate=spec.decay_rate,
        expires_at=lasting_until(put.ttl_s, at),
        origin=origin,
        trust=TRUST_OF[origin] if trust is None else trust,
        metadata=metadata,
    )
    return Candidate(item, actor=actor)


def at_address(reader: Reader, scope: Scope, address: str) -> Item | None:
    """The item of a record, whatever its status."""
    named = Selection(scopes=(scope,), live_at=None, statuses=frozenset(Status), address=address)
    return next(iter(reader.select(named, limit=1).values()), None)


def write_record(
    tx: Writer, prepared: PreparedRecord, model: EmbedderIdentity | None, at: int, actor: str
) -> Item:
    """Write a record that was prepared, as the next version of what is under its key.

    Raises:
        NeedsApproval: A model would change what a person put, pinned or confirmed.
    """
    item = prepared.item
    names = names_of(item)
    there = at_address(tx, item.scope, item.provenance.source_id or "")
    if there is None:
        new = NewItem(
            item=item,
            outcome=Outcome.ACCEPTED,
            vector=prepared.vector,
            reasons=prepared.reasons,
            action=PUT,
            actor=actor,
            names=names,
        )
        attach_earlier(tx, tx.insert([new], model, earlier=MOST_EARLIER))
        return item
    _require_own(tx, there, at, actor)
    goes_on = stands(there, at)
    kept = replace(
        item,
        id=there.id,
        created_at=there.created_at,
        event_at=there.event_at if goes_on else at,
        updated_at=max(at, there.updated_at),
        # A pin is of the key; a confirmation was of the former value.
        pinned=there.pinned and goes_on,
    )
    mentioned = tx.revise(
        kept,
        reason=PUT,
        action=PUT,
        actor=actor,
        vector=prepared.vector,
        model=None if prepared.vector is None else model,
        names=names,
        earlier=MOST_EARLIER,
    )
    attach_earlier(tx, mentioned)
    return kept


def _deleted(tx: Writer, scope: Scope, address: str, at: int, actor: str) -> None:
    there = at_address(tx, scope, address)
    if there is None or there.status is Status.ARCHIVED:
        return
    _require_own(tx, there, at, actor)
    gone = changed_at(there, at, status=Status.ARCHIVED)
    tx.revise(gone, reason=DELETED, action=DELETED, actor=actor)


def _require_own(reader: Reader, there: Item, at: int, actor: str) -> None:
    """Raise NeedsApproval where a record that is there is not the actor's to change."""
    if is_person(actor) or not stands(there, at):
        return
    from simonides.governance.authority import is_models_record  # noqa: PLC0415 - reading records needs none of it

    if not is_models_record(there, reader.events(item_ids=[there.id]), actor):
        raise NeedsApproval(
            f"the record {there.provenance.source_id!r} ({there.id}) is not {actor}'s own: a person put, changed, "
            "pinned or confirmed it. Keep this under another key",
            advice=Advice("or ask for it: {} lets it wait for a person", "review.ask"),
        )


def _is_due(item: Item, at: int) -> bool:
    """True if a read would make a record last noticeably longer."""
    ends = lasting_until(item.metadata.get("ttl_s"), at)
    if ends is None or item.expires_at is None:
        return False
    return ends - item.expires_at > (ends - at) * _REFRESHED_AFTER
