"""Calls between a server of chats and the process that remembers for it, over two pipes."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from simonides.errors import SimonidesError
from simonides.values import dataclass

#: Numbers of the replies that no call asked for: what was opened, and what failed in all.
OPENED: Final = 0
END: Final = -1


class UnknownTurn(Exception):
    """The process did not begin this turn: another did, before it was started again."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """First message to the process: the store to open, and which lines of its log are written."""

    address: Path | str
    level: int


@dataclass(frozen=True, slots=True)
class HookCall:
    """A hook to run."""

    number: int
    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a call."""

    number: int
    value: Any = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """Calls of which all that they had to record is durable, or has failed."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WantedRequest:
    """The question of a process that reads whether what it has read is wanted; answered by a bool."""


class Channel:
    """Two pipes between two processes of this program, which trust each other. Several threads may send."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()

    def send(self, message: object) -> None:
        """Send a message.

        Raises:
            OSError: The other process has ended.
        """
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            self._writer.write(data)
            self._writer.flush()

    def messages(self) -> Generator[Any]:
        """Messages of the other process, until it ends or is broken off in the midst of one."""
        while True:
            try:
                message = pickle.load(self._reader)  # noqa: S301 - of this program's own process
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):
                return
            yield message

    def close(self) -> None:
        """Say that nothing more comes."""
        with self._lock, suppress(OSError):
            self._writer.close()


def sendable(error: Exception) -> Exception:
    """An error that can be sent: itself, or one of ours in its words."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - what was packed here
    except Exception:  # noqa: BLE001 - whatever an error's own code does
        return SimonidesError(str(error) or type(error).__name__)
    return error
