"""simonides rekey."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common

app = commands()


@command(app, "rekey", example="  simonides rekey --former-key-file ~/keys/2025.key")
def rekey(
    common: Common,
    former: Annotated[
        Path | None,
        typer.Option("--former-key-file", metavar="FILE", help="Holds the key that the store is under now."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Take the key of the settings away.")] = False,
) -> None:
    """Encrypt the store with the key of the settings.

    It is written anew, with its archive file; no other program may have it open. Backups and copies stay as they are.
    """
    from simonides import rekey_store  # noqa: PLC0415 - the engine is loaded when it is needed
    from simonides.config import key_in, load  # noqa: PLC0415

    path = common.existing_path()
    before = None if former is None else key_in(former, "--former-key-file")
    changed = rekey_store(path, load(), former=before, plain=plain)
    state = "in clear text" if plain else "encrypted with the key of the settings"
    done = f"{path} is {state}" if changed else f"{path} is {state} already"
    common.answer({"rekeyed": [str(file) for file in changed]}, lambda out: out.line(done))
