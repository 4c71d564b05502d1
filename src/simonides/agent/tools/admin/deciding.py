"""Acts that only a person decides on: done with their word, else shown and left undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from simonides.agent.tools.call_context import Context
from simonides.domain.item import Item
from simonides.domain.scope import GLOBAL, Scope
from simonides.errors import InvalidScope

#: Outcome of a call that nobody agreed to yet.
UNDECIDED: Final = "undecided"
_EXCERPT_CHARS: Final = 400
_SAY: Final = (
    "Nothing was done: this is for the user to decide, and this client cannot ask them. Tell them what it would "
    "do, and that `{}` does it."
)


def decided(
    context: Context, shown: Sequence[str], do: Callable[[], dict[str, Any]], by_hand: str
) -> dict[str, Any]:
    """What the act answers, where a person has agreed to this very call; else what it would do.

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


def told(item: Item) -> str:
    """An item in the words that a person is shown."""
    content = item.content
    more = f"… (the beginning of {len(content):,} characters)" if len(content) > _EXCERPT_CHARS else ""
    return f"{item.id} ({item.type}): {content[:_EXCERPT_CHARS]}{more}"
