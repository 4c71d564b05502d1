"""Taking what purged chunks said out of their documents: a title, and the headings that lead to other chunks."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, Final, cast

from simonides.domain.document import CHUNK
from simonides.domain.item import Item
from simonides.domain.link import Relation
from simonides.domain.record import is_record
from simonides.governance.carried import words_of
from simonides.language.words import STOP
from simonides.storage.sql.purge_successors import leave_in
from simonides.storage.sql.writer import SqlWriter
from simonides.values import dataclass

#: Between the headings in the title of a chunk.
_BETWEEN: Final = " / "


def take_from_documents(
    writer: SqlWriter, purged: AbstractSet[str], states: Sequence[Item], at: int, actor: str
) -> None:
    """Take headings that stand in purged chunks out of their documents and the chunks beside them, in all states.

    Args:
        states: Of the purged items.
    """
    chunks = sorted({state.id for state in states if state.type == CHUNK})
    documents = [link.src for link in writer.links(chunks, [Relation.CONTAINS]) if link.dst in purged]
    for document in sorted(set(documents) - purged):
        contained = [
            link.dst for link in writer.links([document], [Relation.CONTAINS]) if link.src == document
        ]
        beside = [id_ for id_ in dict.fromkeys(contained) if id_ not in purged]
        lost = _LostHeadings(
            words_of(state.content for state in states if state.id in contained),
            [item.content for item in writer.get(beside).values()],
        )
        leave_in(writer, [document, *beside], lost.left_in, at, actor)


@dataclass(frozen=True, slots=True)
class _LostHeadings:
    """Headings that no chunk of a document says any more.

    Attributes:
        words: Of the chunks that went.
        left: Contents of those that stay.
    """

    words: frozenset[str]
    left: Sequence[str]

    def left_in(self, item: Item) -> Item:
        """An item of the document without them."""
        if is_record(item):
            value = item.metadata.get("value")
            title: object = cast("dict[str, Any]", value).get("title") if isinstance(value, dict) else None
            if not isinstance(title, str) or self._stays(title):
                return item
            return replace(
                item, metadata={**item.metadata, "value": {**cast("dict[str, Any]", value), "title": ""}}
            )
        kept = [heading for heading in item.title.split(_BETWEEN) if self._stays(heading)]
        return replace(item, title=_BETWEEN.join(kept))

    def _stays(self, heading: str) -> bool:
        own = words_of([heading]) - words_of(STOP)
        return not own or not own <= self.words or any(heading in content for content in self.left)
