"""An item as a JSON record, with all that hangs on it: written by `export`, read by `load`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from simonides.domain.ids import is_id
from simonides.domain.instant import instant, iso, to_datetime
from simonides.domain.item import MAX_TAGS, Item, Usage, checked_metadata, from_fields, snapshot
from simonides.domain.records import Revision
from simonides.domain.text import valid_text
from simonides.errors import InvalidInput
from simonides.governance.imports import left_out, taken_at_its_word
from simonides.governance.wishes import granted, wish_of
from simonides.ports.buffer import Buffered
from simonides.ports.store import Reader, StoredVerdict

#: Version of the record format. Records of format 1 told neither what items mention nor how turns wait.
FORMAT: Final = 2
FORMATS: Final = (1, FORMAT)
_MOST: Final = 1 << 53
_TIMES: Final = (
    "created_at", "updated_at", "event_at", "valid_from", "valid_until", "expires_at",
)  # fmt: skip
_NAMES: Final = (
    "session_id", "task_id", "narrative_id", "corpus_id", "rule_id", "superseded_by",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """What a record says of an item.

    Attributes:
        left_out: What was not taken over from the record, as reasons of a verdict.
        place: Domain, room and shelf.
        mentions: Ids of entities; None where the record does not tell.
        unlooked: Nobody had looked through its text for names.
    """

    revisions: list[Revision]
    left_out: tuple[str, ...]
    usage: Usage
    confidence: float
    place: tuple[str, str, str] | None
    verdict: StoredVerdict | None
    wished: Mapping[str, Any] | None
    mentions: tuple[str, ...] | None
    unlooked: bool
    uses: tuple[tuple[str, int], ...]
    waits: Buffered | None

    @property
    def item(self) -> Item:
        return self.revisions[-1].item

    @property
    def approved(self) -> bool:
        """Whether a person let an item in that the policy would hold back."""
        return self.verdict is not None and self.verdict.verdict == "approved"

    @property
    def turned_down(self) -> bool:
        return self.verdict is not None and self.verdict.verdict == "rejected"

    def texts(self) -> Iterator[tuple[str, str]]:
        """What is said beside the item itself, each with what it is."""
        yield "" if self.place is None else "\n".join(self.place), "the place's name"
        if self.verdict is not None:
            said = "\n".join([*self.verdict.reasons, self.verdict.why_store or "", self.verdict.actor])
            yield said, "the verdict's reasons"
        for revision in self.revisions:
            yield f"{revision.reason}\n{revision.run_id or ''}", "the reason of a revision"
        yield "\n".join(session_id for session_id, _ in self.uses), "the name of a session"
        if self.waits is not None:
            yield f"{self.waits.session_id}\n{self.waits.error or ''}", "what a turn waits for"


def read(record: Mapping[str, Any], *, trusted: bool) -> ItemRecord:
    """What a record of `export` says of an item.

    Args:
        trusted: Somebody vouches for it; else what was decided about the words of others is left out.

    Raises:
        InvalidInput: It cannot be read, or says what no item can be.
    """
    revisions = given = _revisions(record)
    verdict = _verdict(record)
    if not trusted:
        words = [taken_at_its_word(one.item) for one in given]
        revisions = [
            one if one.item is item else replace(one, item=item)
            for one, item in zip(given, words, strict=True)
        ]
        if verdict is not None and verdict.verdict == "approved":
            verdict = replace(verdict, verdict="accepted", actor="import")
    item = revisions[-1].item
    mentions = record.get("mentions")
    for revision in revisions:
        valid_text(revision.item.content, name="the content")
    return ItemRecord(
        revisions=revisions,
        left_out=left_out(given[-1].item, item),
        usage=_usage(record),
        confidence=max(item.confidence, min(1.0, float(record.get("confidence", item.confidence)))),
        place=_place(record),
        verdict=verdict,
        wished=_wished(record, item, trusted=trusted),
        mentions=None if mentions is None else tuple(_id(entity) for entity in mentions),
        unlooked=mentions is None and record.get("format") != 1,
        uses=_uses(record),
        waits=_waits(record, item),
    )


def write(reader: Reader, items: Sequence[Item], unnamed: frozenset[int]) -> Iterator[dict[str, Any]]:
    """The records of items.

    Args:
        reader: Of the file that they are in.
        unnamed: Keys of those that nobody has looked through for names.
    """
    keys = {item.id: key for item in items if (key := reader.key(item.id)) is not None}
    uses, waiting = reader.uses_of(list(keys.values())), reader.buffered(list(keys.values()))
    pairs = reader.mentioned_by(list(keys.values()))
    entities = reader.entities_by_key([entity for _, entity in pairs])
    mentions: dict[int, list[str]] = {}
    for key, entity in pairs:
        mentions.setdefault(key, []).append(entities[entity].id)
    for item in items:
        key = keys[item.id]
        record = _item_record(reader, item)
        record["mentions"] = None if key in unnamed else sorted(mentions.get(key, ()))
        record["uses"] = [[session_id, iso(at)] for session_id, at in uses.get(key, ())]
        record["waits"] = _waiting(waiting.get(key))
        yield record


def _waiting(waits: Buffered | None) -> dict[str, Any] | None:
    if waits is None:
        return None
    at = None if waits.retry_at is None else iso(waits.retry_at)
    return waits._asdict() | {"retry_at": at}


def _waits(record: Mapping[str, Any], item: Item) -> Buffered | None:
    """How a turn waits; what is no turn waits for nothing."""
    given = cast("Mapping[str, Any] | None", record.get("waits"))
    if given is None:
        return None
    tries, retry, error = int(given.get("tries", 0)), given.get("retry_at"), given.get("error")
    if item.type != "episode" or not 0 <= tries < _MOST:
        raise InvalidInput("only a turn waits for extraction, tried a number of times")
    return Buffered(
        session_id=valid_text(given["session_id"], name="session_id"),
        failed=given.get("failed") is True,
        tries=tries,
        error=None if error is None else valid_text(error, name="the error"),
        retry_at=None if retry is None else instant(retry, name="retry_at"),
    )


def _uses(record: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    given = cast("Sequence[Sequence[Any]]", record.get("uses") or ())
    return tuple((valid_text(name, name="session_id"), instant(at, name="used_at")) for name, at in given)


def _id(text: object) -> str:
    if not is_id(text):
        raise InvalidInput("an id has not the form of one")
    return cast("str", text)


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
    wished = reader.wish(item.id)
    return {} if wished is None else {"wished": dict(wished)}


def _revisions(record: Mapping[str, Any]) -> list[Revision]:
    if record.get("format") not in FORMATS:
        raise InvalidInput(
            f"format {record.get('format')!r} is not known; this release reads formats 1 to {FORMAT}: "
            "take a newer release, or for a plain line leave out format and revisions"
        )
    try:
        found = [
            Revision(
                int(entry["number"]),
                _checked(from_fields(entry["item"])),
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
