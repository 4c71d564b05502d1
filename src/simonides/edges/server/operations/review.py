"""Review: what waits for a decision, what contradicts, and rollback."""

from __future__ import annotations

from typing import Any

from simonides import InvalidInput, Item, Quarantined, Run, Verdict
from simonides.domain.scope import ALL, Scopes
from simonides.edges.http.tokens import Role
from simonides.edges.server.again import ITEM, VERDICT
from simonides.edges.server.operation import Fields, Operation, OperationCall
from simonides.edges.server.operations.fields import Limited, Time, Word
from simonides.edges.server.operations.memories import listed
from simonides.edges.server.operations.runs import RUN, within


class ReviewRequest(Limited):
    """Items of which kind: those that wait, or active ones of low trust."""

    low_trust: bool = False


class DecideRequest(Fields):
    """The reason of a decision."""

    reason: str = ""


class ApproveRequest(DecideRequest):
    """The reason, and whether the item may be put into prompts."""

    injectable: bool | None = None


class AskRequest(Fields):
    """Act that a model asks for on an item: `forget`, `correct`, `update`, `confirm` or `assign`."""

    act: Word
    changes: dict[str, Any] | None = None
    session_id: Word | None = None
    user_said: str | None = None


class RollbackRequest(Fields):
    """The source, session or time of what should not have come in; without `dry_run: false` it is only shown."""

    source_id: Word | None = None
    session_id: Word | None = None
    after: Time | None = None
    dry_run: bool = True


def _from(call: OperationCall) -> Scopes:
    """From where a queue is looked at: whoever keeps the whole store need not know in which scopes something waits."""
    return ALL if call.caller.unbound else call.caller.looks


def _list(call: OperationCall, given: ReviewRequest) -> Any:
    return listed(call.memory.review.list(scope=_from(call), limit=given.limit, low_trust=given.low_trust))


def _contradictions(call: OperationCall, given: Limited) -> Any:
    return listed(call.memory.review.contradictions(scope=_from(call), limit=given.limit))


def _show(call: OperationCall, _: Fields) -> Quarantined:
    return call.memory.review.show(call.caller.item(call.memory, call.path["item_id"]).id)


def _approve(call: OperationCall, given: ApproveRequest) -> Verdict:
    item = call.caller.own(call.memory, call.path["item_id"])
    return call.memory.review.approve(
        item.id, given.reason, injectable=given.injectable, actor=call.caller.actor
    )


def _reject(call: OperationCall, given: DecideRequest) -> Verdict:
    item = call.caller.own(call.memory, call.path["item_id"])
    return call.memory.review.reject(item.id, given.reason, actor=call.caller.actor)


def _reopen(call: OperationCall, _: Fields) -> Item:
    item = call.caller.own(call.memory, call.path["item_id"])
    return call.memory.review.reopen(item.id, actor=call.caller.actor)


def _ask(call: OperationCall, given: AskRequest) -> Verdict:
    item = call.caller.own(call.memory, call.path["item_id"])
    if given.user_said is not None:
        call.caller.require_person("what a user said")
    # A person does it, and need not ask.
    actor = "model" if call.caller.is_person else call.caller.actor
    return call.memory.review.ask(
        item.id,
        given.act,
        given.changes,
        actor=actor,
        session_id=given.session_id,
        user_said=given.user_said,
    )


def _rollback(call: OperationCall, given: RollbackRequest) -> Run:
    if given.source_id is None and given.session_id is None and given.after is None:
        raise InvalidInput("say what to roll back: source_id, session_id or after")
    run = call.memory.review.rollback(
        scope=call.caller.works,
        source_id=given.source_id,
        session_id=given.session_id,
        after=given.after,
        dry_run=given.dry_run,
        actor=call.caller.actor,
    )
    return within(call, run)


_D = Role.REVIEWER
_ONE = "/v1/review/{item_id}"
OPERATIONS = (
    Operation(
        "review.list", "GET", "/v1/review", _D, "Memories that wait for a decision, oldest first.",
        _list, "QuarantinedsJson", ReviewRequest,
    ),
    Operation(
        "review.contradictions", "GET", "/v1/contradictions", Role.READER, "Pairs that contradict each other.",
        _contradictions, "ContradictedsJson", Limited,
    ),
    Operation(
        "review.show", "GET", _ONE, _D, "A memory that waits for a decision, with the reasons.",
        _show, "QuarantinedJson",
    ),
    Operation(
        "review.approve", "POST", f"{_ONE}/approve", _D, "Let a memory in as it was to be.",
        _approve, "VerdictJson", ApproveRequest, again=VERDICT,
    ),
    Operation(
        "review.reject", "POST", f"{_ONE}/reject", _D, "Turn a memory down; it is archived.",
        _reject, "VerdictJson", DecideRequest, again=VERDICT,
    ),
    Operation(
        "review.reopen", "POST", f"{_ONE}/reopen", _D, "Take back the last decision about a memory.",
        _reopen, "ItemJson", again=ITEM,
    ),
    Operation(
        "review.ask", "POST", "/v1/memories/{item_id}/ask", Role.WRITER, "Do what a model asks for, or let it wait.",
        _ask, "VerdictJson", AskRequest, again=VERDICT,
    ),
    Operation(
        "review.rollback", "POST", "/v1/rollback", _D, "Archive what came from a source, a session or since a time.",
        _rollback, "RunJson", RollbackRequest, again=RUN,
    ),
)  # fmt: skip
