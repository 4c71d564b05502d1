"""simonides history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides.domain.records import Revision

app = commands()
#: What changes with every revision, or cannot change.
_UNTOLD = frozenset(
    {"updated_at", "headline", "content_hash", "usage_count", "reinforcement", "last_used_at", "last_hit_at"}
)


@command(app, "history", example="  simonides history 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def history(common: Common, item_id: ItemId) -> None:
    """Show every state of an item, oldest first.

    The states of what it replaced, and of what replaced it, are part of the story.
    """
    with common.memory(reads=True) as memory:
        revisions = memory.history(item_id)
    common.answer(
        [revision.to_dict() for revision in revisions],
        lambda out: _show(out, revisions),
        dict.fromkeys(revision.item.id for revision in revisions),
    )


def _show(out: Output, revisions: list[Revision]) -> None:
    before: dict[str, dict[str, Any]] = {}
    for revision in revisions:
        item_id, now = revision.item.id, revision.item.to_dict()
        then = before.get(item_id)
        number = out.paint(f"{revision.number}", "bold")
        out.line(
            f"{render.moment(revision.at)}  {out.paint(item_id, 'cyan')}  revision {number}, {revision.reason}"
        )
        if then is None:
            out.prose(revision.item.display, 4)
        else:
            for name, value in now.items():
                if name not in _UNTOLD and value != then[name]:
                    out.prose(f"{name}: {_value_text(then[name])} → {_value_text(value)}", 4)
        before[item_id] = now


def _value_text(value: object) -> str:
    match value:
        case None | "" | []:
            return "nothing"
        case list():
            return ", ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            return str(value)
