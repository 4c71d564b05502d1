"""Saving what can be read of a damaged store."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import apsw

from simonides.domain.link import Link
from simonides.domain.records import Revision
from simonides.errors import SimonidesError, StoreError
from simonides.ports.copying import Copied
from simonides.ports.store import Writer
from simonides.storage.sql.rows import item_of, row_hash
from simonides.storage.sql.runs import to_link
from simonides.storage.sqlite.backup import require_free
from simonides.storage.sqlite.connection import connect, in_our_words
from simonides.storage.sqlite.seals import require_key
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.store import SqliteStore
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The outcome of a salvage: items whole, items of which some states were lost, and what could not be saved."""

    items: int
    shortened: int
    lost: int
    links: int


def salvage(source: Path, target: Path, key: bytes | None = None, cipher: str | None = None) -> Salvaged:
    """Put every item of a damaged file that still agrees with its hashes into a new store.

    The damaged file is only read. An item is rebuilt from its revisions, up to the first that is
    unreadable or was changed. Vectors and names are left to `backfill`; usage and the audit log start anew.

    Raises:
        InvalidInput: There is a file at the target, or it belongs to a store.
        NotAStore, StoreDamaged: Not even the list of items can be read.
        WrongKey: The damaged file is under another key, or under none.
    """
    require_free(target, source)
    with in_our_words(source):
        damaged = connect(str(source), read_only=True, key=key, cipher=cipher)
        _know_key(damaged)
        try:
            store = SqliteStore(target, key=key, cipher=cipher)
            try:
                return _move(damaged, store)
            finally:
                store.close()
        except BaseException:  # It is there whole or not at all, and can be tried again.
            for ending in ("", "-wal", "-shm", ".reserve"):
                target.with_name(f"{target.name}{ending}").unlink(missing_ok=True)
            raise
        finally:
            damaged.close()


def _know_key(damaged: Connection) -> None:
    """See that the key is the file's; where it is missing, only the hashes without a key are compared."""
    try:
        require_key(damaged, blind=True)
    except apsw.Error:  # What names the key is lost, too.
        damaged.blind = damaged.key is None


def _move(damaged: Connection, store: SqliteStore) -> Salvaged:
    items = shortened = lost = 0
    for key in _keys(damaged):
        revisions, whole = _revisions(damaged, key)
        if not revisions:
            lost += 1
            continue
        try:
            store.write(
                partial(_take, copy=Copied(revisions=revisions, usage=revisions[-1].item, names=None))
            )
        except StoreError:  # It is the new store that fails, not the item: its disk is full, say.
            raise
        except SimonidesError:
            lost += 1
            continue
        items += 1
        shortened += not whole
    links = 0
    for link in _links(damaged):
        try:
            store.write(lambda tx, link=link: tx.link(link))
            links += 1
        except StoreError:
            raise
        except SimonidesError:
            continue  # An end of it was lost.
    return Salvaged(items, shortened, lost, links)


def _keys(damaged: Connection) -> list[int]:
    """Keys of the items: from the table, else from an index, else from the revisions."""
    for name in ("all_item_keys", "all_indexed_keys", "all_revised_keys"):
        try:
            return [row[0] for row in damaged.execute(statement(name))]
        except (apsw.CorruptError, apsw.IOError):
            continue
    raise apsw.CorruptError("no list of its items can be read")


def _revisions(damaged: Connection, key: int) -> tuple[list[Revision], bool]:
    """The states of an item that agree with their hashes, from the first on, and whether these are all."""
    revisions: list[Revision] = []
    try:
        broken = _broken(damaged, key)
        for number, at, reason, run_id, text, check in damaged.execute(
            statement("revisions_with_hashes"), {"item": key}
        ):
            if row_hash(text) != check or number in broken or number != len(revisions) + 1:
                return revisions, False
            revisions.append(Revision(number, item_of(text), at, reason, run_id))
    except (apsw.CorruptError, apsw.IOError, SimonidesError, UnicodeDecodeError):
        return revisions, False
    return revisions, True


def _broken(damaged: Connection, key: int) -> frozenset[int]:
    """The numbers of revisions of an item that are not as they were sealed."""
    try:
        rows = damaged.execute(statement("broken_revisions_of_item"), {"item": key}).fetchall()
    except apsw.SQLError:  # Of an earlier release, which sealed nothing.
        return frozenset()
    return frozenset(number for (number,) in rows)


def _links(damaged: Connection) -> Iterator[Link]:
    try:
        for row in damaged.execute(statement("every_link")):
            yield to_link(row)
    except (apsw.CorruptError, apsw.IOError, ValueError):
        return


def _take(tx: Writer, *, copy: Copied) -> None:
    (problem,) = tx.take_in([copy])
    if problem is not None:
        raise problem
