"""`python -m benchmarks NAME …`."""

from __future__ import annotations

import sys

from benchmarks import BENCHES
from simonides.errors import SimonidesError


def main(arguments: list[str]) -> int:
    """Run the bench that the first argument names; the exit code."""
    if not arguments or arguments[0] in {"-h", "--help"} or arguments[0] not in BENCHES:
        lines = [f"  {bench.name:<12} {bench.help}" for bench in BENCHES.values()]
        sys.stderr.write("\n".join(["usage: python -m benchmarks NAME [--help]", *lines, ""]))
        return 0 if arguments and arguments[0] in {"-h", "--help"} else 2
    try:
        BENCHES[arguments[0]].run(arguments[1:])
    except SimonidesError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
