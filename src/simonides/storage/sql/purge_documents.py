"""Taking what purged chunks said out of their documents: a title, and the headings that lead to other chunks."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from simonides.domain.document import CHUNK
from simonides.domain.item import Item
from simonides.domain.link import Relation
from simonides.governance.carried import LostHeadings
from simonides.storage.sql.purge_successors import leave_in
from simonides.storage.sql.writer import SqlWriter


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
        gone = [state for state in states if state.id in contained]
        lost = LostHeadings.of(gone, writer.get(beside).values())
        leave_in(writer, [document, *beside], lost.left_in, at, actor)
