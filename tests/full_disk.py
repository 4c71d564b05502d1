"""A disk of its own, for what happens on a full one."""

import os
import subprocess
from contextlib import contextmanager, suppress

import pytest

SIZE_MB = 24


@contextmanager
def mounted(place):
    """A folder on a small disk, where one can be made."""
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", place], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def fill(file):
    """Write into a file until nothing is free."""
    with file.open("ab") as stream, suppress(OSError):
        while True:
            os.write(stream.fileno(), bytes(4096))


@contextmanager
def filled_up(place):
    """Nothing is free meanwhile."""
    fill(place / "ballast")
    yield
    (place / "ballast").unlink()
