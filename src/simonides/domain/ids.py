"""Identifiers: UUIDv7, so that they sort by the time of their making; UUIDv8 of what has a name elsewhere."""

from __future__ import annotations

import hashlib
import os
import re

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def new_id(at_us: int) -> str:
    """A UUIDv7 for an instant: milliseconds, then the rest of the microsecond, then 62 random bits."""
    milliseconds, microseconds = divmod(at_us, 1000)
    random = int.from_bytes(os.urandom(8)) & 0x3FFF_FFFF_FFFF_FFFF
    value = (
        (milliseconds & 0xFFFF_FFFF_FFFF) << 80
        | 0x7000 << 64
        | (microseconds << 2) << 64
        | 0x8000_0000_0000_0000
        | random
    )
    return _written(value)


def is_id(text: object) -> bool:
    """True if something is a text of the form of an identifier."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None


def id_named(name: str) -> str:
    """A UUIDv8 that follows from a name: whoever names the same thing again gets the same one."""
    value = int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:16])
    value = value & ~(0xF << 76) & ~(0x3 << 62) | 0x8 << 76 | 0x2 << 62
    return _written(value)


def _written(value: int) -> str:
    digits = f"{value:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
