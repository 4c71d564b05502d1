"""Writing: what may be done inside a transaction, as the store port asks for it."""

from __future__ import annotations

import zlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Entity, Name
from simonides.domain.item import Item, Status, canonical_json, snapshot
from simonides.domain.link import Link, Relation
from simonides.domain.records import AuditEvent, Injection, Place, Session
from simonides.domain.scope import Scope
from simonides.domain.text import content_hash
from simonides.domain.verdict import Outcome
from simonides.errors import Conflict, InvalidInput, InvalidVector, NotFound
from simonides.ports.copying import Copied
from simonides.ports.entities import EntitySelection
from simonides.ports.store import Ahead, Mentioned, NewItem, StoredVerdict
from simonides.storage.sql import copying
from simonides.storage.sql.audit import KeyedHash, append
from simonides.storage.sql.buffer import SqlBufferWriter
from simonides.storage.sql.database import Database
from simonides.storage.sql.reader import SqlReader, vector_bytes
from simonides.storage.sql.registry import NameRegistry, Naming
from simonides.storage.sql.rows import row_hash, to_row, words_of
from simonides.storage.sql.runs import SqlRunWriter
from simonides.storage.sql.statement_reader import KnownScopes

#: Names that a store that is far away is asked for in one go.
_NAMES_AT_ONCE: Final = 32


class SqlWriter(SqlReader, SqlRunWriter, SqlBufferWriter):
    """Meets `ports.store.Writer`, but for parts of a transaction and for the archive."""

    stands = False

    def __init__(self, database: Database, known_scopes: KnownScopes | None = None) -> None:
        super().__init__(database, known_scopes)
        self._keyed = KeyedHash(database)
        self._scopes: dict[Scope, int] = {}
        self._registry = NameRegistry(database)
        self._anew: frozenset[int] = frozenset()

    def look_ahead(self, ahead: Ahead) -> None:
        """Nothing: what is near is asked when it is wanted."""

    def look_for_names(self, names: Sequence[tuple[int, str]], most: int) -> None:
        """Nothing: what is near is asked when it is wanted.

        Args:
            names: By scope, of which the holders are asked next, so many of each at most.
        """

    @abstractmethod
    def holders_of_name(self, name: str, scope: int, limit: int) -> list[int]:
        """Active items of a scope that hold every word of a name, the newest first."""

    def forget_caches(self) -> None:
        """Drop what was learnt inside a transaction that was taken back."""
        self._scopes.clear()
        self._registry.forget()

    @property
    def database(self) -> Database:
        """The database that it writes to."""
        return self._database

    @property
    def registry(self) -> NameRegistry:
        """The names that items mention."""
        return self._registry

    # Items

    def insert(
        self,
        new: Sequence[NewItem],
        model: EmbedderIdentity | None,
        run_id: str | None = None,
        *,
        earlier: int = 0,
    ) -> Mentioned:
        keyed = list(enumerate(new, self._database.value("last_item_key") + 1))
        rows: list[tuple[Any, ...]] = []
        revisions: list[tuple[Any, ...]] = []
        events: list[AuditEvent] = []
        for key, entry in keyed:
            item = entry.item
            text = snapshot(item)
            row_check = row_hash(text)
            content_check = content_hash(item.type, item.content)
            rows.append((key, *to_row(item, self.scope_key(item.scope), content_check, row_check)))
            revisions.append((key, 1, item.created_at, entry.action, run_id, text, row_check))
            events.append(self._stored(entry, row_check, content_check))
        with self._database.conflicts():
            self._database.executemany("insert_item", rows)
        self._database.executemany("insert_item_words", ((row[0], *words_of(row[1:])) for row in rows))
        self._database.executemany("add_revision", revisions)
        guessed = self._registry.name(
            [
                self.naming(key, entry.item, entry.names)
                for key, entry in keyed
                if entry.names and entry.item.status is Status.ACTIVE
            ],
            new=True,
        )
        self._put_beside(keyed, model)
        append(self._database, events)
        # What one item names, that item mentions: it need not be looked through for it again.
        return Mentioned(guessed, self._naming_the_new(earlier, but=keyed[0][0] if len(keyed) == 1 else None))

    def _stored(self, entry: NewItem, row_check: bytes, content_check: bytes) -> AuditEvent:
        """The audit event of a new item."""
        return AuditEvent(
            action=entry.action,
            at=entry.item.created_at,
            item_id=entry.item.id,
            scope=entry.item.scope,
            actor=entry.actor,
            details={"verdict": entry.outcome.value, **self.noted(row_check)},
            content_hash=self._keyed(content_check),
        )

    def _put_beside(self, keyed: Sequence[tuple[int, NewItem]], model: EmbedderIdentity | None) -> None:
        """Write what stands beside new items: vectors, verdicts that say something, links, waiting turns."""
        vectors = [(key, entry.vector) for key, entry in keyed if entry.vector is not None]
        if vectors and model is not None:
            self.put_vectors(model, vectors)
        verdicts = [
            (
                key,
                entry.outcome.value,
                canonical_json(entry.reasons),
                entry.why_store,
                entry.actor,
                entry.item.created_at,
                _written(entry.wished),
            )
            for key, entry in keyed
            if entry.reasons or entry.why_store or entry.outcome is not Outcome.ACCEPTED
        ]
        if verdicts:
            self._database.executemany("put_verdict", verdicts)
        self._put_links(
            [link for _, entry in keyed for link in entry.links], {entry.item.id: key for key, entry in keyed}
        )
        waiting = [(key, entry.item.session_id) for key, entry in keyed if entry.waits]
        if waiting:
            self._database.executemany("await_extraction", waiting)

    def revise(
        self,
        item: Item,
        *,
        reason: str,
        action: str,
        actor: str = "user",
        run_id: str | None = None,
        vector: NDArray[np.float32] | None = None,
        model: EmbedderIdentity | None = None,
        names: Sequence[Name] | None = None,
        earlier: int = 0,
    ) -> Mentioned:
        key = self._existing(item.id)
        before = self.load([key])[key]
        held = item.status is Status.QUARANTINED
        if held:
            vector, names = None, ()
        text = snapshot(item)
        row_check = row_hash(text)
        content_check = content_hash(item.type, item.content)
        row = to_row(item, self.scope_key(item.scope), content_check, row_check)
        with self._database.conflicts():
            self._database.execute("update_item", (*row, key))
        # The item carries what use has added to its confidence; from now on its own row does.
        self._do("fold_gain", item=key)
        number: int = self._database.value("last_revision", item=key)
        self._database.execute(
            "add_revision", (key, number + 1, item.updated_at, reason, run_id, text, row_check)
        )
        # What waits for a decision is nowhere but in the file, by whatever road it came to wait.
        if held or item.text != before.text:
            self._do("drop_vectors_of_item", item=key)
        embeds = item.text != before.text or before.status is Status.QUARANTINED
        if embeds and vector is not None and model is not None:
            self.put_vectors(model, [(key, vector)])
        if names is None and item.scope != before.scope:
            entities = self.entities(EntitySelection(keys=[entity for _, entity in self.mentioned_by([key])]))
            names = [Name(entity.name, entity.type) for entity in entities.values()]
        guessed: tuple[str, ...] = ()
        if names is not None:
            guessed = self._registry.name([self.naming(key, item, names)], new=False)
        if item.happened_at != before.happened_at:
            mentions = [entity for _, entity in self.mentioned_by([key])]
            self._registry.see_at_another_time(mentions, before.happened_at, item.happened_at)
        append(
            self._database,
            [
                AuditEvent(
                    action=action,
                    at=item.updated_at,
                    item_id=item.id,
                    scope=item.scope,
                    actor=actor,
                    details={"reason": reason, "revision": number + 1, **self.noted(row_check)},
                    content_hash=self._keyed(content_check),
                )
            ],
        )
        return Mentioned(guessed, self._naming_the_new(earlier))

    def put_vectors(
        self, model: EmbedderIdentity, vectors: Sequence[tuple[int, NDArray[np.float32] | None]]
    ) -> None:
        model_key = self.model_key(model)
        rows: list[tuple[int, int, int, bytes]] = []
        for key, vector in vectors:
            if vector is not None and (vector.shape != (model.dimension,) or not np.isfinite(vector).all()):
                raise InvalidVector(
                    f"a vector of {model.name} must be {model.dimension} finite numbers, "
                    f"got shape {vector.shape}; nothing was written"
                )
            data = b"" if vector is None or not vector.any() else vector_bytes(vector)
            rows.append((key, model_key, zlib.crc32(data), data))
        self._database.executemany("put_vector", rows)

    def drop_vectors(self, fingerprint: str | None, keys: Sequence[int] | None = None) -> None:
        if fingerprint is None:
            self._drop_aside()
        elif keys is None:
            self._do("drop_vectors_of_model", fingerprint=fingerprint)
        else:
            values = [{"item": key, "fingerprint": fingerprint} for key in keys]
            self._database.executemany("drop_vector", values)
        self._do("drop_model_without_vectors", fingerprint=fingerprint)

    def set_vectors_aside(self, fingerprint: str, run_id: str, *, back: bool = False) -> bool:
        aside = _aside(fingerprint, run_id)
        if not back:
            self._drop_aside(but_of=run_id)
            return self._rename_model(fingerprint, aside)
        if self._database.value("model", fingerprint=fingerprint) is None:
            return self._rename_model(aside, fingerprint)
        there = self._database.value("model", fingerprint=aside) is not None
        self._do("give_vectors_to_model", fingerprint=aside, becomes=fingerprint)
        self.drop_vectors(aside)
        return there

    def _drop_aside(self, *, but_of: str = "") -> None:
        for (fingerprint,) in list(self._database.rows("models_set_aside", run=but_of)):
            self.drop_vectors(fingerprint)

    def _rename_model(self, fingerprint: str, becomes: str) -> bool:
        keys = list(self._database.rows("rename_model", fingerprint=fingerprint, becomes=becomes))
        for (key,) in keys:
            self._do("note_vectors_of_model", model=key)
        return bool(keys)

    # Use

    def use(self, item_ids: Sequence[str], session_id: str, at: int) -> frozenset[str]:
        if not item_ids:
            return frozenset()
        rows = self._database.rows("note_uses", ids=item_ids, session_id=session_id, at=at)
        fresh = dict(rows)
        if fresh:
            self._do("count_uses", items=list(fresh), at=at)
        return frozenset(fresh.values())

    def strengthen(self, pairs: Sequence[tuple[str, str]], at: int) -> int:
        if not pairs:
            return 0
        ids = {item_id for pair in pairs for item_id in pair}
        ends = {
            item_id: (key, Scope(path))
            for item_id, key, path in self._database.rows("ends_of_links", ids=ids)
        }
        # A pair counts once, whichever way round and however often it is given.
        joined: set[tuple[int, int]] = set()
        for one, other in pairs:
            if one != other and one in ends and other in ends:
                (key, here), (far, there) = ends[one], ends[other]
                if here.sees(there) or there.sees(here):
                    joined.add((min(key, far), max(key, far)))
        rows = [{"src": src, "dst": dst, "at": at} for src, dst in sorted(joined)]
        self._database.executemany("strengthen_link", rows)
        return len(rows)

    # Copies

    def take_in(
        self, copies: Sequence[Copied], model: EmbedderIdentity | None = None, *, vouched: bool = True
    ) -> list[Conflict | None]:
        return copying.take_in(self, copies, model, vouched=vouched)

    def drop_unneeded(self, keys: Sequence[int]) -> None:
        self._registry.drop_unneeded(keys)

    def put_session(self, session: Session) -> None:
        self._do(
            "put_session",
            scope_key=self.scope_key(session.scope),
            session_id=session.session_id,
            first_seen_at=session.first_seen_at,
            last_seen_at=session.last_seen_at,
            turns=session.turns,
            consolidated_at=session.consolidated_at,
            ended_at=session.ended_at,
        )

    def keyed(self, content: bytes) -> str:
        """The hash of content as the audit log has it."""
        return self._keyed(content)

    def state_name(self, row_hash: bytes) -> str:
        """The name of an item's state in the audit log."""
        return self._keyed(row_hash)

    def noted(self, row_hash: bytes) -> dict[str, str]:
        """Details of an event that name the state it left, in a store under a key: no other can be put back."""
        return {} if self._database.key is None else {"state": self.state_name(row_hash)}

    def leave_unnamed(self, key: int) -> None:
        """Let an item count as unnamed."""
        self._do("leave_unnamed", key=key)

    # Moving to the archive and back

    def place_item(self, key: int, row: tuple[Any, ...]) -> int:
        """Put the row of an item under its former key, where that is free, else under the next; which it is."""
        if self._database.value("scope_of_item", item=key) is not None:
            key = self._database.value("last_item_key") + 1
        with self._database.conflicts():
            self._database.execute("insert_item", (key, *row))
        self._database.execute("insert_item_words", (key, *words_of(row)))
        return key

    def drop_moved_links(self, item_ids: Sequence[str]) -> None:
        """Forget the links of purged items, wherever their other ends are."""
        self._database.executemany("purge_moved_links", [{"id": item_id} for item_id in item_ids])

    def rejoin_run_changes(self, item_ids: Sequence[str]) -> None:
        """Let what runs did to items that came back be theirs again."""
        if item_ids and self._database.value("any_run_changes"):
            self._do("rejoin_moved_changes", ids=item_ids)
            self._do("rejoin_moved_others", ids=item_ids)

    # What stands beside the items

    def link(self, link: Link) -> None:
        self._put_links([link], {})

    def _put_links(self, links: Sequence[Link], known: Mapping[str, int]) -> None:
        """Store links between items of which the keys of some are known."""
        rows: list[tuple[Any, ...]] = []
        for link in links:
            if link.rel is Relation.MENTIONS:
                raise InvalidInput("what an item mentions follows from its text; no link says it")
            ends = (known.get(end) or self._existing(end) for end in (link.src, link.dst))
            rows.append(
                (
                    *ends,
                    link.rel.value,
                    link.predicate,
                    link.weight,
                    link.confidence,
                    link.evidence,
                    link.valid_from,
                    link.valid_until,
                    link.created_at,
                )
            )
        if rows:
            self._database.executemany("put_link", rows)

    def judge(self, item_id: str, verdict: StoredVerdict | None) -> None:
        if verdict is None:
            self._do("drop_verdict", item=self._existing(item_id))
            return
        self._database.execute(
            "put_verdict",
            (
                self._existing(item_id),
                verdict.verdict,
                canonical_json(verdict.reasons),
                verdict.why_store,
                verdict.actor,
                verdict.at,
                _written(verdict.wished),
            ),
        )

    def record(self, events: Sequence[AuditEvent]) -> None:
        append(self._database, events)

    def keep_injections(self, injections: Sequence[Injection]) -> None:
        # An item may have been purged since: its injections would bring its words back.
        injections = [
            injection
            for injection in injections
            if len(self.get([item_id for item_id, _ in injection.items]))
            == len({id_ for id_, _ in injection.items})
        ]
        self._database.executemany(
            "add_injection",
            [
                (
                    injection.id,
                    injection.at,
                    injection.scope,
                    injection.session_id,
                    injection.mode,
                    injection.query,
                    canonical_json(_with_signals(injection)),
                    injection.tokens,
                )
                for injection in injections
            ],
        )

    def assign(self, item_id: str, place: Place | None) -> None:
        key = self._existing(item_id)
        if place is None:
            self._do("drop_place", item=key)
            return
        self._do(
            "assign_place",
            item=key,
            domain=place.domain,
            room=place.room,
            shelf=place.shelf,
        )

    # Entities

    def name_items(self, named: Sequence[tuple[int, Sequence[Name]]] | None, *, more: bool = False) -> None:
        if named is None:
            self._registry.mend()
            self._do("leave_all_unnamed")
        if not named:
            return
        namings = self._namings(named)
        if more:
            self._registry.name_more(namings, self._anew)
            return
        self._registry.name(namings, new=False)
        self._do("note_named", key=max(key for key, _ in named))
        self._do("end_naming")

    def _namings(self, named: Sequence[tuple[int, Sequence[Name]]]) -> list[Naming]:
        names = dict(named)
        rows = self._database.rows("items_to_name", keys=list(names)) if names else ()
        return [Naming(key, scope, happened, recorded, names[key]) for key, scope, happened, recorded in rows]

    def _naming_the_new(self, most: int, but: int | None = None) -> tuple[tuple[int, Item], ...]:
        """Items that may mention what became known since this was asked last; so many of all names together."""
        if not most:
            return ()
        fresh = self._registry.take_fresh()
        keys_to_look_at: dict[int, None] = {}
        names = list(fresh.values())
        for number, (scope, name) in enumerate(names):
            if keys_to_look_at.keys() and len(keys_to_look_at) >= most:
                break
            if number % _NAMES_AT_ONCE == 0:
                self.look_for_names(names[number : number + _NAMES_AT_ONCE], most)
            keys = self.holders_of_name(name, scope, most - len(keys_to_look_at))
            keys_to_look_at |= dict.fromkeys(keys)
        self.look_for_names((), most)  # What was looked for is kept no longer: it may be purged.
        self._anew = frozenset(fresh)
        if but is not None:
            keys_to_look_at.pop(but, None)
        return tuple(sorted(self.load(list(keys_to_look_at)).items()))

    def merge_entities(self, keep: int, gone: int) -> None:
        self._registry.merge(keep, gone)

    def unmerge_entity(self, gone: int, since: Sequence[tuple[int, Sequence[Name]]]) -> None:
        self._registry.unmerge(gone, self._namings(since))

    def put_entity(self, key: int | None, entity: Entity, merged: Sequence[str] = ()) -> int:
        if key is None:
            key = self._registry.know(entity, self.scope_key(entity.scope))
        else:
            self._registry.put(key, entity)
        for entity_id in merged:
            self._do("add_merged_entity", id=entity_id, key=key)
        return key

    def remove_entity(self, entity: int) -> None:
        """Remove an entity with its names and whatever mentions it."""
        self._registry.remove(entity)

    def respell_entity(self, entity: int, names: Sequence[str]) -> None:
        """Let an entity have these names and no others, the first as its own."""
        self._registry.respell(entity, names)

    def naming(self, key: int, item: Item, names: Sequence[Name]) -> Naming:
        """An item as the registry takes it."""
        return Naming(key, self.scope_key(item.scope), item.happened_at, item.updated_at, names)

    # Keys

    def _looked_up(self, scopes: Sequence[Scope]) -> list[int]:
        known = [self._scopes[scope] for scope in scopes if scope in self._scopes]
        return known if len(known) == len(scopes) else super()._looked_up(scopes)

    def scope_key(self, scope: Scope) -> int:
        """The key of a scope; made where there is none yet."""
        key = self._scopes.get(scope)
        if key is None:
            key = self._scopes[scope] = self._database.value("add_scope", path=str(scope))
        return key

    def model_key(self, model: EmbedderIdentity) -> int:
        """The key of a model; made where there is none yet."""
        # Looked up each time: another process may have dropped the model, and its key may name another one.
        known = next(self._database.rows("model", fingerprint=model.fingerprint), None) or next(
            self._database.rows(
                "add_model", name=model.name, fingerprint=model.fingerprint, dimension=model.dimension
            )
        )
        if known[1] != model.dimension:
            raise InvalidVector(
                f"{model.name} gives {model.dimension} dimensions, its stored vectors have {known[1]}; "
                "give the changed model a fingerprint of its own"
            )
        return known[0]

    def _existing(self, item_id: str) -> int:
        key = self.key(item_id)
        if key is None:
            raise NotFound(f"there is no item {item_id!r}")
        return key

    def _do(self, name: str, /, **values: Any) -> None:
        self._database.execute(name, values)


def _aside(fingerprint: str, run_id: str) -> str:
    """The fingerprint of a model while its vectors are set aside."""
    return f"aside:{run_id}:{fingerprint}"


def _with_signals(injection: Injection) -> list[tuple[Any, ...]]:
    """Items of an injection as they are stored: id, score, and signals where there are any."""
    return [
        (item_id, score, dict(signals)) if (signals := injection.signals.get(item_id)) else (item_id, score)
        for item_id, score in injection.items
    ]


def _written(wished: Mapping[str, Any] | None) -> str | None:
    return None if wished is None else canonical_json(dict(wished))
