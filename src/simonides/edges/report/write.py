"""Putting a report into a file: whole or not at all, for its owner's eyes, and never over something else."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from simonides.errors import InvalidInput

#: How each report begins; a file that begins otherwise is not ours to replace.
MARK: Final = "<!DOCTYPE html>\n<!-- Simonides report -->\n"


def check(target: Path, *, force: bool) -> None:
    """Refuse a place where a report must not be written.

    Raises:
        InvalidInput: Its folder is not there, or what stands there is no report, and `force` was not said.
    """
    if target.is_dir() or not target.parent.is_dir():
        raise InvalidInput(f"{target} cannot be written: name a file in a folder that exists")
    if target.exists() and not force:
        with target.open("rb") as stream:
            if stream.read(len(MARK)) != MARK.encode():
                raise InvalidInput(
                    f"{target} is no report; choose another name, or add --force to replace it"
                )


def replace(target: Path, text: str) -> None:
    """Write beside the target and rename.

    Raises:
        InvalidInput: The folder cannot be written to.
    """
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".partial")
    except OSError as error:
        raise InvalidInput(f"{target} cannot be written: {error.strerror or error}") from error
    partial = Path(name)  # Made for its owner alone.
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        partial.replace(target)
    except OSError as error:
        raise InvalidInput(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)
