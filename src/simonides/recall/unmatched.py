"""Filters that nothing has: told beside an empty answer, with the names that may have been meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from simonides.domain.document import CHUNK
from simonides.domain.item import Item, Status
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.text import near_names
from simonides.ports.entities import EntitySelection
from simonides.ports.store import Reader

#: Items, newest first, among whose names one that may be meant is looked for.
_LOOKED_AT: Final = 2000
_RECALLED: Final = frozenset({Status.ACTIVE, Status.ARCHIVED})
#: More of them are those of a kind, which nobody mistypes.
_TYPES_NAMED: Final = 3
#: Fields of a selection that say to what an item belongs, and the word for it.
_BELONGS: Final = {"session_id": "session", "task_id": "task", "corpus_id": "corpus"}


class _Value(NamedTuple):
    """A value that a filter asks for.

    Attributes:
        words: What no item does that has it not: `has the tag 'x'`.
        alone: The selection of it alone.
        names: Values of the same filter that an item has.
    """

    words: str
    name: str
    alone: Selection
    names: Callable[[Item], Iterable[str | None]]


def unmatched(reader: Reader, selection: Selection) -> tuple[str, ...]:
    """Filters of a selection that no item in sight has, a sentence each, with the nearest names that there are.

    Nothing is told of scopes that the selection does not see.
    """
    seen = Selection(scopes=selection.scopes, live_at=None, statuses=_RECALLED)
    if not _any(reader, seen):
        where = "" if seen.scopes is None else f" in sight of {seen.scopes[0]}"
        waits = _any(reader, replace(seen, statuses=frozenset({Status.QUARANTINED})))
        return (f"all that is stored{where} waits for review" if waits else f"nothing is stored{where}",)
    hints = [
        f"no item in sight {one.words}{near_names(one.name, _names(reader, seen, one))}"
        for one in _values(selection, seen)
        if not _any(reader, one.alone)
    ]
    if seen.scopes and not _any(reader, replace(seen, scopes=seen.scopes[:1])):
        hints.append(f"nothing is stored in {seen.scopes[0]} itself")
    return tuple(hints)


def _any(reader: Reader, selection: Selection) -> bool:
    return bool(reader.keys(selection, ItemOrder.NEWEST, limit=1))


def _values(selection: Selection, seen: Selection) -> Iterator[_Value]:
    """Each value that a selection asks for, by itself."""
    if (types := selection.types) and len(types) <= _TYPES_NAMED:
        words = " or ".join(sorted(types))
        yield _Value(f"is of type {words}", words, replace(seen, types=types), partial(_belongs, "type"))
    for tag in sorted(selection.tags or ()):
        only = replace(seen, tags=frozenset({tag}))
        yield _Value(f"has the tag {tag!r}", tag, only, _tags)
    if (entity := selection.entity) is not None:
        yield _Value(f"mentions {entity!r}", entity, replace(seen, entity=entity), _tags)
    for field, word in _BELONGS.items():
        if (value := getattr(selection, field)) is not None:
            only = replace(seen, **{field: value})
            yield _Value(f"is of the {word} {value!r}", value, only, partial(_belongs, field))
    if (path := selection.path) is not None:
        yield _Value(f"is of the path {path!r}", path, replace(seen, path=path), _path)
    for name, value in selection.metadata or ():
        only = replace(seen, metadata=((name, value),))
        yield _Value(f"has {value} as {name!r} in its metadata", name, only, _metadata)


def _belongs(field: str, item: Item) -> list[str | None]:
    return [getattr(item, field)]


def _tags(item: Item) -> Iterable[str]:
    return item.tags


def _metadata(item: Item) -> Iterable[str]:
    return item.metadata


def _path(item: Item) -> list[str | None]:
    return [item.provenance.source_id] if item.type == CHUNK else []


def _names(reader: Reader, seen: Selection, one: _Value) -> set[str]:
    """Values of a filter that items in sight have."""
    if one.alone.entity is not None:
        found = reader.entities(EntitySelection(scopes=seen.scopes), limit=_LOOKED_AT)
        return {name for entity in found.values() for name in entity.names}
    looked = replace(seen, types=frozenset({CHUNK})) if one.alone.path or one.alone.corpus_id else seen
    items = reader.select(looked, limit=_LOOKED_AT).values()
    return {name for item in items for name in one.names(item) if name}
