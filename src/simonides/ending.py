"""Signals that tell a process to end."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

#: Sent where the terminal closes, once by the system and once more by the shell; None on Windows.
HANGUP: Final[int | None] = getattr(signal, "SIGHUP", None)
_told: list[int] = []


def ending_signals() -> list[int]:
    """The signals that this process is to heed: a hang-up not where it was started to outlive one (`nohup`)."""
    heeds_hangup = HANGUP is not None and signal.getsignal(HANGUP) is not signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([HANGUP] if HANGUP is not None and heeds_hangup else [])]


def end_in_order() -> None:
    """Let a signal end this process as Ctrl-C does, and then as that signal does.

    Nothing that it made for itself is left behind, and whoever started it sees what ended it.
    """
    for number in ending_signals():
        if number != signal.SIGINT:
            signal.signal(number, _interrupt)
    atexit.register(_end_as_told)  # As the first, it is called last.


def end_at_second() -> None:
    """Let the next signal break off what is under way. A further hang-up says no more than the first."""
    for number in ending_signals():
        signal.signal(number, signal.SIG_IGN if number == HANGUP else signal.default_int_handler)


@contextmanager
def stopping() -> Generator[None]:
    """Let a server that is told to end while it does not serve yet, or no longer, end as it does while it serves."""
    try:
        yield
    except KeyboardInterrupt:
        _told.clear()


def leave_signals() -> None:
    """Ignore what goes to all processes of a group: the one that started this one tells it when to end."""
    for number in ending_signals():
        signal.signal(number, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    del frame
    end_at_second()
    _told.append(number)
    raise KeyboardInterrupt


def _end_as_told() -> None:
    if _told:
        with suppress(OSError, ValueError):  # Nobody reads any more.
            sys.stdout.flush()
        signal.signal(_told[0], signal.SIG_DFL)
        os.kill(os.getpid(), _told[0])
