"""simonides serve."""

from __future__ import annotations

import webbrowser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simonides.edges.cli.access import access_to, worded_as_typed
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.edges.cli.output import Output
from simonides.ending import stopping
from simonides.reserve import Reserve
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.edges.http.access import Access
    from simonides.edges.server.team import Serving
    from simonides.memory import Memory

app = commands()
#: Scope of the sample conversation.
_SAMPLE: str = "project:marrow-hill"


@dataclass(frozen=True)
class ServeOptions:
    """Options of what is served, and by whom."""

    open_: Annotated[bool, typer.Option("--open", help="Show the page in the browser.")] = False
    sample: Annotated[
        bool, typer.Option("--sample", help="Serve a store of its own with a sample conversation.")
    ] = False
    upkeep: Annotated[
        bool, typer.Option("--upkeep/--no-upkeep", help="Keep the schedule of upkeep meanwhile.")
    ] = True
    upstream: Annotated[
        str | None, typer.Option(metavar="URL", help="Server of a model, whose chats are given memory, too.")
    ] = None
    workers: Annotated[
        int,
        typer.Option(
            min=1, max=64, metavar="N", help="Processes that answer; more than one for many clients at once."
        ),
    ] = 1


@dataclass(frozen=True)
class Address:
    """Address of the server, and the callers that it lets in."""

    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1"
    port: Annotated[
        int, typer.Option(min=0, max=65_535, metavar="N", help="Where to listen; 0 for a free one.")
    ] = 11436
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="File of tokens; created if missing. Default: beside the store."),
    ] = None
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A further name that clients use; repeatable.")
    ] = None  # fmt: skip
    allow_origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="A web page that may ask; repeatable.")
    ] = None  # fmt: skip

    def access(self, place: ScopeOptions, common: Common) -> tuple[Access, Path | None]:
        """Access rules, and the file of tokens."""
        from simonides.domain.scope import Scope  # noqa: PLC0415

        return access_to(
            self.host,
            self.token_file or common.state_path().with_suffix(".token"),
            place.path or Scope("global"),
            common,
            hosts=",".join(self.allow_host or ()),
            origins=",".join(self.allow_origin or ()),
        )


@command(
    app,
    "serve",
    example="""\
  simonides serve --open
  simonides serve --db notes.db --port 8080 --user ana
  simonides serve --upstream http://localhost:11434 --workers 2
  simonides serve --sample""",
)
def serve(common: Common, how: ServeOptions, place: ScopeOptions, where: Address) -> None:
    """Serve people and agents: REST, MCP and a page.

    The address that is printed signs a browser in. Programs send the token of the file as `Authorization: Bearer`.
    Stop it with Ctrl-C.
    """
    try:
        from simonides.edges.http.serve import address, listening  # noqa: PLC0415
        from simonides.edges.server.state import ServerState  # noqa: PLC0415
        from simonides.edges.server.team import Serving  # noqa: PLC0415
    except ImportError as error:
        from simonides.errors import NotInstalled  # noqa: PLC0415

        raise NotInstalled.of(error.name or "starlette", extra="server") from error
    if how.sample and common.db is None:
        common = replace(common, db=str(_sample_store()))
    with ExitStack() as opened:
        opened.enter_context(stopping())
        bound = opened.enter_context(listening(where.host, where.port))
        with common.memory(makes=True) as memory:
            access, token_file = where.access(place, common)
            if how.sample:
                _remember_sample(memory)
            with worded_as_typed(how.upstream):
                proxy = (
                    None if how.upstream is None else replace(memory.settings.proxy, upstream=how.upstream)
                )
            beside, address_of_store = common.state_path(), common.store(makes=True)
            reserve = Reserve(beside)
            if not isinstance(address_of_store, Path):  # A file has it already.
                reserve.make()
            serving = Serving(
                store=address_of_store,
                state=ServerState.beside(beside),
                access=access,
                upkeep=how.upkeep,
                proxy=proxy,
                reserve=reserve,
            )
            started = _addresses(address(where.host, bound), serving) | {
                "db": common.store_name(memory),
                "scope": str(place.path or "global"),
                "token_file": str(token_file),
            }
            common.answer(started, lambda out: _tell(out, started))
            if how.open_ and not webbrowser.open(started["page"]):
                common.remark("no browser was found; open the address in one")
            if how.workers == 1:
                from simonides.edges.server.serving import serve  # noqa: PLC0415

                serve(serving, memory, bound, remark=common.remark)
        if how.workers > 1:
            from simonides.edges.server.workers import ServerWorkers  # noqa: PLC0415

            ServerWorkers(how.workers, serving, bound, common.remark).keep()
    common.remark("stopped; what was said is kept")


def _addresses(url: str, serving: Serving) -> dict[str, Any]:
    """Addresses that the start tells."""
    upstream = None
    if serving.proxy is not None:
        from simonides.edges.http.upstream import shown  # noqa: PLC0415 - brings httpx along

        upstream = shown(serving.proxy.upstream)
    page = f"{url}/?token={serving.access.credentials[0].token}"
    return {"url": url, "page": page, "upstream": upstream}


def _tell(out: Output, started: dict[str, Any]) -> None:
    out.line(out.paint(f"simonides serves {started['db']}", "bold"))
    out.fields(
        {
            "page": started["page"],
            "REST": f"{started['url']}/v1, described in {started['url']}/v1/openapi.json",
            "MCP": f"{started['url']}/mcp",
            "chats": started["upstream"] and f"{started['url']}/v1, answered by {started['upstream']}",
            "scope": started["scope"],
            "token": f"in {started['token_file']}; programs send it as Authorization: Bearer",
        }
    )


def _sample_store() -> Path:
    """The store of the sample, which is never the user's own."""
    import platformdirs  # noqa: PLC0415

    folder = Path(platformdirs.user_data_dir("simonides"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "sample.db"


def _remember_sample(memory: Memory) -> None:
    """Record the sample conversation, where the store holds nothing yet."""
    from simonides.domain.scope import ALL  # noqa: PLC0415
    from simonides.sample import load_sample  # noqa: PLC0415

    if memory.list(scope=ALL, limit=1):
        return
    for session in load_sample().sessions:
        memory.add([turn.to_message() for turn in session.turns], scope=_SAMPLE, session_id=session.id)
