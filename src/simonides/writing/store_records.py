"""JSON records of a store beside its items: links, entities, sessions, judged pairs, runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from simonides.domain.entity import Entity, cut_name, entity_type
from simonides.domain.ids import is_id
from simonides.domain.instant import instant, iso
from simonides.domain.item import canonical_json, texts_in
from simonides.domain.link import Link, Relation
from simonides.domain.records import Session
from simonides.domain.run import LeftAlone, Run, RunChange, RunStatus
from simonides.domain.scope import ALL, GLOBAL, Scope
from simonides.domain.text import short_text
from simonides.errors import InvalidInput
from simonides.ports.copying import KnownEntity
from simonides.ports.entities import entity_of
from simonides.ports.runs import JudgedPair
from simonides.ports.store import Reader
from simonides.values import dataclass
from simonides.writing.item_records import FORMAT
from simonides.writing.json_fields import (
    Fields,
    fields_of,
    id_of,
    id_or_none,
    instant_or_none,
    list_of,
    number,
    text_of,
    text_or_none,
    texts_of,
    whole,
)

#: What is said of something, each with what it is: the policy looks at it.
Texts = Iterator[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """Contents of an entity's record.

    Attributes:
        merged: Ids of those that were merged into it.
        whole: False of format 1, which only told the names and the type of what items mention.
    """

    entity: Entity
    merged: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """A change of a run."""

    run_id: str
    change: RunChange


#: What a record of `export` tells beside items, read.
Told = Link | EntityRecord | Session | JudgedPair | Run | ChangeRecord


# Links


def read_link(record: Fields) -> Link:
    """The link that a record tells of."""
    rel = Relation(record["rel"])
    if rel is Relation.MENTIONS:
        raise InvalidInput("what an item mentions follows from its text; no link says it")
    return Link(
        src=id_of(record["src"], "the source"),
        dst=id_of(record["dst"], "the destination"),
        rel=rel,
        predicate=text_or_none(record, "predicate"),
        weight=number(record.get("weight", 1.0), "the weight"),
        confidence=number(record.get("confidence", 1.0), "the confidence"),
        evidence=text_or_none(record, "evidence"),
        valid_from=instant_or_none(record, "valid_from"),
        valid_until=instant_or_none(record, "valid_until"),
        created_at=instant_or_none(record, "created_at") or 0,
    )


# Entities


def entity_record(known: KnownEntity) -> dict[str, Any]:
    """Record of an entity; what mentions it stands with the items."""
    fields = known.entity.to_dict()
    del fields["mention_count"]
    return {"kind": "entity", "format": FORMAT} | fields | {"merged": list(known.merged)}


def read_entity(record: Fields) -> EntityRecord:
    """The entity that a record tells of."""
    complete = record.get("format") != 1
    attributes = fields_of(record.get("attributes") or {}, "attributes")
    canonical_json(attributes)
    entity = Entity(
        id=id_of(record["id"], "the entity's id") if complete else "",
        # Earlier releases took longer ones for names.
        name=cut_name(record["name"]),
        scope=Scope(record["scope"]),
        type=entity_type(record["type"]),
        settled=record.get("settled") is True,
        aliases=tuple(map(cut_name, list_of(record.get("aliases", []), "aliases"))),
        summary=text_or_none(record, "summary"),
        first_seen_at=instant(record["first_seen_at"], name="first_seen_at") if complete else 0,
        last_seen_at=instant_or_none(record, "last_seen_at"),
        attributes=attributes,
    )
    merged = tuple(id_of(id_, "a merged id") for id_ in list_of(record.get("merged", []), "merged"))
    return EntityRecord(entity, merged, complete)


# Sessions


def session_record(session: Session) -> dict[str, Any]:
    """Record of a session."""
    return {"kind": "session", "format": FORMAT} | session.to_dict()


def read_session(record: Fields) -> Session:
    """The session that a record tells of."""
    return Session(
        short_text(record["session_id"], name="session_id"),
        Scope(record["scope"]),
        instant(record["first_seen_at"], name="first_seen_at"),
        instant(record["last_seen_at"], name="last_seen_at"),
        whole(record["turns"], "turns"),
        instant_or_none(record, "consolidated_at"),
        instant_or_none(record, "ended_at"),
    )


# Pairs that a job has judged


def judged_record(pair: JudgedPair) -> dict[str, Any]:
    """A pair of items that a job has looked at."""
    return {
        "kind": "judged", "format": FORMAT, "job": pair.job, "a": pair.a_id, "b": pair.b_id, "at": iso(pair.at)
    }  # fmt: skip


def read_judged(record: Fields) -> JudgedPair:
    """The pair that a record tells of."""
    job = short_text(record["job"], name="the job")
    one, other = (id_of(record[name], f"the item {name}") for name in ("a", "b"))
    return JudgedPair(job, one, other, instant(record["at"], name="at"))


# Runs


def run_records(
    reader: Reader, is_told: Callable[[Run, Callable[[], Sequence[RunChange]]], bool]
) -> Iterator[dict[str, Any]]:
    """Runs in the order in which they began, then their changes.

    A run that was taken back by one that is not told is left out as well: its changes could not say that they are.

    Args:
        is_told: Whether a run may be told; its changes are read where they are asked for.
    """
    runs = reader.runs()[::-1]
    shown = [run for run in runs if is_told(run, lambda run=run: _changes(reader, run.id))]
    if len(shown) < len(runs):
        known = {None, *(run.id for run in shown)}
        shown = [run for run in shown if {change.undone_by for change in reader.run_changes(run.id)} <= known]
    before: dict[str, None] = {}
    for run in shown:
        before[run.id] = None
        yield _run_record(run, before.keys())
    for run_id in before:
        for change in _changes(reader, run_id):
            given = {name: value for name, value in change.to_dict().items() if name != "lines"}
            yield {"kind": "change", "format": FORMAT, "run": run_id, "change": given}


def _changes(reader: Reader, run_id: str) -> list[RunChange]:
    """The changes of a run; items that are in the archive file, and merged entities, are named as all others are."""
    changes: list[RunChange] = []
    for change in reader.run_changes(run_id):
        details = dict(change.details)
        item_id = details.pop("moved_item", change.item_id)
        other_id = details.pop("moved_other", change.other_id)
        entity = None if change.entity_id is None else entity_of(reader, change.entity_id)
        entity_id = change.entity_id if entity is None else entity[1].id
        changes.append(
            replace(change, item_id=item_id, other_id=other_id, entity_id=entity_id, details=details)
        )
    return changes


def _run_record(run: Run, ids: AbstractSet[str]) -> dict[str, Any]:
    fields = run.to_dict()
    for name in ("changes", "parts", "dry_run"):
        del fields[name]
    fields["parent"] = run.parent if run.parent in ids else None
    fields["undoes"] = run.undoes if run.undoes in ids else None
    lease = None if run.lease_until is None else iso(run.lease_until)
    return {"kind": "run", "format": FORMAT} | fields | {"lease_until": lease}


def read_run(record: Fields) -> Run:
    """The run that a record tells of."""
    scope = record["scope"]
    return Run(
        id=id_of(record["id"], "the run's id"),
        job=short_text(record["job"], name="the job"),
        trigger=short_text(record["trigger"], name="the trigger"),
        scope=scope if scope == str(ALL) else str(Scope(scope)),
        started_at=instant(record["started_at"], name="started_at"),
        ended_at=instant_or_none(record, "ended_at"),
        status=RunStatus(record["status"]),
        counts={
            name: whole(count, "a count") for name, count in fields_of(record["counts"], "counts").items()
        },
        left_alone=tuple(
            LeftAlone(texts_of(left["item_ids"], "an id"), text_of(left["why"], "why"))
            for left in list_of(record["left_alone"], "left_alone")
        ),
        degradations=texts_of(record["degradations"], "a degradation"),
        error=text_or_none(record, "error"),
        lease_until=instant_or_none(record, "lease_until"),
        parent=id_or_none(record, "parent"),
        undoes=id_or_none(record, "undoes"),
    )


def read_change(record: Fields) -> ChangeRecord:
    """The change that a record tells of."""
    given = fields_of(record["change"], "the change")
    details = fields_of(given.get("details") or {}, "details")
    canonical_json(details)
    change = RunChange(
        number=whole(given["number"], "number", 1),
        step=whole(given["step"], "step"),
        kind=short_text(given["kind"], name="the kind"),
        item_id=id_or_none(given, "item_id"),
        other_id=id_or_none(given, "other_id"),
        entity_id=id_or_none(given, "entity_id"),
        before=None if given.get("before") is None else whole(given["before"], "before"),
        after=None if given.get("after") is None else whole(given["after"], "after"),
        details=dict(details),
        undone_by=id_or_none(given, "undone_by"),
    )
    return ChangeRecord(id_of(record["run"], "the run's id"), change)


#: How a record of each kind is read.
READERS: Mapping[str, Callable[[Fields], Told]] = {
    "link": read_link,
    "entity": read_entity,
    "session": read_session,
    "judged": read_judged,
    "run": read_run,
    "change": read_change,
}


def texts(record: Told) -> Texts:
    """Every text of a record that is not one of a closed set of words."""
    match record:
        case Link():
            yield f"{record.predicate or ''}\n{record.evidence or ''}", "the evidence"
        case EntityRecord(entity=entity):
            yield "\n".join([*entity.names, entity.summary or ""]), "a name or a summary"
            yield "\n".join(texts_in(entity.attributes)), "an attribute"
            yield _path(entity.scope), "the scope"
        case Session():
            yield record.session_id, "the name of a session"
            yield _path(record.scope), "the scope"
        case JudgedPair():
            yield record.job, "the job"
        case Run():
            yield (
                "\n".join([record.job, record.trigger, record.error or "", *record.degradations]),
                "what a run tells",
            )
            yield (
                "\n".join([*(left.why for left in record.left_alone), *record.counts]),
                "what a run left alone",
            )
            yield _path(record.scope), "the scope"
        case ChangeRecord(change=change):
            texts = (text for text in texts_in(change.details) if not is_id(text))
            yield "\n".join([change.kind, *texts]), "what a change tells"


def _path(scope: str) -> str:
    return "" if scope in (GLOBAL, str(ALL)) else str(scope)
