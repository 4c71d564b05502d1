"""From a caller's keywords to a selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, cast

from simonides.domain.document import valid_path
from simonides.domain.flag import flag
from simonides.domain.instant import Moment, instant
from simonides.domain.item import Status, canonical_json, checked_metadata
from simonides.domain.record import space_of, under
from simonides.domain.scope import Scope
from simonides.domain.selection import Filter, FilterForm, Filters, HeldOnce, Selection, filters_of
from simonides.domain.taxonomy import Kind, Taxonomy
from simonides.domain.text import short_text, shown
from simonides.errors import InvalidInput
from simonides.language.calendar.windows import named_window


def selection_of(
    fields: Mapping[str, Any],
    scopes: tuple[Scope, ...] | None,
    taxonomy: Taxonomy,
    now: int,
    keywords: type = Filters,
) -> Selection:
    """The selection that filters say together.

    Args:
        keywords: The table of filters.

    Raises:
        InvalidInput: A tier, kind, type or time cannot be read; the message names it.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    read = {
        name: _value(given[name], name, one, now)
        for name, one in filters_of(keywords).items()
        if name in given
    }
    archived = read.pop("archived", False)
    # What was true then may have been corrected since: superseded items are part of that answer.
    then: int | None = read.get("valid_at")
    past = archived or then is not None
    read["types"] = _types(read.get("types"), read.pop("kinds", None), taxonomy)
    if (run := read.pop("run_id", None)) is not None:
        read.setdefault("session_id", run)
    return Selection(
        scopes=scopes,
        live_at=None if archived else now,
        statuses=frozenset({Status.ACTIVE, Status.ARCHIVED}) if past else frozenset({Status.ACTIVE}),
        former=None if archived or then is None else HeldOnce(then, then + 1, copies=True),
        **read,
    )


def _value(value: object, name: str, one: Filter, now: int) -> Any:
    """The value of a filter as a selection holds it."""
    match one.form:
        case FilterForm.WORDS:
            return _folded(value, name) if one.of is None else _members(value, name, one.of)
        case FilterForm.TEXT:
            return _text(value, name)
        case FilterForm.FOLDED:
            return _text(value, name).casefold()
        case FilterForm.TIME:
            return instant(cast("Moment", value), name=name)
        case FilterForm.BOUND:
            return _bound(value, name, now)
        case FilterForm.FLAG:
            return flag(value, name)
        case FilterForm.PAIRS:
            return _pairs(value, name)
        case FilterForm.PATH:
            return valid_path(_text(value, name).strip("/"))
        case FilterForm.SPACE:
            return under(space_of(cast("str", value)))


def _types(
    named: frozenset[str] | None, kinds: frozenset[Kind] | None, taxonomy: Taxonomy
) -> frozenset[str] | None:
    if named is not None:
        for name in sorted(named):
            taxonomy.require_known(name)
        named = frozenset(taxonomy.resolve(name)[0] for name in named)
    if kinds is None:
        return named
    of_kinds = taxonomy.of_kinds(kinds)
    return of_kinds if named is None else named & of_kinds


def _members(values: object, name: str, of: type[Enum]) -> frozenset[Any] | None:
    named = _folded(values, name)
    if named is None:
        return None
    known = {member.value: member for member in of}
    if unknown := sorted(named - set(known)):
        raise InvalidInput(f"unknown {name.removesuffix('s')} {unknown[0]!r}; use one of {', '.join(known)}")
    return frozenset(known[value] for value in named)


def _folded(values: object, name: str) -> frozenset[str] | None:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(f"{name} must be a list of words, such as ['{values}']")
    given = cast("Iterable[object]", values)
    words = frozenset(str(value).strip().casefold() for value in given)
    if "" in words:
        raise InvalidInput(f"{name} holds a blank word; leave it out")
    return frozenset(short_text(word, name=f"each of {name}") for word in words) or None


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{name} must be a word to look for, got {shown(value)}")
    return short_text(value.strip(), name=name)


def _pairs(given: object, name: str) -> tuple[tuple[str, str], ...]:
    """Pairs of a name and the JSON of its value, in the order of the names."""
    if not isinstance(given, Mapping) or not given:
        raise InvalidInput(f"{name} must be a mapping such as {{'channel': 'mail'}}, got {given!r}")
    held, pairs = cast("Mapping[object, object]", given), list[tuple[str, str]]()
    for key, value in held.items():
        if not isinstance(key, str) or not (value is None or isinstance(value, str | int | float)):
            raise InvalidInput(
                f"{name}: {key!r} must be a name, its value a text, a number, true, false or None, "
                f"not {type(value).__name__}"
            )
        pairs.append((short_text(key, name=f"a name of {name}"), canonical_json(value)))
    checked_metadata(held, name)
    return tuple(sorted(pairs))


def _bound(value: object, name: str, now: int) -> int:
    """A moment, or the beginning of a time that is named in words."""
    try:
        return instant(cast("Moment", value), name=name)
    except InvalidInput as error:
        if not isinstance(value, str):
            raise
        if (window := named_window(value, now)) is None:
            raise InvalidInput(
                f"{error}, or in words: last_week, yesterday, 3 days ago, March 2026"
            ) from None
        return window.start
