"""simonides mcp."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions

app = commands()


@command(
    app,
    "mcp",
    example="""\
  simonides mcp --user ana
  simonides mcp --user ana --project apollo --profile full""",
)
def mcp(
    common: Common,
    place: ScopeOptions,
    profile: Annotated[
        str, typer.Option(metavar="NAME", help="Tools to offer: core, full or connector.")
    ] = "core",
    trust_client: Annotated[
        bool,
        typer.Option("--trust-client", help="The client asks its user at each call: that is their word."),
    ] = False,
) -> None:
    """Serve clients of the Model Context Protocol (MCP).

    The client starts this command itself and speaks to it over standard streams. All that it reads and writes is
    bound to the scope.
    """
    from simonides.domain.scope import Scope  # noqa: PLC0415
    from simonides.errors import InvalidInput, NotInstalled  # noqa: PLC0415

    try:
        from simonides.edges.mcp.caller import Caller  # noqa: PLC0415
        from simonides.edges.mcp.profiles import ToolProfile  # noqa: PLC0415
        from simonides.edges.mcp.server import server  # noqa: PLC0415
        from simonides.edges.mcp.stdio import serve  # noqa: PLC0415
    except ImportError as error:
        raise NotInstalled.of(error.name or "mcp", extra="mcp") from error
    if profile not in set(ToolProfile):
        raise InvalidInput(f"--profile is one of {', '.join(ToolProfile)}, not {profile!r}")
    scope = place.path or Scope("global")
    with common.memory(makes=True) as memory:
        caller = Caller.of(memory, scope, trust_client=trust_client)
        serve(server(lambda _: caller, ToolProfile(profile)))
