"""Rounds of kills at random moments, and what was missing after them."""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

from benchmarks.report import Table, options_of, progress

T = TypeVar("T")
#: Faults that a table shows.
_SHOWN: Final = 20


def options_of_kills(name: str, about: str, arguments: list[str], *, rounds: int) -> argparse.Namespace:
    """Read the options of a bench that kills; `rounds` is how often unless they say."""
    parser = options_of(name, about)
    parser.add_argument("--rounds", type=int, default=rounds, help="kills")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    return parser.parse_args(arguments)


def kills(
    one_round: Callable[[Path, int, float], T], rounds: int, seed: int, alive_s: tuple[float, float]
) -> list[T]:
    """Do rounds in one folder, each with its number and a random time to live.

    Args:
        alive_s: The shortest and the longest life.
    """
    moments = random.Random(seed)
    done: list[T] = []
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        for number in range(rounds):
            done.append(one_round(Path(folder), number, moments.uniform(*alive_s)))
            if (number + 1) % 10 == 0:
                progress(f"{number + 1} of {rounds} rounds")
    return done


def faults(*found: Iterable[str]) -> list[Table]:
    """Table of what was lost or is half there; none if nothing is."""
    rows = [[text] for some in found for text in some][:_SHOWN]
    return [Table("what", ("",), rows)] if rows else []
