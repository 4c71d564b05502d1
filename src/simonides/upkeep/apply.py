"""Applying a step inside a transaction: by id and version, so that what changed meanwhile is left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from simonides.domain.item import UNUSED, Item, Status, Usage
from simonides.domain.link import Link
from simonides.domain.records import AuditEvent
from simonides.domain.run import RunChange
from simonides.errors import Conflict, NotFound
from simonides.governance.wishes import wish_of
from simonides.ports.store import StoredVerdict, Writer
from simonides.upkeep.change import (
    AddLink,
    Assign,
    Change,
    Compact,
    Create,
    DropLink,
    DropVectors,
    EndSession,
    Gain,
    HoldBack,
    Judged,
    MarkSession,
    Move,
    NoteRefusal,
    PutOff,
    Revise,
    SetVectors,
    Summarise,
    TakeTurns,
)
from simonides.upkeep.job import Step
from simonides.upkeep.prepare import Prepared, touched
from simonides.writing.holders import holder as holder_of


class Stale(Exception):
    """What a step was made from is no longer so."""

    def __init__(self, why: str, *item_ids: str) -> None:
        super().__init__(why)
        self.why = why
        self.item_ids = item_ids


@dataclass(frozen=True, slots=True)
class Applier:
    """Applies steps of one run.

    Attributes:
        at: The present instant.
    """

    tx: Writer
    run_id: str
    at: int

    def apply(self, prepared: Prepared, step_number: int, last_number: int) -> list[RunChange]:
        """Apply a step; what the store is to keep of its changes, numbered behind `last_number`.

        Raises:
            Stale: An item changed or went meanwhile, or its content is taken. The caller takes back
                whatever was written.
        """
        self._require_current(prepared.step)
        done: list[RunChange] = []
        for change in prepared.step.changes:
            try:
                told = self._change(change, prepared)
            except (Conflict, NotFound) as error:
                raise Stale(str(error), *touched(prepared.step)) from error
            if told is None:
                continue
            number = last_number + len(done) + 1
            done.append(replace(told, number=number, step=step_number, lines=change.lines()))
        return done

    def _require_current(self, step: Step) -> None:
        made = {change.new.item.id for change in step.changes if isinstance(change, Create)}
        states = [(item_id, before) for item_id, before in _states(step) if item_id not in made]
        wanted = {item.id: item for item in step.reads} | dict(reversed(states))  # The first of each counts.
        found = self.tx.get([*wanted, *touched(step)])
        for item_id, before in wanted.items():
            now = found.get(item_id)
            if now is None:
                raise Stale("an item went meanwhile", item_id)
            if not is_same(before, now):
                raise Stale("an item changed meanwhile", item_id)
        for item_id in touched(step):
            if item_id not in found:
                raise Stale("an item went meanwhile", item_id)
        for link in (change.link for change in step.changes if isinstance(change, AddLink)):
            for end in (link.src, link.dst):
                if end in found and found[end].status is Status.QUARANTINED:
                    raise Stale("an item that would be linked is quarantined", end)

    def _change(self, change: Change, prepared: Prepared) -> RunChange | None:
        """Make a change; what is to be kept of it, None where all was so already."""
        match change:
            case Create():
                return self._create(change, prepared)
            case Revise():
                return self._revise(change, prepared)
            case HoldBack():
                return self._hold(change)
            case AddLink():
                return self._link(change.link)
            case DropLink(link):
                before = self.tx.drop_link(link.src, link.dst, link.rel)
                if before is None:
                    return None
                return _kept(
                    "unlink", link.src, other_id=link.dst, rel=link.rel.value, before=link_row(before)
                )
            case Judged(job, a_id, b_id):
                new = self.tx.note_judged(job, a_id, b_id, self.at)
                return _kept("judged", a_id, other_id=b_id, job=job) if new else None
            case Assign(place):
                before = self.tx.assignment(place.item_id)
                self.tx.assign(place)
                if before == place:
                    return None
                former = None if before is None else [before.domain, before.room, before.shelf]
                return _kept(
                    "place", place.item_id, after=[place.domain, place.room, place.shelf], before=former
                )
            case Summarise():
                return self._summarise(change)
            case MarkSession(session_id, scope, consolidated_at):
                before = self.tx.mark_session(scope, session_id, consolidated_at)
                if before == consolidated_at:
                    return None
                return _kept(
                    "session",
                    None,
                    session_id=session_id,
                    scope=str(scope),
                    before=before,
                    after=consolidated_at,
                )
            case TakeTurns(session_id, item_ids):
                waits = self._waiting(item_ids)
                self.tx.take_turns(item_ids)
                return _kept("extracted", None, session_id=session_id, item_ids=list(item_ids), waits=waits)
            case NoteRefusal(content, reasons, actor):
                event = AuditEvent(
                    action="refuse",
                    at=self.at,
                    actor=actor,
                    details={"reasons": list(reasons)},
                    content_hash=self.tx.keyed_hash(content),
                )
                self.tx.record([event])
                return None
            case PutOff(session_id, item_ids, error, retry_at):
                waits = self._waiting(item_ids)
                self.tx.put_off(item_ids, error, retry_at)
                return _kept(
                    "put off",
                    None,
                    session_id=session_id,
                    item_ids=list(item_ids),
                    retry_at=retry_at,
                    waits=waits,
                )
            case EndSession(session_id, scope, at):
                if not self.tx.end_session(scope, session_id, at):
                    return None
                return _kept("ended", None, session_id=session_id, scope=str(scope), after=at)
            case Gain(item_id, by):
                return self._gain(item_id, by)
            case SetVectors():
                return self._vectors(change)
            case DropVectors(model, count):
                self.tx.set_vectors_aside(model.fingerprint, self.run_id)
                return _kept(
                    "dropped vectors", None, model=model.name, fingerprint=model.fingerprint, count=count
                )
            case Move(items):
                self.tx.set_aside([item.id for item in items])
                return _kept("moved", None, item_ids=[item.id for item in items])
            case Compact():  # The runner does it, once the step is durable.
                self.tx.clear_vectors_aside()
                return _kept("compacted", None)
            case _:
                assert_never(change)

    def _waiting(self, item_ids: Sequence[str]) -> list[list[Any]]:
        """How turns wait: of each whether it failed, tries, error, and when it is tried again."""
        keys = [self.tx.key(item_id) for item_id in item_ids]
        found = self.tx.buffered([key for key in keys if key is not None])
        if len(found) < len(item_ids):
            raise Stale("somebody else extracted from these turns", *item_ids[:1])
        return [list(found[key][1:]) for key in keys if key is not None]

    def _create(self, change: Create, prepared: Prepared) -> RunChange:
        item = change.new.item
        self._require_untaken(item)
        guessed = self.tx.insert([change.new], prepared.model, self.run_id)
        if item.usage != UNUSED:
            self.tx.set_usage(item.id, item.usage)
        return replace(
            _kept("create", item.id, reason=change.new.action, guessed=list(guessed) or None), after=1
        )

    def _revise(self, change: Revise, prepared: Prepared) -> RunChange:
        now = self.tx.get([change.before.id])[change.before.id]
        after = change.after
        if after.confidence == change.before.confidence:
            # What it gained by use since the plan read it stays.
            after = replace(after, confidence=now.confidence)
        after = replace(after, updated_at=max(self.at, now.updated_at))
        if after.status is Status.ACTIVE:
            self._require_untaken(after)
        number = self.tx.last_revision(after.id)
        guessed = self.tx.revise(
            after,
            reason=change.reason,
            action=change.action or change.reason,
            actor="upkeep",
            run_id=self.run_id,
            vector=change.vector,
            model=None if change.vector is None else prepared.model,
            names=change.names,
        )
        told = _kept(
            "revise",
            after.id,
            reason=change.reason,
            confidence=now.confidence,
            guessed=list(guessed) or None,
        )
        return replace(told, before=number, after=number + 1)

    def _hold(self, change: HoldBack) -> RunChange:
        now = self.tx.get([change.before.id])[change.before.id]
        held = replace(
            now, status=Status.QUARANTINED, injectable=False, updated_at=max(self.at, now.updated_at)
        )
        number = self.tx.last_revision(now.id)
        verdict = self.tx.verdict(now.id)
        self.tx.revise(held, reason="hold", action="hold", actor="upkeep", run_id=self.run_id)
        self.tx.judge(now.id, StoredVerdict("quarantined", change.reasons, None, "upkeep", self.at))
        self.tx.keep_wish(now.id, wish_of(now))
        former = None if verdict is None else [
            verdict.verdict, list(verdict.reasons), verdict.why_store, verdict.actor, verdict.at
        ]  # fmt: skip
        told = _kept("hold", now.id, reason="hold", confidence=now.confidence, verdict=former)
        return replace(told, before=number, after=number + 1)

    def _link(self, link: Link) -> RunChange | None:
        before = self.tx.drop_link(link.src, link.dst, link.rel)
        made = replace(link, created_at=link.created_at or self.at)
        if before is not None:
            made = replace(made, created_at=before.created_at)
        self.tx.link(made)
        if made == before:
            return None
        return _kept(
            "link",
            link.src,
            other_id=link.dst,
            rel=link.rel.value,
            before=before and link_row(before),
            after=link_row(made),
        )

    def _summarise(self, change: Summarise) -> RunChange | None:
        before = self.tx.summarise(change.entity_id, change.summary)
        if before != change.before:
            raise Stale("the entity's summary changed meanwhile")
        if before == change.summary:
            return None
        told = _kept("summary", None, before=before, after=change.summary, sources=list(change.sources))
        return replace(told, entity_id=change.entity_id)

    def _gain(self, item_id: str, by: Usage) -> RunChange:
        usage = self.tx.get([item_id])[item_id].usage
        more = Usage(
            usage.reinforcement + by.reinforcement,
            max(0, usage.usage_count + by.usage_count),
            later(usage.last_used_at, by.last_used_at),
            later(usage.last_hit_at, by.last_hit_at),
        )
        self.tx.set_usage(item_id, more)
        return _kept("gain", item_id, before=usage_row(usage), after=usage_row(more))

    def _vectors(self, change: SetVectors) -> RunChange:
        keyed = {item_id: self.tx.key(item_id) for item_id in change.vectors}
        known = {item_id: key for item_id, key in keyed.items() if key is not None}
        self.tx.put_vectors(change.model, [(key, change.vectors[item_id]) for item_id, key in known.items()])
        return _kept(
            "vectors",
            None,
            count=len(known),
            fingerprint=change.model.fingerprint,
            item_ids=list(known),
            revisions=[self.tx.last_revision(item_id) for item_id in known],
        )

    def _require_untaken(self, item: Item) -> None:
        holder = holder_of(self.tx, item, self.at)
        if holder not in (None, item.id):
            raise Stale("another item says the same by now", item.id, holder)


def is_same(before: Item, now: Item) -> bool:
    """Whether an item is still the one that was read, whatever confidence it gained by use since."""
    return now.confidence >= before.confidence and replace(now, confidence=before.confidence) == before


def later(one: int | None, other: int | None) -> int | None:
    """The later of two instants that may be unknown."""
    return max((at for at in (one, other) if at is not None), default=None)


def usage_row(usage: Usage) -> list[Any]:
    """Usage as the details of a change hold it."""
    return [usage.reinforcement, usage.usage_count, usage.last_used_at, usage.last_hit_at]


def _states(step: Step) -> Iterator[tuple[str, Item]]:
    """The states that changes start from; of an item that is changed twice both."""
    for change in step.changes:
        match change:
            case Move(items):
                yield from ((item.id, item) for item in items)
            case Revise(before) | HoldBack(before):
                yield before.id, before
            case _:
                pass


def link_row(link: Link) -> list[Any]:
    """A link as the details of a change hold it; its ends and relation stand apart."""
    return [
        link.predicate, link.weight, link.confidence, link.evidence, link.valid_from, link.valid_until, link.created_at
    ]  # fmt: skip


def _kept(kind: str, item_id: str | None, *, other_id: str | None = None, **details: Any) -> RunChange:
    """A change without its place in the run."""
    found = {name: value for name, value in details.items() if value is not None}
    return RunChange(number=0, step=0, kind=kind, item_id=item_id, other_id=other_id, details=found)
