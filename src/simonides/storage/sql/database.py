"""A database that speaks SQL, as far as reading and writing rows needs one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from simonides.domain.scope import Scope
from simonides.domain.selection import Selection


class Cursor(Protocol):
    """Rows of a statement."""

    #: The only value, the only row, or None where there is no row.
    get: Any

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...
    def __next__(self) -> tuple[Any, ...]: ...
    def fetchall(self) -> list[tuple[Any, ...]]: ...
    def fetchone(self) -> tuple[Any, ...] | None: ...


class Database(Protocol):
    """Named statements, run by one thread at a time; the caller holds the transaction.

    The names, their values and the order of their columns are one for all databases. How a statement is worded, and
    how a selection becomes conditions of it, is each database's own.
    """

    @property
    def key(self) -> bytes | None:
        """The key of the owner that rows and log are under; None for none."""
        ...

    def execute(self, name: str, values: Any = None, /, *conditions: str) -> Cursor:
        """Run a statement.

        Args:
            values: By name, or a row. Named collections of one type are bound as tables of one column, `value`.
            conditions: What the rows meet besides, in the statement's place for them.
        """
        ...

    def look(self, name: str, values: Any = None, /, *conditions: str) -> None:
        """Say what `execute` will be asked next: a server that is far away answers several of these in one go."""
        ...

    def rows(self, name: str, /, **values: Any) -> Cursor:
        """The rows of a statement."""
        ...

    def value(self, name: str, /, **values: Any) -> Any:
        """The only value, the only row, or None where a statement finds nothing."""
        ...

    def executemany(self, name: str, rows: Iterable[Any], /) -> object:
        """Run a statement for each row."""
        ...

    def count(self, name: str, values: Any = None, /) -> Callable[[], int]:
        """Run a statement; what gives the number of rows that it wrote, once nothing else need be waited for."""
        ...

    def changes(self) -> int:
        """The number of rows that the last statement wrote."""
        ...

    def conditions(
        self, selection: Selection, scope_keys: Callable[[Sequence[Scope]], list[int]]
    ) -> tuple[list[str], dict[str, Any]]:
        """Conditions on items `i`, and their values."""
        ...

    def among(self, column: str, values: str) -> str:
        """The condition that a column is one of the values of this name."""
        ...

    def fragment(self, name: str) -> str:
        """A named condition, for `execute`."""
        ...

    def conflicts(self) -> AbstractContextManager[None]:
        """A block in which what may be there once, and is there already, is a `Conflict`."""
        ...

    def version(self) -> object:
        """A mark that another one's writes change."""
        ...
