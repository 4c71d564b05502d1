"""Report that every bench makes: the machine, the result as JSON, tables on standard output."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import apsw

import simonides

_PACKAGE: Final = Path(simonides.__file__).parent


@dataclass(frozen=True, slots=True)
class Table:
    """Rows for people. The first column is a name, the others hold numbers or text; None is left blank."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]


def options_of(name: str, description: str) -> argparse.ArgumentParser:
    """A parser with the options that all benches share."""
    commit()  # Asked now: the checkout may have moved on when a long bench ends.
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {name}", description=description)
    parser.add_argument("--json", action="store_true", help="print the result as JSON instead of tables")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the result as JSON")
    return parser


def result(
    name: str,
    *,
    seed: int | None,
    sizes: Mapping[str, Any],
    figures: Mapping[str, Any],
    settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A result with where it comes from."""
    return {
        "name": name,
        "commit": commit(),
        "version": simonides.__version__,
        "machine": machine(),
        "seed": seed,
        "sizes": dict(sizes),
        "settings": dict(settings or {}),
        "figures": dict(figures),
    }


def finish(outcome: dict[str, Any], tables: Sequence[Table], options: argparse.Namespace) -> dict[str, Any]:
    """Print and write a result as the shared options ask; the result itself."""
    if options.out is not None:
        write(options.out, outcome)
    if options.json:
        sys.stdout.write(json.dumps(outcome, indent=1, ensure_ascii=False) + "\n")
    else:
        report(tables)
    return outcome


def write(path: Path, outcome: Mapping[str, Any]) -> None:
    """Write a result as JSON, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(outcome, indent=1, ensure_ascii=False) + "\n", "utf-8")


def report(tables: Sequence[Table]) -> None:
    """Print tables on standard output."""
    for table in tables:
        cells = [list(table.head), *([cell(value) for value in row] for row in table.rows)]
        widths = [max(len(row[n]) for row in cells if n < len(row)) for n in range(len(table.head))]
        lines = [table.title] if table.title else []
        for row in cells:
            first, *rest = (
                cell.ljust(width) if n == 0 else cell.rjust(width)
                for n, (cell, width) in enumerate(zip(row, widths, strict=False))
            )
            lines.append("  " + "  ".join([first, *rest]).rstrip())
        sys.stdout.write("\n".join(lines) + "\n\n")
    sys.stdout.flush()


def progress(text: str) -> None:
    """Say on standard error how far a long measurement is."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def machine() -> dict[str, Any]:
    """Machine and versions that the figures were taken on."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
    }


@cache
def commit(package: Path = _PACKAGE) -> str | None:
    """The commit of a package, with `+changes` if files differ from it; None outside of a checkout."""
    top = _git(package, "rev-parse", "--show-toplevel")
    if top is None or Path(top) / "src" / "simonides" != package:
        return None  # Installed below some other project's checkout.
    head = _git(package, "rev-parse", "HEAD")
    changed = _git(package, "status", "--porcelain", "--", str(package))
    return f"{head}+changes" if head is not None and changed else head


def _git(package: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", "-C", str(package), *arguments],  # noqa: S607 - whichever git the user has
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def cell(value: object) -> str:
    """A value as tables show it; None is left blank."""
    if value is None:
        return ""
    if isinstance(value, float):
        return (
            f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"
        )
    return f"{value:,}" if isinstance(value, int) else str(value)
