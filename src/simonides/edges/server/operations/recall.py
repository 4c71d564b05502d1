"""Recall: questions, and texts for prompts."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from simonides import ContextResult, SearchResult
from simonides.edges.http.tokens import Role
from simonides.edges.server import shapes
from simonides.edges.server.operation import Operation, OperationCall
from simonides.edges.server.operations.fields import Count, QuestionFilters, Time, Word


class QuestionRequest(QuestionFilters):
    """A question, and what restricts its answer."""

    query: Annotated[str, Field(min_length=1)]
    at: Time | None = None
    as_of: Time | None = None
    profile: str | None = None
    agenda: bool | None = None
    explain: bool = False
    min_relevance: float | None = None
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


def _search(call: OperationCall, given: SearchRequest) -> SearchResult:
    return call.memory.search(given.query, scope=call.caller.looks, **given.given("query"))


def _context(call: OperationCall, given: ContextRequest) -> ContextResult:
    return call.memory.context(given.query, scope=call.caller.looks, **given.given("query"))


OPERATIONS: Final = (
    Operation(
        name="search",
        method="POST",
        path="/v1/search",
        role=Role.READER,
        about="Find the memories that answer a question.",
        does=_search,
        takes=SearchRequest,
        answers=shapes.SearchResultJson,
        fails=frozenset({502}),
    ),
    Operation(
        name="context",
        method="POST",
        path="/v1/context",
        role=Role.READER,
        about="A text for a prompt: what is known about a question.",
        does=_context,
        takes=ContextRequest,
        answers=shapes.ContextResultJson,
        fails=frozenset({502}),
    ),
)
