"""simonides settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Final

import typer

from simonides.domain.tuning import is_tuned
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output, note

app = commands()
#: A user's name and password in an address.
_USER_INFO: Final = re.compile(r"(?<=:)//[^/@]*@")


@command(app, "settings", example="  simonides settings\n  simonides settings --set --json")
def settings(
    common: Common,
    only_set: Annotated[bool, typer.Option("--set", help="Only what is not left at its default.")] = False,
) -> None:
    """Show every setting, and where its value comes from.

    The source is a file, a variable or the default. Keys and passwords are masked. To change a
    setting, edit the file on the first line.
    """
    from simonides.config import load, origins, settings_file, unread_file  # noqa: PLC0415

    set_in = origins()
    values = dict(values_of(load()))
    rows = {
        name: {"value": value, "from": origin}
        for name, value in values.items()
        if (origin := origin_of(name, set_in)) is not None or not only_set
    }
    file, lost = settings_file(), unread_file()
    answer = {"file": str(file), "exists": file.exists(), "unread": lost and str(lost), "settings": rows}

    def show(out: Output) -> None:
        out.fields({"file": f"{file}" if file.exists() else f"{file} (not there)"})
        out.line()
        out.table(
            ("setting", "from", "value"),
            [(name, row["from"] or "default", _written(row["value"])) for name, row in rows.items()],
        )
        if lost is not None:
            note(f"{lost} is not read; if it is yours, name it: SIMONIDES_CONFIG={lost}")

    common.answer(answer, show)


def values_of(tree: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted names and values, fit for JSON, of a tree of settings."""
    for field in fields(tree):
        if is_tuned(field):
            continue
        value, name = getattr(tree, field.name), where + field.name
        if is_dataclass(value):
            yield from values_of(value, f"{name}.")
        elif field.name in {"api_key", "key"}:
            yield name, None if value is None else "***"
        elif isinstance(value, str):
            yield name, _USER_INFO.sub("//***@", value)
        else:
            yield name, value


def origin_of(name: str, origins: Mapping[str, str]) -> str | None:
    """Origin of a setting: its own, or that of a provider's short form."""
    return origins.get(name) or origins.get(name.rpartition(".")[0])


def _written(value: object) -> str:
    return "–" if value is None or value == "" else str(value)
