"""Putting a report into a file: whole or not at all, for its owner's eyes, and never over something else."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from simonides.errors import InvalidInput
from simonides.exports.placing import placed, require_file

#: How each report begins; a file that begins otherwise is not ours to replace.
MARK: Final = "<!DOCTYPE html>\n<!-- Simonides report -->\n"


def check(target: Path, *, force: bool) -> None:
    """Refuse a place where a report must not be written.

    Raises:
        InvalidInput: Its folder is not there, or what stands there is no file, or no report and `force` was not said.
    """
    require_file(target)
    if not target.parent.is_dir():
        raise InvalidInput(f"{target} cannot be written: name a file in a folder that exists")
    if target.exists() and not force:
        with target.open("rb") as stream:
            if stream.read(len(MARK)) != MARK.encode():
                raise InvalidInput(
                    f"{target} is no report; choose another name, or add --force to replace it"
                )


def replace(target: Path, text: str, store: Path | None = None, *, force: bool = False) -> None:
    """Write beside the target and put it in its place.

    Args:
        store: The file of the store that it tells of.

    Raises:
        InvalidInput: As of `check`, the folder cannot be written to, or the target belongs to a store.
        StoreFull: The disk is full.
    """
    with placed(target, store, partial(check, target, force=force)) as stream:
        stream.write(text)
