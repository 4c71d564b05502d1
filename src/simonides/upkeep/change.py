"""What a job may change: plain values. The runner applies them, `undo` takes them back.

A change tells of itself as lines of a diff, for `--dry-run` and `runs show`. What the store keeps of it
are ids and numbers of revisions (`domain.run.RunChange`), never text that a purge has to reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Name
from simonides.domain.instant import iso
from simonides.domain.item import Item, Status, Usage
from simonides.domain.link import Link
from simonides.domain.records import Place
from simonides.domain.scope import Scope
from simonides.domain.verdict import Outcome
from simonides.governance.policy import Ruling
from simonides.ports.store import NewItem


@dataclass(frozen=True, slots=True)
class Create:
    """A new item.

    Its text passes the policy, and is embedded and read for names, in the runner: `vector`, `names`,
    `outcome` and `reasons` of the NewItem are filled in there. The item's usage is stored with it, so
    that a merged item has the sum of what its sources had. `action` names the reason of its first revision:
    consolidation_merge, extract, narrative … With the outcome `quarantined` it waits for a decision.

    Attributes:
        ruling: What the policy said, where the plan has asked it with all that it is to know; the runner does not ask
            again then. Not a refusal.
    """

    new: NewItem
    ruling: Ruling | None = None

    @property
    def counted(self) -> str:
        return "held_back" if self.new.outcome is Outcome.QUARANTINED else "created"

    def lines(self) -> tuple[str, ...]:
        return tuple(f"+ {line}" for line in text_lines(self.new.item))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "create", "action": self.new.action, "item": self.new.item.to_dict()}


@dataclass(frozen=True, slots=True)
class Revise:
    """A new state of an item.

    Attributes:
        before: The item as the plan read it. If it is another one by then, the step is left out.
        after: What it becomes; its id and creation stay, `updated_at` is set by the runner.
        reason: Of the revision: decay, expire, promote, consolidation_merge, supersede …
        action: Of the audit event; the reason if empty.
        names: What it mentions from now on; None lets the runner find out where the text changed.
        vector: Of the new text; None lets the runner embed where the text changed.
    """

    before: Item
    after: Item
    reason: str
    action: str = ""
    names: tuple[Name, ...] | None = None
    vector: NDArray[np.float32] | None = field(default=None, compare=False)

    @property
    def counted(self) -> str:
        if self.after.status is Status.ARCHIVED and self.before.status is not Status.ARCHIVED:
            return "archived" if self.after.superseded_by is None else "merged"
        return "revised"

    def lines(self) -> tuple[str, ...]:
        return difference_lines(self.before, self.after)

    def to_dict(self) -> dict[str, Any]:
        fields = fields_changed(self.before, self.after)
        return {"kind": "revise", "item_id": self.after.id, "reason": self.reason, "fields": fields}


@dataclass(frozen=True, slots=True)
class HoldBack:
    """An item that a person has to decide about: quarantined, and in the review queue with these reasons.

    Attributes:
        before: The item as the plan read it. If it is another one by then, the step is left out.
        reasons: Each `code: explanation`; they quote nothing of any item.
    """

    before: Item
    reasons: tuple[str, ...]

    @property
    def counted(self) -> str:
        return "held_back"

    def lines(self) -> tuple[str, ...]:
        first = text_lines(self.before)[0]
        return (
            f"  {first}",
            f"- status: {self.before.status}",
            f"+ status: quarantined ({'; '.join(self.reasons)})",
        )

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "hold", "item_id": self.before.id, "reasons": list(self.reasons)}


@dataclass(frozen=True, slots=True)
class AddLink:
    """A link between two items, made or brought up to date. Its evidence passes the policy.

    `created_at` is set by the runner where it is 0.
    """

    link: Link

    @property
    def counted(self) -> str:
        return "linked"

    def lines(self) -> tuple[str, ...]:
        return (f"+ {link_line(self.link)}",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "link", "link": self.link.to_dict()}


@dataclass(frozen=True, slots=True)
class DropLink:
    """The end of a link between two items; nothing happens where there is none."""

    link: Link

    @property
    def counted(self) -> str:
        return "unlinked"

    def lines(self) -> tuple[str, ...]:
        return (f"- {link_line(self.link)}",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "unlink", "link": self.link.to_dict()}


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair of items that a job has looked at, whatever it found: it does not look again."""

    job: str
    a_id: str
    b_id: str

    @property
    def counted(self) -> str:
        return "judged"

    def lines(self) -> tuple[str, ...]:
        return (f"+ {self.job} judged: {self.a_id} {self.b_id}",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "judged", "job": self.job, "a_id": self.a_id, "b_id": self.b_id}


@dataclass(frozen=True, slots=True)
class Assign:
    """A place in the palace. Its names pass the policy."""

    place: Place
    before: Place | None = None

    @property
    def counted(self) -> str:
        return "placed"

    def lines(self) -> tuple[str, ...]:
        former = () if self.before is None else (f"- {place_line(self.before)}",)
        return (*former, f"+ {place_line(self.place)}")

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "place", "place": self.place.to_dict()}


@dataclass(frozen=True, slots=True)
class Summarise:
    """A new summary of an entity. It passes the policy.

    Attributes:
        before: The summary as the plan read it. If it is another one by then, the step is left out.
        sources: Ids of the items that it was made of.
    """

    entity_id: str
    name: str
    summary: str | None
    before: str | None
    sources: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        return "summarised"

    def lines(self) -> tuple[str, ...]:
        former = () if self.before is None else (f"- {self.name}: {self.before}",)
        return former if self.summary is None else (*former, f"+ {self.name}: {self.summary}")

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "summary", "entity_id": self.entity_id, "summary": self.summary}


@dataclass(frozen=True, slots=True)
class MarkSession:
    """When a session was consolidated. None takes the mark away."""

    session_id: str
    scope: Scope
    consolidated_at: int | None

    @property
    def counted(self) -> str:
        return "noted"

    def lines(self) -> tuple[str, ...]:
        at = (
            "not consolidated"
            if self.consolidated_at is None
            else f"consolidated {iso(self.consolidated_at)}"
        )
        return (f"+ session {self.session_id} ({self.scope}): {at}",)

    def to_dict(self) -> dict[str, Any]:
        at = None if self.consolidated_at is None else iso(self.consolidated_at)
        return {"kind": "session", "session_id": self.session_id, "scope": self.scope, "consolidated_at": at}


@dataclass(frozen=True, slots=True)
class TakeTurns:
    """Turns of a session that wait for extraction no longer: the step stores what they state.

    Where one of them waits no longer already, somebody else was first, and the step is left out.
    """

    session_id: str
    item_ids: tuple[str, ...]

    @property
    def counted(self) -> str:
        return "noted"

    def lines(self) -> tuple[str, ...]:
        return (f"+ session {self.session_id}: {len(self.item_ids)} turns extracted",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "extracted", "session_id": self.session_id, "item_ids": list(self.item_ids)}


@dataclass(frozen=True, slots=True)
class NoteRefusal:
    """A secret or an order that was refused: the audit log gets its kind and a keyed hash, and keeps them.

    Attributes:
        content: Never stored, and shown to nobody.
        reasons: Each `code: explanation`.
    """

    content: str = field(repr=False)
    reasons: tuple[str, ...]
    actor: str

    @property
    def counted(self) -> str:
        return "refused"

    def lines(self) -> tuple[str, ...]:
        return (f"  refused: {'; '.join(self.reasons)}",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "refused", "reasons": list(self.reasons)}


@dataclass(frozen=True, slots=True)
class PutOff:
    """Turns of a session that were tried in vain: they wait for another try, or stand as failed.

    Where one of them waits no longer already, somebody else was first, and the step is left out.

    Attributes:
        error: What went wrong; it quotes nothing of any item.
        retry_at: None where that was the last try.
    """

    session_id: str
    item_ids: tuple[str, ...]
    error: str
    retry_at: int | None

    @property
    def counted(self) -> str:
        return "noted"

    def lines(self) -> tuple[str, ...]:
        then = "stand as failed" if self.retry_at is None else f"wait for another try {iso(self.retry_at)}"
        return (f"+ session {self.session_id}: {len(self.item_ids)} turns {then}",)

    def to_dict(self) -> dict[str, Any]:
        retry_at = None if self.retry_at is None else iso(self.retry_at)
        told = {"session_id": self.session_id, "item_ids": list(self.item_ids), "error": self.error}
        return {"kind": "put off", "retry_at": retry_at, **told}


@dataclass(frozen=True, slots=True)
class EndSession:
    """A session that is over; nothing happens where it is known to be."""

    session_id: str
    scope: Scope
    at: int

    @property
    def counted(self) -> str:
        return "noted"

    def lines(self) -> tuple[str, ...]:
        return (f"+ session {self.session_id} ({self.scope}): ended {iso(self.at)}",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "ended", "session_id": self.session_id, "scope": self.scope, "ended_at": iso(self.at)}


@dataclass(frozen=True, slots=True)
class Gain:
    """Use that an item takes over from others: counts and reinforcement are added, instants become the later ones."""

    item_id: str
    by: Usage

    @property
    def counted(self) -> str:
        return "noted"

    def lines(self) -> tuple[str, ...]:
        return (
            f"+ use of {self.item_id}: {self.by.usage_count:+d}, reinforcement {self.by.reinforcement:+g}",
        )

    def to_dict(self) -> dict[str, Any]:
        by = {"usage_count": self.by.usage_count, "reinforcement": self.by.reinforcement}
        return {"kind": "gain", "item_id": self.item_id, **by}


@dataclass(frozen=True, slots=True)
class SetVectors:
    """Vectors of a model by item id, of items that have none of it; None marks a text that embeds to nothing."""

    model: EmbedderIdentity
    vectors: Mapping[str, NDArray[np.float32] | None] = field(hash=False, compare=False)

    @property
    def counted(self) -> str:
        return "embedded"

    def lines(self) -> tuple[str, ...]:
        return (f"+ vectors of {len(self.vectors)} items",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "vectors", "count": len(self.vectors)}


@dataclass(frozen=True, slots=True)
class DropVectors:
    """The end of a model's vectors, once another model has one of every item.

    They are set aside, where nothing reads them, for an undo. When a later run sets others aside, or the file is
    compacted, they go for good.
    """

    model: EmbedderIdentity
    count: int

    @property
    def counted(self) -> str:
        return "noted"

    def lines(self) -> tuple[str, ...]:
        return (f"- {self.count} vectors of {self.model.name}",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "dropped vectors", "model": self.model.name, "count": self.count}


@dataclass(frozen=True, slots=True)
class Move:
    """Items that leave the store for its archive file, with all that hangs on them; each is archived by then.

    They are durable there before they leave. Undo brings them back.
    """

    items: tuple[Item, ...]

    @property
    def counted(self) -> str:
        return "moved"

    def lines(self) -> tuple[str, ...]:
        return tuple(f"> archive file: {item.id} {text_lines(item)[0]}" for item in self.items)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "moved", "item_ids": [item.id for item in self.items]}


@dataclass(frozen=True, slots=True)
class Compact:
    """The file written anew, after the step, without its free space and vectors that were set aside.

    The archive file loses what is here.
    """

    @property
    def counted(self) -> str:
        return "noted"

    def lines(self) -> tuple[str, ...]:
        return ("+ the file is compacted",)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "compacted"}


Change = (
    Create
    | Revise
    | HoldBack
    | AddLink
    | DropLink
    | Judged
    | Assign
    | Summarise
    | MarkSession
    | TakeTurns
    | NoteRefusal
    | PutOff
    | EndSession
    | Gain
    | SetVectors
    | DropVectors
    | Move
    | Compact
)


def amount(change: Change) -> int:
    """How many a change counts for."""
    match change:
        case SetVectors(_, vectors):
            return len(vectors)
        case Move(items):
            return len(items)
        case _:
            return 1


#: Fields of an item that a diff shows by name, besides its text.
_SHOWN = (
    "type", "tier", "status", "validation", "confidence", "importance", "decay_rate", "pinned", "injectable",
    "tags", "entities", "event_at", "valid_from", "valid_until", "expires_at", "superseded_by", "narrative_id",
    "provenance", "metadata",
)  # fmt: skip


def fields_changed(before: Item, after: Item) -> dict[str, list[Any]]:
    """What changed of an item, as JSON: {field: [old, new]}; text included, `updated_at` left out."""
    old, new = before.to_dict(), after.to_dict()
    return {name: [old[name], new[name]] for name in ("title", "content", *_SHOWN) if old[name] != new[name]}


def difference_lines(before: Item, after: Item) -> tuple[str, ...]:
    """The lines of a diff between two states of an item: its text, then each field that changed."""
    found: list[str] = []
    if text_lines(before) != text_lines(after):
        found += [f"- {line}" for line in text_lines(before)]
        found += [f"+ {line}" for line in text_lines(after)]
    else:
        found += [f"  {line}" for line in text_lines(after)[:1]]
    for name, (old, new) in fields_changed(before, after).items():
        if name not in {"title", "content", "type"}:
            found += [f"- {name}: {_shown(old)}", f"+ {name}: {_shown(new)}"]
    return tuple(found)


def link_line(link: Link) -> str:
    """A link on one line, without its evidence."""
    return f"link: {link.src} {link.rel} {link.dst}"


def text_lines(item: Item) -> list[str]:
    """What an item says, line by line, its type in front."""
    first, *rest = item.content.split("\n")
    title = f"{item.title}: " if item.title else ""
    return [f"[{item.type}] {title}{first}", *rest]


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return ", ".join(str(entry) for entry in value) or "none"  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return str(value)


def place_line(place: Place) -> str:
    """A place on one line."""
    return f"place: {place.domain}/{place.room}/{place.shelf}/{place.item_id}"
