"""Cutting an answer's bytes into what they are made of: events, lines, or one whole."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Final, Protocol

from simonides.values import dataclass

#: An answer is looked into up to here; what comes behind is passed on as it is.
MAX_ANSWER_BYTES: Final = 64 * 1024 * 1024
_BLANK_LINE: Final = re.compile(rb"\r\n\r\n|\n\n|\r\r|\n\r\n")
_UNPACKED_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Frame:
    """One part of an answer.

    Attributes:
        raw: Its bytes, delimiters included.
        data: What it says; None where that is nothing (a comment), or not looked into.
    """

    raw: bytes
    data: bytes | None


class Frames(Protocol):
    """Takes bytes as they come. All `raw` together are the bytes that came, in their order."""

    blind: bool
    """True once too much has come: from then on frames hold nothing but bytes."""

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are whole now."""
        ...

    def end(self) -> Iterator[Frame]:
        """Yield what is left when nothing more comes."""
        ...


class _Delimited:
    """Frames that end with a delimiter. Behind the first `most` bytes it is blind."""

    def __init__(self, most: int = MAX_ANSWER_BYTES) -> None:
        self.blind = False
        self._most = most
        self._held = b""
        self._looked = 0
        self._length = 0

    def feed(self, data: bytes) -> Iterator[Frame]:
        self._length += len(data)
        if self._length > self._most:
            self.blind = True
        if self.blind:
            yield from self.end()
            yield Frame(data, None)
            return
        self._held += data
        while (end := self._end_of_first()) > 0:
            raw, self._held, self._looked = self._held[:end], self._held[end:], 0
            yield Frame(raw, self._data(raw))
        self._looked = max(0, len(self._held) - 3)

    def end(self) -> Iterator[Frame]:
        held, self._held = self._held, b""
        if held:
            # Some servers leave out the last delimiter.
            yield Frame(held, None if self.blind else self._data(held))

    def _end_of_first(self) -> int:
        """End of the first frame, 0 if it has not come to its end."""
        raise NotImplementedError

    def _data(self, raw: bytes) -> bytes | None:
        raise NotImplementedError


class Events(_Delimited):
    """Server-sent events."""

    def _end_of_first(self) -> int:
        blank = _BLANK_LINE.search(self._held, self._looked)
        return 0 if blank is None else blank.end()

    def _data(self, raw: bytes) -> bytes | None:
        lines = [line[5:].removeprefix(b" ") for line in raw.splitlines() if line.startswith(b"data:")]
        return b"\n".join(lines) if lines else None


class Lines(_Delimited):
    """A JSON text a line."""

    def _end_of_first(self) -> int:
        return self._held.find(b"\n", self._looked) + 1

    def _data(self, raw: bytes) -> bytes | None:
        return raw.strip() or None


class Whole:
    """One frame, known when all has come; blind if that is more than `most` bytes."""

    def __init__(self, most: int = MAX_ANSWER_BYTES) -> None:
        self.blind = False
        self._most = most
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, data: bytes) -> Iterator[Frame]:
        self._length += len(data)
        if self._length <= self._most:
            self._parts.append(data)
            return
        self.blind = True
        parts, self._parts = self._parts, []
        yield Frame(b"".join([*parts, data]), None)

    def end(self) -> Iterator[Frame]:
        whole, self._parts = b"".join(self._parts), []
        if whole:
            yield Frame(whole, whole)


class Unpacker:
    """Takes the packing off an answer that was packed with gzip or deflate though nobody asked for it."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)

    @property
    def ended(self) -> bool:
        """True once all has come."""
        return self._zlib.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the content of a piece of the body, in pieces of 1 MiB at most.

        Raises:
            zlib.error: It is packed otherwise.
        """
        while data:
            if piece := self._zlib.decompress(data, _UNPACKED_BYTES):
                yield piece
            data = self._zlib.unconsumed_tail


def unpacker_of(packing: str) -> Unpacker | None:
    """Decoder of a `Content-Encoding`; None where it is another or several."""
    return Unpacker() if packing.strip().lower() in {"gzip", "x-gzip", "deflate"} else None
