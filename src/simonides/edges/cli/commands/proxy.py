"""simonides proxy."""

from __future__ import annotations

from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.access import access_to, worded_as_typed
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.edges.cli.output import Output
from simonides.ending import stopping
from simonides.values import dataclass

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from simonides.config import ProxySettings, Settings
    from simonides.edges.http.access import Access
    from simonides.memory import Memory

app = commands()


@dataclass(frozen=True)
class Listening:
    """Address and upstream of the proxy; what is not given comes from the settings."""

    upstream: Annotated[
        str | None, typer.Option(metavar="URL", help="The model's server.", show_default="http://localhost:11434")
    ] = None  # fmt: skip
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65_535, metavar="N", help="Where to listen; 0 for a free one.", show_default="11435"
        ),
    ] = None
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen.", show_default="127.0.0.1")
    ] = None
    token_file: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Require a token from this file; created if missing.")
    ] = None  # fmt: skip
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A further name that clients use; repeatable.")
    ] = None  # fmt: skip
    user_header: Annotated[
        str | None, typer.Option(metavar="NAME", help="Header in which a trusted chat server names its user.")
    ] = None  # fmt: skip
    session_header: Annotated[
        str | None, typer.Option(metavar="NAME", help="Header in which clients name the conversation.")
    ] = None  # fmt: skip
    allow_origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="A web page that may ask; repeatable.")
    ] = None  # fmt: skip

    def over(self, settings: ProxySettings) -> ProxySettings:
        """The settings with what was given."""
        from dataclasses import replace  # noqa: PLC0415

        given = {
            "upstream": self.upstream,
            "port": self.port,
            "host": self.host,
            "user_header": self.user_header,
            "session_header": self.session_header,
        }
        joined = {
            "hosts": ",".join([settings.hosts, *(self.allow_host or [])]),
            "origins": ",".join([settings.origins, *(self.allow_origin or [])]),
        }
        with worded_as_typed(self.upstream):
            return replace(
                settings, **joined, **{name: value for name, value in given.items() if value is not None}
            )


@command(
    app,
    "proxy",
    example="""\
  simonides proxy --upstream http://localhost:11434 --scope user:ana
  simonides proxy --upstream https://api.openai.com --tools --check""",
)
def proxy(
    common: Common,
    place: ScopeOptions,
    listening: Listening,
    *,
    mode: Annotated[
        str | None, typer.Option(metavar="MODE", help="inject, catalog, hybrid, tools-only or off.")
    ] = None,
    tools: Annotated[
        bool, typer.Option("--tools", help="Offer memory's tools even if the client offers none.")
    ] = False,
    mcp: Annotated[bool, typer.Option("--mcp", help="Serve MCP at /mcp, too.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Check store and server, then exit.")] = False,
) -> None:
    """Give any client of Ollama, OpenAI or Anthropic a memory.

    The client talks to the proxy as it did to the server of its model. Stop it with Ctrl-C.
    """
    from simonides.domain.scope import Scope  # noqa: PLC0415

    _require_server()
    settings = _settings(listening, tools=tools)
    chosen = _mode(mode)
    key = settings.proxy.secret()
    access, token_file = access_to(
        settings.proxy.host,
        listening.token_file,
        place.path or Scope("global"),
        common,
        hosts=settings.proxy.hosts,
        origins=settings.proxy.origins,
    )
    if check:
        _check(common, settings, key)
        return
    with stopping():  # Broken off, by a second signal perhaps, it does not know what was still to be kept.
        failures = _serve(common, settings, access, token_file, key=key, mode=chosen, mcp=mcp)
        common.remark(
            f"stopped; {failures:,} times something could not be kept, as said above"
            if failures
            else "stopped; what was said is kept"
        )


def _require_server() -> None:
    """See that what the server needs is installed, before anything is made for it."""
    from simonides.errors import NotInstalled  # noqa: PLC0415

    try:
        for name in ("simonides.agent.process", "simonides.edges.http.proxy"):
            import_module(name)
    except ImportError as error:
        raise NotInstalled.of(error.name or "starlette", extra="server") from error


def _settings(listening: Listening, *, tools: bool) -> Settings:
    from dataclasses import replace  # noqa: PLC0415

    from simonides.config import load  # noqa: PLC0415

    settings = load()
    proxy = listening.over(settings.proxy)
    return replace(settings, proxy=replace(proxy, tools="always") if tools else proxy)


def _serve(
    common: Common,
    settings: Settings,
    access: Access,
    token_file: Path | None,
    *,
    key: str | None,
    mode: Any,
    mcp: bool,
) -> int:
    """Serve until stopped; how often something could not be kept."""
    from simonides.agent.process import MiddlewareProcess  # noqa: PLC0415
    from simonides.edges.http import serve  # noqa: PLC0415
    from simonides.edges.http.proxy import application  # noqa: PLC0415
    from simonides.edges.http.upstream import shown  # noqa: PLC0415

    bound = serve.listening(settings.proxy.host, settings.proxy.port)
    address = serve.address(settings.proxy.host, bound)
    with MiddlewareProcess(common.store(makes=True), settings.middleware) as middleware:
        report = {
            "url": address,
            "openai_base_url": f"{address}/v1",
            "ollama_host": address,
            "upstream": shown(settings.proxy.upstream),
            "db": middleware.path,
            "scope": str(access.bound.scope),
            "mode": mode or settings.middleware.mode,
            "token_file": None if token_file is None else str(token_file),
        }
        common.answer(report, lambda out: _tell(out, report))
        served = application(middleware, settings.proxy, access=access, key=key, mode=mode)
        with ExitStack() as opened:
            app = _with_mcp(served, opened.enter_context(common.memory()), access) if mcp else served
            serve.Server(app, bound).listen()
    return served.state.failures()


def _with_mcp(served: Starlette, memory: Memory, access: Access) -> Starlette:
    """The proxy with a door for clients of MCP beside it, under the same rules."""
    from simonides.errors import NotInstalled  # noqa: PLC0415

    try:
        from simonides.edges.mcp.http import Door, application  # noqa: PLC0415
    except ImportError as error:
        raise NotInstalled.of(error.name or "mcp", extra="mcp") from error
    return application(Door(memory, access), served)


def _mode(named: str | None) -> Any:
    from simonides.config import Mode  # noqa: PLC0415
    from simonides.errors import InvalidInput  # noqa: PLC0415

    if named is not None and named not in set(Mode):
        raise InvalidInput(f"--mode is one of {', '.join(Mode)}, not {named!r}")
    return None if named is None else Mode(named)


def _check(common: Common, settings: Settings, key: str | None) -> None:
    """Check that the store opens and the upstream answers; exit with 5 if it does not."""
    from simonides.edges.http.check import check  # noqa: PLC0415
    from simonides.edges.http.upstream import shown  # noqa: PLC0415

    with common.memory(makes=True) as memory:
        path = common.store_name(memory)
    checks = check(settings.proxy, key)
    answer = {
        "memory": path,
        "upstream": shown(settings.proxy.upstream),
        "answers": checks.answers,
        "says": checks.says,
    }
    common.answer(answer, lambda out: out.fields(answer))
    if not checks.answers:
        raise typer.Exit(exits.PROVIDER)


def _tell(out: Output, report: dict[str, Any]) -> None:
    out.line(out.paint(f"simonides proxy listens on {report['url']}", "bold"))
    out.fields(
        {
            "for": report["upstream"],
            "OpenAI clients": f"base_url {report['openai_base_url']}",
            "Anthropic clients": f"ANTHROPIC_BASE_URL={report['url']}",
            "Ollama clients": f"OLLAMA_HOST={report['ollama_host']}",
            "memory": report["db"],
            "scope": report["scope"],
            "mode": report["mode"],
            "token": f"in {report['token_file']}; send it as the API key or X-Simonides-Token"
            if report["token_file"]
            else None,
        }
    )
