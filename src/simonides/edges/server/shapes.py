"""Forms of answers, as the OpenAPI document has them: what `to_dict` of each value writes."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from simonides import Act, Outcome, Status, Tier, Validation
from simonides.domain.provenance import Origin, SourceKind, Trust

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Share = Annotated[float, Field(ge=0, le=1)]


class Json(BaseModel):
    """Form of an answer."""

    model_config = ConfigDict(extra="forbid")


class ProvenanceJson(Json):
    source_kind: SourceKind
    source_id: str | None
    source_role: str | None
    chunk_ids: list[str]
    content_hashes: list[str]
    span: list[int] | None


class ItemJson(Json):
    """One memory."""

    id: str
    title: str
    content: str
    type: str
    scope: str
    tier: Tier
    status: Status
    validation: Validation
    origin: Origin
    trust: Trust
    confidence: Share
    importance: Share
    injectable: bool
    pinned: bool
    decay_rate: float
    superseded_by: str | None
    session_id: str | None
    task_id: str | None
    narrative_id: str | None
    corpus_id: str | None
    rule_id: str | None
    ordinal: int | None
    tags: list[str]
    entities: list[str]
    provenance: ProvenanceJson
    metadata: dict[str, Any]
    content_hash: str
    reinforcement: float
    usage_count: int
    event_at: Time | None
    valid_from: Time | None
    valid_until: Time | None
    expires_at: Time | None
    created_at: Time
    updated_at: Time
    last_used_at: Time | None
    last_hit_at: Time | None


class PageJson(Json):
    """Some items of a list; the cursor leads to the next, null after the last."""

    items: list[ItemJson]
    cursor: str | None


class VerdictJson(Json):
    """The end of one input: the item that holds it now, and why."""

    outcome: Outcome
    item_id: str | None
    reasons: list[str]


class AddResultJson(Json):
    """One verdict per input, in order."""

    verdicts: list[VerdictJson]
    session_id: str | None


class HitJson(Json):
    """An item that answers, and why."""

    item: ItemJson
    act: Act
    score: float
    relevance: float
    signals: dict[str, float]
    matches: dict[str, float]
    moved: bool
    excerpt: str


class MissedJson(Json):
    """A candidate that is no hit, and why."""

    item: ItemJson
    score: float
    relevance: float
    reason: str


class SearchResultJson(Json):
    """The answer to a question, best hits first."""

    hits: list[HitJson]
    abstained: bool
    hidden: int
    strategy: str
    degradations: list[str]
    confidence: Share
    analysis: dict[str, Any]
    trace: dict[str, Any] | None
    missed: list[MissedJson]


class ContextResultJson(Json):
    """Text for a prompt, and what it was made of."""

    text: str
    items: list[ItemJson]
    tokens: int
    mode: str
    injection_id: str | None
    abstained: bool
    degradations: list[str]


class CandidateJson(Json):
    id: str
    content: str
    relevance: float


class CandidatesJson(Json):
    """Items that words may have meant; nothing was changed."""

    candidates: list[CandidateJson]
    reason: str


class ProblemJson(BaseModel):
    """An error, as RFC 9457 has it; `detail` says what happened and what to do."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str
