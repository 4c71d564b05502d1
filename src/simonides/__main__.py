"""`simonides` and `python -m simonides`: the command line."""

from __future__ import annotations

import os
import sys
from typing import Final

from simonides.ending import end_in_order

#: As of `exits`, which is not there yet where the interruption comes that early.
_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command line, as the script `simonides` does; interrupted while it is loading, end quietly."""
    _open_streams()
    end_in_order()
    try:
        from simonides.edges.cli.main import main as run  # noqa: PLC0415 - it takes most of a start

        run()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None


def _open_streams() -> None:
    """Let standard streams that were closed before the start read and write nothing.

    Otherwise the next files that are opened get their numbers, and with these what is written to them.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            os.set_inheritable(number, True)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115


if __name__ == "__main__":
    main()
