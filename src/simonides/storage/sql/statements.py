"""Named statements in `.sql` files: those of every database beside this module, one's own wordings beside its own.

The shared ones are written as PostgreSQL takes them, each row with its tenant; SQLite rewords them. A comment such as
`/*INDEXED BY memory_items_pinned*/` is a hint that SQLite alone reads.
"""

from __future__ import annotations

import re
from importlib import resources
from typing import Final

_NAME: Final = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def named(package: str) -> dict[str, str]:
    """The statements of a package by name. A name stands on a line `-- name: …` above its statement."""
    texts: dict[str, str] = {}
    folder = resources.files(package) / "statements"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".sql"):
            pieces = _NAME.split(file.read_text("utf-8"))
            texts.update(zip(pieces[1::2], (piece.strip() for piece in pieces[2::2]), strict=True))
    return texts


def shared() -> dict[str, str]:
    """The statements of every database by name."""
    return named("simonides.storage.sql")
