"""Memories: adding, reading, changing and forgetting them."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias, cast

from pydantic import Field, WithJsonSchema

from simonides import (
    AddResult,
    Candidates,
    Explanation,
    Graph,
    InvalidInput,
    Item,
    ItemPage,
    NotFound,
    Scope,
    Verdict,
)
from simonides.domain.ids import is_id
from simonides.domain.link import PEOPLES_LINKS, Link
from simonides.edges.http.tokens import Role
from simonides.edges.server.again import (
    CORRECTED,
    COUNTED,
    COUNTS,
    ITEM,
    MEANT,
    NUMBERS,
    VERDICT,
    VERDICTS,
    done,
)
from simonides.edges.server.operation import Again, Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.fields import (
    Count,
    GivenFields,
    Limited,
    Number,
    ReadFilters,
    Text,
    Word,
)
from simonides.edges.server.problems import HttpProblem

#: Fields of an input that name its scope: the key alone says where a request writes.
_PLACES: Final = frozenset({"scope", "user_id", "agent_id", "project"})


#: Entries of a list, as the document has them: what is none is rejected by itself, and costs the others nothing.
_Entry: TypeAlias = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]})]
_Proposal: TypeAlias = Annotated[Any, WithJsonSchema({"type": "object"})]


class AddRequest(GivenFields):
    """Something to remember: a text, a mapping of its own, chat messages, or a list of texts and mappings."""

    content: Text | dict[str, Any] | Annotated[list[_Entry], Field(min_length=1, max_length=10_000)]
    links: list[dict[str, Any]] | None = None


class ProposeRequest(Fields):
    """Proposals of a model, and where they come from."""

    proposals: Annotated[list[_Proposal], Field(max_length=1000)]
    session_id: Word | None = None
    source: Word | None = None
    user_said: Text | None = None
    confirmed: bool = False


class ListRequest(ReadFilters, Limited):
    """Filters, and where the list goes on."""

    cursor: str | None = None


class TimelineRequest(ReadFilters, Limited):
    """Filters, and how much is told."""


class WeakRequest(Limited):
    """The bound below which a confidence is weak."""

    below: Number = 0.3


class PatchRequest(GivenFields):
    """Fields with new values; null takes one away."""

    content: Text | None = None


class ForgetRequest(Fields):
    """Options of forgetting."""

    keep_derived: bool = False


class TargetRequest(Fields):
    """The item that is meant: its id, or words."""

    target: Text


class ForgetMeantRequest(TargetRequest, ForgetRequest):
    """The item that is meant, and what becomes of what was made from it."""


class CorrectRequest(TargetRequest):
    """The item that is meant, and what it is to say."""

    content: Text


class ByRequest(Fields):
    """Step by which an item moves."""

    by: Number | None = None


class GraphRequest(Fields):
    """Reach of the graph."""

    depth: Annotated[int, Field(ge=0, le=5)] = 1
    relations: list[str] | None = None
    limit: Count = 100


class DerivedRequest(Fields):
    """The act that is asked about."""

    purge: bool = False


class LinkRequest(Fields):
    """Two items, and how one relates to the other."""

    src: Word
    dst: Word
    rel: Word = "references"
    evidence: str | None = None
    weight: Number = 1.0


class UsedRequest(Fields):
    """Items that served somebody, best first."""

    item_ids: list[Word]
    session_id: Word | None = None


class PurgeRequest(Fields):
    """Items to delete; or the scope that the request works in, named once more, to delete everything of it."""

    item_ids: Annotated[list[Word], Field(min_length=1, max_length=1000)] | None = None
    scope: Word | None = None
    keep_derived: bool = False


def _add(call: OperationCall, given: AddRequest) -> AddResult:
    inputs = given.content if isinstance(given.content, list) else [given.content]
    mappings = [cast("dict[str, object]", one) for one in inputs if isinstance(one, dict)]
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


def _propose(call: OperationCall, given: ProposeRequest) -> AddResult:
    caller = call.caller
    if given.confirmed:
        caller.require(Role.REVIEWER)
        caller.require_person("that a user agreed")
    if given.user_said is not None:
        caller.require_person("what a user said")
    actor = "model" if caller.is_person else caller.actor
    return call.memory.propose(
        given.proposals,
        scope=caller.scope,
        actor=actor,
        caller=caller.name,
        **{name: value for name, value in given.given("proposals").items() if value is not None},
    )


def _list(call: OperationCall, given: ListRequest) -> ItemPage:
    return Verb.LOOKS.do("page", call, given)


def _get(call: OperationCall, _: Fields) -> Item:
    return call.caller.item(call.memory, call.path["item_id"])


def _patch(call: OperationCall, given: PatchRequest) -> Verdict:
    item = call.caller.own(call.memory, call.path["item_id"])
    return call.memory.update(item.id, actor=call.caller.actor, **given.given())


def _meant(call: OperationCall, target: str) -> Item | Candidates:
    """The item that an id or words mean, in sight of the caller."""
    resolved = call.memory.resolve(target, scope=None if is_id(target) else call.caller.looks)
    if isinstance(resolved, Item):
        call.caller.item(call.memory, resolved.id)
    return resolved


def _resolve(call: OperationCall, given: TargetRequest) -> Any:
    return _one_or_several(_meant(call, given.target))


def _forget_meant(call: OperationCall, given: ForgetMeantRequest) -> Any:
    resolved = _meant(call, given.target)
    if isinstance(resolved, Item):
        item = call.caller.own(call.memory, resolved.id)
        resolved = call.memory.forget(item.id, keep_derived=given.keep_derived, actor=call.caller.actor)
    return _one_or_several(resolved)


def _correct(call: OperationCall, given: CorrectRequest) -> Any:
    resolved = _meant(call, given.target)
    if isinstance(resolved, Candidates):
        return {"verdict": None, "candidates": _several(resolved)}
    item = call.caller.own(call.memory, resolved.id)
    verdict = call.memory.correct(item.id, given.content, actor=call.caller.actor)
    return {"verdict": verdict.to_dict(), "candidates": None}


def _one_or_several(resolved: Item | Candidates) -> dict[str, Any]:
    if isinstance(resolved, Item):
        return {"item": resolved.to_dict(), "candidates": None}
    return {"item": None, "candidates": _several(resolved)}


def _several(candidates: Candidates) -> dict[str, Any]:
    return {"hits": [hit.to_dict() for hit in candidates.hits], "reason": candidates.reason}


def _history(call: OperationCall, _: Fields) -> Any:
    item = call.caller.item(call.memory, call.path["item_id"])
    return [one for one in call.memory.history(item.id) if call.caller.sees(one.item.scope)]


def _explain(call: OperationCall, _: Fields) -> Explanation:
    caller, memory = call.caller, call.memory
    explanation = memory.explain(caller.item(memory, call.path["item_id"]).id)
    if caller.unbound:
        return explanation
    return explanation.seen(caller.sees, lambda item_id: bool(caller.seen(memory, [item_id])))


def _derived(call: OperationCall, given: DerivedRequest) -> Any:
    item = call.caller.item(call.memory, call.path["item_id"])
    derived = call.memory.derived(item.id, purge=given.purge)
    return [one for one in derived if call.caller.sees(one.item.scope)]


def _graph(call: OperationCall, given: GraphRequest) -> Graph:
    item = call.caller.item(call.memory, call.path["item_id"])
    return call.memory.graph(item.id, scope=call.caller.view(item), **given.given())


def _link(call: OperationCall, given: LinkRequest) -> Link:
    call.caller.own(call.memory, given.src)
    _require_end(call, {"to": given.dst, "rel": given.rel})
    return call.memory.link(
        given.src, given.dst, given.rel, evidence=given.evidence, weight=given.weight, actor=call.caller.actor
    )


def _relinked(call: OperationCall, given: LinkRequest, _: bool) -> Any:
    for link in call.memory.explain(call.caller.item(call.memory, given.src).id).links:
        if (link.src, link.dst, link.rel) == (given.src, given.dst, given.rel):
            return link.to_dict()
    raise NotFound(f"{given.src} is not linked to {given.dst} any more")


def _used(call: OperationCall, given: UsedRequest) -> dict[str, int]:
    seen = call.caller.seen(call.memory, given.item_ids)
    named = [item_id for item_id in given.item_ids if item_id in seen]
    call.memory.mark_used(named, session_id=given.session_id)
    return {"noted": len(named)}


def _purge(call: OperationCall, given: PurgeRequest) -> Any:
    caller = call.caller
    if (given.item_ids is None) is (given.scope is None):
        raise InvalidInput("name either item_ids or the scope to purge")
    if given.scope is not None:
        if Scope(given.scope) != caller.scope:
            raise HttpProblem(
                403,
                "scope",
                f"this request works in {caller.scope}; name the scope to purge in X-Simonides-Scope, too",
            )
        return call.memory.purge(scope=caller.scope, keep_derived=given.keep_derived, actor=caller.actor)
    items = [caller.own(call.memory, item_id).id for item_id in given.item_ids or ()]
    return call.memory.purge(items, keep_derived=given.keep_derived, actor=caller.actor)


_ONE: Final = "/v1/memories/{item_id}"
_R, _W, _A = Role.READER, Role.WRITER, Role.ADMIN
OPERATIONS: Final = (
    Operation(
        "add", "POST", "/v1/memories", _W, "Remember something: a text, chat messages, or a list.",
        _add, "AddResultJson", AddRequest, status=201, again=VERDICTS,
    ),
    Operation(
        "propose", "POST", "/v1/proposals", _W, "Judge what a model would like to remember, and store what may be.",
        _propose, "AddResultJson", ProposeRequest, again=VERDICTS,
    ),
    Operation(
        "list", "GET", "/v1/memories", _R, "Memories that pass the filters, newest first, page by page.",
        _list, "ItemPageJson", ListRequest,
    ),
    Operation(
        "timeline", "GET", "/v1/timeline", _R, "Memories in the order in which what they tell happened, oldest first.",
        Verb.LOOKS, "ItemsJson", TimelineRequest,
    ),
    Operation(
        "weak", "GET", "/v1/weak", _R, "Memories whose confidence has sunk below a bound, lowest first.",
        Verb.LOOKS, "WeakItemsJson", WeakRequest,
    ),
    Operation("get", "GET", _ONE, _R, "One memory, whatever its status.", _get, "ItemJson"),
    Operation(
        "update", "PATCH", _ONE, _W, "Change fields of a memory; the former state stays in its history.",
        _patch, "VerdictJson", PatchRequest, again=VERDICT,
    ),
    Operation(
        "forget", "DELETE", _ONE, _W, "Take a memory out of recall; it is archived, and can be restored.",
        Verb.OWN, "ItemJson", ForgetRequest, again=ITEM, frees=True,
    ),
    Operation(
        "resolve", "POST", "/v1/resolve", _R, "Find the memory that an id or words mean; changes nothing.",
        _resolve, "OneOrSeveralJson", TargetRequest,
    ),
    Operation(
        "forget_meant", "POST", "/v1/forget", _W, "Forget the memory that an id or words mean beyond doubt.",
        _forget_meant, "OneOrSeveralJson", ForgetMeantRequest, again=MEANT, frees=True,
    ),
    Operation(
        "correct", "POST", "/v1/correct", _W, "Replace what a memory says; the old one ends and stays in the history.",
        _correct, "CorrectedJson", CorrectRequest, again=CORRECTED,
    ),
    Operation(
        "restore", "POST", f"{_ONE}/restore", _W, "Bring back what was archived.",
        Verb.OWN, "VerdictJson", again=VERDICT,
    ),
    Operation(
        "confirm", "POST", f"{_ONE}/confirm", _W, "Make a memory certain.", Verb.OWN, "ItemJson", again=ITEM
    ),
    Operation(
        "reinforce", "POST", f"{_ONE}/reinforce", _W, "Raise a memory that proved useful.",
        Verb.OWN, "ItemJson", ByRequest, again=COUNTED,
    ),
    Operation(
        "demote", "POST", f"{_ONE}/demote", _W, "Lower a memory that was of no use.",
        Verb.OWN, "ItemJson", ByRequest, again=COUNTED,
    ),
    Operation(
        "history", "GET", f"{_ONE}/history", _R, "Every state of a memory and of those it replaced, oldest first.",
        _history, "RevisionsJson",
    ),
    Operation(
        "explain", "GET", f"{_ONE}/explanation", _R, "Why a memory is there and what it is worth.",
        _explain, "ExplanationJson",
    ),
    Operation(
        "derived", "GET", f"{_ONE}/derived", _R, "What was made from a memory, and what becomes of it.",
        _derived, "DerivedsJson", DerivedRequest,
    ),
    Operation(
        "graph", "GET", f"{_ONE}/graph", _R, "Linked memories and entities around one.",
        _graph, "GraphJson", GraphRequest,
    ),
    Operation(
        "link", "POST", "/v1/links", _W, "Join two memories.",
        _link, "LinkJson", LinkRequest, status=201, again=Again(done, _relinked),
    ),
    Operation(
        "mark_used", "POST", "/v1/uses", _W, "Note that memories served somebody.",
        _used, "NotedJson", UsedRequest, again=COUNTS,
    ),
    Operation(
        "purge", "POST", "/v1/purge", _A, "Delete memories, or a whole scope, with every trace. It cannot be undone.",
        _purge, "NumbersJson", PurgeRequest, summary=dict, again=NUMBERS, frees=True,
    ),
)  # fmt: skip
