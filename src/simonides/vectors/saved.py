"""Vectors and their structures in a folder beside the store: written whole, checked when opened.

::

    memory.db.vectors/
    ├── faiss-pq.json       the manifest: what is current, and checksums of it
    └── 0f3a…/              one saving: rows.npy, keys.npy, …, graph-0, graph-1, …

A saving is written under a name of its own and becomes current when the manifest is replaced. It is
never changed afterwards. All of it is a cache: what does not check out is left alone and made anew.
"""

from __future__ import annotations

import errno
import json
import secrets
import shutil
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import canonical_json
from simonides.ports.vectors import VectorChanges
from simonides.values import dataclass
from simonides.vectors.engine import BuildStopped, Engine, Structure
from simonides.vectors.exact import DEAD

#: Raised by one when files of this release mean something else than those before.
_FORMAT: Final = 1
_ROWS: Final = "rows.npy"
#: Columns beside the rows, by name of their file.
_COLUMNS: Final = ("keys", "scopes", "statuses", "expires_at", "sums")
#: Rows that are written, or summed, at a time.
_PIECE: Final = 4096
#: What a row takes beside its numbers: columns and codes, about.
_BESIDE_BYTES: Final = 400
_CHUNK_BYTES: Final = 1 << 20
#: A saving that no manifest names is somebody's who is still writing it, or was killed so long ago.
_LEFT_AFTER_S: Final = 24 * 3600.0
_MULTIPLIER: Final = 0x9E3779B97F4A7C15


class Unusable(Exception):
    """Saved files cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class RowRange:
    """Rows `first` … `first + count − 1`: those of one scope, or of all scopes that have no part of their own.

    Attributes:
        scope: The scope's key; None for all others together.
        graph: The file of its structure; empty where there is none, and rows are compared one by one.
        crc: CRC-32 of that file.
    """

    scope: int | None
    first: int
    count: int
    graph: str = ""
    crc: int = 0


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of what is saved.

    Attributes:
        saving: The folder's name.
        parameters: Of the engine.
        model: Fingerprint of what made the vectors.
        mark: `VectorSource.mark` of the state; `change` is its last change.
        columns: CRC-32 of each column's file.
    """

    saving: str
    engine: str
    parameters: Mapping[str, int]
    model: str
    dimension: int
    mark: str
    change: int
    count: int
    parts: tuple[RowRange, ...]
    columns: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Saved:
    """A saving that was opened: columns in the order of the rows, which are mapped, not read.

    Attributes:
        rows: float32, shape (n, width); width is the dimension, or one more, which is 0, where that is odd.
        sums: Of each row, see `row_sums`.
    """

    manifest: Manifest
    rows: NDArray[np.float32]
    keys: NDArray[np.int64]
    scopes: NDArray[np.int64]
    statuses: NDArray[np.int8]
    expires_at: NDArray[np.int64]
    sums: NDArray[np.uint64]
    graphs: tuple[Structure | None, ...]


@dataclass(frozen=True, slots=True)
class SavedVectors:
    """All vectors of a state, in pieces; rows whose status is `DEAD` are none of them."""

    model: EmbedderIdentity
    mark: str
    change: int
    pieces: Sequence[VectorChanges]


def width_of(dimension: int) -> int:
    """Numbers in a saved row: an even number of them."""
    return dimension + dimension % 2


def row_sums(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """A checksum of each row, modulo 2^64.

    Pairs of numbers are read as whole numbers and multiplied by odd constants, so that a change of one
    pair always shows, and any other but for one in very many; it runs at the speed of the memory.
    """
    pairs = np.ascontiguousarray(rows).view(np.uint64)
    odd = np.arange(1, pairs.shape[1] + 1, dtype=np.uint64) * np.uint64(_MULTIPLIER) | np.uint64(1)
    return cast("NDArray[np.uint64]", np.vecdot(pairs, odd))


def write(
    folder: Path, engine: Engine, snapshot: SavedVectors, own_part: int, stopped: Callable[[], bool]
) -> Manifest:
    """Write a saving that is not current yet.

    Args:
        own_part: Scopes of so many vectors get a part of their own with a structure; so do all others
            together if they are as many.

    Raises:
        Stopped: `stopped` said so; nothing is left behind.
        OSError: It cannot be written; nothing is left behind.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    _check_room(folder, snapshot)
    saving = folder / secrets.token_hex(8)
    saving.mkdir(mode=0o700)
    try:
        columns, parts = _write_rows(saving, snapshot, own_part, stopped)
        rows = _mapped(saving / _ROWS)
        made: list[RowRange] = []
        for number, part in enumerate(parts):
            if part.count < own_part:
                made.append(part)
                continue
            path = saving / f"graph-{number}"
            engine.build(rows[part.first : part.first + part.count], path, stopped)
            made.append(RowRange(part.scope, part.first, part.count, path.name, _crc(path)))
    except BaseException:
        shutil.rmtree(saving, ignore_errors=True)
        raise
    return Manifest(
        saving=saving.name,
        engine=engine.name,
        parameters=dict(engine.parameters),
        model=snapshot.model.fingerprint,
        dimension=snapshot.model.dimension,
        mark=snapshot.mark,
        change=snapshot.change,
        count=len(rows),
        parts=tuple(made),
        columns=columns,
    )


def current(folder: Path, engine: Engine) -> str:
    """The name of the current saving; empty where there is none."""
    return _saving_named_in(folder / f"{engine.name}.json")


def publish(folder: Path, manifest: Manifest) -> None:
    """Make a saving the current one, and remove those that nobody needs.

    Raises:
        OSError: The folder or the saving is gone, since a purge removed it, or cannot be written.
    """
    (folder / manifest.saving / _ROWS).stat()
    body = _jsonable(manifest)
    text = canonical_json(body | {"format": _FORMAT, "check": zlib.crc32(canonical_json(body).encode())})
    current, fresh = folder / f"{manifest.engine}.json", folder / f"{manifest.saving}.fresh"
    before = _saving_named_in(current)
    fresh.write_text(text, "utf-8")
    fresh.replace(current)
    _sweep(folder, before)


def open_current(
    folder: Path, engine: Engine, model: EmbedderIdentity, holds: Callable[[str], bool]
) -> Saved | None:
    """The current saving, or None where there is none.

    Args:
        holds: `VectorSource.holds` of the state to be served.

    Raises:
        Unusable: It is another store's, another model's, damaged, or of a later or abandoned state.
        ProviderUnavailable: The engine's package cannot be imported.
    """
    try:
        text = (folder / f"{engine.name}.json").read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"the manifest cannot be read: {error}") from error
    manifest = _read_manifest(text)
    if manifest.parameters != dict(engine.parameters):
        raise Unusable("it was made with other settings")
    if (manifest.model, manifest.dimension) != (model.fingerprint, model.dimension):
        raise Unusable("its vectors are of another model")
    if not holds(manifest.mark):
        raise Unusable("it is of another store, or of a state that this store has not reached")
    try:
        return _opened(folder / manifest.saving, manifest, engine)
    except (OSError, ValueError, EOFError) as error:
        raise Unusable(f"it is damaged: {error}") from error


def discard(folder: Path, manifest: Manifest) -> None:
    """Remove a saving, current or not. Whoever has it open goes on with what is mapped."""
    current = folder / f"{manifest.engine}.json"
    if _saving_named_in(current) == manifest.saving:
        current.unlink(missing_ok=True)
    shutil.rmtree(folder / manifest.saving, ignore_errors=True)


def _check_room(folder: Path, snapshot: SavedVectors) -> None:
    """Leave the store as much room as the saving takes: a cache must not be why a write fails."""
    row = width_of(snapshot.model.dimension) * 4 + _BESIDE_BYTES
    needed = sum(len(piece.keys) for piece in snapshot.pieces) * row
    free = shutil.disk_usage(folder).free
    if free < 2 * needed:
        raise OSError(
            errno.ENOSPC, f"it takes {needed:,} bytes and leaves the store as many; {free:,} are free"
        )


def _write_rows(
    saving: Path, snapshot: SavedVectors, own_part: int, stopped: Callable[[], bool]
) -> tuple[dict[str, int], list[RowRange]]:
    """Put the rows into the order of the parts, within them of scope and key; CRCs of the columns."""
    pieces = snapshot.pieces
    living = [np.flatnonzero(piece.statuses != DEAD) for piece in pieces]
    piece_of = np.repeat(np.arange(len(pieces)), [len(rows) for rows in living])
    row_of = _joined(living, np.int64)

    def column(name: str, kind: type[np.generic]) -> NDArray[Any]:
        pairs = zip(pieces, living, strict=True)
        return _joined([getattr(piece, name)[rows] for piece, rows in pairs], kind)

    keys, scopes = column("keys", np.int64), column("scopes", np.int64)
    kinds, counts = np.unique(scopes, return_counts=True)
    large = np.isin(scopes, kinds[counts >= own_part])
    order = np.lexsort((keys, scopes, large))
    sums: list[NDArray[np.uint64]] = []
    shape = (len(order), width_of(snapshot.model.dimension))
    # Written, not mapped: on a full disk a write fails, but a mapped page takes the process down.
    with (saving / _ROWS).open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        for first in range(0, len(order), _PIECE):
            if stopped():
                raise BuildStopped
            some = order[first : first + _PIECE]
            out = np.zeros((len(some), shape[1]), "<f4")
            numbers: list[int] = np.unique(piece_of[some]).tolist()
            for number in numbers:
                there = piece_of[some] == number
                out[there, : snapshot.model.dimension] = pieces[number].vectors[row_of[some[there]]]
            file.write(out.data)
            sums.append(row_sums(out))
    columns: dict[str, NDArray[Any]] = {
        "keys": keys[order],
        "scopes": scopes[order],
        "statuses": column("statuses", np.int8)[order],
        "expires_at": column("expires_at", np.int64)[order],
        "sums": _joined(sums, np.uint64),
    }
    for name, values in columns.items():
        np.save(saving / f"{name}.npy", values)
    crcs = {name: _crc(saving / f"{name}.npy") for name in columns}
    return crcs, _parts(columns["scopes"], int(large.sum()))


def _parts(scopes: NDArray[np.int64], in_large: int) -> list[RowRange]:
    """The rest first, then each large scope, as the rows are ordered."""
    rest = len(scopes) - in_large
    keys, firsts, counts = np.unique(scopes[rest:], return_index=True, return_counts=True)
    own = [
        RowRange(scope, rest + first, count)
        for scope, first, count in zip(keys.tolist(), firsts.tolist(), counts.tolist(), strict=True)
    ]
    return [RowRange(None, 0, rest), *own] if rest else own


def _opened(saving: Path, manifest: Manifest, engine: Engine) -> Saved:
    columns: dict[str, Any] = {}
    for name in _COLUMNS:
        path = saving / f"{name}.npy"
        if _crc(path) != manifest.columns.get(name):
            raise ValueError(f"{path.name} changed")
        columns[name] = np.load(path, allow_pickle=False)
    rows, width = _mapped(saving / _ROWS), width_of(manifest.dimension)
    if not manifest.count or rows.shape != (manifest.count, width) or rows.dtype != np.dtype("<f4"):
        raise ValueError(f"{_ROWS} holds {rows.shape} of {rows.dtype}")
    graphs: list[Structure | None] = []
    for part in manifest.parts:
        path = saving / part.graph
        if part.graph and _crc(path) != part.crc:
            raise ValueError(f"{path.name} changed")
        graphs.append(engine.open(path, part.count, width) if part.graph else None)
    return Saved(manifest=manifest, rows=rows, graphs=tuple(graphs), **columns)


def _mapped(path: Path) -> NDArray[np.float32]:
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def _read_manifest(text: str) -> Manifest:
    try:
        body = cast("dict[str, Any]", json.loads(text))
        made_by, check = body.pop("format"), body.pop("check")
        if made_by != _FORMAT:
            raise Unusable(f"its format is {made_by}, this release knows {_FORMAT}")
        if check != zlib.crc32(canonical_json(body).encode()):
            raise Unusable("the manifest changed")
        body["parts"] = tuple(RowRange(**part) for part in body["parts"])
        return Manifest(**body)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Unusable(f"the manifest is none: {error}") from error


def _jsonable(manifest: Manifest) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(json.dumps(asdict(manifest))))


def _saving_named_in(path: Path) -> str:
    """The saving that a manifest names; empty where it names none that can be read."""
    with suppress(OSError, UnicodeDecodeError, Unusable):
        return _read_manifest(path.read_text("utf-8")).saving
    return ""


def _sweep(folder: Path, replaced: str) -> None:
    """Remove the saving that was replaced, and those that were left behind by somebody who was killed."""
    named = {_saving_named_in(path) for path in folder.glob("*.json")}
    for path in folder.iterdir():
        if path.is_dir() and path.name not in named and (path.name == replaced or _is_left(path)):
            shutil.rmtree(path, ignore_errors=True)


def _is_left(saving: Path) -> bool:
    with suppress(OSError):  # Somebody else removes it.
        newest = max(path.stat().st_mtime for path in [saving, *saving.iterdir()])
        return time.time() - newest > _LEFT_AFTER_S
    return False


def _joined(pieces: Sequence[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.empty(0, kind), *pieces]).astype(kind, copy=False)


def _crc(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            checksum = zlib.crc32(chunk, checksum)
    return checksum
