"""`simonides` and `python -m simonides`: the command line."""

from __future__ import annotations

from typing import Final

from simonides.ending import end_in_order

#: As of `exits`, which is not there yet where the interruption comes that early.
_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command line, as the script `simonides` does; interrupted while it is loading, end quietly."""
    end_in_order()
    try:
        from simonides.edges.cli.main import main as run  # noqa: PLC0415 - it takes most of a start

        run()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None


if __name__ == "__main__":
    main()
