"""simonides import."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.inputs import json_lines, opened
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output, note
from simonides.edges.cli.progress import progress
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides.writing.transfer import LoadResult

app = commands()


@command(
    app,
    "import",
    example="""\
  simonides import memories.jsonl
  zcat apollo.jsonl.gz | simonides import - --db copy.db""",
)
def import_(
    common: Common,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON lines that `export` wrote; - for standard input.")
    ],
    trusted: Annotated[
        bool,
        typer.Option("--trusted", help="Take over approvals, pins and trust too: it is your own export."),
    ] = False,
) -> None:
    """Take in records of `export`, past the policy.

    A line that cannot be read is reported by its number and costs the others nothing; then the exit
    code is 1.
    """
    numbers: list[int] = []
    with (
        opened(file) as stream,
        common.memory(makes=True) as memory,
        progress(common, "Taking in") as advance,
    ):
        result = memory.load(_records(stream, numbers), advance, trusted=trusted)
    bad = _bad_lines(result, numbers)
    summary = {
        "outcomes": _outcomes(result),
        "rejected": [{"line": line, "reason": why} for line, why in bad],
    }
    common.answer(summary, lambda out: _show(out, result))
    if bad and not common.as_json:
        for line, why in bad:
            note(f"line {line}: {why}")
    if bad:
        raise typer.Exit(exits.WRONG)


def _records(stream: BinaryIO, numbers: list[int]) -> Iterator[dict[str, Any]]:
    """The records of a file; the number of the line that each stood in is noted."""
    for number, value in json_lines(stream):
        numbers.append(number)
        yield {"kind": "unreadable", "error": str(value)} if isinstance(value, InvalidInput) else value


def _bad_lines(result: LoadResult, numbers: list[int]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for place, (line, verdict) in enumerate(zip(numbers, result.verdicts, strict=True), 1):
        if not verdict.stored:
            reasons = [reason.removeprefix(f"record {place}: ") for reason in verdict.reasons]
            found.append((line, "; ".join(reasons)))
    return found


def _outcomes(result: LoadResult) -> dict[str, int]:
    from simonides.domain.verdict import Outcome  # noqa: PLC0415

    return {outcome.value: result.count(outcome) for outcome in Outcome if result.count(outcome)}


def _show(out: Output, result: LoadResult) -> None:
    counts = _outcomes(result)
    out.line(", ".join(f"{count:,} {name}" for name, count in counts.items()) or "no records")
