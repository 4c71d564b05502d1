"""The part of apsw's connection that the store uses, with types that a checker can follow."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Protocol, cast

import apsw


class Cursor(Protocol):
    """Rows of a statement."""

    #: The only value, the only row, or None where there is no row.
    get: Any

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...
    def __next__(self) -> tuple[Any, ...]: ...
    def fetchall(self) -> list[tuple[Any, ...]]: ...
    def fetchone(self) -> tuple[Any, ...] | None: ...


class Connection(Protocol):
    """A connection, used by one thread at a time."""

    in_transaction: bool
    filename: str

    def execute(self, statements: str, bindings: Any = None) -> Cursor: ...
    def executemany(self, statements: str, sequenceofbindings: Iterable[Any]) -> Cursor: ...
    def pragma(self, name: str, value: Any = None) -> Any: ...
    def changes(self) -> int: ...
    def close(self) -> None: ...
    def readonly(self, name: str) -> bool: ...
    def backup(self, databasename: str, sourceconnection: Connection, sourcedatabasename: str) -> Any: ...
    def fts5_tokenizer(self, name: str, args: list[str]) -> Any: ...
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


def carray(values: Sequence[int] | tuple[str, ...] | tuple[bytes, ...]) -> object:
    """At least one value, bound as a table that a statement selects `value` from."""
    bound: Any = array("q", cast("Any", values)) if isinstance(values[0], int) else values
    return cast("Any", apsw).carray(bound)
