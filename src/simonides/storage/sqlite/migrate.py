"""New stores, and stores of earlier releases."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Mapping
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Final

from simonides.errors import NewerSchema, NotAStore, StoreReadOnly
from simonides.storage.sql.audit import start_chain
from simonides.storage.sqlite import text_index
from simonides.storage.sqlite.backup import copy
from simonides.storage.sqlite.connection import connect, waiting_long
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.ours import require_no_strangers, require_ours
from simonides.storage.sqlite.seals import put_key, require_key, seal_all
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import schema, statement

#: Marks the file as ours (`PRAGMA application_id`): "Smnd".
APPLICATION_ID: Final = 0x536D6E64
#: Version of `schema.sql`. A change of the schema raises it and adds `migrations/<version>.sql`, which
#: leads there from the version before.
SCHEMA_VERSION: Final = 7


def bring_up_to_date(
    connection: Connection,
    path: Path,
    *,
    version: int = SCHEMA_VERSION,
    migrations: Mapping[int, str] | None = None,
) -> None:
    """Make the schema in an empty file, or bring a store of an earlier release to this one's.

    A migration runs in one transaction, in which a copy of the file is put beside it first: killed at any
    point it has not happened, and of two starters one waits and finds it done. Where it fails, the copy goes.

    Args:
        version, migrations: This release's, unless a test says otherwise.

    Raises:
        NotAStore: The file holds another program's database.
        NewerSchema: A later release wrote it.
        StoreReadOnly: It would have to be migrated, and must not change.
        WrongKey: It and the key of the connection do not go together.
    """
    mark, content = _mark_and_size(connection)
    if mark == APPLICATION_ID:
        require_key(connection, blind=connection.readonly("main"))
        if connection.pragma("journal_mode") != "wal" and not connection.readonly("main"):
            connection.pragma("journal_mode", "wal")  # A backup is one file without a log until it is opened.
        _migrate(connection, path, version, migrations)
        if version == SCHEMA_VERSION:
            require_ours(connection, path)
            if not connection.readonly("main"):
                with waiting_long(connection):
                    text_index.bring_up_to_date(connection)
        return
    if mark or content:
        raise NotAStore(f"{path} is another program's database; choose another path, it was left as it is")
    connection.pragma("journal_mode", "wal")
    with connection:
        # Another process may have made it while this one waited for the lock.
        connection.execute("CREATE TABLE IF NOT EXISTS making (x); DROP TABLE making")
        if connection.pragma("application_id") != APPLICATION_ID:
            make_schema(connection)


def _mark_and_size(connection: Connection) -> tuple[int, int]:
    """Mark of the file and number of things in it, in one view: another starter may be making it."""
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
    start_chain(SqliteDatabase(connection))
    if connection.key is not None:
        put_key(connection, 1)
    connection.execute(statement("put_fact"), {"name": "epoch", "value": secrets.token_hex(8)})
    seal_all(connection)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", SCHEMA_VERSION)


def shipped_migrations() -> dict[int, str]:
    """The migrations of this release by the version that each leads to."""
    folder = resources.files("simonides.storage.sqlite") / "migrations"
    if not folder.is_dir():
        return {}
    files = (file for file in folder.iterdir() if file.name.endswith(".sql"))
    return {int(file.name.partition("_")[0].removesuffix(".sql")): file.read_text("utf-8") for file in files}


def _migrate(connection: Connection, path: Path, version: int, migrations: Mapping[int, str] | None) -> None:
    held: int = connection.pragma("user_version")
    if held > version:
        raise NewerSchema(
            f"{path} has schema {held}, this release knows {version}; upgrade Simonides to open it"
        )
    if held == version:
        return
    if connection.readonly("main"):
        raise StoreReadOnly(
            f"{path} has schema {held}, this release reads {version}; open it for writing once, which migrates it"
        )
    migrations = shipped_migrations() if migrations is None else migrations
    # What a stranger's trigger would do meanwhile, nobody knows.
    require_no_strangers(connection, path, frozenset({"trigger", "view"}))
    with waiting_long(connection):
        connection.execute("BEGIN IMMEDIATE")
    made: Path | None = None
    try:
        # Another process may have done it while this one waited for the lock.
        if (held := connection.pragma("user_version")) < version:
            made = _copied(connection, path, held)
        for step in range(held + 1, version + 1):
            connection.execute(migrations[step])
            connection.pragma("user_version", step)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        # Tried again and again, on a full disk say, it would leave a copy of the same file each time.
        if made is not None and connection.pragma("user_version") == held:
            made.unlink(missing_ok=True)


def _copied(connection: Connection, path: Path, version: int) -> Path:
    """Copy a store as it stands, while the connection holds it for writing: by another, which SQLite demands."""
    free = _copy_name(path, version)
    with closing(connect(str(path), read_only=True, key=connection.key, cipher=connection.cipher)) as reading:
        copy(reading, free, None)
    return free


def _copy_name(path: Path, version: int) -> Path:
    """A name beside the store that is not taken yet."""
    for number in itertools.count():
        name = path.with_name(f"{path.name}.v{version}{f'.{number}' if number else ''}.backup")
        if not name.exists():
            return name
    raise AssertionError
