"""simonides migrate."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common

app = commands()


@command(app, "migrate", example="  simonides migrate --db postgresql://owner@db/memory --role app")
def migrate(
    common: Common,
    role: Annotated[
        str | None,
        typer.Option(
            "--role", metavar="NAME", help="Who reads and writes from now on; made where there is none."
        ),
    ] = None,
    tenants: Annotated[
        list[str] | None,
        typer.Option("--tenant", metavar="NAME", help="A store to be there afterwards; repeatable."),
    ] = None,
) -> None:
    """Prepare a PostgreSQL database for this release.

    The owner of the tables does it. A database that is prepared already is left as it is; a file needs none of this.
    """
    from simonides import migrate_store  # noqa: PLC0415 - the engine is loaded when it is needed

    address = str(common.address())
    version = migrate_store(address, role=role, tenants=tenants or ())
    answer = {"schema": version, "tenants": tenants or []}
    common.answer(answer, lambda out: out.line(f"the database is at schema {version}"))
