"""Records of entities that were merged into another: what it takes to let them be two again.

A record lies with the one that went, in the column of its attributes, so that it is gone with it, sealed with it, and
met by a purge as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Self

from simonides.domain.entity import Entity, EntityType, fold
from simonides.domain.item import canonical_json
from simonides.storage.sql.database import Database
from simonides.storage.sql.rows import parsed
from simonides.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """State of an entity before it was merged.

    Attributes:
        seen: When the first and the last of what mentioned it happened; None where a purge made that unknown.
    """

    type: EntityType
    settled: bool
    summary: str | None
    seen: tuple[int, int | None] | None

    @classmethod
    def of(cls, entity: Entity) -> Self:
        """State of an entity now."""
        return cls(
            type=entity.type,
            settled=entity.settled,
            summary=entity.summary,
            seen=(entity.first_seen_at, entity.last_seen_at),
        )

    @classmethod
    def read(cls, written: Sequence[Any]) -> Self:
        """Read back what `written` gave."""
        type_, settled, summary, seen = written
        return cls(type=EntityType(type_), settled=settled, summary=summary, seen=seen and tuple(seen))

    def written(self) -> list[Any]:
        """JSON."""
        return [self.type.value, self.settled, self.summary, self.seen]

    def joined(self, other: Told) -> Told:
        """State of one that took over another, as the statement `take_over_entity` has it."""
        guessed = self.type is EntityType.CONCEPT and not self.settled
        seen = None
        if self.seen is not None and other.seen is not None:
            (first, last), (others_first, others_last) = self.seen, other.seen
            seen = (
                min(first, others_first),
                max(first if last is None else last, others_first if others_last is None else others_last),
            )
        return Told(
            type=other.type if guessed else self.type,
            settled=self.settled or (other.settled and self.type is EntityType.CONCEPT),
            summary=other.summary if self.summary is None else self.summary,
            seen=seen,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRecord:
    """Record of a merge: the state before an entity was merged into another.

    Attributes:
        into: Key of the one that took it over. Where it leads to a third by now, that one was merged later, and knows.
        names: Its own first.
        mentions: Items that mentioned it, and when each was recorded as doing so.
        others: Items that mentioned the other one.
        merged: Keys of what had been merged into it.
        changes: What runs did to it: the run, and the number of the change.
    """

    into: int
    names: tuple[str, ...]
    attributes: dict[str, Any]
    gone: Told
    kept: Told
    mentions: dict[int, int]
    others: frozenset[int]
    merged: tuple[int, ...]
    changes: tuple[tuple[str, int], ...]

    @classmethod
    def made(cls, database: Database, keep: tuple[int, Entity], gone: tuple[int, Entity]) -> Self:
        """The record of two, with their keys, that are about to become one."""
        (into, kept), (key, was) = keep, gone
        return cls(
            into=into,
            names=was.names,
            attributes=dict(was.attributes),
            gone=Told.of(was),
            kept=Told.of(kept),
            mentions=dict(database.rows("mentions_of", entity=key)),
            others=frozenset(item for item, _ in database.rows("mentions_of", entity=into)),
            merged=tuple(row[0] for row in database.rows("merged_into", keys=[key])),
            changes=tuple((run, number) for run, number in database.rows("run_changes_of", entity=key)),
        )

    @classmethod
    def read(cls, attributes: str) -> Self | None:
        """The record in the attributes of what was merged; None where none can be read, as of an earlier release."""
        try:
            fields: dict[str, Any] = parsed(attributes)
            return cls(
                into=fields["into"],
                names=tuple(map(str, fields["names"])),
                attributes=dict(fields["attributes"]),
                gone=Told.read(fields["gone"]),
                kept=Told.read(fields["kept"]),
                mentions=dict(fields["mentions"]),
                others=frozenset(fields["others"]),
                merged=tuple(fields["merged"]),
                changes=tuple((run, number) for run, number in fields["changes"]),
            )
        except (KeyError, TypeError, ValueError):
            return None

    def written(self) -> str:
        """JSON for the attributes of what was merged."""
        return canonical_json(
            {
                "into": self.into,
                "names": self.names,
                "attributes": self.attributes,
                "gone": self.gone.written(),
                "kept": self.kept.written(),
                "mentions": sorted(self.mentions.items()),
                "others": sorted(self.others),
                "merged": self.merged,
                "changes": self.changes,
            }
        )

    @property
    def known(self) -> frozenset[int]:
        """Items that mentioned one of the two."""
        return self.others | self.mentions.keys()

    def names_apart(self, names: Sequence[str]) -> tuple[list[str] | None, list[str] | None]:
        """Names of both as those of what was merged, and of the other one; None where there are none."""
        held, own = set(map(fold, names)), set(map(fold, self.names))
        back = [name for name in self.names if fold(name) in held]
        return back or None, [name for name in names if fold(name) not in own] or None

    def kept_of(self, now: Told) -> Told:
        """State of the other one once they are two again; later changes to it stay.

        Args:
            now: What is told of both.
        """
        joined = self.kept.joined(self.gone)
        is_same = (now.type, now.settled) == (joined.type, joined.settled)
        return Told(
            type=self.kept.type if is_same else now.type,
            settled=self.kept.settled if is_same else now.settled,
            # One that was written since tells of both.
            summary=self.kept.summary if now.summary == joined.summary else None,
            seen=self.kept.seen if now.seen == joined.seen else None,
        )

    def purged(self, names: Collection[str]) -> MergeRecord:
        """The record after a purge that left the other one these names; what may tell of what is gone is dropped."""
        spelled = {fold(name): name for name in names}
        return replace(
            self,
            names=tuple(spelled[folded] for name in self.names if (folded := fold(name)) in spelled),
            attributes={},
            gone=replace(self.gone, summary=None, seen=None),
            kept=replace(self.kept, summary=None, seen=None),
        )


def merge_records(database: Database, key: int) -> dict[int, MergeRecord]:
    """Records of what leads to an entity, by key: of what was merged into it, and into these."""
    read = ((row[0], MergeRecord.read(row[3])) for row in database.rows("merged_into", keys=[key]))
    return {gone: record for gone, record in read if record is not None}


def separable(database: Database, key: int) -> dict[int, MergeRecord]:
    """Records of what was merged into an entity itself, by key."""
    return {gone: record for gone, record in merge_records(database, key).items() if record.into == key}


def texts_of(attributes: str) -> str:
    """Texts in the attributes of what was merged: a record has words of its own besides."""
    record = MergeRecord.read(attributes)
    if record is None:
        return attributes
    return canonical_json([record.names, record.attributes, record.gone.summary, record.kept.summary])
