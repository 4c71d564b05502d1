"""simonides export."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from simonides.domain.selection import Filters
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions
from simonides.edges.cli.output import Output
from simonides.edges.cli.progress import progress
from simonides.errors import InvalidInput

app = commands()

#: What belongs to one file alone, or is made anew from the rest.
LEFT_OUT: Final = (
    "the audit log",
    "contexts that were given",
    "vectors (made anew by `import` or `backfill`)",
)


@command(
    app,
    "export",
    example="""\
  simonides export memories.jsonl.gz
  simonides export vault --format markdown --type decision
  simonides export shared.csv --project apollo --redact emails
  simonides export --project apollo | gzip > apollo.jsonl.gz""",
)
def export(
    common: Common,
    look: LookOptions,
    filters: Filters,
    file: Annotated[
        str, typer.Argument(metavar="PATH", help="- for standard output.", show_default=False)
    ] = "-",
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="FORM", help="jsonl, csv or markdown; else by the ending."),
    ] = None,
    redact: Annotated[
        list[str] | None,
        typer.Option("--redact", metavar="WHAT", help="emails, hosts, paths, ids or all; repeatable."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what exists.")] = False,
) -> None:
    """Write everything as JSON lines, notes or a table.

    Lines are what `import` takes back: items with their history, usage, places and links; with them entities,
    sessions, turns that wait for extraction, and runs, which can be undone in the copy. The audit log, injections and
    vectors are not included; vectors are made anew. With a scope or filters, only what belongs to it is written. A
    path that ends in .gz is packed. Of notes, `import --from markdown` takes back what they keep.
    """
    scope = look.scopes_or_all
    given: dict[str, Any] = dict(filters)
    if file == "-":
        if form not in {None, "jsonl"} or redact or given:
            raise InvalidInput("name a file: only plain JSON lines go to standard output")
        with common.memory(reads=True) as memory:
            _write(memory.export(scope=scope))
        return
    target = Path(file).expanduser()
    with common.memory(reads=True) as memory:
        stats = memory.stats(scope=look.scopes_or_all)
        with progress(common, "Writing", stats["items"]) as advance:
            count = memory.export_to(
                target, form=form, redact=redact or (), force=force, scope=scope, progress=advance, **given
            )
    lines = form == "jsonl" or (form is None and not target.name.removesuffix(".gz").endswith(".csv"))
    left_out: list[str] = [*LEFT_OUT] if lines else []
    common.answer(
        {"path": str(target), "records": count, "left_out": left_out},
        lambda out: _show(out, target, count, left_out),
    )


def _show(out: Output, target: Path, count: int, left_out: list[str]) -> None:
    out.line(f"{target}  {count:,} records")
    if left_out:
        out.line(f"not in it: {', '.join(left_out)}")


def _write(records: Iterator[dict[str, Any]]) -> None:
    for record in records:
        sys.stdout.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
