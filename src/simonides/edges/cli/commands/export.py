"""simonides export."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions
from simonides.edges.cli.output import Output
from simonides.edges.cli.progress import Advance, progress
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
  simonides export memories.jsonl
  simonides export --project apollo | gzip > apollo.jsonl.gz""",
)
def export(
    common: Common,
    look: LookOptions,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="- for standard output.", show_default=False)
    ] = "-",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write everything as JSON lines that `import` takes back.

    Items come with their history, usage, places and links; with them entities, sessions, turns that wait for
    extraction, and runs, which can be undone in the copy. The audit log, injections and vectors are not
    included; vectors are made anew. With a scope, only what belongs to it is written.
    """
    target = None if file == "-" else Path(file).expanduser()
    if target is not None and target.exists() and not force:
        raise InvalidInput(f"{target} exists; choose another name, or add --force to replace it")
    with common.memory() as memory:
        stats = memory.stats() if look.scopes is None else memory.stats(scope=look.scopes)
        records = memory.export() if look.scopes is None else memory.export(scope=look.scopes)
        with progress(common, "Writing", stats["items"]) as advance:
            count = (
                _write(records, sys.stdout, advance) if target is None else _replace(target, records, advance)
            )
    if target is not None:
        common.answer(
            {"path": str(target), "records": count, "left_out": list(LEFT_OUT)},
            lambda out: _show(out, target, count),
        )


def _show(out: Output, target: Path, count: int) -> None:
    out.line(f"{target}  {count:,} records")
    out.line(f"not in it: {', '.join(LEFT_OUT)}")


def _replace(target: Path, records: Iterable[Mapping[str, Any]], advance: Advance) -> int:
    """Write beside the target and rename: what stood there stays until the new file is whole."""
    partial = target.with_name(target.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        # Conversations in clear text: only the owner reads them.
        handle = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            count = _write(records, stream, advance)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return count


def _write(records: Iterable[Mapping[str, Any]], stream: TextIO, advance: Advance) -> int:
    count = 0
    for count, record in enumerate(records, 1):
        stream.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
        advance(count)
    return count
