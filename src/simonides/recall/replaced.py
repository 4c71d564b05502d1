"""Turns and narratives that tell what no longer holds: what was stored of them has been replaced since."""

from __future__ import annotations

from collections.abc import Sequence

from simonides.domain.item import Item
from simonides.ports.recalling import Taken, TakenItem
from simonides.recall.question.speech import quotations


def replaced(items: Sequence[Item], taken: Taken) -> dict[str, str]:
    """Ids of the turns and narratives among items that tell what no longer holds, to the id of what holds instead.

    That is the item that replaced the last of it, or a turn among the items that says the same.

    A turn whose every statement was corrected or ended since, a narrative that quotes one of these. What was merged
    with other items, or put in other words, still holds.

    Args:
        taken: What was taken from the turns among them, and from those that the narratives tell of.
    """
    shown = {item.id for item in items}
    turns = sorted(item.id for item in items if item.type == "episode")
    saying = {one.id: turn for turn in turns for one in taken.items.get(turn, ())}
    found: dict[str, str] = {}
    for item in items:
        heir = _of_turn(item, taken) if item.type == "episode" else _of_narrative(item, taken)
        if heir is not None:
            found[item.id] = heir if heir in shown else saying.get(heir, heir)
    return found


def replaced_parts(items: Sequence[Item], taken: Taken) -> dict[str, dict[str, str]]:
    """By the id of a turn of which some holds: statements of it that hold no more, to the id of what holds instead."""
    found: dict[str, dict[str, str]] = {}
    for item in items:
        stated = taken.items.get(item.id, ()) if item.type == "episode" else ()
        ended = [(one.content, heir) for one in stated if (heir := _heir(one, taken)) is not None]
        if 0 < len(ended) < len(stated):
            found[item.id] = dict(ended)
    return found


def _of_turn(turn: Item, taken: Taken) -> str | None:
    """Id of the successor of the last that was taken from a turn; None while anything of it holds."""
    stated = taken.items.get(turn.id, ())
    heirs = {one.id: _heir(one, taken) for one in stated}
    return None if not heirs or None in heirs.values() else heirs[max(stated, key=_updated_at).id]


def _of_narrative(narrative: Item, taken: Taken) -> str | None:
    """Id of the successor of the first thing that a narrative quotes and that holds no more."""
    ended = taken.items.get(narrative.id, ())
    quoted = quotations(narrative.content) if ended else ()
    heirs = (_heir(one, taken) for one in ended if any(_restates(one.content, said) for said in quoted))
    return next((heir for heir in heirs if heir is not None), None)


def _updated_at(item: TakenItem) -> int:
    return item.updated_at


def _heir(item: TakenItem, taken: Taken) -> str | None:
    """The id of the last that took the place of an item; None where it holds, or was only put in other words."""
    last, passed = item, {item.id}
    while last.successor is not None:
        heir = taken.successors.get(last.successor)
        if heir is None or heir.id in passed:
            return None
        passed.add(heir.id)
        last = heir
    return None if last is item or _restates(item.content, last.content) else last.id


def _restates(text: str, other: str) -> bool:
    from simonides.governance.known import restates  # noqa: PLC0415 - few hits tell what no longer holds

    return restates(text, other)
