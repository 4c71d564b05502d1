"""A memory as a row of a list: its sentence, the quiet line below it, and what can be done with it in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simonides.domain.item import Item, Status
from simonides.edges.page.score import ScoreBar
from simonides.edges.page.visit import WRITER, Notice, Visit
from simonides.edges.wording import line
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row.

    Attributes:
        text: The sentence; of a long content the passages that match, or its beginning.
        notice: What was just done with it, in its place.
        changes: Whether it may be changed from here.
    """

    item: Item
    text: str
    hit: Hit | None = None
    bar: ScoreBar | None = None
    notice: Notice | None = None
    changes: bool = False


def row_of(
    item: Item,
    visit: Visit,
    *,
    hit: Hit | None = None,
    bar: ScoreBar | None = None,
    notice: Notice | None = None,
) -> Row:
    """The row of an item."""
    return Row(
        item=item,
        text=line(hit.excerpt if hit is not None and hit.excerpt else item.display, 420),
        hit=hit,
        bar=bar,
        notice=notice,
        changes=item.status is Status.ACTIVE
        and visit.may(WRITER)
        and (visit.visitor.unbound or visit.visitor.holds(item.scope)),
    )
