"""Runs of upkeep, their changes and leases, and what only upkeep reads or changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from simonides.domain.item import Usage, canonical_json
from simonides.domain.link import Link, Relation
from simonides.domain.run import LeftAlone, Run, RunChange, RunStatus
from simonides.domain.scope import Scope
from simonides.errors import NotFound
from simonides.ports.runs import (
    EVERY_RUN,
    JudgedPair,
    LeaseHolder,
    RevisionNumbers,
    RunSelection,
    StandingChange,
)
from simonides.storage.sql.rows import legible, parsed
from simonides.storage.sql.statement_reader import StatementReader

#: Fields of a selection of runs with their fragments.
RUN_FILTERS: Final = {
    "id": "id = :id",
    "job": "job = :job",
    "status": "status = :status",
    "over": "scope IN ('ALL', :over)",
    "parent": "parent = :parent",
    "undoes": "undoes = :undoes",
}
#: Columns of rows of runs, of their changes and of links, as fields of these but for the notes.
_RUN: Final = (
    "id", "job", "trigger", "scope", "started_at", "ended_at", "status", "counts", "notes", "error", "lease_until",
    "parent", "undoes",
)  # fmt: skip
_CHANGE: Final = (
    "number", "step", "kind", "item_id", "other_id", "entity_id", "before", "after", "details", "undone_by",
)  # fmt: skip
_LINK: Final = (
    "src", "dst", "rel", "predicate", "weight", "confidence", "evidence", "valid_from", "valid_until", "created_at",
)  # fmt: skip


class SqlRunReader(StatementReader):
    """Meets `ports.runs.RunReader`."""

    def revision_numbers(self, item_id: str) -> RevisionNumbers:
        item = self._item_key(item_id) or 0
        return RevisionNumbers(
            self._database.value("last_revision", item=item),
            self._database.value("revision_stood_for", item=item),
        )

    def runs(self, selection: RunSelection = EVERY_RUN, limit: int = 1 << 53) -> list[Run]:
        bound = {name: getattr(selection, name) for name in RUN_FILTERS}
        values = {name: str(value) for name, value in bound.items() if value is not None}
        conditions = (RUN_FILTERS[name] for name in values)
        rows = self._database.execute("runs_last_first", values | {"limit": limit}, "TRUE", *conditions)
        return [to_run(row) for row in rows]

    def run_changes(
        self, run_id: str, *, after: int = 0, limit: int = 1_000_000, left: bool = False
    ) -> list[RunChange]:
        rows = self._database.rows("run_changes", run=run_id, after=after, limit=limit, left=left)
        return [_change(row) for row in rows]

    def standing_changes(
        self,
        kinds: frozenset[str],
        *,
        item_id: str | None = None,
        other_id: str | None = None,
        entity_id: str | None = None,
        after: str | None = None,
    ) -> list[StandingChange]:
        values: dict[str, Any] = {"kinds": kinds, "after": after}
        if entity_id is not None:
            key: int | None = self._database.value("key_of_entity", id=entity_id)
            rows = self._database.rows("standing_changes_of_entity", entity=key, **values)
        else:
            item, other = (None if id_ is None else self._item_key(id_) for id_ in (item_id, other_id))
            rows = self._database.rows("standing_changes_of_item", item=item, other=other, **values)
        return [StandingChange(run, at, cast("dict[str, Any]", parsed(details))) for run, at, details in rows]

    def links_undone(
        self, item_ids: Sequence[str], relations: Iterable[Relation]
    ) -> list[tuple[str, str, Relation]]:
        keys = {item_id: self._item_key(item_id) for item_id in item_ids}
        here = [key for key in keys.values() if key is not None]
        moved = [item_id for item_id, key in keys.items() if key is None]
        rows: list[Sequence[Any]] = []
        if here:
            rows += self._database.rows("links_undone", keys=here, relations=relations)
        if moved:
            ids = moved
            rows += self._database.rows("links_undone_of_moved", ids=ids, relations=relations)
        return [(src, dst, Relation(rel)) for src, dst, rel in rows]

    def lease(self, name: str) -> LeaseHolder | None:
        row = next(self._database.rows("lease", name=name), None)
        return None if row is None else LeaseHolder(*row)

    def bookmark(self, job: str) -> int:
        return self._database.value("bookmark", job=job)

    def scopes_with_recent(
        self, scopes: tuple[Scope, ...] | None, types: frozenset[str], newest: int
    ) -> list[tuple[Scope, int]]:
        rows = self._database.rows(
            "scopes_with_recent", types=types, newest=newest, **self._seen_from(scopes)
        )
        return [(Scope(path), at) for path, at in rows]

    def judged_pairs(self, job: str | None = None, among: Sequence[str] | None = None) -> list[JudgedPair]:
        conditions = [] if job is None else ["j.job = :job"]
        values: dict[str, Any] = {"job": job}
        if among is not None:
            keys = [key for item_id in among if (key := self._item_key(item_id)) is not None]
            if not keys:
                return []
            conditions += [self._database.among("j.a", "keys"), self._database.among("j.b", "keys")]
            values["keys"] = keys
        rows = self._database.execute("judged_pairs", values, "TRUE", *conditions)
        return [JudgedPair(*row) for row in rows]

    def _link_keys(self, src: str, dst: str, rel: Relation) -> dict[str, Any]:
        return {"src": self._item_key(src) or 0, "dst": self._item_key(dst) or 0, "rel": rel.value}

    def _item_key(self, item_id: str) -> int | None:
        return self._database.value("key_of_item", id=item_id)


class SqlRunWriter(SqlRunReader):
    """Meets `ports.runs.RunWriter`."""

    def put_run(self, run: Run, changes: Sequence[RunChange] = ()) -> None:
        notes = {
            "degradations": list(run.degradations),
            "left_alone": [left.to_dict() for left in run.left_alone],
        }
        row = (
            run.id, run.job, run.trigger, run.scope, run.started_at, run.ended_at, run.status.value,
            canonical_json(dict(run.counts)), canonical_json({name: note for name, note in notes.items() if note}),
            run.error, run.lease_until, run.parent, run.undoes,
        )  # fmt: skip
        self._database.execute("put_run", row)
        self._database.executemany("add_run_change", [self._change_row(run.id, change) for change in changes])

    def _change_row(self, run_id: str, change: RunChange) -> tuple[Any, ...]:
        # An item that a later change of the same step moved out is named as `moving.remove` leaves it.
        keys: dict[str, int | None] = {}
        moved: dict[str, str] = {}
        for name, id_ in (("item", change.item_id), ("other", change.other_id)):
            keys[name] = None if id_ is None else self._item_key(id_)
            if id_ is not None and keys[name] is None:
                moved[f"moved_{name}"] = id_
        return (
            run_id, change.number, change.step, change.kind, keys["item"], keys["other"],
            self._entity_key(change.entity_id), change.before, change.after,
            canonical_json({**change.details, **moved}),
        )  # fmt: skip

    def mark_undone(self, run_id: str, numbers: Sequence[int], by: str) -> None:
        if numbers:
            values = {"run": run_id, "numbers": numbers, "by": by}
            self._database.execute("mark_undone", values)

    def drop_link(self, src: str, dst: str, rel: Relation) -> None:
        self._database.execute("drop_link", self._link_keys(src, dst, rel))

    def put_lease(self, name: str, held: LeaseHolder | None) -> None:
        if held is None:
            self._database.execute("drop_lease", {"name": name})
        else:
            self._database.execute("take_lease", (name, *held))

    def note_judged(self, job: str, a: str, b: str, at: int | None) -> bool:
        values = self._pair(a, b) | {"job": job}
        if at is None:
            self._database.execute("forget_judged", values)
        else:
            self._database.execute("note_judged", values | {"at": at})
        return self._database.changes() > 0

    def set_usage(self, item_id: str, usage: Usage) -> None:
        values = {
            "item": self._known_key(item_id),
            "reinforcement": usage.reinforcement,
            "usage_count": usage.usage_count,
            "last_used_at": usage.last_used_at,
            "last_hit_at": usage.last_hit_at,
        }
        self._database.execute("set_usage", values)

    def _pair(self, a: str, b: str) -> dict[str, int]:
        """The keys of a pair, the older item first."""
        keys = sorted(key for item_id in (a, b) if (key := self._known_key(item_id)) is not None)
        return {"a": keys[0], "b": keys[-1]}

    def _known_key(self, item_id: str | None) -> int | None:
        if item_id is None:
            return None
        key = self._item_key(item_id)
        if key is None:
            raise NotFound(f"there is no item {item_id!r}")
        return key

    def _entity_key(self, entity_id: str | None) -> int | None:
        if entity_id is None:
            return None
        key: int | None = self._database.value("key_of_entity", id=entity_id)
        if key is None:
            raise NotFound(f"there is no entity {entity_id!r}")
        return key


@legible
def to_run(row: Sequence[Any]) -> Run:
    """The run of a row, without its changes and parts."""
    values: dict[str, Any] = dict(zip(_RUN, row, strict=True))
    notes = cast("dict[str, Any]", parsed(values.pop("notes")))
    left_alone = [LeftAlone(tuple(left["item_ids"]), left["why"]) for left in notes.get("left_alone", ())]
    values |= {"status": RunStatus(values["status"]), "counts": parsed(values["counts"])}
    return Run(**values, degradations=tuple(notes.get("degradations", ())), left_alone=tuple(left_alone))


@legible
def _change(row: Sequence[Any]) -> RunChange:
    values: dict[str, Any] = dict(zip(_CHANGE, row, strict=True))
    values["details"] = parsed(values["details"])
    return RunChange(**values)


@legible
def to_link(row: Sequence[Any]) -> Link:
    """The link of a row of `links_of_items`, `link_of` or `every_link`."""
    values: dict[str, Any] = dict(zip(_LINK, row, strict=True))
    values["rel"] = Relation(values["rel"])
    return Link(**values)
