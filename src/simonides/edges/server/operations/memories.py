"""Memories: adding, reading, listing and forgetting them."""

from __future__ import annotations

from typing import Annotated, Any, Final, cast

from pydantic import Field

from simonides import AddResult, Candidates, InvalidInput, Item, ItemPage
from simonides.domain.link import PEOPLES_LINKS
from simonides.edges.http.tokens import Role
from simonides.edges.server import shapes
from simonides.edges.server.operation import Fields, Operation, OperationCall
from simonides.edges.server.operations.fields import Count, GivenFields, ReadFilters

#: Fields of an input that name its scope: the key alone says where a request writes.
_PLACES: Final = frozenset({"scope", "user_id", "agent_id", "project"})


class AddRequest(GivenFields):
    """Something to remember: a text, a mapping of its own, chat messages, or a list of texts and mappings."""

    content: (
        Annotated[str, Field(min_length=1)]
        | dict[str, Any]
        | Annotated[list[str | dict[str, Any]], Field(min_length=1, max_length=10_000)]
    )
    links: list[dict[str, Any]] | None = None


class ListRequest(ReadFilters):
    """ReadFilters, and how much is told at a time."""

    limit: Count = 100
    cursor: str | None = None


class ForgetRequest(Fields):
    """Options of forgetting."""

    keep_derived: bool = False


class TargetRequest(ForgetRequest):
    """The item that is meant: its id, or words."""

    target: Annotated[str, Field(min_length=1)]


def _add(call: OperationCall, given: AddRequest) -> AddResult:
    inputs = given.content if isinstance(given.content, list) else [given.content]
    mappings = [one for one in inputs if isinstance(one, dict)]
    for one in mappings:
        if named := sorted(_PLACES.intersection(one)):
            raise InvalidInput(
                f"{named[0]} is told by the key, or by X-Simonides-Scope within it; leave it out"
            )
    for links in (given.links, *(one.get("links") for one in mappings)):
        for link in cast("list[object]", links) if isinstance(links, list) else ():
            _require_end(call, link)
    fields = {name: value for name, value in given.given("content").items() if value is not None}
    return call.memory.add(given.content, scope=call.caller.scope, actor=call.caller.actor, **fields)


def _require_end(call: OperationCall, link: object) -> None:
    """See that a link leads to an item in sight; what has consequences for the item, to one of the caller's own."""
    match link:
        case {"to": str(end), "rel": str(rel)} if rel.strip().lower() in PEOPLES_LINKS:
            call.caller.own(call.memory, end)
        case {"to": str(end)}:
            call.caller.item(call.memory, end)
        case _:
            pass  # Memory says what is wrong with it.


def _list(call: OperationCall, given: ListRequest) -> ItemPage:
    return call.memory.page(scope=call.caller.looks, **given.given())


def _get(call: OperationCall, _: Fields) -> Item:
    return call.caller.item(call.memory, call.path["item_id"])


def _forget(call: OperationCall, given: ForgetRequest) -> Item | Candidates:
    item = call.caller.own(call.memory, call.path["item_id"])
    return call.memory.forget(item.id, keep_derived=given.keep_derived, actor=call.caller.actor)


def _forget_meant(call: OperationCall, given: TargetRequest) -> dict[str, Any]:
    found = call.memory.resolve(given.target, scope=call.caller.scope)
    if isinstance(found, Candidates):
        return {"item": None, "candidates": found.to_dict()}
    item = call.caller.own(call.memory, found.id)
    gone = call.memory.forget(item.id, keep_derived=given.keep_derived, actor=call.caller.actor)
    return {"item": gone.to_dict(), "candidates": None}


class Forgotten(shapes.Json):
    """The item that was forgotten, or those that may have been meant."""

    item: shapes.ItemJson | None
    candidates: shapes.CandidatesJson | None


OPERATIONS: Final = (
    Operation(
        name="add",
        method="POST",
        path="/v1/memories",
        role=Role.WRITER,
        about="Remember something: a text, chat messages, or a list.",
        does=_add,
        takes=AddRequest,
        answers=shapes.AddResultJson,
        status=201,
        fails=frozenset({404, 502}),
        changes=True,
    ),
    Operation(
        name="list",
        method="GET",
        path="/v1/memories",
        role=Role.READER,
        about="Memories that pass the filters, newest first, page by page.",
        does=_list,
        takes=ListRequest,
        answers=shapes.PageJson,
    ),
    Operation(
        name="get",
        method="GET",
        path="/v1/memories/{item_id}",
        role=Role.READER,
        about="One memory, whatever its status.",
        does=_get,
        answers=shapes.ItemJson,
        fails=frozenset({404}),
    ),
    Operation(
        name="forget",
        method="DELETE",
        path="/v1/memories/{item_id}",
        role=Role.WRITER,
        about="Take a memory out of recall; it is archived, and can be restored.",
        does=_forget,
        takes=ForgetRequest,
        answers=shapes.ItemJson,
        fails=frozenset({404}),
        changes=True,
    ),
    Operation(
        name="forget_meant",
        method="POST",
        path="/v1/forget",
        role=Role.WRITER,
        about="Forget the memory that words mean, if they mean one beyond doubt.",
        does=_forget_meant,
        takes=TargetRequest,
        answers=Forgotten,
        fails=frozenset({404}),
        changes=True,
    ),
)
