"""simonides bench."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.errors import InvalidInput

app = commands()


@command(
    app,
    "bench",
    example="""\
  simonides bench
  simonides bench locomo --data benchmarks/data --json""",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def bench(
    ctx: typer.Context,
    common: Common,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A benchmark; without one they are listed.")
    ] = None,
    data: Annotated[str | None, typer.Option(metavar="DIR", help="Where its data lies.")] = None,
) -> None:
    """Measure; further arguments are the benchmark's own."""
    from simonides.bench import BENCHES  # noqa: PLC0415

    if name is None:
        rows = [(known, found.help) for known, found in BENCHES.items()]
        common.answer(
            dict(rows), lambda out: out.table(("benchmark", "what it measures"), rows), list(BENCHES)
        )
        return
    if name not in BENCHES:
        raise InvalidInput(f"there is no benchmark {name!r}; use one of {', '.join(BENCHES)}")
    # A bench writes its own table, or its result as JSON.
    BENCHES[name].run([*_given(data, as_json=common.as_json), *ctx.args])


def _given(data: str | None, *, as_json: bool) -> list[str]:
    return [*([] if data is None else ["--data", data]), *(["--json"] if as_json else [])]
