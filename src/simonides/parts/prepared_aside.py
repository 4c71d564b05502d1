"""The process that reads and judges for another: `python -m simonides.parts.prepared_aside`, told over its input."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from typing import Final

from simonides.child import channel_to_starter
from simonides.errors import SimonidesError
from simonides.parts.preparing import MOST_SECONDS, AsideAnswer, AsideTask, FileRequest

#: Memory that a file may make it take.
_MOST_BYTES: Final = 2 << 30


def main() -> None:
    """AsideAnswer requests until the other process ends, or one takes too much time or memory."""
    channel = channel_to_starter()
    with suppress(EOFError, OSError):
        opening: AsideTask = channel.receive()
        reader = opening.reader()
        _bound_memory()
        channel.send(AsideAnswer())
        while True:
            request: FileRequest | bytes = channel.receive()
            _bound_time()
            try:
                answer = AsideAnswer(reader.read(request))
            except SimonidesError as error:
                answer = AsideAnswer(error=error)
            channel.send(answer)


def _bound_memory() -> None:
    with suppress(ImportError, AttributeError, OSError, ValueError):  # Where the system knows no such bound.
        import resource  # noqa: PLC0415 - not on every system

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        bound = _MOST_BYTES if most == resource.RLIM_INFINITY else min(most, _MOST_BYTES)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, most))


def _bound_time() -> None:
    """Have the system end this process after so much processor time from now on, whoever asked for the file or not.

    Code that a file brings to run could take that back; the process that asked ends this one by the clock.
    """
    with suppress(AttributeError):  # Not on every system.
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)


if __name__ == "__main__":
    main()
    sys.exit()
