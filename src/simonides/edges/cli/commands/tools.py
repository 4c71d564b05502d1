"""simonides tools."""

from __future__ import annotations

from typing import Annotated, Any, cast

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.inputs import json_value, text_or_stdin
from simonides.edges.cli.options import Common
from simonides.errors import InvalidInput

app = commands("Tools that a model is offered, called by hand.")


@command(app, "list", example="  simonides tools list --json")
def list_(common: Common) -> None:
    """List the tools; with --json their schemas."""
    from simonides.agent.tools import Tools  # noqa: PLC0415

    with common.memory(makes=True) as memory:
        tools = Tools(memory)
        names, schemas = tools.names(), tools.schemas()
    common.answer(schemas, lambda out: out.line("\n".join(names)), names)


@command(
    app,
    "call",
    example="""\
  simonides tools call memory.search '{"query": "walnuts"}'
  simonides tools call memory.propose - < proposal.json""",
)
def call(
    common: Common,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A tool's name.")],
    arguments: Annotated[
        str | None, typer.Argument(metavar="JSON", help="An object; - or a pipe: standard input.")
    ] = None,
) -> None:
    """Call a tool as a model would; the answer is JSON."""
    from simonides.agent.tools import Tools  # noqa: PLC0415

    given = json_value(text_or_stdin(arguments, "the arguments as a JSON object"), "the arguments")
    if not isinstance(given, dict):
        raise InvalidInput('the arguments are a JSON object, such as {"query": "walnuts"}')
    with common.memory(makes=True) as memory:
        tools = Tools(memory, store_options=common.store_options())
        result = tools.call(name, cast("dict[str, Any]", given))
    common.out.json(result)
    if "error" in result:
        raise typer.Exit(exits.code_named(str(result["error"].get("code"))))
