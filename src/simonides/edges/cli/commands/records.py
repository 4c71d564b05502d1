"""simonides records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simonides.edges.cli import exits, retraction
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions, Unasked
from simonides.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from simonides import Record

app = commands("Values that programs keep under keys.")

_Space = Annotated[str, typer.Argument(metavar="SPACE", help="Such as users/ana.")]
_Key = Annotated[str, typer.Argument(metavar="KEY", help="The key in it.")]
_Prefix = Annotated[str, typer.Argument(metavar="[SPACE]", help="Only in and below this space.")]
_Limit = Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most records.")]


@command(
    app,
    "put",
    example="""\
  simonides records put users/ana tea '{"likes": "green"}'
  simonides records put cache today 17 --ttl 3600""",
)
def put(
    common: Common,
    place: ScopeOptions,
    space: _Space,
    key: _Key,
    value: Annotated[str, typer.Argument(metavar="JSON", help="The value.")],
    ttl: Annotated[float | None, typer.Option(metavar="SECONDS", help="How long it lasts unread.")] = None,
    no_index: Annotated[bool, typer.Option("--no-index", help="Let no search find it.")] = False,
) -> None:
    """Keep a value under a key; null deletes what is there."""
    try:
        read: Any = json.loads(value)
    except ValueError as error:
        raise InvalidInput(f"the value is no JSON: {error}; a text stands in quotes, '\"so\"'") from error
    with common.memory(makes=True) as memory:
        kept = memory.records.put(
            space, key, read, scope=place.path, ttl=ttl, index=False if no_index else None, actor="cli"
        )
    fields = None if kept is None else kept.to_dict()
    common.answer(fields, lambda out: out.line("deleted" if kept is None else f"kept {space} {key}"))


@command(app, "get", example="  simonides records get users/ana tea")
def get(common: Common, place: ScopeOptions, space: _Space, key: _Key) -> None:
    """Show the value under a key."""
    with common.memory(reads=True) as memory:
        record = memory.records.get(space, key, scope=place.path)
    if record is None:
        raise NotFound(f"there is no record {key!r} in {space!r}")
    common.answer(record.to_dict(), lambda out: out.line(_json(record.value)), [record.item_id])


@command(app, "list", example="  simonides records list users")
def list_(common: Common, place: ScopeOptions, space: _Prefix = "", limit: _Limit = 50) -> None:
    """List records, what was put first last."""
    with common.memory(reads=True) as memory:
        records = common.first(
            lambda most: memory.records.list(space, scope=place.path, limit=most, refresh=False), limit
        )
    heads = ("space", "key", "value")
    common.table(records, heads, _row, lambda record: record.item_id, empty="there is none")


@command(app, "search", example='  simonides records search "which tea?" users/ana')
def search(
    common: Common,
    place: ScopeOptions,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or words.")],
    space: _Prefix = "",
    limit: _Limit = 10,
) -> None:
    """Find records by the texts in their values, best first."""
    with common.memory(reads=True) as memory:
        hits = memory.records.search(query, space, scope=place.path, k=limit, refresh=False)
    rows = [
        (*_row(one.record)[:2], "" if one.score is None else f"{one.score:.2f}", _row(one.record)[2])
        for one in hits
    ]
    common.answer(
        [{"record": one.record.to_dict(), "score": one.score} for one in hits],
        lambda out: out.table(("space", "key", "score", "value"), rows),
        [one.record.item_id for one in hits],
    )
    if not hits:
        common.remark("there is none")


@command(app, "delete", example="  simonides records delete users/ana tea")
def delete(common: Common, place: ScopeOptions, space: _Space, key: _Key) -> None:
    """Archive a record; its versions stay until it is purged."""
    with common.memory() as memory:
        gone = memory.records.delete(space, key, scope=place.path, actor="cli")
    common.answer(gone, lambda out: out.line("deleted" if gone else "there is none"))
    if not gone:
        raise typer.Exit(exits.WRONG)


@command(
    app,
    "purge",
    example="""\
  simonides records purge users/ana tea --yes
  simonides records purge users/ana""",
)
def purge(
    common: Common,
    place: ScopeOptions,
    space: _Space,
    key: Annotated[str | None, typer.Argument(metavar="KEY", help="Only this key in it.")] = None,
    yes: Unasked = False,
) -> None:
    """Delete records with every trace. This cannot be undone.

    Without a key it is all in and below the space. Versions go, too. Asks first; without a terminal, --yes is required.
    """
    with common.memory() as memory:
        what = f"everything in and below {space}" if key is None else f"{space} {key}"
        retraction.require_purge_agreed(yes, lambda: what)
        gone = memory.records.purge(space, key, scope=place.path, actor="cli")
    retraction.show_purged(common, gone)


@command(app, "history", example="  simonides records history users/ana tea")
def history(common: Common, place: ScopeOptions, space: _Space, key: _Key) -> None:
    """Show every version under a key, oldest first."""
    with common.memory(reads=True) as memory:
        versions = memory.records.history(space, key, scope=place.path)
    common.answer(
        [one._asdict() for one in versions],
        lambda out: out.table(
            ("version", "reason", "value"), [(one.number, one.reason, _json(one.value)) for one in versions]
        ),
    )
    if not versions:
        common.remark("there never was any")


def _row(record: Record) -> tuple[str, str, str]:
    return "/".join(record.space), record.key, _json(record.value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
