"""simonides mcp."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simonides.edges.cli.access import access_to
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.ending import stopping
from simonides.errors import InvalidInput, NotInstalled
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.edges.mcp.profiles import ToolProfile

app = commands("Serve clients of the Model Context Protocol (MCP).")


@dataclass(frozen=True)
class HttpOptions:
    """Serving over HTTP instead of standard streams."""

    http: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve over HTTP at /mcp; port 0 for a free one.")
    ] = None  # fmt: skip
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="With --http: require a token from this file; created if missing."),
    ] = None
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="With --http: a further name that clients use; repeatable."),
    ] = None
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="With --http: a web page that may ask; repeatable."),
    ] = None

    def address(self) -> tuple[str, int] | None:
        """Host and port; None for standard streams.

        Raises:
            InvalidInput: It is no address, or something is given that is for HTTP only.
        """
        if self.http is None:
            if self.token_file or self.allow_host or self.allow_origin:
                raise InvalidInput("--token-file, --allow-host and --allow-origin go with --http HOST:PORT")
            return None
        host, colon, port = self.http.rpartition(":")
        if not colon or not port.isdecimal() or int(port) > 65535:
            raise InvalidInput(f"--http is an address such as 127.0.0.1:8080, not {self.http!r}")
        return host.strip("[]") or "127.0.0.1", int(port)


@dataclass(frozen=True)
class OfferOptions:
    """Tools that a client is offered, and how far it speaks for its user."""

    profile: Annotated[
        str, typer.Option(metavar="NAME", help="Tools to offer: core, full, admin or connector.")
    ] = "core"
    trust_client: Annotated[
        bool,
        typer.Option("--trust-client", help="The client asks its user at each call: that is their word."),
    ] = False

    def chosen(self) -> ToolProfile:
        """The profile.

        Raises:
            NotInstalled: What MCP needs is missing.
            InvalidInput: There is no such profile.
        """
        try:
            from simonides.edges.mcp.profiles import ToolProfile  # noqa: PLC0415
        except ImportError as error:
            raise NotInstalled.of(error.name or "mcp", extra="mcp") from error
        if self.profile not in set(ToolProfile):
            raise InvalidInput(f"--profile is one of {', '.join(ToolProfile)}, not {self.profile!r}")
        return ToolProfile(self.profile)


@command(
    app,
    "mcp",
    example="""\
  simonides mcp --user ana
  simonides mcp --user ana --project apollo --profile full
  simonides mcp --http 127.0.0.1:8080 --user ana""",
    own=True,
)
def mcp(
    common: Common,
    place: ScopeOptions,
    over: HttpOptions,
    offered: OfferOptions,
) -> None:
    """Serve clients of the Model Context Protocol (MCP).

    The client starts this command itself and speaks to it over standard streams. All that it reads and writes is
    bound to the scope.
    """
    from simonides.domain.scope import Scope  # noqa: PLC0415

    scope, chosen, trust_client = place.path or Scope("global"), offered.chosen(), offered.trust_client
    if (address := over.address()) is not None:
        _over_http(common, scope, chosen, over, *address, trust_client=trust_client)
        return
    from simonides.by_hand import store_options  # noqa: PLC0415
    from simonides.config import user_store  # noqa: PLC0415
    from simonides.edges.mcp.caller import Caller  # noqa: PLC0415
    from simonides.edges.mcp.server import server  # noqa: PLC0415
    from simonides.edges.mcp.stdio import serve  # noqa: PLC0415

    with stopping(), common.memory(makes=True) as memory:
        caller = Caller.of(
            memory,
            scope,
            trust_client=trust_client,
            profile=chosen,
            # A person's shell has not the settings by which a client starts this.
            store_options=store_options(memory.path, user_store()),
        )
        if sys.stdin.isatty():
            common.remark("a client is to speak here; `simonides mcp install` tells it so, Ctrl-C ends this")
        serve(server(lambda _: caller, chosen))


def _over_http(
    common: Common, scope: Any, profile: Any, over: HttpOptions, host: str, port: int, *, trust_client: bool
) -> None:
    from simonides.edges.http import serve  # noqa: PLC0415
    from simonides.edges.mcp.http import PATH, Door, application  # noqa: PLC0415

    access, token_file = access_to(
        host,
        over.token_file,
        scope,
        common,
        hosts=",".join(over.allow_host or ()),
        origins=",".join(over.allow_origin or ()),
    )
    bound = serve.listening(host, port, ["--http"])
    with stopping(), common.memory(makes=True) as memory:
        report = {
            "url": f"{serve.address(host, bound)}{PATH}",
            "db": common.store_name(memory),
            "scope": str(scope),
            "token_file": None if token_file is None else str(token_file),
        }
        common.answer(report, lambda out: out.fields(report))
        door = Door(memory, access, profile, trust_client=trust_client)
        serve.Server(application(door), bound).listen()
    common.remark("stopped")


@command(
    app,
    "install",
    example="""\
  simonides mcp install --client claude-desktop --user ana --dry-run
  simonides mcp install --client vscode --user ana --project apollo""",
)
def install(
    common: Common,
    place: ScopeOptions,
    offered: OfferOptions,
    client: Annotated[
        str,
        typer.Option(metavar="NAME", help="claude-desktop, claude-code, cursor, vscode, codex or zed."),
    ],
    file: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Its configuration, where it is not the user's own."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change only.")] = False,
) -> None:
    """Write this server into a client's configuration.

    Nothing else in the file is changed, and the former one is kept beside it. The scope is the one that is given here.
    """
    from simonides.edges.cli.changes import carry_out  # noqa: PLC0415
    from simonides.edges.install.change import FileChange, text_of  # noqa: PLC0415
    from simonides.edges.install.clients import CLIENTS, own_command  # noqa: PLC0415

    if client not in CLIENTS:
        raise InvalidInput(f"--client is one of {', '.join(CLIENTS)}, not {client!r}")
    offered.chosen()  # What the client could not start is not written.
    chosen = CLIENTS[client]
    stored, where = common.installed()
    line = [*own_command(), "mcp", *stored, *_options(place, offered)]
    path = (file or chosen.file()).expanduser()
    before = text_of(path)
    try:
        change = FileChange(path, before, chosen.with_server(before or "", line))
    except InvalidInput as error:
        raise InvalidInput(f"{path} cannot be changed: {error}; the command is: {' '.join(line)}") from error
    carry_out(common, [change], dry_run=dry_run)
    anew = change.needed and not dry_run
    common.remark(f"start {client} anew, and it has a memory; {where}" if anew else where)


def _options(place: ScopeOptions, offered: OfferOptions) -> list[str]:
    """Options of the server that were given beside its store, for its command line."""
    options: list[str] = []
    if place.path is not None:
        options += ["--scope", str(place.path)]
    if offered.profile != "core":
        options += ["--profile", offered.profile]
    return [*options, "--trust-client"] if offered.trust_client else options
