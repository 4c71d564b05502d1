"""Comparing the schema of a file with ours: what somebody else put there could change what is read or written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from simonides.errors import StoreDamaged
from simonides.storage.sqlite.connection import connect
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import schema, statement
from simonides.storage.sqlite.text_index import former

#: What may be missing: the text index is made anew by `rebuild_fts`, and searches go on without.
_INDEX: Final = re.compile(r"memory_items_(fts|terms)")


def require_ours(connection: Connection, path: Path) -> None:
    """See that the file holds our tables, indexes, views and triggers, as we made them, and no others.

    Raises:
        StoreDamaged: Something is not ours, was changed, or is missing; the message names it.
    """
    wanted, present = _ours(), _things(connection)
    _require_none_strange(present, path)
    for (kind, name), text in present.items():
        definition = wanted[kind, name]
        if text != definition and text != former(definition):
            raise StoreDamaged(
                f"the {kind} {name!r} of {path} is not as Simonides makes it; restore a backup, or save what is "
                "readable with `simonides doctor --salvage NEW.db`"
            )
    for kind, name in wanted.keys() - present.keys():
        if not _INDEX.match(name):
            raise StoreDamaged(
                f"the {kind} {name!r} of {path} is missing; restore a backup, or save what is readable with "
                "`simonides doctor --salvage NEW.db`"
            )


def require_no_strangers(connection: Connection, path: Path, kinds: frozenset[str] | None = None) -> None:
    """See that nothing of some kinds, or of any, is there that Simonides did not make.

    Raises:
        StoreDamaged: There is; the message names it.
    """
    _require_none_strange(_things(connection), path, kinds)


def _require_none_strange(
    present: Iterable[tuple[str, str]], path: Path, kinds: frozenset[str] | None = None
) -> None:
    ours = _ours()
    for kind, name in present:
        if (kind, name) not in ours and (kinds is None or kind in kinds):
            drop = f'DROP {kind.upper()} "{name}"'
            raise StoreDamaged(
                f"{path} holds a {kind} {name!r} that Simonides did not make and that could change what is read or "
                f"written. If it is yours, remove it ({drop}); otherwise salvage the memories with "
                "`simonides doctor --salvage NEW.db`"
            )


def _things(connection: Connection) -> dict[tuple[str, str], str]:
    """Tables, indexes, views and triggers of a file, but for SQLite's own, by kind and name."""
    rows = connection.execute(statement("things"))
    # A changed byte can make bytes of a text.
    return {
        (kind, name): _plain(str(text or ""))
        for kind, name, text in rows
        if not str(name).startswith("sqlite_")
    }


@cache
def _ours() -> dict[tuple[str, str], str]:
    with closing(connect(":memory:")) as empty:
        empty.execute(schema())
        return _things(empty)


@cache
def _plain(text: str) -> str:
    """A statement without what says nothing: ALTER TABLE leaves other blanks than CREATE TABLE."""
    return re.sub(r"\s+", "", re.sub(r"--[^\n]*", "", text)).replace('"', "").replace("'memory_", "memory_")
