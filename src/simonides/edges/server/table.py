"""The table of operations: routes, the OpenAPI document, the check of roles and the tests are made from it."""

from __future__ import annotations

from typing import Final

from simonides.edges.server.operation import Operation
from simonides.edges.server.operations import (
    documents,
    entities,
    long,
    memories,
    palace,
    recall,
    records,
    review,
    runs,
    sessions,
    store,
)

TABLE: Final[tuple[Operation, ...]] = (
    *memories.OPERATIONS,
    *recall.OPERATIONS,
    *entities.OPERATIONS,
    *palace.OPERATIONS,
    *sessions.OPERATIONS,
    *records.OPERATIONS,
    *documents.OPERATIONS,
    *review.OPERATIONS,
    *runs.OPERATIONS,
    *store.OPERATIONS,
    *long.OPERATIONS,
)


def path_of(verb: str) -> str | None:
    """Method and path of the operation that a verb of `Memory` is; None where it is none."""
    return next((f"`{one.method} {one.path}`" for one in TABLE if one.name == verb), None)


def by_path() -> dict[str, dict[str, Operation]]:
    """Operations by path and method, paths without words first."""
    paths: dict[str, dict[str, Operation]] = {}
    for one in sorted(TABLE, key=lambda operation: "{" in operation.path):
        paths.setdefault(one.path, {})[one.method] = one
    return paths
