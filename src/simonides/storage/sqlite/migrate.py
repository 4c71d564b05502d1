"""New stores, and stores of earlier releases."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from simonides.errors import NewerSchema, NotAStore
from simonides.storage.sqlite.audit import start_chain
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import schema, statement

#: Marks the file as ours (`PRAGMA application_id`): "Smnd".
APPLICATION_ID: Final = 0x536D6E64
#: Version of `schema.sql`. A change of the schema raises it and brings a migration to it.
SCHEMA_VERSION: Final = 1


def bring_up_to_date(connection: Connection, path: Path) -> None:
    """Make the schema in an empty file; check that any other file is a store that this release knows.

    Raises:
        NotAStore: The file holds another program's database.
        NewerSchema: A later release wrote it.
    """
    mark, content = _found(connection)
    if mark == APPLICATION_ID:
        _check_version(connection, path)
        return
    if mark or content:
        raise NotAStore(f"{path} is another program's database; choose another path, it was left as it is")
    connection.pragma("journal_mode", "wal")
    with connection:
        # Another process may have made it while this one waited for the lock.
        connection.execute("CREATE TABLE IF NOT EXISTS making (x); DROP TABLE making")
        if connection.pragma("application_id") != APPLICATION_ID:
            make_schema(connection)
    _check_version(connection, path)


def _found(connection: Connection) -> tuple[int, int]:
    """Whose mark the file bears and how many things it holds, in one view: another starter may be making it."""
    connection.execute("BEGIN")
    try:
        return connection.pragma("application_id"), connection.execute(
            "SELECT count(*) FROM sqlite_schema"
        ).get
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def make_schema(connection: Connection) -> None:
    """Everything that a new store holds; the caller brings the transaction."""
    connection.execute(schema())
    start_chain(connection)
    connection.execute(statement("put_fact"), {"name": "epoch", "value": secrets.token_hex(8)})
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", SCHEMA_VERSION)


def _check_version(connection: Connection, path: Path) -> None:
    version = connection.pragma("user_version")
    if version > SCHEMA_VERSION:
        raise NewerSchema(
            f"{path} has schema {version}, this release knows {SCHEMA_VERSION}; upgrade Simonides to open it"
        )
