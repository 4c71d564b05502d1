"""Reading an archive file that may be damaged: what cannot be read there is not there, and said once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, cast

from simonides.errors import NotAStore, StoreDamaged, StoreError, WrongKey
from simonides.storage.sqlite.connection import connect, in_our_words
from simonides.storage.sqlite.migrate import make_schema
from simonides.storage.sqlite.reader import SqliteReader
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.text import TextSearch

#: What says of a file that it is no good. A lock, an interruption or a bug of ours says nothing about it.
LOSING: Final = (StoreDamaged, NotAStore, WrongKey)


class MovedReader(SqliteReader):
    """Reads an archive file. What is damaged is answered as an empty file would, from then on.

    Args:
        lose: Told why, when something first cannot be read.
    """

    def __init__(
        self, connection: Connection, text: TextSearch, path: Path, lose: Callable[[StoreError], None]
    ) -> None:
        super().__init__(connection, text)
        self._path = path
        self._lose = lose
        self._empty: SqliteReader | None = None

    def or_empty(self, name: str, read: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """The answer of a method; where the file is damaged, its answer of an empty one."""
        if self._empty is None:
            try:
                with in_our_words(self._path):
                    return read(self, *args, **named)
            except LOSING as error:
                self._lose(error)
            self._empty = _empty()
        return getattr(self._empty, name)(*args, **named)


def _empty() -> SqliteReader:
    connection = connect(":memory:")
    make_schema(connection)
    return SqliteReader(connection, TextSearch())


def _forgiving(name: str, read: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(read)
    def method(self: MovedReader, *args: Any, **named: Any) -> Any:
        return self.or_empty(name, read, *args, **named)

    return method


for _name in dir(SqliteReader):
    if not _name.startswith("_") and callable(_read := getattr(SqliteReader, _name)):
        setattr(MovedReader, _name, _forgiving(_name, cast("Callable[..., Any]", _read)))
