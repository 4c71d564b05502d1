"""simonides documents."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from simonides.domain.document import citation
from simonides.edges.cli import exits, retraction
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions, Unasked
from simonides.edges.cli.output import Output
from simonides.edges.cli.render import moment
from simonides.errors import NotFound

app = commands("Documents that were ingested, and their corpora.")

_Corpus = Annotated[str, typer.Argument(metavar="CORPUS", help="Its name.")]
_Path = Annotated[str, typer.Argument(metavar="PATH", help="Such as guide/start.md.")]
_SHOWN: Final = 20


@command(app, "corpora", example="  simonides documents corpora --project apollo")
def corpora(common: Common, place: ScopeOptions) -> None:
    """List the corpora of a scope."""
    with common.memory(reads=True) as memory:
        corpora = memory.documents.corpora(scope=place.path)
    common.table(
        corpora,
        ("corpus", "documents", "chunks", "injectable"),
        lambda one: (one.name, str(one.documents), str(one.chunks), "yes" if one.injectable else "no"),
        lambda one: one.name,
        empty="there is none; `simonides ingest` makes one",
    )


@command(
    app,
    "corpus",
    example="""\
  simonides documents corpus handbook --injectable
  simonides documents corpus handbook-2 --parent handbook""",
)
def corpus(
    common: Common,
    place: ScopeOptions,
    name: _Corpus,
    label: Annotated[str | None, typer.Option(metavar="TEXT", help="What people call it.")] = None,
    parent: Annotated[
        str | None, typer.Option(metavar="NAME", help="The corpus that it is a version of.")
    ] = None,
    injectable: Annotated[
        bool | None,
        typer.Option("--injectable/--not-injectable", help="Whether its chunks go into prompts unasked."),
    ] = None,
) -> None:
    """Say what a corpus is; make it if there is none."""
    with common.memory(makes=True) as memory:
        corpus = memory.documents.corpus(
            name, scope=place.path, label=label, parent=parent, injectable=injectable, actor="cli"
        )
    common.answer(corpus.to_dict(), lambda out: out.fields(corpus.to_dict()), [corpus.name])


@command(app, "list", example="  simonides documents list handbook guide")
def list_(
    common: Common,
    place: ScopeOptions,
    name: _Corpus,
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="Only in and below this one.")] = "",
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most documents.")] = 50,
) -> None:
    """List the documents of a corpus."""
    with common.memory(reads=True) as memory:
        documents = common.first(
            lambda most: memory.documents.list(name, folder, scope=place.path, limit=most), limit
        )
    common.table(
        documents,
        ("path", "kind", "chunks", "read"),
        lambda one: (one.path, one.kind, str(one.chunks), moment(one.ingested_at)),
        lambda one: one.item_id,
        empty="there is none",
    )


@command(
    app,
    "show",
    example="  simonides documents show handbook guide/start.md",
    context_settings={"ignore_unknown_options": True},  # A file may be called "-b.md".
)
def show(common: Common, place: ScopeOptions, name: _Corpus, path: _Path) -> None:
    """Show a document in its chunks, each with its lines."""
    with common.memory(reads=True) as memory:
        document = memory.documents.get(name, path, scope=place.path)
        if document is None:
            raise NotFound(f"the corpus {name!r} holds no document {path!r}")
        chunks = memory.documents.chunks(name, path, scope=place.path)
        versions = memory.documents.history(name, path, scope=place.path)

    def text(out: Output) -> None:
        lines = f"{document.lines:,} line{'' if document.lines == 1 else 's'}"
        out.line(f"{document.path}  {document.kind}  {lines}  version {len(versions)}")
        for chunk in chunks:
            out.line(f"{citation(chunk)}  {chunk.title}")
        for refused in document.refused:
            out.line(f"not in it: {refused}")

    parts = [{"id": chunk.id, "citation": citation(chunk), "title": chunk.title} for chunk in chunks]
    common.answer(document.to_dict() | {"parts": parts}, text, [chunk.id for chunk in chunks])


@command(
    app,
    "delete",
    example="""\
  simonides documents delete handbook guide/start.md
  simonides documents delete handbook""",
)
def delete(
    common: Common,
    place: ScopeOptions,
    name: _Corpus,
    path: Annotated[str | None, typer.Argument(metavar="[PATH]", help="Only this document.")] = None,
) -> None:
    """Archive a document, or a corpus with all that it holds."""
    with common.memory() as memory:
        gone = memory.documents.delete(name, path, scope=place.path, actor="cli")
    common.answer(gone, lambda out: out.line(f"{gone:,} archived"))
    if path is not None and not gone:
        common.remark(f"there is no document {path} in {name}; `simonides documents list {name}` shows them")
        raise typer.Exit(exits.NOT_FOUND)


@command(
    app,
    "purge",
    example="""\
  simonides documents purge handbook guide/start.md --yes
  simonides documents purge handbook""",
)
def purge(
    common: Common,
    place: ScopeOptions,
    name: _Corpus,
    path: Annotated[str | None, typer.Argument(metavar="[PATH]", help="Only this document.")] = None,
    yes: Unasked = False,
) -> None:
    """Delete a document, or a corpus, with every trace. This cannot be undone.

    Former versions go, too, and what was made from them. Asks first; without a terminal, --yes is required.
    """
    with common.memory() as memory:
        what = f"everything that {name} holds and held" if path is None else f"{name} {path}"
        retraction.require_purge_agreed(yes, lambda: what)
        gone = memory.documents.purge(name, path, scope=place.path, actor="cli")
    retraction.show_purged(common, gone)
    if not any(gone.values()):
        common.remark("there was nothing of it; `simonides documents corpora` shows what there is")
        raise typer.Exit(exits.NOT_FOUND)


@command(app, "compare", example="  simonides documents compare handbook handbook-2")
def compare(
    common: Common,
    place: ScopeOptions,
    first: _Corpus,
    second: Annotated[str, typer.Argument(metavar="OTHER", help="The corpus beside it.")],
    link: Annotated[
        bool, typer.Option("--link", help="Link its chunks to what they were in the first.")
    ] = False,
) -> None:
    """Tell two corpora apart, chunk by chunk."""
    with common.memory(reads=not link) as memory:
        if link:
            pairs = memory.documents.relate(first, second, scope=place.path, actor="cli")
        else:
            pairs = memory.documents.compare(first, second, scope=place.path)

    def text(out: Output) -> None:
        out.line(
            f"{len(pairs.added):,} added, {len(pairs.removed):,} removed, {len(pairs.modified):,} modified, "
            f"{pairs.unchanged:,} unchanged; drift {pairs.drift:.1%}"
        )
        marked = [f"+ {one}" for one in pairs.added] + [f"- {one}" for one in pairs.removed]
        marked += [f"~ {one} → {other}" for one, other in pairs.modified]
        for line in marked[:_SHOWN]:
            out.line(line)
        if len(marked) > _SHOWN:
            out.line(f"… {len(marked) - _SHOWN:,} more; --json names them")

    common.answer(pairs.to_dict(), text)
