"""Identifiers: UUIDv7, so that they sort by the time of their making; UUIDv8 of what has a name elsewhere."""

from __future__ import annotations

import hashlib
import os
import re
from typing import Final

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
#: The bits of a UUIDv7 behind its time, version and variant.
_RANDOM: Final = 0x3FFF_FFFF_FFFF_FFFF


class _Making:
    """The id made last, so that those of one instant sort in the order of their making.

    Without a lock, which a fork could leave held: of two threads in one instant none is first.
    """

    def __init__(self) -> None:
        self._last = (-1, 0)

    def bits(self, at_us: int) -> int:
        """62 bits: random in the lower half for the first of an instant, for each further one 40 random bits on."""
        random = int.from_bytes(os.urandom(8))
        last_us, bits = self._last
        bits = bits + 1 + (random >> 24) if at_us == last_us else random >> 3
        self._last = at_us, bits
        return bits & _RANDOM


_MAKING: Final = _Making()


def new_id(at_us: int) -> str:
    """A UUIDv7 for an instant: milliseconds, then the rest of the microsecond, then 62 random bits.

    What is made one behind the other for the same instant sorts in that order: turns of a conversation that are handed
    over together, and what is extracted from them.
    """
    milliseconds, microseconds = divmod(at_us, 1000)
    value = (
        (milliseconds & 0xFFFF_FFFF_FFFF) << 80
        | 0x7000 << 64
        | (microseconds << 2) << 64
        | 0x8000_0000_0000_0000
        | _MAKING.bits(at_us)
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
