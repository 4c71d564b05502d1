"""The text index of a file: its tokenizer, and how one of a former release is made anew.

FTS5 cuts texts and questions with `language.search_tokens`, whose version the index has in its definition.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import apsw

from simonides.language.search_tokens import VERSION, tokens_of
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import schema, statement

#: Before a token that a question gives as it stands in the index.
AS_IT_IS: Final = "\x1f"
#: What cut the words of earlier releases: such an index is read, and written, until it is made anew.
_FORMER: Final = "porter unicode61 remove_diacritics 2"
_PRESENT: Final = f"simonides {VERSION}"
#: An index of so many items is made anew when the store is opened, which takes about a second.
_AT_ONCE: Final = 20_000


def add_tokenizer(connection: Any) -> None:
    """Let a connection use text indexes."""
    connection.register_fts5_tokenizer("simonides", _tokenizer)


def _tokenizer(_: object, arguments: list[str]) -> Callable[[bytes, int, str | None], list[str]]:
    if arguments != [str(VERSION)]:
        raise ValueError(f"a text index of version {arguments} was made by another release")
    return _cut


def _cut(text: bytes, why: int, _: str | None) -> list[str]:
    written = text.decode("utf-8", "replace")
    if why & apsw.FTS5_TOKENIZE_QUERY and written.startswith(AS_IT_IS):
        return [written.removeprefix(AS_IT_IS).removesuffix(AS_IT_IS)]
    return tokens_of(written) if written else []


def former(definition: str) -> str:
    """The definition of a text index as earlier releases made it."""
    return definition.replace(_PRESENT.replace(" ", ""), _FORMER.replace(" ", ""))


def is_former(connection: Connection) -> bool:
    """True if the text index is one of an earlier release."""
    definition = connection.execute(statement("definition_of_text_index")).get
    return definition is not None and _PRESENT not in definition


def text_index_schema() -> str:
    """The part of the schema that makes the text index, where it is missing."""
    tables = re.findall(r"^CREATE VIRTUAL TABLE .*?;$", schema(), re.MULTILINE | re.DOTALL)
    return "\n".join(table.replace("TABLE", "TABLE IF NOT EXISTS", 1) for table in tables)


def make_anew(connection: Connection) -> None:
    """Make the text index from the items; the caller brings the transaction."""
    if is_former(connection):
        connection.execute(statement("drop_text_index"))
    connection.execute(text_index_schema())
    connection.execute(statement("rebuild_text_index"))


def bring_up_to_date(connection: Connection) -> None:
    """Make a small index of an earlier release anew. A large one stays until upkeep, or `rebuild_fts`."""
    if (
        not is_former(connection)
        or connection.execute(statement("state_of_text")).fetchall()[0][0] > _AT_ONCE
    ):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if is_former(connection):  # Another process may have done it while this one waited for the lock.
            make_anew(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
