"""Forms of one word in the text index, where its tokenizer knows none: Russian endings, full-width letters.

The index holds words as they were written, folded, and English ones without endings. What it does not fold is
folded when it is asked instead: so a store of any age is found in, and a better fold needs no rebuilding.
"""

from __future__ import annotations

from typing import Final

from simonides.storage.sqlite.index_tokens import folded_token
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement

#: Most forms of a word that are looked for; a Russian one has a dozen.
MOST_FORMS: Final = 24
#: Words of the index that begin like one, and are compared with it.
_MOST_COMPARED: Final = 2_000
_CYRILLIC: Final = ("\u0400", "\u04ff")
_WIDE: Final = ("\uff10", "\uff5a")
_LAST: Final = "\U0010ffff"


def forms_of(connection: Connection, fold: str, *, wide: bool) -> list[str]:
    """The words of the index that a folded token stands for, most held first; at most `MOST_FORMS`.

    Args:
        wide: Whether the index holds full-width letters at all.
    """
    if not fold:
        return []
    if _CYRILLIC[0] <= fold[0] <= _CYRILLIC[1]:
        spelt = [fold, *(f"{fold[:n]}ё{fold[n + 1 :]}" for n, letter in enumerate(fold) if letter == "е")]
        rows = [row for beginning in spelt for row in _between(connection, beginning, beginning + _LAST)]
    elif wide and fold.isascii():
        first = chr(ord(fold[0]) + 0xFEE0)
        rows = [(fold, 1), *_between(connection, first, first + _LAST)]
    else:
        return [fold]
    return [term for term, _ in rows if folded_token(term) == fold][:MOST_FORMS]


def holds_wide(connection: Connection) -> bool:
    """True if any word of the index is written in full-width letters."""
    return bool(_between(connection, _WIDE[0], _WIDE[1] + _LAST, 1))


def _between(
    connection: Connection, first: str, last: str, most: int = _MOST_COMPARED
) -> list[tuple[str, int]]:
    values = {"first": first, "last": last, "limit": most}
    found: list[tuple[str, int]] = connection.execute(statement("terms_between"), values).fetchall()
    return sorted(found, key=lambda row: (-row[1], row[0]))
