"""Stores of a database that are due for upkeep, shared among workers."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from simonides.ports.clock import Clock


class DueStore(NamedTuple):
    """A tenant that a worker has taken.

    Attributes:
        tries: How often it was taken since it was last left well.
    """

    tenant: int
    name: str
    tries: int


class DueStores(Protocol):
    """Takes tenants that are due, one at a time.

    Whoever takes one has it for so long, and longer where it says so in time; when its process ends, another takes the
    tenant once that time is over.
    """

    def claim(self) -> DueStore | None:
        """Take the tenant that has waited longest; None where none is due."""
        ...

    def keep(self, claim: DueStore) -> bool:
        """Have it for longer; False if somebody else has taken it over."""
        ...

    def leave(self, claim: DueStore, wait_s: float, *, failed: bool = False) -> None:
        """Let others have it, once it is due again."""
        ...

    def wait_s(self) -> float | None:
        """Seconds until one is due; None where there are no tenants."""
        ...

    def clock(self) -> Clock:
        """The clock that all workers share."""
        ...
