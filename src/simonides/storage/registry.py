"""From an address to its store: SQLite for a file, PostgreSQL for its URLs, what packages offer for other schemes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import Final

from simonides.domain.address import SQLITE, scheme_of
from simonides.errors import InvalidInput, InvalidSettings, NotInstalled
from simonides.plugins import Makers
from simonides.ports.store import Store
from simonides.ports.workers import DueStores
from simonides.storage.sqlite.store import SqliteStore
from simonides.values import dataclass

#: Packages offer stores of their own here: each entry point is a callable that takes a `StoreRequest` and returns a
#: `Store`; its name is the scheme of the URLs that it opens.
GROUP: Final = "simonides.stores"
_POSTGRES: Final = ("postgresql", "postgres")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreRequest:
    """A store that is to be opened, and made where there is none yet.

    Attributes:
        address: A path, or the URL of what is no file.
        synchronous: FULL: an answered write survives a power cut; NORMAL: the store stays whole, no more.
        read_only: Nothing is to be written.
        temporary: It goes when it is closed: no room on the disk is kept for it, and nothing waits for the disk.
        key: The owner's integrity key; a store that cannot keep one refuses it.
        cipher: The key of its pages, in hexadecimal; a store that cannot encrypt refuses it.
        tenant: Whose store it is, of several in one database; None for the one that the address names.
        compares: It compares vectors itself, if it can; else an index of the process does.
        holds: Where it compares them, an index of the process may do so that goes on searching few.
    """

    address: Path | str
    synchronous: str = "FULL"
    read_only: bool = False
    temporary: bool = False
    key: bytes | None = None
    cipher: str | None = field(default=None, repr=False)
    tenant: str | None = None
    compares: bool = False
    holds: bool = False


def open_store(request: StoreRequest) -> Store:
    """Open the store of an address.

    Raises:
        InvalidSettings: There is no store for its scheme.
        ProviderUnavailable: The package of its scheme cannot be imported.
        StoreError: It cannot be used.
    """
    return STORES.named(scheme_of(request.address))(request)


def _sqlite(request: StoreRequest) -> Store:
    if request.tenant is not None:
        raise InvalidInput("a file holds one store; a tenant is for a store in a database")
    return SqliteStore(
        Path(request.address),
        synchronous="OFF" if request.temporary else request.synchronous,
        read_only=request.read_only,
        reserve=not request.temporary,
        key=request.key,
        cipher=request.cipher,
    )


def migrate_database(url: str, *, role: str | None, tenants: Sequence[str]) -> int:
    """Prepare a database for this release; the version of its schema.

    Raises:
        InvalidInput: The address is not that of a database, or a name is none.
        NotInstalled: The package that speaks to it is missing.
        StoreError: The server cannot be used, is too old, or lacks pgvector.
    """
    if scheme_of(url) not in _POSTGRES:
        raise InvalidInput(
            f"{_file(url)}, which needs no migrating: it is brought up to date when it is opened"
        )
    with _extra():
        from simonides.storage.postgres.address import postgres_address  # noqa: PLC0415 - an extra
        from simonides.storage.postgres.migrate import migrate  # noqa: PLC0415
    address = postgres_address(url)
    return migrate(address.url, role=role, tenants=("default", address.tenant, *tenants))


def _file(address: str) -> str:
    return f"{address!r:.200} names an SQLite file, no database of a server"


def due_stores_of(url: str, lease_s: float) -> DueStores:
    """The tenants of a database that are due for upkeep.

    Raises:
        InvalidInput: The address is not that of a database, or names a tenant.
        NotInstalled: The package that speaks to it is missing.
        StoreError: The server cannot be used, or is not prepared.
    """
    if scheme_of(url) not in _POSTGRES:
        raise InvalidInput(
            f"{_file(url)}, which `simonides schedule` keeps up; this is for databases of a server"
        )
    with _extra():
        from simonides.storage.postgres.address import database_address  # noqa: PLC0415 - an extra
        from simonides.storage.postgres.due import DueTenants  # noqa: PLC0415
    return DueTenants(database_address(url), lease_s)


@contextmanager
def _extra() -> Generator[None]:
    try:
        yield
    except ImportError as error:
        raise NotInstalled.of(error.name or "psycopg", extra="postgres") from error


def _postgres(request: StoreRequest) -> Store:
    if request.key is not None or request.cipher is not None:
        raise InvalidSettings("keys are for a store that is a file; unset them for PostgreSQL")
    with _extra():
        from simonides.storage.postgres.address import postgres_address  # noqa: PLC0415 - an extra
        from simonides.storage.postgres.nearest import FEW  # noqa: PLC0415
        from simonides.storage.postgres.store import PostgresStore  # noqa: PLC0415
    address = postgres_address(str(request.address), request.tenant, durable=request.synchronous == "FULL")
    return PostgresStore(
        address,
        read_only=request.read_only,
        compares=FEW if request.compares else None,
        holds=request.holds,
    )


STORES: Final = Makers[Callable[[StoreRequest], Store]](
    "store", GROUP, {SQLITE: _sqlite} | dict.fromkeys(_POSTGRES, _postgres)
)
