"""Forms of answers, as the OpenAPI document has them: what `to_dict` of each value writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from inspect import getdoc
from types import GenericAlias, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from simonides import (
    Act,
    AddResult,
    Candidates,
    Comparison,
    ContextResult,
    Contradicted,
    Corpus,
    Derived,
    Document,
    Explanation,
    ExtractReport,
    Graph,
    Growth,
    Hit,
    Item,
    ItemPage,
    LoadResult,
    Outcome,
    Record,
    Scope,
    SearchResult,
    Status,
    Tier,
    Validation,
    Verdict,
)
from simonides.domain.entity import Entity, EntityProfile, Related
from simonides.domain.link import Link
from simonides.domain.provenance import Origin, SourceKind, Trust
from simonides.domain.records import AuditEvent, Place, Revision, Session
from simonides.domain.written import fields_written, is_instant

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
    headline: str
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


class LinkJson(Json):
    """An edge from one item to another."""

    src: str
    dst: str
    rel: str
    predicate: str | None = None
    weight: float
    confidence: float
    evidence: str | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    created_at: Time | None = None


class PlaceJson(Json):
    """Position of an item in the palace."""

    domain: str
    room: str
    shelf: str
    card: str


class InjectedJson(Json):
    """An item of an injection; of `why` with how it stands now."""

    id: str
    score: float
    signals: dict[str, float] | None = None
    state: str | None = None
    content: str | None = None
    title: str | None = None
    superseded_by: str | None = None
    injected_text: str | None = None


class InjectionJson(Json):
    """The items that were put into one prompt, with their scores."""

    id: str
    at: Time
    scope: str
    mode: str
    query: str
    items: list[InjectedJson]
    tokens: int
    session_id: str | None


class RelatedJson(Json):
    id: str
    name: str
    type: str
    shared: int


class RecordVersionJson(Json):
    number: int
    value: Any
    at: Time
    reason: str


class QuarantinedJson(Json):
    """An item that waits for a decision, and why."""

    item: ItemJson
    reasons: list[str]
    why_store: str | None
    actor: str
    wished: dict[str, Any] | None


class LeftAloneJson(Json):
    item_ids: list[str]
    why: str


class RunChangeJson(Json):
    number: int
    step: int
    kind: str
    item_id: str | None = None
    other_id: str | None = None
    entity_id: str | None = None
    before: int | None = None
    after: int | None = None
    details: dict[str, Any] | None = None
    undone_by: str | None = None
    lines: list[str] | None = None


class RunPartJson(Json):
    """One execution of a job."""

    id: str
    job: str
    trigger: str
    scope: str
    status: str
    started_at: Time
    ended_at: Time | None
    counts: dict[str, int]
    left_alone: list[LeftAloneJson]
    degradations: list[str]
    error: str | None
    dry_run: bool
    parent: str | None
    undoes: str | None
    parts: list[RunPartJson]


class RunJson(RunPartJson):
    """One execution of a job, with what it changed."""

    changes: list[RunChangeJson]


class TrialJson(Json):
    """Judgement of the policy on a text that was not stored."""

    text: str
    outcome: Outcome
    reasons: list[str]
    stored: str | None
    findings: list[dict[str, Any]]


class RoomJson(Json):
    domain: str
    room: str
    cards: int


class ShelfJson(RoomJson):
    shelf: str


class AppointmentJson(Json):
    """Last and next run of a job."""

    job: str
    setting: str
    cron: str
    last_run: str | None
    last_at: Time | None
    next_at: Time | None
    due: bool


class DamageJson(Json):
    area: str
    message: str


class DoctorReportJson(Json):
    """Damage that was found: none, if all is well."""

    healthy: bool
    problems: list[DamageJson]
    backend: dict[str, Any]


class BackupJson(Json):
    """A copy of the store, in the folder of copies beside it."""

    name: str
    bytes: int
    made_at: Time


class RefusedPartJson(Json):
    place: str
    reason: str


class ImportReportJson(Json):
    """Report of an import."""

    kind: str
    dry_run: bool
    counts: dict[str, dict[str, int]]
    left_out: dict[str, int]
    reasons: dict[str, int]
    refused: list[RefusedPartJson]


class ProgressJson(Json):
    """Progress of an operation: what is done, how much of it, of how much."""

    stage: str
    done: int
    total: int | None


class LongOperationJson(Json):
    """An operation that goes on behind its request; `answer` without texts of memories, or `problem`, at its end."""

    id: str
    name: str
    scope: str
    actor: str
    status: Literal["running", "done", "failed", "cancelled", "interrupted"]
    progress: ProgressJson | None
    started_at: Time
    ended_at: Time | None
    answer: Any
    problem: Any


class ProblemJson(BaseModel):
    """An error, as RFC 9457 has it; `detail` says what happened and what to do."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str


def _object(name: str, about: str | None = None, /, **members: Any) -> type[Json]:
    """Form of an object with these members."""
    every: dict[str, Any] = {member: (hint, ...) for member, hint in members.items()}
    return create_model(f"{name}Json", __base__=Json, __doc__=about, **every)


#: Forms of classes whose values write themselves otherwise than field by field, and of those that were made.
_FORMS: Final[dict[Any, Any]] = {Item: ItemJson, Link: LinkJson, Place: PlaceJson, Related: RelatedJson}
#: What a class has only for a type checker.
_UNLOADED: Final = {"Trace": dict[str, Any]}


def _form(kind: Any, **otherwise: Any) -> Any:
    """Form of the values of a class: its fields as they are written, and what it is.

    Args:
        otherwise: Members that it writes otherwise, or beside its fields.
    """
    if kind not in _FORMS:
        hints = get_type_hints(kind, localns=_UNLOADED)
        members = {field.name: _member(hints[field.name], field.name) for field in fields_written(kind)}
        about = (getdoc(kind) or kind.__name__).partition("\n\n")[0]
        _FORMS[kind] = _object(kind.__name__, about, **members | otherwise)
    return _FORMS[kind]


def _member(hint: Any, name: str = "") -> Any:
    """Form that a field of a type has as JSON."""
    if hint is int and is_instant(name):
        return Time
    if is_dataclass(hint):
        return _form(hint)
    of, inner = get_origin(hint), get_args(hint)
    if of in (Union, UnionType):
        return Union[tuple(_member(one, name) for one in inner)]  # noqa: UP007 - of types that are known here
    if of is tuple and inner[1:] == (...,):
        return GenericAlias(list, _member(inner[0]))
    if of is Mapping:
        return GenericAlias(dict, tuple(map(_member, inner)))
    return str if hint is Scope else hint


HitJson = _form(Hit, act=Act)
CandidatesJson = _form(Candidates)
EntityJson, RecordJson, VerdictJson = _form(Entity), _form(Record), _form(Verdict)
WeakItemJson = _object("WeakItem", item=ItemJson, effective_confidence=float)
AlikeJson = _object("Alike", "Two entities that may be one.", keep=EntityJson, other=EntityJson, why=str)
FoundRecordJson = _object("FoundRecord", record=RecordJson, score=float | None)

#: Forms of answers by name, beside those that are classes here.
ANSWERS: Final[Mapping[str, Any]] = {
    **{
        f"{kind.__name__}Json": _form(kind)
        for kind in (
            *(AddResult, Comparison, ContextResult, Corpus, Document, Entity, EntityProfile, Explanation),
            *(ExtractReport, Graph, Growth, ItemPage, LoadResult, Verdict),
        )
    },
    "ArchivedJson": _object("Archived", archived=int),
    "BackfillJson": _object("Backfill", embedded=int),
    "CorrectedJson": _object(
        "Corrected",
        "The verdict on a correction, or the items that may be meant.",
        verdict=VerdictJson | None,
        candidates=CandidatesJson | None,
    ),
    "CountsJson": _object("Counts", "Cards by the name of a place.", places=dict[str, int]),
    "DeletedJson": dict[str, bool],
    "JobsJson": _object("Jobs", "Jobs of upkeep, with what each does.", jobs=dict[str, str]),
    "NotedJson": _object("Noted", noted=int),
    "NumbersJson": dict[str, int],
    "OneOrSeveralJson": _object(
        "OneOrSeveral",
        "The item that is meant, or those that may be; then nothing was changed.",
        item=ItemJson | None,
        candidates=CandidatesJson | None,
    ),
    "ProblemsJson": _object("Problems", "Problems of the store; none if all is well.", problems=list[str]),
    "RebuildJson": _object("Rebuild", rebuilt=bool),
    "RecordJson": RecordJson,
    "RecordOrNoneJson": RecordJson | None,
    "ReindexJson": _object(
        "Reindex", "The index that compares vectors now, and their number, in words.", index=str
    ),
    "SearchResultJson": _form(SearchResult, confidence=Share),
    "StatsJson": dict[str, Any],
    **{
        # Lists are objects whose `items` are of another form.
        f"{name}Json": _object(name, items=GenericAlias(list, member))
        for name, member in {
            "Items": ItemJson,
            "WeakItems": WeakItemJson,
            "Revisions": _form(Revision),
            "AuditEvents": _form(AuditEvent),
            "Deriveds": _form(Derived),
            "Injections": InjectionJson,
            "Entities": EntityJson,
            "Alikes": AlikeJson,
            "Sessions": _form(Session),
            "Records": RecordJson,
            "FoundRecords": FoundRecordJson,
            "RecordVersions": RecordVersionJson,
            "Spaces": list[str],
            "Quarantineds": QuarantinedJson,
            "Contradicteds": _form(Contradicted),
            "Runs": RunJson,
            "Rooms": RoomJson,
            "Shelves": ShelfJson,
            "Corpora": _form(Corpus),
            "Documents": _form(Document),
            "Appointments": AppointmentJson,
            "Backups": BackupJson,
            "LongOperations": LongOperationJson,
        }.items()
    },
}
