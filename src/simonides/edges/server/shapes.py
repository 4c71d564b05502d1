"""Forms of answers, as the OpenAPI document has them: what `to_dict` of each value writes."""

from __future__ import annotations

from collections.abc import Mapping
from types import GenericAlias
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from simonides import Act, Outcome, Status, Tier, Validation
from simonides.domain.provenance import Origin, SourceKind, Trust

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Share = Annotated[float, Field(ge=0, le=1)]


NumbersJson = dict[str, int]
DeletedJson = dict[str, bool]
StatsJson = dict[str, Any]


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


class ItemPageJson(Json):
    """Some items of a list; the cursor leads to the next, null after the last."""

    items: list[ItemJson]
    cursor: str | None
    hints: list[str]


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
    superseded_by: str | None
    superseded_parts: dict[str, str]
    outdated_by: str | None


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
    hints: list[str]


class ContextResultJson(Json):
    """Text for a prompt, and what it was made of."""

    text: str
    items: list[ItemJson]
    tokens: int
    mode: str
    injection_id: str | None
    abstained: bool
    degradations: list[str]
    hints: list[str]
    least_tokens: int | None


class CandidatesJson(Json):
    """Items that words may have meant; nothing was changed."""

    hits: list[HitJson]
    reason: str


class OneOrSeveralJson(Json):
    """The item that is meant, or those that may be; then nothing was changed."""

    item: ItemJson | None
    candidates: CandidatesJson | None


class CorrectedJson(Json):
    """The verdict on a correction, or the items that may be meant."""

    verdict: VerdictJson | None
    candidates: CandidatesJson | None


class WeakItemJson(Json):
    item: ItemJson
    effective_confidence: float


class RevisionJson(Json):
    """The full state of an item as one change left it."""

    number: int
    at: Time
    reason: str
    run_id: str | None
    item: ItemJson


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


class AuditEventJson(Json):
    """An entry of the audit log: ids and keyed hashes, never text."""

    number: int
    at: Time
    action: str
    item_id: str | None
    scope: str | None
    actor: str
    details: dict[str, Any]
    content_hash: str


class StoredVerdictJson(Json):
    verdict: str
    reasons: list[str]
    why_store: str | None
    actor: str
    at: Time


class PlaceJson(Json):
    """Position of an item in the palace."""

    domain: str
    room: str
    shelf: str
    card: str


class ExplanationJson(Json):
    """Provenance of an item, and its present weight."""

    item: ItemJson
    effective_confidence: float
    retention: float
    verdict: StoredVerdictJson | None
    revisions: list[RevisionJson]
    links: list[LinkJson]
    events: list[AuditEventJson]
    place: PlaceJson | None


class DerivedJson(Json):
    """An item that was made from others, and what becomes of it."""

    item: ItemJson
    sources: list[str]
    others: list[str]
    how: str
    moved: bool
    then: str


class NodeJson(Json):
    id: str
    kind: str
    type: str
    label: str
    status: str | None
    depth: int
    path: list[str]


class JointJson(Json):
    src: str
    dst: str
    rel: str
    weight: float


class GraphJson(Json):
    """Surroundings of an item: nodes, the nearest first, and the links between them."""

    nodes: list[NodeJson]
    edges: list[JointJson]


class NotedJson(Json):
    noted: int


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


class EntityJson(Json):
    """Something that items mention by name."""

    id: str
    name: str
    type: str
    settled: bool
    scope: str
    aliases: list[str]
    summary: str | None
    mention_count: int
    first_seen_at: Time
    last_seen_at: Time | None
    attributes: dict[str, Any]


class RelatedJson(Json):
    id: str
    name: str
    type: str
    shared: int


class MergedEntityJson(Json):
    """An entity that was merged into another, as it was."""

    id: str
    names: list[str]
    scope: str


class EntityProfileJson(Json):
    """All that is known of an entity."""

    entity: EntityJson
    facts: list[ItemJson]
    timeline: list[ItemJson]
    related: list[RelatedJson]
    merged: list[MergedEntityJson]


class AlikeJson(Json):
    """Two entities that may be one."""

    keep: EntityJson
    other: EntityJson
    why: str


class SessionJson(Json):
    session_id: str
    scope: str
    first_seen_at: Time
    last_seen_at: Time
    turns: int
    consolidated_at: Time | None
    ended_at: Time | None


class ExtractedJson(Json):
    """Something that turns state, and what became of it."""

    content: str
    type: str
    by: str
    source_ids: list[str]
    verdict: VerdictJson | None


class ExtractReportJson(Json):
    """Outcome of the turns that waited."""

    turns: int
    found: list[ExtractedJson]
    sessions: list[str]
    ended: list[str]
    narratives: list[str]
    put_off: int
    degradations: list[str]
    dropped: list[str]
    run_id: str | None
    dry_run: bool


class RecordJson(Json):
    """A JSON value under a space and a key."""

    space: list[str]
    key: str
    value: Any
    scope: str
    item_id: str
    created_at: Time
    updated_at: Time
    expires_at: Time | None
    ttl_s: float | None


RecordOrNoneJson = RecordJson | None


class FoundRecordJson(Json):
    record: RecordJson
    score: float | None


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


class ContradictedJson(Json):
    """Two items that say different things of the same."""

    older: ItemJson
    newer: ItemJson
    differ: str
    evidence: str


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


class LeftAloneJson(Json):
    item_ids: list[str]
    why: str


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


class PeriodJson(Json):
    start: Time
    end: Time
    standing: dict[str, int]
    turns: int
    added: int
    held: int
    merges: int
    merged: int
    promoted: int
    archived: int
    restored: int
    runs: int
    failed: int


class GrowthJson(Json):
    """Growth of the store, period by period."""

    by: str
    at: Time
    periods: list[PeriodJson]


class TrialJson(Json):
    """Judgement of the policy on a text that was not stored."""

    text: str
    outcome: Outcome
    reasons: list[str]
    stored: str | None
    findings: list[dict[str, Any]]


class ProblemsJson(Json):
    """Problems of the store; none if all is well."""

    problems: list[str]


class CountsJson(Json):
    """Cards by the name of a place."""

    places: dict[str, int]


class RoomJson(Json):
    domain: str
    room: str
    cards: int


class ShelfJson(RoomJson):
    shelf: str


class JobsJson(Json):
    """Jobs of upkeep, with what each does."""

    jobs: dict[str, str]


class LoadResultJson(Json):
    """One verdict per line, in order."""

    verdicts: list[VerdictJson]


class CorpusJson(Json):
    """A body of documents."""

    name: str
    scope: str
    label: str
    parent: str | None
    injectable: bool
    documents: int
    chunks: int


class DocumentJson(Json):
    """A document, as it was read last; `refused` names lines that stay out, with the reason."""

    path: str
    corpus: str
    scope: str
    item_id: str
    sha256: str
    size: int
    kind: str
    title: str
    lines: int
    chunks: int
    ingested_at: Time
    refused: list[str]


class ComparisonJson(Json):
    """Two corpora beside each other, by citations of chunks."""

    first: str
    second: str
    added: list[str]
    removed: list[str]
    modified: list[tuple[str, str]]
    unchanged: int
    drift: float


class ArchivedJson(Json):
    archived: int


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


class BackfillJson(Json):
    embedded: int


class ReindexJson(Json):
    """The index that compares vectors now, and their number, in words."""

    index: str


class RebuildJson(Json):
    rebuilt: bool


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


def _list(name: str, member: Any) -> type[Json]:
    items: dict[str, Any] = {"items": (GenericAlias(list, member), ...)}
    return create_model(name, __base__=Json, **items)


#: Forms of lists by name: objects whose `items` are of another form.
LISTS: Final[Mapping[str, type[Json]]] = {
    name: _list(name, member)
    for name, member in {
        "ItemsJson": ItemJson,
        "WeakItemsJson": WeakItemJson,
        "RevisionsJson": RevisionJson,
        "AuditEventsJson": AuditEventJson,
        "DerivedsJson": DerivedJson,
        "InjectionsJson": InjectionJson,
        "EntitiesJson": EntityJson,
        "AlikesJson": AlikeJson,
        "SessionsJson": SessionJson,
        "RecordsJson": RecordJson,
        "FoundRecordsJson": FoundRecordJson,
        "RecordVersionsJson": RecordVersionJson,
        "SpacesJson": list[str],
        "QuarantinedsJson": QuarantinedJson,
        "ContradictedsJson": ContradictedJson,
        "RunsJson": RunJson,
        "RoomsJson": RoomJson,
        "ShelvesJson": ShelfJson,
        "CorporaJson": CorpusJson,
        "DocumentsJson": DocumentJson,
        "AppointmentsJson": AppointmentJson,
        "BackupsJson": BackupJson,
        "LongOperationsJson": LongOperationJson,
    }.items()
}
