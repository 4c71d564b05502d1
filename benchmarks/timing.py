"""Timing calls and processes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """Result of a call, and its time in seconds."""
    began = time.perf_counter()
    found = call()
    return found, time.perf_counter() - began


def times_ms(
    call: Callable[[Any], object], inputs: Iterable[Any], clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """The time in ms of a call with each input, by a clock that counts seconds.

    `time.process_time` counts what all threads of the process spend, and not what they wait for others
    on the machine.
    """
    found: list[float] = []
    for given in inputs:
        began = clock()
        call(given)
        found.append((clock() - began) * 1000)
    return found


def percentiles(times: Sequence[float], *wanted: float) -> dict[str, float]:
    """`{"p50": …}` for each percentile wanted."""
    found: list[float] = np.percentile(np.asarray(times, np.float64), wanted).tolist()
    return {f"p{percent:g}": value for percent, value in zip(wanted, found, strict=True)}


def fresh(
    code: str,
    arguments: Sequence[str],
    folder: Path,
    attempts: int,
    environment: Mapping[str, str] | None = None,
) -> tuple[float, list[str]]:
    """Run code in new interpreters.

    Args:
        code: Prints one line when it is done with what is measured; it reads `arguments` from `sys.argv`.
        folder: Their working folder.
        environment: None for this process's own.

    Returns:
        Seconds from starting the interpreter to that line, the median of all attempts, and the words of
        the last attempt's line.
    """
    spent: list[float] = []
    words: list[str] = []
    for _ in range(attempts):
        began = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 - this interpreter with our own code
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=environment,
        )
        with process:
            assert process.stdout is not None
            words = process.stdout.readline().split()
            spent.append(time.perf_counter() - began)
            process.stdout.read()
        if process.returncode:
            raise RuntimeError(f"a fresh process ended with {process.returncode}; its error stands above")
    return median(spent), words
