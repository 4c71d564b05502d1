"""Fields that several operations take."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from simonides import Kind, Tier
from simonides.edges.server.operation import Fields

#: A whole number that every store can count to.
Count = Annotated[int, Field(ge=1, le=1_000)]
#: An instant: ISO 8601.
Time = Annotated[str, Field(max_length=64, examples=["2026-03-01T12:00:00Z"])]
Word = Annotated[str, Field(min_length=1, max_length=400)]
Text = Annotated[str, Field(min_length=1)]
#: A number that is one in every store.
Number = Annotated[float, Field(ge=-1e15, le=1e15)]


class Limited(Fields):
    """Limits on the length of an answer."""

    limit: Count = 100


class ReadFilters(Fields):
    """ReadFilters of a read; what is left out restricts nothing."""

    types: list[str] | None = None
    kinds: list[Annotated[Kind, Field(strict=False)]] | None = None
    tiers: list[Annotated[Tier, Field(strict=False)]] | None = None
    tags: list[str] | None = None
    entity: str | None = None
    after: Time | None = None
    before: Time | None = None
    valid_at: Time | None = None
    session_id: Word | None = None
    task_id: Word | None = None
    corpus_id: Word | None = None
    space: str | None = None
    archived: bool = False
    pinned: bool | None = None
    exact: bool = False


class QuestionFilters(ReadFilters):
    """ReadFilters of a question, which stand in a body."""

    metadata: dict[str, str | float | int | bool | None] | None = None


class GivenFields(Fields):
    """Fields of an item that may be given when it is added."""

    type: str | None = None
    title: str | None = None
    tags: list[str] | None = None
    entities: list[str] | None = None
    tier: str | None = None
    confidence: float | None = None
    importance: float | None = None
    pinned: bool | None = None
    injectable: bool | None = None
    decay_rate: float | None = None
    event_at: Time | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    expires_at: Time | None = None
    session_id: str | None = None
    task_id: str | None = None
    narrative_id: str | None = None
    corpus_id: str | None = None
    rule_id: str | None = None
    provenance: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
