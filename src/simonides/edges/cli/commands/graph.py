"""simonides graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId, LookOptions
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides import Graph, Node

app = commands()


@command(app, "graph", example="  simonides graph 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66 --depth 2")
def graph(
    common: Common,
    look: LookOptions,
    item_id: ItemId,
    depth: Annotated[int, typer.Option(metavar="N", help="Most links away, 0 to 5.")] = 1,
    relation: Annotated[
        list[str] | None, typer.Option("--rel", metavar="NAME", help="Only this relation; repeatable.")
    ] = None,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most nodes.")] = 50,
) -> None:
    """Show the surroundings of an item as a tree.

    Linked items, and who and what they mention. Corrections are shown whole, what was replaced
    included. Without a scope all scopes are looked at.
    """
    with common.memory(reads=True) as memory:
        graph = memory.graph(item_id, depth=depth, relations=relation, scope=look.scopes_or_all, limit=limit)
    common.answer(graph.to_dict(), lambda out: _show(out, graph), [node.id for node in graph.nodes])


def _show(out: Output, graph: Graph) -> None:
    children: dict[str, list[Node]] = {}
    for node in graph.nodes[1:]:
        children.setdefault(node.path[-2] if len(node.path) > 1 else "", []).append(node)
    for text in _lines(out, graph, children, graph.nodes[0], ""):
        out.line(text)


def _lines(
    out: Output, graph: Graph, children: dict[str, list[Node]], node: Node, indent: str
) -> Iterator[str]:
    """The lines of a node and what was reached from it."""
    if not indent:
        yield _node_line(out, node)
    below = children.get(node.id, [])
    for number, child in enumerate(below):
        last = number == len(below) - 1
        joints = ", ".join(_joints(graph, node, child))
        yield f"{indent}{'└── ' if last else '├── '}{out.paint(joints, 'dim')}  {_node_line(out, child)}"
        yield from _lines(out, graph, children, child, indent + ("    " if last else "│   "))


def _joints(graph: Graph, node: Node, child: Node) -> Iterator[str]:
    """Links between two nodes, each with an arrow in its direction."""
    for edge in graph.edges:
        if (edge.src, edge.dst) == (node.id, child.id):
            yield f"{edge.rel} →"
        elif (edge.src, edge.dst) == (child.id, node.id):
            yield f"← {edge.rel}"


def _node_line(out: Output, node: Node) -> str:
    if node.kind == "entity":
        return f"{out.paint(node.label, 'bold')}  {out.paint(node.type, 'dim')}"
    unusual = "" if node.status == "active" else f", {node.status}"
    return f"{node.label}  {out.paint(f'{node.type}{unusual}', 'dim')}  {out.paint(node.id, 'cyan')}"
