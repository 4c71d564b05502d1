"""Requests: what a model wants done to a memory that is not its own, kept until a person decides. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, cast

from simonides.domain.item import Item, canonical_json
from simonides.domain.text import shortened

#: The name under which a wish holds a request.
REQUEST: Final = "request"
_EXCERPT_CHARS: Final = 400


class Act(StrEnum):
    """What is asked for."""

    FORGET = "forget"
    CORRECT = "correct"
    UPDATE = "update"
    CONFIRM = "confirm"
    ASSIGN = "assign"


_WORDS: Final = {
    Act.FORGET: "Forget",
    Act.CORRECT: "Correct",
    Act.UPDATE: "Change",
    Act.CONFIRM: "Confirm",
    Act.ASSIGN: "Move to another room",
}


@dataclass(frozen=True, slots=True)
class Request:
    """What to do to an item.

    Attributes:
        changes: Fields with their new values, fit for JSON; of `assign` domain, room and shelf.
    """

    act: Act
    item_id: str
    changes: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    def to_dict(self) -> dict[str, Any]:
        return {"act": self.act.value, "item_id": self.item_id, "changes": dict(self.changes)}

    def worded(self, item: Item) -> str:
        """What is asked for, as whoever decides reads it."""
        asked = f"{_WORDS[self.act]} {item.id}: “{shortened(item.content, _EXCERPT_CHARS)}”"
        given = (f"{name}: {canonical_json(value)}" for name, value in sorted(self.changes.items()))
        return "\n".join((asked, *given))


def request_in(wish: Mapping[str, Any] | None) -> Request | None:
    """The request that a wish holds; None where an item of its own waits."""
    given = cast("Mapping[str, Any] | None", (wish or {}).get(REQUEST))
    return None if given is None else Request(Act(given["act"]), given["item_id"], given["changes"])
