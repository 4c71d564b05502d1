"""Looking for damage: rows against their hashes, words against texts, counters, the audit chain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

import psycopg

from simonides.ports.store import Problem
from simonides.storage.postgres.database import PostgresDatabase
from simonides.storage.postgres.vectors import half_bytes
from simonides.storage.postgres.words import worded
from simonides.storage.sql.check import (
    Areas,
    Progress,
    audit,
    entities,
    items,
    links,
    looked_at,
    records,
    revisions,
    vectors,
)

_RESTORE: Final = "restore the database to an instant before"

#: What releases of PostgreSQL may write otherwise of a policy; and the only one of a table, for all that anybody does.
_SPELLING: Final = re.compile(r"\bpublic\.| AS abs\b|[\s()]")
_POLICY: Final = "one_tenantt*{0}COALESCEabstenant=SELECTabssimonides_tenant,false"


def problems(database: PostgresDatabase, progress: Progress | None) -> Iterator[Problem]:
    """Everything that is wrong, area by area."""
    return looked_at(_AREAS, database, progress, broken=psycopg.errors.DataError, advice=_RESTORE)


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


def _vectors(database: PostgresDatabase) -> Iterator[Problem]:
    yield from vectors(database, half_bytes)
    if wrong := database.value("misplaced_vectors"):
        yield Problem(
            "vectors", f"{wrong} vectors stand elsewhere than their items; run `simonides backfill --again`"
        )


_AREAS: Final[Areas[PostgresDatabase]] = {
    "policies": _policies,
    "items": items,
    "revisions": revisions,
    "counters": _counters,
    "words": _words,
    "links": links,
    "entities": entities,
    "vectors": _vectors,
    "records": partial(records, advice=_RESTORE),
    "audit": audit,
}
