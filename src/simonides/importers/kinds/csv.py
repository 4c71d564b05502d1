"""Tables of values separated by commas, semicolons or tabs, their first row naming the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Final

from simonides.domain.table import COLUMNS, text_of
from simonides.errors import InvalidInput
from simonides.importers.files import not_utf8, sources
from simonides.importers.mapped import checked, entries_of, require_content
from simonides.ports.importer import Refusal, SourceEntry, SourceRequest

_MOST_CELL_CHARS: Final = 4 << 20


class TableImporter:
    """Rows of a table; `--map` names their columns."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        mapping = checked(request.mapping)
        csv.field_size_limit(_MOST_CELL_CHARS)
        for file in sources(request.path, "*.csv", "*.tsv"):
            try:
                with file.open(encoding="utf-8-sig", newline="") as stream:
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
                    is_own = tuple(names) == COLUMNS
                    for row in rows:
                        place = f"{file.name}, line {rows.line_num}"
                        if len(row) > len(names):
                            yield Refusal(place=place, reason=f"{len(row)} cells, the table has {len(names)}")
                        elif any(row):
                            cells = map(text_of, row) if is_own else row
                            yield from entries_of(
                                dict(zip(names, cells, strict=False)), mapping, place, file.stem
                            )
            except UnicodeDecodeError as error:
                raise InvalidInput(f"{file.name} {not_utf8(error.object, error)}") from error
            except csv.Error as error:
                raise InvalidInput(f"{file.name} cannot be read as a table: {error}") from error


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
