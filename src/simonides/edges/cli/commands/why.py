"""simonides why."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Final

import typer

from simonides.domain.text import near_names
from simonides.edges.cli import picture, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides.domain.records import Injection, Standing

app = commands()
#: Newest injections among whose sessions one that may be meant is looked for.
_LOOKED_AT: Final = 1000
#: Injections that are listed where no number is given.
_LISTED: Final = 20
#: What has become of an item, in words and a colour. What is unchanged needs none.
_STATES: Final = {
    "changed": ("says something else now", "yellow"),
    "superseded": ("was replaced since", "yellow"),
    "archived": ("was forgotten since", "red"),
    "quarantined": ("waits for review since", "yellow"),
    "expired": ("has expired since", "yellow"),
    "gone": ("is no longer in this store", "red"),
}


@command(
    app,
    "why",
    example="""\
  simonides why
  simonides why 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66""",
)
def why(
    common: Common,
    injection_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="An injection; without one they are listed.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of the list: only this session's.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("-k", "--limit", metavar="N", help="Of the list: its length.", show_default="20"),
    ] = None,
) -> None:
    """Show what was put into a prompt, for which question, and why.

    Each item comes with its score, what spoke for it, what it says, and what has become of it since.
    """
    if injection_id is not None and (session is not None or limit is not None):
        raise InvalidInput("--session and --limit are of the list; leave them out with an ID")
    with common.memory(reads=True) as memory:
        if injection_id is None:
            most_listed = _LISTED if limit is None else limit
            injections = common.first(lambda most: memory.injections(session, most), most_listed)
            common.listing(injections, _list, lambda entry: entry.id)
            if not injections:
                common.remark(
                    _nothing(session, {one.session_id for one in memory.injections(limit=_LOOKED_AT)})
                )
            return
        one = memory.why(injection_id)
    common.answer(one.to_dict(), lambda out: show(out, one), [item_id for item_id, _ in one.items])


def _nothing(session: str | None, sessions: Collection[str | None]) -> str:
    """Hint shown when no injection is listed."""
    if session is None or not sessions:
        return "nothing was put into a prompt yet; `simonides context` does"
    return (
        f"nothing was put into a prompt of session {session!r}{near_names(session, filter(None, sessions))}"
    )


def _list(out: Output, injections: list[Injection]) -> None:
    rows = [
        (entry.id, render.moment(entry.at), entry.mode, entry.session_id, len(entry.items), entry.query)
        for entry in injections
    ]
    out.table(("id", "when", "mode", "session", "items", "question"), rows)


def show(out: Output, one: Injection) -> None:
    """An injection with its items, and why each was in it."""
    out.fields(
        {
            "question": one.query,
            "when": render.moment(one.at),
            "scope": one.scope,
            "session": one.session_id,
            "mode": one.mode,
            "tokens": one.tokens,
        }
    )
    for rank, (item_id, score) in enumerate(one.items, 1):
        out.line()
        _item(out, rank, (item_id, score), one)


def _item(out: Output, rank: int, entry: tuple[str, float], one: Injection) -> None:
    item_id, score = entry
    standing = one.now[item_id]
    number, figure = out.paint(f"{rank:>2}", "bold"), f"{score:.2f}"
    item = standing.item
    shown = out.paint(item_id, "cyan") if item is None else render.head(out, item, len(figure) + 6)
    out.line(f"{number}  {out.paint(figure, 'green')}  {shown}")
    _text(out, standing)
    signals = one.signals.get(item_id)
    if not signals:
        pinned = item is not None and item.pinned
        out.prose("part of the core profile" if pinned else "no signals are on record", 4, "dim")
    else:
        out.prose(picture.in_words(score, signals), 4, "dim")


def _text(out: Output, standing: Standing) -> None:
    item = standing.item
    if standing.state in _STATES:
        words, colour = _STATES[standing.state]
        by = f" by {item.superseded_by}" if item is not None and item.superseded_by else ""
        out.line("    " + out.paint(words + by, colour))
    if standing.text is not None:
        out.prose(f"then: {' '.join(standing.text.split())}", 4)
    if item is not None:
        out.prose(f"now: {render.line(item)}" if standing.text is not None else render.line(item), 4)
