"""Requests: what a model wants done to a memory that is not its own, kept until a person decides. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, cast

from simonides.domain.instant import instant, iso
from simonides.domain.item import Item, canonical_json
from simonides.domain.provenance import Provenance
from simonides.domain.text import shortened
from simonides.domain.written import as_written
from simonides.errors import InvalidInput
from simonides.values import dataclass

#: The name under which a wish holds a request.
REQUEST: Final = "request"
_EXCERPT_CHARS: Final = 400


class RequestedAct(StrEnum):
    """Kinds of change that may be asked for."""

    FORGET = "forget"
    CORRECT = "correct"
    UPDATE = "update"
    CONFIRM = "confirm"
    ASSIGN = "assign"


_WORDS: Final = {
    RequestedAct.FORGET: "Forget",
    RequestedAct.CORRECT: "Correct",
    RequestedAct.UPDATE: "Change",
    RequestedAct.CONFIRM: "Confirm",
    RequestedAct.ASSIGN: "Move to another room",
}


@dataclass(frozen=True, slots=True)
class Request:
    """A change of an item that is asked for.

    Attributes:
        changes: Fields with their new values, fit for JSON; of `assign` domain, room and shelf.
    """

    act: RequestedAct
    item_id: str
    changes: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    to_dict = as_written

    def worded(self, item: Item) -> str:
        """Word a request as whoever decides reads it."""
        request = f"{_WORDS[self.act]} {item.id}: “{shortened(item.content, _EXCERPT_CHARS)}”"
        given = (f"{name}: {canonical_json(value)}" for name, value in sorted(self.changes.items()))
        return "\n".join((request, *given))


def request_for(act: RequestedAct, item_id: str, changes: object) -> Request:
    """A request as it can be kept until somebody decides: times become ISO 8601, tuples lists.

    Raises:
        InvalidInput: The changes are no mapping, or hold what JSON cannot.
    """
    if changes is not None and not isinstance(changes, Mapping):
        raise InvalidInput(f"changes are fields with their new values, not {type(changes).__name__}")
    try:
        given = json.loads(json.dumps(changes or {}, default=_as_json, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"changes that wait for a person must be fit for JSON: {error}") from error
    return Request(act, item_id, given)


def _as_json(value: object) -> object:
    if isinstance(value, datetime | date):
        return iso(instant(value))
    if isinstance(value, Provenance):
        return {field.name: getattr(value, field.name) for field in fields(Provenance)}
    if isinstance(value, set | frozenset):
        return sorted(cast("Iterable[str]", value))
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    raise TypeError(f"{type(value).__name__} is no JSON")


def request_in(wish: Mapping[str, Any] | None) -> Request | None:
    """The request that a wish holds; None where an item of its own waits."""
    given = cast("Mapping[str, Any] | None", (wish or {}).get(REQUEST))
    return None if given is None else Request(RequestedAct(given["act"]), given["item_id"], given["changes"])
