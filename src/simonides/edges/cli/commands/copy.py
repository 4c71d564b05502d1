"""simonides copy."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simonides.domain.address import address_of, of_tenant, place_of, shown
from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.progress import progress
from simonides.errors import InvalidInput, StoreError

if TYPE_CHECKING:
    from simonides.memory import Memory

app = commands()


@command(
    app,
    "copy",
    example="""\
  simonides copy --db postgresql://app@db/memory --tenant acme --to acme.db
  simonides copy --db acme.db --to postgresql://app@db/memory --tenant acme""",
)
def copy(
    common: Common,
    target: Annotated[
        str,
        typer.Option("--to", metavar="TARGET", help="A file, or the URL of a database.", show_default=False),
    ],
    tenants: Annotated[
        list[str] | None, typer.Option("--tenant", metavar="NAME", help="Whose store it is, in a database.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a copy that was interrupted.")] = False,
) -> None:
    """Copy a store from a database into a file, or back.

    Everything that `export` writes goes over, then both are compared, record by record. Vectors are made anew; the
    audit log and the contexts that were given stay where they are. Nobody should write to either meanwhile.
    """
    if tenants and len(tenants) > 1:
        raise InvalidInput(
            "--tenant is said more than once; write each into the address of its database: ?tenant=NAME"
        )
    tenant = tenants[0] if tenants else None
    there = address_of(target)
    source = common.store(makes=False)
    if isinstance(there, Path):
        there = there.expanduser()
        if isinstance(source, Path):
            raise InvalidInput("one of the two is a database; `simonides backup` copies a file")
        if there.exists() and not resume:
            raise StoreError(
                f"{there} is there already; name another file, or --resume a copy that was interrupted"
            )
    elif isinstance(source, str) and _place(source, tenant) == _place(there, tenant):
        raise InvalidInput(f"{shown(there)} is the store that is copied; name another tenant or database")
    with _opened(source, tenant) as read, _opened(there, tenant) as written:
        if not resume and written.stats()["items"]:
            raise StoreError(
                "the store to copy to holds items already; name an empty one, or --resume a copy"
            )
        if resume and (others := _others(read, written)):
            raise StoreError(
                f"the store to copy to holds {others:,} items that the source lacks, and is no copy of it that was "
                "interrupted; name an empty one"
            )
        with progress(common, "Copying") as advance:
            result = written.load(read.export(), advance, trusted=True)
        reasons = [verdict.reasons for verdict in result.verdicts if verdict.outcome == "rejected"]
        same = _digest(read) == _digest(written)
        answer = {"records": len(result.verdicts), "rejected": len(reasons), "same": same}
    common.answer(answer, lambda out: out.line(f"{answer['records']:,} records copied"))
    if not same:
        common.remark(
            f"simonides: the copy is not the same: {len(reasons):,} records were refused"
            + (f", the first because {reasons[0][0]}" if reasons else "")
            + "; something may have been written meanwhile"
        )
        raise typer.Exit(exits.WRONG)


def _opened(address: Path | str, tenant: str | None) -> Memory:
    """One of the two stores. The keys of the settings are for that which is a file: a database has none."""
    from simonides.config import EncryptionSettings, IntegritySettings, load  # noqa: PLC0415
    from simonides.memory import Memory  # noqa: PLC0415 - the engine is loaded when it is needed

    settings = load()
    if isinstance(address, Path):
        return Memory(address, settings=settings)
    settings = replace(settings, integrity=IntegritySettings(), encryption=EncryptionSettings())
    return Memory(address, tenant=tenant, settings=settings)


def _place(address: str, tenant: str | None) -> str:
    return place_of(address if tenant is None else of_tenant(address, tenant))


def _others(source: Memory, target: Memory) -> int:
    """Number of items of a target that the source lacks."""
    known = {record["id"] for record in source.export() if record["kind"] == "item"}
    return sum(record["kind"] == "item" and record["id"] not in known for record in target.export())


def _digest(memory: Memory) -> str:
    """A hash of everything that an export holds."""
    digest = hashlib.sha256()
    for record in memory.export():
        digest.update(json.dumps(record, ensure_ascii=False, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()
