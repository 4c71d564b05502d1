"""Retraction: `forget` and `purge` deal with what was made from an item before they touch the item itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simonides.compose import Parts
from simonides.domain.actor import is_person
from simonides.domain.link import Relation
from simonides.domain.provenance import FROM_USER
from simonides.domain.reach import reach
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.errors import Conflict, NotFound
from simonides.ports.both import Both, both
from simonides.upkeep.ground import Order

if TYPE_CHECKING:
    from simonides.upkeep.jobs.retract import Retraction


def planned(views: Both, item_ids: Sequence[str], *, purge: bool, actor: str = "user") -> Retraction:
    """Plan what becomes of what was made from items.

    What a model lets go of takes nothing along that the user said, and nothing goes that lies out of reach.

    Raises:
        NotFound: There is no such item.
    """
    from simonides.upkeep.jobs import retract  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk
    from simonides.upkeep.withheld import withheld  # noqa: PLC0415 - as above

    known = [item_id for item_id in item_ids if views.reader_of(item_id) is not None]
    for item_id in set(item_ids) - set(known):
        if not any(event.action == "purge" for event in views.here.events(item_ids=[item_id])):
            raise NotFound(f"there is no item {item_id!r}; nothing was purged")
    reached = reach()
    derived = [one for one in retract.derived(views, known) if reached(one.item.scope)]
    if not is_person(actor):
        derived = [one for one in derived if one.item.origin not in FROM_USER]
        return retract.planned(views, item_ids, derived, purge=purge)
    plan = retract.planned(views, item_ids, derived, purge=purge)
    if not views.links(known, [Relation.DERIVED_FROM]):
        return plan
    held = {one.item.id for one in plan.held} | set(item_ids)
    silent = [item for item in withheld(views, list(views.get(known).values())) if reached(item.scope)]
    return replace(
        plan, withheld=tuple(item for item in silent if item.id not in held and not views.moved(item.id))
    )


def retract(parts: Parts, plan: Retraction, *, purge: bool) -> None:
    """Retract what was made from items, as it was planned.

    Raises:
        Conflict: Something that was made from them is being changed at present; nothing was removed.
    """
    if not plan:
        return
    from simonides.upkeep.jobs.retract import Retract  # noqa: PLC0415 - as above

    job = Retract(lambda: both(parts.store), plan, "purged" if purge else "forgotten")
    run = parts.upkeep.maintain([job], Order(scope=ALL, trigger="purge" if purge else "forget"))
    if run.status is not RunStatus.DONE or run.left_alone:
        why = run.error or run.left_alone[0].why
        raise Conflict(
            f"what was made from it could not be retracted ({why}); nothing was removed: try again"
        )
