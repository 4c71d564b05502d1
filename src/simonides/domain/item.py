"""The item: one memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import Any, Final, cast
from urllib.parse import unquote

from simonides.domain.instant import instant, iso, to_datetime
from simonides.domain.provenance import Origin, Provenance, SourceKind, Trust
from simonides.domain.scope import GLOBAL, Scope
from simonides.domain.taxonomy import Tier
from simonides.domain.text import content_hash, shortened, shown
from simonides.errors import InvalidInput
from simonides.values import dataclass

MAX_TITLE_CHARS: Final = 200
#: Signs that an object, a list or a text begins with in JSON.
BEGINS_JSON: Final = frozenset('{["')
#: The name in `metadata` of the job that pinned an item: such a pin is nobody's word that it matters.
PINNED_BY: Final = "pinned_by"
#: The name in `metadata` of the job that wrote an item; and the job that extracts from sessions.
MADE_BY: Final = "made_by"
SESSIONS: Final = "sessions"
#: The type of what somebody says in a chat.
_TURN: Final = "episode"
_HEADLINE_CHARS: Final = 80
#: Of a value that is shown in place of a content.
_VALUE_CHARS: Final = 200
MAX_TAGS: Final = 64
MAX_TAG_CHARS: Final = 100
#: Of an item's metadata, as JSON in UTF-8.
MAX_METADATA_BYTES: Final = 256 * 1024
MAX_METADATA_DEPTH: Final = 64


class Status(StrEnum):
    """Role of an item in recall."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"
    ARCHIVED = "archived"


class Validation(StrEnum):
    """Degrees to which an item has been checked."""

    UNVERIFIED = "unverified"
    VERIFIED = "verified"
    CONTESTED = "contested"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Usage:
    """Fields that change with use: kept beside the item, outside its revisions.

    Attributes:
        reinforcement: The score that `reinforce` (+3) and `demote` (−1) move.
        usage_count: How often the item was used (served to somebody who asked).
        last_hit_at: When it was last confirmed useful: the Hebbian clock.
    """

    reinforcement: float = 0.0
    usage_count: int = 0
    last_used_at: int | None = None
    last_hit_at: int | None = None


UNUSED: Final = Usage()
_UNKNOWN_SOURCE: Final = Provenance()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Item:
    """One memory: a short text with type, tier, scope, provenance and confidence.

    Instants (`*_at`, `valid_*`) are UTC microseconds; `times` gives them as datetimes, `to_dict` as ISO 8601.

    Attributes:
        confidence: In [0, 1], what was gained by use included.
        decay_rate: Of the confidence; 0 protects.
        injectable: May be put into a prompt without being asked for.
        event_at: When what it tells happened; the time of a turn.
        valid_from: Since when it has been true. With `valid_until`, a half-open range.
        superseded_by: Id of the item that replaced this one.
        ordinal: Position of an episode in its session, from 0.
        origin: Who brought it in; never changes.

    Raises:
        InvalidInput: A value is out of its range.
    """

    id: str
    content: str
    type: str
    created_at: int
    updated_at: int
    scope: Scope = GLOBAL
    tier: Tier = Tier.STM
    title: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    provenance: Provenance = _UNKNOWN_SOURCE
    confidence: float = 1.0
    importance: float = 0.5
    validation: Validation = Validation.UNVERIFIED
    status: Status = Status.ACTIVE
    injectable: bool = True
    pinned: bool = False
    decay_rate: float = 0.1
    event_at: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    expires_at: int | None = None
    superseded_by: str | None = None
    session_id: str | None = None
    task_id: str | None = None
    narrative_id: str | None = None
    corpus_id: str | None = None
    rule_id: str | None = None
    ordinal: int | None = None
    origin: Origin = Origin.USER_SAID
    trust: Trust = Trust.HIGH
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    usage: Usage = field(default=UNUSED, compare=False)

    def __post_init__(self) -> None:
        if not (0 <= self.confidence <= 1 and 0 <= self.importance <= 1 and self.decay_rate >= 0):
            raise InvalidInput("confidence and importance lie in [0, 1], decay_rate is >= 0")
        as_stored(self, "confidence", "importance", "decay_rate")
        if len(self.title) > MAX_TITLE_CHARS:
            raise InvalidInput(
                f"a title has at most {MAX_TITLE_CHARS} characters, this one {len(self.title)}"
            )
        if (
            self.valid_until is not None
            and self.valid_from is not None
            and self.valid_until < self.valid_from
        ):
            raise InvalidInput("valid_until lies before valid_from")
        if (self.tags or self.entities) and not all(
            word and "\n" not in word for word in self.tags + self.entities
        ):
            raise InvalidInput("a tag or entity is one line and not empty")

    @property
    def display(self) -> str:
        """The content as people read it; of a record without text its address, and the beginning of its value."""
        if self.content.strip():
            return self.content
        address = (self.provenance.source_id or f"{self.type} without text").strip("/")
        value = json.dumps(self.metadata.get("value", dict(self.metadata)), ensure_ascii=False, default=str)
        return f"{address} = {shortened(value, _VALUE_CHARS)}"

    @property
    def headline(self) -> str:
        """The title, or the beginning of the content; never blank."""
        return self.title if self.title.strip() else shortened(self.display, _HEADLINE_CHARS)

    def __repr__(self) -> str:
        return f"Item({self.id!r}, {self.type!r}, scope={str(self.scope)!r}, headline={self.headline!r})"

    @property
    def content_hash(self) -> bytes:
        """SHA-256 of type and normalised content."""
        return content_hash(self.type, self.content)

    @property
    def text(self) -> str:
        """Title and content, as it is embedded."""
        return f"{self.title}\n{self.content}" if self.title else self.content

    @property
    def happened_at(self) -> int:
        """Instant at which what it tells happened, else at which it was recorded."""
        return self.created_at if self.event_at is None else self.event_at

    @property
    def age(self) -> tuple[int, int, str]:
        """Sort key from older to newer, by when it was said; of what came in one write, what happened first."""
        return self.said_at, self.happened_at, self.id

    @property
    def said_at(self) -> int:
        """Instant at which a turn was said, or what was extracted from turns; of all else that of its storing.

        A chat may be recorded long after, or again. What was put together of several is as old as that.
        """
        of_turns = self.type == _TURN or self.metadata.get(MADE_BY) == SESSIONS
        if self.event_at is None or not of_turns or self.provenance.source_kind is SourceKind.MIXED:
            return self.created_at
        return min(self.event_at, self.created_at)

    @property
    def reinforcement(self) -> float:
        return self.usage.reinforcement

    @property
    def usage_count(self) -> int:
        return self.usage.usage_count

    @property
    def last_used_at(self) -> int | None:
        return self.usage.last_used_at

    @property
    def last_hit_at(self) -> int | None:
        return self.usage.last_hit_at

    @property
    def protected(self) -> bool:
        """True if neither decay nor pruning may touch it."""
        return (
            self.decay_rate == 0
            or self.pinned
            or self.tier is Tier.LTM
            or self.validation is Validation.VERIFIED
        )

    @property
    def pinned_by_somebody(self) -> bool:
        """True if it is pinned, and not by upkeep: such a pin is nobody's word."""
        return self.pinned and PINNED_BY not in self.metadata

    @property
    def settled(self) -> bool:
        """True if somebody decided about it: it is verified, or pinned by somebody."""
        return self.pinned_by_somebody or self.validation is Validation.VERIFIED

    @property
    def times(self) -> Mapping[str, datetime]:
        """The instants that are known, by the names of their fields, as aware datetimes in UTC."""
        return {name: to_datetime(at) for name in _INSTANTS if (at := getattr(self, name)) is not None}

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Item:
        """The item that `to_dict` wrote.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        try:
            instants = {
                name: instant(written[name], name=name) for name in _INSTANTS if written[name] is not None
            }
            stored = {
                name: instants[name] for name in _STORED_INSTANTS if name in instants or name in _ALWAYS
            }
            named = {name: written[name] for name in (*_PLAIN, *_NAMED, "tags", "entities", "metadata")}
            provenance = {name: value for name, value in written["provenance"].items() if value}
            item = from_snapshot(json.dumps(named | provenance | stored))
            return replace(
                item,
                usage=Usage(
                    float(written["reinforcement"]),
                    int(written["usage_count"]),
                    instants.get("last_used_at"),
                    instants.get("last_hit_at"),
                ),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"no item in its written form: {error!r}") from error

    def to_dict(self) -> dict[str, Any]:
        """JSON with ISO times, usage included; what is unknown is null."""
        written: dict[str, Any] = {name: getattr(self, name) for name in _PLAIN}
        written |= {name: str(getattr(self, name)) for name in _NAMED}
        written |= {name: list(getattr(self, name)) for name in ("tags", "entities")}
        written["provenance"] = _provenance_dict(self.provenance)
        written["metadata"] = dict(self.metadata)
        written |= {"headline": self.headline, "content_hash": self.content_hash.hex()}
        written |= {"reinforcement": self.reinforcement, "usage_count": self.usage_count}
        for name in _INSTANTS:
            at: int | None = getattr(self, name)
            written[name] = None if at is None else iso(at)
        return written


_PLAIN: Final = (
    "id",
    "title",
    "content",
    "confidence",
    "importance",
    "injectable",
    "pinned",
    "decay_rate",
    "superseded_by",
    "session_id",
    "task_id",
    "narrative_id",
    "corpus_id",
    "rule_id",
    "ordinal",
)
_NAMED: Final = ("type", "scope", "tier", "validation", "status", "origin", "trust")
_INSTANTS: Final = (
    "event_at",
    "valid_from",
    "valid_until",
    "expires_at",
    "created_at",
    "updated_at",
    "last_used_at",
    "last_hit_at",
)
_STORED_INSTANTS: Final = _INSTANTS[:6]
_ALWAYS: Final = ("created_at", "updated_at")


def as_stored(value: object, *names: str) -> None:
    """Turn numbers of a value that was just made into what a store keeps: no whole numbers, no zero below zero."""
    for name in names:
        number = getattr(value, name)
        if type(number) is not float or not number:
            object.__setattr__(value, name, float(number) + 0.0)


def _provenance_dict(provenance: Provenance) -> dict[str, Any]:
    return {
        "source_kind": provenance.source_kind.value,
        "source_id": provenance.source_id,
        "source_role": provenance.source_role,
        "chunk_ids": list(provenance.chunk_ids),
        "content_hashes": list(provenance.content_hashes),
        "span": list(provenance.span) if provenance.span else None,
    }


def snapshot(item: Item) -> str:
    """The item as canonical JSON: what a revision keeps and what the row hash covers.

    Instants stay microseconds, empty values are left out, usage is not part of it. Equal items give
    equal text.
    """
    provenance = item.provenance
    written: dict[str, Any] = {
        "id": item.id,
        "content": item.content,
        "type": item.type,
        "scope": str(item.scope),
        "tier": item.tier.value,
        "status": item.status.value,
        "validation": item.validation.value,
        "origin": item.origin.value,
        "trust": item.trust.value,
        "confidence": item.confidence,
        "importance": item.importance,
        "decay_rate": item.decay_rate,
        "injectable": item.injectable,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "source_kind": provenance.source_kind.value,
    }
    for name in _OPTIONAL:
        if (value := getattr(item, name)) or value == 0:
            written[name] = value
    if item.pinned:
        written["pinned"] = True
    if provenance.source_id is not None:
        written["source_id"] = provenance.source_id
    if provenance.source_role is not None:
        written["source_role"] = provenance.source_role
    if provenance.chunk_ids:
        written["chunk_ids"] = provenance.chunk_ids
    if provenance.content_hashes:
        written["content_hashes"] = provenance.content_hashes
    if provenance.span:
        written["span"] = provenance.span
    if item.metadata:
        # As it will be read back: numbers as names become text, which sorts otherwise.
        written["metadata"] = json.loads(canonical_json(dict(item.metadata)))
    return canonical_json(written)


_OPTIONAL: Final = (
    "title",
    "tags",
    "entities",
    "event_at",
    "valid_from",
    "valid_until",
    "expires_at",
    "superseded_by",
    "session_id",
    "task_id",
    "narrative_id",
    "corpus_id",
    "rule_id",
    "ordinal",
)


def from_snapshot(text: str) -> Item:
    """The item that `snapshot` wrote, without its usage.

    Raises:
        InvalidInput: The text is not a snapshot.
    """
    try:
        return from_fields(json.loads(text))
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"not a snapshot of an item: {error}") from error


def from_fields(fields: Mapping[str, Any]) -> Item:
    """The item of a snapshot that was read already.

    Raises:
        InvalidInput: The fields are not those of a snapshot.
    """
    try:
        given = dict(fields)
        provenance = Provenance(
            source_kind=SourceKind(given.pop("source_kind")),
            source_id=given.pop("source_id", None),
            source_role=given.pop("source_role", None),
            chunk_ids=tuple(given.pop("chunk_ids", ())),
            content_hashes=tuple(given.pop("content_hashes", ())),
            span=_pair(given.pop("span", None)),
        )
        values: dict[str, Any] = {
            "scope": Scope(given["scope"]),
            "tier": Tier(given["tier"]),
            "status": Status(given["status"]),
            "validation": Validation(given["validation"]),
            "origin": Origin(given["origin"]),
            "trust": Trust(given["trust"]),
            "tags": tuple(given.get("tags", ())),
            "entities": tuple(given.get("entities", ())),
            "provenance": provenance,
        }
        return Item(**(given | values))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"not a snapshot of an item: {error}") from error


def _pair(span: list[int] | None) -> tuple[int, int] | None:
    return (span[0], span[1]) if span else None


def changed_at(item: Item, at: int, **changes: Any) -> Item:
    """The item as it is changed at an instant; a clock that was set back makes no change older than the one before."""
    return replace(item, updated_at=max(at, item.updated_at), **changes)


def checked_metadata(given: object, name: str = "metadata") -> Mapping[str, Any]:
    """Metadata that a store can keep.

    Raises:
        InvalidInput: It is no mapping of JSON values, too large or nested too deeply, or a name in it is no text.
    """
    if not isinstance(given, Mapping):
        raise InvalidInput(f"{name} must be a mapping of names to JSON values")
    metadata = dict(cast("Mapping[str, Any]", given))
    require_nesting(metadata, name)
    try:
        size = len(canonical_json(metadata).encode()) if metadata else 0
    except UnicodeEncodeError:
        raise InvalidInput(f"{name} holds half of a surrogate pair; remove it and try again") from None
    if size > MAX_METADATA_BYTES:
        raise InvalidInput(
            f"{name}: {size} bytes as JSON, at most {MAX_METADATA_BYTES} are kept; keep a pointer"
        )
    return metadata


def require_nesting(value: object, name: str) -> None:
    """Refuse a value whose objects and arrays do not stand within each other as metadata's may.

    Raises:
        InvalidInput: They are nested too deeply, or a name in an object is no text.
    """
    for depth, level in enumerate(_levels(value)):
        if depth == MAX_METADATA_DEPTH:
            raise InvalidInput(f"{name}: nested deeper than {MAX_METADATA_DEPTH} levels")
        objects = [cast("Mapping[object, object]", one) for one in level if isinstance(one, Mapping)]
        for odd in (key for one in objects for key in one if not isinstance(key, str)):
            raise InvalidInput(f"{name}: names in JSON are texts, got {shown(odd)}")


def is_deeper(value: object, most: int) -> bool:
    """True if objects and arrays of a JSON value stand within each other deeper than so many levels."""
    return next(islice(_levels(value), most, None), None) is not None


def _levels(value: object) -> Iterator[Sequence[object]]:
    """The value, the objects and arrays directly within it, those within these, and so on."""
    level: list[object] = [value]
    while level:
        yield level
        # Each object once, or one that holds itself twice would double at every level.
        level = list({id(inner): inner for outer in level for inner in _inside(outer)}.values())


def _inside(value: object) -> Iterable[object]:
    """The objects and arrays directly within a value."""
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = cast("Mapping[object, object]", value).values()
    elif isinstance(value, list | tuple):
        inner = cast("Sequence[object]", value)
    return [cast("object", one) for one in inner if isinstance(one, Mapping | list | tuple)]


def source_texts(item: Item) -> list[str]:
    """Words by which an item names its source, as prompts print them: of a record its space, its key, and both."""
    source = item.provenance.source_id or ""
    parts = [unquote(part) for part in source.split("/") if part] if source.startswith("/") else []
    if not parts:
        return [source] if " " in source else []
    return list(dict.fromkeys((" ".join(parts[:-1]), parts[-1], " ".join(parts))))


def texts_in(value: object) -> Iterable[str]:
    """Every text of a JSON value, names included."""
    match value:
        case str():
            yield value
        case Mapping():
            for name, inner in cast("Mapping[object, object]", value).items():
                yield str(name)
                yield from texts_in(inner)
        case list() | tuple():
            for inner in cast("Sequence[object]", value):
                yield from texts_in(inner)
        case _:
            pass


def texts_packed_in(value: object) -> Iterable[str]:
    """Every text of the JSON that texts of a value are, and of that in these, as far as it reads otherwise there."""
    for text in texts_in(value):
        if "\\" in text and text.lstrip()[:1] in BEGINS_JSON:
            with suppress(ValueError, RecursionError):
                inner = json.loads(text)
                yield from texts_in(inner)
                yield from texts_packed_in(inner)


def canonical_json(value: object) -> str:
    """Compact JSON with sorted keys; equal values give equal text.

    Raises:
        InvalidInput: The value holds NaN, infinity or something that is not JSON.
    """
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"the value cannot be written as JSON: {error}") from error


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
