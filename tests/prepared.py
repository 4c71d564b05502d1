"""Stores that were made before, and copied where a test begins with one."""

import shutil
from pathlib import Path

from simonides.reserve import RESERVE_BYTES


def copied(store, path):
    """A copy of a store, beside a reserve that takes no room: to take it is a sixth of what opening costs."""
    with path.with_name(f"{path.name}.reserve").open("xb") as reserve:
        reserve.truncate(RESERVE_BYTES)
    return Path(shutil.copyfile(store, path))
