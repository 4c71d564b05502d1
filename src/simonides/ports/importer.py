"""The port to other memories: an importer reads what they keep, in the order in which it is to be taken in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from simonides.domain.item import UNUSED, Usage
from simonides.domain.link import Relation
from simonides.domain.provenance import Origin
from simonides.domain.scope import GLOBAL, Scope
from simonides.values import dataclass

#: Said of what was not taken over because this memory keeps no such thing, before the reason: no fault of the source.
LEFT_OUT: Final = "left out: "


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerWording:
    """A former wording of an item, until it was replaced.

    Attributes:
        at: When it came to be said so, in microseconds.
        reason: What made it so, in a word: `create`, `update`.
    """

    content: str
    at: int
    reason: str = "update"


class CutFrom(NamedTuple):
    """A text that several items are cut of, and the lines of it that make one of them.

    Attributes:
        text: The same object for each of its items.
        lines: Their numbers, from 1.
    """

    text: str
    lines: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceItem:
    """A statement at its source.

    Attributes:
        place: Position in the source, for the report: `notes.csv, line 7`.
        key: Its name there. It is the same whenever the source is read, and makes a second import find it.
        fields: Fields of the item, as `Memory.add` takes them.
        whose: Parts of its scope as the source has them: `user_id`, `agent_id`, `project`. A text or a whole number
            names somebody, None or an empty text nobody; of anything else the entry is refused.
        origin: Who said it: `user-said` of what a person wrote, `import` of what a model did.
        created_at: When it was first kept there, in microseconds; None for now.
        updated_at: When it was last changed there.
        archived: It is no longer held to be so there.
        earlier: What it said before, oldest first.
        room: Domain, room and shelf of the palace where it stood.
        id: Its id, where it is one of this program; None to make one of its key.
        scope: Its scope, where the source knows such; one that the caller names holds before it.
        cut_from: What it is a part of: secrets are looked for in the whole, and an item that holds a part of one is
            refused.
    """

    place: str
    key: str
    content: str
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    whose: Mapping[str, object] = field(default_factory=dict[str, object])
    origin: Origin = Origin.IMPORT
    created_at: int | None = None
    updated_at: int | None = None
    archived: bool = False
    usage: Usage = UNUSED
    earlier: Sequence[FormerWording] = ()
    room: tuple[str, str, str] | None = None
    id: str | None = None
    scope: str | None = None
    cut_from: CutFrom | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTurn:
    """A message of a conversation at its source. Turns of one conversation come one after the other, in their order.

    Attributes:
        message: As `Memory.add` takes it: `role`, `content`, `id`, `at`, and where known `name` and `metadata`.
    """

    place: str
    session_id: str
    message: Mapping[str, Any]
    whose: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """A JSON value under a key at its source."""

    place: str
    space: Sequence[str]
    key: str
    value: Any
    ttl_s: float | None = None
    whose: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLink:
    """A link between two items of the source, named by their keys; it comes after both."""

    place: str
    src: str
    dst: str
    rel: Relation
    weight: float = 1.0
    evidence: str | None = None
    created_at: int | None = None
    whose: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A part of the source that is not taken.

    Attributes:
        reason: Why; it begins with `left out: ` where no fault is meant.
    """

    place: str
    reason: str


SourceEntry: TypeAlias = SourceItem | SourceTurn | SourceRecord | SourceLink | Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRequest:
    """A source to be read.

    Attributes:
        path: File or folder.
        mapping: Fields of an item, by the names of fields at the source that hold them, where a caller says so.
        scope: Where the caller wants it; what the source tells fills the rest.
    """

    path: Path
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    scope: Scope = GLOBAL


class Importer(Protocol):
    """Reader of one kind of source. It only reads; every entry is judged, and stored or refused, by the caller."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        """Yield what the source holds.

        Raises:
            InvalidInput: It is no source of this kind, or cannot be read from its beginning; nothing was yielded.
        """
        ...


ImporterMaker: TypeAlias = Callable[[], Importer]
