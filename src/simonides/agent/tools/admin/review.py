"""memory.review.*: what the policy held back, and a person's decision about it."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from simonides.agent.tools.admin.deciding import decided, own, place_of, shown_to_person
from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import ItemId, Scoped
from simonides.agent.tools.render import brief, judged
from simonides.agent.tools.tool import Effect, Tool
from simonides.domain.item import canonical_json
from simonides.domain.scope import ALL

_MOST: Final = 50


class ReviewList(Scoped):
    """List what waits for the user's decision, oldest first, with the reasons."""

    limit: int = Field(default=20, ge=1, le=_MOST)


def list_waiting(context: Context, given: ReviewList) -> dict[str, Any]:
    """Items of this scope that wait, or of all where none is bound or named, with reasons and what they are to be."""
    anywhere = context.bound is None and given.scope is None
    place = ALL if anywhere else place_of(context, given.scope)
    held = context.memory.review.list(scope=place, limit=given.limit)
    return {
        "items": [
            brief(one.item) | {"reasons": list(one.verdict.reasons), "wished": one.wished}
            for one in held
            if anywhere or one.item.scope == place
        ]
    }


class ReviewApprove(Scoped):
    """Let in what waits in the review, as the user's decision. The user is asked."""

    id: ItemId


def approve(context: Context, given: ReviewApprove) -> dict[str, Any]:
    """The verdict, with the user's word."""
    item = own(context, given.id, given.scope)
    wished = context.memory.review.show(item.id).wished or {}
    shown = ["Let this in?", *shown_to_person(item), *([f"as {canonical_json(wished)}"] if wished else [])]
    if (request := wished.get("request")) is not None:
        shown += ["of", *shown_to_person(context.memory.get(request["item_id"]))]
    return decided(
        context,
        shown,
        lambda: judged(context.memory.review.approve(item.id)),
        f"simonides review approve {item.id}",
    )


class ReviewReject(Scoped):
    """Turn down what waits in the review, as the user's decision. The user is asked."""

    id: ItemId


def reject(context: Context, given: ReviewReject) -> dict[str, Any]:
    """The item that was turned down, with the user's word."""
    item = own(context, given.id, given.scope)

    def do() -> dict[str, Any]:
        context.memory.review.reject(item.id, "the user turned it down")
        return {"outcome": "rejected", "item_id": item.id}

    return decided(
        context, ["Turn this down?", *shown_to_person(item)], do, f"simonides review reject {item.id}"
    )


LIST = Tool("memory.review.list", ReviewList, list_waiting)
APPROVE = Tool("memory.review.approve", ReviewApprove, approve, effect=Effect.CHANGES)
REJECT = Tool("memory.review.reject", ReviewReject, reject, effect=Effect.CHANGES)
