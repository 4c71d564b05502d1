"""Commands that a text tells a person to run, with the store that they are meant for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_COMMAND: Final = re.compile(r"`simonides ([^`\n]+)`")


def for_store(text: str, options: Sequence[str]) -> str:
    """The text, each of whose commands in backquotes names the store, where it names none yet.

    Args:
        options: Those that name it; none for the one that commands use by themselves.
    """
    named = shlex.join(options)
    if not named:
        return text
    return _COMMAND.sub(lambda one: one[0] if "--db" in one[1] else f"`simonides {one[1]} {named}`", text)


def store_options(path: Path | None, usual: object) -> list[str]:
    """Options that name a file wherever a command is run; none for the usual store, and for one that is no file."""
    return [] if path is None or path == usual else ["--db", str(path.absolute())]
