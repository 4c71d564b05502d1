"""Acts that only a person decides on: done with their word, else shown and left undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

from simonides.agent.tools.call_context import Context
from simonides.domain.item import Item, canonical_json
from simonides.domain.scope import GLOBAL, Scope
from simonides.errors import InvalidScope

#: Outcome of a call that nobody agreed to yet.
UNDECIDED: Final = "undecided"
#: Fields that a person is shown beside type and content.
_TOLD: Final = (
    *("title", "tags", "entities", "event_at", "valid_from", "valid_until", "expires_at"),
    *("confidence", "importance", "decay_rate", "pinned", "injectable", "metadata"),
)
_SAY: Final = (
    "Nothing was done: this is for the user to decide, and they could not be asked here. Tell them what it would "
    "do, and that `{}` does it."
)


def decided(
    context: Context, shown: Sequence[str], do: Callable[[], dict[str, Any]], by_hand: str
) -> dict[str, Any]:
    """Answer of the act, where a person has agreed to this very call; else a description of its effect.

    Args:
        shown: What a person has to know to decide, in lines.
        by_hand: The command that does it.
    """
    if context.trust_client:
        return do()
    return {"outcome": UNDECIDED, "shown": list(shown), "say": _SAY.format(by_hand)}


def place_of(context: Context, scope: str | None) -> Scope:
    """The one scope that an act is bound to."""
    return context.place(scope) if context.bound is not None or scope is not None else GLOBAL


def own(context: Context, item_id: str, scope: str | None) -> Item:
    """The item with this id, whatever its status.

    Raises:
        NotFound: There is none that can be seen from there.
        InvalidScope: It belongs to a wider scope, which others share.
    """
    item = context.shown(item_id, scope)
    if item.scope != (place := place_of(context, scope)):
        raise InvalidScope(f"{item.id} belongs to {item.scope!r}; from {place!r} it can only be read")
    return item


def shown_to_person(item: Item) -> list[str]:
    """An item as a person is shown it before they decide: its whole content, then each field that says something."""
    return [
        f"{item.id} ({item.type}): {item.display}",
        *(f"{name}: {worded(value)}" for name, value in said_beside(item).items()),
    ]


def said_beside(item: Item) -> dict[str, Any]:
    """Fields of an item beside type and content that say something, or decide how it is used, where they are set."""
    fields = item.to_dict()
    usual = Item(id=item.id, content=item.content, type=item.type, created_at=0, updated_at=0).to_dict()
    unusual = {name: fields[name] for name in _TOLD if fields[name] != usual[name]}
    source = item.provenance.source_id
    return unusual if source is None else unusual | {"source": source}


def worded(value: object) -> str:
    """A field's value in words."""
    match value:
        case str():
            return value
        case list() | tuple() if all(isinstance(one, str) for one in cast("Iterable[object]", value)):
            return ", ".join(cast("Iterable[str]", value))
        case _:
            return canonical_json(value)
