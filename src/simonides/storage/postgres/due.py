"""Tenants that are due for upkeep, shared among workers by the database's own clock."""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import psycopg

from simonides.ports.workers import DueStore
from simonides.storage.postgres.errors import in_our_words
from simonides.storage.postgres.migrate import require_schema
from simonides.storage.postgres.pool import connected
from simonides.storage.postgres.statements import ours, query


class DueTenants:
    """Meets `ports.workers.DueStores`.

    Args:
        lease_s: How long a worker has what it took.
    """

    def __init__(self, url: str, lease_s: float) -> None:
        self._url = url
        self._lease_s = lease_s
        self._holder = f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex}"
        with self._asking() as connection:
            require_schema(connection, url)

    @contextmanager
    def _asking(self) -> Generator[psycopg.Connection[Any]]:
        # One for each question: a worker asks once in a while, and a server may have been started anew since.
        with in_our_words(self._url), connected(self._url) as made:
            yield made

    def _ask(self, name: str, tenant: int | None = None, **values: Any) -> tuple[Any, ...] | None:
        """What a statement answers, asked as a tenant or as nobody's: a tenant's rows are its own."""
        with self._asking() as connection, connection.transaction():
            if tenant is not None:
                connection.execute(ours(f"SET LOCAL simonides.tenant = '{tenant}'"))
            cursor = connection.execute(query(name).text, values | {"tenant": tenant})
            return cursor.fetchone() if cursor.description is not None else None

    def claim(self) -> DueStore | None:
        row = self._ask("claim_due", holder=self._holder, lease_s=self._lease_s)
        return None if row is None else DueStore(*row)

    def keep(self, claim: DueStore) -> bool:
        row = self._ask("keep_due", claim.tenant, holder=self._holder, lease_s=self._lease_s)
        return row is not None

    def leave(self, claim: DueStore, wait_s: float, *, failed: bool = False) -> None:
        self._ask("leave_due", claim.tenant, holder=self._holder, wait_s=wait_s, failed=failed)

    def wait_s(self) -> float | None:
        row = self._ask("wait_until_due")
        return None if row is None or row[0] is None else max(0.0, row[0])

    def clock(self) -> DatabaseClock:
        """The database's clock."""
        row = self._ask("time_of_day")
        assert row is not None
        return DatabaseClock(row[0])


class DatabaseClock:
    """The clock of the database: as it was asked once, and as time went by here since. Meets `ports.clock.Clock`."""

    def __init__(self, now: int) -> None:
        self._ahead = now - time.monotonic_ns() // 1000

    def now(self) -> int:
        """Microseconds since 1970 in UTC."""
        return time.monotonic_ns() // 1000 + self._ahead
