"""Tables of values separated by commas, semicolons or tabs, their first row naming the columns."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Final

from simonides.domain.ids import is_id
from simonides.domain.item import Status, Usage
from simonides.domain.provenance import Origin
from simonides.domain.table import text_of
from simonides.errors import InvalidInput
from simonides.importers.files import (
    KEPT_ELSEWHERE,
    Fields,
    amount,
    an_object,
    elsewhere,
    moment_of,
    not_utf8,
    opened,
    sources,
    stem_of,
)
from simonides.importers.mapped import LISTS, checked, entries_of, require_content, speakers_of
from simonides.importers.speakers import Speakers
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceItem, SourceRequest

_MOST_CELL_CHARS: Final = 4 << 20
#: Columns of an export that tell whose a memory is and how it stands, not what it says. A table that has all of them is
#: one, also where people have added columns, or sorted or removed others.
_STANDING: Final = (
    "scope",
    "status",
    "origin",
    "trust",
    "validation",
    "usage_count",
    "reinforcement",
    "source_id",
)


#: When it was used: columns that a table of an export may lack.
_USED: Final = ("last_used_at", "last_hit_at")


class TableImporter:
    """Rows of a table; `--map` names their columns."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        mapping = checked(request.mapping)
        csv.field_size_limit(_MOST_CELL_CHARS)
        files = list(sources(request.path, "*.csv", "*.tsv"))
        every = (row for file in files for _, row in _rows(file, mapping) if not isinstance(row, str))
        speakers = speakers_of(every, mapping, request.scope)
        for file in files:
            for place, row in _rows(file, mapping):
                if isinstance(row, str):
                    yield Refusal(place=place, reason=row)
                elif _is_export(row):
                    yield from _exported(row, mapping, place, stem_of(file), speakers)
                else:
                    yield from entries_of(row, mapping, place, stem_of(file), speakers)


def _rows(file: Path, mapping: Mapping[str, str]) -> Iterator[tuple[str, Fields | str]]:
    """Rows by the names of their columns, or why one is refused, each with its place.

    Raises:
        InvalidInput: It is no table, or has no column for the content.
    """
    try:
        with opened(file) as data, TextIOWrapper(data, encoding="utf-8-sig", newline="") as stream:
            beginning = stream.readline()
            stream.seek(0)
            delimiter = max("\t;,", key=beginning.count)
            _require_whole(stream, delimiter, file.name)
            stream.seek(0)
            rows = csv.reader(stream, delimiter=delimiter)
            head = next(rows, list[str]())
            names = [name or f"column {number}" for number, name in enumerate(head, 1)]
            if twice := next((name for name in names if names.count(name) > 1), None):
                raise InvalidInput(f"{file.name} has two columns named {twice!r}: rename one of them")
            require_content(names, mapping, file.name)
            is_export = _is_export(names)
            for row in rows:
                place = f"{file.name}, line {rows.line_num}"
                if len(row) > len(names):
                    yield place, f"{len(row)} cells, the table has {len(names)}"
                elif any(row):
                    cells = map(text_of, row) if is_export else row
                    yield place, dict.fromkeys(names, "") | dict(zip(names, cells, strict=False))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file.name} {not_utf8(error.object, error)}") from error
    except csv.Error as error:
        raise InvalidInput(f"{file.name} cannot be read as a table: {error}") from error


def _is_export(names: Iterable[str]) -> bool:
    return set(_STANDING).issubset(names)


def _exported(
    row: Fields, mapping: Mapping[str, str], place: str, source: str, speakers: Speakers
) -> Iterator[SourceEntry]:
    """The entry of a row that `export` wrote: the memory in its own scope, by whose word it was, and as it stood."""
    if row.get("type") in KEPT_ELSEWHERE:
        yield elsewhere(place)
        return
    if row["status"] == Status.QUARANTINED:
        yield Refusal(place=place, reason=f"{LEFT_OUT}a memory that waits for review")
        return
    fields: dict[str, object] = {
        name: value for name, value in row.items() if name not in (*_STANDING, *_USED)
    }
    with suppress(ValueError, RecursionError):
        fields["metadata"] = an_object(json.loads(str(row.get("metadata") or "{}")))
    own_id = str(row.get("id"))
    for entry in entries_of(fields, mapping, place, source, speakers):
        if not isinstance(entry, SourceItem):
            yield entry
            continue
        yield replace(
            entry,
            key=own_id if is_id(own_id) else entry.key,
            id=own_id if is_id(own_id) else None,
            scope=str(row["scope"]),
            origin=Origin(row["origin"]) if row["origin"] in list(Origin) else Origin.USER_SAID,
            archived=row["status"] == Status.ARCHIVED,
            fields={**entry.fields, **_as_written(fields, row)},
            usage=Usage(
                reinforcement=_number(row["reinforcement"]),
                usage_count=int(_number(row["usage_count"])),
                last_used_at=moment_of(row.get("last_used_at")),
                last_hit_at=moment_of(row.get("last_hit_at")),
            ),
        )


def _as_written(fields: Fields, row: Fields) -> Fields:
    """Tags and entities, in which any sign but a comma may stand, and the name of the source."""
    listed = {
        name: [one for part in str(fields[name]).split(",") if (one := part.strip())]
        for name in LISTS
        if fields.get(name)
    }
    return {**listed, "provenance": {"source_id": row["source_id"]}} if row["source_id"] else listed


def _number(cell: object) -> float:
    with suppress(ValueError):
        return amount(float(str(cell)))
    return 0.0


def _require_whole(stream: Iterable[str], delimiter: str, name: str) -> None:
    """Read a table to its end before a row of it is taken.

    Raises:
        InvalidInput: It ends inside a quotation.
        csv.Error: It is no table.
    """
    last: list[str] = []
    end = ""
    for _ in csv.reader((last.append(line) or line for line in stream), delimiter=delimiter):
        end = "".join(last)
        last.clear()
    # A reader takes an open quotation for whole; a strict one does not, and minds other things as well.
    try:
        list(csv.reader(StringIO(end, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        if "end of data" in str(error):
            raise InvalidInput(f"{name} ends inside a quotation: is the file whole?") from error
