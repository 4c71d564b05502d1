"""Looking for damage: rows against their hashes, words against texts, counters, the audit chain."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, Protocol

import psycopg

from simonides.domain.entity import fold
from simonides.errors import SimonidesError, StoreDamaged
from simonides.ports.store import Problem
from simonides.storage.postgres.database import PostgresDatabase
from simonides.storage.postgres.reader import is_sound
from simonides.storage.postgres.vectors import half_bytes
from simonides.storage.postgres.words import worded
from simonides.storage.sql.audit import GENESIS, head, link_hash
from simonides.storage.sql.reader import to_injection, to_verdict
from simonides.storage.sql.rows import ILLEGIBLE, parsed, row_hash, to_item
from simonides.storage.sql.runs import to_link, to_run

Progress = Callable[[str, float], None]
_RESTORE: Final = "restore the database to an instant before"

#: What releases of PostgreSQL may write otherwise of a policy; and the only one of a table, for all that anybody does.
_SPELLING: Final = re.compile(r"\bpublic\.| AS abs\b|[\s()]")
_POLICY: Final = "one_tenantt*{0}COALESCEabstenant=SELECTabssimonides_tenant,false"


class _Area(Protocol):
    __name__: str

    def __call__(self, database: PostgresDatabase, /) -> Iterator[Problem]: ...


def problems(database: PostgresDatabase, progress: Progress | None) -> Iterator[Problem]:
    """Everything that is wrong, area by area."""
    areas: tuple[_Area, ...] = (
        _policies,
        _items,
        _revisions,
        _counters,
        _words,
        _links,
        _entities,
        _vectors,
        _records,
        audit,
    )
    for number, area in enumerate(areas):
        name = area.__name__.strip("_")
        if progress is not None:
            progress(name, number / len(areas))
        try:
            yield from area(database)
        except (psycopg.errors.DataError, SimonidesError, *ILLEGIBLE) as error:
            yield Problem(name, f"unreadable: {error}; {_RESTORE}")
    if progress is not None:
        progress("done", 1.0)


def _policies(database: PostgresDatabase) -> Iterator[Problem]:
    if database.tenant < 0:  # An archive lies in the same tables.
        return
    for table, enabled, policies in database.rows("policies"):
        if not enabled:
            yield Problem(
                "policies",
                f"{table} shows every tenant's rows; as the owner, run ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            )
        if [_SPELLING.sub("", one) for one in policies] != [_POLICY]:
            yield Problem(
                "policies",
                f"the policies of {table} are not those of this release: {'; '.join(policies) or 'none'}; as the "
                f"owner, drop them and run CREATE POLICY one_tenant ON {table} USING "
                "(coalesce(abs(tenant) = (SELECT abs(simonides_tenant())), FALSE))",
            )


def _items(database: PostgresDatabase) -> Iterator[Problem]:
    for row in database.rows("every_item"):
        if not is_sound(row, to_item(row)):
            yield Problem(
                "items", f"item {row[1]} was changed outside Simonides; its revisions show what it said"
            )
    for (item_id,) in database.rows("items_without_revision"):
        yield Problem("items", f"item {item_id} has no revision of its present state")


def _revisions(database: PostgresDatabase) -> Iterator[Problem]:
    for _, item, number, snapshot, check in database.rows("every_revision"):
        if row_hash(snapshot) != check:
            yield Problem("revisions", f"revision {number} of item key {item} was changed outside Simonides")


def _counters(database: PostgresDatabase) -> Iterator[Problem]:
    for name, said, highest in database.rows("counters"):
        if said < highest:
            yield Problem(
                "rows", f"the last number of {name} is said to be {said}, and {highest} is there; {_RESTORE}"
            )


def _words(database: PostgresDatabase) -> Iterator[Problem]:
    held: Counter[str] = Counter()
    rows = tokens = 0
    wrong = untold = 0
    items = database.rows("every_text")
    for _, length, counts, tallied, *texts in items:
        rows += 1
        found = worded(texts)
        held.update(dict.fromkeys(found.counts, 1))
        tokens += found.length
        sound = length == found.length and counts == dict(found.counts)
        wrong += not sound
        untold += sound and not tallied
    if untold:
        yield Problem(
            "text index",
            f"the tallies of {untold} items are not those of their words: where they are missing, searches find the "
            "same, but later; as the owner, run UPDATE memory_words SET tallies = simonides_tallies(counts) "
            f"WHERE tenant = {database.tenant}",
        )
    if wrong:
        yield Problem("text index", f"the words of {wrong} items are not those of their texts; {_RESTORE}")
    counted = {term: documents for term, documents in database.rows("every_term") if documents}
    if counted != dict(held):
        yield Problem("text index", f"the counts of some words are not right; {_RESTORE}")
    if database.rows("worded").get != (rows, tokens):
        yield Problem("text index", f"the number of words is not right; {_RESTORE}")


def _links(database: PostgresDatabase) -> Iterator[Problem]:
    if dangling := database.value("dangling_links"):
        yield Problem("links", f"{dangling} links have an end that does not exist")


def _entities(database: PostgresDatabase) -> Iterator[Problem]:
    again = "run `simonides backfill --again`"
    if miscounted := database.value("miscounted_entities"):
        yield Problem("entities", f"{miscounted} entities miscount what mentions them; {again}")
    if dangling := database.value("dangling_names"):
        yield Problem("entities", f"{dangling} names mean an entity that does not exist; {again}")
    names = {(scope, folded): key for scope, folded, key in database.rows("every_name")}
    nameless = sum(
        names.get((scope, fold(known))) != key
        for key, scope, name, aliases in database.rows("every_entity")
        for known in (name, *parsed(aliases))
    )
    if nameless:
        yield Problem("entities", f"{nameless} names of entities cannot be looked up; {again}")


def _vectors(database: PostgresDatabase) -> Iterator[Problem]:
    for item, dimension, checksum, vector in database.rows("every_checksum"):
        if vector is not None and (
            zlib.crc32(half_bytes(vector)) != checksum or len(vector) != dimension * 4
        ):
            yield Problem(
                "vectors", f"the vector of item key {item} was changed; run `simonides backfill --again`"
            )
    if wrong := database.value("misplaced_vectors"):
        yield Problem(
            "vectors", f"{wrong} vectors stand elsewhere than their items; run `simonides backfill --again`"
        )


#: Rows without a hash: what reads those of a statement.
_RECORDS: Final[tuple[tuple[str, Callable[[Any], object]], ...]] = (
    ("every_injection", to_injection),
    ("every_link", to_link),
    ("every_run", to_run),
    ("every_verdict", to_verdict),
    ("details_of_changes", lambda row: parsed(row[-1])),
    ("tellings_of_entities", lambda row: parsed(row[-1])),
)


def _records(database: PostgresDatabase) -> Iterator[Problem]:
    for name, read in _RECORDS:
        for row in database.rows(name):
            try:
                read(row)
            except StoreDamaged as error:
                yield Problem("records", f"{name.replace('_', ' ')}: {error}; {_RESTORE}")


def audit(database: PostgresDatabase) -> Iterator[Problem]:
    """Every place where the audit chain does not hold."""
    previous, expected = GENESIS, 0
    rows = database.rows("events_in_order")
    while piece := list(islice(rows, 1000)):
        for *row, stored in piece:
            expected += 1
            if row[0] != expected:
                yield Problem("audit", f"audit events {expected} to {row[0] - 1} are missing")
                expected = row[0]
            elif link_hash(previous, row) != stored:
                yield Problem(
                    "audit",
                    f"audit event {row[0]} does not fit the hash before it: it, or one before it, was changed",
                )
            previous = stored
    number, last = head(database)
    if number != expected or last != previous:
        yield Problem("audit", f"the audit log ends at event {expected}, but {number} were written")
