"""Nearest vectors in the database: few are compared one by one, many by an index of the tenant's own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, LiteralString, NamedTuple

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import sql

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Status
from simonides.errors import StoreLocked, StoreReadOnly
from simonides.ports.recalling import Nearing
from simonides.storage.postgres.database import PostgresDatabase
from simonides.storage.postgres.statements import query

#: So many vectors of the scopes in question are compared one by one: up to there that is as quick, and exact.
FEW: Final = 20_000
#: Vectors in half precision that are compared again in single precision, beside those that are wanted.
_MORE: Final = 20
#: So many times as many as are wanted are put in their order first, where most are likely to pass.
_AHEAD: Final = 4
_ALL: Final = 1 << 53
#: Nodes that the index looks at for a question, and what it names.
_LOOKED: Final = 240
#: What an index of pgvector can hold of halfvec.
_MOST_DIMENSIONS: Final = 4_000
#: Of a vector while an index is built, in bytes, beside its numbers, about: beyond its memory a build is slow.
_BUILDING: Final = 1_024
_A_NUMBER: Final = 2
_LEAST_MB, _MOST_MB = 64, 2_048
#: Beginning of its name; tenant, model and number of dimensions follow.
_NAME: Final = "memory_embeddings_near_"
#: Owners that make indexes do not make the same one.
_LOCK: Final = 0x536D4858
#: What holds for a search by an index: what does not pass is followed by more, in about their order.
SEARCHING: Final[tuple[LiteralString, ...]] = (
    "SET LOCAL hnsw.ef_search = 240",
    "SET LOCAL hnsw.iterative_scan = relaxed_order",
)
_OWNS: Final = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(%s)"
_STANDINGS: Final = {Status.ACTIVE: 0, Status.ARCHIVED: 1}


class TenantIndex(NamedTuple):
    """An index over the vectors of one model of one tenant.

    Attributes:
        model: Key of the model.
    """

    model: int
    dimension: int


#: Stands for an index where there is none: no model has this key.
NO_INDEX: Final = TenantIndex(0, 1)


def compared(asked: Nearing) -> list[tuple[EmbedderIdentity, NDArray[np.float32]]]:
    """The questions that the store compares, each with its model."""
    assert asked.model is not None
    questions = [(asked.model, question) for question in asked.questions]
    return (
        questions
        if asked.reading is None or asked.read is None
        else [*questions, (asked.reading, asked.read)]
    )


def comparing(asked: Nearing, values: dict[str, Any], few: int) -> dict[str, Any]:
    """Values of statements that compare vectors, beside those of the selection's conditions."""
    selection, questions, most = asked.selection, compared(asked), asked.wanted + _MORE
    few_pass = replace(selection, begun_at=None, lasting_at=None, injectable=None).narrow
    return {
        "compared": [model.fingerprint for model, _ in questions],
        "questions": [f"[{','.join(map(repr, question.tolist()))}]" for _, question in questions],
        "standings": sorted(_STANDINGS[status] for status in selection.statuses if status in _STANDINGS),
        "within": None if selection.scopes is None else _scope_keys(values),
        "alive_at": selection.live_at,
        "narrow": selection.narrow,
        "most": most,
        "ahead": _ALL if few_pass else _AHEAD * most,
        "few": few,
        "looked": max(_LOOKED, most),
    }


def _scope_keys(values: dict[str, Any]) -> list[int]:
    """The keys of the scopes that conditions are about: none where nothing can pass."""
    return [values["scope_key"]] if "scope_key" in values else list(values.get("scope_keys", ()))


def lacking_index(database: PostgresDatabase, few: int) -> list[tuple[TenantIndex, int]]:
    """Models of which a tenant has many vectors and no index, with how many."""
    return [
        (TenantIndex(model, dimension), held)
        for model, _, dimension, indexed, held in database.rows("models_with_sizes")
        if _needs(dimension, indexed, held, few)
    ]


def _needs(dimension: int, indexed: int, held: int, few: int) -> bool:
    return held > few and dimension <= _MOST_DIMENSIONS and not indexed


def make_indexes(
    connection: psycopg.Connection[tuple[Any, ...]], tenant: int, lacking: Sequence[tuple[TenantIndex, int]]
) -> None:
    """Make indexes of a tenant, as the owner of the tables, and drop those whose model is gone; writes go on meanwhile.

    Raises:
        StoreReadOnly: The role does not own the tables.
        StoreLocked: Another process makes indexes.
    """
    if not _value(connection, _OWNS, "memory_embeddings"):
        if lacking:
            raise StoreReadOnly(
                "only the owner of the tables makes indexes: run `simonides reindex` with the owner's address, or let "
                "`simonides worker --owner` do it"
            )
        return
    unneeded = connection.execute(query("unneeded_indexes").text, {"tenant": tenant}).fetchall()
    if not lacking and not unneeded:
        return
    if not _value(connection, "SELECT pg_try_advisory_lock(%s)", _LOCK):
        raise StoreLocked("another process makes an index of vectors; try again when it has")
    try:
        for index, held in lacking:
            _make(connection, tenant, index, held)
            connection.execute(query("note_indexed").text, {"tenant": tenant, "model": index.model})
        for (name,) in unneeded:
            connection.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(name)))
    finally:
        with suppress(psycopg.OperationalError):  # Of a connection that broke off nothing is left.
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


def _make(
    connection: psycopg.Connection[tuple[Any, ...]], tenant: int, index: TenantIndex, held: int
) -> None:
    name = f"{_NAME}{tenant}_{index.model}_{index.dimension}"
    valid = _value(connection, "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", name)
    if valid:
        return
    if valid is not None:  # A build that was broken off leaves one that is never used.
        connection.execute(sql.SQL("DROP INDEX CONCURRENTLY {}").format(sql.Identifier(name)))
    needed = held * (_BUILDING + _A_NUMBER * index.dimension) // 1_000_000
    memory = min(_MOST_MB, max(_LEAST_MB, needed))
    connection.execute(sql.SQL("SET maintenance_work_mem = {}").format(sql.Literal(f"{memory}MB")))
    # Vectors of another number of dimensions under the same key would break what writes them, were they not left out.
    made = sql.SQL(
        "CREATE INDEX CONCURRENTLY {name} ON memory_embeddings "
        "USING hnsw ((vector::halfvec({dimension})) halfvec_ip_ops) WITH (m = 24, ef_construction = 128) "
        "WHERE tenant = {tenant} AND model = {model} AND standing >= 0 AND vector_dims(vector) = {dimension}"
    ).format(
        name=sql.Identifier(name),
        dimension=sql.Literal(index.dimension),
        tenant=sql.Literal(tenant),
        model=sql.Literal(index.model),
    )
    try:
        connection.execute(made)
    finally:
        with suppress(psycopg.OperationalError):
            connection.execute("RESET maintenance_work_mem")


def describe(database: PostgresDatabase, few: int, archive: PostgresDatabase | None = None) -> str:
    """Describe what compares a tenant's vectors, and those of its archive, in a few words for people."""
    rows = [(row, "") for row in database.rows("models_with_sizes")]
    if archive is not None:
        rows += [(row, " in the archive") for row in archive.rows("models_with_sizes") if row[-1]]
    told: list[str] = []
    for (_, name, dimension, indexed, held), where in rows:
        how = "by an index where many are in question" if indexed else "one by one"
        if _needs(dimension, indexed, held, few):
            how += "; the owner's `simonides reindex` makes an index"
        told.append(f"{held:,} of {name}{where}, compared {how}")
    return f"pgvector, {'; '.join(told) or 'no vectors yet'}"


def _value(connection: psycopg.Connection[tuple[Any, ...]], text: LiteralString, value: Any) -> Any:
    row = connection.execute(text, (value,)).fetchone()
    return None if row is None else row[0]
