"""The process that reads and judges for another: `python -m simonides.parts.prepared_aside`, told over its input."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import suppress
from typing import Final

from simonides.ending import leave_signals
from simonides.errors import SimonidesError
from simonides.parts.preparing import MOST_SECONDS, AsideAnswer, AsideTask, FileRequest

#: Memory that a file may make it take.
_MOST_BYTES: Final = 2 << 30


def main() -> None:
    """AsideAnswer requests until the other process ends, or one takes too much time or memory."""
    leave_signals()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Whatever is printed is no answer.

    def send(answer: AsideAnswer) -> None:
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    with suppress(EOFError, OSError, pickle.UnpicklingError):
        opening: AsideTask = pickle.load(requests)  # noqa: S301 - of this program's own process
        reader = opening.reader()
        _bound_memory()
        send(AsideAnswer())
        while True:
            request: FileRequest | bytes = pickle.load(requests)  # noqa: S301 - likewise
            _bound_time()
            try:
                answer = AsideAnswer(reader.read(request))
            except SimonidesError as error:
                answer = AsideAnswer(error=error)
            send(answer)


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
