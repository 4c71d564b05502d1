"""The process that reads files for another: `python -m simonides.parts.prepared_aside`, told over its input."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import suppress

from simonides.errors import SimonidesError
from simonides.parts.preparing import FileAnswer, FileRequest, ReadingRules, reader_in


def main() -> None:
    """Read files until the other process says that no more come, or ends."""
    for number in (signal.SIGINT, signal.SIGTERM):  # They go to both; the other process says when it is over.
        signal.signal(number, signal.SIG_IGN)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Whatever is printed is no answer.
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        opening: ReadingRules = pickle.load(requests)  # noqa: S301 - of this program's own process
        reader = reader_in(opening)
        while True:
            request: FileRequest = pickle.load(requests)  # noqa: S301 - likewise
            try:
                answer = FileAnswer(reader.read(request))
            except SimonidesError as error:
                answer = FileAnswer(error=error)
            pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


if __name__ == "__main__":
    main()
    sys.exit()
