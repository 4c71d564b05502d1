"""Taking in what another store held, and telling what a copy of this one needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import UNUSED, Item, Status, canonical_json, snapshot
from simonides.domain.records import AuditEvent, Revision
from simonides.domain.scope import Scope
from simonides.errors import Conflict
from simonides.ports.buffer import Buffered
from simonides.ports.copying import Attached, Copied, KnownEntity
from simonides.storage.sql.audit import append
from simonides.storage.sql.buffer import buffered_row
from simonides.storage.sql.entities import to_entity
from simonides.storage.sql.registry import Naming
from simonides.storage.sql.rows import row_hash, to_row, words_of
from simonides.storage.sql.statement_reader import StatementReader

if TYPE_CHECKING:
    from simonides.storage.sql.writer import SqlWriter


class SqlCopyReader(StatementReader):
    """Meets `ports.copying.CopyReader`."""

    def known_entities(
        self, scopes: tuple[Scope, ...] | None, after_key: int, limit: int
    ) -> list[KnownEntity]:
        rows = list(
            self._database.rows("entities_page", after=after_key, limit=limit, **self._seen_from(scopes))
        )
        merged: dict[int, list[str]] = {}
        for key, id_ in self._database.rows("merged_into_entities", keys=[row[0] for row in rows]):
            merged.setdefault(key, []).append(id_)
        return [KnownEntity(row[0], to_entity(row), tuple(merged.get(row[0], ()))) for row in rows]

    def attached(self, keys: Sequence[int]) -> dict[int, Attached]:
        uses: dict[int, list[tuple[str, int]]] = {}
        for key, session_id, at in self._database.rows("uses_of_items", keys=keys):
            uses.setdefault(key, []).append((session_id, at))
        beside = {key: Attached(some) for key, some in uses.items()}
        for key, session_id, state, tries, error, retry_at in self._database.rows(
            "buffered_items", keys=keys
        ):
            waits = Buffered(session_id, state == "failed", tries, error, retry_at)
            beside[key] = Attached(uses.get(key, ()), waits)
        return beside

    def judged_keys(self) -> list[tuple[str, int, int, int]]:
        return list(self._database.rows("judged_keys"))


class _Batch:
    """All that hangs on the items of one round, gathered so that each kind is written in one go."""

    def __init__(self, writer: SqlWriter) -> None:
        self._writer = writer
        self.words: list[tuple[object, ...]] = []
        self.events: list[AuditEvent] = []
        self.named: list[Naming] = []
        self.mentioned: list[tuple[Naming, Sequence[int]]] = []
        self.rows: dict[str, list[tuple[object, ...]]] = {}

    def add(self, key: int, copy: Copied, states: Sequence[tuple[object, ...]], *, known: bool) -> None:
        """Take what hangs on an item that stands under this key by now."""
        item, use = copy.revisions[-1].item, copy.usage
        self._put("add_revision", *[(key, *state) for state in states])
        gain = max(0.0, use.confidence - item.confidence)
        if known or gain or use.usage != UNUSED:
            used = use.usage
            row = (key, used.reinforcement, used.usage_count, used.last_used_at, used.last_hit_at, gain)
            self._put("put_usage", row)
        self._put("put_use", *[(key, *used) for used in copy.uses])
        if copy.waits is not None:
            self._put("put_buffered", (key, *buffered_row(copy.waits)))
        elif known:
            self._put("drop_buffered", (key,))
        if copy.place is not None:
            self._put("assign_place", (key, copy.place.domain, copy.place.room, copy.place.shelf))
        if copy.verdict is not None:
            given = copy.verdict
            reasons = canonical_json(given.reasons)
            wished = None if given.wished is None else canonical_json(dict(given.wished))
            row = (key, given.verdict, reasons, given.why_store, given.actor, given.at, wished)
            self._put("put_verdict", row)
        self._name(key, copy)

    def _name(self, key: int, copy: Copied) -> None:
        item = copy.revisions[-1].item
        naming = self._writer.naming(key, item, ())
        if item.status is Status.QUARANTINED:
            self.mentioned.append((naming, ()))
        elif copy.mentions is not None:
            self.mentioned.append((naming, copy.mentions))
        elif copy.names is not None:
            self.named.append(naming._replace(names=copy.names))
        else:
            self._writer.leave_unnamed(key)

    def _put(self, name: str, *rows: tuple[object, ...]) -> None:
        self.rows.setdefault(name, []).extend(rows)

    def write(self) -> None:
        database = self._writer.database
        database.executemany("insert_item_words", self.words)
        for name, rows in self.rows.items():
            database.executemany(name, rows)
        self._writer.registry.name(self.named, new=False)
        self._writer.registry.mention(self.mentioned)
        append(database, self.events)


def take_in(
    writer: SqlWriter, copies: Sequence[Copied], model: EmbedderIdentity | None, *, vouched: bool
) -> list[Conflict | None]:
    """Meets `ports.copying.CopyWriter.take_in`."""
    database = writer.database
    ids = [copy.usage.id for copy in copies]
    keys = dict(database.execute("keys_of_items", {"ids": ids}))
    following: int = database.execute("last_item_key").get
    batch = _Batch(writer)
    vectors: list[tuple[int, NDArray[np.float32] | None]] = []
    problems: list[Conflict | None] = []
    for copy in copies:
        item, key = copy.revisions[-1].item, keys.get(copy.usage.id)
        held = [] if key is None else writer.revisions(item.id)
        if held != list(copy.revisions[: len(held)]):
            problem = f"{item.id} is here with a different history; it was left as it is"
            problems.append(Conflict(problem))
            continue
        # Everything is worked out before the first statement: what cannot be written leaves nothing behind.
        states = _states(copy.revisions[len(held) :])
        digest = item.content_hash
        check = states[-1][5] if states else row_hash(snapshot(item))
        row = to_row(item, writer.scope_key(item.scope), digest, check)
        try:
            with database.conflicts():
                if key is not None:
                    database.execute("update_item", (*row, key))
                else:
                    database.execute("insert_item", (following + 1, *row))
        except Conflict as conflict:
            problems.append(conflict)
            continue
        if key is not None:
            database.execute("drop_vectors_of_item", {"item": key})
        else:
            key = following = following + 1
            batch.words.append((key, *words_of(row)))
        batch.add(key, copy, states, known=bool(held))
        if copy.vector is not None:
            vectors.append((key, copy.vector if copy.vector.any() else None))
        batch.events.append(_loaded(writer, item, check, vouched=vouched))
        problems.append(None)
    batch.write()
    if vectors and model is not None:
        writer.put_vectors(model, vectors)
    return problems


def _states(revisions: Sequence[Revision]) -> list[tuple[int, int, str, str | None, str, bytes]]:
    """Rows that revisions leave in the history, each with its check at the end."""
    return [
        (new.number, new.at, new.reason, new.run_id, text, row_hash(text))
        for new in revisions
        for text in (snapshot(new.item),)
    ]


def _loaded(writer: SqlWriter, item: Item, check: bytes, *, vouched: bool) -> AuditEvent:
    return AuditEvent(
        action="load",
        actor="import",
        at=item.updated_at,
        item_id=item.id,
        scope=item.scope,
        details={"vouched": vouched, **writer.noted(check)},
        content_hash=writer.keyed(item.content_hash),
    )
