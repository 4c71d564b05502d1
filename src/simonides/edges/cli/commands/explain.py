"""simonides explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides import Explanation

app = commands()


@command(app, "explain", example="  simonides explain 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def explain(common: Common, item_id: ItemId) -> None:
    """Explain why an item is there and what it is worth now.

    Shown are its source, what the policy said of it, its place, links and audit events.
    """
    with common.memory(reads=True) as memory:
        explanation = memory.explain(item_id)
    common.answer(explanation.to_dict(), lambda out: _show(out, explanation), [explanation.item.id])


def _show(out: Output, explanation: Explanation) -> None:
    render.item(out, explanation.item)
    out.line()
    place = explanation.place
    out.fields(
        {
            "certain now": explanation.effective_confidence,
            "keeps": f"{explanation.retention:.0%} of its weight",
            "stands in": None if place is None else f"{place.domain} / {place.room} / {place.shelf}",
            "verdict": None
            if explanation.verdict is None
            else f"{explanation.verdict.verdict} by {explanation.verdict.actor}",
            "because": None if explanation.verdict is None else "; ".join(explanation.verdict.reasons),
            "said to be": None if explanation.verdict is None else explanation.verdict.why_store,
            "revisions": len(explanation.revisions),
        }
    )
    if explanation.links:
        out.line()
        rows = [(link.src, link.rel.value, link.dst, link.evidence or "") for link in explanation.links]
        out.table(("from", "relation", "to", "because"), rows)
    if explanation.events:
        out.line()
        out.table(
            ("when", "what", "who"),
            [(render.moment(event.at), event.action, event.actor) for event in explanation.events],
        )
