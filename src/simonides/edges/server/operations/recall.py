"""Recall: questions, texts for prompts, and what was put into prompts."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from simonides import NotFound
from simonides.domain.records import Injection
from simonides.edges.http.tokens import Role
from simonides.edges.server.operation import Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.fields import Count, Limited, Number, QuestionFilters, Text, Time, Word

#: Of so many injections those of the caller's scope are told.
_LOOKED_AT: Final = 10_000


class QuestionRequest(QuestionFilters):
    """A question, and what restricts its answer."""

    query: Text
    at: Time | None = None
    as_of: Time | None = None
    profile: Word | None = None
    agenda: bool | None = None
    explain: bool = False
    min_relevance: Number | None = None
    asked_in: Word | None = None
    statements_first: bool = False
    group: Literal["session"] | None = None


class SearchRequest(QuestionRequest):
    """A question, and how many hits it may have."""

    k: Count | Literal["auto"] = 10


class ContextRequest(QuestionRequest):
    """A question, and the form of the text that is wanted."""

    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | Literal["auto"] | None = None
    mode: Literal["context", "inject", "catalog", "hybrid"] = "context"
    ids: bool = False


class ProfileRequest(Fields):
    """The budget of a core profile."""

    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 500


class InjectionsRequest(Limited):
    """The conversation that is asked about."""

    session_id: Word | None = None


def _injections(call: OperationCall, given: InjectionsRequest) -> Any:
    most = given.limit if call.caller.unbound else _LOOKED_AT
    injections = call.memory.injections(given.session_id, most)
    return [one for one in injections if _is_theirs(call, one)][: given.limit]


def _why(call: OperationCall, _: Fields) -> Injection:
    injection = call.memory.why(call.path["injection_id"])
    if not _is_theirs(call, injection):
        raise NotFound(f"there is no injection {injection.id!r}")
    return injection


def _is_theirs(call: OperationCall, injection: Injection) -> bool:
    """True of what was put into a prompt of the caller's own scopes: what others ask is not told."""
    return call.caller.unbound if injection.scope == "ALL" else call.caller.holds(injection.scope)


_R = Role.READER
OPERATIONS: Final = (
    Operation(
        "search", "POST", "/v1/search", _R, "Find the memories that answer a question.",
        Verb.LOOKS, "SearchResultJson", SearchRequest,
    ),
    Operation(
        "context", "POST", "/v1/context", _R, "A text for a prompt: what is known about a question.",
        Verb.LOOKS, "ContextResultJson", ContextRequest,
    ),
    Operation(
        "core_profile", "GET", "/v1/core-profile", _R, "The core profile for a system prompt: what is pinned.",
        Verb.LOOKS, "ContextResultJson", ProfileRequest,
    ),
    Operation(
        "injections", "GET", "/v1/injections", _R, "What was put into prompts, newest first.",
        _injections, "InjectionsJson", InjectionsRequest,
    ),
    Operation(
        "why", "GET", "/v1/injections/{injection_id}", _R, "An injection, and how what it told stands now.",
        _why, "InjectionJson",
    ),
)  # fmt: skip
