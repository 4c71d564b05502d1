"""simonides import."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.inputs import json_lines, opened
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.edges.cli.output import Output, note
from simonides.edges.cli.progress import Advance, progress
from simonides.errors import InvalidInput, StoreError

if TYPE_CHECKING:
    from simonides import ImportReport, LoadResult

#: Refusals that are shown; --json has more of them.
_SHOWN: Final = 20

app = commands()


@command(
    app,
    "import",
    example="""\
  simonides import memories.jsonl
  simonides import --from chatgpt export.zip --dry-run
  simonides import --from csv notes.csv --map content=text --map tags=labels
  zcat apollo.jsonl.gz | simonides import - --db copy.db""",
)
def import_(
    common: Common,
    place: ScopeOptions,
    file: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="JSON lines that `export` wrote; - for standard input. With --from, a file or folder.",
        ),
    ],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="KIND",
            help="Kind of the source: chatgpt, mem0, csv, …; an unknown one lists them.",
        ),
    ] = None,
    mapping: Annotated[
        list[str] | None,
        typer.Option(
            "--map", metavar="FIELD=NAME", help="With --from csv or jsonl: what holds a field; repeatable."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --from: show what would be taken; change nothing.")
    ] = False,
    trusted: Annotated[
        bool,
        typer.Option("--trusted", help="Also take over approvals, pins and trust: for your own exports."),
    ] = False,
) -> None:
    """Import records of `export`, or what other programs kept.

    The policy judges it. A plain item is a line such as {"kind": "item", "content": "…", "type": "fact"}, with fields
    as `add` takes them. A line that cannot be read is reported by its number and costs the others nothing; then the
    exit code is 1. Runs of upkeep are left out without --trusted, which is no error. Import the file again to resume
    after an interruption: known records are merged.
    """
    if source is not None:
        if trusted:
            raise InvalidInput("--trusted is for exports of Simonides; leave it out with --from")
        _from(common, source, file, place, mapping or [], dry_run=dry_run)
        return
    if mapping or dry_run or place.path is not None:
        raise InvalidInput("--map, --dry-run and a scope go with --from KIND")
    if file != "-" and (another := _another(file)) is not None:
        what, kind = another
        raise InvalidInput(
            f"{file} is {what}, and no export of Simonides; say whose it is: "
            f"simonides import --from {kind} {shlex.quote(file)}"
        )
    _own(common, file, trusted=trusted)


def _another(file: str) -> tuple[str, str] | None:
    """Sort of thing at a path that `export` never wrote as lines, and the kind of source it most likely is."""
    if Path(file).is_dir():
        return "a folder", "obsidian"
    with opened(file) as stream:
        head = stream.read(16)
    if head.startswith(b"PK\x03\x04"):
        return "a ZIP", "chatgpt"
    if head == b"SQLite format 3\0":
        return "a database", "langgraph"
    return ("a table", "csv") if Path(file).suffix.lower() in {".csv", ".tsv"} else None


def _own(common: Common, file: str, *, trusted: bool) -> None:
    """Load the lines of an export, or plain items."""
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
            note(f"simonides: interrupted: {kept.progress_of(total, 'records')}; import it again to go on")
            raise SystemExit(exits.INTERRUPTED) from None
        except StoreError:  # On a full disk, say: what came before it stays.
            if kept.records:
                common.remark(f"simonides: {kept.progress_of(total, 'records')}; import it again to go on")
            raise
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


def _from(
    common: Common, kind: str, path: str, place: ScopeOptions, mapping: list[str], *, dry_run: bool
) -> None:
    """Take in what another program kept."""
    named = dict(_pair(one) for one in mapping)
    scope = None if place.path is None else str(place.path)
    with common.memory(makes=True) as memory, progress(common, "Taking in") as advance:
        kept = _Kept(advance)
        try:
            report = memory.import_from(
                kind, path, scope=scope, mapping=named, dry_run=dry_run, progress=kept
            )
        except KeyboardInterrupt:
            went = "nothing was written" if dry_run else kept.progress_of(None, "parts")
            note(f"simonides: interrupted: {went}; run it again to go on")
            raise SystemExit(exits.INTERRUPTED) from None
        except StoreError:
            if kept.records and not dry_run:
                common.remark(f"simonides: {kept.progress_of(None, 'parts')}; run it again to go on")
            raise
    common.answer(report.to_dict(), lambda out: _show_report(out, report))
    if report.count("rejected"):
        raise typer.Exit(exits.WRONG)


def _pair(given: str) -> tuple[str, str]:
    name, separator, value = given.partition("=")
    if not separator or not name.strip() or not value.strip():
        raise InvalidInput(f"--map names a field and what holds it, such as content=text; not {given!r}")
    return name.strip(), value.strip()


def _show_report(out: Output, report: ImportReport) -> None:
    would = "would be " if report.dry_run else ""
    for what, ended in report.counts.items():
        out.line(f"{what}: " + ", ".join(f"{count:,} {would}{name}" for name, count in ended.items()))
    if not report.counts:
        out.line("nothing to take in")
    for reason, count in report.left_out.most_common():
        out.line(f"left out: {count:,} × {reason}")
    more = report.count("rejected") - _SHOWN
    # Where each is named below, a count of the reasons would say the same twice.
    for reason, count in report.reasons.most_common(_SHOWN) if more > 0 else ():
        out.line(f"{count:,} × {reason}")
    for part in report.refused[:_SHOWN]:
        out.line(f"{part.place}: {part.reason}")
    if more > 0:
        out.line(f"… and {more:,} more refused; --json names up to a thousand")


class _Kept:
    """Counts the records that are durable, and moves the bar."""

    def __init__(self, advance: Advance) -> None:
        self.records = 0
        self._advance = advance

    def __call__(self, done: int) -> None:
        self.records = done
        self._advance(done)

    def progress_of(self, total: int | None, what: str) -> str:
        of = "" if total is None else f" of {total:,}"
        return f"at least the first {self.records:,}{of} {what} are in"


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
    bad: list[tuple[int, str]] = []
    for place, (line, verdict) in enumerate(zip(numbers, result.verdicts, strict=True), 1):
        if not verdict.stored and place not in left_out:
            reasons = [reason.removeprefix(f"record {place}: ") for reason in verdict.reasons]
            bad.append((line, "; ".join(reasons)))
    return bad


def _outcomes(result: LoadResult, left_out: int) -> dict[str, int]:
    from simonides.domain.verdict import Outcome  # noqa: PLC0415

    counts = {outcome: result.count(outcome) for outcome in Outcome}
    counts[Outcome.REJECTED] -= left_out
    return {outcome.value: number for outcome, number in counts.items() if number}


def _show(out: Output, counts: dict[str, int]) -> None:
    out.line(", ".join(f"{count:,} {name}" for name, count in counts.items()) or "no records")
