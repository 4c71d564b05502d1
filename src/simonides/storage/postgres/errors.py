"""PostgreSQL's errors in our own words, each with what to do about it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout

from simonides.domain.address import shown
from simonides.errors import (
    Conflict,
    InvalidInput,
    InvalidText,
    NewerSchema,
    NotAStore,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
)

#: What may not be there twice, by the constraint that says so.
TWICE: Final = {
    "memory_items_tenant_id_key": "an item with this id is there already",
    "memory_items_content": "another item of the scope says the same",
    "memory_items_turn_id": "the session holds this turn already",
    "memory_items_turn": "the session holds this turn already",
}
#: Of a connection that the server has answered, and refused.
_REFUSED: Final = "failed: FATAL: "


def conflict_of(error: errors.IntegrityError) -> Conflict:
    """The conflict that a broken rule of the schema is."""
    name = error.diag.constraint_name or ""
    why = TWICE.get(name) or f"the store does not take it ({error.diag.message_primary or name})"
    return Conflict(f"{why}; nothing was written")


@contextmanager
def in_our_words(url: str) -> Generator[None]:
    """Turn PostgreSQL's errors into ours."""
    try:
        yield
    except (psycopg.Error, PoolTimeout, PoolClosed, UnicodeEncodeError) as error:
        raise _in_our_words(error, shown(url)) from error


def _in_our_words(error: Exception, where: str) -> Exception:
    """The error of ours that stands for one of psycopg's."""
    why = str(error).strip().partition("\n")[0]
    match error:
        case PoolClosed():
            return StoreClosed()
        case PoolTimeout():
            return StoreLocked(
                f"every connection of this process to {where} was in use ({why}); try again, or raise pool_size in the "
                "address"
            )
        case UnicodeEncodeError():
            return InvalidText(f"the text cannot be stored ({why})")
        case errors.LockNotAvailable() | errors.DeadlockDetected() | errors.SerializationFailure():
            return StoreLocked(
                f"another writer kept the tenant locked for too long at {where}; try again ({why})"
            )
        case errors.QueryCanceled():
            return StoreLocked(f"a statement at {where} took too long and was stopped ({why}); try again")
        case errors.DiskFull() | errors.OutOfMemory():
            return StoreFull(
                f"the server at {where} has no room left ({why}); make some, what did not fit was not kept"
            )
        case errors.ReadOnlySqlTransaction():
            return StoreReadOnly(
                f"the server at {where} takes no writes ({why}); it may be a standby: name the primary"
            )
        case (
            errors.UndefinedTable()
            | errors.UndefinedFunction()
            | errors.UndefinedColumn()
            | errors.InvalidSchemaName()
        ):
            return NotAStore(
                f"the database at {where} has not been prepared for this release ({why}); run `simonides migrate "
                "--db URL` as the owner"
            )
        case errors.InsufficientPrivilege():
            return StoreReadOnly(
                f"the role has no rights at {where} ({why}); run `simonides migrate --role NAME --db URL` as the "
                "owner, which grants them"
            )
        case errors.DataCorrupted() | errors.IndexCorrupted():
            return StoreDamaged(f"the server at {where} finds damage ({why}); restore a backup")
        case (
            errors.ProgramLimitExceeded()
            | errors.UntranslatableCharacter()
            | errors.CharacterNotInRepertoire()
        ):
            return InvalidInput(f"a value cannot be stored ({why}); shorten it")
        case errors.IntegrityError():
            return conflict_of(error)
        case psycopg.OperationalError() if _REFUSED in why:
            return StoreError(
                f"{where} lets nobody in by this address ({why}); see to its database, role and password, or try again"
            )
        case _ if isinstance(error, psycopg.OperationalError) or _ended(error):
            return StoreError(
                f"{where} cannot be reached or broke off ({why}); check that the server runs, and try again"
            )
        case _:
            return StoreError(f"{where} could not be read or written ({why}); run `simonides doctor`")


def _ended(error: Exception) -> bool:
    """True if the server ended the connection with it, whatever class it is of."""
    return isinstance(error, psycopg.Error) and error.diag.severity_nonlocalized in {"FATAL", "PANIC"}


def newer(where: str, found: int, known: int) -> NewerSchema:
    """The error of a database of a later release."""
    return NewerSchema(
        f"{where} has schema {found}, this release knows {known}; upgrade Simonides to open it"
    )
