"""simonides add."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import exits, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.inputs import messages, text_or_stdin
from simonides.edges.cli.options import Common, ItemOptions, ScopeOptions
from simonides.edges.cli.output import Output
from simonides.edges.cli.progress import progress
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides.domain.verdict import AddResult

app = commands()


@command(
    app,
    "add",
    example="""\
  simonides add "Petra is allergic to walnuts" --type fact --tag health
  git log -1 | simonides add --project apollo --type event
  simonides add --messages chat.jsonl --session monday""",
)
def add(
    common: Common,
    item: ItemOptions,
    place: ScopeOptions,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What to remember; - or a pipe: standard input.")
    ] = None,
    chat: Annotated[
        str | None,
        typer.Option("--messages", metavar="FILE", help="Chat messages, JSON or JSON lines; - for a pipe."),
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="NAME", help="The conversation it belongs to.")
    ] = None,
    link: Annotated[
        list[str] | None,
        typer.Option(metavar="[REL:]ID", help="An item that it supports, refines, references …; repeatable."),
    ] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Keep it in the core profile.")] = False,
) -> None:
    """Remember a text, or the messages of a chat.

    The policy judges everything first: secrets are taken out, junk is rejected, what looks like an
    attack is quarantined. Exits with 1 if nothing was stored.
    """
    links = [_link(one) for one in link] if link else None
    fields = item.fields(session_id=session, links=links, pinned=pin or None)
    if chat is not None and text is not None:
        raise InvalidInput("give a text or --messages, not both")
    content = messages(chat) if chat is not None else text_or_stdin(text, "a text to remember")
    with (
        common.memory(makes=True) as memory,
        progress(common, "Remembering", len(content) if chat is not None else None) as advance,
    ):
        if item.kind is not None:
            memory.settings.taxonomy.require_known(item.kind)
        result = memory.add(content, scope=place.path, progress=advance, actor="cli", **fields)
    common.answer(result.to_dict(), lambda out: _show(out, result), result.item_ids)
    if not any(verdict.stored for verdict in result):
        raise typer.Exit(exits.WRONG)


def _show(out: Output, result: AddResult) -> None:
    if result.session_id is None:
        for verdict in result:
            render.verdict(out, verdict)
        return
    from simonides.domain.verdict import Outcome  # noqa: PLC0415

    counts = [f"{result.count(outcome)} {outcome}" for outcome in Outcome if result.count(outcome)]
    out.line(f"session {result.session_id}: {', '.join(counts)}")
    for number, verdict in enumerate(result, 1):
        if not verdict.stored:
            out.prose(f"message {number}: {'; '.join(verdict.reasons)}", 4)


def _link(text: str) -> dict[str, str]:
    """A link as `supports:ID` or `ID` names it."""
    rel, colon, to = text.rpartition(":")
    return {"to": to, "rel": rel} if colon else {"to": to}
