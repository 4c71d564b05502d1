"""Reading of the SQLite files of others: only read, their tables and columns known before a row is touched."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, cast

from simonides.errors import InvalidInput

_MAGIC: Final = b"SQLite format 3\0"
#: Longest value that is read of a cell.
_MOST_BYTES: Final = 64 << 20

Row = Mapping[str, Any]


class ForeignDatabase:
    """A file of SQLite that is only read: its tables with their columns, and the size of its pages."""

    def __init__(self, path: Path, connection: Any) -> None:
        self.path = path
        self._connection = connection
        self.page_bytes: int = connection.pragma("page_size")
        self.tables: Mapping[str, tuple[str, ...]] = {
            name: tuple(
                column for _, column, *_ in connection.execute("SELECT * FROM pragma_table_info(?)", (name,))
            )
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
        }

    def require(self, table: str, columns: Iterable[str], what: str) -> None:
        """Refuse a file that lacks a table or a column.

        Raises:
            InvalidInput: It does; the message names what there is.
        """
        if table not in self.tables:
            there = ", ".join(sorted(self.tables)) or "none"
            raise InvalidInput(
                f"{self.path.name} is no database of {what}: it has no table {table!r}, but {there}"
            )
        if missing := [name for name in columns if name not in self.tables[table]]:
            raise InvalidInput(
                f"{self.path.name} is of another version of {what}: its table {table!r} has no column "
                f"{missing[0]!r}, but {', '.join(self.tables[table])}"
            )

    def rows(self, table: str, order: Sequence[str] = ()) -> Iterator[tuple[str, Row | str]]:
        """Rows of a table, each with its place; of one that cannot be read, why.

        A place names the row by its number in the table, whatever the order.
        """
        columns = self.tables[table]
        by = [name for name in order if name in columns]
        own = self._number_of_rows(table, columns)
        by += [own] if own else []
        # Names are those of the file's own schema; nothing else gets into the statement.
        words, named = ", ".join(map(_quoted, columns)), _quoted(table)
        text = f"SELECT {own or 'NULL'}, {words} FROM {named}" + (f" ORDER BY {', '.join(by)}" if by else "")
        cursor = self._connection.cursor()
        number = 0
        try:
            for number, (own_number, *row) in enumerate(cursor.execute(text), 1):
                place = f"{self.path.name}, {table}, row {own_number or number}"
                yield place, dict(zip(columns, row, strict=True))
        except Exception as error:  # noqa: BLE001 - whatever a damaged file does
            place = f"{self.path.name}, {table}, after {number} rows"
            yield place, f"the table cannot be read further: {error}"

    def _number_of_rows(self, table: str, columns: Sequence[str]) -> str | None:
        """Name by which SQLite tells the number of a row of a table; None where it keeps none."""
        taken = {name.casefold() for name in columns}
        free = next((name for name in ("rowid", "_rowid_", "oid") if name not in taken), None)
        if free is None:
            return None
        try:
            self._connection.execute(f"SELECT {free} FROM {_quoted(table)} LIMIT 0")
        except Exception:  # noqa: BLE001 - a table WITHOUT ROWID; one that cannot be read is told when it is read
            return None
        return free


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


@contextmanager
def opened(path: Path) -> Generator[ForeignDatabase]:
    """A database that nothing is written to.

    Raises:
        InvalidInput: The file is none, or a store of this program.
    """
    import apsw  # noqa: PLC0415 - most importers read no database

    if not path.is_file():
        raise InvalidInput(f"there is no file {path}")
    with path.open("rb") as file:
        if file.read(16) != _MAGIC:
            raise InvalidInput(f"{path.name} is no SQLite database")
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error as error:
        raise InvalidInput(f"{path.name} cannot be opened: {error}") from error
    with closing(connection):
        try:
            connection.limit(apsw.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
            # A view or trigger of a foreign file must not reach anything else.
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            database = ForeignDatabase(path, connection)
        except Exception as error:
            raise InvalidInput(f"{path.name} cannot be read: {error}") from error
        # SQLite fills up a last page of which some is missing, and its rows are empty.
        if path.stat().st_size % database.page_bytes:
            raise InvalidInput(f"{path.name} is cut off in the middle of a page: is the file whole?")
        if "scope_key" in database.tables.get("memory_items", ()):
            raise InvalidInput(f"{path.name} is a store of Simonides; move it with export and import")
        yield database


def json_in(value: object) -> Any:
    """Value of a cell that holds JSON; the text itself where it is none."""
    if isinstance(value, str) and value[:1] in '[{"':
        with suppress(ValueError, RecursionError):
            return json.loads(value)
    return value


def words_in(value: object) -> list[str]:
    """Words of a cell: a JSON list, or separated by commas."""
    words = json_in(value)
    if isinstance(words, str):
        words = words.split(",")
    if not isinstance(words, list):
        return []
    return [word for one in cast("list[object]", words) if (word := str(one).strip())][:64]


def share_in(value: object) -> float | None:
    """A number of [0, 1]; None where a cell holds none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def rest_of(row: Row, used: Iterable[str]) -> dict[str, Any]:
    """Fields of a row without a place of their own, for the metadata; vectors and blobs are left out."""
    taken = set(used)
    return {
        name: json_in(value)
        for name, value in row.items()
        if name not in taken and value not in (None, "") and not isinstance(value, bytes)
    }


def first_of(row: Row, *names: str) -> Any:
    """The first of these columns that a row has a value in."""
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)
