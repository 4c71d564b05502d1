"""Reading: one consistent view of a database, as the store port asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from heapq import merge
from itertools import islice
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Item, Status
from simonides.domain.link import Link, Relation
from simonides.domain.records import AuditEvent, Injection, Place, Revision, Session
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection
from simonides.errors import StoreDamaged
from simonides.ports.buffer import SessionSelection
from simonides.ports.recalling import ViewState
from simonides.ports.store import MergedItem, Sketch, StoredConversation, StoredTurn, StoredVerdict
from simonides.ports.vectors import VectorChanges
from simonides.storage.sql import lineage
from simonides.storage.sql.audit import KeyedHash
from simonides.storage.sql.buffer import SqlBufferReader
from simonides.storage.sql.copying import SqlCopyReader
from simonides.storage.sql.database import Database
from simonides.storage.sql.entities import SqlEntityReader
from simonides.storage.sql.forgetting import SqlForgettingReader
from simonides.storage.sql.governing import SqlGoverningReader
from simonides.storage.sql.growth import SqlGrowthReader
from simonides.storage.sql.recalling import ComposedRecall
from simonides.storage.sql.rows import item_of, legible, parsed, to_items
from simonides.storage.sql.runs import SqlRunReader, to_link
from simonides.storage.sql.statement_reader import KnownScopes

_NEVER: Final = np.iinfo(np.int64).max
#: More than any embedder has: a number of the file asks for no more memory than that.
_MOST_DIMENSIONS: Final = 65_536
_STATUS_CODES: Final = {"active": 0, "archived": 1}
#: The statement of each order, and the condition on what comes behind an item.
_ORDERS: Final = {
    ItemOrder.OLDEST: ("items_oldest_first", "behind_oldest"),
    ItemOrder.NEWEST: ("items_newest_first", "behind_newest"),
    ItemOrder.LATEST: ("items_latest_first", "behind_latest"),
    ItemOrder.PINNED: ("pinned_items", "behind_pinned"),
    ItemOrder.EXPIRY: ("expiring_items", "behind_expiry"),
    ItemOrder.WEAKEST: ("items_weakest_first", "behind_weakest"),
}
#: Fields of a selection of sessions with their conditions; its scopes have one of their own.
SESSION_FILTERS: Final = {
    "session_id": "n.session_id = :session_id",
    "silent_since": "n.last_seen_at <= :silent_since",
    "changed_since": "(n.first_seen_at > :changed_since OR n.ended_at > :changed_since)",
    "open": "n.ended_at IS NULL",
    "unconsolidated": "(n.consolidated_at IS NULL OR n.consolidated_at < n.last_seen_at)",
}
#: A sketch of a row, without a call of Python's for each: a search reads a hundred.
_sketch: Final[Callable[[Sequence[Any]], Sketch]] = partial(cast("Any", tuple).__new__, Sketch)
#: Rows that an index is given at a time.
_VECTORS_A_PIECE: Final = 4096


class SqlReader(
    SqlEntityReader, SqlRunReader, SqlForgettingReader, SqlBufferReader, SqlGoverningReader,
    SqlGrowthReader, SqlCopyReader, ComposedRecall,
):  # fmt: skip
    """Meets `ports.store.Reader`, but for text search and seals; the caller holds the transaction."""

    def __init__(self, database: Database, known_scopes: KnownScopes | None = None) -> None:
        super().__init__(database, known_scopes)
        #: Extent and change of this view, where `state` was asked for.
        self._seen: tuple[int, int] | None = None

    # Items

    def key(self, item_id: str) -> int | None:
        return self._database.value("key_of_item", id=item_id)

    def load(self, keys: Sequence[int]) -> dict[int, Item]:
        if not len(keys):
            return {}
        return to_items(self._database.rows("items_by_key", keys=keys))

    def sketches(self, keys: Sequence[int]) -> list[Sketch]:
        if not len(keys):
            return []
        return list(map(_sketch, self._database.rows("sketches", keys=keys)))

    def get(self, item_ids: Sequence[str]) -> dict[str, Item]:
        if not item_ids:
            return {}
        return to_items(self._database.rows("items_by_id", ids=item_ids), 1)

    def select(
        self,
        selection: Selection,
        order: ItemOrder = ItemOrder.NEWEST,
        *,
        limit: int,
        after: int | None = None,
    ) -> dict[int, Item]:
        keys = self.keys(selection, order, limit=limit, after=after)
        items = self.load(keys)
        return {key: items[key] for key in keys if key in items}

    def keys(
        self,
        selection: Selection,
        order: ItemOrder = ItemOrder.NEWEST,
        *,
        limit: int,
        after: int | None = None,
    ) -> list[int]:
        name, behind = _ORDERS[order]
        if order is ItemOrder.WEAKEST and selection.weak is not None:
            return self._listed(name, behind, selection, limit, after, now=selection.weak.at)
        if selection.mentioned is None or order is not ItemOrder.NEWEST:
            return self._listed(name, behind, selection, limit, after)
        # One walk for each entity: none goes on for longer than the limit, however often the entity is mentioned.
        rest = replace(selection, mentioned=None)
        lists = [
            self._listed("mentions_of_entity", behind, rest, limit, after, entity=entity)
            for entity in dict.fromkeys(selection.mentioned)
        ]
        return list(islice(dict.fromkeys(merge(*lists, reverse=True)), limit))

    def _listed(
        self, name: str, behind: str, selection: Selection, limit: int, after: int | None, **values: Any
    ) -> list[int]:
        conditions, bound = self._database.conditions(selection, self._scope_keys)
        if after is not None:
            conditions = [*conditions, self._database.fragment(behind)]
            values = values | {"behind": after}
        rows = self._database.execute(name, bound | values | {"limit": limit}, *conditions)
        return [key for (key,) in rows]

    def count(self, selection: Selection) -> int:
        return next(self._selected("count_items", selection))[0]

    def addresses(self, selection: Selection) -> list[str]:
        return [row[0] for row in self._selected("addresses", selection)]

    def matching(self, keys: Sequence[int], selection: Selection) -> set[int]:
        if not len(keys):
            return set()
        return {row[0] for row in self._selected("keys_that_pass", selection, keys=keys)}

    def holders(
        self, scope: Scope, hashes: Sequence[bytes], *, quarantined: bool = False
    ) -> dict[bytes, Item]:
        keys = self._scope_keys((scope,))
        if not keys or not hashes:
            return {}
        status = "quarantined" if quarantined else "active"
        rows = self._database.rows("holders_of_content", scope_key=keys[0], hashes=hashes, status=status)
        held = dict(rows)
        items = self.get(list(held.values()))
        return {digest: items[item_id] for digest, item_id in held.items()}

    # Text and vectors

    def state(self) -> ViewState:
        return self._state_of(next(self._database.rows("state")))

    @legible
    def _state_of(self, row: Sequence[Any]) -> ViewState:
        change, extent, superseded, documents, pinned, models = row
        fingerprints: list[str] = parsed(models)
        standing = tuple(name for name in fingerprints if not name.startswith("aside:"))
        self._seen = int(extent), int(change)
        return ViewState(
            change=int(change),
            extent=int(extent),
            models=standing,
            superseded=superseded == 1,
            documents=documents == 1,
            pinned=pinned == 1,
            aside=len(standing) < len(fingerprints),
        )

    def scopes(self) -> list[Scope]:
        return [Scope(path) for (path,) in self._database.rows("every_scope")]

    def scope_keys(self, selection: Selection) -> Sequence[int] | None:
        return None if selection.scopes is None else self._scope_keys(selection.scopes)

    def mark(self) -> str:
        return lineage.mark(self._database)

    def holds(self, mark: str) -> bool:
        return lineage.holds(self._database, mark)

    def vector_changes(self, since: int, model: str) -> Iterator[VectorChanges]:
        known = next(self._database.rows("model", fingerprint=model), None)
        dimension = 0 if known is None else known[1]
        if since:
            rows = self._database.rows("changed_vectors", model=model, since=since)
            while piece := list(islice(rows, _VECTORS_A_PIECE)):
                yield _columns(piece, dimension)
            return
        standing = self._standing()
        pairs = self._database.rows("every_vector", model=model)
        while piece := list(islice(pairs, _VECTORS_A_PIECE)):
            yield _first_columns(piece, dimension, *standing)

    @legible
    def _standing(self) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.int64]]:
        """Scope, status code and expiry of every item, each by key."""
        size = self._database.value("last_item_key") + 1
        scopes, statuses = np.full(size, -1, np.int64), np.full(size, -1, np.int8)
        expiries = np.full(size, _NEVER, np.int64)
        rows = self._database.rows("every_standing")
        while piece := list(islice(rows, _VECTORS_A_PIECE)):
            keys, some_scopes, some_statuses = zip(*piece, strict=True)
            at = np.array(keys, np.int64)
            scopes[at] = some_scopes
            statuses[at] = [_STATUS_CODES.get(status, -1) for status in some_statuses]
        for key, expires_at in self._database.rows("every_expiry"):
            expiries[key] = expires_at
        return scopes, statuses, expiries

    def count_lacking_vector(self, fingerprint: str) -> tuple[int, int]:
        return next(self._database.rows("count_lacking_vector", fingerprint=fingerprint))

    def lacking_vector(
        self, fingerprint: str, keys: Sequence[int], since: int, extent: int, limit: int
    ) -> list[int]:
        rows = self._database.rows(
            "lacking_vector",
            fingerprint=fingerprint,
            keys=keys,
            since=since,
            extent=extent,
            limit=limit,
        )
        return [key for (key,) in rows]

    def vectors_of(self, fingerprint: str, item_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        if not item_ids:
            return {}
        rows = self._database.rows("vectors_of_items", ids=item_ids, fingerprint=fingerprint)
        return {item_id: np.frombuffer(data, "<f4") for item_id, data in rows}

    def merged(self, selection: Selection, limit: int) -> list[MergedItem]:
        rows = self._selected("merged_items", selection, limit=limit)
        return [
            MergedItem(item_id, successor, f"{place}/{source}".strip("/"))
            for item_id, successor, place, source in rows
        ]

    def contradictions(self, selection: Selection, limit: int) -> list[Link]:
        return [to_link(row) for row in self._selected("contradictions", selection, limit=limit)]

    def models(self) -> list[tuple[EmbedderIdentity, int]]:
        return [
            (EmbedderIdentity(name, fingerprint, dimension), count)
            for name, fingerprint, dimension, count in self._database.rows("models")
        ]

    # Sessions

    def conversation(
        self, scope: Scope, session_id: str, *, last: int = 1 << 53, source_ids: Sequence[str] = ()
    ) -> StoredConversation:
        keys = self._scope_keys((scope,))
        about = {"scope_key": keys[0] if keys else 0, "session_id": session_id}
        rows = self._database.rows("last_turns_of_session", **about, limit=last)
        turns = [StoredTurn(*row) for row in rows]
        by_source: dict[str, str] = {}
        if source_ids:
            by_source = dict(self._database.rows("turns_by_source", **about, source_ids=source_ids))
        known = next(self._database.rows("session_of_scope", **about), None)
        session = None if known is None else Session(session_id, scope, *known)
        return StoredConversation(session, turns[::-1], by_source)

    def sessions(
        self, selection: SessionSelection, limit: int, *, longest_silent: bool = False
    ) -> list[Session]:
        conditions = ["TRUE"]
        if selection.scopes is not None:
            conditions.append(self._database.among("n.scope_key", "scope_keys"))
        conditions += [
            condition
            for name, condition in SESSION_FILTERS.items()
            if getattr(selection, name) not in (None, False)
        ]
        values = self._seen_from(selection.scopes) | {
            "session_id": selection.session_id,
            "silent_since": selection.silent_since,
            "changed_since": selection.changed_since,
            "limit": limit,
        }
        name = "sessions_longest_silent_first" if longest_silent else "sessions_last_heard_first"
        rows = self._database.execute(name, values, *conditions)
        return [Session(row[0], Scope(row[1]), *row[2:]) for row in rows]

    # History

    def revisions(self, item_id: str, number: int | None = None) -> list[Revision]:
        key = self.key(item_id) or 0
        if number is None:
            rows = self._database.rows("revisions_of_item", item=key)
        else:
            rows = self._database.rows("revision", item=key, number=number)
        return [Revision(number, item_of(text), at, reason, run) for number, at, reason, run, text in rows]

    def verdict(self, item_id: str) -> StoredVerdict | None:
        row = next(self._database.rows("verdict_of_item", item=self.key(item_id) or 0), None)
        return None if row is None else to_verdict(row)

    def events(
        self, *, item_ids: Sequence[str] | None = None, action: str | None = None, limit: int = 1 << 53
    ) -> list[AuditEvent]:
        values: dict[str, Any] = {"action": action, "limit": limit}
        if item_ids is None:
            rows = self._database.rows("events_newest_first", **values)
        else:
            rows = self._database.rows("events_of_items", item_ids=frozenset(item_ids), **values)
        return [
            AuditEvent(
                number=number,
                at=at,
                action=action,
                item_id=item,
                scope=None if scope is None else Scope(scope),
                actor=actor,
                details=parsed(details),
                content_hash=content.hex(),
            )
            for number, at, action, item, scope, actor, details, content in rows
        ]

    def keyed_hash(self, text: str) -> str:
        return KeyedHash(self._database)(text.encode("utf-8", "surrogatepass"))

    def injections(
        self, limit: int, *, session_id: str | None = None, injection_id: str | None = None
    ) -> list[Injection]:
        if injection_id is not None:
            rows = self._database.rows("injection", id=injection_id)
        elif session_id is not None:
            rows = self._database.rows("injections_of_session", session_id=session_id, limit=limit)
        else:
            rows = self._database.rows("injections_newest_first", limit=limit)
        return [to_injection(row) for row in rows]

    # Graph and palace

    def links(
        self,
        item_ids: Sequence[str],
        relations: Iterable[Relation] | None = None,
        *,
        between: bool = False,
    ) -> list[Link]:
        keys = [key for item_id in item_ids if (key := self.key(item_id)) is not None]
        wanted = None if relations is None else frozenset(relations)
        rows = (
            list(self._database.rows("links_between" if between else "links_of_items", keys=keys))
            if keys
            else []
        )
        if item_ids and not between:  # Only an archive file holds any.
            rows += self._database.rows("moved_links_of_items", ids=item_ids)
        return [link for row in rows if (link := to_link(row)) and (wanted is None or link.rel in wanted)]

    def places(self, selection: Selection) -> list[tuple[Place, int]]:
        rows = self._selected("count_by_place", selection)
        return [(Place("", *place), count) for *place, count in rows]

    def place(self, item_id: str, *, given: bool = False) -> Place | None:
        name = "assignment_of_item" if given else "place_of_item"
        row = next(self._database.rows(name, item=self.key(item_id) or 0), None)
        return None if row is None else Place(item_id, *row)

    def statistics(self, scopes: tuple[Scope, ...] | None) -> Mapping[str, Any]:
        conditions = ["TRUE"]
        values: dict[str, Any] = {}
        if scopes is not None:
            conditions = [self._database.among("i.scope_key", "scope_keys")]
            values = {"scope_keys": self._scope_keys(scopes)}
        # One scan for all of them: a scan is what counting costs.
        rows = list(self._database.execute("item_counts", values, *conditions))
        active = [row for row in rows if row[1] == Status.ACTIVE]
        counts: dict[str, Any] = {
            "by_tier": dict(sorted(_summed(rows, 3).items())),
            "by_type": _largest_first(_summed(rows, 2)),
            "by_status": dict(sorted(_summed(rows, 1).items())),
            "by_scope": _largest_first(_summed(rows, 0)),
            "active_by_type": _largest_first(_summed(active, 2)),
        }
        buffer = dict(self._database.execute("count_by_buffer", values, *conditions))
        counts["buffer"] = {state: buffer.get(state, 0) for state in ("waiting", "failed")}
        size, live = next(self._database.rows("store_size"))
        items = sum(counts["by_status"].values())
        return {"items": items, **counts, "file_bytes": size, "live_bytes": live}


def _summed(rows: Sequence[tuple[Any, ...]], column: int) -> Counter[str]:
    """Counts, the last column of rows, by another one."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums[row[column]] += row[-1]
    return sums


def _largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


@legible
def _first_columns(
    rows: list[tuple[Any, ...]],
    dimension: int,
    scopes: NDArray[np.int64],
    statuses: NDArray[np.int8],
    expiries: NDArray[np.int64],
) -> VectorChanges:
    """Rows of (item, vector) as columns, with the standing of all items looked up by key."""
    keys, vectors = zip(*rows, strict=True)
    at = np.array(keys, np.int64)
    return VectorChanges(at, scopes[at], statuses[at], expiries[at], _matrix(vectors, dimension))


@legible
def _matrix(vectors: Sequence[bytes | None], dimension: int) -> NDArray[np.float32]:
    """Stored vectors as rows of the model's length; zeros for a missing or empty one."""
    if not 0 <= dimension <= _MOST_DIMENSIONS:
        raise StoreDamaged(
            f"a model of the store has vectors of {dimension} dimensions: run `simonides doctor`"
        )
    blank = bytes(4 * dimension)
    # One of another length is damaged: `doctor` names it, the search goes on without it.
    buffer = b"".join(vector if vector and len(vector) == len(blank) else blank for vector in vectors)
    return np.frombuffer(buffer, "<f4").reshape(len(vectors), dimension)


@legible
def _columns(rows: list[tuple[Any, ...]], dimension: int) -> VectorChanges:
    """Rows of (item, scope, status, expiry, vector) as columns; an item that is gone has a scope of -1."""
    keys, scopes, statuses, expiries, vectors = zip(*rows, strict=True)
    return VectorChanges(
        keys=np.array(keys, np.int64),
        scopes=np.array([-1 if scope is None else scope for scope in scopes], np.int64),
        statuses=np.array([_STATUS_CODES.get(status, -1) for status in statuses], np.int8),
        expires_at=np.array([_NEVER if at is None else at for at in expiries], np.int64),
        vectors=_matrix(vectors, dimension),
    )


@legible
def to_verdict(row: Sequence[Any]) -> StoredVerdict:
    """The verdict of a row of `verdict_of_item` or `every_verdict`."""
    verdict, reasons, why_store, actor, at, wished = row
    wish = None if wished is None else parsed(wished)
    return StoredVerdict(verdict, tuple(parsed(reasons)), why_store, actor, at, wish)


@legible
def to_injection(row: Sequence[Any]) -> Injection:
    """The injection of a row of `injection`."""
    id_, at, scope, session_id, mode, query, items, tokens = row
    # Of an item: its id, its score, and from release 0.2 on its signals, where there were any.
    entries: list[list[Any]] = parsed(items)
    return Injection(
        id=id_,
        at=at,
        scope=scope,
        session_id=session_id,
        mode=mode,
        query=query,
        items=tuple((entry[0], entry[1]) for entry in entries),
        signals={entry[0]: entry[2] for entry in entries if len(entry) > 2},
        tokens=tokens,
    )


def vector_bytes(vector: NDArray[np.float32]) -> bytes:
    """A vector as it is stored: float32, little-endian."""
    return np.ascontiguousarray(vector, "<f4").tobytes()
