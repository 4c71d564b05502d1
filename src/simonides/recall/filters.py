"""From a caller's keywords to a selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from simonides.domain.instant import instant
from simonides.domain.item import Status, canonical_json
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.taxonomy import Kind, Taxonomy, Tier
from simonides.domain.text import valid_text
from simonides.errors import InvalidInput
from simonides.language.calendar.windows import named_window


def selection_of(
    fields: Mapping[str, Any], scopes: tuple[Scope, ...] | None, taxonomy: Taxonomy, now: int
) -> Selection:
    """The selection that filters say together.

    Raises:
        InvalidInput: A tier, kind, type or time cannot be read; the message names it.
    """
    archived, valid_at = bool(_flag(fields, "archived")), _moment(fields, "valid_at")
    # What was true then may have been corrected since: superseded items are part of that answer.
    past = archived or valid_at is not None
    return Selection(
        scopes=scopes,
        live_at=None if archived else now,
        statuses=frozenset({Status.ACTIVE, Status.ARCHIVED}) if past else frozenset({Status.ACTIVE}),
        replaced=valid_at is not None and not archived,
        tiers=_members(fields.get("tiers"), Tier, "tier"),
        types=_types(fields, taxonomy),
        tags=_folded(fields.get("tags"), "tags"),
        entity=_folded_text(fields, "entity"),
        after=_bound(fields, "after", now),
        before=_bound(fields, "before", now),
        valid_at=valid_at,
        session_id=_text(fields, "session_id") or _text(fields, "run_id"),
        task_id=_text(fields, "task_id"),
        corpus_id=_text(fields, "corpus_id"),
        metadata=_metadata(fields),
        pinned=_flag(fields, "pinned"),
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
    given = cast("Iterable[object]", values)
    words = frozenset(str(value).strip().casefold() for value in given)
    if "" in words:
        raise InvalidInput(f"{name} holds a blank word; leave it out")
    return frozenset(valid_text(word, name=f"each of {name}") for word in words) or None


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{name} must be a word to look for, got {value!r}")
    return valid_text(value.strip(), name=name)


def _folded_text(fields: Mapping[str, Any], name: str) -> str | None:
    value = _text(fields, name)
    return None if value is None else value.casefold()


def _metadata(fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...] | None:
    """Pairs of a name and the JSON of its value, in the order of the names."""
    given = fields.get("metadata")
    if given is None:
        return None
    if not isinstance(given, Mapping) or not given:
        raise InvalidInput(f"metadata must be a mapping such as {{'channel': 'mail'}}, got {given!r}")
    pairs: list[tuple[str, str]] = []
    for name, value in cast("Mapping[object, object]", given).items():
        if not isinstance(name, str) or not (value is None or isinstance(value, str | int | float)):
            raise InvalidInput(
                f"metadata: {name!r} must be a name, its value a text, a number, true, false or None; got {value!r}"
            )
        pairs.append((valid_text(name, name="a name of metadata"), canonical_json(value)))
    return tuple(sorted(pairs))


def _flag(fields: Mapping[str, Any], name: str) -> bool | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, bool):
        raise InvalidInput(f"{name} must be true or false, got {value!r}")
    return value


def _moment(fields: Mapping[str, Any], name: str) -> int | None:
    value = fields.get(name)
    return None if value is None else instant(value, name=name)


def _bound(fields: Mapping[str, Any], name: str, now: int) -> int | None:
    """A moment, or the beginning of a time that is named in words."""
    value = fields.get(name)
    try:
        return _moment(fields, name)
    except InvalidInput as error:
        if not isinstance(value, str):
            raise
        if (window := named_window(value, now)) is None:
            raise InvalidInput(
                f"{error}, or in words: last_week, yesterday, 3 days ago, March 2026"
            ) from None
        return window.start
