"""Calls between a server of chats and the process that remembers for it, over two pipes."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, Final

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


def sendable(error: Exception) -> Exception:
    """An error that can be sent: itself, or one of ours in its words."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - what was packed here
    except Exception:  # noqa: BLE001 - whatever an error's own code does
        return SimonidesError(str(error) or type(error).__name__)
    return error
