"""What somebody decides about an item, with what follows for others: what was made of it, what contradicts it."""

from __future__ import annotations

from simonides.compose import Parts
from simonides.domain.actor import is_person
from simonides.domain.item import Item
from simonides.domain.provenance import Origin
from simonides.domain.records import AuditEvent
from simonides.domain.run import Run, RunStatus
from simonides.domain.scope import ALL
from simonides.domain.verdict import Verdict
from simonides.errors import Conflict
from simonides.parts.retraction import retracted
from simonides.upkeep.ground import Order
from simonides.upkeep.resolve import Resolve, opponents


def ordered(parts: Parts, action: str, run: Run, actor: str) -> Run:
    """Leave an event that says which person asked for a run; the run's own event and changes are `upkeep`'s."""
    if is_person(actor) and run.id and not run.dry_run:
        event = AuditEvent(action=action, at=parts.clock.now(), actor=actor, details={"run": run.id})
        parts.store.write(lambda tx: tx.record([event]))
    return run


def forgotten(
    parts: Parts, item: Item, *, actor: str = "user", warranted: bool = False, keep_derived: bool = False
) -> Item:
    """Take an item out of recall, and retract what was made from it.

    Raises:
        NeedsApproval: It is not the actor's to forget.
    """
    if not warranted:
        parts.curator.require_own(item, actor)
    if not keep_derived:
        retracted(parts, [item.id], purge=False, actor=actor)
    gone = parts.curator.forget(item, actor=actor, warranted=warranted)
    _resolved(parts, item.id, None)
    return gone


def corrected(
    parts: Parts,
    item: Item,
    content: str,
    *,
    actor: str = "user",
    origin: Origin = Origin.USER_SAID,
    session_id: str | None = None,
    warranted: bool = False,
) -> Verdict:
    """Replace what an item says (`Curator.correct`)."""
    verdict = parts.curator.correct(
        item, content, actor=actor, origin=origin, session_id=session_id, warranted=warranted
    )
    if verdict.stored and verdict.item_id != item.id:
        _resolved(parts, item.id, verdict.item_id)
    return verdict


def confirmed(parts: Parts, item: Item, *, actor: str = "user") -> Item:
    """Make an item certain (`Curator.confirm`)."""
    found = parts.curator.confirm(item, actor=actor)
    _resolved(parts, item.id, item.id)
    return found


def _resolved(parts: Parts, item_id: str, winner_id: str | None) -> None:
    """Close the contradictions of an item that somebody decided about.

    Raises:
        Conflict: A side is being changed at present; the decision itself stands.
    """
    with parts.store.read() as reader:
        if not opponents(reader, item_id):
            return
    run = parts.upkeep.maintain([Resolve(item_id, winner_id)], Order(scope=ALL, trigger="resolve"))
    if run.status is not RunStatus.DONE or run.left_alone:
        why = run.error or run.left_alone[0].why
        raise Conflict(
            f"it is done, but what contradicts {item_id} could not be closed ({why}); repeat it later"
        )
