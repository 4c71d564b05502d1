"""Export and import: JSON records by which one store becomes another, without loss."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.entity import Name
from simonides.domain.item import MAX_METADATA_DEPTH, Item, Status, is_deeper
from simonides.domain.records import Place
from simonides.domain.run import Run, RunChange
from simonides.domain.scope import GLOBAL, Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import InvalidInput, InvalidText, SimonidesError
from simonides.governance.policy import Candidate, Policy
from simonides.ports.both import Both, both
from simonides.ports.clock import Clock
from simonides.ports.copying import Copied
from simonides.ports.embedder import Embedder
from simonides.ports.store import Reader, Store, Writer
from simonides.writing import item_records, store_records
from simonides.writing.embedded import embedded
from simonides.writing.holders import holders
from simonides.writing.intake import Intake
from simonides.writing.item_records import ItemRecord
from simonides.writing.naming import names_of
from simonides.writing.neighbours import Neighbours
from simonides.writing.record import Recorder

#: Records that are judged, embedded and committed together. Bounded, so that other writers get their turn.
_PAGE: Final = 512
_MOST: Final = 1 << 53
#: Levels of a record: metadata stands within an item, a revision and their list.
_DEEPEST: Final = MAX_METADATA_DEPTH + 8
#: Words of our own, as revisions have them for reasons: nothing to be judged.
_PLAIN: Final = re.compile(r"[a-z_\s]{0,40}")


#: What reading a record may raise, whatever is in it.
_FAULTS: Final = (
    SimonidesError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LoadResult:
    """One verdict per record, in order."""

    verdicts: tuple[Verdict, ...]

    def count(self, outcome: Outcome) -> int:
        """How many records ended so."""
        return sum(verdict.outcome == outcome for verdict in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        return {"verdicts": [verdict.to_dict() for verdict in self.verdicts]}


@dataclass(slots=True)
class _Entry:
    """A record on its way into the store.

    Attributes:
        number: Its place among all records, from 1.
        verdict: What became of it; None until that is known.
        item: Of an item, what it says.
    """

    number: int
    record: Mapping[str, Any]
    verdict: Verdict | None = None
    item: ItemRecord | None = None
    vector: NDArray[np.float32] | None = None
    names: Sequence[Name] = ()


@dataclass(slots=True)
class _Course:
    """What is known while records are taken in.

    Attributes:
        loaded: Ids of items that records ended in.
        brought: Of those, the ones that records brought, or that were here with the same history.
        entities: Keys of entities that records told of.
    """

    trusted: bool
    loaded: set[str] = field(default_factory=set[str])
    brought: set[str] = field(default_factory=set[str])
    entities: list[int] = field(default_factory=list[int])


class Transfer:
    """Writes a store out, and takes it in past the policy."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        policy: Policy,
        clock: Clock,
        neighbours: Neighbours,
        recorder: Recorder,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policy = policy
        self._clock = clock
        self._neighbours = neighbours
        self._recorder = recorder

    # Writing out

    def export(self, scopes: tuple[Scope, ...] | None) -> Iterator[dict[str, Any]]:
        """Records of all that a store knows, in an order in which `load` takes them.

        Entities; items in the order in which they came, each with all that hangs on it; links; sessions; pairs that
        jobs have judged; runs and what they changed. What is in the archive file stands where it stood before it
        was moved, as what is archived. Of some scopes only, a run is told if all that it changed is told.
        """
        selection = Selection(scopes=scopes, live_at=None, statuses=frozenset(Status))
        with both(self._store) as views:
            entities: set[str] = set()
            for known in _every_entity(views.here, scopes):
                entities.add(known.entity.id)
                yield store_records.entity_record(known)
            ids: list[str] = []
            unnamed = frozenset(key for key, _ in views.here.unnamed(_MOST))
            for record in _item_records(views, selection, unnamed):
                ids.append(record["id"])
                yield record
            exported = frozenset(ids)
            for first in range(0, len(ids), _PAGE):
                page = frozenset(ids[first : first + _PAGE])
                for link in views.links(ids[first : first + _PAGE]):
                    if link.src in page and link.dst in exported:
                        yield {"kind": "link"} | link.to_dict()
            sessions = views.here.sessions(scopes, _MOST)
            for session in sorted(sessions, key=lambda one: (str(one.scope), one.session_id)):
                yield store_records.session_record(session)
            for pair in views.here.judged_pairs():
                if pair.a_id in exported and pair.b_id in exported:
                    yield store_records.judged_record(pair)

            def whole(run: Run, changes: Sequence[RunChange]) -> bool:
                if scopes is None:
                    return True
                paths = {str(scope) for scope in scopes}
                if not changes:
                    return run.scope in paths
                return all(_about(change, exported, entities, paths) for change in changes)

            yield from store_records.run_records(views.here, whole)

    # Taking in

    def load(
        self,
        records: Iterable[Mapping[str, Any]],
        progress: Callable[[int], None] | None = None,
        *,
        trusted: bool = False,
    ) -> LoadResult:
        """Take in records; each is judged, and a bad one costs the others nothing.

        Args:
            trusted: Somebody vouches for the records: approvals, pins and verifications of what the user did not
                say hold here too. Else a file brings the words along, not the decisions (`governance/imports.py`),
                and its runs and judged pairs only where they are about items that it brought.

        What contradicts a pinned or verified item is refused where that item was there before: records of one
        store are taken as they are, whatever they say of each other. An item of no format, with a content and
        fields as `add` takes them, is added.

        Guarantees:
            What `progress` was told of is durable. Loading again goes on: what is here already is merged.
        """
        verdicts: list[Verdict] = []
        source = enumerate(records, 1)
        course = _Course(trusted)
        while page := [_Entry(number, record) for number, record in islice(source, _PAGE)]:
            for plain, some in groupby(page, lambda entry: _is_plain(entry.record)):
                if plain:
                    verdicts += self._add([entry.record for entry in some])
                else:
                    verdicts += self._take(list(some), course)
            course.loaded |= {one.item_id for one in verdicts[-len(page) :] if one.item_id is not None}
            if progress is not None:
                progress(len(verdicts))
        if course.entities:
            self._store.write(lambda tx: tx.drop_unneeded(course.entities))
        return LoadResult(tuple(verdicts))

    def _add(self, records: Sequence[Mapping[str, Any]]) -> Sequence[Verdict]:
        """Add plain items, as a person would who types them in."""
        intake = Intake(self._clock.now(), source_id="import", taxonomy=self._policy.taxonomy)
        fields = [{name: value for name, value in record.items() if name != "kind"} for record in records]
        return self._recorder.items(intake.read(given, GLOBAL, {}, strict=False) for given in fields)

    def _take(self, entries: list[_Entry], course: _Course) -> list[Verdict]:
        self._read(entries, course)
        self._judge(entries, course)
        self._embed([entry for entry in entries if entry.item is not None and entry.verdict is None])
        return self._store.write(lambda tx: self._commit(tx, entries, course))

    # Before the transaction

    def _read(self, entries: Sequence[_Entry], course: _Course) -> None:
        """Read the items among the records, and find out which are here as they are."""
        for entry in entries:
            try:
                # What is half a character is stored nowhere.
                json.dumps(entry.record, ensure_ascii=False).encode()
                if entry.record.get("kind") != "item":
                    if is_deeper(entry.record, _DEEPEST):
                        raise InvalidInput(f"the record is nested deeper than {_DEEPEST} levels")
                    continue
                entry.item = item_records.read(entry.record, trusted=course.trusted)
                for text, name in entry.item.texts():
                    self._require_clean(text, name)
            except _FAULTS as error:
                entry.item, entry.verdict = None, _rejected(entry, error)
        with self._store.read() as reader:
            items = [entry for entry in entries if entry.item is not None]
            here = reader.get([entry.record["id"] for entry in items])
            for entry in items:
                id_ = entry.record["id"]
                if entry.item is not None and id_ in here and reader.revisions(id_) == entry.item.revisions:
                    reason = "duplicate: the item is here with this history"
                    entry.verdict = Verdict(Outcome.MERGED, id_, (reason,))

    def _judge(self, entries: Sequence[_Entry], course: _Course) -> None:
        """Have the policy look at every state of items that are not here yet.

        All of it is judged before anything is written: what is rejected leaves nothing behind.
        """
        at = self._clock.now()
        fresh = [(entry, entry.item) for entry in entries if entry.verdict is None and entry.item is not None]
        standing = [Candidate(found.item) for _, found in fresh if found.item.status is Status.ACTIVE]
        among = course.loaded | {found.item.id for _, found in fresh}
        introduced = {
            candidate.item.id: _without(candidate, among)
            for candidate in self._neighbours.introduce(standing, at)
        }
        for entry, found in fresh:
            last = found.revisions[-1]
            for number, revision in enumerate(found.revisions):
                candidate = Candidate(revision.item)
                if revision is last:
                    candidate = introduced.get(found.item.id, candidate)
                ruling = self._policy.judge(candidate, at)
                held = ruling.outcome is Outcome.QUARANTINED and last.item.status is Status.ACTIVE
                if ruling.outcome is Outcome.REJECTED or (held and revision is last and not found.approved):
                    entry.verdict = Verdict(Outcome.REJECTED, None, ruling.reasons)
                    break
                if revision.item.type == "episode":
                    found.revisions[number] = replace(revision, item=ruling.item)

    def _embed(self, entries: Sequence[_Entry]) -> None:
        found = [entry.item for entry in entries if entry.item is not None]
        vectors = embedded(self._embedder, [record.item.text for record in found]).vectors
        for entry, vector in zip(entries, vectors, strict=True):
            entry.vector = vector
        for entry, record in zip(entries, found, strict=True):
            # Nothing is registered of what was turned down.
            if record.mentions is None and not record.turned_down:
                entry.names = names_of(record.item)

    # Inside of it

    def _commit(self, tx: Writer, entries: Sequence[_Entry], course: _Course) -> list[Verdict]:
        done: list[Verdict] = []
        for is_item, some in groupby(entries, lambda entry: entry.item is not None):
            if is_item:
                done += self._commit_items(tx, list(some), course)
            else:
                done += [entry.verdict or self._commit_one(tx, entry, course) for entry in some]
        return done

    def _commit_one(self, tx: Writer, entry: _Entry, course: _Course) -> Verdict:
        kind = entry.record.get("kind")
        try:
            if kind == "unreadable":
                raise InvalidInput(str(entry.record.get("error")))
            if not isinstance(kind, str) or (load := store_records.LOADERS.get(kind)) is None:
                raise InvalidInput(f"kind {kind!r} is not known; {_KINDS}")
            if not course.trusted:
                store_records.require_own(entry.record, course.brought)
            verdict = load(tx, entry.record, self._require_clean)
        except _FAULTS as error:
            return _rejected(entry, error)
        if kind == "entity" and "id" in entry.record and (known := tx.entity(entry.record["id"])) is not None:
            course.entities.append(known[0])
        return verdict

    def _commit_items(self, tx: Writer, entries: Sequence[_Entry], course: _Course) -> list[Verdict]:
        taken = _Taken(tx, entries, self._clock.now())
        verdicts: dict[int, Verdict] = {}
        copies: dict[int, Copied] = {}
        left: dict[int, tuple[str, ...]] = {}
        ids: dict[str, int] = {}
        keys: dict[str, tuple[int, Scope] | None] = {}
        for entry in entries:
            found = entry.item
            if entry.verdict is not None or found is None:
                verdicts[entry.number] = entry.verdict or Verdict(Outcome.REJECTED)
            elif (known := taken.claim(found.item)) is not None:
                reason = "duplicate: another item says the same"
                verdicts[entry.number] = Verdict(Outcome.MERGED, known, (reason,))
            elif found.item.id in ids:
                reason = f"record {entry.number}: the item stands in record {ids[found.item.id]} already"
                verdicts[entry.number] = Verdict(Outcome.REJECTED, None, (reason,))
            else:
                ids[found.item.id] = entry.number
                copies[entry.number] = _copied(tx, entry, found, keys)
                left[entry.number] = found.left_out
        model = self._embedder.identity if any(copy.vector is not None for copy in copies.values()) else None
        problems = tx.take_in(list(copies.values()), model)
        for (number, copy), problem in zip(copies.items(), problems, strict=True):
            verdicts[number] = (
                Verdict(Outcome.ACCEPTED, copy.usage.id, left[number])
                if problem is None
                else Verdict(Outcome.REJECTED, None, (f"record {number}: {problem}",))
            )
        for entry in entries:
            if verdicts[entry.number].item_id == entry.record["id"]:
                course.brought.add(entry.record["id"])
        return [verdicts[entry.number] for entry in entries]

    def _require_clean(self, text: str, name: str) -> None:
        if not _PLAIN.fullmatch(text) and (found := self._policy.refusals(text)):
            raise InvalidText(f"{name} cannot be stored ({found[0]})")


_KINDS: Final = (
    "a line is a record of `export`, or a plain item: "
    '{"kind": "item", "content": "…"} with fields as `add` takes them'
)


class _Taken:
    """Which contents are taken: by items that are here, and by earlier ones of the page."""

    def __init__(self, tx: Writer, entries: Sequence[_Entry], at: int) -> None:
        wanted: dict[Scope, list[bytes]] = {}
        for entry in entries:
            if entry.verdict is None and entry.item is not None and _takes(entry.item.item):
                wanted.setdefault(entry.item.item.scope, []).append(entry.item.item.content_hash)
        self._taken = {scope: dict(holders(tx, scope, hashes, at)) for scope, hashes in wanted.items()}

    def claim(self, item: Item) -> str | None:
        """The other item that has this content already; else it is this item's from now on."""
        if not _takes(item):
            return None
        known = self._taken[item.scope].setdefault(item.content_hash, item.id)
        return None if known == item.id else known


def _takes(item: Item) -> bool:
    return item.status is Status.ACTIVE and item.type not in {"episode", "chunk"}


def _copied(
    tx: Writer, entry: _Entry, found: ItemRecord, keys: dict[str, tuple[int, Scope] | None]
) -> Copied:
    """What a record says, with the keys of the entities that it names."""
    item = found.item
    mentions: list[int] | None = None
    if found.mentions is not None:
        for id_ in found.mentions:
            if id_ not in keys:
                keys[id_] = None if (known := tx.entity(id_)) is None else (known[0], known[1].scope)
        places = (keys[id_] for id_ in found.mentions)
        mentions = [place[0] for place in places if place is not None and place[1] == item.scope]
    return Copied(
        revisions=found.revisions,
        usage=replace(item, usage=found.usage, confidence=found.confidence),
        names=None if found.unlooked else entry.names,
        mentions=mentions,
        uses=found.uses,
        vector=entry.vector,
        place=None if found.place is None else Place(item.id, *found.place),
        verdict=found.verdict,
        wished=found.wished,
        waits=found.waits,
    )


def _is_plain(record: Mapping[str, Any]) -> bool:
    """Whether a record is an item as somebody writes it by hand, and none that was exported."""
    return (
        record.get("kind", "item") == "item"
        and "content" in record
        and not {"format", "revisions"} & set(record)
    )


def _without(candidate: Candidate, ids: set[str]) -> Candidate:
    """A candidate that knows nothing of some settled items."""
    if not candidate.known.settled:
        return candidate
    settled = tuple(item for item in candidate.known.settled if item.id not in ids)
    return replace(candidate, known=replace(candidate.known, settled=settled))


def _rejected(entry: _Entry, error: Exception) -> Verdict:
    why = str(error) if isinstance(error, SimonidesError) else f"it cannot be read: {error!r}"
    if isinstance(error, RecursionError):
        why = "it is nested too deeply"
    return Verdict(Outcome.REJECTED, None, (f"record {entry.number}: {why}",))


def _every_entity(reader: Reader, scopes: tuple[Scope, ...] | None) -> Iterator[Any]:
    after = 0
    while page := reader.known_entities(scopes, after, _PAGE):
        yield from page
        after = page[-1].key


def _item_records(views: Both, selection: Selection, unnamed: frozenset[int]) -> Iterator[dict[str, Any]]:
    """Records of the items of a store and of its archive file, in the order of their keys."""

    def records(reader: Reader, place: int, *, moved: bool) -> Iterator[tuple[int, int, dict[str, Any]]]:
        after = 0
        while page := reader.page(selection, after, _PAGE):
            kept = [(key, item) for key, item in page if not moved or views.moved(item.id)]
            written = item_records.write(
                reader, [item for _, item in kept], frozenset() if moved else unnamed
            )
            for (key, _), record in zip(kept, written, strict=True):
                yield key, place, record
            after = page[-1][0]

    streams = [records(views.here, 0, moved=False)]
    if views.there is not None:
        streams.append(records(views.there, 1, moved=True))
    for _, _, record in merge(*streams, key=itemgetter(0, 1)):
        yield record


def _about(change: RunChange, items: frozenset[str], entities: set[str], scopes: set[str]) -> bool:
    """Whether all that a change is about is told."""
    details = change.details
    named = [change.item_id, change.other_id, *details.get("item_ids", ())]
    return (
        all(item_id is None or item_id in items for item_id in named)
        and (change.entity_id is None or change.entity_id in entities)
        and details.get("scope", min(scopes, default="")) in scopes
        and change.kind not in {"vectors", "dropped vectors", "compacted"}
    )
