"""From a caller's keywords to a selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simonides.domain.instant import instant
from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.taxonomy import Kind, Taxonomy, Tier
from simonides.errors import InvalidInput


def selection_of(
    fields: Mapping[str, Any], scopes: tuple[Scope, ...] | None, taxonomy: Taxonomy, now: int
) -> Selection:
    """The selection that filters say together.

    Raises:
        InvalidInput: A tier, kind, type or time cannot be read; the message names it.
    """
    archived = bool(fields.get("archived", False))
    return Selection(
        scopes=scopes,
        live_at=None if archived else now,
        statuses=frozenset({Status.ACTIVE, Status.ARCHIVED}) if archived else frozenset({Status.ACTIVE}),
        tiers=_members(fields.get("tiers"), Tier, "tier"),
        types=_types(fields, taxonomy),
        tags=_folded(fields.get("tags"), "tags"),
        entity=fields.get("entity"),
        after=_moment(fields, "after"),
        before=_moment(fields, "before"),
        valid_at=_moment(fields, "valid_at"),
        session_id=fields.get("session_id") or fields.get("run_id"),
        corpus_id=fields.get("corpus_id"),
        pinned=fields.get("pinned"),
    )


def _types(fields: Mapping[str, Any], taxonomy: Taxonomy) -> frozenset[str] | None:
    named = _folded(fields.get("types"), "types")
    if named is not None:
        if unknown := sorted(named - set(taxonomy.specs) - set(taxonomy.aliases)):
            raise InvalidInput(f"unknown type {unknown[0]!r}; use one of {', '.join(sorted(taxonomy.specs))}")
        named = frozenset(taxonomy.resolve(name)[0] for name in named)
    kinds = _members(fields.get("kinds"), Kind, "kind")
    if kinds is None:
        return named
    of_kinds = taxonomy.of_kinds(kinds)
    return of_kinds if named is None else named & of_kinds


def _members(values: object, kind: Any, name: str) -> frozenset[Any] | None:
    named = _folded(values, f"{name}s")
    if named is None:
        return None
    known = {member.value: member for member in kind}
    if unknown := sorted(named - set(known)):
        raise InvalidInput(f"unknown {name} {unknown[0]!r}; use one of {', '.join(known)}")
    return frozenset(known[value] for value in named)


def _folded(values: object, name: str) -> frozenset[str] | None:
    if values is None:
        return None
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(f"{name} must be a list of words, such as ['{values}']")
    words = frozenset(str(value).strip().casefold() for value in values)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return words or None


def _moment(fields: Mapping[str, Any], name: str) -> int | None:
    value = fields.get(name)
    return None if value is None else instant(value, name=name)
