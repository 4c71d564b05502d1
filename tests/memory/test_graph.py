"""memory.graph: what surrounds an item, and what does not show."""

import json

import pytest

from simonides.domain.link import Relation
from simonides.domain.scope import ALL, Scope
from simonides.domain.selection import Selection
from simonides.errors import InvalidInput, NotFound
from simonides.recall.graph import Direction, Walk, traverse


def labels(graph, depth=None):
    return [node.label for node in graph.nodes if depth is None or node.depth == depth]


def joints(graph):
    label = {node.id: node.label for node in graph.nodes}
    return {(label[edge.src], edge.rel.value, label[edge.dst]) for edge in graph.edges}


@pytest.fixture
def chain(memory, add):
    """Four states of a fact, the last of which is true, with evidence for the first."""
    first = add("the ferry leaves at one", type="fact")
    evidence = add("the old timetable", type="note")
    memory.link(evidence, first, "supports")
    latest = first
    for hour in ("two", "three", "four"):
        latest = memory.correct(latest, f"the ferry leaves at {hour}").item_id
    return first, latest


def test_links_are_shown_from_both_ends_with_their_kind(memory, add):
    tea, tin, shop = add("tea is in the tin"), add("the tin is green"), add("the shop sells tins")
    memory.link(tea, tin, "depends_on", weight=2)
    memory.link(shop, tin, "supports")
    graph = memory.graph(tin)
    assert labels(graph) == ["the tin is green", "tea is in the tin", "the shop sells tins"]
    assert joints(graph) == {
        ("tea is in the tin", "depends_on", "the tin is green"),
        ("the shop sells tins", "supports", "the tin is green"),
    }
    assert {edge.weight for edge in graph.edges} == {1.0, 2.0}
    assert memory.graph(tin, relations=["supports"]).to_dict()["edges"] == [
        {"src": shop, "dst": tin, "rel": "supports", "weight": 1.0}
    ]
    json.dumps(graph.to_dict())


def test_the_way_from_the_start_is_the_shortest(memory, add):
    ids = [add(f"stop {n}") for n in range(5)]
    for n in range(4):
        memory.link(ids[n], ids[n + 1], "causal")
    memory.link(ids[0], ids[3], "causal")
    graph = memory.graph(ids[0], depth=2)
    assert {node.id: node.path for node in graph.nodes} == {
        ids[0]: (ids[0],),
        ids[1]: (ids[0], ids[1]),
        ids[2]: (ids[0], ids[1], ids[2]),
        ids[3]: (ids[0], ids[3]),
        ids[4]: (ids[0], ids[3], ids[4]),
    }
    assert labels(memory.graph(ids[0], depth=0)) == ["stop 0"]
    assert [node.depth for node in graph.nodes] == [0, 1, 1, 2, 2]
    assert labels(memory.graph(ids[0], depth=5, limit=2)) == ["stop 0", "stop 1"]


def test_corrections_are_shown_whole_from_any_of_them(memory, chain):
    states = {f"the ferry leaves at {hour}" for hour in ("one", "two", "three", "four")}
    for start in chain:
        graph = memory.graph(start, depth=0)
        assert set(labels(graph)) == states
        assert len([node for node in graph.nodes if node.status == "archived"]) == 3
        assert len(graph.edges) == 3
    assert "the old timetable" in labels(memory.graph(chain[1], depth=1))
    assert labels(memory.graph(chain[1], relations=["supports"])) == ["the ferry leaves at four"]


def test_what_was_forgotten_is_no_neighbour(memory, add):
    one, two = add("one thing"), add("another thing")
    memory.link(one, two, "supports")
    memory.forget(two)
    assert labels(memory.graph(one)) == ["one thing"]
    assert labels(memory.graph(two)) == ["another thing", "one thing"]


def test_entities_join_items_that_mention_them(memory, add):
    first, second = add("we met Petra in Rome"), add("then Petra sat down")
    add("nothing to do with it")
    graph = memory.graph(first)
    assert labels(graph) == ["we met Petra in Rome", "Petra", "Rome"]
    assert [(node.kind, node.type, node.status) for node in graph.nodes[1:]] == [
        ("entity", "concept", None)
    ] * 2
    graph = memory.graph(first, depth=2)
    assert labels(graph, 2) == ["then Petra sat down"]
    assert graph.nodes[-1].path == (first, memory.entities.get("Petra").entity.id, second)
    assert labels(memory.graph(first, relations=["causal"], depth=2)) == ["we met Petra in Rome"]


def test_nothing_leaks_from_scopes_that_are_out_of_sight(memory, add):
    hers = add("we met Petra in Rome", scope="user:ana")
    shared = add("we met Petra in Oslo")
    his = add("we met Petra in Lyon", scope="user:bo")
    memory.link(hers, shared, "supports")
    memory.link(his, shared, "supports")
    memory.link(his, hers, "causal")
    graph = memory.graph(shared, scope="user:ana", depth=5)
    assert set(labels(graph)) == {"we met Petra in Oslo", "we met Petra in Rome", "Petra", "Oslo", "Rome"}
    assert his not in json.dumps(graph.to_dict())
    assert labels(memory.graph(shared, scope="global", depth=5)) == ["we met Petra in Oslo", "Petra", "Oslo"]
    assert his in json.dumps(memory.graph(shared, scope=ALL, depth=5).to_dict())
    with pytest.raises(NotFound):
        memory.graph(his, scope="user:ana")


def test_a_chain_is_not_followed_out_of_sight(memory, add):
    here, there = add("one thing", scope="user:ana"), add("another thing", scope="user:bo")
    memory.link(there, here, "supersedes")
    assert labels(memory.graph(here, scope="user:ana")) == ["one thing"]


@pytest.mark.parametrize("depth", [-1, 6, 1.5, True, None])
def test_a_depth_is_a_small_whole_number(memory, add, depth):
    with pytest.raises(InvalidInput, match="depth"):
        memory.graph(add("one thing"), depth=depth)


def test_an_unknown_relation_is_refused(memory, add):
    with pytest.raises(InvalidInput, match="unknown relation"):
        memory.graph(add("one thing"), relations=["likes"])


@pytest.mark.parametrize(
    ("direction", "found"),
    [(Direction.OUT, ["b", "c"]), (Direction.IN, ["b", "a"]), (Direction.BOTH, ["b", "a", "c"])],
)
def test_a_walk_may_follow_links_one_way_only(memory, add, direction, found):
    a, b, c = add("a thing"), add("b thing"), add("c thing")
    memory.link(a, b, "causal")
    memory.link(b, c, "causal")
    walk = Walk(
        Selection(scopes=(Scope(),), live_at=None), frozenset({Relation.CAUSAL}), direction=direction, depth=1
    )
    with memory._parts.store.read() as reader:
        nodes = traverse(reader, [reader.key(b)], walk).nodes
        items = reader.load([node.spot.key for node in nodes])
    assert [items[node.spot.key].content[0] for node in nodes] == found
