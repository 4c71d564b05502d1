"""Vectors as `halfvec` of pgvector: half precision on the server, single here."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo

#: Number of dimensions and a reserved number, each of 2 bytes, before the values.
_HEAD: Final = struct.Struct(">HH")
#: Before the members of an array: dimensions, whether some are NULL, their type, how many, number of the first.
_ARRAY: Final = struct.Struct(">iiIii")
#: Bytes of one that has no members, and no dimensions to tell of.
_EMPTY: Final = 12
#: Before each of them.
_LENGTH: Final = struct.Struct(">i")
#: Types of the server and of arrays of them, and a member of an array of keys.
_BIGINT, _BIGINTS = 20, 1016
_TEXT, _TEXTS = 25, 1009
_MEMBER: Final = np.dtype([("length", ">i4"), ("key", ">i8")])
#: The largest number of half precision.
_LARGEST: Final = 65_504.0


class Half(bytes):
    """A vector as the rows have it, float32 little-endian, on its way to a column of type halfvec."""

    __slots__ = ()


class _HalfDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Any) -> bytes:
        return half_bytes(obj)


class Halves(list[bytes | None]):
    """Vectors as `half_bytes` gives them, on their way to an array."""

    __slots__ = ()


class _HalvesDumper(Dumper):
    format = Format.BINARY
    element = 0

    def dump(self, obj: Any) -> bytes:
        parts = [_ARRAY.pack(1, 1, self.element, len(obj), 1)]
        for data in obj:
            parts.append(_LENGTH.pack(-1) if data is None else _LENGTH.pack(len(data)) + data)
        return b"".join(parts)


class Keys(list[int]):
    """Keys on their way to an array of bigint, whatever they are and how many: the type of a value is known before."""

    __slots__ = ()


class _KeysDumper(Dumper):
    format = Format.BINARY
    oid = _BIGINTS

    def dump(self, obj: Any) -> bytes:
        members = np.empty(len(obj), _MEMBER)
        members["length"], members["key"] = 8, obj
        if not len(obj):
            return _ARRAY.pack(0, 0, _BIGINT, 0, 0)[:_EMPTY]
        return _ARRAY.pack(1, 0, _BIGINT, len(obj), 1) + members.tobytes()


class Texts(list[str]):
    """Texts on their way to an array: at least three times as fast as psycopg writes lists."""

    __slots__ = ()


class _TextsDumper(Dumper):
    format = Format.BINARY
    oid = _TEXTS

    def dump(self, obj: Any) -> bytes:
        parts = [_ARRAY.pack(1, 0, _TEXT, len(obj), 1)]
        for text in obj:
            data = text.encode()
            parts += (_LENGTH.pack(len(data)), data)
        return b"".join(parts) if obj else _ARRAY.pack(0, 0, _TEXT, 0, 0)[:_EMPTY]


class _HalfLoader(Loader):
    format = Format.BINARY

    def load(self, data: Any) -> bytes:
        return np.frombuffer(data, ">f2", offset=_HEAD.size).astype("<f4").tobytes()


def half_bytes(vector: bytes) -> bytes:
    """What the server stores of a vector."""
    return _HEAD.pack(len(vector) // 4, 0) + _in_halves(vector)


def halves(vectors: Sequence[bytes]) -> list[bytes]:
    """What the server stores of vectors; nothing of an empty one."""
    if not all(vectors) or len({*map(len, vectors)}) != 1:
        return [half_bytes(vector) if vector else b"" for vector in vectors]
    size = len(vectors[0]) // 2
    data = _in_halves(b"".join(vectors))
    head = _HEAD.pack(size // 2, 0)
    return [head + data[first : first + size] for first in range(0, len(data), size)]


def _in_halves(singles: bytes) -> bytes:
    return np.clip(np.frombuffer(singles, "<f4"), -_LARGEST, _LARGEST).astype(">f2").tobytes()


def teach(connection: psycopg.Connection[Any], info: TypeInfo) -> None:
    """Let a connection read and write vectors, and write arrays of them, of keys and of texts."""
    connection.adapters.register_dumper(Keys, _KeysDumper)
    connection.adapters.register_dumper(Texts, _TextsDumper)
    of_many = type("HalvesDumper", (_HalvesDumper,), {"oid": info.array_oid, "element": info.oid})
    connection.adapters.register_dumper(Halves, of_many)
    dumper = type("HalfDumper", (_HalfDumper,), {"oid": info.oid})
    connection.adapters.register_dumper(Half, dumper)
    connection.adapters.register_loader(info.oid, _HalfLoader)
