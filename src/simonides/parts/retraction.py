"""Retraction: `forget` and `purge` deal with what was made from an item before they touch the item itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simonides.compose import Parts
from simonides.domain.actor import is_person
from simonides.domain.item import Item
from simonides.domain.provenance import FROM_USER
from simonides.domain.reach import reach
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.errors import Conflict, NotFound, StoreError
from simonides.ports.both import Both, both
from simonides.upkeep.ground import Order

if TYPE_CHECKING:
    from simonides.upkeep.change import Revise
    from simonides.upkeep.jobs.retract import Retraction


def planned(views: Both, item_ids: Sequence[str], *, purge: bool, actor: str = "user") -> Retraction:
    """Plan what becomes of what was made from items.

    What a model lets go of takes nothing along that the user said, and nothing goes that lies out of reach.

    Raises:
        NotFound: There is no such item.
    """
    from simonides.upkeep.jobs import retract  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk
    from simonides.upkeep.withheld import have_turns, with_replaced, withheld, wordings  # noqa: PLC0415 - as above

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
    leaving = {one.item.id: one.item for one in (*plan.held, *plan.gone)}
    lost = list((views.get(known) | leaving).values())
    if not have_turns(views, lost):
        return plan
    lost = with_replaced(views, lost)
    changes = withheld(views, wordings(views, lost))
    return replace(plan, withheld=tuple(change for change in changes if reached(change.before.scope)))


def tell_no_more(parts: Parts, item: Item) -> tuple[str, ...]:
    """Let no prompt tell by turns what waits for a decision again, because its speaker took it back.

    Returns:
        A remark, where it could not be done; the item waits all the same.
    """
    from simonides.upkeep.withheld import withheld  # noqa: PLC0415 - as above

    def left() -> list[Revise]:
        with parts.reading_all([item.id]) as views:
            return withheld(views, [item])

    return _retold(parts, left, "reopen", "approve it and take that back once more")


def tell_anew(parts: Parts, before: Item) -> tuple[str, ...]:
    """Let prompts tell by turns what an item says since somebody worded it anew, and no more what it said before.

    Returns:
        A remark, where it could not be done; the item says what it is to say all the same.
    """
    from simonides.upkeep.withheld import reworded  # noqa: PLC0415 - as above

    def left() -> list[Revise]:
        with parts.reading_all([before.id]) as views:
            after = views.get([before.id]).get(before.id)
            return [] if after is None or after.content == before.content else reworded(views, after)

    return _retold(parts, left, "update", "change its wording once more")


def tell_again(parts: Parts, item_id: str) -> tuple[str, ...]:
    """Let prompts tell by turns again what an item says that somebody brought back: a run, where there are such turns.

    Returns:
        A remark, where it could not be done; the item is back all the same.
    """
    from simonides.upkeep.withheld import told_again, with_replaced  # noqa: PLC0415 - as above

    def left() -> list[Revise]:
        with parts.reading_all([item_id]) as views:
            return told_again(views, with_replaced(views, list(views.get([item_id]).values())))

    return _retold(parts, left, "restore", "forget it and restore it once more")


def _retold(parts: Parts, left: Callable[[], list[Revise]], trigger: str, remedy: str) -> tuple[str, ...]:
    """Carry out revisions of turns within reach, in a run; a remark with the reason and the remedy where it failed.

    Args:
        left: The revisions that are still to be made.
    """

    def within() -> list[Revise]:
        return [change for change in left() if reach()(change.before.scope)]

    if not (changes := within()):
        return ()
    from simonides.upkeep.jobs.retract import Retell  # noqa: PLC0415 - as above

    try:
        run = parts.upkeep.maintain([Retell(changes)], Order(scope=ALL, trigger=trigger))
    except StoreError as error:  # The decision behind which this comes is durable.
        if not within():
            return (f"the end of the run that had prompts tell it is not on record ({error})",)
        why = str(error)
    else:
        if run.status is RunStatus.DONE and not run.left_alone:
            return ()
        why = run.error or run.left_alone[0].why
    return (f"prompts tell by its turns what they told before ({why}); {remedy}",)


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
