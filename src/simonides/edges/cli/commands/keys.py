"""simonides keys."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.edges.cli.render import moment
from simonides.errors import InvalidInput
from simonides.reserve import Reserve

if TYPE_CHECKING:
    from simonides.edges.cli.output import Output
    from simonides.edges.server.state import Key, ServerState

app = commands("Keys of `simonides serve`.")
_DAYS = {"d": 1, "w": 7, "y": 365}


@command(
    app,
    "create",
    example="""\
  simonides keys create laptop --user ana --role writer --expires 90d
  simonides keys create dashboard --role reader --rate 600
  simonides keys create acme --tenant acme --role admin""",
)
def create(
    common: Common,
    place: ScopeOptions,
    name: Annotated[str, typer.Argument(metavar="NAME", help="To know it again.")],
    role: Annotated[str, typer.Option(metavar="ROLE", help="reader, writer, reviewer or admin.")] = "reader",
    narrower: Annotated[
        bool, typer.Option("--narrower", help="Also for scopes within its own, and all that these see.")
    ] = False,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it ends: 90d, 12w, 1y, or a date.")
    ] = None,
    rate: Annotated[int | None, typer.Option(min=1, metavar="N", help="Most requests a minute.")] = None,
    quota: Annotated[int | None, typer.Option(min=1, metavar="N", help="Most requests a day.")] = None,
    tenant: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Whose memory it is for, in a database; else the server's own."),
    ] = None,
) -> None:
    """Make a key, and show it this once: only its hash is kept.

    It is bound to one scope. A reader reads; a writer adds and changes; a reviewer decides what waits and
    runs upkeep; an admin purges and copies everything.
    """
    from simonides.domain.scope import Scope  # noqa: PLC0415
    from simonides.edges.http.tokens import Role  # noqa: PLC0415
    from simonides.edges.server.state import NewKey  # noqa: PLC0415

    if role not in set(Role):
        raise InvalidInput(f"--role is one of {', '.join(Role)}, not {role!r}")
    wanted = NewKey(
        name=name,
        scope=place.path or Scope("global"),
        role=Role(role),
        narrows=narrower,
        rate=rate,
        quota=quota,
        expires_at=None if expires is None else _end(expires),
        tenant=tenant,
    )
    if tenant is not None:
        _require_tenant(common, tenant)
    with closing(_state(common)) as state:
        known = state.keys()
        namesakes = [one.id for one in known if one.name == name.strip() and one.revoked_at is None]
        key, token = state.create(wanted)
    report = key.to_dict() | {"key": token}

    def show(out: Output) -> None:
        out.line(out.paint(token, "bold"))
        out.line(f"{key.role} in {_scope(key)}; send it as Authorization: Bearer. It is not shown again.")

    common.answer(report, show, [token])
    if namesakes:
        common.remark(
            f"{key.name} is the name of {', '.join(namesakes)}, too: this one is revoked as {key.id}"
        )


@command(app, "list", example="  simonides keys list")
def list_(common: Common) -> None:
    """Show every key, and which still work."""
    import time  # noqa: PLC0415

    from simonides.domain.instant import SECOND_US  # noqa: PLC0415

    with closing(_state(common)) as state:
        keys = state.keys()
    now = int(time.time() * SECOND_US)
    rows = [(key.id, key.name, key.role.value, _scope(key), _until(key, now)) for key in keys]
    common.answer(
        [key.to_dict() for key in keys],
        lambda out: (
            out.table(("id", "name", "role", "scope", "until"), rows)
            if rows
            else out.line(out.by_hand("there are no keys; `simonides keys create` makes one"))
        ),
        [key.id for key in keys],
    )


@command(app, "revoke", example="  simonides keys revoke laptop")
def revoke(
    common: Common,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its id or its name.")],
) -> None:
    """Let a key in no more. A server that runs heeds it at once."""
    with closing(_state(common)) as state:
        gone = state.revoke(key)
    common.answer(
        gone.to_dict(), lambda out: out.line(f"{gone.name} ({gone.id}) is let in no more"), [gone.id]
    )


def _state(common: Common) -> ServerState:
    from simonides.edges.server.state import ServerState  # noqa: PLC0415

    path = common.state_path()
    return ServerState(ServerState.beside(path), reserve=Reserve(path))


def _end(text: str) -> int:
    """The instant at which a key ends, from a span or a time."""
    import time  # noqa: PLC0415

    from simonides.domain.instant import DAY_US, LAST, SECOND_US, instant  # noqa: PLC0415

    number, unit = text[:-1], text[-1:]
    if unit in _DAYS and number.isdecimal() and len(number) < 6:
        end = int(time.time() * SECOND_US) + int(number) * _DAYS[unit] * DAY_US
        if end > LAST:
            raise InvalidInput(
                f"--expires: {text} ends after the year 9999; leave it out for a key without an end"
            )
        return end
    try:
        return instant(text, name="--expires")
    except InvalidInput as error:
        raise InvalidInput(f"{error}; or write a span: 90d, 12w, 1y") from error


def _require_tenant(common: Common, name: str) -> None:
    """Refuse a tenant that there is not, by looking at its memory."""
    from simonides.domain.address import of_tenant  # noqa: PLC0415
    from simonides.memory import Memory  # noqa: PLC0415

    with Memory(of_tenant(common.address(), name), read_only=True) as memory:
        memory.list(limit=1)


def _scope(key: Key) -> str:
    scope = f"{key.scope}/*" if key.narrows else str(key.scope)
    return scope if key.tenant is None else f"{scope} of {key.tenant}"


def _until(key: Key, now: int) -> str:
    if key.revoked_at is not None:
        return f"revoked {moment(key.revoked_at, short=True)}"
    if key.expires_at is None:
        return "ever"
    return f"{'ended' if key.expires_at <= now else ''} {moment(key.expires_at, short=True)}".strip()
