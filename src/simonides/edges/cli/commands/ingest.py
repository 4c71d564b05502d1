"""simonides ingest."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.edges.cli.output import Output, note
from simonides.edges.cli.progress import progress
from simonides.errors import InvalidInput, ProviderUnavailable, StoreError

if TYPE_CHECKING:
    from simonides import IngestReport, Memory

app = commands()

#: Paths that are shown of each sort; --json has all of them.
_SHOWN: Final = 20
#: Longest time that a watcher takes to say that nothing changed.
_LOOK_MS: Final = 500


@command(
    app,
    "ingest",
    example="""\
  simonides ingest notes/
  simonides ingest docs --corpus handbook
  simonides ingest . --corpus code --dry-run
  simonides ingest notes --corpus notes --watch""",
)
def ingest(
    common: Common,
    place: ScopeOptions,
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files and folders.")],
    corpus: Annotated[
        str | None,
        typer.Option(
            "--corpus",
            metavar="NAME",
            help="Corpus that they belong to; made if new. Default: the folder's name.",
        ),
    ] = None,
    injectable: Annotated[
        bool, typer.Option("--injectable", help="Let its chunks go into prompts unasked, from now on.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; write nothing.")
    ] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Archive all documents of a folder that is empty now.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Stay, and follow changes until stopped.")] = False,
) -> None:
    """Read files and folders, and follow what changed in them.

    Hidden files, links and what a .gitignore names are left out. What is unchanged costs nothing; a document whose
    file is gone is archived; a folder in which none is left is refused. Files that cannot be read are named; then the
    exit code is 1. Interrupted, run it again to go on.
    """
    if dry_run and (watch or injectable):
        raise InvalidInput("--dry-run writes nothing; leave out --watch and --injectable")
    corpus = corpus or _corpus_of(paths)
    changes = _changes(paths) if watch else iter(())
    # What changes while the first run reads is seen by the next.
    next(changes, None)
    with common.memory(makes=True) as memory:
        if injectable:
            memory.documents.corpus(corpus, scope=place.path, injectable=True, actor="cli")
        once = partial(_once, common, memory, paths, corpus, place, allow_empty=allow_empty)
        report = once(dry_run=dry_run)
        common.answer(report.to_dict(), lambda out: _show(out, report))
        if watch:
            note("simonides: watching; Ctrl-C stops")
        for _ in filter(None, changes):
            try:
                again = once(dry_run=False)
            except (
                InvalidInput
            ) as error:  # A folder that is empty for a moment: whoever saves anew deletes first.
                note(f"simonides: {error}")
                continue
            if again.added or again.changed or again.removed or again.refused:
                common.answer(again.to_dict(), lambda out, again=again: _show(out, again))
    if report.refused:
        raise typer.Exit(exits.WRONG)


def _corpus_of(paths: list[str]) -> str:
    """The corpus of a single folder, which is called as the folder is.

    Raises:
        InvalidInput: It is no single folder, or one without a name; or one of the paths is not there.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise InvalidInput(f"there is no {path} to ingest")
    name = Path(paths[0]).resolve().name if len(paths) == 1 and Path(paths[0]).is_dir() else ""
    if not name:
        raise InvalidInput(
            "documents are searched and deleted together under the name of their corpus, by default that of the one "
            f"folder; name one: simonides ingest {shlex.join(paths)} --corpus handbook"
        )
    return name


def _once(
    common: Common,
    memory: Memory,
    paths: list[str],
    corpus: str,
    place: ScopeOptions,
    *,
    allow_empty: bool,
    dry_run: bool,
) -> IngestReport:
    done = [0, 0]
    with progress(common, "Reading") as advance:

        def kept(files: int, of: int) -> None:
            done[:] = files, of
            advance(files, f"Reading, of {of:,}")

        try:
            return memory.documents.ingest(
                *paths,
                corpus=corpus,
                scope=place.path,
                dry_run=dry_run,
                allow_empty=allow_empty,
                progress=kept,
                actor="cli",
            )
        except KeyboardInterrupt:
            progress_text = (
                f"{done[0]:,} of {done[1]:,} files are in" if done[1] else "at most the first files are in"
            )
            note(f"simonides: interrupted: {progress_text}; ingest again to go on")
            raise SystemExit(exits.INTERRUPTED) from None
        except StoreError:  # On a full disk, say: what came before it stays.
            if done[0] and not dry_run:
                common.remark(f"simonides: {done[0]:,} of {done[1]:,} files are in; ingest again to go on")
            raise


def _changes(paths: list[str]) -> Iterator[object]:
    """Changes in or below the paths since the last look, until the user stops it; none at first."""
    try:
        from watchfiles import watch  # noqa: PLC0415 - where somebody stays
    except ImportError as error:
        raise ProviderUnavailable(
            "--watch needs the extra `documents`: pip install 'simonides[documents]'"
        ) from error
    # With its first answer, empty or not, it watches.
    yield from watch(*paths, raise_interrupt=False, yield_on_timeout=True, rust_timeout=_LOOK_MS)


def _show(out: Output, report: IngestReport) -> None:
    would = " (a dry run)" if report.dry_run else ""
    counts = (len(report.added), len(report.changed), len(report.removed), report.unchanged)
    out.line("documents: {:,} new, {:,} changed, {:,} gone, {:,} as they were{}".format(*counts, would))
    chunks = (report.chunks_added, report.chunks_changed, report.chunks_removed)
    if any(chunks):
        out.line("chunks: {:,} new, {:,} changed, {:,} gone".format(*chunks))
    if report.dry_run:
        for mark, paths in (("+", report.added), ("~", report.changed), ("-", report.removed)):
            for path in paths[:_SHOWN]:
                out.line(f"{mark} {path}")
            if len(paths) > _SHOWN:
                out.line(f"{mark} … {len(paths) - _SHOWN:,} more")
    for reason, count in sorted(report.left_out.items()):
        out.line(f"left out: {count:,} × {reason}")
    for path, reason in report.refused[:_SHOWN]:
        out.line(f"{path}: {reason}")
    if len(report.refused) > _SHOWN:
        out.line(f"… {len(report.refused) - _SHOWN:,} more; --json names them")
