"""Export and import: JSON records by which one store becomes another, without loss."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import merge
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, Final, cast

from simonides.domain.actor import IMPORT
from simonides.domain.batches import batches
from simonides.domain.item import MAX_METADATA_DEPTH, Item, Status, is_deeper
from simonides.domain.records import Place, Revision
from simonides.domain.run import Run, RunChange
from simonides.domain.scope import GLOBAL, Scope
from simonides.domain.selection import ItemOrder, Selection, lacking_vector
from simonides.domain.verdict import Outcome, Verdict
from simonides.domain.written import Written
from simonides.errors import Conflict, InvalidInput, NotFound, SimonidesError
from simonides.governance.policy import Candidate, Policy
from simonides.language.names import names_of
from simonides.ports.both import Both, both
from simonides.ports.buffer import SessionSelection
from simonides.ports.clock import Clock
from simonides.ports.copying import Copied
from simonides.ports.embedder import Embedder
from simonides.ports.runs import JudgedPair
from simonides.ports.store import Reader, Store, Writer
from simonides.values import dataclass
from simonides.writing import item_records, store_records
from simonides.writing.embedded import embedded
from simonides.writing.holders import holders
from simonides.writing.intake import Intake
from simonides.writing.item_records import ItemRecord
from simonides.writing.json_fields import fields_of
from simonides.writing.moved_entities import MovedEntities, every_entity
from simonides.writing.neighbours import Neighbours
from simonides.writing.record import Recorder
from simonides.writing.store_records import Told
from simonides.writing.taking_in import LEFT_OUT, Foreign, Vouched

#: Records that are judged, embedded and committed together. Bounded, so that other writers get their turn.
_PAGE: Final = 512
_MOST: Final = 1 << 53
_UNNAMED: Final = Selection(scopes=None, live_at=None, statuses=frozenset(Status), unnamed=True)
#: Levels of a record: metadata stands within an item, a revision and their list.
_DEEPEST: Final = MAX_METADATA_DEPTH + 8
#: Texts of one load that were found clean and are met again: reasons of revisions, names of sessions.
_REMEMBERED: Final = 4096
_KINDS: Final = (
    'a line is one of an export, or a plain item: {"kind": "item", "content": "…"} with fields of an item'
)


@dataclass(frozen=True, slots=True)
class LoadResult(Written):
    """One verdict per record, in order."""

    verdicts: tuple[Verdict, ...]

    def count(self, outcome: Outcome) -> int:
        """Number of records that ended so."""
        return sum(verdict.outcome == outcome for verdict in self.verdicts)

    def left_out(self) -> list[int]:
        """Numbers of the records, from 1, that are not taken in by rule, without `trusted`.

        They are runs of upkeep, and what models asked for (`review.ask`).
        """
        return [
            number
            for number, verdict in enumerate(self.verdicts, 1)
            if any(reason.startswith(f"record {number}: {LEFT_OUT}: ") for reason in verdict.reasons)
        ]


@dataclass(frozen=True, slots=True)
class _Fault:
    """Reason that a record is rejected, before it is said which one it is."""

    why: str

    def of(self, number: int) -> Verdict:
        return Verdict(Outcome.REJECTED, None, (f"record {number}: {self.why}",))


#: What became of a record.
_Ended = Verdict | _Fault
#: A record of `export`, read; or what became of it already.
_Read = ItemRecord | Told | _Ended


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
            moved = MovedEntities.of(views, scopes)
            for known in chain(map(moved.told, every_entity(views.here, scopes)), moved.unknown):
                entities.add(known.entity.id)
                yield store_records.entity_record(known)
            ids: list[str] = []
            by_key: dict[int, str] = {}
            for key, record in _item_records(views, selection, moved.ids):
                ids.append(record["id"])
                by_key.setdefault(key, record["id"])
                yield record
            exported = frozenset(ids)
            for page in batches(ids, _PAGE):
                inside = frozenset(page)
                for link in views.links(page):
                    if link.src in inside and link.dst in exported:
                        yield {"kind": "link"} | link.to_dict()
            sessions = views.here.sessions(SessionSelection(scopes=scopes), _MOST)
            for session in sorted(sessions, key=lambda one: (str(one.scope), one.session_id)):
                yield store_records.session_record(session)
            for job, a, b, at in views.here.judged_keys():
                if a in by_key and b in by_key:
                    yield store_records.judged_record(JudgedPair(job, by_key[a], by_key[b], at))

            def is_told(run: Run, changes: Callable[[], Sequence[RunChange]]) -> bool:
                if scopes is None:
                    return True
                paths = {str(scope) for scope in scopes}
                made = changes()
                if not made:
                    return run.scope in paths
                return all(_about(change, exported, entities, paths) for change in made)

            yield from store_records.run_records(views.here, is_told)

    # Taking in

    def load(
        self,
        records: Iterable[Mapping[str, Any] | ItemRecord],
        progress: Callable[[int], None] | None = None,
        *,
        trusted: bool = False,
    ) -> LoadResult:
        """Take in records; each is judged, and a bad one costs the others nothing.

        Args:
            trusted: Somebody vouches for the records: approvals, pins and verifications of what the user did not
                say hold here too, and so does what upkeep did. Else a file brings the words along, not the
                decisions (`governance/imports.py`), and changes nothing that is here (`writing/taking_in.py`).

        What contradicts a pinned or verified item is refused where that item was there before: records of one
        store are taken as they are, whatever they say of each other. An item of no format, with a content and
        fields as `add` takes them, is added.

        Guarantees:
            What `progress` was told of is durable. Loading again goes on: what is here already is merged.
        """
        verdicts: list[Verdict] = []
        source = iter(records)
        course = Vouched() if trusted else Foreign(self._clock.now())
        refusals = lru_cache(_REMEMBERED)(self._policy.refusals)
        while page := list(islice(source, _PAGE)):
            read = [self._read(record, trusted, refusals) for record in page]
            done: list[_Ended] = []
            for plain, some in groupby(read, lambda one: isinstance(one, Candidate)):
                if plain:
                    done += self._recorder.items(cast("Iterable[Candidate]", some))
                else:
                    done += self._take(cast("list[_Read]", list(some)), course)
            for ended in done:
                verdicts.append(ended if isinstance(ended, Verdict) else ended.of(len(verdicts) + 1))
            if progress is not None:
                progress(len(verdicts))
        if course.entities:
            self._store.write(lambda tx: tx.drop_unneeded(course.entities))
        return LoadResult(tuple(verdicts))

    # Before the transaction

    def _read(
        self, record: object, trusted: bool, refusals: Callable[[str], Sequence[str]]
    ) -> Candidate | _Read:
        """Read a record, once the policy has seen every text of it that no judge of items looks at."""
        try:
            record_read = record if isinstance(record, ItemRecord) else self._parsed(record, trusted=trusted)
        except SimonidesError as error:
            return _Fault(str(error))
        except RecursionError:
            return _Fault("it is nested too deeply")
        except Exception as error:  # noqa: BLE001 - nobody knows what stands in a file: any value, in any place
            return _Fault(f"it cannot be read: {error!r:.200}")
        for text, name in _texts(record_read):
            if text and (why := refusals(text)):
                return _Fault(f"{name} cannot be stored ({why[0]})")
        return record_read

    def _parsed(self, record: object, *, trusted: bool) -> Candidate | _Read:
        given = fields_of(record, "a record")
        if is_deeper(given, _DEEPEST):
            raise InvalidInput(f"the record is nested deeper than {_DEEPEST} levels")
        # What is half a character is stored nowhere.
        json.dumps(given, ensure_ascii=False).encode()
        kind = given.get("kind")
        if _is_plain(given):
            intake = Intake(
                self._clock.now(), source_id="import", taxonomy=self._policy.taxonomy, actor=IMPORT
            )
            return intake.read({k: v for k, v in given.items() if k != "kind"}, GLOBAL, {}, strict=False)
        if kind == "item":
            return item_records.read(given, trusted=trusted)
        if kind == "unreadable":
            raise InvalidInput(str(given.get("error")))
        if not isinstance(kind, str) or (read := store_records.READERS.get(kind)) is None:
            raise InvalidInput(f"kind {kind!r:.80} is not known; {_KINDS}")
        return read(given)

    def _take(self, read: Sequence[_Read], course: Vouched | Foreign) -> list[_Ended]:
        with both(self._store) as views:
            course.look(views, (one for one in read if not isinstance(one, Verdict | _Fault)))
            here = views.here.get([one.item.id for one in read if isinstance(one, ItemRecord)])
            read = [_unless_here(one, views.here, here) for one in read]
        ready = self._embedded(self._judged(read, course))
        return self._store.write(lambda tx: self._commit(tx, ready, course))

    def _judged(self, read: Sequence[_Read], course: Vouched | Foreign) -> list[_Read]:
        """Have the policy look at every state of items that are not here yet.

        All of it is judged before anything is written: what is rejected leaves nothing behind.
        """
        at = self._clock.now()
        fresh = [one.item for one in read if isinstance(one, ItemRecord)]
        standing = [Candidate(item) for item in fresh if item.status is Status.ACTIVE]
        among = course.own(item.id for item in fresh)
        introduced = {
            candidate.item: _without(candidate, among)
            for candidate in self._neighbours.introduce(standing, at)
        }
        return [
            self._ruled(one, introduced.get(one.item), at, vouched=isinstance(course, Vouched))
            if isinstance(one, ItemRecord)
            else one
            for one in read
        ]

    def _ruled(
        self, record: ItemRecord, standing: Candidate | None, at: int, *, vouched: bool
    ) -> ItemRecord | Verdict:
        """A record in the form in which its states may be stored; a rejection if one of them may not."""
        last = record.revisions[-1]
        revisions: list[Revision] = []
        for revision in record.revisions:
            now = revision is last
            candidate = standing if now and standing is not None else Candidate(revision.item)
            ruling = self._policy.judge(candidate, at)
            held = ruling.outcome is Outcome.QUARANTINED and last.item.status is Status.ACTIVE
            if held and now and vouched:
                # Its own store let it in, by what was said there at the time. Only what is here may speak against it.
                alone = self._policy.judge(Candidate(revision.item), at)
                held = not set(ruling.reasons) <= set(alone.reasons)
            if ruling.outcome is Outcome.REJECTED or (held and now and not record.approved):
                return Verdict(Outcome.REJECTED, None, ruling.reasons)
            turn = revision.item.type == "episode"
            revisions.append(replace(revision, item=ruling.item) if turn else revision)
        return replace(record, revisions=tuple(revisions))

    def _embedded(self, read: Sequence[_Read]) -> list[_Read]:
        texts = [one.item.text for one in read if isinstance(one, ItemRecord) and _has_vector(one)]
        vectors = iter(embedded(self._embedder, texts).vectors)
        return [
            replace(one, vector=next(vectors)) if isinstance(one, ItemRecord) and _has_vector(one) else one
            for one in read
        ]

    # Inside of it

    def _commit(self, tx: Writer, read: Sequence[_Read], course: Vouched | Foreign) -> list[_Ended]:
        done: list[_Ended] = []
        for are_items, some in groupby(read, lambda one: isinstance(one, ItemRecord)):
            if are_items:
                done += self._commit_items(tx, cast("list[ItemRecord]", list(some)), course)
            else:
                records = cast("Iterable[Told | _Ended]", some)
                done += [
                    one if isinstance(one, Verdict | _Fault) else _written(tx, one, course) for one in records
                ]
        return done

    def _commit_items(
        self, tx: Writer, items: Sequence[ItemRecord], course: Vouched | Foreign
    ) -> list[_Ended]:
        taken = _Taken(tx, items, self._clock.now())
        ended: list[_Ended | None] = []
        copies: dict[str, Copied] = {}
        for one in items:
            ended.append(_settled(tx, one, taken, copies, course))
            if ended[-1] is None:
                copies[one.item.id] = _copied(one, course.mentions(tx, one))
        problems = iter(self._taken_in(tx, list(copies.values()), vouched=isinstance(course, Vouched)))
        done = [
            _stored(one, next(problems)) if end is None else end
            for one, end in zip(items, ended, strict=True)
        ]
        for one, end in zip(items, done, strict=True):
            if isinstance(end, Verdict):
                course.note(end, one)
        return done

    def _taken_in(self, tx: Writer, copies: Sequence[Copied], *, vouched: bool) -> list[Conflict | None]:
        """Store copies together; where one of them breaks a rule of the store, each by itself."""
        model = self._embedder.identity if any(copy.vector is not None for copy in copies) else None
        try:
            with tx.savepoint():
                return tx.take_in(copies, model, vouched=vouched)
        except Conflict as conflict:
            if len(copies) == 1:
                return [conflict]
        return [problem for copy in copies for problem in self._taken_in(tx, [copy], vouched=vouched)]


class _Taken:
    """Contents that are taken: by items that are here, and by earlier ones of the page."""

    def __init__(self, tx: Writer, items: Sequence[ItemRecord], at: int) -> None:
        wanted: dict[Scope, list[bytes]] = {}
        for item in (one.item for one in items):
            if _takes(item):
                wanted.setdefault(item.scope, []).append(item.content_hash)
        self._taken = {scope: dict(holders(tx, scope, hashes, at)) for scope, hashes in wanted.items()}

    def claim(self, item: Item) -> str | None:
        """The other item that has this content already; else it is this item's from now on."""
        if not _takes(item):
            return None
        known = self._taken[item.scope].setdefault(item.content_hash, item.id)
        return None if known == item.id else known


def _takes(item: Item) -> bool:
    return item.status is Status.ACTIVE and item.type not in {"episode", "chunk", "record"}


def _texts(one: Candidate | _Read) -> Iterable[tuple[str, str]]:
    match one:
        case Candidate() | Verdict() | _Fault():
            return ()
        case ItemRecord():
            return one.texts()
        case _:
            return store_records.texts(one)


def _written(tx: Writer, record: Told, course: Vouched | Foreign) -> _Ended:
    """Take in a record that is none of an item; one that is rejected leaves nothing behind."""
    try:
        with tx.savepoint():
            return course.write(tx, record)
    except (InvalidInput, NotFound, Conflict) as error:
        return _Fault(str(error))


def _stored(record: ItemRecord, problem: Conflict | None) -> _Ended:
    if problem is None:
        return Verdict(Outcome.ACCEPTED, record.item.id, record.left_out)
    return _Fault(str(problem))


def _settled(
    tx: Writer, record: ItemRecord, taken: _Taken, copies: Mapping[str, Copied], course: Vouched | Foreign
) -> _Ended | None:
    """Outcome for the record of an item that is not to be stored; None for one that is."""
    try:
        course.require_item(tx, record)
    except InvalidInput as error:
        return _Fault(str(error))
    if record.item.id in copies:
        return _Fault("an earlier record has the item already")
    if (known := taken.claim(record.item)) is not None:
        return Verdict(Outcome.MERGED, known, ("duplicate: another item says the same",))
    return None


def _unless_here(record: _Read, reader: Reader, here: Mapping[str, Item]) -> _Read:
    """A record; or its verdict, where it is one of an item that is here as it is."""
    if not isinstance(record, ItemRecord) or record.item.id not in here:
        return record
    if tuple(reader.revisions(record.item.id)) != record.revisions:
        return record
    return Verdict(Outcome.MERGED, record.item.id, ("duplicate: the item is here with this history",))


def _has_vector(record: ItemRecord) -> bool:
    """True if an item is embedded: what waits for a decision has no vector before it."""
    return not record.bare and record.item.status is not Status.QUARANTINED


def _copied(record: ItemRecord, mentions: Sequence[int] | None) -> Copied:
    """Copy of a record's item, with the keys of the entities that it names."""
    item = record.item
    # Nothing is registered of what was turned down.
    names = () if mentions is not None or record.turned_down else names_of(item)
    return Copied(
        revisions=record.revisions,
        usage=replace(item, usage=record.usage, confidence=record.confidence),
        names=None if record.unlooked else names,
        mentions=mentions,
        uses=record.uses,
        vector=record.vector,
        place=None if record.place is None else Place(item.id, *record.place),
        verdict=None if record.verdict is None else replace(record.verdict, wished=record.wished),
        waits=record.waits,
    )


def _is_plain(record: Mapping[str, Any]) -> bool:
    """True if a record is an item as somebody writes it by hand, and none that was exported."""
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


def _bare(reader: Reader) -> frozenset[int]:
    """Keys of the items that have no vector of the model of most vectors.

    Of a store without any vectors they are the archived ones: an embedder that is there now is to embed the rest.
    """
    models = sorted((count, model.fingerprint) for model, count in reader.models())
    lacking = lacking_vector(models[-1][1] if models else "")
    if not models:
        lacking = replace(lacking, statuses=frozenset({Status.ARCHIVED}))
    return frozenset(reader.keys(lacking, ItemOrder.OLDEST, limit=_MOST))


def _without_any_vector(archive: Reader) -> frozenset[int]:
    """Keys of the items that have a vector of no model: what was moved keeps that of its time."""
    first, *others = [model.fingerprint for model, _ in archive.models()] or [""]
    lacking = set(archive.keys(lacking_vector(first), ItemOrder.OLDEST, limit=_MOST))
    for model in others:
        lacking.intersection_update(archive.keys(lacking_vector(model), ItemOrder.OLDEST, limit=_MOST))
    return frozenset(lacking)


def _item_records(
    views: Both, selection: Selection, entities: Mapping[str, str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Records of the items of a store and of its archive file with their keys, in the order of these.

    An item that was moved has its key in both, and no other one ever gets it.

    Args:
        entities: Ids of what moved items mention, by their ids in the archive file.
    """
    unnamed = frozenset(views.here.keys(_UNNAMED, ItemOrder.OLDEST, limit=_MOST))
    marks = {False: (unnamed, _bare(views.here), dict[str, str]())}
    if views.there is not None:
        marks[True] = (frozenset(), _without_any_vector(views.there), dict(entities))

    def records(reader: Reader, place: int, *, moved: bool) -> Iterator[tuple[int, int, dict[str, Any]]]:
        after = 0
        while page := reader.select(selection, ItemOrder.OLDEST, limit=_PAGE, after=after):
            kept = [(key, item) for key, item in page.items() if not moved or views.moved(item.id)]
            some = [item for _, item in kept]
            written = item_records.write(reader, some, *marks[moved])
            for (key, _), record in zip(kept, written, strict=True):
                yield key, place, record
            after = max(page)

    streams = [records(views.here, 0, moved=False)]
    if views.there is not None:
        streams.append(records(views.there, 1, moved=True))
    for key, _, record in merge(*streams, key=itemgetter(0, 1)):
        yield key, record


def _about(change: RunChange, items: frozenset[str], entities: set[str], scopes: set[str]) -> bool:
    """True if all that a change is about is told."""
    details = change.details
    named = [change.item_id, change.other_id, *details.get("item_ids", ())]
    return (
        all(item_id is None or item_id in items for item_id in named)
        and (change.entity_id is None or change.entity_id in entities)
        and details.get("scope", min(scopes, default="")) in scopes
        and change.kind not in {"vectors", "dropped vectors", "compacted"}
    )
