"""An item as a JSON record, with all that hangs on it: written by `export`, read by `load`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.ids import is_id
from simonides.domain.instant import FIRST, LAST, instant, iso
from simonides.domain.item import (
    MAX_TAGS,
    Item,
    Usage,
    canonical_json,
    checked_metadata,
    from_fields,
    snapshot,
)
from simonides.domain.record import is_record
from simonides.domain.records import Revision
from simonides.domain.scope import GLOBAL
from simonides.domain.text import short_text, valid_text
from simonides.errors import InvalidInput
from simonides.governance.imports import left_out, taken_at_its_word
from simonides.governance.requests import REQUEST, RequestedAct, request_for, request_in
from simonides.governance.wishes import granted, wish_of
from simonides.ports.buffer import Buffered
from simonides.ports.copying import Attached
from simonides.ports.entities import EntitySelection
from simonides.ports.store import Reader, StoredVerdict
from simonides.values import dataclass
from simonides.writing.json_fields import (
    Fields,
    fields_of,
    id_of,
    instant_or_none,
    list_of,
    number,
    text_or_none,
    texts_of,
    whole,
)

#: Version of the record format. Records of format 1 told neither what items mention nor how turns wait.
FORMAT: Final = 2
FORMATS: Final = (1, FORMAT)
_TIMES: Final = (
    "created_at", "updated_at", "event_at", "valid_from", "valid_until", "expires_at",
)  # fmt: skip
_NAMES: Final = (
    "session_id", "task_id", "narrative_id", "corpus_id", "rule_id", "superseded_by",
)  # fmt: skip
_PLACE: Final = ("domain", "room", "shelf")
_LISTS: Final = ("tags", "entities", "chunk_ids", "content_hashes")
_VERDICTS: Final = frozenset({"accepted", "quarantined", "approved", "rejected"})
#: Types of items that the policy lets in without what it finds beside their texts, or with it.
_READ_MILDLY: Final = frozenset({"episode", "chunk", "record"})
#: A hash holds no words.
_HASH: Final = re.compile(r"[0-9a-f]{2,128}")


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """Contents of an item's record.

    Attributes:
        left_out: What was not taken over from the record, as reasons of a verdict.
        place: Domain, room and shelf.
        mentions: Ids of entities; None where the record does not tell.
        unlooked: Nobody had looked through its text for names.
        bare: It had no vector yet: the job `embed` makes it, here as there.
        vector: Of its text, as soon as that is embedded.
    """

    revisions: tuple[Revision, ...]
    left_out: tuple[str, ...]
    usage: Usage
    confidence: float
    place: tuple[str, str, str] | None
    verdict: StoredVerdict | None
    wished: Mapping[str, Any] | None
    mentions: tuple[str, ...] | None
    unlooked: bool
    bare: bool
    uses: tuple[tuple[str, int], ...]
    waits: Buffered | None
    vector: NDArray[np.float32] | None = field(default=None, compare=False)

    @property
    def item(self) -> Item:
        return self.revisions[-1].item

    @property
    def approved(self) -> bool:
        """True if a person let an item in that the policy would hold back."""
        return self.verdict is not None and self.verdict.verdict == "approved"

    @property
    def turned_down(self) -> bool:
        return self.verdict is not None and self.verdict.verdict == "rejected"

    @property
    def asks(self) -> bool:
        """True if it is a request about another item, and not something to be remembered."""
        return request_in(self.wished) is not None

    @property
    def successors(self) -> frozenset[str]:
        """Ids of the items that ever replaced it."""
        named = (revision.item.superseded_by for revision in self.revisions)
        return frozenset(id_ for id_ in named if id_ is not None)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the texts that no judge of the item itself looks at, each with what it is."""
        yield "" if self.place is None else "\n".join(self.place), "the place's name"
        if self.verdict is not None:
            judged = "\n".join([*self.verdict.reasons, self.verdict.why_store or "", self.verdict.actor])
            yield judged, "the verdict's reasons"
        if (request := request_in(self.wished)) is not None:
            yield canonical_json(dict(request.changes)), "what is asked for"
        for revision in self.revisions:
            yield revision.reason, "the reason of a revision"
            yield revision.run_id or "", "the run of a revision"
        for text in dict.fromkeys(text for revision in self.revisions for text in _beside(revision.item)):
            yield text, "a name in the item"
        for session_id, _ in self.uses:
            yield session_id, "the name of a session"
        if self.waits is not None:
            yield self.waits.error or "", "what a turn waits for"


def _beside(item: Item) -> Iterator[str]:
    """Parts of an item that the policy does not read, or not as strictly: labels, and of a turn where it belongs."""
    source = item.provenance
    named = [item.type, item.rule_id, item.superseded_by]
    if item.type in _READ_MILDLY:
        named += [source.source_id, source.source_role]
    if item.type == "episode":
        named += [item.session_id, item.task_id, item.narrative_id, item.corpus_id]
        named += [None if item.scope == GLOBAL else str(item.scope)]
    hashes = (text for text in source.content_hashes if not _HASH.fullmatch(text))
    for text in (*named, *source.chunk_ids, *hashes):
        if text and not is_id(text):
            yield text


def of_source(revisions: Sequence[Revision], usage: Usage, place: tuple[str, str, str] | None) -> ItemRecord:
    """The record of an item that another program kept, in its states so far.

    Raises:
        InvalidInput: It says what no item can be.
    """
    for one in revisions:
        _checked(one.item)
        valid_text(one.reason, name="the reason of a revision")
    words = _at_their_word(revisions)
    item = words[-1].item
    return ItemRecord(
        revisions=words,
        left_out=left_out(revisions[-1].item, item),
        usage=_checked_usage(usage),
        confidence=item.confidence,
        place=None if place is None else _named_place(place),
        verdict=None,
        wished=None,
        mentions=None,
        unlooked=False,
        bare=False,
        uses=(),
        waits=None,
    )


def _at_their_word(revisions: Sequence[Revision]) -> tuple[Revision, ...]:
    """The states of an item without what was decided about the words of others."""
    words = [taken_at_its_word(one.item) for one in revisions]
    return tuple(
        one if one.item is item else replace(one, item=item)
        for one, item in zip(revisions, words, strict=True)
    )


def read(record: Fields, *, trusted: bool) -> ItemRecord:
    """Read an item's record of `export`.

    Args:
        trusted: Somebody vouches for it; else what was decided about the words of others is left out.

    Raises:
        InvalidInput: It cannot be read, or says what no item can be.
    """
    revisions = given = _revisions(record)
    verdict = _verdict(record)
    if not trusted:
        revisions = _at_their_word(given)
        if verdict is not None and verdict.verdict == "approved":
            verdict = replace(verdict, verdict="accepted", actor="import")
    item = revisions[-1].item
    mentions = record.get("mentions")
    gained = number(record.get("confidence", item.confidence), "the confidence")
    return ItemRecord(
        revisions=revisions,
        left_out=left_out(given[-1].item, item),
        usage=_usage(record),
        confidence=max(item.confidence, min(1.0, gained)),
        place=_place(record),
        verdict=verdict,
        wished=_wished(record, item, trusted=trusted),
        mentions=None
        if mentions is None
        else tuple(id_of(one, "what it mentions") for one in list_of(mentions, "mentions")),
        unlooked=mentions is None and record.get("format") != 1,
        bare=record.get("vector") is False,
        uses=_uses(record),
        waits=_waits(record, item),
    )


def write(
    reader: Reader,
    items: Sequence[Item],
    unnamed: frozenset[int],
    bare: frozenset[int],
    called: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """The records of items.

    Args:
        reader: Of the file that they are in.
        unnamed: Keys of those that nobody has looked through for names.
        bare: Keys of those that have no vector, where the others have one.
        called: Ids of entities by which they are told, where those are others than the file has.
    """
    keys = {item.id: key for item in items if (key := reader.key(item.id)) is not None}
    attached = reader.attached(list(keys.values()))
    pairs = reader.look((), list(keys.values())).mentions
    entities = reader.entities(EntitySelection(keys=[entity for _, entity in pairs]))
    mentions: dict[int, set[str]] = {}
    for key, entity in pairs:
        id_ = entities[entity].id
        mentions.setdefault(key, set()).add(called.get(id_, id_))
    for item in items:
        key = keys[item.id]
        record = _item_record(reader, item)
        record["mentions"] = None if key in unnamed else sorted(mentions.get(key, ()))
        uses, waits = attached.get(key, Attached())
        record["uses"] = [[session_id, iso(at)] for session_id, at in uses]
        record["waits"] = _waiting(waits)
        if key in bare:
            record["vector"] = False
        yield record


def _waiting(waits: Buffered | None) -> dict[str, Any] | None:
    if waits is None:
        return None
    at = None if waits.retry_at is None else iso(waits.retry_at)
    return waits._asdict() | {"retry_at": at}


def _waits(record: Fields, item: Item) -> Buffered | None:
    """Waiting state of a turn; what is no turn waits for nothing."""
    if record.get("waits") is None:
        return None
    given = fields_of(record["waits"], "waits")
    session_id = short_text(given["session_id"], name="session_id")
    if item.type != "episode" or session_id != item.session_id:
        raise InvalidInput("only a turn waits for extraction, in its own session")
    return Buffered(
        session_id=session_id,
        failed=given.get("failed") is True,
        tries=whole(given.get("tries", 0), "tries"),
        error=text_or_none(given, "error"),
        retry_at=instant_or_none(given, "retry_at"),
    )


def _uses(record: Fields) -> tuple[tuple[str, int], ...]:
    given = [list_of(use, "a use") for use in list_of(record.get("uses") or [], "uses")]
    return tuple((short_text(name, name="session_id"), instant(at, name="used_at")) for name, at in given)


def _item_record(reader: Reader, item: Item) -> dict[str, Any]:
    usage = item.usage
    place, verdict = reader.place(item.id, given=True), reader.verdict(item.id)
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
        "verdict": None if verdict is None else verdict.to_dict() | _wish(verdict),
    }


def _wish(verdict: StoredVerdict) -> dict[str, Any]:
    """The intended state of an item that waits; what a decision keeps of the verdict before it stays in the store."""
    if verdict.wished is None or verdict.verdict != "quarantined":
        return {}
    return {"wished": dict(verdict.wished)}


def _revisions(record: Fields) -> tuple[Revision, ...]:
    if record.get("format") not in FORMATS:
        raise InvalidInput(
            f"format {record.get('format')!r:.80} is not known; this release reads formats 1 to {FORMAT}: "
            "take a newer release, or for a plain line leave out format and revisions"
        )
    revisions = tuple(
        Revision(
            whole(entry["number"], "the number of a revision", 1),
            _item(fields_of(entry["item"], "the item of a revision")),
            instant(entry["at"], name="at"),
            valid_text(entry["reason"], name="the reason of a revision"),
            text_or_none(entry, "run_id"),
        )
        for entry in list_of(record["revisions"], "revisions")
    )
    if (
        not revisions
        or {revision.item.id for revision in revisions} != {record.get("id")}
        or [revision.number for revision in revisions] != list(range(1, len(revisions) + 1))
    ):
        raise InvalidInput("the record's revisions are not those of one item, numbered from 1")
    return revisions


def _verdict(record: Fields) -> StoredVerdict | None:
    if record.get("verdict") is None:
        return None
    given = fields_of(record["verdict"], "the verdict")
    if given["verdict"] not in _VERDICTS:
        raise InvalidInput(f"unknown verdict {given['verdict']!r:.80}")
    return StoredVerdict(
        verdict=given["verdict"],
        reasons=texts_of(given["reasons"], "a reason"),
        why_store=text_or_none(given, "why_store"),
        actor=short_text(given["actor"], name="the actor"),
        at=instant(given["at"], name="at"),
    )


def _wished(record: Fields, item: Item, *, trusted: bool) -> Mapping[str, Any] | None:
    """Intended fields of a quarantined item; they have to be such as an item can have."""
    given = fields_of(record.get("verdict") or {}, "the verdict").get("wished")
    if given is None:
        return None
    wish = fields_of(given, "wished")
    # What it was to be was said before anybody confirmed it.
    meant = number(wish.get("confidence", item.confidence), "the confidence")
    before = replace(item, confidence=min(item.confidence, meant))
    wished = _checked(granted(before, wish, injectable=None, at=0))
    return wish_of(wished if trusted else taken_at_its_word(wished)) | _request(wish)


def _request(wish: Fields) -> dict[str, Any]:
    """The request that waits as an item, as a part of its wish; nothing where the item waits for itself."""
    if wish.get(REQUEST) is None:
        return {}
    given = fields_of(wish[REQUEST], "the request")
    act, changes = given.get("act"), fields_of(given.get("changes", {}), "changes")
    if act not in list(RequestedAct):
        raise InvalidInput(f"unknown request {act!r:.80}")
    request = request_for(RequestedAct(act), id_of(given.get("item_id"), "what a request is about"), changes)
    return {REQUEST: request.to_dict()}


def _item(fields: Fields) -> Item:
    for name in _LISTS:
        list_of(fields.get(name, ()), name)
    return _checked(from_fields(fields))


def _checked(item: Item) -> Item:
    """The item, if its values are of the kinds that a store takes: a snapshot is as its writer made it."""
    for name in _TIMES:
        if (at := getattr(item, name)) is not None or name in {"created_at", "updated_at"}:
            _check_instant(at, name)
    for name in ("confidence", "importance", "decay_rate"):
        number(getattr(item, name), name)
    provenance = item.provenance
    named = [getattr(item, name) for name in _NAMES] + [provenance.source_id, provenance.source_role]
    lists = item.tags + item.entities + provenance.chunk_ids + provenance.content_hashes
    texts = [item.title, *lists, *(value for value in named if value is not None)]
    flags = [item.injectable, item.pinned]
    if not all(isinstance(value, str) for value in texts) or not all(
        isinstance(flag, bool) for flag in flags
    ):
        raise InvalidInput("a value is of the wrong kind")
    short_text(item.type, name="the type")
    for place in (item.ordinal, *(provenance.span or ())):
        if place is not None:
            whole(place, "a place")
    if "\0" in "".join(texts):
        raise InvalidInput("a text holds a NUL character; remove it and try again")
    checked_metadata(item.metadata)
    for name in ("tags", "entities"):
        if (count := len(getattr(item, name))) > MAX_TAGS:
            raise InvalidInput(f"{name}: {count} words, at most {MAX_TAGS} are kept")
    # A record of which nothing is indexed has no text.
    if item.content != "" or not is_record(item):
        valid_text(item.content, name="the content")
    id_of(item.id, "the item's id")
    return item


def _check_instant(at: object, name: str) -> None:
    if type(at) is not int or not FIRST <= at <= LAST:
        raise InvalidInput(f"{name} is an instant in microseconds, not {at!r:.80}")


def _usage(record: Fields) -> Usage:
    given = fields_of(record.get("usage") or {}, "usage")
    return _checked_usage(
        Usage(
            reinforcement=given.get("reinforcement", 0.0),
            usage_count=given.get("usage_count", 0),
            last_used_at=instant_or_none(given, "last_used_at"),
            last_hit_at=instant_or_none(given, "last_hit_at"),
        )
    )


def _checked_usage(usage: Usage) -> Usage:
    """The usage, if its values are such as a store takes and gives back."""
    for name in ("last_used_at", "last_hit_at"):
        if (at := getattr(usage, name)) is not None:
            _check_instant(at, name)
    whole(usage.usage_count, "usage_count")
    return replace(usage, reinforcement=number(usage.reinforcement, "reinforcement"))


def _place(record: Fields) -> tuple[str, str, str] | None:
    """Domain, room and shelf where somebody put it."""
    if record.get("place") is None:
        return None
    given = fields_of(record["place"], "the place")
    return _named_place([given[name] for name in _PLACE])


def _named_place(names: Sequence[object]) -> tuple[str, str, str]:
    domain, room, shelf = (
        short_text(given, name=f"the {name}") for given, name in zip(names, _PLACE, strict=True)
    )
    return domain, room, shelf
