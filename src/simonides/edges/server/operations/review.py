"""Review: what waits for a decision, what contradicts, and rollback."""

from __future__ import annotations

from typing import Any

from simonides import InvalidInput, Run, Verdict
from simonides.edges.http.tokens import Role
from simonides.edges.server.again import ITEM, VERDICT
from simonides.edges.server.operation import Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.fields import Limited, Time, Word
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
    return within(call, Verb.WORKS.do("review.rollback", call, given))


_D = Role.REVIEWER
_ONE = "/v1/review/{item_id}"
OPERATIONS = (
    Operation(
        "review.list", "GET", "/v1/review", _D, "Memories that wait for a decision, oldest first.",
        Verb.QUEUE, "QuarantinedsJson", ReviewRequest,
    ),
    Operation(
        "review.contradictions", "GET", "/v1/contradictions", Role.READER, "Pairs that contradict each other.",
        Verb.QUEUE, "ContradictedsJson", Limited,
    ),
    Operation(
        "review.show", "GET", _ONE, _D, "A memory that waits for a decision, with the reasons.",
        Verb.ITEM, "QuarantinedJson",
    ),
    Operation(
        "review.approve", "POST", f"{_ONE}/approve", _D, "Let a memory in as it was to be.",
        Verb.OWN, "VerdictJson", ApproveRequest, again=VERDICT,
    ),
    Operation(
        "review.reject", "POST", f"{_ONE}/reject", _D, "Turn a memory down; it is archived.",
        Verb.OWN, "VerdictJson", DecideRequest, again=VERDICT,
    ),
    Operation(
        "review.reopen", "POST", f"{_ONE}/reopen", _D, "Take back the last decision about a memory.",
        Verb.OWN, "ItemJson", again=ITEM,
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
