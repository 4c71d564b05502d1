"""Records: JSON values that programs keep under a space and a key, each an item that is known by its address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from simonides.domain.instant import SECOND_US, instant, iso, to_datetime
from simonides.domain.item import Item, Status
from simonides.domain.pattern import later
from simonides.domain.scope import Scope
from simonides.domain.text import cleaned_text, short_text, shown
from simonides.domain.written import Written, refusing
from simonides.errors import InvalidInput
from simonides.values import dataclass

#: Type of the items that records are.
RECORD: Final = "record"
#: What a put is called in the audit log, and as the reason of a version.
PUT: Final = "put"
_MAX_ADDRESS_CHARS: Final = 1_000
#: The indexed text of a record; of a longer one the beginning is searched.
_MAX_INDEXED_CHARS: Final = 100_000
_ESCAPES: Final = (("%", "%25"), ("/", "%2F"))
#: A name, `*`, `[2]`, `[-1]`, `[*]` or several paths, `{title,notes[*].text}`.
_STEP: Final = later(r"\[(\*|-?\d+)\]|\{([^{}]*)\}|([^.\[\]{}]+)")

Space = tuple[str, ...]
#: `None` indexes every text of a value, `False` none, else paths such as `title` or `notes[*].text`.
Index = Sequence[str] | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Written):
    """A JSON value under a space and a key.

    Attributes:
        item_id: Id of its item; `Memory.purge` and `Memory.get` take it.
        created_at: When the key was given a value that it had not had, or no longer.
        expires_at: When it will be gone; None if it stays.
        ttl_s: How many seconds it lasts from the last time that it was written or read.
    """

    space: Space
    key: str
    value: Any
    scope: Scope
    item_id: str
    created_at: int
    updated_at: int
    expires_at: int | None = None
    ttl_s: float | None = None

    @classmethod
    def of(cls, item: Item) -> Record:
        """The record that an item is."""
        *space, key = segments(item.provenance.source_id or "")
        return cls(
            space=tuple(space),
            key=key,
            value=item.metadata.get("value"),
            scope=item.scope,
            item_id=item.id,
            created_at=item.happened_at,
            updated_at=item.updated_at,
            expires_at=item.expires_at,
            ttl_s=item.metadata.get("ttl_s"),
        )

    @property
    def times(self) -> Mapping[str, Any]:
        """Its instants as aware datetimes in UTC."""
        named = {"created_at": self.created_at, "updated_at": self.updated_at, "expires_at": self.expires_at}
        return {name: to_datetime(at) for name, at in named.items() if at is not None}


class FoundRecord(NamedTuple):
    """A record that a search found.

    Attributes:
        score: How well its indexed text matches, in [0, 1], never more than that of a better hit; None where it only
            fills up.
    """

    record: Record
    score: float | None

    def to_dict(self) -> dict[str, Any]:
        """The record and its score as JSON."""
        return {"record": self.record.to_dict(), "score": self.score}

    @classmethod
    @refusing
    def from_dict(cls, written: Mapping[str, Any]) -> FoundRecord:
        """The record and score that `to_dict` wrote.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return cls(Record.from_dict(written["record"]), written["score"])


class RecordVersion(NamedTuple):
    """A state that a record has had.

    Attributes:
        value: None where it was deleted, or had expired.
    """

    number: int
    value: Any
    at: int
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The version as JSON."""
        return self._asdict() | {"at": iso(self.at)}

    @classmethod
    @refusing
    def from_dict(cls, written: Mapping[str, Any]) -> RecordVersion:
        """The version that `to_dict` wrote.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return cls(written["number"], written["value"], instant(written["at"]), written["reason"])


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPut:
    """A value to be kept, or a key to be deleted where it is None."""

    space: Space
    key: str
    value: Any
    index: Index = None
    ttl_s: float | None = None

    @property
    def address(self) -> str:
        return address(self.space, self.key)

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata of its item."""
        kept = {"value": self.value}
        return kept if self.ttl_s is None else kept | {"ttl_s": self.ttl_s}

    @property
    def text(self) -> str:
        """The text by which it is found; empty where nothing of it is indexed."""
        if self.index is False:
            return ""
        given = [] if self.index is None or self.index is True else list(self.index)
        texts = [text for path in given for text in at_path(self.value, path)] if given else lines(self.value)
        return cleaned_text("\n".join(text for text in texts if text.strip()))[:_MAX_INDEXED_CHARS]


def space_of(given: str | Sequence[str]) -> Space:
    """The segments of a space, from a list of them or from `users/ana`.

    Raises:
        InvalidInput: It is neither, or a segment is empty.
    """
    parts: object = given.strip("/").split("/") if isinstance(given, str) and given.strip("/") else given
    if isinstance(parts, str):
        parts = ()
    if not isinstance(parts, Sequence) or isinstance(parts, bytes | bytearray):
        raise InvalidInput(f"a space is a list of words or `users/ana`, not {shown(given)}")
    return tuple(short_text(part, name="each part of a space") for part in cast("Sequence[object]", parts))


def address(space: Sequence[str], key: str) -> str:
    """The address of a record: `/users/ana/tea`."""
    if not space:
        raise InvalidInput("a record lies in a space; name one, such as 'users/ana'")
    written = under((*space, short_text(key, name="the key")))
    if len(written) > _MAX_ADDRESS_CHARS:
        raise InvalidInput(f"space and key have at most {_MAX_ADDRESS_CHARS} characters, got {len(written)}")
    return written


def under(space: Sequence[str]) -> str:
    """Beginning of the addresses in and below a space, without the slash that follows."""
    return "".join(f"/{_escaped(segment)}" for segment in space)


def segments(written: str) -> Space:
    """Space and key that an address is made of."""
    return tuple(_unescaped(segment) for segment in written.split("/")[1:])


def is_record(item: Item) -> bool:
    """True if an item is a record."""
    return item.type == RECORD and (item.provenance.source_id or "").startswith("/")


def stands(item: Item, at: int) -> bool:
    """True if a record is there at an instant, neither deleted nor expired."""
    return item.status is not Status.ARCHIVED and (item.expires_at is None or item.expires_at > at)


def lasting_until(ttl_s: float | None, at: int) -> int | None:
    """End of a time to live that begins at an instant."""
    return None if ttl_s is None else at + int(ttl_s * SECOND_US)


def lines(value: object, name: str = "") -> Iterator[str]:
    """Every text and number of a JSON value, one a line, behind the names that lead to it."""
    match value:
        case Mapping():
            for key, inner in cast("Mapping[object, object]", value).items():
                yield from lines(inner, f"{name} {key}".strip())
        case list() | tuple():
            for inner in cast("Sequence[object]", value):
                yield from lines(inner, name)
        case None | bool():
            return
        case str() | int() | float():
            yield f"{name}: {value}" if name else str(value)
        case _:
            return


def at_path(value: object, path: str) -> list[str]:
    """The texts at a path of a JSON value: `title`, `notes[*].text`, `turns[-1]`, `names.*`, `{title,text}`; `$`: all.

    Raises:
        InvalidInput: The path is no text.
    """
    if not isinstance(cast("object", path), str) or not path.strip():
        raise InvalidInput(f"index names paths such as 'title' or 'notes[*].text', got {path!r:.80}")
    if path.strip() == "$":
        return list(lines(value))
    return [text for one in _reached(value, path.removeprefix("$.")) for text in lines(one)]


def _reached(value: object, path: str) -> list[object]:
    reached = [value]
    for step in _STEP.finditer(path):
        number, several, name = step.groups()
        if several is not None:
            reached = [
                inner
                for one in reached
                for each in several.split(",")
                for inner in _reached(one, each.strip())
            ]
        else:
            reached = [
                inner for one in reached for inner in _stepped(one, name if number is None else number)
            ]
    return reached


def _stepped(value: object, step: str) -> Iterable[object]:
    match value:
        case Mapping():
            mapping = cast("Mapping[str, object]", value)
            return mapping.values() if step == "*" else [mapping[step]] if step in mapping else []
        case list() | tuple():
            members = list(cast("Sequence[object]", value))
            if step == "*":
                return members
            if step.lstrip("-").isdigit() and -len(members) <= int(step) < len(members):
                return [members[int(step)]]
            return []
        case _:
            return []


def _escaped(segment: str) -> str:
    for plain, written in _ESCAPES:
        segment = segment.replace(plain, written)
    return segment


def _unescaped(segment: str) -> str:
    for plain, written in reversed(_ESCAPES):
        segment = segment.replace(written, plain)
    return segment
