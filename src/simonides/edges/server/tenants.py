"""Tenants: the memories that one server answers from, its own and those that keys name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import field
from typing import Final

from simonides import Memory, StoreError
from simonides.values import dataclass

#: Memories of tenants that stay open while nobody asks them.
_MOST: Final = 32


@dataclass(slots=True)
class _Opened:
    """A memory, how many requests work on it, and the lock of whoever opens it."""

    opening: threading.Lock = field(default_factory=threading.Lock)
    memory: Memory | None = None
    users: int = 0


class Tenants:
    """Memories by tenant, opened when the first request comes. Safe to use from several threads.

    Args:
        own: Of whoever names no tenant; stays the caller's.
        opens: Opens the memory of a tenant; None where the store has no tenants.
        most: How many stay open; the least used is closed first, and none that a request works on.
    """

    def __init__(self, own: Memory, opens: Callable[[str], Memory] | None = None, most: int = _MOST) -> None:
        self.own = own
        self._opens = opens
        self._most = most
        self._lock = threading.Lock()
        #: The last used last.
        self._opened: dict[str, _Opened] = {}

    def take(self, tenant: str) -> Memory:
        """The memory of a tenant, which stays open until it is given back.

        Raises:
            SimonidesError: It cannot be opened.
        """
        if self._opens is None:
            raise StoreError(f"this key is for the tenant {tenant!r}, and this server's store has no tenants")
        with self._lock:
            one = self._opened[tenant] = self._opened.pop(tenant, None) or _Opened()
            one.users += 1
            surplus = self._surplus()
        for memory in surplus:
            memory.close()
        try:
            with one.opening:
                if one.memory is None:
                    one.memory = self._opens(tenant)
                return one.memory
        except BaseException:
            self.give_back(tenant)
            raise

    def give_back(self, tenant: str) -> None:
        """Work on the memory of a tenant no more."""
        with self._lock:
            one = self._opened[tenant]
            one.users -= 1
            if one.memory is None and not one.users:
                del self._opened[tenant]

    @contextmanager
    def held(self, tenant: str | None) -> Generator[Memory]:
        """The memory of a tenant, open meanwhile; the server's own for None."""
        if tenant is None:
            yield self.own
            return
        memory = self.take(tenant)
        try:
            yield memory
        finally:
            self.give_back(tenant)

    def close(self) -> None:
        """Close what was opened."""
        with self._lock:
            opened, self._opened = list(self._opened.values()), {}
        for one in opened:
            if one.memory is not None:
                one.memory.close()

    def _surplus(self) -> list[Memory]:
        """Take out the least used memories, above as many as may stay open."""
        surplus: list[Memory] = []
        for tenant, one in list(self._opened.items()):
            if len(self._opened) <= self._most:
                break
            if one.memory is not None and not one.users:
                del self._opened[tenant]
                surplus.append(one.memory)
        return surplus
