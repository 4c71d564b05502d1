"""Export and import: JSON records that go from one store to another without loss."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Final, cast

from simonides.domain.entity import Entity, entity_type, fold, valid_name
from simonides.domain.ids import is_id
from simonides.domain.instant import instant, iso, to_datetime
from simonides.domain.item import (
    MAX_METADATA_DEPTH,
    MAX_TAGS,
    Item,
    Status,
    Usage,
    checked_metadata,
    from_snapshot,
    is_deeper,
    snapshot,
)
from simonides.domain.link import Link, Relation
from simonides.domain.records import Place, Revision
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.text import valid_text
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import InvalidInput, InvalidText, SimonidesError
from simonides.governance.imports import left_out, taken_at_its_word
from simonides.governance.policy import Candidate, Policy
from simonides.governance.wishes import granted, wish_of
from simonides.ports.both import both
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.store import Reader, Store, StoredVerdict, Writer
from simonides.writing.holders import holder
from simonides.writing.naming import names_of
from simonides.writing.neighbours import Neighbours

#: Version of the record format.
FORMAT: Final = 1
_PAGE: Final = 200
_MOST: Final = 1 << 53
#: Levels of a record: metadata stands within an item, a revision and their list.
_DEEPEST: Final = MAX_METADATA_DEPTH + 8
_TIMES: Final = (
    "created_at", "updated_at", "event_at", "valid_from", "valid_until", "expires_at",
)  # fmt: skip
_NAMES: Final = (
    "session_id", "task_id", "narrative_id", "corpus_id", "rule_id", "superseded_by",
)  # fmt: skip
#: Words of our own, as revisions have them for reasons: nothing to be judged.
_PLAIN: Final = re.compile(r"[a-z_\s]{0,40}")


@dataclass(frozen=True, slots=True)
class LoadResult:
    """One verdict per record, in order."""

    verdicts: tuple[Verdict, ...]

    def count(self, outcome: Outcome) -> int:
        """How many records ended so."""
        return sum(verdict.outcome == outcome for verdict in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        return {"verdicts": [verdict.to_dict() for verdict in self.verdicts]}


class Transfer:
    """Writes items out with all that belongs to them, and takes them in past the policy."""

    def __init__(
        self, store: Store, embedder: Embedder, policy: Policy, clock: Clock, neighbours: Neighbours
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policy = policy
        self._clock = clock
        self._neighbours = neighbours

    def export(self, scopes: tuple[Scope, ...] | None) -> Iterator[dict[str, Any]]:
        """Records of items, oldest first, each with revisions and usage; of entities; of links.

        What is in the archive file comes after the rest, as what is archived.

        What items mention follows from their texts. Of entities there is a record where somebody said
        something about them.
        """
        selection = Selection(scopes=scopes, live_at=None, statuses=frozenset(Status))
        ids: list[str] = []
        with both(self._store) as views:
            for reader in (views.here, views.there):
                total = 0 if reader is None else reader.count(selection)
                for first in range(0, total, _PAGE):
                    assert reader is not None
                    # `find` gives the newest first; pages are taken from the end.
                    offset = max(0, total - first - _PAGE)
                    page = reader.find(selection, limit=min(_PAGE, total - first), offset=offset)
                    for item in reversed(page):
                        if reader is views.here or views.moved(item.id):
                            ids.append(item.id)
                            yield _item_record(reader, item)
            for _, entity in views.here.entities(scopes, _MOST, told=True):
                yield _entity_record(entity)
            exported = frozenset(ids)
            for first in range(0, len(ids), _PAGE):
                for link in views.links(ids[first : first + _PAGE]):
                    if link.src in ids[first : first + _PAGE] and link.dst in exported:
                        yield {"kind": "link"} | link.to_dict()

    def load(
        self, records: Iterable[Mapping[str, Any]], progress: Any = None, *, trusted: bool = False
    ) -> LoadResult:
        """Take in records; each is judged, and a bad one costs the others nothing.

        Args:
            trusted: Somebody vouches for the records: approvals, pins and verifications of what the user did not
                say hold here too. Else a file brings the words along, not the decisions (`governance/imports.py`).

        What contradicts a pinned or verified item is refused where that item was there before: records of one
        store are taken as they are, whatever they say of each other.
        """
        verdicts: list[Verdict] = []
        source = iter(records)
        loaded: set[str] = set()
        while page := list(islice(source, _PAGE)):
            done = self._store.write(
                partial(self._load, page=page, base=len(verdicts), loaded=frozenset(loaded), trusted=trusted)
            )
            verdicts += done
            loaded |= {verdict.item_id for verdict in done if verdict.item_id is not None}
            if progress is not None:
                progress(len(verdicts))
        return LoadResult(tuple(verdicts))

    def _load(
        self, tx: Writer, page: list[Mapping[str, Any]], base: int, loaded: frozenset[str], *, trusted: bool
    ) -> list[Verdict]:
        verdicts: list[Verdict] = []
        embed: list[str] = []
        for number, record in enumerate(page, base + 1):
            try:
                verdict = self._load_one(tx, record, loaded, trusted=trusted)
            except (SimonidesError, ValueError, KeyError, TypeError, AttributeError) as error:
                verdict = Verdict(Outcome.REJECTED, None, (f"record {number}: {error}",))
            if verdict.outcome is Outcome.ACCEPTED and record.get("kind") == "item" and verdict.item_id:
                embed.append(verdict.item_id)
            verdicts.append(verdict)
        if embed and self._embedder.local:
            items = list(tx.get(embed).values())
            vectors = self._embedder.embed([item.text for item in items])
            keyed = [
                (key, vector if vector.any() else None)
                for item, vector in zip(items, vectors, strict=True)
                if (key := tx.key(item.id))
            ]
            tx.put_vectors(self._embedder.identity, keyed)
        return verdicts

    def _load_one(
        self, tx: Writer, record: Mapping[str, Any], loaded: frozenset[str], *, trusted: bool
    ) -> Verdict:
        if is_deeper(record, _DEEPEST):
            raise InvalidInput(f"the record is nested deeper than {_DEEPEST} levels")
        match record.get("kind"):
            case "item":
                return self._load_item(tx, record, loaded, trusted=trusted)
            case "link":
                link = _link(record)
                self._require_clean(f"{link.predicate or ''}\n{link.evidence or ''}", "the evidence")
                tx.link(link)
                return Verdict(Outcome.ACCEPTED, None)
            case "entity":
                return self._load_entity(tx, record)
            case "unreadable":
                raise InvalidInput(str(record.get("error")))
            case other:
                raise InvalidInput(
                    f"kind {other!r} is no item, entity or link; is this an export of Simonides?"
                )

    def _load_item(
        self, tx: Writer, record: Mapping[str, Any], loaded: frozenset[str], *, trusted: bool
    ) -> Verdict:
        # All of it is read and judged before anything is written: what is rejected leaves nothing behind.
        revisions = given = _revisions(record)
        if not trusted:
            revisions = [replace(one, item=taken_at_its_word(one.item)) for one in given]
        usage, place, verdict = _usage(record), _place(record), _verdict(record)
        wished = _wished(record, revisions[-1].item, trusted=trusted)
        if verdict is not None and _is_approved(verdict) and not trusted:
            verdict = replace(verdict, verdict="accepted", actor="import")
        self._require_clean("" if place is None else "\n".join(place), "the place's name")
        if verdict is not None:
            self._require_clean(
                "\n".join([*verdict.reasons, verdict.why_store or "", verdict.actor]), "the verdict's reasons"
            )
        at = self._clock.now()
        for number, revision in enumerate(revisions):
            valid_text(revision.item.content, name="the content")
            self._require_clean(f"{revision.reason}\n{revision.run_id or ''}", "the reason of a revision")
            stands = revision is revisions[-1] and revision.item.status is Status.ACTIVE
            candidate = Candidate(revision.item)
            ruling = self._policy.judge(self._introduced(candidate, at, loaded) if stands else candidate, at)
            if ruling.outcome is Outcome.REJECTED:
                return Verdict(Outcome.REJECTED, None, ruling.reasons)
            if ruling.outcome is Outcome.QUARANTINED and stands and not (trusted and _is_approved(verdict)):
                return Verdict(Outcome.REJECTED, None, ruling.reasons)
            if revision.item.type == "episode":
                revisions[number] = replace(revision, item=ruling.item)
        last = revisions[-1].item
        confidence = max(last.confidence, min(1.0, float(record.get("confidence", last.confidence))))
        item = replace(last, usage=usage, confidence=confidence)
        known = tx.get([item.id]).get(item.id)
        if known is not None and tx.revisions(item.id) == revisions:
            return Verdict(Outcome.MERGED, item.id, ("duplicate: the item is here with this history",))
        taken = holder(tx, item, at) if item.status is Status.ACTIVE else None
        if taken not in (None, item.id):
            return Verdict(Outcome.MERGED, taken, ("duplicate: another item says the same",))
        # Nothing is registered of what was turned down.
        refused = verdict is not None and verdict.verdict == "rejected"
        tx.restore(revisions, item, () if refused else names_of(item))
        if place is not None:
            tx.assign(Place(item.id, *place))
        if verdict is not None:
            tx.judge(item.id, verdict)
            if wished is not None:
                tx.keep_wish(item.id, wished)
        return Verdict(Outcome.ACCEPTED, item.id, left_out(given[-1].item, last))

    def _introduced(self, candidate: Candidate, at: int, loaded: frozenset[str]) -> Candidate:
        [found] = self._neighbours.introduce([candidate], at)
        settled = tuple(item for item in found.known.settled if item.id not in loaded)
        return replace(found, known=replace(found.known, settled=settled))

    def _load_entity(self, tx: Writer, record: Mapping[str, Any]) -> Verdict:
        scope, name = Scope(record["scope"]), valid_name(record["name"])
        aliases = [valid_name(alias) for alias in record.get("aliases", ())]
        kind = entity_type(record["type"])
        self._require_clean("\n".join([name, *aliases]), "a name")
        known = {
            found: key for found, key, _ in tx.entities_named([fold(n) for n in (name, *aliases)], (scope,))
        }
        if not known:
            return Verdict(Outcome.REJECTED, None, (f"unknown: nothing in {scope!r} mentions {name!r}",))
        key = known.get(fold(name)) or next(iter(known.values()))
        for other in dict.fromkeys(known.values()):
            if other != key:
                tx.merge_entities(key, other)
        tx.rename(key, name)
        for alias in aliases:
            tx.alias(key, alias)
        if record.get("settled") is True:
            tx.retype(key, kind)
        return Verdict(Outcome.ACCEPTED, None)

    def _require_clean(self, text: str, name: str) -> None:
        if not _PLAIN.fullmatch(text) and (found := self._policy.refusals(text)):
            raise InvalidText(f"{name} cannot be stored ({found[0]})")


def _item_record(reader: Reader, item: Item) -> dict[str, Any]:
    usage = item.usage
    place, verdict = reader.assignment(item.id), reader.verdict(item.id)
    return {
        "kind": "item",
        "format": FORMAT,
        "id": item.id,
        "revisions": [
            {
                "number": revision.number,
                "at": iso(revision.at),
                "reason": revision.reason,
                "run_id": revision.run_id,
                "item": json.loads(snapshot(revision.item)),
            }
            for revision in reader.revisions(item.id)
        ],
        "usage": {
            "reinforcement": usage.reinforcement,
            "usage_count": usage.usage_count,
            "last_used_at": None if usage.last_used_at is None else iso(usage.last_used_at),
            "last_hit_at": None if usage.last_hit_at is None else iso(usage.last_hit_at),
        },
        "confidence": item.confidence,
        "place": None
        if place is None
        else {"domain": place.domain, "room": place.room, "shelf": place.shelf},
        "verdict": None if verdict is None else verdict.to_dict() | _wish(reader, item),
    }


def _wish(reader: Reader, item: Item) -> dict[str, Any]:
    wished = reader.wish(item.id) if item.status is Status.QUARANTINED else None
    return {} if wished is None else {"wished": dict(wished)}


def _entity_record(entity: Entity) -> dict[str, Any]:
    return {
        "kind": "entity",
        "format": FORMAT,
        "scope": entity.scope,
        "name": entity.name,
        "type": entity.type.value,
        "settled": entity.settled,
        "aliases": list(entity.aliases),
    }


def _revisions(record: Mapping[str, Any]) -> list[Revision]:
    if record.get("format") != FORMAT:
        raise InvalidInput(
            f"format {record.get('format')!r} is not known; this release reads format {FORMAT}"
        )
    try:
        found = [
            Revision(
                int(entry["number"]),
                _checked(from_snapshot(json.dumps(entry["item"], ensure_ascii=False))),
                instant(entry["at"], name="at"),
                valid_text(entry["reason"], name="the reason of a revision"),
                None if entry.get("run_id") is None else valid_text(entry["run_id"], name="run_id"),
            )
            for entry in record["revisions"]
        ]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InvalidInput(f"the record cannot be read: {error}") from error
    ids = {revision.item.id for revision in found}
    if not all(map(is_id, ids)):
        raise InvalidInput("the record's id has not the form of an item's id")
    if (
        not found
        or ids != {record.get("id")}
        or [revision.number for revision in found] != list(range(1, len(found) + 1))
    ):
        raise InvalidInput("the record's revisions are not those of one item, numbered from 1")
    return found


def _verdict(record: Mapping[str, Any]) -> StoredVerdict | None:
    given = cast("Mapping[str, Any] | None", record.get("verdict"))
    if given is None:
        return None
    if given["verdict"] not in {"accepted", "quarantined", "approved", "rejected"}:
        raise InvalidInput(f"a verdict {given['verdict']!r} is none")
    return StoredVerdict(
        verdict=given["verdict"],
        reasons=tuple(str(reason) for reason in given["reasons"]),
        why_store=given.get("why_store"),
        actor=str(given["actor"]),
        at=instant(given["at"], name="at"),
    )


def _is_approved(verdict: StoredVerdict | None) -> bool:
    """Whether a person let an item in that the policy would hold back."""
    return verdict is not None and verdict.verdict == "approved"


def _wished(record: Mapping[str, Any], item: Item, *, trusted: bool) -> Mapping[str, Any] | None:
    """What a quarantined item was to be; it has to be something that an item can be."""
    given = cast("Mapping[str, Any]", record.get("verdict") or {}).get("wished")
    if given is None:
        return None
    wished = granted(item, given, injectable=None, at=0)
    return wish_of(wished if trusted else taken_at_its_word(wished))


def _checked(item: Item) -> Item:
    """The item, if its values are of the kinds that a store takes: a snapshot is as its writer made it."""
    for name in _TIMES:
        if (at := getattr(item, name)) is not None:
            to_datetime(at)
    provenance = item.provenance
    named = [getattr(item, name) for name in _NAMES] + [provenance.source_id, provenance.source_role]
    lists = item.tags + item.entities + provenance.chunk_ids + provenance.content_hashes
    if (
        not all(isinstance(value, str) for value in (item.type, item.title, *lists))
        or not all(value is None or isinstance(value, str) for value in named)
        or not (isinstance(item.injectable, bool) and isinstance(item.pinned, bool))
        or not (item.ordinal is None or (isinstance(item.ordinal, int) and 0 <= item.ordinal < _MOST))
        or not math.isfinite(item.decay_rate)
    ):
        raise InvalidInput("a value is of the wrong kind")
    checked_metadata(item.metadata)
    for name in ("tags", "entities"):
        if (count := len(getattr(item, name))) > MAX_TAGS:
            raise InvalidInput(f"{name}: {count} words, at most {MAX_TAGS} are kept")
    return item


def _usage(record: Mapping[str, Any]) -> Usage:
    given = cast("Mapping[str, Any]", record.get("usage") or {})
    used, hit = given.get("last_used_at"), given.get("last_hit_at")
    reinforcement, count = float(given.get("reinforcement", 0.0)), int(given.get("usage_count", 0))
    if not math.isfinite(reinforcement) or not 0 <= count < _MOST:
        raise InvalidInput(f"a usage of {count} with a reinforcement of {reinforcement} is none")
    return Usage(
        reinforcement=reinforcement,
        usage_count=count,
        last_used_at=None if used is None else instant(used, name="last_used_at"),
        last_hit_at=None if hit is None else instant(hit, name="last_hit_at"),
    )


def _place(record: Mapping[str, Any]) -> tuple[str, str, str] | None:
    """Domain, room and shelf where somebody put it."""
    given = record.get("place")
    if given is None:
        return None
    domain, room, shelf = (
        valid_text(given[name], name=f"the {name}") for name in ("domain", "room", "shelf")
    )
    return domain, room, shelf


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is no weight")
    return number


def _link(record: Mapping[str, Any]) -> Link:
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
