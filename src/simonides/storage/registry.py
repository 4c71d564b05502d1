"""From an address to its store: SQLite for a file, PostgreSQL for its URLs, what packages offer for other schemes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from simonides.domain.address import SQLITE, scheme_of
from simonides.errors import InvalidSettings, NotInstalled
from simonides.plugins import Makers
from simonides.ports.store import Store
from simonides.storage.sqlite.store import SqliteStore

#: Packages offer stores of their own here: each entry point is a callable that takes a `StoreRequest` and returns a
#: `Store`; its name is the scheme of the URLs that it opens.
GROUP: Final = "simonides.stores"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreRequest:
    """A store that is to be opened, and made where there is none yet.

    Attributes:
        address: A path, or the URL of what is no file.
        synchronous: FULL: an answered write survives a power cut; NORMAL: the store stays whole, no more.
        read_only: Nothing is to be written.
        temporary: It goes when it is closed: no room on the disk is kept for it.
        key: The owner's integrity key; a store that cannot keep one refuses it.
        cipher: The key of its pages, in hexadecimal; a store that cannot encrypt refuses it.
        tenant: Whose store it is, of several in one database.
        pool_size: Most connections to a database.
        pool_timeout_s: Seconds that somebody waits for one of them.
        lock_timeout_s: Seconds that a writer waits for another one of the tenant.
        prepare: Whether statements are prepared on the server.
    """

    address: Path | str
    synchronous: str = "FULL"
    read_only: bool = False
    temporary: bool = False
    key: bytes | None = None
    cipher: str | None = field(default=None, repr=False)
    tenant: str = "default"
    pool_size: int = 10
    pool_timeout_s: float = 30.0
    lock_timeout_s: float = 5.0
    prepare: bool = True


def open_store(request: StoreRequest) -> Store:
    """Open the store of an address.

    Raises:
        InvalidSettings: There is no store for its scheme.
        ProviderUnavailable: The package of its scheme cannot be imported.
        StoreError: It cannot be used.
    """
    return STORES.named(scheme_of(request.address))(request)


def _sqlite(request: StoreRequest) -> Store:
    return SqliteStore(
        Path(request.address),
        synchronous=request.synchronous,
        read_only=request.read_only,
        reserve=not request.temporary,
        key=request.key,
        cipher=request.cipher,
    )


def _postgres(request: StoreRequest) -> Store:
    if request.key is not None or request.cipher is not None:
        raise InvalidSettings("keys are for a store that is a file; unset them for PostgreSQL")
    try:
        from simonides.storage.postgres.store import PostgresAddress, PostgresStore  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NotInstalled.of(error.name or "psycopg", extra="postgres") from error
    address = PostgresAddress(
        url=str(request.address),
        tenant=request.tenant,
        pool_size=request.pool_size,
        pool_timeout_s=request.pool_timeout_s,
        lock_timeout_s=request.lock_timeout_s,
        prepare=request.prepare,
        durable=request.synchronous == "FULL",
    )
    return PostgresStore(address, read_only=request.read_only)


STORES: Final = Makers[Callable[[StoreRequest], Store]](
    "store", GROUP, {SQLITE: _sqlite, "postgresql": _postgres, "postgres": _postgres}
)
