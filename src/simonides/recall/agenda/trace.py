"""Trace of a run: every node and expansion, as values, JSON and a tree to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Final

from simonides.domain.text import shortened
from simonides.recall.agenda.node import AgendaNode
from simonides.values import dataclass

_SHOWN_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class Expansion:
    """One explanation was taken from the queue and developed.

    Attributes:
        node: Its id.
        operators: Those that were tried, in order, each with how many changes it proposed.
        children: Ids of the explanations that were kept, best first.
        refused: Changes that would have gone over the tokens.
    """

    node: int
    operators: tuple[tuple[str, int], ...]
    children: tuple[int, ...]
    refused: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "node": self.node,
            "operators": dict(self.operators),
            "children": list(self.children),
            "refused": self.refused,
        }


@dataclass(frozen=True, slots=True)
class Trace:
    """A run.

    Attributes:
        nodes: By id; the first is the ordinary answer.
        expansions: In the order in which they were made.
        best: Id of the best explanation.
        names: What to call items, by key: title, else the beginning of the content; the others are called by their key.
        ids: Of items, by key.
    """

    nodes: tuple[AgendaNode, ...]
    expansions: tuple[Expansion, ...]
    best: int
    names: Mapping[int, str] = field(default_factory=dict[int, str])
    ids: Mapping[int, str] = field(default_factory=dict[int, str])

    def __str__(self) -> str:
        return self.tree()

    def to_dict(self) -> dict[str, Any]:
        """JSON; explanations name items by a key, for which `items` gives id and name."""
        return {
            "nodes": [node.to_dict() for node in self.nodes],
            "expansions": [expansion.to_dict() for expansion in self.expansions],
            "best": self.best,
            "items": {
                str(key): {"id": id_, "name": self.names.get(key, "")} for key, id_ in self.ids.items()
            },
        }

    def tree(self) -> str:
        """The explanations as a tree to read, the best one marked with a star."""
        names = self.names
        children: dict[int | None, list[AgendaNode]] = {}
        for node in self.nodes:
            children.setdefault(node.parent, []).append(node)
        order = {expansion.node: number for number, expansion in enumerate(self.expansions, 1)}

        def lines(node: AgendaNode, first: str, rest: str) -> Iterator[str]:
            yield first + self._headline(node, order.get(node.id), names)
            below = children.get(node.id, [])
            stem = rest + ("│   " if below else "    ")
            for detail in _details(node, names):
                yield stem + detail
            for child in below:
                last = child is below[-1]
                yield from lines(
                    child, rest + ("└── " if last else "├── "), rest + ("    " if last else "│   ")
                )

        return "\n".join(line for root in children.get(None, []) for line in lines(root, "", ""))

    def _headline(self, node: AgendaNode, expanded: int | None, names: Mapping[int, str]) -> str:
        step, parts = node.step, node.parts
        moves = [
            f"{sign}{names.get(key, key)}"
            for sign, keys in (("+", step.added), ("−", step.dropped), ("✓", step.confirmed))
            for key in keys
        ]
        return (
            f"{'★' if node.id == self.best else '·'} {node.id} {step.operator} {' '.join(moves)}"
            f"  S={parts.score:.3f} (R={parts.relevance:.2f} P={parts.provenance:.2f} C={parts.coverage:.2f}"
            f" D={parts.redundancy:.2f} X={parts.doubt:.2f})"
            + (f", expanded {expanded}." if expanded else "")
        )


def _details(node: AgendaNode, names: Mapping[int, str]) -> Iterator[str]:
    step = node.step
    if step.words:
        yield f"asked for {step.subgoal}: {shortened(step.words, _SHOWN_CHARS)!r}"
    for piece in node.support:
        if piece.key in step.added:
            yield f"{names.get(piece.key, piece.key)}: {shortened(piece.sketch.content, _SHOWN_CHARS)}"
    if node.open:
        yield f"open: {', '.join(map(str, node.open))}"
