"""The palace: domains, rooms, shelves, and the cards on them."""

from __future__ import annotations

from typing import Any

from simonides.edges.http.tokens import Role
from simonides.edges.server.again import done
from simonides.edges.server.operation import Again, Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.fields import Limited, Word


class PlacesRequest(Fields):
    """The level that is asked about: rooms of a domain, shelves of a room; domains if nothing is said."""

    domain: Word | None = None
    room: Word | None = None


class CardsRequest(Limited):
    """Place of the cards."""

    domain: Word
    room: Word | None = None
    shelf: Word | None = None


class AssignRequest(Fields):
    """New place of a card; domain and shelf stay as they were where they are not given."""

    room: Word
    domain: Word | None = None
    shelf: Word | None = None


def _rooms(call: OperationCall, _: Fields) -> dict[str, Any]:
    rooms = call.memory.palace.rooms(scope=call.caller.looks)
    return {"items": [{"domain": domain, "room": room, "cards": n} for (domain, room), n in rooms.items()]}


def _shelves(call: OperationCall, _: Fields) -> dict[str, Any]:
    shelves = call.memory.palace.shelves(scope=call.caller.looks)
    names = ("domain", "room", "shelf")
    return {"items": [dict(zip(names, place, strict=True)) | {"cards": n} for place, n in shelves.items()]}


def _retold(call: OperationCall, _: Fields, __: bool) -> Any:
    return call.memory.palace.where(call.caller.item(call.memory, call.path["item_id"]).id).to_dict()


_R, _W = Role.READER, Role.WRITER
_PLACE = "/v1/memories/{item_id}/place"
OPERATIONS = (
    Operation(
        "palace.list", "GET", "/v1/palace", _R, "Places of one level, with the number of their cards.",
        Verb.LOOKS, "CountsJson", PlacesRequest, field="places",
    ),
    Operation("palace.rooms", "GET", "/v1/palace/rooms", _R, "Every room.", _rooms, "RoomsJson"),
    Operation("palace.shelves", "GET", "/v1/palace/shelves", _R, "Every shelf.", _shelves, "ShelvesJson"),
    Operation(
        "palace.get", "GET", "/v1/palace/cards", _R, "Cards of a domain, a room or a shelf, newest first.",
        Verb.LOOKS, "ItemsJson", CardsRequest,
    ),
    Operation("palace.where", "GET", _PLACE, _R, "The place of a memory.", Verb.ITEM, "PlaceJson"),
    Operation(
        "palace.assign", "PUT", _PLACE, _W, "Put a memory into a room.",
        Verb.OWN, "PlaceJson", AssignRequest, again=Again(done, _retold),
    ),
)  # fmt: skip
