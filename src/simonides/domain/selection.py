"""Selection of the items that a read may see, one closed value that every channel applies; and how callers name it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from enum import Enum, auto
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple, TypedDict, get_type_hints

from simonides.domain.instant import Moment
from simonides.domain.item import MAX_TAGS, Status
from simonides.domain.scope import Scope
from simonides.domain.taxonomy import Kind, Tier
from simonides.values import dataclass

LIVE: Final = frozenset({Status.ACTIVE})
#: Types whose items are no statements: turns of chats, parts of documents, what tells a session.
LONGER: Final = frozenset({"episode", "chunk", "narrative", "record"})


class ItemOrder(Enum):
    """In which order the items that pass a selection are read.

    Attributes:
        OLDEST: As they were stored: by key.
        NEWEST: What was stored last first.
        LATEST: By when what they tell happened, else was recorded, latest first; of one instant as NEWEST.
        PINNED: Active pinned items alone, most important first; ties by id.
        EXPIRY: Items that expire alone, earliest first; ties by id.
        WEAKEST: Of a selection with `weak` alone, by effective confidence, lowest first; ties by key.
    """

    OLDEST = auto()
    NEWEST = auto()
    LATEST = auto()
    PINNED = auto()
    EXPIRY = auto()
    WEAKEST = auto()


class FilterForm(Enum):
    """Forms of a filter's value, as callers give it.

    Attributes:
        WORDS: A list of words, compared without case.
        TEXT: One text.
        FOLDED: One text, compared without case.
        TIME: A moment.
        BOUND: A moment, or a time in words: its beginning.
        FLAG: True or false.
        PAIRS: A mapping of names to JSON values.
        SPACE: A space of records, as a list or as `users/ana`.
        PATH: A path of a document or folder, `docs/guide.md`.
    """

    WORDS = auto()
    TEXT = auto()
    FOLDED = auto()
    TIME = auto()
    BOUND = auto()
    FLAG = auto()
    PAIRS = auto()
    SPACE = auto()
    PATH = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A filter: keyword of `Memory`, option of commands and field of tools.

    The field of a `Selection` that it sets has its name.

    Attributes:
        of: The enum whose values its words are; None for any words.
        option: Its name on the command line; empty where it is not offered there.
        help: Its line in the help of a command.
        metavar: Placeholder of its value in that help.
        tells: Its description for models; empty where tools do not offer it.
        most: Most characters of a text, or members of a list, that a model may give.
    """

    form: FilterForm
    of: type[Enum] | None = None
    option: str = ""
    help: str = ""
    metavar: str = "NAME"
    tells: str = ""
    most: int = 40


class Filters(TypedDict, total=False):
    """The filters: keywords of `Memory`, and at once the options of commands and the fields of tools.

    Times are ISO 8601 or datetimes; `metadata` names values that an item's metadata must hold.
    """

    types: Annotated[
        Sequence[str] | None,
        Filter(
            form=FilterForm.WORDS,
            option="--type",
            help="fact, decision, episode, …; repeatable.",
            tells="Only these types.",
        ),
    ]
    kinds: Annotated[
        Sequence[str] | None,
        Filter(
            form=FilterForm.WORDS,
            of=Kind,
            option="--kind",
            help="episodic, semantic, procedural, opinion.",
            tells="Only these kinds.",
        ),
    ]
    tiers: Annotated[
        Sequence[str] | None,
        Filter(
            form=FilterForm.WORDS,
            of=Tier,
            option="--tier",
            help="stm, mtm or ltm; repeatable.",
            tells="Only these tiers: short-, mid-, long-term.",
        ),
    ]
    tags: Annotated[
        Sequence[str] | None,
        Filter(
            form=FilterForm.WORDS,
            option="--tag",
            help="A tag; repeatable.",
            tells="All of these tags.",
            most=MAX_TAGS,
        ),
    ]
    entity: Annotated[
        str | None,
        Filter(
            form=FilterForm.FOLDED,
            option="--entity",
            help="A person, project, place, …",
            tells="About this person, project, place …",
            most=200,
        ),
    ]
    after: Annotated[
        Moment | None,
        Filter(
            form=FilterForm.BOUND,
            option="--after",
            help="Only items from this time on.",
            metavar="TIME",
            tells="Happened at or after this time (ISO 8601).",
        ),
    ]
    before: Annotated[
        Moment | None,
        Filter(
            form=FilterForm.BOUND,
            option="--before",
            help="Only items before this time.",
            metavar="TIME",
            tells="Happened before this time (ISO 8601).",
        ),
    ]
    valid_at: Annotated[
        Moment | None,
        Filter(
            form=FilterForm.TIME,
            option="--valid-at",
            help="Only items that were true at this time.",
            metavar="TIME",
            tells="Was true at this time (ISO 8601).",
        ),
    ]
    session_id: Annotated[
        str | None,
        Filter(
            form=FilterForm.TEXT,
            option="--session",
            help="Only items of this session.",
            tells="Said in this conversation.",
            most=400,
        ),
    ]
    run_id: Annotated[str | None, Filter(form=FilterForm.TEXT)]
    task_id: Annotated[str | None, Filter(form=FilterForm.TEXT)]
    corpus_id: Annotated[
        str | None,
        Filter(
            form=FilterForm.TEXT,
            option="--corpus",
            help="Only chunks of this corpus of documents.",
            tells="From documents of this corpus.",
            most=100,
        ),
    ]
    path: Annotated[
        str | None,
        Filter(
            form=FilterForm.PATH,
            option="--path",
            metavar="PATH",
            help="Only chunks of this document or folder.",
            tells="From this document, or documents of this folder.",
            most=800,
        ),
    ]
    metadata: Annotated[Mapping[str, str | float | bool | None] | None, Filter(form=FilterForm.PAIRS)]
    space: Annotated[
        str | Sequence[str] | None,
        Filter(form=FilterForm.SPACE, option="--space", help="Only records of this space, users/ana."),
    ]
    archived: Annotated[
        bool,
        Filter(
            form=FilterForm.FLAG,
            option="--archived",
            help="Also items that were replaced or forgotten.",
            tells="Also what was superseded, forgotten or has faded away.",
        ),
    ]
    pinned: Annotated[
        bool | None, Filter(form=FilterForm.FLAG, option="--pinned", help="Only the core profile.")
    ]


@cache
def filters_of(keywords: Any = Filters) -> dict[str, Filter]:
    """The filters among keywords, by name, in the order in which they are declared."""
    hints = get_type_hints(keywords, include_extras=True)
    return {
        name: one
        for name, hint in hints.items()
        for one in getattr(hint, "__metadata__", ())
        if isinstance(one, Filter)
    }


class Weakness(NamedTuple):
    """An effective confidence at an instant that is below a bound."""

    at: int
    below: float


class HeldOnce(NamedTuple):
    """Times of which archived items must have held at one, and were replaced since, in the end by what still stands.

    It is what was believed then, and nothing of what was forgotten.

    Attributes:
        since: The first of the times, microseconds UTC; None for ever.
        until: The end of the times, itself none of them.
        copies: Also what was merged, of which nobody knows until when it held.
    """

    since: int | None
    until: int
    copies: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A filter over items. A field of None does not restrict.

    Attributes:
        scopes: The scopes whose items may be seen, each meant exactly; None for every scope, on purpose.
        live_at: Instant at which an item must not have expired; None lets expired ones through.
        statuses: Statuses let through.
        tags: All of them must be there, compared without case.
        entity: Name, or alias, of what the item must mention or was given as an entity, compared without case.
        after, before: Bounds of when it happened, else when it was recorded: after <= t < before.
        valid_at: Instant at which it must have been true.
        metadata: (name, JSON of its value) pairs that the item's metadata must hold.
        begun_at: Instant at which it must have begun to be true, where it says when that was.
        lasting_at: Instant at which it must not have ended, where it says when it does.
        replaced: Of archived items only those that were superseded: what was believed, not what was forgotten.
        former: Of archived items only those that held once, at such a time.
        source_id: Name of the source that it came from.
        recorded_since: Instant; it was recorded then or later.
        expired_at: Instant by which its time must be over: it expires then or before.
        weak: Its effective confidence is as low as that.
        unprotected: Nothing keeps it from fading: it decays, and is neither pinned, verified nor in `ltm`.
        mentioned: Keys of entities, of which it must mention any.
        place: Domain, room and shelf of the palace where it must stand, each None for any.
        lacking: Fingerprint of a model of which it must have no vector; what embeds to nothing lacks none.
        unnamed: Nobody has looked through its text for names: it is of a file of an earlier release.
        held: It waits in quarantine for a decision.
        space: It is a record that lies in or below this space, written as its address begins: `/users/ana`.
        address: It is the record of this address.
        path: It is a chunk of the document of this path, or of one in the folder of this path.
        among: Keys, of which its own must be one.
    """

    scopes: tuple[Scope, ...] | None
    live_at: int | None
    statuses: frozenset[Status] = LIVE
    tiers: frozenset[Tier] | None = None
    types: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    entity: str | None = None
    after: int | None = None
    before: int | None = None
    valid_at: int | None = None
    begun_at: int | None = None
    lasting_at: int | None = None
    session_id: str | None = None
    task_id: str | None = None
    corpus_id: str | None = None
    metadata: tuple[tuple[str, str], ...] | None = None
    pinned: bool | None = None
    injectable: bool | None = None
    replaced: bool = False
    former: HeldOnce | None = None
    source_id: str | None = None
    recorded_since: int | None = None
    expired_at: int | None = None
    weak: Weakness | None = None
    unprotected: bool = False
    mentioned: tuple[int, ...] | None = None
    place: tuple[str | None, str | None, str | None] | None = None
    lacking: str | None = None
    unnamed: bool = False
    held: bool = False
    space: str | None = None
    address: str | None = None
    path: str | None = None
    among: tuple[int, ...] | None = None

    @property
    def narrow(self) -> bool:
        """True if it asks for more than scope, status and expiry, which every index holds itself."""
        return _narrowing(self) != _WIDE


_narrowing = attrgetter(
    *(one.name for one in fields(Selection) if one.name not in {"scopes", "live_at", "statuses"})
)
_WIDE: Final = _narrowing(Selection(scopes=None, live_at=None))


def lacking_vector(fingerprint: str) -> Selection:
    """Items that recall can see, archived ones included, without a vector of a model."""
    return replace(RECALLED, lacking=fingerprint)


def lacking_reading(fingerprint: str | None, types: Iterable[str]) -> Selection:
    """Statements that recall can see, archived ones included, without a vector of a model that reads them closely.

    Args:
        fingerprint: Of the model; None for all statements.
        types: All that the store may hold.
    """
    return replace(RECALLED, lacking=fingerprint, types=frozenset(types) - LONGER)


def happening(selection: Selection, start: int, end: int) -> Selection:
    """Part of a selection that happened, else was recorded, at start <= t < end."""
    first = start if selection.after is None else max(start, selection.after)
    last = end if selection.before is None else min(end, selection.before)
    return replace(selection, after=first, before=last)


#: Items that recall can see, archived ones included.
RECALLED: Final = Selection(scopes=None, live_at=None, statuses=frozenset(Status) - {Status.QUARANTINED})
