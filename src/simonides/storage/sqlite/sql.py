"""The part of apsw's connection that the store uses, with types that a checker can follow."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable
from types import TracebackType
from typing import Any, Protocol, cast

import apsw

from simonides.storage.sql.database import Cursor


class Connection(Protocol):
    """A connection, used by one thread at a time."""

    in_transaction: bool
    filename: str
    key: bytes | None
    cipher: str | None
    blind: bool

    def execute(self, statements: str, bindings: Any = None) -> Cursor: ...
    def executemany(self, statements: str, sequenceofbindings: Iterable[Any]) -> Cursor: ...
    def pragma(self, name: str, value: Any = None) -> Any: ...
    def changes(self) -> int: ...
    def note_writes(self) -> None: ...
    def add(self, name: str, rows: Iterable[tuple[Any, ...]]) -> Cursor: ...
    def commit(self) -> None: ...
    def close(self) -> None: ...
    def readonly(self, name: str) -> bool: ...
    def backup(self, databasename: str, sourceconnection: Connection, sourcedatabasename: str) -> Any: ...
    def fts5_tokenizer(self, name: str, args: list[str]) -> Any: ...
    def config(self, option: int, *values: Any) -> Any: ...
    def set_exec_trace(self, tracer: Callable[..., bool] | None, /) -> None: ...
    def set_progress_handler(self, handler: Callable[[], bool] | None, nsteps: int, /) -> None: ...
    def set_busy_handler(self, handler: Callable[[int], bool] | None, /) -> None: ...
    def create_scalar_function(
        self,
        name: str,
        function: Any,
        numargs: int,
        /,
        *,
        deterministic: bool,
        flags: int,
    ) -> None: ...
    def __enter__(self) -> Connection: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> bool | None: ...


def table(values: Collection[Any]) -> object:
    """Values of one type, bound as a table that a statement selects `value` from; of none, one that nothing is."""
    first = next(iter(values), 0)
    if isinstance(first, int):
        bound: Any = array("q", values or (0,))
    else:
        bound = tuple(values) if isinstance(first, bytes) else tuple(sorted(map(str, values)))
    return cast("Any", apsw).carray(bound)
