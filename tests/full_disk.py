"""Disks of their own, for what happens on a full one: a mounted one, and one that needs no rights to be made.

And stores that find no room from some write on.
"""

import os
import shutil
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest

from simonides.errors import StoreFull

SIZE_MB = 24
PAGE = 4096
#: Ways to have a small disk. The counted one bounds what SQLite writes, and tells its own free room; what else is
#: written into its folder counts, but is not refused.
DISKS = ("mounted", "counted")
#: What SQLite takes for the index of a log.
_INDEX_BYTES = 32768
#: Those that are counted now.
_COUNTED = []


@contextmanager
def small(place, kind):
    """A folder on a small disk."""
    place.mkdir()
    with _mounted(place) if kind == "mounted" else _counted(place):
        yield place


@contextmanager
def _mounted(place):
    """A disk in memory, where one can be mounted."""
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", place], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@contextmanager
def _counted(place):
    """A disk for SQLite alone: its default layer to the system counts what stands in a folder."""
    before = apsw.vfs_names()[0]
    disk = _CountedDisk(place, before)
    _COUNTED.append(disk)
    with pytest.MonkeyPatch.context() as patched:
        usage = shutil.disk_usage
        patched.setattr(
            shutil, "disk_usage", lambda path: disk.usage() if disk.holds(str(path)) else usage(path)
        )
        try:
            yield
        finally:
            _COUNTED.remove(disk)
            apsw.set_default_vfs(before)
            # Connections that are open still use it: it stays, and bounds nothing any more.
            disk.is_over = True


@contextmanager
def full_from(store, number):
    """Let a store find no room from a write of a number on, counted from 1; a list of one: how many were tried."""
    tried = [0]

    def counted(does):
        def write(*given):
            tried[0] += 1
            if tried[0] >= number:
                raise StoreFull("no space left; free some")
            return does(*given)

        return write

    with pytest.MonkeyPatch.context() as patched:
        for name in ("write", "write_together"):
            patched.setattr(store, name, counted(getattr(store, name)))
        yield tried


class _CountedDisk(apsw.VFS):
    """SQLite's way to files, with as much room for those of a folder as a small disk has."""

    def __init__(self, place, base):
        self._place = str(place)
        self._base = base
        self.is_over = False
        super().__init__(f"counted-{place}", base, makedefault=True)

    def holds(self, path):
        return path == self._place or path.startswith(f"{self._place}{os.sep}")

    def usage(self):
        used = PAGE * sum(map(_pages, Path(self._place).rglob("*")))
        return SimpleNamespace(total=SIZE_MB << 20, used=used, free=max(0, (SIZE_MB << 20) - used))

    def free(self):
        return self.usage().free

    def xOpen(self, name, flags):
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is None or self.is_over or not self.holds(path):
            return super().xOpen(name, flags)
        is_store = flags[0] & apsw.SQLITE_OPEN_MAIN_DB and _pages(Path(path))
        if is_store and not Path(f"{path}-shm").exists() and self.free() < _INDEX_BYTES:
            raise apsw.CantOpenError("no room for the index of the log")
        return _CountedFile(self, self._base, name, flags, path)


class _CountedFile(apsw.VFSFile):
    """A file on it."""

    def __init__(self, disk, base, name, flags, path):
        self._disk = disk
        self._path = Path(path)
        super().__init__(base, name, flags)

    def xWrite(self, data, offset):
        grows = -(-(offset + len(data)) // PAGE) - _pages(self._path)
        if grows > 0 and not self._disk.is_over and grows * PAGE > self._disk.free():
            raise apsw.FullError("database or disk is full")
        super().xWrite(data, offset)


def _pages(path):
    """Pages that a file takes; none of a folder, or of a file that is gone."""
    with suppress(FileNotFoundError):
        if path.is_file():
            return -(-path.stat().st_size // PAGE)
    return 0


def fill(file):
    """Write into a file until nothing is free."""
    disk = next((one for one in _COUNTED if one.holds(str(file))), None)
    with file.open("ab") as stream:
        if disk is not None:
            os.truncate(stream.fileno(), _pages(file) * PAGE + disk.free())
        # What the one leaves is filled by the other.
        for piece in (bytes(1 << 20), bytes(PAGE)):
            with suppress(OSError):
                while disk is None:
                    os.write(stream.fileno(), piece)


@contextmanager
def filled_up(place):
    """Nothing is free meanwhile."""
    fill(place / "ballast")
    yield
    (place / "ballast").unlink()
