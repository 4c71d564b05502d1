"""simonides import."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.inputs import json_lines, opened
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output, note
from simonides.edges.cli.progress import Advance, progress
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides import LoadResult

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
        typer.Option("--trusted", help="Also take over approvals, pins and trust: for your own exports."),
    ] = False,
) -> None:
    """Import records of `export`, or plain items. The policy judges them.

    A plain item is a line such as {"kind": "item", "content": "…", "type": "fact"}, with fields as `add` takes them. A
    line that cannot be read is reported by its number and costs the others nothing; then the exit code is 1. Runs of
    upkeep are left out without --trusted, which is no error. Import the file again to resume after an interruption:
    known records are merged.
    """
    numbers: list[int] = []
    total = _lines(file)
    with (
        opened(file) as stream,
        common.memory(makes=True) as memory,
        progress(common, "Taking in", total) as advance,
    ):
        kept = _Kept(advance)
        try:
            result = memory.load(_records(stream, numbers), kept, trusted=trusted)
        except KeyboardInterrupt:
            of = "" if total is None else f" of {total:,}"
            note(
                f"simonides: interrupted: the first {kept.records:,}{of} records are in; import the file again to go on"
            )
            raise SystemExit(exits.INTERRUPTED) from None
    left_out = {*result.left_out()}
    bad = _bad_lines(result, numbers, left_out)
    outcomes = _outcomes(result, len(left_out))
    summary = {
        "outcomes": outcomes,
        "left_out": len(left_out),
        "rejected": [{"line": line, "reason": why} for line, why in bad],
    }
    common.answer(summary, lambda out: _show(out, outcomes))
    if left_out:
        common.remark(
            f"simonides: {len(left_out):,} records of upkeep or of models' requests are left out; "
            "--trusted takes them in, too"
        )
    if bad and not common.as_json:
        for line, why in bad:
            note(f"line {line}: {why}")
    if bad:
        raise typer.Exit(exits.WRONG)


class _Kept:
    """Counts the records that are durable, and moves the bar."""

    def __init__(self, advance: Advance) -> None:
        self.records = 0
        self._advance = advance

    def __call__(self, done: int) -> None:
        self.records = done
        self._advance(done)


def _lines(path: str) -> int | None:
    """Number of lines of a file that are not blank; None where it can be read only once."""
    if path == "-" or not Path(path).is_file():
        return None
    with opened(path) as stream:
        return sum(1 for line in stream if line.strip())


def _records(stream: BinaryIO, numbers: list[int]) -> Iterator[dict[str, Any]]:
    """The records of a file; the number of the line that each stood in is noted."""
    for number, value in json_lines(stream):
        numbers.append(number)
        yield {"kind": "unreadable", "error": str(value)} if isinstance(value, InvalidInput) else value


def _bad_lines(result: LoadResult, numbers: list[int], left_out: set[int]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for place, (line, verdict) in enumerate(zip(numbers, result.verdicts, strict=True), 1):
        if not verdict.stored and place not in left_out:
            reasons = [reason.removeprefix(f"record {place}: ") for reason in verdict.reasons]
            found.append((line, "; ".join(reasons)))
    return found


def _outcomes(result: LoadResult, left_out: int) -> dict[str, int]:
    from simonides.domain.verdict import Outcome  # noqa: PLC0415

    counts = {outcome: result.count(outcome) for outcome in Outcome}
    counts[Outcome.REJECTED] -= left_out
    return {outcome.value: number for outcome, number in counts.items() if number}


def _show(out: Output, counts: dict[str, int]) -> None:
    out.line(", ".join(f"{count:,} {name}" for name, count in counts.items()) or "no records")
