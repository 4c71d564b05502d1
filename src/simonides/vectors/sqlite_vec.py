"""The engine of the SQLite extension `sqlite-vec` (extra `sqlite-vec`), loaded when it is first used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from simonides.errors import NotInstalled
from simonides.vectors.engine import BuildStopped, Structure

#: Rows that are written between two looks whether to stop.
_PIECE: Final = 2048
#: The most that one query may ask for.
_MOST: Final = 4096
_TABLE: Final = "CREATE VIRTUAL TABLE codes USING vec0 (row INTEGER PRIMARY KEY, code int8[{}])"
_ADD: Final = "INSERT INTO codes (row, code) VALUES (?, vec_int8(?))"
_NEAREST: Final = "SELECT row FROM codes WHERE code MATCH vec_int8(?) AND k = ?"


class SqliteVec:
    """int8 codes in a table of their own, all of them compared and none kept in memory."""

    name = "sqlite-vec"
    parameters: Mapping[str, int] = {}

    def candidates(self, limit: int) -> int:
        return limit + limit // 4 + 20

    def build(self, rows: NDArray[np.float32], path: Path, stopped: Callable[[], bool]) -> None:
        scale = 127 / max(float(np.abs(rows[first : first + _PIECE]).max()) for first in _firsts(rows))
        connection = _connect(path)
        try:
            connection.pragma("journal_mode", "off")
            connection.pragma("synchronous", "off")
            connection.execute(_TABLE.format(rows.shape[1]))
            connection.pragma("user_version", round(scale))
            with connection:
                for first in _firsts(rows):
                    if stopped():
                        raise BuildStopped
                    codes = _codes(rows[first : first + _PIECE], round(scale))
                    connection.executemany(
                        _ADD, [(first + n, code.tobytes()) for n, code in enumerate(codes)]
                    )
        finally:
            connection.close()

    def open(self, path: Path, count: int, dimension: int) -> Structure:  # noqa: ARG002 - each code has its length
        connection = _connect(path)
        try:
            held = connection.execute("SELECT count(*) FROM codes").get
        except apsw.Error as error:
            connection.close()
            raise ValueError(f"{path.name} cannot be read: {error}") from error
        if held != count:
            connection.close()
            raise ValueError(f"{path.name} holds {held} rows")
        return _Opened(connection)


class _Opened:
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._scale: int = connection.pragma("user_version")
        self._lock = threading.Lock()

    def nearest(self, vector: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        [code] = _codes(vector[np.newaxis], self._scale)
        with self._lock:
            rows = self._connection.execute(_NEAREST, (code.tobytes(), min(count, _MOST))).fetchall()
        return np.array([row for (row,) in rows], np.int64)


def _firsts(rows: NDArray[np.float32]) -> range:
    return range(0, len(rows), _PIECE)


def _codes(rows: NDArray[np.float32], scale: int) -> NDArray[np.int8]:
    return np.clip(np.rint(rows * np.float32(scale)), -127, 127).astype(np.int8)


def _connect(path: Path) -> Any:
    try:
        import sqlite_vec  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NotInstalled.of("sqlite-vec", extra="sqlite-vec") from error
    connection: Any = apsw.Connection(str(path))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)
    return connection
