"""Looking for damage in what all databases hold alike: rows against their hashes, links, names, the audit chain."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, TypeVar

from simonides.domain.entity import fold
from simonides.errors import SimonidesError, StoreDamaged
from simonides.ports.store import Problem
from simonides.storage.sql.audit import GENESIS, head, link_hash
from simonides.storage.sql.database import Database
from simonides.storage.sql.reader import to_injection, to_verdict
from simonides.storage.sql.rows import ILLEGIBLE, is_sound, parsed, row_hash, to_item
from simonides.storage.sql.runs import to_link, to_run

D = TypeVar("D")
Progress = Callable[[str, float], None]
#: What looks for what is wrong in each area, by its name.
Areas = Mapping[str, Callable[[D], Iterator[Problem]]]

_AGAIN: Final = "run `simonides backfill --again`"
#: Rows without a hash: what reads those of a statement.
_RECORDS: Final[Mapping[str, Callable[[Any], object]]] = {
    "every_injection": to_injection,
    "every_link": to_link,
    "every_run": to_run,
    "every_verdict": to_verdict,
    "details_of_changes": lambda row: parsed(row[-1]),
    "tellings_of_entities": lambda row: parsed(row[-1]),
}


def looked_at(
    areas: Areas[D], database: D, progress: Progress | None, *, broken: type[Exception], advice: str
) -> Iterator[Problem]:
    """Everything that is wrong, area by area.

    Args:
        broken: What the database raises where it cannot read.
        advice: What helps where an area cannot be read.
    """
    for number, (name, area) in enumerate(areas.items()):
        if progress is not None:
            progress(name, number / len(areas))
        try:
            yield from area(database)
        except (broken, SimonidesError, *ILLEGIBLE) as error:
            yield Problem(name, f"unreadable: {error}; {advice}")
    if progress is not None:
        progress("done", 1.0)


def items(database: Database, altered: Collection[int] = ()) -> Iterator[Problem]:
    """Items that are not as they were written, by their hashes; or by their keys, where something else shows it."""
    for row in database.rows("every_item"):
        if not is_sound(row, to_item(row)) or row[0] in altered:
            yield Problem(
                "items", f"item {row[1]} was changed outside Simonides; its revisions show what it said"
            )
    for (item_id,) in database.rows("items_without_revision"):
        yield Problem("items", f"item {item_id} has no revision of its present state")


def revisions(database: Database, altered: Collection[int] = ()) -> Iterator[Problem]:
    """Revisions that are not as they were written, as of `items`."""
    for key, item, number, snapshot, check in database.rows("every_revision"):
        if row_hash(snapshot) != check or key in altered:
            yield Problem("revisions", f"revision {number} of item key {item} was changed outside Simonides")


def links(database: Database) -> Iterator[Problem]:
    """Links that lead nowhere."""
    if dangling := database.value("dangling_links"):
        yield Problem("links", f"{dangling} links have an end that does not exist")


def entities(database: Database) -> Iterator[Problem]:
    """Entities that miscount, and names by which none is found."""
    if miscounted := database.value("miscounted_entities"):
        yield Problem("entities", f"{miscounted} entities miscount what mentions them; {_AGAIN}")
    if dangling := database.value("dangling_names"):
        yield Problem("entities", f"{dangling} names mean an entity that does not exist; {_AGAIN}")
    names = {(scope, folded): key for scope, folded, key in database.rows("every_name")}
    nameless = sum(
        names.get((scope, fold(known))) != key
        for key, scope, name, aliases in database.rows("every_entity")
        for known in (name, *parsed(aliases))
    )
    if nameless:
        yield Problem("entities", f"{nameless} names of entities cannot be looked up; {_AGAIN}")


def vectors(database: Database, written: Callable[[bytes], bytes] = bytes) -> Iterator[Problem]:
    """Vectors that are not as they were written.

    Args:
        written: The bytes that the checksum was made of.
    """
    for item, dimension, checksum, vector in database.rows("every_checksum"):
        if vector is not None and (
            zlib.crc32(written(vector)) != checksum or len(vector) not in (0, dimension * 4)
        ):
            yield Problem("vectors", f"the vector of item key {item} was changed; {_AGAIN}")


def records(database: Database, advice: str) -> Iterator[Problem]:
    """Rows without a hash that cannot be read."""
    for name, read in _RECORDS.items():
        for row in database.rows(name):
            try:
                read(row)
            except StoreDamaged as error:
                yield Problem("records", f"{name.replace('_', ' ')}: {error}; {advice}")


def audit(database: Database, keyed_from: float = math.inf) -> Iterator[Problem]:
    """Every place where the audit chain does not hold, in order; the first is where to look.

    Args:
        keyed_from: Number of the first event under the owner's key.
    """
    previous, expected = GENESIS, 0
    for *row, stored in database.rows("events_in_order"):
        expected += 1
        if row[0] != expected:
            yield Problem("audit", f"audit events {expected} to {row[0] - 1} are missing")
            expected = row[0]
        elif link_hash(previous, row, database.key if row[0] >= keyed_from else None) != stored:
            yield Problem(
                "audit",
                f"audit event {row[0]} does not fit the hash before it: it, or one before it, was changed",
            )
        previous = stored if isinstance(stored, bytes) else GENESIS
    number, last = head(database)
    if number != expected or last != previous:
        yield Problem("audit", f"the audit log ends at event {expected}, but {number} were written")
