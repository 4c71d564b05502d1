"""Values of frameworks as records can hold them: JSON of a size, with a note in the place of what is left out."""

# pyright: basic
from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from simonides.domain.item import MAX_METADATA_BYTES, MAX_METADATA_DEPTH
from simonides.domain.item import canonical_json as written

#: Left for the frame of a record, and for the notes.
_SPARE_BYTES: Final = 2_048
#: Smaller texts are left out only with the list or object that they stand in.
_LEAST_LEFT_OUT_BYTES: Final = 1_024
_DATA_URL: Final = re.compile(r"data:([\w.+-]+/[\w.+-]+)[;,]")

_Path = tuple[str | int, ...]


class _Held(NamedTuple):
    size: int
    path: _Path
    held: Any


def as_json(value: object, depth: int = 0) -> Any:
    """The value in JSON: what JSON does not hold is a note that names its type."""
    if depth == MAX_METADATA_DEPTH - 4:
        return _note("nested too deeply") if isinstance(value, Mapping | list | tuple) else as_json(value)
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case None | bool() | int():
            return value
        case float() if math.isfinite(value):
            return value
        case Mapping():
            fields: dict[str, Any] = {}
            for name, one in cast("Mapping[object, object]", value).items():
                shown = base = as_json(str(name))
                number = 1
                while shown in fields:
                    shown = f"{base} {(number := number + 1)}"
                fields[shown] = as_json(one, depth + 1)
            return fields
        case list() | tuple():
            return [as_json(one, depth + 1) for one in cast("Sequence[object]", value)]
        case _:
            return _note(f"{type(value).__name__}, which is no JSON")


def fitted(value: Any) -> Any:
    """A JSON value that a record can hold: the largest of its texts, or what else is too large, is a note.

    An object stays one, since its readers expect one; one of nothing but small parts comes back too large.
    """
    excess = _size(value) + _SPARE_BYTES - MAX_METADATA_BYTES
    if excess <= 0:
        return value
    texts = [one for one in _sizes(value) if isinstance(one.held, str) and one.size >= _LEAST_LEFT_OUT_BYTES]
    for one in sorted(texts, key=lambda one: -one.size):
        if excess > 0:
            kind = _DATA_URL.match(one.held)
            value = _with(value, one.path, _note(f"{kind[1] if kind else 'a text'} of {one.size:,} bytes"))
            excess -= one.size
    while (excess := _size(value) + _SPARE_BYTES - MAX_METADATA_BYTES) > 0:
        parts = [one for one in _sizes(value) if one.path and one.size >= _LEAST_LEFT_OUT_BYTES]
        if not parts:
            break
        enough = [one for one in parts if one.size >= excess]
        most = max(one.size for one in parts)
        # Where none is enough, what makes out most of the largest goes, and the names around it stay.
        part = (
            min(enough, key=lambda one: (one.size, -len(one.path)))
            if enough
            else max(
                (one for one in parts if one.size > most * 0.9), key=lambda one: (len(one.path), one.size)
            )
        )
        note = _note(f"a value of {part.size:,} bytes")
        value = _with(value, part.path, {"note": note} if isinstance(part.held, Mapping) else note)
    return value


def _note(what: str) -> str:
    return f"[left out: {what}]"


def _size(value: object) -> int:
    return len(written(value).encode())


def _sizes(value: Any, path: _Path = ()) -> Iterator[_Held]:
    yield _Held(_size(value), path, value)
    if isinstance(value, Mapping | list):
        for step, one in value.items() if isinstance(value, Mapping) else enumerate(value):
            if isinstance(one, Mapping | list | str):  # Nothing else is large.
                yield from _sizes(one, (*path, step))


def _with(value: Any, path: _Path, note: str | dict[str, str]) -> Any:
    if not path:
        return note
    step, *rest = path
    if isinstance(value, Mapping):
        return {name: _with(one, tuple(rest), note) if name == step else one for name, one in value.items()}
    return [_with(one, tuple(rest), note) if n == step else one for n, one in enumerate(value)]
