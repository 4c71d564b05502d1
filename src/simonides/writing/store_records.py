"""What a store knows beside its items, as JSON records: links, entities, sessions, judged pairs, runs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, Final, cast

from simonides.domain.entity import Entity, entity_type, fold, valid_name
from simonides.domain.ids import is_id
from simonides.domain.instant import instant, iso
from simonides.domain.link import Link, Relation
from simonides.domain.records import Session
from simonides.domain.run import LeftAlone, Run, RunChange, RunStatus
from simonides.domain.scope import ALL, Scope
from simonides.domain.text import valid_text
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import InvalidInput
from simonides.ports.copying import JudgedPair, KnownEntity
from simonides.ports.store import Reader, Writer
from simonides.writing.item_records import FORMAT

_TAKEN: Final = Verdict(Outcome.ACCEPTED, None)
_HERE: Final = Verdict(Outcome.MERGED, None, ("duplicate: it is here already",))
#: Refuses a text that the policy would not have: (the text, what it is).
Require = Callable[[str, str], None]


# Links


def link_of(record: Mapping[str, Any]) -> Link:
    """The link that a record tells of."""
    times = {
        name: instant(record[name], name=name)
        for name in ("valid_from", "valid_until", "created_at")
        if record.get(name) is not None
    }
    try:
        return Link(
            src=record["src"],
            dst=record["dst"],
            rel=Relation(record["rel"]),
            predicate=record.get("predicate"),
            weight=_finite(record.get("weight", 1.0)),
            confidence=_finite(record.get("confidence", 1.0)),
            evidence=record.get("evidence"),
            **times,
        )
    except (KeyError, ValueError, TypeError) as error:
        raise InvalidInput(f"the link cannot be read: {error}") from error


def load_link(tx: Writer, record: Mapping[str, Any], require: Require) -> Verdict:
    """Join two items that are here."""
    link = link_of(record)
    require(f"{link.predicate or ''}\n{link.evidence or ''}", "the evidence")
    tx.link(link)
    return _TAKEN


# Entities


def entity_record(known: KnownEntity) -> dict[str, Any]:
    """What is known of an entity; what mentions it stands with the items."""
    told = known.entity.to_dict()
    del told["mention_count"]
    return {"kind": "entity", "format": FORMAT} | told | {"merged": list(known.merged)}


def load_entity(tx: Writer, record: Mapping[str, Any], require: Require) -> Verdict:
    """Know an entity: as it was, or where a name of it is known here, as what that name means."""
    names = [valid_name(name) for name in (record["name"], *record.get("aliases", ()))]
    require("\n".join([*names, record.get("summary") or ""]), "a name or a summary")
    require(json.dumps(record.get("attributes") or {}, ensure_ascii=False), "an attribute")
    if record.get("format") == 1:
        return _told(tx, record, names, create=False)
    if not all(is_id(id_) for id_ in (record["id"], *record.get("merged", ()))):
        raise InvalidInput("an entity's id has not the form of one")
    return _told(tx, record, names, create=True)


def _told(tx: Writer, record: Mapping[str, Any], names: list[str], *, create: bool) -> Verdict:
    scope, name, aliases = Scope(record["scope"]), names[0], names[1:]
    kind, settled = entity_type(record["type"]), record.get("settled") is True
    here = tx.entity(record["id"]) if create else None
    keys = [key for _, key, _ in tx.entities_named([fold(each) for each in names], (scope,))]
    if here is not None and here[1].scope == scope:
        keys.insert(0, here[0])
    if not keys and not create:
        return Verdict(Outcome.REJECTED, None, (f"unknown: nothing in {scope!r} mentions {name!r}",))
    if not keys:
        last = record.get("last_seen_at")
        entity = Entity(
            id=record["id"],
            name=name,
            scope=scope,
            type=kind,
            settled=settled,
            aliases=tuple(aliases),
            summary=record.get("summary"),
            first_seen_at=instant(record["first_seen_at"], name="first_seen_at"),
            last_seen_at=None if last is None else instant(last, name="last_seen_at"),
            attributes=cast("Mapping[str, Any]", record.get("attributes") or {}),
        )
        tx.know(entity, record.get("merged", ()))
        return _TAKEN
    key = keys[0]
    before = tx.entities_by_key([key])[key]
    for other in dict.fromkeys(keys):
        if other != key:
            tx.merge_entities(key, other)
    tx.rename(key, name)
    for alias in aliases:
        tx.alias(key, alias)
    if settled:
        tx.retype(key, kind)
    if create:
        tx.lead([record["id"], *record.get("merged", ())], key)
        if before.summary is None and record.get("summary") is not None:
            tx.summarise(before.id, record["summary"])
    return _HERE if tx.entities_by_key([key])[key] == before else _TAKEN


# Sessions


def session_record(session: Session) -> dict[str, Any]:
    """What is known of a session."""
    return {"kind": "session", "format": FORMAT} | session.to_dict()


def load_session(tx: Writer, record: Mapping[str, Any], require: Require) -> Verdict:
    """Know a session; of one that is known here too, whichever went on longer counts."""
    scope, name = Scope(record["scope"]), valid_text(record["session_id"], name="session_id")
    require(name, "the name of a session")
    turns = int(record["turns"])
    if not 0 <= turns < 1 << 53:
        raise InvalidInput(f"{turns} turns are none")
    given = Session(
        name,
        scope,
        instant(record["first_seen_at"], name="first_seen_at"),
        instant(record["last_seen_at"], name="last_seen_at"),
        turns,
        _instant(record, "consolidated_at"),
        _instant(record, "ended_at"),
    )
    here = tx.session(scope, name)
    if here == given or (here is not None and _reach(here) > _reach(given)):
        return _HERE
    tx.put_session(given)
    return _TAKEN


def _reach(session: Session) -> tuple[int, int, int]:
    """How far a session had come."""
    return session.last_seen_at, session.turns, session.consolidated_at or 0


# Pairs that a job has judged


def judged_record(pair: JudgedPair) -> dict[str, Any]:
    """A pair of items that a job has looked at."""
    return {
        "kind": "judged", "format": FORMAT, "job": pair.job, "a": pair.a_id, "b": pair.b_id, "at": iso(pair.at)
    }  # fmt: skip


def load_judged(tx: Writer, record: Mapping[str, Any], require: Require) -> Verdict:
    """Note that a job has looked at a pair."""
    job = valid_text(record["job"], name="the job")
    require(job, "the job")
    new = tx.note_judged(job, record["a"], record["b"], instant(record["at"], name="at"))
    return _TAKEN if new else _HERE


def require_own(record: Mapping[str, Any], brought: AbstractSet[str]) -> None:
    """Refuse what a file that nobody vouches for says of items that it did not bring.

    Raises:
        InvalidInput: It is a pair, or a change of a run, about such items, or brings an approval back.
    """
    match record.get("kind"):
        case "judged":
            ids: set[Any] = {record["a"], record["b"]}
        case "change":
            given = cast("Mapping[str, Any]", record["change"])
            details = cast("Mapping[str, Any]", given.get("details") or {})
            ids = {given.get("item_id"), given.get("other_id"), *details.get("item_ids", ())} - {None}
            if given["kind"] == "hold" and "approved" in (details.get("verdict") or ()):
                raise InvalidInput(
                    "not taken over: an approval; a file that you vouch for is loaded as trusted"
                )
        case _:
            return
    if not ids <= brought:
        raise InvalidInput("it is about items that the file does not bring; load the file as trusted")


# Runs


def run_records(reader: Reader, whole: Callable[[Run, list[RunChange]], bool]) -> Iterator[dict[str, Any]]:
    """Runs in the order in which they began, then their changes.

    Args:
        whole: Whether a run may be told: all that it changed is told as well.
    """
    told: list[str] = []
    for run in reversed(reader.runs(1 << 53)):
        if whole(run, _changes(reader, run.id)):
            told.append(run.id)
            yield _run_record(run, frozenset(told))
    for run_id in told:
        for change in _changes(reader, run_id):
            given = {name: value for name, value in change.to_dict().items() if name != "lines"}
            yield {"kind": "change", "format": FORMAT, "run": run_id, "change": given}


def _changes(reader: Reader, run_id: str) -> list[RunChange]:
    """The changes of a run; items that are in the archive file, and merged entities, are named as all others are."""
    found: list[RunChange] = []
    for change in reader.run_changes(run_id):
        details = dict(change.details)
        item_id = details.pop("moved_item", change.item_id)
        other_id = details.pop("moved_other", change.other_id)
        entity = None if change.entity_id is None else reader.entity(change.entity_id)
        entity_id = change.entity_id if entity is None else entity[1].id
        found.append(
            replace(change, item_id=item_id, other_id=other_id, entity_id=entity_id, details=details)
        )
    return found


def _run_record(run: Run, told: frozenset[str]) -> dict[str, Any]:
    found = run.to_dict()
    for name in ("changes", "parts", "dry_run"):
        del found[name]
    found["parent"] = run.parent if run.parent in told else None
    found["undoes"] = run.undoes if run.undoes in told else None
    lease = None if run.lease_until is None else iso(run.lease_until)
    return {"kind": "run", "format": FORMAT} | found | {"lease_until": lease}


def load_run(tx: Writer, record: Mapping[str, Any], require: Require) -> Verdict:
    """Keep a run; of one that is here too, whichever came further counts."""
    run = _run(record)
    require("\n".join([run.job, run.trigger, run.error or "", *run.degradations]), "what a run tells")
    require("\n".join(left.why for left in run.left_alone), "what a run left alone")
    for other in (run.parent, run.undoes):
        if other is not None and tx.run(other) is None:
            raise InvalidInput(f"there is no run {str(other)[:80]!r} that the run belongs to")
    here = tx.run(run.id)
    if here is not None and (here == run or _STAGES[here.status] >= _STAGES[run.status]):
        return _HERE
    tx.put_run(run)
    return _TAKEN


#: A run that ended only changes by being undone.
_STAGES: Final = {RunStatus.RUNNING: 0, RunStatus.DONE: 1, RunStatus.FAILED: 1, RunStatus.UNDONE: 2}


def _run(record: Mapping[str, Any]) -> Run:
    if not is_id(record["id"]):
        raise InvalidInput("a run's id has not the form of one")
    scope = str(record["scope"])
    return Run(
        id=record["id"],
        job=valid_text(record["job"], name="the job"),
        trigger=valid_text(record["trigger"], name="the trigger"),
        scope=scope if scope == str(ALL) else str(Scope(scope)),
        started_at=instant(record["started_at"], name="started_at"),
        ended_at=_instant(record, "ended_at"),
        status=RunStatus(record["status"]),
        counts={str(name): int(count) for name, count in record["counts"].items()},
        left_alone=tuple(
            LeftAlone(tuple(map(str, left["item_ids"])), str(left["why"])) for left in record["left_alone"]
        ),
        degradations=tuple(map(str, record["degradations"])),
        error=None if record.get("error") is None else valid_text(record["error"], name="the error"),
        lease_until=_instant(record, "lease_until"),
        parent=record.get("parent"),
        undoes=record.get("undoes"),
    )


def load_change(tx: Writer, record: Mapping[str, Any], require: Require) -> Verdict:
    """Keep a change of a run that is here; only whole can it be told and taken back."""
    run_id, given = record["run"], cast("Mapping[str, Any]", record["change"])
    details = cast("Mapping[str, Any]", given.get("details") or {})
    require("\n".join(_texts(details)), "what a change tells")
    number, step = int(given["number"]), int(given["step"])
    if tx.run(run_id) is None:
        raise InvalidInput(f"there is no run {str(run_id)[:80]!r} that the change belongs to")
    change = RunChange(
        number=number,
        step=step,
        kind=valid_text(given["kind"], name="the kind"),
        item_id=given.get("item_id"),
        other_id=given.get("other_id"),
        entity_id=given.get("entity_id"),
        before=None if given.get("before") is None else int(given["before"]),
        after=None if given.get("after") is None else int(given["after"]),
        details=dict(details),
    )
    here = tx.run_changes(run_id, after=number - 1, limit=1)
    known = here[0] if here and here[0].number == number else None
    if known is None:
        for item_id in (change.item_id, change.other_id):
            if item_id is not None and tx.key(item_id) is None:
                raise InvalidInput(f"the change is about {str(item_id)[:80]!r}, which is not here")
        tx.add_run_changes(run_id, [change])
    undone_by = given.get("undone_by")
    if undone_by is not None and (known is None or known.undone_by is None):
        if tx.run(undone_by) is None:
            raise InvalidInput(f"there is no run {str(undone_by)[:80]!r} that took the change back")
        tx.mark_undone(run_id, [number], undone_by)
    elif known is not None:
        return _HERE
    return _TAKEN


def _texts(value: object) -> Iterator[str]:
    """Every text in a JSON value, names of fields included."""
    match value:
        case str():
            yield value
        case Mapping():
            for name, entry in cast("Mapping[str, Any]", value).items():
                yield name
                yield from _texts(entry)
        case list():
            for entry in cast("list[Any]", value):
                yield from _texts(entry)
        case _:
            pass


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is no weight")
    return number


def _instant(record: Mapping[str, Any], name: str) -> int | None:
    return None if record.get(name) is None else instant(record[name], name=name)


#: How a record of each kind is taken in.
LOADERS: Final[Mapping[str, Callable[[Writer, Mapping[str, Any], Require], Verdict]]] = {
    "link": load_link,
    "entity": load_entity,
    "session": load_session,
    "judged": load_judged,
    "run": load_run,
    "change": load_change,
}
