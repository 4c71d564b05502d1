"""Decisions about an item, with what follows for those that were made from it or contradict it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from simonides.compose import Parts
from simonides.domain.actor import is_person
from simonides.domain.item import Item
from simonides.domain.provenance import Origin
from simonides.domain.reach import reach
from simonides.domain.records import AuditEvent
from simonides.domain.run import Run, RunStatus
from simonides.domain.scope import ALL
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import SimonidesError, StoreError
from simonides.parts.retraction import planned, retract, tell_anew
from simonides.upkeep.ground import Order

if TYPE_CHECKING:
    from simonides.writing.curate import Curator
    from simonides.writing.requests import WaitingRequest

_log = logging.getLogger(__name__)
_TRIES: Final = 3


class Decided(NamedTuple):
    """An item as it stands after a decision, with remarks on what could not be done behind it."""

    item: Item
    remarks: tuple[str, ...] = ()


def note_order(parts: Parts, action: str, run: Run, actor: str) -> Run:
    """Leave an event that says which person asked for a run; the run's own event and changes are `upkeep`'s.

    Returns:
        The run, which stands in any case: where the event could not be written, a degradation says so.
    """
    if is_person(actor) and run.id and not run.dry_run:
        event = AuditEvent(action=action, at=parts.clock.now(), actor=actor, details={"run": run.id})
        try:
            parts.store.write(lambda tx: tx.record([event]))
        except StoreError as error:
            _log.warning("who asked for the run %s is not in the log of changes: %s", run.id, error)
            unnoted = f"the log of changes does not say who asked for this ({error})"
            return replace(run, degradations=(*run.degradations, unnoted))
    return run


def forget(
    parts: Parts,
    item: Item,
    *,
    actor: str = "user",
    warranted: bool = False,
    keep_derived: bool = False,
    request: WaitingRequest | None = None,
) -> Decided:
    """Take an item out of recall, and retract what was made from it.

    Args:
        request: The request that is closed with it, in one transaction: both, or neither.

    Raises:
        NeedsApproval: It is not the actor's to forget.
        Conflict: It, or what was made from it, is being changed at present; it stands as it did.
    """
    curator = parts.curator if request is None else parts.curator.together_with(request.closing)
    gone = curator.forget(item, actor=actor, warranted=warranted)
    contradicted = True
    if not keep_derived:
        from simonides.upkeep.jobs.resolve import opponents  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        try:
            with parts.reading_all([item.id]) as views:
                plan = planned(views, [item.id], purge=False, actor=actor)
                contradicted = bool(opponents(views.here, item.id))
            retract(parts, plan, purge=False)
        except SimonidesError:
            curator = parts.curator if request is None else parts.curator.together_with(request.opening)
            curator.stand_again(gone, item, actor=actor)
            raise
    return Decided(gone, _resolved(parts, item.id, None) if contradicted else ())


def correct(
    parts: Parts,
    item: Item,
    content: str,
    *,
    actor: str = "user",
    origin: Origin = Origin.USER_SAID,
    session_id: str | None = None,
    warranted: bool = False,
    fields: Mapping[str, Any] | None = None,
    curator: Curator | None = None,
) -> Verdict:
    """Replace what an item says (`Curator.correct`)."""
    verdict = (curator or parts.curator).correct(
        item,
        content,
        actor=actor,
        origin=origin,
        session_id=session_id,
        warranted=warranted,
        fields=fields,
    )
    if not verdict.stored or verdict.item_id == item.id:
        return verdict
    remarks = _resolved(parts, item.id, verdict.item_id)
    return replace(verdict, reasons=(*verdict.reasons, *remarks))


def update(
    parts: Parts,
    item: Item,
    changes: Mapping[str, Any],
    *,
    actor: str = "user",
    curator: Curator | None = None,
) -> Verdict:
    """Change fields of an item (`Curator.update`); where a person words it anew, prompts tell that by its turns."""
    verdict = (curator or parts.curator).update(item, changes, actor=actor)
    if verdict.outcome is not Outcome.ACCEPTED or "content" not in changes or not is_person(actor):
        return verdict
    return replace(verdict, reasons=(*verdict.reasons, *tell_anew(parts, item)))


def confirm(parts: Parts, item: Item, *, actor: str = "user", curator: Curator | None = None) -> Decided:
    """Make an item certain (`Curator.confirm`)."""
    certain = (curator or parts.curator).confirm(item, actor=actor)
    return Decided(certain, _resolved(parts, item.id, item.id))


def _resolved(parts: Parts, item_id: str, winner_id: str | None) -> tuple[str, ...]:
    """Close the contradictions of an item that somebody decided about.

    The decision is durable and stands in any case.

    Returns:
        Remarks for whoever decided, where they could not be closed; they stay among `review.contradictions` then.
    """
    from simonides.upkeep.jobs.resolve import Resolve, opponents  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

    why = None
    for _ in range(_TRIES):  # A side may just be changed by somebody else.
        with parts.store.read() as reader:
            if not opponents(reader, item_id):
                return ()
        job = Resolve(item_id, winner_id, reach())
        try:
            run = parts.upkeep.maintain([job], Order(scope=ALL, trigger="resolve"))
        except StoreError as error:  # Its beginning or end could not be written.
            why = str(error)
            break
        if run.status is RunStatus.DONE and not run.left_alone:
            return ()
        why = run.error or run.left_alone[0].why
    _log.warning("contradictions of %s could not be closed: %s", item_id, why)
    then = f"confirm {winner_id} later" if winner_id is not None else "they stay listed as contradictions"
    return (f"its contradictions could not be closed ({why}); {then}",)
